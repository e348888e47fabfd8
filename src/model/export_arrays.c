/* Exports of bare weights: arrays of NumPy, and text. */
#include "model/export.h"

#include "base/file.h"
#include "base/number.h"
#include "base/try.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The weights of several classifiers: `rows` of `row` each, from a place in each of them on. */
typedef struct table {
    const int8_t *weights;
    size_t count, stride; /* classifiers, and from one to the next */
    size_t rows, row;
} table;

static table hidden_table(const spn_model *model, const int8_t *weights, size_t count)
{
    return (table){weights, count, spn_model_sites(model), model->hidden,
                   model->scaling->features + model->hidden_bias};
}

/* Of a linear classifier, all that it has. */
static table class_table(const spn_model *model, const int8_t *weights, size_t count)
{
    const table hidden = hidden_table(model, weights, count);
    return (table){weights + hidden.rows * hidden.row, count, hidden.stride, model->classes,
                   spn_model_row(model)};
}

/* ---- NPY ---- */

static void write_npy(FILE *stream, const table *t)
{
    char shape[80], header[192];
    if (t->count == 1)
        snprintf(shape, sizeof shape, "(%zu, %zu)", t->rows, t->row);
    else
        snprintf(shape, sizeof shape, "(%zu, %zu, %zu)", t->count, t->rows, t->row);
    /* magic, version 1.0, the size of the header; it ends in a newline at a multiple of 64 */
    enum { PREFIX = 10 };
    int used = snprintf(header, sizeof header,
                        "{'descr': '|i1', 'fortran_order': False, 'shape': %s, }", shape);
    size_t size = ((size_t)used + 1 + PREFIX + 63) / 64 * 64 - PREFIX;
    fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
    fputc((int)(size & 255), stream);
    fputc((int)(size >> 8), stream);
    fprintf(stream, "%-*s\n", (int)size - 1, header);
    for (size_t a = 0; a < t->count; a++)
        fwrite(t->weights + a * t->stride, 1, t->rows * t->row, stream);
}

/* Lines "feature,threshold", in the order of the inputs. */
static void write_thresholds(FILE *stream, const spn_model *model, const char *prefix)
{
    const size_t *start = model->encoding->start;
    for (size_t i = 0; i < model->features; i++)
        for (size_t j = start[i]; j < start[i + 1]; j++)
            spn_print(stream, "%s%zu,%.17g\n", prefix, i, model->encoding->thresholds[j]);
}

/* A file beside PATH: its name is PATH and the ending. */
static spn_status create_beside(spn_file **out, const char *path, const char *ending,
                                spn_error *err)
{
    char *name = NULL;
    *out = NULL;
    if (asprintf(&name, "%s.%s", path, ending) < 0)
        return spn_no_memory(err, "an export");
    const spn_status status = spn_file_create(out, name, err);
    free(name);
    return status;
}

spn_status spn_export_npy(FILE *stream, const spn_model *model, const int8_t *weights, size_t count,
                          const char *path, spn_error *err)
{
    const table hidden = hidden_table(model, weights, count);
    const table classes = class_table(model, weights, count);
    spn_status status = SPN_OK;
    spn_file *file;
    if (model->hidden && strcmp(path, "-") == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a network is two files of NPY: give a name in place of -");
    write_npy(stream, model->hidden ? &hidden : &classes);
    if (model->hidden) {
        if ((status = create_beside(&file, path, "outputs.npy", err)))
            return status;
        write_npy(spn_file_stream(file), &classes);
        status = spn_file_commit(file, err);
    }
    if (!status && spn_export_thermometer(model)) {
        if ((status = create_beside(&file, path, "thresholds.csv", err)))
            return status;
        fprintf(spn_file_stream(file), "feature,threshold\n");
        write_thresholds(spn_file_stream(file), model, "");
        status = spn_file_commit(file, err);
    }
    return status;
}

/* ---- text ---- */

static void write_name(FILE *stream, const char *name)
{
    for (const char *c = name; *c; c++)
        fputc(iscntrl((unsigned char)*c) ? '?' : *c, stream);
}

/* What the inputs are, and which weights are on them. */
static void write_notes(FILE *stream, const spn_model *model)
{
    const char *high = model->hidden ? "1" : "+1";
    if (model->encoding && !spn_export_thermometer(model))
        fprintf(stream, "# each feature has %zu weights, side by side\n", model->encoding->copies);
    if (spn_export_thermometer(model)) {
        fprintf(stream, "# inputs are %s where a feature is above a threshold: feature,threshold\n",
                high);
        write_thresholds(stream, model, "# ");
    }
    if (model->hidden && spn_export_binary(model))
        spn_print(stream, "# inputs are 1 where a feature is above %.17g, else 0\n",
                  model->preprocess.threshold);
    if (model->hidden)
        fprintf(stream, "# hidden units are +1 where their sum is 0 or more, else -1\n");
    if (model->hidden_bias)
        fprintf(stream, "# the last %zu weights of a hidden unit are its bias\n",
                model->hidden_bias);
    if (model->bias)
        fprintf(stream, "# the last %zu weights of a %s are its bias\n", model->bias,
                model->hidden ? "class" : "row");
}

static void write_row(FILE *stream, const int8_t *weights, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fputc(weights[i] > 0 ? '+' : '-', stream);
    fputc('\n', stream);
}

/* The rows of classifier a; names NULL: they are hidden units. */
static void write_rows(FILE *stream, const table *t, size_t a, char *const *names)
{
    for (size_t j = 0; j < t->rows; j++) {
        fprintf(stream, "# ");
        if (t->count > 1)
            fprintf(stream, "replica %zu, ", a + 1);
        if (names) {
            fprintf(stream, "class ");
            write_name(stream, names[j]);
        } else {
            fprintf(stream, "unit %zu", j + 1);
        }
        fputc('\n', stream);
        write_row(stream, t->weights + a * t->stride + j * t->row, t->row);
    }
}

void spn_export_text(FILE *stream, const spn_model *model, const int8_t *weights, size_t count)
{
    const table hidden = hidden_table(model, weights, count);
    const table classes = class_table(model, weights, count);
    write_notes(stream, model);
    for (size_t a = 0; a < count; a++) {
        write_rows(stream, &hidden, a, NULL);
        write_rows(stream, &classes, a, model->class_names);
    }
}
