/* The manifest of a model. */
#include "task/train/manifest.h"

#include "base/memory.h"
#include "record/json_tree.h"

#include <inttypes.h>
#include <spinney/version.h>
#include <stdio.h>

static spn_status no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the manifest of a model");
}

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
    return *out ? SPN_OK : no_memory(err);
}

/* ---- JSON ---- */

static json_t *checksum_json(const spn_dataset *set)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, spn_dataset_checksum(set));
    return json_string(text);
}

/* All settings that determine the result, given or not. */
static json_t *settings_json(spn_json_tree *tree, const spn_job *job, const void *plan,
                             spn_error *err)
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
            spn_json_set(tree, object, walk.setting->name, spn_json_string(text));
    }
    spn_record_clear(&resolved);
    return object;
}

static json_t *data_json(spn_json_tree *tree, const spn_training *training, const spn_model *model)
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
        spn_json_set(tree, object, name, json_integer((json_int_t)spn_dataset_samples(set)));
        snprintf(name, sizeof name, "%s_checksum", set_name);
        spn_json_set(tree, object, name, checksum_json(set));
    }
    spn_json_set(tree, object, "classes", json_integer(spn_dataset_classes(train)));
    spn_json_set(tree, object, "features", json_integer((json_int_t)spn_model_features(model)));
    return object;
}

static json_t *score_json(spn_json_tree *tree, const spn_train_score *score)
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
        spn_json_set(tree, object, fields[k].name, spn_json_number(fields[k].value));
    return object;
}

static json_t *results_json(spn_json_tree *tree, const spn_train_result *result)
{
    json_t *object = json_object(), *replicas = json_array();
    for (size_t a = 0; a < result->replicas; a++)
        spn_json_append(tree, replicas, score_json(tree, result->replica[a]));
    spn_json_set(tree, object, "complete", json_boolean(result->stop != SPN_STOP_REQUEST));
    spn_json_set(tree, object, "stop", json_string(spn_stop_name(result->stop)));
    spn_json_set(tree, object, "steps", json_integer((json_int_t)result->steps));
    spn_json_set(tree, object, "best", json_integer((json_int_t)result->best + 1));
    spn_json_set(tree, object, "overlap", spn_json_number(result->overlap));
    spn_json_set(tree, object, "mean", score_json(tree, result->mean));
    spn_json_set(tree, object, "centre", score_json(tree, result->centre));
    if (result->vote)
        spn_json_set(tree, object, "vote", score_json(tree, result->vote));
    spn_json_set(tree, object, "replicas", replicas);
    return object;
}

spn_status spn_train_manifest(char **out, const spn_job *job, const void *plan,
                              const spn_training *training, const spn_train_result *result,
                              spn_error *err)
{
    const spn_dataset *train = spn_training_set(training, SPN_SET_TRAIN);
    spn_json_tree made = {0}, *tree = &made;
    json_t *root = json_object(), *settings = settings_json(tree, job, plan, err);
    spn_json_set(tree, root, "version", json_string(spn_version()));
    spn_json_set(tree, root, "instructions", json_string(spn_instruction_set()));
    spn_json_set(tree, root, "seed", json_integer((json_int_t)job->seed));
    spn_json_set(tree, root, "data_checksum", checksum_json(train));
    spn_json_set(tree, root, "settings", settings);
    spn_json_set(tree, root, "data", data_json(tree, training, result->model));
    spn_json_set(tree, root, "results", results_json(tree, result));
    *out = spn_json_dump(tree, root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    return *out ? SPN_OK : no_memory(err);
}
