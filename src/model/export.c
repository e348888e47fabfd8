/* Choice of the export format, the numbers of linear classifiers, and the formats that are lists of
   weights: NPY and text. */
#include "model/export.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/try.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- arrays and texts ---- */

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

static spn_status export_npy(FILE *stream, const spn_model *model, const int8_t *weights,
                             size_t count, const char *path, spn_error *err)
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

static void export_text(FILE *stream, const spn_model *model, const int8_t *weights, size_t count)
{
    write_notes(stream, model);
    for (size_t a = 0; a < count; a++) {
        write_rows(stream, model, weights, count, a, true);
        write_rows(stream, model, weights, count, a, false);
    }
}

const spn_names spn_export_format_names =
    SPN_NAME_LIST("export format", [SPN_EXPORT_C] = "c", [SPN_EXPORT_NPY] = "npy",
                  [SPN_EXPORT_TEXT] = "text", [SPN_EXPORT_ONNX] = "onnx");
const spn_names spn_export_input_names =
    SPN_NAME_LIST("input", [SPN_INPUT_FLOAT] = "float", [SPN_INPUT_DOUBLE] = "double",
                  [SPN_INPUT_UINT8] = "uint8");

const spn_names spn_export_arithmetic_names =
    SPN_NAME_LIST("arithmetic", [SPN_ARITHMETIC_AUTO] = "auto", [SPN_ARITHMETIC_INT] = "int",
                  [SPN_ARITHMETIC_FLOAT] = "float", [SPN_ARITHMETIC_DOUBLE] = "double");

/* Whether whole numbers decide between classes a < b as logits do, for every two sums: a is chosen
   if the difference of its sum to that of b is above `apart`, which is not whole. */
static bool decides(const spn_export_numbers *n, size_t a, size_t b, double apart)
{
    const long long below = (long long)floor(apart);
    const long long whole = n->whole_offset[a] - n->whole_offset[b];
    return n->factor * below - whole < 0 && n->factor * (below + 1) - whole >= 0;
}

/* Offsets as whole numbers, in units of the sums over a power of 2: the least power that decides
   between any two classes as doubles do. */
static bool round_offsets(spn_export_numbers *n, size_t classes, double most)
{
    enum { MOST_BITS = 24 };
    const double close = 1e-9 * (1 + most); /* doubles may not separate these */
    for (int bits = 0; bits <= MOST_BITS; bits++) {
        bool all = true;
        n->factor = 1LL << bits;
        for (size_t k = 0; k < classes; k++)
            n->whole_offset[k] = llrint(ldexp(n->offset[k] / n->unit, bits));
        for (size_t b = 1; b < classes && all; b++)
            for (size_t a = 0; a < b && all; a++) {
                const double apart = (n->offset[a] - n->offset[b]) / n->unit;
                const double nearest = fabs(apart - rint(apart));
                if (n->offset[a] != n->offset[b] && nearest < close)
                    return false;
                all = n->offset[a] == n->offset[b] || decides(n, a, b, apart);
            }
        if (all)
            return true;
    }
    return false;
}

static void find_wholes(spn_export_numbers *n, const spn_model *model)
{
    enum { MOST_CLASSES = 1024 };
    const size_t inputs = model->scaling->features;
    double most = 255 * (double)inputs, largest = 0;
    n->factor = 1;
    if (spn_export_thermometer(model)) {
        n->unit = model->logit_scale;
        n->wide = inputs + model->bias > INT32_MAX / 2;
        return;
    }
    if (!n->integers || n->unit < 0)
        n->not_whole = "features have scales of their own";
    else if (model->preprocess.kind == SPN_PREPROCESS_BINARY)
        n->not_whole = "classes of binary features may tie (encode thermometer:1 instead)";
    else if (model->classes > MOST_CLASSES)
        n->not_whole = "there are too many classes";
    else if (!round_offsets(n, model->classes, most))
        n->not_whole = "two classes may come so close that rounding decides between them";
    for (size_t k = 0; k < model->classes; k++)
        largest = fmax(largest, fabs((double)n->whole_offset[k]));
    n->wide = most * (double)n->factor + largest > INT32_MAX / 2;
}

/* Sum the weights over the copies of each feature, and find its step. */
static bool add_copies(spn_export_numbers *out, const spn_model *model, const int8_t *weights,
                       size_t copies)
{
    const size_t features = model->features, row = spn_model_row(model);
    out->added = spn_alloc(model->classes * features, sizeof *out->added);
    for (size_t k = 0; out->added && k < model->classes; k++)
        for (size_t j = 0; j < features * copies; j++) {
            int16_t *sum = &out->added[k * features + j / copies];
            *sum = (int16_t)(*sum + weights[k * row + j]);
        }
    for (size_t i = 0; i < features; i++)
        out->step[i] = out->step[i * copies];
    return out->added;
}

spn_status spn_export_numbers_make(spn_export_numbers *out, const spn_model *model,
                                   const int8_t *weights, spn_error *err)
{
    const size_t features = model->scaling->features, row = spn_model_row(model);
    const spn_scaling *scaling = model->scaling;
    *out =
        (spn_export_numbers){.step = spn_alloc(features, sizeof *out->step),
                             .offset = spn_alloc(model->classes, sizeof *out->offset),
                             .whole_offset = spn_alloc(model->classes, sizeof *out->whole_offset)};
    SPN_NEED(out->step && out->offset && out->whole_offset, err, "an export");
    out->integers = features < INT32_MAX / 255;
    for (size_t i = 0; i < features; i++) {
        out->integers = out->integers && scaling->scale[i] == scaling->scale[0];
        out->step[i] = model->logit_scale / scaling->scale[i];
    }
    out->unit = out->step[0];
    for (size_t k = 0; k < model->classes; k++) {
        double bias = 0;
        for (size_t i = 0; i < features; i++)
            out->offset[k] += weights[k * row + i] * out->step[i] * scaling->shift[i];
        for (size_t i = features; i < row; i++)
            bias += weights[k * row + i];
        out->offset[k] -= model->logit_scale * bias;
        out->whole_offset[k] = -(long long)bias;
    }
    find_wholes(out, model);
    const size_t copies = model->encoding ? model->encoding->copies : 0;
    return copies == 0 || add_copies(out, model, weights, copies) ? SPN_OK
                                                                  : spn_no_memory(err, "an export");
}

void spn_export_numbers_free(spn_export_numbers *numbers)
{
    SPN_FREE_ALL(numbers->step, numbers->offset, numbers->whole_offset, numbers->added);
}

static bool is_identifier(const char *name)
{
    bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || *c == '_') && (unsigned char)*c < 128;
    return good && strlen(name) <= 100;
}

/* models/my-digits.h gives my_digits. */
static void name_from_path(char out[64], const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    size_t size = strcspn(start, "."), used = 0;
    if (size == 0 || isdigit((unsigned char)start[0]))
        used = (size_t)snprintf(out, 64, "model_");
    for (size_t j = 0; j < size && used < 60; j++)
        out[used++] =
            isalnum((unsigned char)start[j]) && (unsigned char)start[j] < 128 ? start[j] : '_';
    out[used] = '\0';
}

static spn_status check(const spn_export_options *options, const spn_model *model, size_t count,
                        const char *path, spn_error *err)
{
    const bool single = options->format == SPN_EXPORT_C || options->format == SPN_EXPORT_ONNX;
    SPN_REFUSE_IF(count < 1 || (single && count > 1 && !options->vote), err,
                  "%s: C and ONNX hold one classifier, not %zu; choose a replica%s", path, count,
                  model->hidden ? ", or their vote" : "");
    SPN_REFUSE_IF(
        single && options->vote && !model->hidden, err,
        "%s: only networks vote, and this model is linear; choose a replica or the centre", path);
    SPN_REFUSE_IF(options->name && !is_identifier(options->name), err,
                  "'%s' is not an identifier of C", options->name);
    return SPN_OK;
}

static spn_status write_stream(FILE *stream, const spn_model *model, const int8_t *weights,
                               size_t count, const spn_export_options *options, const char *path,
                               spn_error *err)
{
    char name[64];
    switch (options->format) {
    case SPN_EXPORT_C:
        name_from_path(name, path);
        return spn_export_c(stream, model, weights, count, options->name ? options->name : name,
                            options->arithmetic, err);
    case SPN_EXPORT_NPY:
        return export_npy(stream, model, weights, count, path, err);
    case SPN_EXPORT_TEXT:
        export_text(stream, model, weights, count);
        return SPN_OK;
    case SPN_EXPORT_ONNX:
        return spn_export_onnx(stream, model, weights, count, options->input, err);
    }
    return spn_refuse(err, "there is no export format number %d", (int)options->format);
}

spn_status spn_model_export(const spn_model *model, const int8_t *weights, size_t count,
                            const spn_export_options *given, const char *path, spn_error *err)
{
    spn_file *file;
    spn_export_options options = spn_export_defaults();
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_export_defaults", err));
    SPN_TRY(check(&options, model, count, path, err));
    SPN_TRY(spn_file_create(&file, path, err));
    return spn_file_end(
        file, write_stream(spn_file_stream(file), model, weights, count, &options, path, err), err);
}

/* Add network a of those that vote. */
static void add_network(spn_export_network *out, const spn_model *model, const int8_t *weights,
                        size_t a)
{
    const size_t unit_row = out->inputs + model->hidden_bias, row = spn_model_row(model);
    for (size_t j = 0; j < model->hidden; j++) {
        const int8_t *unit = weights + j * unit_row;
        const size_t place = a * model->hidden + j;
        memcpy(out->hidden + place * out->inputs, unit, out->inputs);
        for (size_t i = out->inputs; i < unit_row; i++)
            out->unit_bias[place] += unit[i];
    }
    for (size_t k = 0; k < out->classes; k++) {
        const int8_t *output = weights + model->hidden * unit_row + k * row;
        memcpy(out->outputs + k * out->units + a * model->hidden, output, model->hidden);
        for (size_t j = model->hidden; j < row; j++)
            out->class_bias[k] += output[j];
    }
}

spn_status spn_export_network_make(spn_export_network *out, const spn_model *model,
                                   const int8_t *weights, size_t count, spn_error *err)
{
    assert(!model->encoding || spn_export_thermometer(model)); /* spn_model_check ensures it */
    *out = (spn_export_network){.inputs = model->scaling->features,
                                .units = count * model->hidden,
                                .classes = model->classes};
    out->hidden = spn_alloc(out->units, out->inputs);
    out->outputs = spn_alloc(out->classes, out->units);
    out->unit_bias = spn_alloc(out->units + SPN_EXPORT_BLOCK, sizeof *out->unit_bias);
    out->class_bias = spn_alloc(out->classes, sizeof *out->class_bias);
    SPN_NEED(out->hidden && out->outputs && out->unit_bias && out->class_bias, err, "an export");
    for (size_t a = 0; a < count; a++)
        add_network(out, model, weights + a * spn_model_sites(model), a);
    return SPN_OK;
}

void spn_export_network_free(spn_export_network *network)
{
    SPN_FREE_ALL(network->hidden, network->outputs, network->unit_bias, network->class_bias);
}
