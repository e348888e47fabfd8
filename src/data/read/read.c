/* Reading of data sets: which format a file has, and what all formats have in common. */
#include "base/memory.h"
#include "base/text.h"
#include "data/read/cells.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const spn_names spn_format_names = SPN_NAME_LIST(
    "format", [SPN_FORMAT_AUTO] = "auto", [SPN_FORMAT_IDX] = "idx", [SPN_FORMAT_CSV] = "csv",
    [SPN_FORMAT_NPY] = "npy", [SPN_FORMAT_SVMLIGHT] = "svmlight", [SPN_FORMAT_NPZ] = "npz");
const spn_names spn_label_place_names =
    SPN_NAME_LIST("place of labels", [SPN_LABELS_LAST] = "last", [SPN_LABELS_FIRST] = "first",
                  [SPN_LABELS_NONE] = "none");
const spn_names spn_label_kind_names = SPN_NAME_LIST(
    "kind of labels", [SPN_LABEL_KIND_AUTO] = "auto", [SPN_LABEL_KIND_CLASSES] = "classes");
const spn_names spn_header_names = SPN_NAME_LIST(
    "kind of header", [SPN_HEADER_AUTO] = "auto", [SPN_HEADER_YES] = "yes", [SPN_HEADER_NO] = "no");
const spn_names spn_separator_names =
    SPN_NAME_LIST("separator", [SPN_SEPARATOR_AUTO] = "auto", [SPN_SEPARATOR_COMMA] = "comma",
                  [SPN_SEPARATOR_TAB] = "tab", [SPN_SEPARATOR_SEMICOLON] = "semicolon",
                  [SPN_SEPARATOR_PIPE] = "pipe", [SPN_SEPARATOR_BLANK] = "blank");
const spn_names spn_decimal_names =
    SPN_NAME_LIST("decimal mark", [SPN_DECIMAL_AUTO] = "auto", [SPN_DECIMAL_POINT] = "point",
                  [SPN_DECIMAL_COMMA] = "comma");

static const struct {
    spn_parser *parse;
    bool second_file; /* labels are in a file of their own */
    bool table;       /* columns can be named, dropped, made categories */
} formats[] = {
    [SPN_FORMAT_AUTO] = {NULL, false, false},
    [SPN_FORMAT_IDX] = {spn_parse_idx, true, false},
    [SPN_FORMAT_CSV] = {spn_parse_csv, false, true},
    [SPN_FORMAT_NPY] = {spn_parse_npy, true, false},
    [SPN_FORMAT_SVMLIGHT] = {spn_parse_svmlight, false, false},
    [SPN_FORMAT_NPZ] = {spn_parse_npz, false, false},
};

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
    static const char *const tables[] = {"csv", "tsv", "tab"};
    static const char *const svmlight[] = {"svm", "svmlight", "libsvm", "scale"};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        if (has_extension(name, tables[k]))
            return SPN_FORMAT_CSV;
    for (size_t k = 0; k < sizeof svmlight / sizeof *svmlight; k++)
        if (has_extension(name, svmlight[k]))
            return SPN_FORMAT_SVMLIGHT;
    return SPN_FORMAT_AUTO;
}

/* Whether the first or the second word of a line is index:value, or qid:value. */
static bool has_entry(spn_span line)
{
    for (size_t word = 0; word < 2; word++) {
        line = spn_trim(line);
        size_t size = 0, index = 0;
        while (size < line.size && line.text[size] != ' ' && line.text[size] != '\t')
            size++;
        while (index < size && line.text[index] >= '0' && line.text[index] <= '9')
            index++;
        if (size > 4 && memcmp(line.text, "qid:", 4) == 0)
            return true;
        if (index > 0 && index < size && line.text[index] == ':')
            return true;
        line.text += size;
        line.size -= size;
    }
    return false;
}

/* Text has separators or colons; binary data has control characters near the start. */
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
        if (has_entry(line))
            return SPN_FORMAT_SVMLIGHT;
        if (memchr(line.text, ':', line.size))
            return SPN_FORMAT_SVMLIGHT;
        for (size_t k = 0; k < line.size; k++)
            if (strchr(";\t| ", line.text[k]))
                return SPN_FORMAT_CSV;
        return SPN_FORMAT_AUTO;
    }
    return SPN_FORMAT_AUTO;
}

static spn_status detect(spn_format *out, const spn_source *source, spn_error *err)
{
    if (source->size == 0)
        return spn_source_fail(source, err, "byte 0: the file is empty");
    if (source->size >= 4 && memcmp(source->data, "\0\0", 2) == 0)
        *out = SPN_FORMAT_IDX;
    else if (source->size >= 6 && memcmp(source->data, "\x93NUMPY", 6) == 0)
        *out = SPN_FORMAT_NPY;
    else if (source->size >= 4 && memcmp(source->data, "PK\3\4", 4) == 0)
        *out = SPN_FORMAT_NPZ;
    else if ((*out = detect_by_name(source->name)) == SPN_FORMAT_AUTO)
        *out = detect_by_text(source);
    if (*out == SPN_FORMAT_AUTO)
        return spn_source_fail(
            source, err, "byte 0: none of the formats IDX, CSV, NPY, NPZ or svmlight; set format");
    return SPN_OK;
}

/* ---- what all formats share ---- */

bool spn_labels_not_needed(const spn_read_options *options)
{
    return options->labels == SPN_LABELS_NONE || options->labels_optional;
}

static spn_status check(spn_dataset *dataset, const spn_source *source,
                        const spn_read_options *options, spn_error *err)
{
    if (options->missing != SPN_MISSING_REFUSE && !dataset->columns)
        SPN_TRY(spn_columns_plain(&dataset->columns, dataset->features, options->missing, err));
    if (options->features != 0 && dataset->features != options->features)
        return spn_source_fail(source, err, "header: %zu features per sample; expected %zu",
                               dataset->features, options->features);
    if (dataset->classes == 1 && !options->single_class)
        return spn_source_fail(
            source, err, "labels: all %zu samples are of class '%s'; at least 2 classes are needed",
            dataset->samples, dataset->class_names[0]);
    if (dataset->labels && !options->class_names && options->label_kind == SPN_LABEL_KIND_AUTO)
        SPN_TRY(spn_labels_check(dataset, source->name, err));
    if (options->class_names && dataset->labels)
        return spn_dataset_relabel(dataset, options->class_names, options->classes, source->name,
                                   err);
    return SPN_OK;
}

/* What was left out. */
static spn_status keep_note(spn_dataset *dataset, const spn_cells *cells, spn_error *err)
{
    const bool labels = cells->unlabelled && dataset->labels, one = cells->skipped == 1;
    char without[64] = "", skipped[160] = "";
    if (labels)
        snprintf(without, sizeof without, "%zu sample%s without a label %s left out",
                 cells->unlabelled, cells->unlabelled == 1 ? "" : "s",
                 cells->unlabelled == 1 ? "was" : "were");
    if (cells->skipped)
        snprintf(skipped, sizeof skipped,
                 "%s%zu line%s with # %s skipped, though a sample has as many columns; put a "
                 "first cell in quotes if it starts with #",
                 labels ? "; " : "", cells->skipped, one ? " that starts" : "s that start",
                 one ? "was" : "were");
    if (!labels && !cells->skipped)
        return SPN_OK;
    return asprintf(&dataset->note, "%s%s", without, skipped) < 0 ? spn_no_memory(err, "a note")
                                                                  : SPN_OK;
}

/* What only tables have. */
static spn_status check_options(const spn_source *source, const spn_read_options *how,
                                spn_error *err)
{
    const struct {
        const char *option, *text;
    } only[] = {
        {"drop", how->drop}, {"categories", how->categories}, {"label-column", how->label_column}};
    for (size_t k = 0; k < sizeof only / sizeof *only; k++)
        if (only[k].text && !formats[how->format].table)
            return spn_source_fail(
                source, err,
                "%s is for the columns of CSV; this is %s, whose columns have no names",
                only[k].option, spn_format_name(how->format));
    if ((unsigned)how->missing > SPN_MISSING_ZERO ||
        (unsigned)how->separator > SPN_SEPARATOR_BLANK ||
        (unsigned)how->decimal > SPN_DECIMAL_COMMA ||
        (unsigned)how->label_kind > SPN_LABEL_KIND_CLASSES)
        return spn_refuse(err,
                          "%s: there is no such separator, decimal mark, kind of labels or "
                          "treatment of missing values",
                          source->name);
    return SPN_OK;
}

spn_status spn_dataset_parse(spn_dataset **out, const spn_source *source, const spn_source *labels,
                             const spn_read_options *options, spn_error *err)
{
    *out = NULL;
    spn_read_options how = spn_read_defaults();
    SPN_TRY(spn_sized_take(&how, sizeof how, options, "spn_read_defaults", err));
    if (how.max_bytes == 0)
        how.max_bytes = SPN_DEFAULT_MAX_BYTES;
    if (!spn_format_name(how.format))
        return spn_refuse(err, "%s: there is no format number %d", source->name, (int)how.format);
    if (how.format == SPN_FORMAT_AUTO)
        SPN_TRY(detect(&how.format, source, err));
    SPN_TRY(check_options(source, &how, err));
    if (formats[how.format].second_file && !labels && !spn_labels_not_needed(&how))
        return spn_source_fail(
            source, err, "%s data has its labels in a second file; give that file too (labels)",
            spn_format_name(how.format));
    if (formats[how.format].second_file && how.labels == SPN_LABELS_NONE)
        labels = NULL;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return spn_no_memory(err, "%s", source->name);
    spn_cells cells = {.dataset = *out};
    spn_status status;
    SPN_TRY_OR(cleanup, formats[how.format].parse(&cells, source, labels, &how, err));
    if ((*out)->labels)
        SPN_TRY_OR(cleanup, spn_labels_finish(out, &cells, &how, err));
    SPN_TRY_OR(cleanup, keep_note(*out, &cells, err));
    SPN_TRY_OR(cleanup, check(*out, source, &how, err));
cleanup:
    spn_texts_free(&cells.classes);
    if (status) {
        spn_dataset_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- files ---- */

/* The test part of an NPZ file, if it has one, with the classes of the training part. */
static spn_status parse_test_part(spn_dataset **out, const spn_dataset *train,
                                  const spn_source *source, const spn_read_options *options,
                                  spn_error *err)
{
    spn_read_options how = *options;
    assert(train); /* it was read */
    if (!spn_npz_has_test(source))
        return SPN_OK;
    how.part = SPN_DATA_TEST;
    how.single_class = true;
    how.features = train->features;
    how.class_names = (const char *const *)train->class_names;
    how.classes = train->classes;
    return spn_dataset_parse(out, source, NULL, &how, err);
}

spn_status spn_dataset_read_parts(spn_dataset **out_train, spn_dataset **out_test, const char *path,
                                  const char *labels_path, const spn_read_options *options,
                                  spn_error *err)
{
    *out_train = NULL;
    if (out_test)
        *out_test = NULL;
    spn_read_options how = spn_read_defaults();
    spn_source data = {0}, labels = {0};
    SPN_TRY(spn_sized_take(&how, sizeof how, options, "spn_read_defaults", err));
    const size_t most = how.max_bytes ? how.max_bytes : SPN_DEFAULT_MAX_BYTES;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_source_load(&data, path, most, err));
    if (labels_path)
        SPN_TRY_OR(cleanup, spn_source_load(&labels, labels_path, most, err));
    SPN_TRY_OR(cleanup,
               spn_dataset_parse(out_train, &data, labels_path ? &labels : NULL, &how, err));
    if (out_test && how.part == SPN_DATA_TRAIN && !labels_path)
        SPN_TRY_OR(cleanup, parse_test_part(out_test, *out_train, &data, &how, err));
cleanup:
    spn_source_unload(&data);
    spn_source_unload(&labels);
    if (status) {
        spn_dataset_free(*out_train);
        *out_train = NULL;
    }
    return status;
}

spn_status spn_dataset_read(spn_dataset **out, const char *path, const char *labels_path,
                            const spn_read_options *options, spn_error *err)
{
    return spn_dataset_read_parts(out, NULL, path, labels_path, options, err);
}
