/* Reading of data sets: which format a file has, and what all formats have in common. */
#include "base/names.h"
#include "base/sized.h"
#include "base/text.h"
#include "data/parse.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const format_names[] = {
    [SPN_FORMAT_AUTO] = "auto", [SPN_FORMAT_IDX] = "idx",           [SPN_FORMAT_CSV] = "csv",
    [SPN_FORMAT_NPY] = "npy",   [SPN_FORMAT_SVMLIGHT] = "svmlight",
};
static const char *const place_names[] = {
    [SPN_LABELS_LAST] = "last", [SPN_LABELS_FIRST] = "first", [SPN_LABELS_NONE] = "none"};
static const char *const header_names[] = {
    [SPN_HEADER_AUTO] = "auto", [SPN_HEADER_YES] = "yes", [SPN_HEADER_NO] = "no"};

SPN_DEFINE_NAMES(spn_format, "format", format_names)
SPN_DEFINE_NAMES(spn_label_place, "place of labels", place_names)
SPN_DEFINE_NAMES(spn_header, "kind of header", header_names)

static const struct {
    spn_parser *parse;
    bool second_file; /* labels are in a file of their own */
} formats[] = {
    [SPN_FORMAT_AUTO] = {NULL, false},
    [SPN_FORMAT_IDX] = {spn_parse_idx, true},
    [SPN_FORMAT_CSV] = {spn_parse_csv, false},
    [SPN_FORMAT_NPY] = {spn_parse_npy, true},
    [SPN_FORMAT_SVMLIGHT] = {spn_parse_svmlight, false},
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* ---- which format ---- */

/* Whether a file is called *.extension or *.extension.gz. */
static bool has_extension(const char *name, const char *extension)
{
    size_t size = strlen(name), tail = strlen(extension);
    if (size > 3 && strcasecmp(name + size - 3, ".gz") == 0)
        size -= 3;
    return size > tail && name[size - tail - 1] == '.' &&
           strncasecmp(name + size - tail, extension, tail) == 0;
}

static spn_format detect_by_name(const char *name)
{
    static const char *const svmlight[] = {"svm", "svmlight", "libsvm", "scale"};
    if (has_extension(name, "csv"))
        return SPN_FORMAT_CSV;
    for (size_t k = 0; k < sizeof svmlight / sizeof *svmlight; k++)
        if (has_extension(name, svmlight[k]))
            return SPN_FORMAT_SVMLIGHT;
    return SPN_FORMAT_AUTO;
}

/* Text has commas or colons; binary data has control characters early on. */
static spn_format detect_by_text(const spn_source *source)
{
    spn_lines lines = spn_lines_of(source);
    spn_span line;
    while (spn_lines_next(&lines, &line)) {
        if (line.text[0] == '#')
            continue;
        for (size_t k = 0; k < line.size; k++)
            if ((unsigned char)line.text[k] < 0x20 && line.text[k] != '\t')
                return SPN_FORMAT_AUTO;
        if (memchr(line.text, ',', line.size))
            return SPN_FORMAT_CSV;
        if (memchr(line.text, ':', line.size))
            return SPN_FORMAT_SVMLIGHT;
        return SPN_FORMAT_AUTO;
    }
    return SPN_FORMAT_AUTO;
}

static spn_status detect(spn_format *out, const spn_source *source, spn_error *err)
{
    if (source->size == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: byte 0: the file is empty", source->name);
    if (source->size >= 4 && memcmp(source->data, "\0\0", 2) == 0)
        *out = SPN_FORMAT_IDX;
    else if (source->size >= 6 && memcmp(source->data, "\x93NUMPY", 6) == 0)
        *out = SPN_FORMAT_NPY;
    else if ((*out = detect_by_name(source->name)) == SPN_FORMAT_AUTO)
        *out = detect_by_text(source);
    if (*out == SPN_FORMAT_AUTO)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: byte 0: none of the formats IDX, CSV, NPY or svmlight; say which it is",
            source->name);
    return SPN_OK;
}

/* ---- what all have in common ---- */

bool spn_labels_not_needed(const spn_read_options *options)
{
    return options->labels == SPN_LABELS_NONE || options->labels_optional;
}

static spn_status check(spn_dataset *dataset, const spn_source *source,
                        const spn_read_options *options, spn_error *err)
{
    if (options->features != 0 && dataset->features != options->features)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: header: %zu features per sample; expected %zu",
                        source->name, dataset->features, options->features);
    if (dataset->classes == 1 && !options->single_class)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: labels: all %zu samples are of class '%s'; at least 2 classes are needed",
            source->name, dataset->samples, dataset->class_names[0]);
    if (options->class_names && dataset->labels)
        return spn_dataset_relabel(dataset, options->class_names, options->classes, source->name,
                                   err);
    return SPN_OK;
}

spn_status spn_dataset_parse(spn_dataset **out, const spn_source *source, const spn_source *labels,
                             const spn_read_options *options, spn_error *err)
{
    *out = NULL;
    spn_read_options how = spn_read_defaults();
    spn_status status = spn_sized_take(&how, sizeof how, options, "spn_read_defaults", err);
    if (status)
        return status;
    if (how.max_bytes == 0)
        how.max_bytes = SPN_DEFAULT_MAX_BYTES;
    if ((size_t)how.format >= FORMATS)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: there is no format number %d", source->name,
                        (int)how.format);
    if (how.format == SPN_FORMAT_AUTO)
        status = detect(&how.format, source, err);
    if (status != SPN_OK)
        return status;
    if (formats[how.format].second_file && !labels && !spn_labels_not_needed(&how))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %s data has its labels in a file of its own; give that file too",
                        source->name, format_names[how.format]);
    if (formats[how.format].second_file && how.labels == SPN_LABELS_NONE)
        labels = NULL;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", source->name);
    status = formats[how.format].parse(*out, source, labels, &how, err);
    if (status == SPN_OK)
        status = check(*out, source, &how, err);
    if (status != SPN_OK) {
        spn_dataset_free(*out);
        *out = NULL;
    }
    return status;
}

spn_status spn_dataset_read(spn_dataset **out, const char *path, const char *labels_path,
                            const spn_read_options *options, spn_error *err)
{
    *out = NULL;
    spn_read_options how = spn_read_defaults();
    spn_source source = {0}, labels = {0};
    spn_status status = spn_sized_take(&how, sizeof how, options, "spn_read_defaults", err);
    const size_t max_bytes = how.max_bytes ? how.max_bytes : SPN_DEFAULT_MAX_BYTES;
    if (status == SPN_OK)
        status = spn_source_load(&source, path, max_bytes, err);
    if (status == SPN_OK && labels_path)
        status = spn_source_load(&labels, labels_path, max_bytes, err);
    if (status == SPN_OK)
        status = spn_dataset_parse(out, &source, labels_path ? &labels : NULL, &how, err);
    spn_source_unload(&source);
    spn_source_unload(&labels);
    return status;
}
