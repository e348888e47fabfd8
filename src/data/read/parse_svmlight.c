/* Svmlight, also called LIBSVM: "label qid:number index:value index:value ... # comment". Sparse in
   the file, dense in memory, so the first pass looks only for the number of samples and the
   smallest and largest index. Indices count from 0 if one of them is 0, otherwise from 1. */
#include "base/try.h"
#include "data/read/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reading {
    const spn_source *source;
    const spn_read_options *options;
    spn_cells *out;
    spn_lines lines;
    spn_span rest;    /* of the line */
    const char *line; /* where it starts */
    /* what the first pass finds */
    size_t least, most; /* index */
    size_t first;       /* the index of the first feature, 0 or 1 */
    bool labelled;
} reading;

/* ---- tokens ---- */

/* The next line that holds more than a comment. */
static bool next_sample(reading *r)
{
    spn_span line;
    while (spn_lines_next(&r->lines, &line)) {
        const char *comment = memchr(line.text, '#', line.size);
        if (comment)
            line.size = (size_t)(comment - line.text);
        r->line = line.text;
        r->rest = spn_trim(line);
        if (r->rest.size > 0)
            return true;
    }
    return false;
}

static bool next_token(reading *r, spn_span *out)
{
    r->rest = spn_trim(r->rest);
    size_t size = 0;
    while (size < r->rest.size && r->rest.text[size] != ' ' && r->rest.text[size] != '\t')
        size++;
    *out = (spn_span){r->rest.text, size};
    r->rest.text += size;
    r->rest.size -= size;
    return size > 0;
}

static spn_status fault(const reading *r, spn_span token, const char *what, spn_error *err)
{
    char shown[SPN_SHOWN];
    return spn_source_fail(r->source, err, "line %zu, column %zu: '%s' %s", r->lines.number,
                           (size_t)(token.text - r->line) + 1, spn_show(shown, token), what);
}

/* ---- index:value ---- */

static spn_status read_index(size_t *out, const reading *r, spn_span token, size_t size,
                             spn_error *err)
{
    *out = 0;
    for (size_t k = 0; k < size; k++) {
        if (token.text[k] < '0' || token.text[k] > '9')
            return fault(r, token, "has no index before its colon; expected index:value", err);
        *out = *out * 10 + (size_t)(token.text[k] - '0');
        if (*out > UINT32_MAX)
            return fault(r, token, "has an index above 4294967295; renumber the features", err);
    }
    if (size == 0)
        return fault(r, token, "needs an index before its colon; expected index:value", err);
    return SPN_OK;
}

/* after is 1 more than the index before this one on the line, 0 for the first. value: NaN if it is
   missing. */
static spn_status read_entry(size_t *index, double *value, const reading *r, spn_span token,
                             size_t after, spn_error *err)
{
    const char *colon = memchr(token.text, ':', token.size);
    if (!colon)
        return fault(r, token, "is not index:value, such as 12:0.5", err);
    const size_t size = (size_t)(colon - token.text);
    SPN_TRY(read_index(index, r, token, size, err));
    if (*index < after)
        return fault(r, token, "comes out of order; indices must ascend along a line", err);
    const spn_span number = {colon + 1, token.size - size - 1};
    const spn_number kind = spn_number_read(value, number);
    if (kind == SPN_NUMBER_NOT_FINITE && spn_is_missing(number))
        *value = (double)NAN;
    else if (kind == SPN_NUMBER_NOT_FINITE)
        return fault(r, token, "is not finite; correct or remove such values", err);
    if (kind == SPN_NUMBER_NONE)
        return fault(r, token, "has no number after its colon; expected index:value", err);
    return SPN_OK;
}

static spn_status put_entry(reading *r, size_t n, size_t index, double value, spn_error *err)
{
    const size_t i = index - r->first;
    if (isnan(value)) {
        spn_gaps_add(r->out, n, i);
        value = spn_gaps_value(r->out, i);
    }
    return spn_cells_put(r->out, n * r->out->dataset->features + i, value, err);
}

/* Read the entries of the current line, from a token on; in the second pass they go to sample n. A
   group of samples, which is for ranking, is skipped. */
static spn_status read_entries(reading *r, spn_span token, bool second, size_t n, spn_error *err)
{
    bool any = token.size > 0;
    if (token.size > 4 && memcmp(token.text, "qid:", 4) == 0)
        any = next_token(r, &token);
    size_t index = 0;
    double value = 0;
    for (size_t after = 0; any; after = index + 1, any = next_token(r, &token)) {
        SPN_TRY(read_entry(&index, &value, r, token, after, err));
        if (second)
            SPN_TRY(put_entry(r, n, index, value, err));
        r->least = index < r->least ? index : r->least;
        r->most = index > r->most ? index : r->most;
    }
    return SPN_OK;
}

/* ---- the first pass ---- */

/* Indices start as in the recipe, or at 0 if there is an index 0; if the number of features is
   given and nothing else is known, at 1. */
static spn_status find_first(reading *r, spn_error *err)
{
    r->first = r->least == 0 ? 0 : 1;
    if (r->options->columns)
        r->first = r->options->columns->first_index;
    else if (r->options->features != 0)
        r->first = 1;
    if (r->first > r->least)
        return spn_source_fail(r->source, err,
                               "line %zu: index 0, but the training data counts features from 1; "
                               "renumber one of the two (an entry 0:0 makes a file count from 0)",
                               r->lines.number);
    r->out->dataset->features =
        r->options->features ? r->options->features : r->most + 1 - r->first;
    return SPN_OK;
}

static spn_status check_width(const reading *r, spn_error *err)
{
    const spn_read_options *o = r->options;
    const size_t first = o->columns ? o->columns->first_index : 1;
    if (o->features == 0 || r->most < o->features + first)
        return SPN_OK;
    return spn_source_fail(r->source, err, "line %zu: index %zu; expected at most %zu features",
                           r->lines.number, r->most, o->features);
}

static spn_status measure(reading *r, spn_error *err)
{
    size_t samples = 0;
    for (; next_sample(r); samples++) {
        spn_span token;
        next_token(r, &token);
        const bool labelled = !memchr(token.text, ':', token.size);
        if (samples == 0)
            r->labelled = labelled;
        if (labelled != r->labelled)
            return fault(r, token, "differs from the lines before: all start with a label, or none",
                         err);
        if (labelled)
            next_token(r, &token);
        SPN_TRY(read_entries(r, token, false, 0, err));
        SPN_TRY(check_width(r, err));
    }
    if (samples == 0)
        return spn_source_fail(r->source, err, "line 1: no samples; a data set needs at least one");
    r->out->dataset->samples = samples;
    SPN_TRY(find_first(r, err));
    if (!r->labelled && !spn_labels_not_needed(r->options))
        return spn_source_fail(r->source, err,
                               "line 1: no label before the first index; put one, or read the file "
                               "as data without labels");
    return SPN_OK;
}

/* Zeros that are not in the file take memory: a few bytes must not ask for gigabytes. Real sparse
   data has less than a hundred cells for a byte. */
static spn_status check_cells(const reading *r, spn_error *err)
{
    const size_t free_cells = 1 << 26, cells_per_byte = 256, size = r->source->size;
    const size_t most = size < free_cells / cells_per_byte ? free_cells
                        : size < SIZE_MAX / cells_per_byte ? size * cells_per_byte
                                                           : SIZE_MAX;
    const size_t samples = r->out->dataset->samples, features = r->out->dataset->features;
    if (features > 0 && samples > r->options->max_bytes / features)
        return spn_source_fail(
            r->source, err,
            "%zu samples of %zu features need more than the %zu bytes allowed: zeros take memory, "
            "too; keep fewer samples, or only the features that are often not 0",
            samples, features, r->options->max_bytes);
    if (features > 0 && samples > most / features)
        return spn_source_fail(
            r->source, err,
            "%zu samples of %zu features are almost all zeros, which take memory, too: at most %zu "
            "in a file of %zu bytes; renumber the features that occur",
            samples, features, most, size);
    return SPN_OK;
}

/* ---- the second pass ---- */

/* Labels are integers, such as 3, -1, +1 or 2.0; each class has one name however it is written. */
static spn_status add_label(reading *r, spn_span token, spn_error *err)
{
    char place[40], text[24];
    double value;
    snprintf(place, sizeof place, "line %zu", r->lines.number);
    if (spn_number_read(&value, token) != SPN_NUMBER_FINITE || value != rint(value) ||
        fabs(value) > 1e15)
        return fault(r, token, "is not a label: expected an integer from -1e15 to 1e15", err);
    const int size = snprintf(text, sizeof text, "%" PRId64, (int64_t)value);
    return spn_labels_add(r->out, (spn_span){text, (size_t)size}, place, err);
}

static spn_status read_samples(reading *r, spn_error *err)
{
    char remedy[SPN_REMEDY];
    r->lines = spn_lines_of(r->source);
    for (size_t n = 0; next_sample(r); n++) {
        spn_span token;
        next_token(r, &token);
        if (r->out->dataset->labels)
            SPN_TRY(add_label(r, token, err));
        if (r->labelled)
            next_token(r, &token);
        SPN_TRY(read_entries(r, token, true, n, err));
    }
    if (!spn_gaps_refused(r->out))
        return SPN_OK;
    return spn_source_fail(r->source, err, "sample %zu, index %zu: not a finite number; %s",
                           r->out->first_row + 1, r->out->first_column + r->first,
                           spn_gaps_remedy(remedy, r->out));
}

/* If indices count from 0, later files must count so, too. */
static spn_status keep_first(const reading *r, spn_error *err)
{
    const spn_read_options *o = r->options;
    spn_dataset *dataset = r->out->dataset;
    if (r->first == 1)
        return SPN_OK;
    const spn_missing missing = o->columns ? o->columns->missing : o->missing;
    SPN_TRY(spn_columns_plain(&dataset->columns, dataset->features, missing, err));
    dataset->columns->first_index = 0;
    return SPN_OK;
}

spn_status spn_parse_svmlight(spn_cells *out, const spn_source *source, const spn_source *labels,
                              const spn_read_options *options, spn_error *err)
{
    if (labels)
        return spn_source_fail(source, err,
                               "svmlight holds its labels itself; leave out the file of labels");
    reading r = {.source = source,
                 .options = options,
                 .out = out,
                 .lines = spn_lines_of(source),
                 .least = 1};
    SPN_TRY(measure(&r, err));
    SPN_TRY(check_cells(&r, err));
    SPN_TRY(spn_cells_begin(out, source->name, options, err));
    if (r.labelled && options->labels != SPN_LABELS_NONE)
        SPN_TRY(spn_labels_begin(out, source->name, err));
    SPN_TRY(read_samples(&r, err));
    return keep_first(&r, err);
}
