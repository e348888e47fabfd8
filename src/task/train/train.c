/* The task `train`: a classifier with one-bit weights, from labelled data. */
#include "base/file.h"
#include "base/machine.h"
#include "base/try.h"
#include "job/results.h"
#include "task/train/manifest.h"
#include "task/train/plan.h"
#include <spinney/lab/task.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char details[] =
    "Beta is in units of 1/mean cross-entropy, and a target is a training loss. Ctrl-C ends the "
    "run\n"
    "after the current step; the model then holds the weights of the lowest loss so far.\n";

static const char examples[] =
    "  spinney train --out digits.spn\n"
    "  spinney train --data samples.csv --test-fraction 0.2 --out samples.spn\n"
    "  spinney train --data digits --hidden 64 --out network.spn\n";

/* ---- planning ---- */

static spn_status read_data(spn_train_plan *p, spn_inputs *inputs, spn_error *err)
{
    const spn_read_options how = spn_sample_settings_options(&p->samples);
    const spn_data_files files = {p->data, p->labels, p->test, p->test_labels};
    p->sets = spn_train_data_defaults();
    return spn_inputs_data(&p->sets.train, &p->sets.test, inputs, &files, &how, err);
}

static spn_status check_sets(const spn_train_plan *p, spn_error *err)
{
    if (p->sets.test && p->test_fraction > 0)
        return spn_setting_fail("test-fraction", err,
                                "is for data without a test set; these have one");
    if ((double)p->subset > ceil(spn_train_samples_left(p)))
        return spn_setting_fail("subset", err, "%" PRIu64 " samples are more than there are (%.0f)",
                                p->subset, spn_train_samples_left(p));
    return SPN_OK;
}

static spn_status plan_chain(spn_train_plan *p, const spn_job *job, spn_inputs *inputs,
                             spn_error *err)
{
    const spn_chain_sites sites = {.count = spn_train_weights(p),
                                   .proposed = p->listed ? p->listed : spn_train_weights(p),
                                   .owner = p->options.hidden ? "network" : "classifier"};
    return spn_chain_plan_make_of(&p->annealing, &p->chain, job, inputs, &sites, err);
}

static spn_status plan_train(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    spn_train_plan *p = plan;
    p->options = spn_train_defaults();
    SPN_TRY(spn_train_read_classifier(p, err));
    SPN_TRY(spn_train_read_network(p, job, err));
    SPN_TRY(read_data(p, inputs, err));
    SPN_TRY(check_sets(p, err));
    p->options.test_fraction = p->test_fraction;
    p->options.validation = p->validation;
    p->options.subset = (size_t)p->subset;
    p->options.split_seed = p->split_seed;
    p->options.balance = p->balance;
    SPN_TRY(spn_train_fit_classifier(p, err));
    SPN_TRY(spn_train_check_network(p, err));
    SPN_TRY(spn_train_count_proposed(p, inputs, err));
    SPN_TRY(plan_chain(p, job, inputs, err));
    SPN_TRY(spn_train_set_temperature(p, job, err));
    SPN_TRY(spn_train_check_memory(p, spn_machine_memory(), err));
    SPN_TRY(spn_train_check_linear(p, spn_machine_memory(), err));
    SPN_TRY(spn_flip_plan_make(&p->flips, &p->flip, job, p->annealing.options.replicas, err));
    return spn_profile_settings_check(job, err);
}

static void clear(void *plan)
{
    spn_train_plan *p = plan;
    spn_chain_plan_clear(&p->annealing);
    spn_flip_plan_clear(&p->flips);
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const spn_train_plan *p = plan;
    spn_measure_resolve(out, job);
    if (spn_data_is_known(p->data))
        spn_sample_settings_leave_out(out);
    SPN_TRY(spn_train_resolve_classifier(out, p, job, err));
    return spn_chain_plan_resolve(out, &p->annealing, job, err);
}

/* ---- cost ---- */

/* The parts of the work, in units of what one sample costs in the change of an energy. */
typedef struct train_work {
    double proposals, chain, flips, profile;
} train_work;

static train_work work_of(const spn_train_plan *p, uint64_t steps)
{
    /* As measured on MNIST with 512-bit vectors: in the time of a unit 36 products of weight and
       feature are made for the logits of samples whose weights were flipped; to walk away from
       weights each costs a tenth of a unit for each sample at the start, and two where it is
       flipped, for the change and for the cache. */
    const double products = 36, attach = 0.1, flip = 2;
    const double weights = (double)spn_train_weights(p);
    const double train = (p->subset ? (double)p->subset : spn_train_samples_left(p)) *
                         (double)(p->options.shifts + 1);
    const double test = p->sets.test ? (double)spn_dataset_samples(p->sets.test)
                        : p->test_fraction > 0
                            ? p->test_fraction * (double)spn_dataset_samples(p->sets.train)
                            : train;
    const uint64_t all = p->annealing.usual_steps;
    train_work work = {.proposals = spn_chain_plan_proposals(&p->annealing, steps ? steps : all)};
    work.chain = work.proposals * train * spn_chain_plan_passes(&p->annealing);
    if (steps)
        return work;
    work.flips =
        (double)p->flips.count * (double)p->flips.options.trials * test * weights / products;
    work.profile = (double)p->profile.walks * (double)p->annealing.options.replicas * train *
                   weights * (flip * p->profile.reach + attach);
    return work;
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const train_work work = work_of(plan, steps);
    return (spn_cost){.proposals = work.proposals,
                      .work = work.chain + work.flips + work.profile,
                      .memory = spn_train_memory(plan)};
}

/* ---- the run ---- */

/* One run under way. */
typedef struct train_run {
    const spn_train_plan *plan;
    const spn_job *job;
    const spn_run *run;
    train_work work;
    spn_meter meter;
    spn_training *training;
    spn_chain_ready ready;
    uint32_t *proposed; /* of the options of `ready`; NULL: all */
    spn_ran chain;
    spn_train_result *result;
} train_run;

/* What is wrong with data is the fault of the setting that makes inputs of them. */
static spn_status make_training(train_run *t, spn_error *err)
{
    const spn_train_plan *p = t->plan;
    spn_error why = {0};
    const spn_status status = spn_training_create(&t->training, &p->options, &p->sets, &why);
    if (status == SPN_ERROR_ARGUMENT && p->options.hidden)
        return spn_setting_blame(p->preprocess.kind == SPN_PREPROCESS_NONE ? "scaling" : "hidden",
                                 &why, err);
    return status ? spn_fail(err, status, "%s", why.text) : SPN_OK;
}

static spn_status train(train_run *t, spn_outcome *outcome, spn_error *err)
{
    spn_snapshot snapshot;
    char *content = NULL;
    if (!t->run->steps)
        SPN_TRY(spn_file_try(t->run->product, err));
    SPN_TRY(make_training(t, err));
    SPN_TRY(spn_chain_ready_make(&t->ready, &t->plan->annealing, t->job->seed,
                                 spn_training_energy(t->training), err));
    SPN_TRY(spn_train_make_proposed(&t->proposed, &t->ready.options, t->plan, t->training, err));
    SPN_TRY(spn_train_content(&content, t->training, err));
    const spn_sampler_job how = {.job = t->job,
                                 .plan = t->plan,
                                 .run = t->run,
                                 .content = content,
                                 .meter = &t->meter,
                                 .work = t->work.chain};
    const spn_status status = spn_chain_job_run(&t->chain, outcome, &how, &t->ready,
                                                spn_training_energy(t->training), err);
    free(content);
    SPN_TRY(status);
    spn_chain_snapshot(&snapshot, t->chain.sampler);
    return spn_training_finish(&t->result, t->training, &snapshot, t->chain.stop, err);
}

/* Give the model its manifest, and write it where that is asked for. */
static spn_status finish_model(const train_run *t, spn_error *err)
{
    spn_model *model = t->result->model;
    char *manifest = NULL;
    spn_status status = spn_train_manifest(&manifest, t->job, t->plan, t->training, t->result, err);
    if (!status)
        status = spn_model_set_manifest(model, manifest, err);
    free(manifest);
    return status || !t->run->product ? status : spn_model_write(model, t->run->product, err);
}

/* Measure the curves; *stopped: the run was asked to stop before they were complete. */
static spn_status measure(spn_train_found *out, bool *stopped, train_run *t, spn_error *err)
{
    const spn_train_plan *p = t->plan;
    const spn_model *model = t->result->model;
    const spn_dataset *test = spn_training_set(t->training, SPN_SET_TEST);
    const spn_flip_classifier classifier = {
        .model = spn_model_classifier(model, spn_model_weights(model)),
        .data = test ? test : spn_training_set(t->training, SPN_SET_TRAIN)};
    const spn_flip_target target = spn_flip_target_of(&classifier, spn_model_replicas(model));
    spn_measuring m = {.job = t->job, .meter = &t->meter};
    spn_meter_pass(&t->meter, t->work.chain);
    SPN_TRY(spn_measure_flips(&out->flips, &m, &p->flips, &target, t->work.flips, err));
    SPN_TRY(spn_measure_profile(&out->profile, &m, &p->profile, spn_training_energy(t->training),
                                spn_model_weights(model), spn_model_replicas(model),
                                t->work.profile, err));
    *stopped = m.stopped;
    return SPN_OK;
}

static spn_status add_results(spn_record *out, const train_run *t, const spn_train_found *found,
                              spn_error *err)
{
    SPN_TRY(spn_results_add(out, spn_train_results, found, t->plan, t->run->details, err));
    SPN_TRY(spn_chain_job_record_steps(out, &t->chain, err));
    return t->run->details ? spn_train_note(out, t->plan, &t->ready, t->training, t->result, err)
                           : SPN_OK;
}

static spn_status run_train(spn_record *out, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, spn_error *err)
{
    const train_work work = work_of(plan, run->steps);
    const double all = work.chain + work.flips + work.profile;
    train_run t = {
        .plan = plan, .job = job, .run = run, .work = work, .meter = spn_meter_start(run, all)};
    spn_train_found found = {0};
    bool stopped = false;
    spn_status status;
    SPN_TRY_OR(cleanup, train(&t, outcome, err));
    SPN_TRY_OR(cleanup, spn_train_found_take(&found, plan, &t.chain, t.training, t.result,
                                             run->details, err));
    if (run->steps == 0 && (run->product || run->model))
        SPN_TRY_OR(cleanup, finish_model(&t, err));
    if (run->steps == 0 && outcome->complete)
        SPN_TRY_OR(cleanup, measure(&found, &stopped, &t, err));
    status = add_results(out, &t, &found, err);
cleanup:
    outcome->complete = outcome->complete && !stopped;
    if (run->model && !status) {
        *run->model = t.result->model;
        t.result->model = NULL;
    }
    spn_train_found_clear(&found);
    spn_train_result_free(t.result);
    spn_sampler_free(t.chain.sampler);
    spn_chain_ready_clear(&t.ready);
    free(t.proposed);
    spn_training_free(t.training);
    return status;
}

const spn_task spn_train_task = {.name = "train",
                                 .summary = "train a classifier with one-bit weights",
                                 .details = details,
                                 .examples = examples,
                                 .product = "the model",
                                 .product_extension = "spn",
                                 .chain = true,
                                 .settings = spn_train_settings,
                                 .presets = spn_train_presets,
                                 .preset = spn_train_preset,
                                 .results = spn_train_results,
                                 .plan_size = sizeof(spn_train_plan),
                                 .plan = plan_train,
                                 .clear = clear,
                                 .resolve = resolve,
                                 .cost = cost,
                                 .run = run_train};
