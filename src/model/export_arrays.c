/* Export bare weights as NumPy arrays and as text. */
#include "model/export.h"

#include "base/file.h"
#include "base/number.h"
#include "base/try.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Rows of weights of hidden units or of classes of the first classifier, with their number and
   length. The next classifier is spn_model_sites further. */
static const int8_t *rows_of(size_t *rows, size_t *row, const spn_model *model,
                             const int8_t *weights, bool units)
{
    const size_t unit = model->scaling->features + model->hidden_bias;
    *rows = units ? model->hidden : model->classes;
    *row = units ? unit : spn_model_row(model);
    return units ? weights : weights + model->hidden * unit;
}

static void write_npy(FILE *stream, const spn_model *model, const int8_t *weights, size_t count,
                      bool units)
{
    size_t rows, row;
    const int8_t *first = rows_of(&rows, &row, model, weights, units);
    char shape[80], header[192];
    if (count == 1)
        snprintf(shape, sizeof shape, "(%zu, %zu)", rows, row);
    else
        snprintf(shape, sizeof shape, "(%zu, %zu, %zu)", count, rows, row);
    /* magic, version 1.0, header size; the header ends in a newline at a multiple of 64 */
    enum { PREFIX = 10 };
    int used = snprintf(header, sizeof header,
                        "{'descr': '|i1', 'fortran_order': False, 'shape': %s, }", shape);
    size_t size = ((size_t)used + 1 + PREFIX + 63) / 64 * 64 - PREFIX;
    fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
    fputc((int)(size & 255), stream);
    fputc((int)(size >> 8), stream);
    fprintf(stream, "%-*s\n", (int)size - 1, header);
    for (size_t a = 0; a < count; a++)
        fwrite(first + a * spn_model_sites(model), 1, rows * row, stream);
}

/* Lines "feature,threshold", in the order of the inputs. */
static void write_thresholds(FILE *stream, const spn_model *model, const char *prefix)
{
    const size_t *start = model->encoding->start;
    for (size_t i = 0; i < model->features; i++)
        for (size_t j = start[i]; j < start[i + 1]; j++)
            spn_print(stream, "%s%zu,%.17g\n", prefix, i, model->encoding->thresholds[j]);
}

/* PATH plus an ending. */
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
    spn_file *file;
    if (model->hidden && strcmp(path, "-") == 0)
        return spn_refuse(err, "a network is two files of NPY: give a name in place of -");
    write_npy(stream, model, weights, count, model->hidden > 0);
    if (model->hidden) {
        SPN_TRY(create_beside(&file, path, "outputs.npy", err));
        write_npy(spn_file_stream(file), model, weights, count, false);
        SPN_TRY(spn_file_commit(file, err));
    }
    if (!spn_export_thermometer(model))
        return SPN_OK;
    SPN_TRY(create_beside(&file, path, "thresholds.csv", err));
    fprintf(spn_file_stream(file), "feature,threshold\n");
    write_thresholds(spn_file_stream(file), model, "");
    return spn_file_commit(file, err);
}

static void write_name(FILE *stream, const char *name)
{
    for (const char *c = name; *c; c++)
        fputc(iscntrl((unsigned char)*c) ? '?' : *c, stream);
}

/* Describe the inputs and their weights. */
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

static void write_rows(FILE *stream, const spn_model *model, const int8_t *weights, size_t count,
                       size_t a, bool units)
{
    size_t rows, row;
    const int8_t *at = rows_of(&rows, &row, model, weights + a * spn_model_sites(model), units);
    for (size_t j = 0; j < rows; j++) {
        fprintf(stream, "# ");
        if (count > 1)
            fprintf(stream, "replica %zu, ", a + 1);
        if (units) {
            fprintf(stream, "unit %zu", j + 1);
        } else {
            fprintf(stream, "class ");
            write_name(stream, model->class_names[j]);
        }
        fputc('\n', stream);
        for (size_t i = 0; i < row; i++)
            fputc(at[j * row + i] > 0 ? '+' : '-', stream);
        fputc('\n', stream);
    }
}

void spn_export_text(FILE *stream, const spn_model *model, const int8_t *weights, size_t count)
{
    write_notes(stream, model);
    for (size_t a = 0; a < count; a++) {
        write_rows(stream, model, weights, count, a, true);
        write_rows(stream, model, weights, count, a, false);
    }
}
