#include "base/file.h"
#include "base/json.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/try.h"
#include "job/run.h"
#include "task/train/plan.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <spinney/device.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* Checksums of the data sets, as lines that a checkpoint must match; the caller frees it. */
static spn_status train_content(char **out, const spn_training *training, spn_error *err)
{
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    for (int k = 0; stream && spn_train_set_name((spn_train_set)k); k++) {
        const spn_dataset *set = spn_training_set(training, (spn_train_set)k);
        if (set)
            fprintf(stream, "%s_checksum \"%016" PRIx64 "\"\n",
                    spn_train_set_name((spn_train_set)k), spn_dataset_checksum(set));
    }
    *out = spn_memory_stream_finish(&memory);
    return *out ? SPN_OK : spn_no_memory(err, "the manifest of a model");
}

static void put_checksum(spn_json *json, const char *name, const spn_dataset *set)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, spn_dataset_checksum(set));
    spn_json_text(json, name, text);
}

static spn_status put_settings(spn_json *json, const spn_job *job, const void *plan, spn_error *err)
{
    const unsigned others = SPN_SETTING_EFFORT | SPN_SETTING_MEASURE | SPN_SETTING_SEED;
    spn_record resolved = {0};
    spn_setting_walk walk = spn_setting_walk_start(job->task->settings);
    const spn_status status = spn_job_resolve(&resolved, job, plan, err);
    spn_json_open(json, "settings", '{');
    while (!status && spn_setting_walk_named(&walk)) {
        const char *given = spn_job_given(job, walk.setting->name);
        const char *text = given ? given : spn_record_setting(&resolved, walk.setting->name);
        if (text && !(walk.setting->flags & others))
            spn_json_any_text(json, walk.setting->name, text);
    }
    spn_json_close(json, '}');
    spn_record_clear(&resolved);
    return status;
}

static void put_data(spn_json *json, const spn_training *training, const spn_model *model)
{
    const spn_dataset *train = spn_training_set(training, SPN_SET_TRAIN);
    spn_json_open(json, "data", '{');
    for (int k = 0; spn_train_set_name((spn_train_set)k); k++) {
        const spn_dataset *set = spn_training_set(training, (spn_train_set)k);
        const char *set_name = spn_train_set_name((spn_train_set)k);
        char name[48];
        if (!set)
            continue;
        snprintf(name, sizeof name, "%s_samples", set_name);
        spn_json_whole(json, name, spn_dataset_samples(set));
        snprintf(name, sizeof name, "%s_checksum", set_name);
        put_checksum(json, name, set);
    }
    spn_json_whole(json, "classes", spn_dataset_classes(train));
    spn_json_whole(json, "features", spn_model_features(model));
    spn_json_close(json, '}');
}

static void put_score(spn_json *json, const char *name, const spn_train_score *score)
{
    spn_json_open(json, name, '{');
    for (const spn_quantity *row = spn_train_replica_results; row->name; row++)
        spn_json_decimal(json, strchr(row->name, '.') + 1,
                         *(const double *)(const void *)((const char *)score + row->at));
    spn_json_close(json, '}');
}

static void put_results(spn_json *json, const spn_train_result *result)
{
    spn_json_open(json, "results", '{');
    spn_json_flag(json, "complete", result->stop != SPN_STOP_REQUEST);
    spn_json_text(json, "stop", spn_stop_name(result->stop));
    spn_json_whole(json, "steps", result->steps);
    spn_json_whole(json, "best", result->best + 1);
    spn_json_decimal(json, "overlap", result->overlap);
    put_score(json, "mean", result->mean);
    put_score(json, "centre", result->centre);
    if (result->vote)
        put_score(json, "vote", result->vote);
    spn_json_open(json, "replicas", '[');
    for (size_t a = 0; a < result->replicas; a++)
        put_score(json, NULL, result->replica[a]);
    spn_json_close(json, ']');
    spn_json_close(json, '}');
}

/* Manifest of a model as JSON; the caller frees it. It does not depend on time, threads, or
   whether the run was stopped and resumed. Errors: MEMORY. */
static spn_status train_manifest(char **out, const spn_trained *t, spn_error *err)
{
    spn_json json = SPN_JSON_PRINTED;
    *out = NULL;
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '{');
    spn_json_text(&json, "version", spn_version());
    spn_json_text(&json, "instructions", spn_instruction_set());
    spn_json_whole(&json, "seed", t->measuring.job->seed);
    put_checksum(&json, "data_checksum", spn_training_set(t->training, SPN_SET_TRAIN));
    const spn_status status = put_settings(&json, t->measuring.job, t->plan, err);
    if (status) {
        spn_json_drop(&json);
        return status;
    }
    put_data(&json, t->training, t->result->model);
    put_results(&json, t->result);
    spn_json_close(&json, '}');
    return spn_json_finish(out, NULL, &json, err);
}

static const char details[] =
    "Beta is in units of 1/mean cross-entropy, and a target is a training loss. Ctrl-C ends the "
    "run\n"
    "after the current step; the model then holds the weights of the lowest loss so far.\n";

static const char examples[] =
    "  spinney train --out digits.spn\n"
    "  spinney train --data samples.csv --test-fraction 0.2 --out samples.spn\n"
    "  spinney train --data digits --hidden 64 --out network.spn\n";

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

/* Whether the data fit is known once the energy is made. */
static spn_status check_losses(spn_train_plan *p, spn_error *err)
{
    spn_error why = {0};
    if (p->device && !p->losses)
        return spn_setting_fail("device", err,
                                "computes losses in whole numbers; give `losses "
                                "whole` too, or leave it out");
    if (!p->losses)
        return SPN_OK;
    if (p->options.hidden || p->options.rounded || p->faults > 0 || p->balance || p->penalty > 0)
        return spn_setting_fail("losses", err,
                                "whole is for linear classifiers of images or other bytes, without "
                                "faults, penalty and balance; leave it out");
    if (p->device && spn_device_check(p->device, &why))
        return spn_setting_fail("device", err, "%s: %s", p->device, why.text);
    p->options.device = p->device ? p->device : "cpu";
    return SPN_OK;
}

static spn_status check_fault_model(spn_train_plan *p, spn_error *err)
{
    p->options.fault_model = p->flips.options.faults;
    if (!p->flip.fault_model)
        return SPN_OK;
    if (p->faults > 0 && p->options.fault_model.rows)
        return spn_setting_fail("fault-model", err,
                                "rows cannot be trained for: a row that flips has the mean 1-2p "
                                "times its sign, which changes nothing but the logit scale");
    return p->faults > 0 || p->flips.count > 0
               ? SPN_OK
               : spn_setting_fail("fault-model", err, "needs `faults` or `flip`");
}

/* Of the logits of a network: not if it takes long, or if weights to start from have seen the
   samples. */
static bool chooses_scale(const spn_train_plan *p)
{
    const double samples = p->subset ? (double)p->subset : spn_train_samples_left(p);
    return p->choose_scale && p->chain.seconds == 0 &&
           p->annealing.options.start != SPN_START_GIVEN &&
           samples * (double)p->annealing.usual_steps <= SPN_SMALL_WORK;
}

static spn_status plan_train(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    spn_train_plan *p = plan;
    size_t weights;
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
    spn_train_suit_table(p, job);
    weights = spn_train_weights(p);
    if (p->chain.moves == SPN_MOVES_LEVELS && !p->options.rounded)
        p->chain.moves = SPN_MOVES_PLAIN;
    const double more = p->chain.moves == SPN_MOVES_LEVELS ? (double)p->inputs / 800 : 1;
    const size_t of_levels = (size_t)((double)weights / fmin(fmax(1, more), 4));
    SPN_TRY(spn_chain_plan_make(&p->annealing, &p->chain, job, inputs, weights,
                                p->listed ? p->listed : of_levels,
                                p->options.hidden ? "network" : "classifier", NULL, err));
    p->choose_scale = chooses_scale(p);
    SPN_TRY(spn_train_set_temperature(p, job, err));
    SPN_TRY(spn_train_check_memory(p, spn_machine_memory(), err));
    SPN_TRY(spn_train_check_linear(p, spn_machine_memory(), err));
    SPN_TRY(spn_flip_plan_make(&p->flips, &p->flip, job, p->annealing.options.replicas, err));
    SPN_TRY(check_fault_model(p, err));
    SPN_TRY(check_losses(p, err));
    SPN_TRY(spn_train_check_folds(p, err));
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

static spn_cost cost(const void *plan, uint64_t steps)
{
    const spn_train_plan *p = plan;
    /* A unit is the cost of one sample in an energy change, measured on MNIST with 512-bit
       vectors. It pays for 36 products of weight and feature in the logits of flipped weights. A
       walk costs a tenth of a unit per sample to attach, and two per flip: for the change and for
       the cache. */
    const double products = 36, attach = 0.1, flip = 2;
    const double weights = (double)spn_train_weights(p);
    const double train = (p->subset ? (double)p->subset : spn_train_samples_left(p)) *
                         (double)(p->options.shifts + 1);
    const double test = p->sets.test ? (double)spn_dataset_samples(p->sets.test)
                        : p->test_fraction > 0
                            ? p->test_fraction * (double)spn_dataset_samples(p->sets.train)
                            : train;
    const uint64_t all = p->annealing.usual_steps;
    spn_cost work = {.memory = spn_train_memory(plan),
                     .proposals = spn_chain_plan_proposals(&p->annealing, steps ? steps : all)};
    work.chain = work.proposals * train * spn_chain_plan_passes(&p->annealing);
    if (steps)
        return spn_cost_sum(work);
    work.folds = spn_train_folds_work(p, work.chain);
    work.flips =
        (double)p->flips.count * (double)p->flips.options.trials * test * weights / products;
    work.profile = (double)p->profile.walks * (double)p->annealing.options.replicas * train *
                   weights * (flip * p->profile.reach + attach);
    return spn_cost_sum(work);
}

/* Errors of the data name the setting that makes inputs of them. */
static spn_status make_training(spn_trained *t, spn_error *err)
{
    const spn_train_plan *p = t->plan;
    spn_error why = {0};
    const spn_status status = spn_training_create(&t->training, &p->options, &p->sets, &why);
    if (status == SPN_ERROR_ARGUMENT && p->options.hidden)
        return spn_setting_blame(p->preprocess.kind == SPN_PREPROCESS_NONE ? "scaling" : "hidden",
                                 &why, err);
    if (status == SPN_ERROR_ARGUMENT && p->losses)
        return spn_setting_blame("losses", &why, err);
    return status ? spn_fail(err, status, "%s", why.text) : SPN_OK;
}

static spn_status train(spn_trained *t, spn_outcome *outcome, spn_error *err)
{
    const spn_chain_plan *plan = &t->plan->annealing;
    const spn_job *job = t->measuring.job;
    spn_snapshot snapshot;
    char *content = NULL;
    if (!t->run->steps)
        SPN_TRY(spn_file_try(t->run->product, err));
    SPN_TRY(make_training(t, err));
    const spn_energy *energy = spn_training_energy(t->training);
    SPN_TRY(spn_chain_settle(&t->options, &t->range, plan, job->seed, energy, err));
    SPN_TRY(spn_train_make_proposed(&t->proposed, &t->options, t->plan, t->training, err));
    assert(!t->proposed || t->options.proposed_count == t->plan->listed);
    SPN_TRY(train_content(&content, t->training, err));
    const spn_sampler_job how = {.job = job,
                                 .plan = t->plan,
                                 .run = t->run,
                                 .content = content,
                                 .meter = &t->measuring.meter,
                                 .work = t->measuring.cost.chain};
    const spn_status status =
        spn_chain_job_run(&t->ran, outcome, &how, plan, &t->options, energy, err);
    free(content);
    SPN_TRY(status);
    spn_chain_snapshot(&snapshot, t->ran.sampler);
    return spn_training_finish(&t->result, t->training, &snapshot, t->ran.stop, err);
}

static spn_status finish_model(const spn_trained *t, spn_error *err)
{
    spn_model *model = t->result->model;
    char *manifest = NULL;
    spn_status status = train_manifest(&manifest, t, err);
    if (!status)
        status = spn_model_set_manifest(model, manifest, err);
    free(manifest);
    return status || !t->run->product ? status : spn_model_write(model, t->run->product, err);
}

static spn_status measure(spn_trained *t, spn_error *err)
{
    const spn_train_plan *p = t->plan;
    const spn_model *model = t->result->model;
    const spn_dataset *test = spn_training_set(t->training, SPN_SET_TEST);
    const size_t replicas = spn_model_replicas(model);
    spn_measuring *m = &t->measuring;
    spn_meter_pass(&m->meter, m->cost.chain);
    SPN_TRY(spn_train_folds(t, err));
    if (m->stopped)
        return SPN_OK;
    int8_t *weights = spn_alloc(replicas, spn_model_sites(model));
    SPN_NEED(weights, err, "the weights");
    spn_model_unpack(weights, model, 0, replicas);
    const spn_flip_classifier classifier = {
        .model = spn_model_classifier(model, weights),
        .data = test ? test : spn_training_set(t->training, SPN_SET_TRAIN)};
    const spn_flip_target target = spn_flip_target_of(&classifier, replicas);
    spn_status status = spn_measure_flips(&t->flips, m, &p->flips, &target, err);
    if (!status)
        status = spn_measure_profile(&t->profile, m, &p->profile, spn_training_energy(t->training),
                                     weights, replicas, err);
    free(weights);
    return status;
}

static spn_status add_results(spn_record *out, const spn_trained *t, spn_error *err)
{
    SPN_TRY(spn_results_add(out, spn_train_results, t, t->plan, t->run->details, err));
    SPN_TRY(spn_chain_job_record_steps(out, &t->ran, err));
    return t->run->details ? spn_trained_note(out, t, err) : SPN_OK;
}

static spn_status run_train(spn_record *out, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, spn_error *err)
{
    spn_trained t = {.cv = {NAN, NAN, NAN, NAN, NAN},
                     .plan = plan,
                     .run = run,
                     .measuring = spn_measuring_start(job, run, plan)};
    spn_train_plan chosen = *t.plan;
    spn_status status;
    if (chosen.choose_scale && !run->steps) {
        SPN_TRY_OR(cleanup, spn_train_choose_scale(&chosen, &t, err));
        t.plan = &chosen;
    }
    SPN_TRY_OR(cleanup, train(&t, outcome, err));
    SPN_TRY_OR(cleanup, spn_trained_take(&t, err));
    if (run->steps == 0 && (run->product || run->model))
        SPN_TRY_OR(cleanup, finish_model(&t, err));
    if (run->steps == 0 && outcome->complete)
        SPN_TRY_OR(cleanup, measure(&t, err));
    status = add_results(out, &t, err);
cleanup:
    outcome->complete = outcome->complete && !t.measuring.stopped;
    if (run->model && !status) {
        *run->model = t.result->model;
        t.result->model = NULL;
    }
    spn_chain_found_clear(&t.chain);
    SPN_FREE_ALL(t.replicas.rows, t.folds.rows, t.flips.rows, t.profile.rows);
    spn_train_result_free(t.result);
    spn_sampler_free(t.ran.sampler);
    spn_chain_unsettle(&t.options, &t.plan->annealing);
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
