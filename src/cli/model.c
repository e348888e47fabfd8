/* Models in the commands that use one. */
#include "cli/model.h"

#include <spinney/preprocess.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- loading ---- */

int cli_model_load(cli_model *out, const cli_values *values, const char *path)
{
    spn_error err = {0};
    *out = (cli_model){.path = path};
    if (spn_model_read(&out->model, path, &err))
        return cli_fail(values, &err);
    const spn_model *m = out->model;
    out->centre = malloc(spn_model_classes(m) * spn_model_features(m));
    if (!out->centre) {
        cli_error(values->command, "%s: out of memory", path);
        return CLI_FAILED;
    }
    spn_model_centre(m, out->centre);
    out->train_loss = spn_model_train_losses(m);
    for (size_t a = 1; out->train_loss && a < spn_model_replicas(m); a++)
        if (out->train_loss[a] < out->train_loss[out->best])
            out->best = a;
    return CLI_OK;
}

void cli_model_free(cli_model *model)
{
    spn_model_free(model->model);
    free(model->centre);
}

/* ---- choosing ---- */

static void pick_replica(cli_pick *out, const cli_model *model, size_t replica, bool as_best)
{
    const char *why = "";
    if (as_best && model->train_loss && spn_model_replicas(model->model) > 1)
        why = ", the best by its loss in training";
    else if (as_best && spn_model_replicas(model->model) > 1)
        why = ", as the model does not say which one was best in training";
    *out = (cli_pick){.weights = spn_model_replica(model->model, replica), .count = 1};
    snprintf(out->name, sizeof out->name, "replica %zu%s", replica + 1, why);
    snprintf(out->key, sizeof out->key, "replica %zu", replica + 1);
}

int cli_model_pick(cli_pick *out, const cli_model *model, const cli_values *values, bool all)
{
    const char *text = cli_text(values, "replica");
    uint64_t number;
    if (strcmp(text, "best") == 0) {
        pick_replica(out, model, model->best, true);
    } else if (strcmp(text, "centre") == 0) {
        *out = (cli_pick){model->centre, 1, "the centre, the majority of the replicas", "centre"};
    } else if (all && strcmp(text, "all") == 0) {
        *out = (cli_pick){spn_model_weights(model->model), spn_model_replicas(model->model),
                          "all replicas", "all"};
    } else if (strspn(text, "0123456789") != strlen(text) || !*text) {
        return cli_error(values->command, "--replica: '%s' is not best, centre, %sor a number",
                         text, all ? "all " : "");
    } else {
        if (!cli_whole(&number, values, "replica", 1, spn_model_replicas(model->model)))
            return CLI_USAGE;
        pick_replica(out, model, (size_t)number - 1, false);
    }
    return CLI_OK;
}

spn_softmax_model cli_model_classifier(const cli_model *model, const int8_t *weights)
{
    return spn_model_classifier(model->model, weights);
}

/* ---- samples ---- */

bool cli_is_known_data(const char *name)
{
    for (const char *const *known = spn_dataset_names(); *known; known++)
        if (strcmp(name, *known) == 0)
            return true;
    return false;
}

const char *const cli_formats[] = {"auto", "idx", "csv", "npy", "svmlight", NULL};
const char *const cli_label_places[] = {"last", "first", "none", NULL};
const char *const cli_headers[] = {"auto", "yes", "no", NULL};

void cli_read_options(spn_read_options *out, const cli_values *values)
{
    int format, place, header;
    cli_value(&format, values, "format");
    cli_value(&place, values, "label-column");
    cli_value(&header, values, "header");
    out->format = (spn_format)format;
    out->labels = (spn_label_place)place;
    out->header = (spn_header)header;
}

int cli_model_read(spn_dataset **out, const cli_model *model, const cli_values *values,
                   const char *path, const char *labels_path, bool labelled)
{
    const spn_model *m = model->model;
    spn_error err = {0};
    spn_read_options options = {.size = sizeof options,
                                .features = spn_model_features(m),
                                .single_class = true,
                                .labels_optional = !labelled};
    *out = NULL;
    cli_read_options(&options, values);
    if (labelled && options.labels == SPN_LABELS_NONE)
        return cli_error(values->command, "--label-column none: labels are needed here");
    if (labelled) {
        options.class_names = spn_model_class_names(m);
        options.classes = spn_model_classes(m);
    }
    if (spn_dataset_read(out, path, labels_path, &options, &err) ||
        spn_preprocess_apply(out, spn_model_preprocess(m), &err)) {
        spn_dataset_free(*out);
        *out = NULL;
        return cli_fail(values, &err);
    }
    return CLI_OK;
}

int cli_model_open(spn_dataset **out, const cli_model *model, const cli_values *values,
                   const char *name, bool train_part)
{
    const spn_model *m = model->model;
    spn_error err = {0};
    spn_dataset *train, *test;
    if (spn_dataset_open(&train, &test, name, &err))
        return cli_fail(values, &err);
    spn_dataset *data = train_part ? train : test;
    spn_dataset_free(train_part ? test : train);
    int status = CLI_OK;
    if (spn_dataset_features(data) != spn_model_features(m))
        status = cli_error(values->command, "%s: has %zu features, but the model %s has %zu", name,
                           spn_dataset_features(data), model->path, spn_model_features(m));
    else if (spn_dataset_relabel(data, spn_model_class_names(m), spn_model_classes(m), name,
                                 &err) ||
             spn_preprocess_apply(&data, spn_model_preprocess(m), &err))
        status = cli_fail(values, &err);
    if (status) {
        spn_dataset_free(data);
        data = NULL;
    }
    *out = data;
    return status;
}
