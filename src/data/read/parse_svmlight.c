/* Svmlight, also called LIBSVM: "label qid:number index:value index:value ... # comment". Sparse in
   the file, dense in memory, so the first pass looks only for the number of samples and the
   smallest and largest index. Indices count from 0 if one of them is 0, otherwise from 1. */
#include "data/read/cells.h"

#include "base/try.h"
#include "data/read/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Walks over the tokens of the lines. */
typedef struct walk {
    const spn_source *source;
    spn_lines lines;
    spn_span rest;
    size_t column; /* of the token given last: characters from the start of the text, from 1 */
    const char *start;
} walk;

/* The next line that holds more than a comment. */
static bool next_sample(walk *w)
{
    spn_span line;
    while (spn_lines_next(&w->lines, &line)) {
        const char *comment = memchr(line.text, '#', line.size);
        if (comment)
            line.size = (size_t)(comment - line.text);
        w->start = line.text;
        w->rest = spn_trim(line);
        if (w->rest.size > 0)
            return true;
    }
    return false;
}

static bool next_token(walk *w, spn_span *out)
{
    w->rest = spn_trim(w->rest);
    size_t size = 0;
    while (size < w->rest.size && w->rest.text[size] != ' ' && w->rest.text[size] != '\t')
        size++;
    *out = (spn_span){w->rest.text, size};
    w->column = (size_t)(w->rest.text - w->start) + 1;
    w->rest.text += size;
    w->rest.size -= size;
    return size > 0;
}

static spn_status fault(const walk *w, spn_span token, const char *what, spn_error *err)
{
    char shown[SPN_SHOWN];
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu, column %zu: '%s' %s", w->source->name,
                    w->lines.number, w->column, spn_show(shown, token), what);
}

static bool has_colon(spn_span token)
{
    return token.size > 0 && memchr(token.text, ':', token.size) != NULL;
}

/* ---- index:value ---- */

typedef struct entry {
    size_t index;
    double value; /* NaN if it is missing */
} entry;

static spn_status read_index(size_t *out, const walk *w, spn_span token, size_t size,
                             spn_error *err)
{
    size_t index = 0;
    for (size_t k = 0; k < size; k++) {
        if (token.text[k] < '0' || token.text[k] > '9')
            return fault(w, token, "has no index before its colon; expected index:value", err);
        index = index * 10 + (size_t)(token.text[k] - '0');
        if (index > UINT32_MAX)
            return fault(w, token, "has an index above 4294967295; renumber the features", err);
    }
    if (size == 0)
        return fault(w, token, "needs an index before its colon; expected index:value", err);
    *out = index;
    return SPN_OK;
}

/* after is 1 more than the index before this one on the line, 0 for the first. */
static spn_status read_entry(entry *out, const walk *w, spn_span token, size_t after,
                             spn_error *err)
{
    const char *colon = memchr(token.text, ':', token.size);
    if (!colon)
        return fault(w, token, "is not index:value, such as 12:0.5", err);
    size_t size = (size_t)(colon - token.text);
    SPN_TRY(read_index(&out->index, w, token, size, err));
    if (out->index < after)
        return fault(w, token, "comes out of order; indices must ascend along a line", err);
    const spn_span number = {colon + 1, token.size - size - 1};
    spn_number kind = spn_number_read(&out->value, number);
    if (kind == SPN_NUMBER_NOT_FINITE && spn_is_missing(number))
        out->value = (double)NAN;
    else if (kind == SPN_NUMBER_NOT_FINITE)
        return fault(w, token, "is not finite; correct or remove such values", err);
    if (kind == SPN_NUMBER_NONE)
        return fault(w, token, "has no number after its colon; expected index:value", err);
    return SPN_OK;
}

/* ---- the passes ---- */

typedef struct shape {
    size_t samples;
    size_t features;
    size_t first; /* the index of the first feature, 0 or 1 */
    bool labelled;
} shape;

/* What is filled in the second pass. */
typedef struct filling {
    spn_cells cells;
    spn_labels labels;
    spn_gaps gaps;
} filling;

static walk walk_of(const spn_source *source)
{
    return (walk){.source = source, .lines = spn_lines_of(source)};
}

/* Read the entries of the current line. f: if not NULL, they go to sample n. range: if not NULL, it
   grows to hold all indices. */
static spn_status read_entries(walk *w, spn_span token, bool any, filling *f, size_t n,
                               const shape *s, size_t range[2], spn_error *err)
{
    entry e = {0};
    for (size_t after = 0; any; after = e.index + 1, any = next_token(w, &token)) {
        SPN_TRY(read_entry(&e, w, token, after, err));
        if (f) {
            const size_t i = e.index - s->first;
            const double value = isnan(e.value) ? spn_gaps_value(&f->gaps, n, i) : e.value;
            SPN_TRY(spn_cells_put(&f->cells, n * s->features + i, value, err));
        }
        if (range) {
            range[0] = e.index < range[0] ? e.index : range[0];
            range[1] = e.index > range[1] ? e.index : range[1];
        }
    }
    return SPN_OK;
}

/* Skip the number of a group of samples, which is for ranking. */
static bool pass_group(walk *w, spn_span *token, bool any)
{
    if (any && token->size > 4 && memcmp(token->text, "qid:", 4) == 0)
        any = next_token(w, token);
    return any;
}

/* Indices start as in the recipe, or at 0 if there is an index 0; if the number of features is
   given and nothing else is known, at 1. */
static spn_status find_first(shape *out, const walk *w, const size_t range[2],
                             const spn_read_options *options, spn_error *err)
{
    out->first = range[0] == 0 ? 0 : 1;
    if (options->columns)
        out->first = options->columns->first_index;
    else if (options->features != 0)
        out->first = 1;
    if (out->first > range[0])
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: line %zu: index 0, but the training data counts features from 1; "
                        "renumber one of the two (an entry 0:0 makes a file count from 0)",
                        w->source->name, w->lines.number);
    out->features = range[1] + 1 - out->first;
    return SPN_OK;
}

static spn_status check_width(const walk *w, size_t largest, const spn_read_options *options,
                              spn_error *err)
{
    const size_t first = options->columns ? options->columns->first_index : 1;
    if (options->features == 0 || largest < options->features + first)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: index %zu; expected at most %zu features",
                    w->source->name, w->lines.number, largest, options->features);
}

static spn_status measure(shape *out, const spn_source *source, const spn_read_options *options,
                          spn_error *err)
{
    walk w = walk_of(source);
    size_t range[2] = {1, 0};
    *out = (shape){0};
    while (next_sample(&w)) {
        spn_span token;
        bool any = next_token(&w, &token), labelled = !has_colon(token);
        if (out->samples == 0)
            out->labelled = labelled;
        if (labelled != out->labelled)
            return fault(&w, token,
                         "differs from the lines before: all start with a label, or none", err);
        if (labelled)
            any = next_token(&w, &token);
        any = pass_group(&w, &token, any);
        SPN_TRY(read_entries(&w, token, any, NULL, 0, NULL, range, err));
        SPN_TRY(check_width(&w, range[1], options, err));
        out->samples++;
    }
    if (out->samples == 0)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: line 1: no samples; a data set needs at least one", source->name);
    SPN_TRY(find_first(out, &w, range, options, err));
    if (options->features != 0)
        out->features = options->features;
    return SPN_OK;
}

/* Labels are integers, such as 3, -1, +1 or 2.0; each class has one name however it is written. */
static spn_status add_label(spn_labels *labels, const walk *w, spn_span token, spn_error *err)
{
    char place[40];
    double value;
    snprintf(place, sizeof place, "line %zu", w->lines.number);
    if (spn_number_read(&value, token) != SPN_NUMBER_FINITE || value != rint(value) ||
        fabs(value) > 1e15)
        return fault(w, token, "is not a label: expected an integer from -1e15 to 1e15", err);
    return spn_labels_add_integer(labels, (int64_t)value, place, err);
}

static spn_status refuse_missing(const filling *f, const spn_source *source, const shape *s,
                                 spn_error *err)
{
    char remedy[160];
    return spn_fail(err, SPN_ERROR_INPUT, "%s: sample %zu, index %zu: not a finite number; %s",
                    source->name, f->gaps.first_sample + 1, f->gaps.first_feature + s->first,
                    spn_gaps_remedy(remedy, sizeof remedy, &f->gaps));
}

static spn_status read_samples(const spn_source *source, const shape *s, filling *f, bool labelled,
                               spn_error *err)
{
    walk w = walk_of(source);
    for (size_t n = 0; next_sample(&w); n++) {
        spn_span token;
        bool any = next_token(&w, &token);
        if (labelled)
            SPN_TRY(add_label(&f->labels, &w, token, err));
        if (s->labelled)
            any = next_token(&w, &token);
        any = pass_group(&w, &token, any);
        SPN_TRY(read_entries(&w, token, any, f, n, s, NULL, err));
    }
    return spn_gaps_refused(&f->gaps) ? refuse_missing(f, source, s, err) : SPN_OK;
}

static spn_status too_large(const spn_source *source, const shape *s, size_t max_bytes,
                            spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: %zu samples of %zu features need more than the %zu bytes allowed: zeros "
                    "take memory, too; keep fewer samples, or only the features that are often "
                    "not 0",
                    source->name, s->samples, s->features, max_bytes);
}

/* Zeros that are not in the file take memory: a few bytes must not ask for gigabytes. Real sparse
   data has less than a hundred cells for a byte. */
static spn_status check_cells(const spn_source *source, const shape *s, spn_error *err)
{
    const size_t free_cells = 1 << 26, cells_per_byte = 256;
    const size_t most = source->size < free_cells / cells_per_byte ? free_cells
                        : source->size < SIZE_MAX / cells_per_byte ? source->size * cells_per_byte
                                                                   : SIZE_MAX;
    if (s->features == 0 || s->samples <= most / s->features)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: %zu samples of %zu features are almost all zeros, which take memory, too: "
                    "at most %zu in a file of %zu bytes; renumber the features that occur",
                    source->name, s->samples, s->features, most, source->size);
}

/* If indices count from 0, later files must count so, too. */
static spn_status keep_first(spn_dataset *dataset, const shape *s, const spn_read_options *options,
                             spn_error *err)
{
    if (s->first == 1)
        return SPN_OK;
    const spn_missing missing = options->columns ? options->columns->missing : options->missing;
    SPN_TRY(spn_columns_plain(&dataset->columns, dataset->features, missing, err));
    dataset->columns->first_index = 0;
    return SPN_OK;
}

static spn_status fill(spn_dataset *dataset, const spn_source *source, const shape *s,
                       const spn_read_options *options, spn_error *err)
{
    const bool labelled = s->labelled && options->labels != SPN_LABELS_NONE;
    filling f = {.gaps = spn_gaps_of(options, s->features)};
    dataset->samples = s->samples;
    dataset->features = s->features;
    if (s->features > 0 && s->samples > options->max_bytes / s->features)
        return too_large(source, s, options->max_bytes, err);
    SPN_TRY(check_cells(source, s, err));
    spn_status status;
    SPN_TRY_OR(cleanup, spn_cells_begin(&f.cells, source->name, s->samples, s->features,
                                        options->max_bytes, err));
    if (labelled)
        SPN_TRY_OR(cleanup, spn_labels_begin(&f.labels, source->name, s->samples, err));
    SPN_TRY_OR(cleanup, read_samples(source, s, &f, labelled, err));
    if (labelled)
        SPN_TRY_OR(cleanup, spn_labels_finish(&f.labels, dataset, err));
    SPN_TRY_OR(cleanup, keep_first(dataset, s, options, err));
    spn_cells_finish(&f.cells, dataset);
    dataset->missing = f.gaps.nan;
cleanup:
    spn_cells_free(&f.cells);
    spn_labels_free(&f.labels);
    return status;
}

spn_status spn_parse_svmlight(spn_dataset *out, const spn_source *source, const spn_source *labels,
                              const spn_read_options *options, spn_error *err)
{
    if (labels)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: svmlight holds its labels itself; leave out the file of labels",
                        source->name);
    shape s;
    SPN_TRY(measure(&s, source, options, err));
    if (!s.labelled && !spn_labels_not_needed(options))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: line 1: no label before the first index; put one, or read the file as "
                        "data without labels",
                        source->name);
    return fill(out, source, &s, options, err);
}
