/* The task `train`: a classifier, its scores, and its curves. */
#include "old/training_inside.h"
#include "old/measure.h"
#include "old/train_plan.h"
#include "old/value_list.h"
#include "record/recorder.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const xpn_setting settings[] = {{"data", XPN_SETTING_FILE},
                                       {"labels", XPN_SETTING_FILE},
                                       {"test", XPN_SETTING_FILE},
                                       {"test-labels", XPN_SETTING_FILE},
                                       {"test-fraction", XPN_SETTING_NUMBER},
                                       {"validation", XPN_SETTING_NUMBER},
                                       {"subset", XPN_SETTING_NUMBER},
                                       {"split-seed", XPN_SETTING_NUMBER},
                                       {"format", XPN_SETTING_TEXT},
                                       {"label-column", XPN_SETTING_TEXT},
                                       {"header", XPN_SETTING_TEXT},
                                       {"scaling", XPN_SETTING_LIST},
                                       {"preset", XPN_SETTING_TEXT},
                                       XPN_CHAIN_SETTINGS,
                                       {"logit-scale", XPN_SETTING_TEXT},
                                       {NULL, XPN_SETTING_TEXT}};

/* The parts of a score, in the order of records; each comes as it is, of the centre as centre_...
   and of the best replica as best_... */
static const struct {
    const char *name;
    size_t offset;
} scores[] = {{"train_loss", offsetof(xpn_train_score, train_loss)},
              {"train_accuracy", offsetof(xpn_train_score, train_accuracy)},
              {"validation_loss", offsetof(xpn_train_score, validation_loss)},
              {"validation_accuracy", offsetof(xpn_train_score, validation_accuracy)},
              {"test_loss", offsetof(xpn_train_score, test_loss)},
              {"test_accuracy", offsetof(xpn_train_score, test_accuracy)},
              {"active", offsetof(xpn_train_score, active)}};

static const char *const results[] = {
    "train_loss",
    "train_accuracy",
    "validation_loss",
    "validation_accuracy",
    "test_loss",
    "test_accuracy",
    "active",
    "centre_train_loss",
    "centre_train_accuracy",
    "centre_validation_loss",
    "centre_validation_accuracy",
    "centre_test_loss",
    "centre_test_accuracy",
    "best_train_loss",
    "best_train_accuracy",
    "best_validation_loss",
    "best_validation_accuracy",
    "best_test_loss",
    "best_test_accuracy",
    "best_active",
    "overlap",
    NULL,
};

static spn_status check(xpn_values *values, const spn_measures *measures, xpn_task_store *store,
                        spn_error *err)
{
    spn_train_plan p;
    xpn_train_data data;
    spn_status status = spn_train_plan_make(&p, values, err);
    if (!status)
        status = spn_train_plan_data(&data, &p, store, err);
    if (!status)
        status = spn_train_plan_check(&p, &data, err);
    if (!status)
        status = xpn_measures_check(&p.values, measures, p.options.chain.replicas, err);
    values->fault = p.values.fault;
    xpn_train_options_clear(&p.options);
    return status;
}

static spn_status add_defaults(spn_record *out, const xpn_values *values, spn_error *err)
{
    spn_train_plan p;
    spn_status status = spn_train_plan_make(&p, values, err);
    if (!status)
        status = spn_train_plan_defaults(out, &p, err);
    xpn_train_options_clear(&p.options);
    return status;
}

static bool any_known(const xpn_value_list *data)
{
    for (size_t k = 0; k < data->count; k++)
        if (xpn_data_is_known(xpn_value_at(data, k)))
            return true;
    return false;
}

/* Data sets that are known by name have a test part; of others it has to be given or drawn. */
static const char *lacks(const spn_sweep *sweep, const char *result)
{
    const xpn_value_list data = xpn_values_or_default(sweep, "data");
    if (strstr(result, "validation_") && xpn_values_in(sweep, "validation").count == 0)
        return "a validation part; give validation, such as validation: 0.1, under settings";
    if (strstr(result, "test_") && data.count > 0 && !any_known(&data) &&
        xpn_values_in(sweep, "test").count == 0 && xpn_values_in(sweep, "test-fraction").count == 0)
        return "a test part; give test, a file, or test-fraction, such as test-fraction: 0.2, "
               "under settings";
    return NULL;
}

static xpn_work work(const xpn_job *job, uint64_t steps)
{
    spn_train_plan p;
    const xpn_values values = xpn_job_values(job);
    xpn_work out = {0};
    if (!spn_train_plan_make(&p, &values, NULL))
        out = spn_train_plan_work(&p, &job->sweep->measures, steps);
    xpn_train_options_clear(&p.options);
    return out;
}

/* ---- the run ---- */

/* One run under way. */
typedef struct run_state {
    const xpn_job *job;
    const xpn_task_run *run;
    spn_train_plan plan;
    xpn_train_data data;
    xpn_work work;
    xpn_share share;
    spn_recorder recorder;
    bool traced;
    xpn_train_result result;
} run_state;

static spn_status observe(void *context, const spn_snapshot *snapshot, spn_error *err)
{
    run_state *r = context;
    const uint64_t steps = r->plan.options.chain.steps;
    xpn_share_show(&r->share, r->work.anneal, (double)snapshot->step / (double)steps);
    if (!r->traced)
        return SPN_OK;
    return spn_recorder_add(&r->recorder, snapshot, snapshot->step == steps, err);
}

static spn_status train(run_state *r, spn_error *err)
{
    enum { LOOKS = 1024 }; /* steps between the looks at progress */
    const xpn_task_run *run = r->run;
    xpn_train_options *o = &r->plan.options;
    if (run->steps)
        o->chain.steps = run->steps;
    o->chain.seed = r->job->seed;
    o->chain.stop = run->stop;
    o->chain.observer = observe;
    o->chain.observer_context = r;
    o->chain.observe_every = LOOKS;
    o->checkpoint = run->checkpoint;
    o->checkpoint_every = 1; /* step: the time decides */
    r->traced = r->job->sweep->measures.traces && run->folder && !run->steps;
    spn_keeper keeper = spn_recorder_keeper(&r->recorder);
    if (r->traced) {
        r->recorder = spn_recorder_make(o->chain.replicas, o->chain.steps);
        if (r->recorder.every < LOOKS)
            o->chain.observe_every = r->recorder.every;
    }
    const xpn_train_extras extras = {.keeper = r->traced ? &keeper : NULL,
                                     .pause = run->save_seconds};
    return xpn_train_run_with(&r->result, o, &r->data, &extras, err);
}

static spn_status add_score(spn_record *out, const char *prefix, const xpn_train_score *score,
                            spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sizeof scores / sizeof *scores && !status; k++) {
        char name[64];
        double value;
        memcpy(&value, (const char *)score + scores[k].offset, sizeof value);
        snprintf(name, sizeof name, "%s%s", prefix, scores[k].name);
        if (!isnan(value))
            status = spn_record_add_result(out, name, value, err);
    }
    return status;
}

static spn_status add_results(spn_record *out, const xpn_train_result *result, spn_error *err)
{
    spn_status status = add_score(out, "", &result->mean, err);
    if (!status)
        status = add_score(out, "centre_", &result->centre, err);
    if (!status)
        status = add_score(out, "best_", &result->replica[result->best], err);
    return status ? status : spn_record_add_result(out, "overlap", result->overlap, err);
}

/* The curves; what they need of the data is made again, which costs little beside them. */
static spn_status measure(spn_record *out, bool *stopped, run_state *r, spn_error *err)
{
    const spn_measures *measures = &r->job->sweep->measures;
    const spn_model *model = r->result.model;
    xpn_measuring m = {.job = r->job, .run = r->run, .share = &r->share, .work = &r->work};
    if (measures->flips_count == 0 && measures->profile_walks == 0)
        return SPN_OK;
    xpn_train_parts parts;
    spn_energy *energy = NULL;
    spn_status status = xpn_train_parts_make(&parts, &r->plan.options, &r->data, err);
    if (status)
        return status;
    const spn_softmax_model classifier = spn_model_classifier(model, model->weights);
    const spn_dataset *tested = parts.test ? parts.test : parts.train;
    const spn_flip_classifier softmax = {classifier, tested};
    const spn_flip_target target = spn_flip_target_of(&softmax, model->replicas);
    status = xpn_measure_flips(out, &m, &target, err);
    if (!status && !m.stopped && measures->profile_walks)
        status = spn_softmax_create(&energy, parts.train, parts.scaling, parts.logit_scale, err);
    if (!status && !m.stopped)
        status = xpn_measure_profile(out, &m, energy, model->weights, model->replicas, err);
    *stopped = m.stopped;
    spn_energy_free(energy);
    xpn_train_parts_clear(&parts);
    return status;
}

static spn_status keep_files(run_state *r, spn_error *err)
{
    const spn_measures *measures = &r->job->sweep->measures;
    const char *folder = r->run->folder;
    char *path = NULL;
    spn_status status = SPN_OK;
    if (measures->models && folder) {
        status = xpn_job_file(&path, r->job, folder, "models", "spn", err);
        if (!status)
            status = spn_model_write(r->result.model, path, err);
        free(path);
        path = NULL;
    }
    if (!status && r->traced) {
        status = xpn_job_file(&path, r->job, folder, "traces", "csv", err);
        if (!status)
            status = spn_recorder_write(&r->recorder, path, err);
        free(path);
    }
    return status;
}

static spn_status train_and_measure(spn_record *out, bool *complete, run_state *r, spn_error *err)
{
    const bool whole = r->run->steps == 0;
    bool stopped = false;
    spn_status status = spn_train_plan_make(&r->plan, &r->plan.values, err);
    if (!status)
        status = spn_train_plan_data(&r->data, &r->plan, r->run->store, err);
    if (status)
        return status;
    r->work = spn_train_plan_work(&r->plan, &r->job->sweep->measures, r->run->steps);
    r->share = xpn_share_start(r->run, &r->work);
    status = train(r, err);
    if (status || r->result.stop == SPN_STOP_REQUEST)
        return status;
    xpn_share_pass(&r->share, r->work.anneal);
    status = add_results(out, &r->result, err);
    if (!status && whole)
        status = measure(out, &stopped, r, err);
    if (!status && whole && !stopped)
        status = keep_files(r, err);
    *complete = !status && !stopped;
    return status;
}

static spn_status run_train(spn_record *out, bool *complete, const xpn_job *job,
                            const xpn_task_run *run, spn_error *err)
{
    run_state r = {.job = job, .run = run, .plan = {.values = xpn_job_values(job)}};
    spn_status status = train_and_measure(out, complete, &r, err);
    xpn_train_result_clear(&r.result);
    spn_recorder_clear(&r.recorder);
    xpn_train_options_clear(&r.plan.options);
    return status;
}

const xpn_task xpn_task_train = {.name = "train",
                                 .settings = settings,
                                 .results = results,
                                 .flips = true,
                                 .profile = true,
                                 .models = true,
                                 .traces = true,
                                 .check = check,
                                 .defaults = add_defaults,
                                 .lacks = lacks,
                                 .work = work,
                                 .run = run_train};
