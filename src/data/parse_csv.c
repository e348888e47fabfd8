/* CSV: one sample per line, columns separated by commas, the label first or last.

   Two passes. The first counts lines and checks that all have the same number of columns, so that
   the memory taken is bounded by the size of the file; the second reads the numbers. */
#include "data/cells.h"
#include "data/labels.h"
#include "data/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
    const spn_source *source;
    const spn_read_options *options;
    size_t columns;
    size_t label_column; /* from 0; NO_COLUMN without labels */
    size_t samples;
    bool header;
} table;

#define NO_COLUMN SIZE_MAX

/* ---- fields ---- */

typedef struct row {
    spn_span rest;
    size_t line;
    size_t column; /* of the field given last, from 1 */
    bool ended;
    const char *fault;
} row;

typedef struct field {
    spn_span text;
    bool quoted;
} field;

static row row_of(spn_span line, size_t number)
{
    return (row){.rest = line, .line = number};
}

/* Move behind the comma at `size` characters, or end the row. */
static void pass_over(row *r, size_t size)
{
    r->ended = size == r->rest.size;
    size_t step = r->ended ? size : size + 1;
    r->rest.text += step;
    r->rest.size -= step;
}

/* A field in quotes; a quote within is doubled. The text given keeps the doubled ones. */
static void take_quoted(row *r, field *out)
{
    size_t end = 1;
    while (end < r->rest.size) {
        if (r->rest.text[end] != '"')
            end++;
        else if (end + 1 < r->rest.size && r->rest.text[end + 1] == '"')
            end += 2;
        else
            break;
    }
    if (end >= r->rest.size) {
        r->fault = "a quote is not closed on its line";
        end = r->rest.size - 1;
    }
    *out = (field){{r->rest.text + 1, end > 0 ? end - 1 : 0}, true};
    size_t next = end + 1;
    while (next < r->rest.size && (r->rest.text[next] == ' ' || r->rest.text[next] == '\t'))
        next++;
    if (next < r->rest.size && r->rest.text[next] != ',') {
        r->fault = "something follows a closing quote";
        next = r->rest.size;
    }
    pass_over(r, next);
}

static bool take_field(row *r, field *out)
{
    if (r->ended || r->fault)
        return false;
    r->column++;
    while (r->rest.size > 0 && (r->rest.text[0] == ' ' || r->rest.text[0] == '\t')) {
        r->rest.text++;
        r->rest.size--;
    }
    if (r->rest.size > 0 && r->rest.text[0] == '"') {
        take_quoted(r, out);
        return !r->fault;
    }
    const char *comma = r->rest.size > 0 ? memchr(r->rest.text, ',', r->rest.size) : NULL;
    size_t size = comma ? (size_t)(comma - r->rest.text) : r->rest.size;
    *out = (field){spn_trim((spn_span){r->rest.text, size}), false};
    pass_over(r, size);
    return true;
}

static spn_status row_fault(const table *t, const row *r, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu, column %zu: %s; double it or remove it",
                    t->source->name, r->line, r->column, r->fault);
}

static spn_status count_columns(size_t *out, const table *t, spn_span line, size_t number,
                                spn_error *err)
{
    size_t count = 1;
    if (!memchr(line.text, '"', line.size)) {
        for (size_t k = 0; k < line.size; k++)
            count += line.text[k] == ',';
        *out = count;
        return SPN_OK;
    }
    row r = row_of(line, number);
    field f;
    while (take_field(&r, &f))
        ;
    *out = r.column;
    return r.fault ? row_fault(t, &r, err) : SPN_OK;
}

/* ---- the shape of the table ---- */

static spn_status place_labels(table *t, size_t line, spn_error *err)
{
    size_t features = t->options->features;
    spn_label_place place = t->options->labels;
    if (t->options->labels_optional && features != 0 && t->columns == features)
        place = SPN_LABELS_NONE;
    t->label_column = place == SPN_LABELS_NONE    ? NO_COLUMN
                      : place == SPN_LABELS_FIRST ? 0
                                                  : t->columns - 1;
    size_t labels = place != SPN_LABELS_NONE;
    if (t->columns == labels)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: line %zu: one column, which is the label; expected features too, "
                        "separated by commas",
                        t->source->name, line);
    if (features != 0 && t->columns - labels != features)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: %zu columns; expected %zu features%s",
                        t->source->name, line, t->columns, features,
                        labels ? " and a label" : " and no label");
    return SPN_OK;
}

/* What the fields of a line look like. */
typedef struct looks {
    size_t numbers;
    size_t texts;
    size_t first_text; /* its column, from 1 */
    enum { LABEL_NONE, LABEL_TEXT, LABEL_NUMBER } label;
} looks;

static looks look_at(const table *t, spn_span line)
{
    looks l = {0};
    row r = row_of(line, 0);
    field f;
    double value;
    while (take_field(&r, &f)) {
        bool text = spn_number_read(&value, f.text) == SPN_NUMBER_NONE && f.text.size > 0;
        if (r.column - 1 == t->label_column) {
            l.label = f.text.size == 0 ? LABEL_NONE : text ? LABEL_TEXT : LABEL_NUMBER;
        } else if (text) {
            l.first_text = l.texts++ == 0 ? r.column : l.first_text;
        } else {
            l.numbers++;
        }
    }
    if (r.column != t->columns)
        l.label = LABEL_NONE;
    return l;
}

/* A guess that drops a sample or makes one up would go unnoticed: where in doubt, ask. */
static spn_status decide_header(table *t, spn_lines lines, spn_span first, spn_error *err)
{
    size_t number = lines.number;
    spn_span second;
    t->header = t->options->header == SPN_HEADER_YES;
    if (t->options->header != SPN_HEADER_AUTO)
        return SPN_OK;
    looks l = look_at(t, first);
    if (l.texts > 0 && l.numbers > 0)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: line %zu, column %zu: not a number, though other features are; correct "
            "it, or say that the first line is a header",
            t->source->name, number, l.first_text);
    t->header = l.texts > 0;
    if (!t->header && l.label == LABEL_TEXT && spn_lines_next(&lines, &second) &&
        look_at(t, second).label == LABEL_NUMBER)
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: line %zu, column %zu: a text, but in line %zu a number: say whether the "
            "first line is a header",
            t->source->name, number, t->label_column + 1, lines.number);
    return SPN_OK;
}

static spn_status measure(table *t, spn_error *err)
{
    spn_lines lines = spn_lines_of(t->source);
    spn_span line;
    if (!spn_lines_next(&lines, &line))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: line 1: no samples; an empty data set is of no use", t->source->name);
    spn_status status = count_columns(&t->columns, t, line, lines.number, err);
    if (status == SPN_OK)
        status = place_labels(t, lines.number, err);
    if (status == SPN_OK)
        status = decide_header(t, lines, line, err);
    t->samples = !t->header;
    while (status == SPN_OK && spn_lines_next(&lines, &line)) {
        size_t columns;
        status = count_columns(&columns, t, line, lines.number, err);
        if (status == SPN_OK && columns != t->columns)
            status = spn_fail(err, SPN_ERROR_INPUT,
                              "%s: line %zu: %zu columns, but %zu in the lines before; every line "
                              "needs the same",
                              t->source->name, lines.number, columns, t->columns);
        t->samples++;
    }
    if (status == SPN_OK && t->samples == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: a header and no samples after it",
                        t->source->name, lines.number);
    return status;
}

/* ---- the numbers ---- */

static spn_status number_fault(const table *t, const row *r, spn_span text, spn_number kind,
                               spn_error *err)
{
    char shown[SPN_SHOWN];
    const char *what = text.size == 0 ? "is empty; fill in or remove missing values"
                       : kind == SPN_NUMBER_NOT_FINITE
                           ? "is not finite; fill in or remove such values"
                           : "is not a number such as -1.5 or 2e3";
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu, column %zu: '%s' %s", t->source->name,
                    r->line, r->column, spn_show(shown, text), what);
}

/* The label as it is meant: "a ""b""" is a "b". */
static spn_status add_label(spn_labels *labels, const field *f, size_t line, spn_error *err)
{
    char place[40], plain[600];
    snprintf(place, sizeof place, "line %zu", line);
    spn_span text = f->text;
    if (f->quoted && text.size <= sizeof plain) {
        size_t size = 0;
        for (size_t k = 0; k < f->text.size; k++) {
            plain[size++] = f->text.text[k];
            k += f->text.text[k] == '"';
        }
        text = (spn_span){plain, size};
    }
    return spn_labels_add(labels, text, place, err);
}

static spn_status read_row(const table *t, row *r, spn_cells *cells, size_t *index,
                           spn_labels *labels, spn_error *err)
{
    field f;
    spn_status status = SPN_OK;
    while (status == SPN_OK && take_field(r, &f)) {
        double value;
        spn_number kind;
        if (r->column - 1 == t->label_column)
            status = add_label(labels, &f, r->line, err);
        else if ((kind = spn_number_read(&value, f.text)) != SPN_NUMBER_FINITE)
            status = number_fault(t, r, f.text, kind, err);
        else
            status = spn_cells_put(cells, (*index)++, value, err);
    }
    return status;
}

static spn_status read_rows(const table *t, spn_cells *cells, spn_labels *labels, spn_error *err)
{
    spn_lines lines = spn_lines_of(t->source);
    spn_span line;
    size_t index = 0;
    spn_status status = SPN_OK;
    if (t->header)
        spn_lines_next(&lines, &line);
    while (status == SPN_OK && spn_lines_next(&lines, &line)) {
        row r = row_of(line, lines.number);
        status = read_row(t, &r, cells, &index, labels, err);
    }
    return status;
}

static spn_status fill(spn_dataset *dataset, const table *t, spn_error *err)
{
    bool labelled = t->label_column != NO_COLUMN;
    spn_cells cells = {0};
    spn_labels labels = {0};
    dataset->samples = t->samples;
    dataset->features = t->columns - labelled;
    spn_status status = spn_cells_begin(&cells, t->source->name, dataset->samples,
                                        dataset->features, t->options->max_bytes, err);
    if (status == SPN_OK && labelled)
        status = spn_labels_begin(&labels, t->source->name, t->samples, err);
    if (status == SPN_OK)
        status = read_rows(t, &cells, &labels, err);
    if (status == SPN_OK && labelled)
        status = spn_labels_finish(&labels, dataset, err);
    if (status == SPN_OK)
        spn_cells_finish(&cells, dataset);
    spn_cells_free(&cells);
    spn_labels_free(&labels);
    return status;
}

spn_status spn_parse_csv(spn_dataset *out, const spn_source *source, const spn_source *labels,
                         const spn_read_options *options, spn_error *err)
{
    if (labels)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: CSV carries its labels in a column; leave out the file of labels",
                        source->name);
    table t = {.source = source, .options = options};
    spn_status status = measure(&t, err);
    return status == SPN_OK ? fill(out, &t, err) : status;
}
