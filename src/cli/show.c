/* spinney show: weights of a model as pictures, or by the names of features; for a network also the
 * outputs. */
#include "base/number.h"
#include "cli/model.h"
#include "cli/table.h"
#include "cli/terminal.h"

#include <spinney/export.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const spn_setting cli_show_options[] = {
    SPN_HEADING("What"),
    CLI_TEXT("replica", "WHICH", "best",
             "which weights to draw; best (the replica of lowest training loss), centre (the "
             "majority of the replicas) or a number from 1"),
    CLI_TEXT("units", "n|a-b", NULL,
             "hidden units of a network to draw: the first n, or a to b (default: 12, or all with "
             "`png`)"),
    SPN_HEADING("Output"),
    CLI_FILE("png", "FILE", NULL, "draw into a PNG file"),
    CLI_WHOLE("scale", "n", "8", 1, 64, "pixels per weight of `png`"),
    CLI_OR_ELSE("width", "n", "the width of the terminal", 1, 10000, "width in characters"),
    CLI_FLAG("quiet", "do not describe the model"),
    {.name = NULL}};

const char cli_show_details[] =
    "Draws one picture per class: light if the weight is +1, dark if it is -1. Features that are "
    "not\n"
    "an image are drawn as a bar of cells, 64 per row. The features of a table with a header are\n"
    "listed by name instead, unless --width is given: the sums of their one-bit weights for each\n"
    "class, first those that tell classes apart most; features are scaled, so these compare.\n"
    "A network has one picture per hidden unit, and a table of the unit's weights to the classes; "
    "a\n"
    "PNG shows these below each unit, in the order of the classes. If a thermometer turns a pixel\n"
    "into several inputs, the pixel shows their mean.\n";

const char cli_show_examples[] =
    "  spinney show digits.spn\n"
    "  spinney show digits.spn --replica centre --png weights.png --scale 4\n"
    "  spinney show network.spn --units 1-30 --width 120\n";

enum { MOST_CLASSES = 24 }; /* that fit on a line */

static long sum_of(const int8_t *weights, size_t count)
{
    long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    return sum;
}

static const int8_t *outputs_of(const cli_model *d)
{
    const spn_model *m = d->model;
    return d->weights + spn_model_sites(m) - spn_model_classes(m) * spn_model_row(m);
}

/* Each bias is the sum of its weights. */
static void print_bias(const cli_model *d)
{
    const spn_model *m = d->model;
    const size_t row = spn_model_row(m), bias = spn_model_bias(m);
    if (bias == 0)
        return;
    printf("bias:");
    for (uint32_t k = 0; k < spn_model_classes(m); k++)
        printf("%s %s %+ld", k ? "," : "", spn_model_class_names(m)[k],
               sum_of(outputs_of(d) + (k + 1) * row - bias, bias));
    printf("\n\n");
}

static void print_head(const cli_model *d)
{
    const spn_model *m = d->model;
    const size_t replicas = spn_model_replicas(m), bits = spn_model_sites(m);
    const char *plural = replicas == 1 ? "" : "s";
    if (spn_model_hidden(m) == 0) {
        printf("%s: %u classes, %zu features, %zu replica%s; here %s\n\n", d->path,
               (unsigned)spn_model_classes(m), spn_model_features(m), replicas, plural, d->name);
        return;
    }
    const size_t inputs = spn_model_scaling(m)->features;
    printf("%s: network %zu-%zu-%u", d->path, inputs, spn_model_hidden(m),
           (unsigned)spn_model_classes(m));
    if (inputs != spn_model_features(m))
        printf(" of %zu features", spn_model_features(m));
    printf(", %zu replica%s of %zu bits (%zu bytes)", replicas, plural, bits, (bits + 7) / 8);
    if (replicas > 1)
        printf(", %zu bytes as a vote", (replicas * bits + 7) / 8);
    printf("; here %s\n\n", d->name);
}

/* A row for each drawn unit: + and - for each class, and its bias. */
static int print_outputs(const cli_model *d)
{
    const spn_model *m = d->model;
    const size_t row = spn_model_row(m), bias = spn_model_hidden_bias(m);
    const size_t unit = spn_model_scaling(m)->features + bias;
    if (spn_model_classes(m) > MOST_CLASSES) {
        printf("\nweights to %u classes: see spinney export --format text\n",
               (unsigned)spn_model_classes(m));
        return CLI_OK;
    }
    cli_table table = {0};
    char text[32];
    cli_table_head(&table, "unit", true);
    if (bias)
        cli_table_head(&table, "bias", true);
    for (uint32_t k = 0; k < spn_model_classes(m); k++)
        cli_table_head(&table, spn_model_class_names(m)[k], true);
    for (size_t j = d->first_unit; j < d->first_unit + d->units; j++) {
        snprintf(text, sizeof text, "%zu", j + 1);
        cli_table_text(&table, text);
        snprintf(text, sizeof text, "%+ld", sum_of(d->weights + (j + 1) * unit - bias, bias));
        if (bias)
            cli_table_text(&table, text);
        for (uint32_t k = 0; k < spn_model_classes(m); k++)
            cli_table_text(&table, outputs_of(d)[k * row + j] > 0 ? "+" : "-");
    }
    printf("\nweights of the units to the classes\n");
    return cli_table_print(&table) ? CLI_OK : CLI_FAILED;
}

/* Linear classifiers of a table with a header: by name. */
static bool has_names(const spn_model *m)
{
    return spn_model_columns(m) && spn_model_width(m) == 0 && spn_model_hidden(m) == 0 &&
           spn_model_classes(m) <= MOST_CLASSES &&
           spn_columns_feature_name(spn_model_columns(m), 0);
}

/* Sum of the weights that feature i has for class k. */
static long weight_of(const cli_model *d, uint32_t k, size_t i)
{
    const spn_encoding *e = spn_model_encoding(d->model);
    const int8_t *row = d->weights + k * spn_model_row(d->model);
    const size_t first = e ? e->start[i] : i, end = e ? e->start[i + 1] : i + 1;
    return sum_of(row + first, end - first);
}

typedef struct ranked {
    size_t feature;
    long spread; /* between the classes */
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *left = a, *right = b;
    if (left->spread != right->spread)
        return left->spread > right->spread ? -1 : 1;
    return left->feature < right->feature ? -1 : left->feature > right->feature;
}

static ranked rank(const cli_model *d, size_t feature)
{
    long least = weight_of(d, 0, feature), most = least;
    for (uint32_t k = 1; k < spn_model_classes(d->model); k++) {
        const long weight = weight_of(d, k, feature);
        least = weight < least ? weight : least;
        most = weight > most ? weight : most;
    }
    return (ranked){feature, most - least};
}

/* A row for each feature; first those whose classes differ most. */
static int print_features(const cli_model *d)
{
    const spn_model *m = d->model;
    const size_t features = spn_model_features(m);
    cli_table table = {0};
    char text[32];
    ranked *order = malloc(features * sizeof *order);
    if (!order)
        return CLI_FAILED;
    for (size_t i = 0; i < features; i++)
        order[i] = rank(d, i);
    qsort(order, features, sizeof *order, compare_ranked);
    cli_table_head(&table, "feature", false);
    for (uint32_t k = 0; k < spn_model_classes(m); k++)
        cli_table_head(&table, spn_model_class_names(m)[k], true);
    for (size_t r = 0; r < features; r++) {
        const char *name = spn_columns_feature_name(spn_model_columns(m), order[r].feature);
        cli_table_text(&table, name ? name : "");
        for (uint32_t k = 0; k < spn_model_classes(m); k++) {
            snprintf(text, sizeof text, "%+ld", weight_of(d, k, order[r].feature));
            cli_table_text(&table, text);
        }
    }
    free(order);
    return cli_table_print(&table) ? CLI_OK : CLI_FAILED;
}

static int print_text(const cli_model *d, const cli_values *values)
{
    uint64_t width = cli_terminal_width(STDOUT_FILENO, 0, SIZE_MAX);
    const bool terminal = isatty(STDOUT_FILENO), quiet = cli_flag(values, "quiet");
    const spn_model *m = d->model;
    cli_value(&width, values, "width");
    spn_error err = {0};
    char *text;
    if (has_names(m) && !cli_given(values, "width")) {
        if (!quiet) {
            print_head(d);
            print_bias(d);
        }
        return print_features(d) ? cli_no_memory(values->command) : cli_flush(values->command);
    }
    if (spn_units_text(&text, m, d->weights, d->first_unit, d->units, (size_t)width, terminal,
                       &err))
        return err.status == SPN_ERROR_MEMORY
                   ? cli_fail(values, &err)
                   : cli_error(values->command, "%s; give a larger --width, or --png FILE",
                               err.text);
    if (!quiet)
        print_head(d);
    if (!quiet)
        print_bias(d);
    fputs(text, stdout);
    free(text);
    if (spn_model_hidden(m) && !quiet && print_outputs(d))
        return cli_no_memory(values->command);
    if (!quiet && d->units < spn_model_hidden(m))
        printf("units %zu to %zu of %zu; --units draws others\n", d->first_unit + 1,
               d->first_unit + d->units, spn_model_hidden(m));
    return cli_flush(values->command);
}

static int write_png(const cli_model *d, const cli_values *values)
{
    const char *path = cli_text(values, "png");
    uint64_t scale;
    spn_error err = {0};
    cli_value(&scale, values, "scale");
    if (spn_units_png(d->model, d->weights, d->first_unit, d->units, (size_t)scale, path, &err))
        return cli_fail(values, &err);
    return CLI_OK;
}

/* The units of --units, or as many as fit a screen. */
static int pick_units(cli_model *out, const cli_values *values)
{
    enum { FEW = 12 };
    const size_t hidden = spn_model_hidden(out->model);
    const char *text = cli_text(values, "units");
    char from[32];
    uint64_t first = 1, last = 0;
    out->units = hidden > FEW && !cli_given(values, "png") ? FEW : hidden;
    if (!cli_given(values, "units"))
        return CLI_OK;
    if (hidden == 0)
        return cli_error(values->command,
                         "--units: %s is a linear classifier, without hidden units", out->path);
    const char *dash = strchr(text, '-');
    snprintf(from, sizeof from, "%.*s", dash ? (int)(dash - text) : 0, text);
    if ((dash && !spn_whole_parse(&first, from)) ||
        !spn_whole_parse(&last, dash ? dash + 1 : text) || first < 1 || last < first ||
        last > hidden)
        return cli_error(values->command,
                         "--units: '%s' is not a number of units, 1 to %zu, or two such as 1-%zu",
                         text, hidden, hidden);
    out->first_unit = (size_t)first - 1;
    out->units = (size_t)(last - first + 1);
    return CLI_OK;
}

static int show(cli_model *model, const cli_values *values)
{
    if (cli_given(values, "scale") && !cli_given(values, "png"))
        return cli_error(values->command, "--scale needs --png FILE");
    if (cli_given(values, "width") && cli_given(values, "png"))
        return cli_error(values->command, "--width is for the terminal; --png takes --scale");
    int status = cli_model_open(model, values, 0);
    if (!status)
        status = cli_model_unpack(model, values);
    if (!status)
        status = pick_units(model, values);
    if (status)
        return status;
    return cli_given(values, "png") ? write_png(model, values) : print_text(model, values);
}

int cli_show(const cli_values *values)
{
    cli_model model = {0};
    const int status = show(&model, values);
    cli_model_free(&model);
    return status;
}
