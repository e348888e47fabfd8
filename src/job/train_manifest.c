/* The manifest of a model. */
#include "job/train_manifest.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <spinney/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_status no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the manifest of a model");
}

spn_status spn_train_content(char **out, const spn_training *training, spn_error *err)
{
    size_t size;
    FILE *stream = open_memstream(out, &size);
    if (!stream)
        return no_memory(err);
    for (int k = 0; spn_train_set_name((spn_train_set)k); k++) {
        const spn_dataset *set = spn_training_set(training, (spn_train_set)k);
        if (set)
            fprintf(stream, "%s_checksum \"%016" PRIx64 "\"\n",
                    spn_train_set_name((spn_train_set)k), spn_dataset_checksum(set));
    }
    if (fclose(stream) == 0)
        return SPN_OK;
    free(*out);
    *out = NULL;
    return no_memory(err);
}

/* ---- JSON ---- */

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *checksum_json(const spn_dataset *set)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, spn_dataset_checksum(set));
    return json_string(text);
}

/* A text; the name of a file need not be UTF-8, as JSON is. */
static json_t *text_json(const char *text)
{
    json_t *string = json_string(text);
    char *plain = string ? NULL : strdup(text);
    for (char *c = plain; c && *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
    string = plain ? json_string(plain) : string;
    free(plain);
    return string;
}

/* All settings that determine the result, given or not. */
static json_t *settings_json(const spn_job *job, const void *plan, spn_error *err)
{
    const unsigned others = SPN_SETTING_EFFORT | SPN_SETTING_MEASURE | SPN_SETTING_SEED;
    spn_record resolved = {0};
    json_t *object = json_object();
    spn_setting_walk walk = spn_setting_walk_start(job->task->settings);
    if (spn_job_resolve(&resolved, job, plan, err)) {
        json_decref(object);
        object = NULL;
    }
    while (object && spn_setting_walk_named(&walk)) {
        const char *given = spn_job_given(job, walk.setting->name);
        const char *text = given ? given : spn_record_setting(&resolved, walk.setting->name);
        if (text && !(walk.setting->flags & others))
            json_object_set_new(object, walk.setting->name, text_json(text));
    }
    spn_record_clear(&resolved);
    return object;
}

static json_t *data_json(const spn_training *training, const spn_model *model)
{
    const spn_dataset *train = spn_training_set(training, SPN_SET_TRAIN);
    json_t *object = json_object();
    for (int k = 0; spn_train_set_name((spn_train_set)k); k++) {
        const spn_dataset *set = spn_training_set(training, (spn_train_set)k);
        const char *set_name = spn_train_set_name((spn_train_set)k);
        char name[48];
        if (!set)
            continue;
        snprintf(name, sizeof name, "%s_samples", set_name);
        json_object_set_new(object, name, json_integer((json_int_t)spn_dataset_samples(set)));
        snprintf(name, sizeof name, "%s_checksum", set_name);
        json_object_set_new(object, name, checksum_json(set));
    }
    json_object_set_new(object, "classes", json_integer(spn_dataset_classes(train)));
    json_object_set_new(object, "features", json_integer((json_int_t)spn_model_features(model)));
    return object;
}

static json_t *score_json(const spn_train_score *score)
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
    json_t *object = json_object();
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        json_object_set_new(object, fields[k].name, real_or_null(fields[k].value));
    return object;
}

static json_t *results_json(const spn_train_result *result)
{
    json_t *object = json_object(), *replicas = json_array();
    for (size_t a = 0; a < result->replicas; a++)
        json_array_append_new(replicas, score_json(result->replica[a]));
    json_object_set_new(object, "complete", json_boolean(result->stop != SPN_STOP_REQUEST));
    json_object_set_new(object, "stop", json_string(spn_stop_name(result->stop)));
    json_object_set_new(object, "steps", json_integer((json_int_t)result->steps));
    json_object_set_new(object, "best", json_integer((json_int_t)result->best + 1));
    json_object_set_new(object, "overlap", real_or_null(result->overlap));
    json_object_set_new(object, "mean", score_json(result->mean));
    json_object_set_new(object, "centre", score_json(result->centre));
    if (result->vote)
        json_object_set_new(object, "vote", score_json(result->vote));
    json_object_set_new(object, "replicas", replicas);
    return object;
}

spn_status spn_train_manifest(char **out, const spn_job *job, const void *plan,
                              const spn_training *training, const spn_train_result *result,
                              spn_error *err)
{
    const spn_dataset *train = spn_training_set(training, SPN_SET_TRAIN);
    json_t *root = json_object(), *settings = settings_json(job, plan, err);
    json_object_set_new(root, "version", json_string(spn_version()));
    json_object_set_new(root, "instructions", json_string(spn_instruction_set()));
    json_object_set_new(root, "seed", json_integer((json_int_t)job->seed));
    json_object_set_new(root, "data_checksum", checksum_json(train));
    const bool whole = settings && json_object_set_new(root, "settings", settings) == 0 &&
                       json_object_set_new(root, "data", data_json(training, result->model)) == 0 &&
                       json_object_set_new(root, "results", results_json(result)) == 0;
    *out = whole ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    return *out ? SPN_OK : no_memory(err);
}
