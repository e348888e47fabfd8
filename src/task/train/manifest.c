#include "base/json.h"
#include "base/try.h"
#include "task/train/plan.h"

#include <inttypes.h>
#include <spinney/version.h>
#include <string.h>

spn_status spn_train_content(char **out, const spn_training *training, spn_error *err)
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

spn_status spn_train_manifest(char **out, const spn_trained *t, spn_error *err)
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
