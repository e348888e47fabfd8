/* Svmlight, also called LIBSVM: "label index:value index:value ... # comment". Sparse in the file,
   dense in memory, so the first pass looks only for the number of samples and the largest index. */
#include "data/cells.h"
#include "data/labels.h"
#include "data/parse.h"

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
    size_t index; /* from 1 */
    double value;
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
    if (size == 0 || index == 0)
        return fault(w, token, "needs an index of 1 or more; count features from 1", err);
    *out = index;
    return SPN_OK;
}

/* after is the index before this one on the line, 0 for the first. */
static spn_status read_entry(entry *out, const walk *w, spn_span token, size_t after,
                             spn_error *err)
{
    const char *colon = memchr(token.text, ':', token.size);
    if (!colon)
        return fault(w, token, "is not index:value, such as 12:0.5", err);
    size_t size = (size_t)(colon - token.text);
    spn_status status = read_index(&out->index, w, token, size, err);
    if (status != SPN_OK)
        return status;
    if (out->index <= after)
        return fault(w, token, "comes out of order; indices must ascend along a line", err);
    spn_number kind = spn_number_read(&out->value, (spn_span){colon + 1, token.size - size - 1});
    if (kind == SPN_NUMBER_NOT_FINITE)
        return fault(w, token, "is not finite; fill in or remove such values", err);
    if (kind == SPN_NUMBER_NONE)
        return fault(w, token, "has no number after its colon; expected index:value", err);
    return SPN_OK;
}

/* ---- the passes ---- */

typedef struct shape {
    size_t samples;
    size_t features;
    bool labelled;
} shape;

static walk walk_of(const spn_source *source)
{
    return (walk){.source = source, .lines = spn_lines_of(source)};
}

/* The entries of the current line; those before it were taken already. Where cells is not NULL they
   go to the row that starts at `start`; where largest is not NULL it grows to the largest index. */
static spn_status read_entries(walk *w, spn_span token, bool any, spn_cells *cells, size_t start,
                               size_t *largest, spn_error *err)
{
    entry e = {0};
    spn_status status = SPN_OK;
    for (; any && status == SPN_OK; any = next_token(w, &token)) {
        status = read_entry(&e, w, token, e.index, err);
        if (status == SPN_OK && cells)
            status = spn_cells_put(cells, start + e.index - 1, e.value, err);
        if (status == SPN_OK && largest && e.index > *largest)
            *largest = e.index;
    }
    return status;
}

static spn_status check_width(const walk *w, const shape *s, size_t expected, spn_error *err)
{
    if (expected == 0 || s->features <= expected)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: index %zu; expected at most %zu features",
                    w->source->name, w->lines.number, s->features, expected);
}

static spn_status measure(shape *out, const spn_source *source, const spn_read_options *options,
                          spn_error *err)
{
    walk w = walk_of(source);
    spn_status status = SPN_OK;
    *out = (shape){0};
    while (status == SPN_OK && next_sample(&w)) {
        spn_span token;
        bool any = next_token(&w, &token), labelled = !has_colon(token);
        if (out->samples == 0)
            out->labelled = labelled;
        if (labelled != out->labelled)
            return fault(&w, token,
                         "differs from the lines before: all start with a label, or none", err);
        if (labelled)
            any = next_token(&w, &token);
        status = read_entries(&w, token, any, NULL, 0, &out->features, err);
        if (status == SPN_OK)
            status = check_width(&w, out, options->features, err);
        out->samples++;
    }
    if (status == SPN_OK && out->samples == 0)
        status = spn_fail(err, SPN_ERROR_INPUT,
                          "%s: line 1: no samples; an empty data set is of no use", source->name);
    if (options->features != 0)
        out->features = options->features;
    return status;
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

static spn_status read_samples(const spn_source *source, const shape *s, spn_cells *cells,
                               spn_labels *labels, spn_error *err)
{
    walk w = walk_of(source);
    spn_status status = SPN_OK;
    for (size_t n = 0; status == SPN_OK && next_sample(&w); n++) {
        spn_span token;
        bool any = next_token(&w, &token);
        if (s->labelled) {
            if (labels)
                status = add_label(labels, &w, token, err);
            any = next_token(&w, &token);
        }
        if (status == SPN_OK)
            status = read_entries(&w, token, any, cells, n * s->features, NULL, err);
    }
    return status;
}

static spn_status fill(spn_dataset *dataset, const spn_source *source, const shape *s,
                       const spn_read_options *options, spn_error *err)
{
    bool labelled = s->labelled && options->labels != SPN_LABELS_NONE;
    spn_cells cells = {0};
    spn_labels labels = {0};
    dataset->samples = s->samples;
    dataset->features = s->features;
    spn_status status =
        spn_cells_begin(&cells, source->name, s->samples, s->features, options->max_bytes, err);
    if (status == SPN_OK && labelled)
        status = spn_labels_begin(&labels, source->name, s->samples, err);
    if (status == SPN_OK)
        status = read_samples(source, s, &cells, labelled ? &labels : NULL, err);
    if (status == SPN_OK && labelled)
        status = spn_labels_finish(&labels, dataset, err);
    if (status == SPN_OK)
        spn_cells_finish(&cells, dataset);
    spn_cells_free(&cells);
    spn_labels_free(&labels);
    return status;
}

spn_status spn_parse_svmlight(spn_dataset *out, const spn_source *source, const spn_source *labels,
                              const spn_read_options *options, spn_error *err)
{
    if (labels)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: svmlight carries its labels itself; leave out the file of labels",
                        source->name);
    shape s;
    spn_status status = measure(&s, source, options, err);
    if (status == SPN_OK && !s.labelled && !spn_labels_not_needed(options))
        status =
            spn_fail(err, SPN_ERROR_INPUT,
                     "%s: line 1: no label before the first index; put one, or read the file as "
                     "data without labels",
                     source->name);
    return status == SPN_OK ? fill(out, source, &s, options, err) : status;
}
