/* The manifest of a model. */
#include "task/train/manifest.h"

#include "base/json.h"
#include "base/try.h"

#include <inttypes.h>
#include <spinney/version.h>
#include <stdio.h>

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

/* ---- JSON ---- */

static void put_checksum(spn_json *json, const char *name, const spn_dataset *set)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, spn_dataset_checksum(set));
    spn_json_text(json, name, text);
}

/* All settings that determine the result, given or not. */
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
    const struct {
        const char *name;
        double value;
    } fields[] = {{"train_loss", score->train_loss},
                  {"train_accuracy", score->train_accuracy},
                  {"validation_loss", score->validation_loss},
                  {"validation_accuracy", score->validation_accuracy},
                  {"test_loss", score->test_loss},
                  {"test_accuracy", score->test_accuracy},
                  {"active", score->active},
                  {"train_balanced_accuracy", score->train_balanced_accuracy},
                  {"train_macro_f1", score->train_macro_f1},
                  {"validation_balanced_accuracy", score->validation_balanced_accuracy},
                  {"validation_macro_f1", score->validation_macro_f1},
                  {"test_balanced_accuracy", score->test_balanced_accuracy},
                  {"test_macro_f1", score->test_macro_f1}};
    spn_json_open(json, name, '{');
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        spn_json_decimal(json, fields[k].name, fields[k].value);
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

spn_status spn_train_manifest(char **out, const spn_job *job, const void *plan,
                              const spn_training *training, const spn_train_result *result,
                              spn_error *err)
{
    spn_json json = SPN_JSON_PRINTED;
    *out = NULL;
    SPN_TRY(spn_json_begin(&json, err));
    spn_json_open(&json, NULL, '{');
    spn_json_text(&json, "version", spn_version());
    spn_json_text(&json, "instructions", spn_instruction_set());
    spn_json_whole(&json, "seed", job->seed);
    put_checksum(&json, "data_checksum", spn_training_set(training, SPN_SET_TRAIN));
    const spn_status status = put_settings(&json, job, plan, err);
    if (status) {
        spn_json_drop(&json);
        return status;
    }
    put_data(&json, training, result->model);
    put_results(&json, result);
    spn_json_close(&json, '}');
    return spn_json_finish(out, NULL, &json, err);
}
