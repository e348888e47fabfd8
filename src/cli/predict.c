/* spinney predict: the classes of new samples. */
#include "base/text.h"
#include "cli/commands.h"
#include "cli/model.h"
#include "task/sample_settings.h"

#include <spinney/preprocess.h>
#include <stdio.h>
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

/* The predictions of one file. */
typedef struct batch {
    spn_dataset *data;
    uint32_t *predictions;
    double *probabilities; /* NULL: not wanted */
} batch;

typedef struct prediction {
    const cli_values *values;
    cli_model model;
    cli_pick pick;
    size_t count;
    batch *batches;
} prediction;

/* Samples for the model, preprocessed as it expects; labels are ignored. */
static int read_samples(spn_dataset **out, const prediction *p, const char *path)
{
    const spn_model *m = p->model.model;
    spn_sample_settings settings = {0};
    spn_error err = {0};
    cli_value(&settings.format, p->values, "format");
    cli_value(&settings.header, p->values, "header");
    cli_value(&settings.separator, p->values, "separator");
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

static int predict_file(batch *out, const prediction *p, const char *path)
{
    const size_t classes = spn_model_classes(p->model.model);
    const bool wanted = cli_flag(p->values, "probabilities");
    int status = read_samples(&out->data, p, path);
    if (status)
        return status;
    spn_dataset *data = out->data;
    out->predictions = calloc(spn_dataset_samples(data), sizeof *out->predictions);
    if (wanted)
        out->probabilities =
            calloc(spn_dataset_samples(data), classes * sizeof *out->probabilities);
    if (!out->predictions || (wanted && !out->probabilities)) {
        cli_error(p->values->command, "%s: out of memory", path);
        return CLI_FAILED;
    }
    /* labels in the file are ignored */
    spn_softmax_model model = spn_model_classifier(p->model.model, p->pick.weights);
    model.votes = p->pick.vote ? p->pick.count : 0;
    spn_softmax_details details = {.size = sizeof details,
                                   .ignore_labels = true,
                                   .predictions = out->predictions,
                                   .probabilities = out->probabilities};
    spn_softmax_scores scores;
    spn_error err = {0};
    if (!spn_softmax_evaluate(&scores, &model, data, &details, &err))
        return CLI_OK;
    cli_error(p->values->command, "%s: %s", path, err.text);
    return CLI_FAILED; /* whatever it is: the samples were read */
}

/* ---- output ---- */

static void print_batch(const prediction *p, const batch *b)
{
    const spn_model *m = p->model.model;
    for (size_t n = 0; n < spn_dataset_samples(b->data); n++) {
        const char *name = spn_model_class_names(m)[b->predictions[n]];
        if (!b->probabilities) {
            puts(name);
            continue;
        }
        spn_csv_put(stdout, name);
        for (uint32_t k = 0; k < spn_model_classes(m); k++)
            printf(",%.17g", b->probabilities[n * spn_model_classes(m) + k]);
        putchar('\n');
    }
}

static int print_text(const prediction *p)
{
    const spn_model *m = p->model.model;
    if (!cli_flag(p->values, "quiet"))
        fprintf(stderr, "spinney predict: %s\n", p->pick.name);
    if (cli_flag(p->values, "probabilities")) {
        fputs("label", stdout);
        for (uint32_t k = 0; k < spn_model_classes(m); k++) {
            putchar(',');
            spn_csv_put(stdout, spn_model_class_names(m)[k]);
        }
        putchar('\n');
    }
    for (size_t j = 0; j < p->count; j++)
        print_batch(p, &p->batches[j]);
    return cli_flush(p->values->command);
}

static void put_probabilities(spn_json *json, const batch *b, size_t classes)
{
    for (size_t n = 0; b->probabilities && n < spn_dataset_samples(b->data); n++) {
        spn_json_open(json, NULL, '[');
        for (size_t k = 0; k < classes; k++)
            spn_json_decimal(json, NULL, b->probabilities[n * classes + k]);
        spn_json_close(json, ']');
    }
}

static int print_json(const prediction *p)
{
    const spn_model *m = p->model.model;
    const char *const *names = spn_model_class_names(m);
    spn_error err = {0};
    spn_json json = SPN_JSON_PRINTED;
    if (spn_json_begin(&json, &err))
        return cli_fail(p->values, &err);
    spn_json_open(&json, NULL, '{');
    spn_json_open(&json, "labels", '[');
    for (size_t j = 0; j < p->count; j++)
        for (size_t n = 0; n < spn_dataset_samples(p->batches[j].data); n++)
            spn_json_any_text(&json, NULL, names[p->batches[j].predictions[n]]);
    spn_json_close(&json, ']');
    if (cli_flag(p->values, "probabilities")) {
        spn_json_open(&json, "probabilities", '[');
        for (size_t j = 0; j < p->count; j++)
            put_probabilities(&json, &p->batches[j], spn_model_classes(m));
        spn_json_close(&json, ']');
    }
    spn_json_open(&json, "classes", '[');
    for (uint32_t k = 0; k < spn_model_classes(m); k++)
        spn_json_any_text(&json, NULL, names[k]);
    spn_json_close(&json, ']');
    spn_json_text(&json, "replica", p->pick.key);
    spn_json_any_text(&json, "model", p->model.path);
    spn_json_close(&json, '}');
    return cli_print_json(p->values, &json);
}

/* Nothing is printed before every file is read: bad input gives no partial output. */
static int predict(prediction *p)
{
    char **files = p->values->arguments + 1;
    int status = cli_model_load(&p->model, p->values, p->values->arguments[0]);
    if (!status)
        status = cli_model_pick(&p->pick, &p->model, p->values, CLI_PICK_VOTE);
    if (status)
        return status;
    p->batches = calloc((size_t)p->values->argument_count, sizeof *p->batches);
    if (!p->batches)
        return cli_no_memory(p->values->command);
    p->count = (size_t)p->values->argument_count - 1;
    for (size_t j = 0; !status && j < p->count; j++)
        status = predict_file(&p->batches[j], p, files[j]);
    if (status)
        return status;
    return cli_flag(p->values, "json") ? print_json(p) : print_text(p);
}

int cli_predict(const cli_command *command, int argc, char **argv)
{
    int status;
    cli_values values;
    if (!cli_parse(&values, command, argc, argv, &status))
        return status;
    if (values.argument_count < 2)
        return cli_error(
            command, "give a model and one or more files of samples; see spinney predict --help");
    prediction p = {.values = &values};
    status = predict(&p);
    for (size_t j = 0; j < p.count; j++) {
        spn_dataset_free(p.batches[j].data);
        free(p.batches[j].predictions);
        free(p.batches[j].probabilities);
    }
    free(p.batches);
    cli_model_free(&p.model);
    return status;
}
