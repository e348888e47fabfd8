/* Exports: the choice of the format, and the simple ones. */
#include "model/export.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sized.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const format_names[] = {[SPN_EXPORT_C] = "c",
                                           [SPN_EXPORT_NPY] = "npy",
                                           [SPN_EXPORT_TEXT] = "text",
                                           [SPN_EXPORT_ONNX] = "onnx"};
static const char *const input_names[] = {
    [SPN_INPUT_FLOAT] = "float", [SPN_INPUT_DOUBLE] = "double", [SPN_INPUT_UINT8] = "uint8"};

SPN_DEFINE_NAMES(spn_export_format, "export format", format_names)
SPN_DEFINE_NAMES(spn_export_input, "input", input_names)

/* ---- numbers ---- */

/* The weights of the copies of each feature as one, and its step. */
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

bool spn_export_numbers_make(spn_export_numbers *out, const spn_model *model, const int8_t *weights)
{
    const size_t features = model->scaling->features, row = spn_model_row(model);
    const spn_scaling *scaling = model->scaling;
    *out = (spn_export_numbers){.step = spn_alloc(features, sizeof *out->step),
                                .offset = spn_alloc(model->classes, sizeof *out->offset)};
    if (!out->step || !out->offset)
        return false;
    out->integers = features < INT32_MAX / 255;
    for (size_t i = 0; i < features; i++) {
        out->integers = out->integers && scaling->scale[i] == scaling->scale[0];
        out->step[i] = model->logit_scale / scaling->scale[i];
    }
    out->unit = out->step[0];
    const size_t copies = model->encoding ? spn_encoding_copy_count(model->encoding) : 0;
    for (size_t k = 0; k < model->classes; k++) {
        double bias = 0;
        for (size_t i = 0; i < features; i++)
            out->offset[k] += weights[k * row + i] * out->step[i] * scaling->shift[i];
        for (size_t i = features; i < row; i++)
            bias += weights[k * row + i];
        out->offset[k] -= model->logit_scale * bias;
    }
    return copies == 0 || add_copies(out, model, weights, copies);
}

void spn_export_numbers_free(spn_export_numbers *numbers)
{
    free(numbers->step);
    free(numbers->offset);
    free(numbers->added);
}

/* ---- NPY and text ---- */

static void write_npy(FILE *stream, const spn_model *model, const int8_t *weights, size_t count)
{
    char shape[64], header[192];
    const size_t row = spn_model_row(model);
    if (count == 1)
        snprintf(shape, sizeof shape, "(%u, %zu)", (unsigned)model->classes, row);
    else
        snprintf(shape, sizeof shape, "(%zu, %u, %zu)", count, (unsigned)model->classes, row);
    /* magic, version 1.0, the size of the header; it ends in a newline at a multiple of 64 */
    enum { PREFIX = 10 };
    int used = snprintf(header, sizeof header,
                        "{'descr': '|i1', 'fortran_order': False, 'shape': %s, }", shape);
    size_t size = ((size_t)used + 1 + PREFIX + 63) / 64 * 64 - PREFIX;
    fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
    fputc((int)(size & 255), stream);
    fputc((int)(size >> 8), stream);
    fprintf(stream, "%-*s\n", (int)size - 1, header);
    fwrite(weights, 1, count * model->classes * row, stream);
}

static void write_name(FILE *stream, const char *name)
{
    for (const char *c = name; *c; c++)
        fputc(iscntrl((unsigned char)*c) ? '?' : *c, stream);
}

static void write_text(FILE *stream, const spn_model *model, const int8_t *weights, size_t count)
{
    for (size_t a = 0; a < count; a++)
        for (uint32_t k = 0; k < model->classes; k++) {
            if (count > 1)
                fprintf(stream, "# replica %zu, class ", a + 1);
            else
                fprintf(stream, "# class ");
            write_name(stream, model->class_names[k]);
            fputc('\n', stream);
            for (size_t i = 0; i < spn_model_row(model); i++)
                fputc(*weights++ > 0 ? '+' : '-', stream);
            fputc('\n', stream);
        }
}

/* ---- the choice ---- */

static bool is_identifier(const char *name)
{
    bool good = isalpha((unsigned char)name[0]) || name[0] == '_';
    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || *c == '_') && (unsigned char)*c < 128;
    return good && strlen(name) <= 100;
}

/* An identifier from the name of a file: models/my-digits.h gives my_digits. */
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

static spn_status check(const spn_model *model, const spn_export_options *options, size_t count,
                        const char *path, spn_error *err)
{
    const bool single = options->format == SPN_EXPORT_C || options->format == SPN_EXPORT_ONNX;
    if (single && model->encoding && spn_encoding_copy_count(model->encoding) == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "%s: features encoded by a thermometer are exported as npy or text", path);
    if (count < 1 || (single && count > 1))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "%s: C and ONNX hold one classifier, not %zu; choose a replica", path,
                        count);
    if (options->name && !is_identifier(options->name))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "'%s' is not an identifier of C", options->name);
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
        return spn_export_c(stream, model, weights, options->name ? options->name : name, err);
    case SPN_EXPORT_NPY:
        write_npy(stream, model, weights, count);
        return SPN_OK;
    case SPN_EXPORT_TEXT:
        write_text(stream, model, weights, count);
        return SPN_OK;
    case SPN_EXPORT_ONNX:
        return spn_export_onnx(stream, model, weights, options->input, err);
    }
    return spn_fail(err, SPN_ERROR_ARGUMENT, "there is no export format number %d",
                    (int)options->format);
}

spn_status spn_model_export(const spn_model *model, const int8_t *weights, size_t count,
                            const spn_export_options *given, const char *path, spn_error *err)
{
    spn_file *file;
    spn_export_options options = spn_export_defaults();
    spn_status status;
    if ((status = spn_sized_take(&options, sizeof options, given, "spn_export_defaults", err)) ||
        (status = check(model, &options, count, path, err)) ||
        (status = spn_file_create(&file, path, err)))
        return status;
    status = write_stream(spn_file_stream(file), model, weights, count, &options, path, err);
    if (!status)
        return spn_file_commit(file, err);
    spn_file_discard(file);
    return status;
}
