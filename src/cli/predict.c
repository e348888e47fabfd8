/* spinney predict: classify new samples. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/model.h"
#include "task/sample_settings.h"

#include <stdlib.h>

const spn_setting cli_predict_options[] = {
    SPN_HEADING("Model"),
    CLI_TEXT(
        "replica", "WHICH", "best",
        "which weights to use; best (the replica of lowest training loss), centre (the majority of "
        "the replicas), vote (network: the sum of the replicas' logits) or a number from 1"),
    SPN_HEADING("Samples"),
    {.group = spn_sample_rows},
    SPN_HEADING("Output"),
    CLI_FLAG("probabilities", "print a CSV with the class and the probability of each class"),
    CLI_FLAG("json", "print one JSON object, and nothing else, on stdout"),
    CLI_FLAG("quiet", "do not say which weights are used"),
    {.name = NULL}};

const char cli_predict_details[] =
    "Prints the class of each sample, one per line, file by file; - is the standard input. Labels "
    "in\n"
    "the files are ignored. CSV columns are matched by the names in the header that the model was\n"
    "trained with, in any order. Without a header they must come in the order of training: one "
    "column\n"
    "per feature, or one more for the label (see --label-column). If several classes have the "
    "same\n"
    "logit, the first one is printed.\n";

const char cli_predict_examples[] =
    "  spinney predict digits.spn new.csv\n"
    "  spinney predict digits.spn --probabilities --replica centre - < new.csv\n"
    "  spinney predict digits.spn new.csv --json\n";

typedef struct prediction {
    const cli_values *values;
    cli_model model;
    size_t samples; /* of all files, one after the other */
    uint32_t *classes;
    double *probabilities; /* NULL: not wanted */
} prediction;

/* Samples, preprocessed as the model expects; labels are ignored. */
static int read_samples(spn_dataset **out, const prediction *p, const char *path)
{
    const spn_model *m = p->model.model;
    spn_sample_settings settings = {0};
    spn_error err = {0};
    cli_value(&settings.format, p->values, "format");
    cli_value(&settings.header, p->values, "header");
    cli_value(&settings.separator, p->values, "separator");
    cli_value(&settings.decimal, p->values, "decimal");
    cli_value(&settings.missing, p->values, "missing");
    settings.label_column = cli_text(p->values, "label-column");
    spn_read_options options = spn_sample_settings_options(&settings);
    options.features = spn_model_features(m);
    options.columns = spn_model_columns(m);
    options.part = SPN_DATA_TEST;
    options.single_class = options.labels_optional = true;
    *out = NULL;
    if (spn_dataset_read(out, path, NULL, &options, &err) || spn_model_prepare(out, m, &err)) {
        spn_dataset_free(*out);
        *out = NULL;
        return cli_fail(p->values, &err);
    }
    return CLI_OK;
}

static bool make_room(prediction *p, size_t more)
{
    const size_t count = p->samples + more, classes = spn_model_classes(p->model.model);
    uint32_t *grown = realloc(p->classes, count * sizeof *grown);
    if (grown)
        p->classes = grown;
    if (!grown || !cli_flag(p->values, "probabilities"))
        return grown != NULL;
    double *wider = realloc(p->probabilities, count * classes * sizeof *wider);
    if (wider)
        p->probabilities = wider;
    return wider != NULL;
}

static int predict_file(prediction *p, const char *path)
{
    spn_dataset *data = NULL;
    spn_error err = {0};
    const int status = read_samples(&data, p, path);
    if (status)
        return status;
    const size_t count = spn_dataset_samples(data), classes = spn_model_classes(p->model.model);
    spn_status failed = SPN_ERROR_MEMORY;
    if (make_room(p, count)) {
        double *probabilities = p->probabilities;
        const cli_model *m = &p->model;
        const spn_softmax_model model = m->weights
                                            ? spn_model_classifier(m->model, m->weights)
                                            : spn_model_replica(m->model, m->first, m->count);
        spn_softmax_details details = {
            .size = sizeof details,
            .ignore_labels = true,
            .predictions = p->classes + p->samples,
            .probabilities = probabilities ? probabilities + p->samples * classes : NULL};
        spn_softmax_scores scores;
        failed = spn_softmax_evaluate(&scores, &model, data, &details, &err);
    }
    spn_dataset_free(data);
    p->samples += count;
    if (!failed)
        return CLI_OK;
    cli_error(p->values->command, "%s: %s", path, *err.text ? err.text : "out of memory");
    return CLI_FAILED; /* whatever it is: the samples were read */
}

static int print_text(const prediction *p)
{
    const size_t classes = spn_model_classes(p->model.model);
    const char *const *names = spn_model_class_names(p->model.model);
    if (!cli_flag(p->values, "quiet"))
        fprintf(stderr, "spinney predict: %s\n", p->model.name);
    if (cli_flag(p->values, "probabilities")) {
        fputs("label", stdout);
        for (size_t k = 0; k < classes; k++) {
            putchar(',');
            spn_csv_put(stdout, names[k]);
        }
        putchar('\n');
    }
    for (size_t n = 0; n < p->samples; n++) {
        if (!p->probabilities) {
            puts(names[p->classes[n]]);
            continue;
        }
        spn_csv_put(stdout, names[p->classes[n]]);
        for (size_t k = 0; k < classes; k++)
            printf(",%.17g", p->probabilities[n * classes + k]);
        putchar('\n');
    }
    return cli_flush(p->values->command);
}

static int print_json(const prediction *p)
{
    const size_t classes = spn_model_classes(p->model.model);
    const char *const *names = spn_model_class_names(p->model.model);
    spn_error err = {0};
    spn_json json = SPN_JSON_PRINTED;
    if (spn_json_begin(&json, &err))
        return cli_fail(p->values, &err);
    spn_json_open(&json, NULL, '{');
    spn_json_open(&json, "labels", '[');
    for (size_t n = 0; n < p->samples; n++)
        spn_json_any_text(&json, NULL, names[p->classes[n]]);
    spn_json_close(&json, ']');
    if (cli_flag(p->values, "probabilities")) {
        spn_json_open(&json, "probabilities", '[');
        for (size_t n = 0; p->probabilities && n < p->samples; n++) {
            spn_json_open(&json, NULL, '[');
            for (size_t k = 0; k < classes; k++)
                spn_json_decimal(&json, NULL, p->probabilities[n * classes + k]);
            spn_json_close(&json, ']');
        }
        spn_json_close(&json, ']');
    }
    spn_json_open(&json, "classes", '[');
    for (size_t k = 0; k < classes; k++)
        spn_json_any_text(&json, NULL, names[k]);
    spn_json_close(&json, ']');
    spn_json_text(&json, "replica", p->model.key);
    spn_json_any_text(&json, "model", p->model.path);
    spn_json_close(&json, '}');
    return cli_print_json(p->values, &json);
}

/* Nothing is printed before every file is read, so bad input gives no partial output. */
static int predict(prediction *p)
{
    int status = cli_model_open(&p->model, p->values, CLI_PICK_VOTE);
    for (int j = 1; !status && j < p->values->argument_count; j++)
        status = predict_file(p, p->values->arguments[j]);
    if (status)
        return status;
    return cli_flag(p->values, "json") ? print_json(p) : print_text(p);
}

int cli_predict(const cli_values *values)
{
    prediction p = {.values = values};
    if (values->argument_count < 2)
        return cli_error(
            values->command,
            "give a model and one or more files of samples; see spinney predict --help");
    const int status = predict(&p);
    SPN_FREE_ALL(p.classes, p.probabilities);
    cli_model_free(&p.model);
    return status;
}
