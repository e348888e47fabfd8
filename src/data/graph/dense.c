/* Graphs as a dense matrix in text: one line per row, separated by semicolons, commas, tabs or
   blanks. A line with the names of the variables may come first; then each row may start with its
   name. */
#include "data/graph/graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct dense_reading {
    spn_walk *walk; /* its mark separates fields; ' ': blanks */
    double *matrix;
    size_t capacity, rows;
} dense_reading;

static char find_mark(spn_span line)
{
    static const char marks[] = {';', ',', '\t', 0};
    size_t k = 0;
    while (marks[k] && !memchr(line.text, marks[k], line.size))
        k++;
    return marks[k] ? marks[k] : ' ';
}

/* The next field without blanks around it; false after the last. A mark at the end of the line is
   followed by an empty field. */
static bool next_field(spn_span *out, spn_span *rest, char mark)
{
    if (!rest->text)
        return false;
    const char *end = memchr(rest->text, mark, rest->size);
    if (mark == ' ')
        for (end = rest->text; end < rest->text + rest->size && *end != ' ' && *end != '\t';)
            end++;
    const size_t size = end ? (size_t)(end - rest->text) : rest->size;
    *out = spn_trim((spn_span){rest->text, size});
    if (size == rest->size)
        *rest = (spn_span){NULL, 0};
    else
        *rest = spn_trim((spn_span){rest->text + size + 1, rest->size - size - 1});
    return true;
}

static size_t count_fields(spn_span line, char mark)
{
    spn_span field;
    size_t count = 0;
    while (next_field(&field, &line, mark))
        count++;
    return count;
}

static spn_span unquote(spn_span field)
{
    if (field.size >= 2 && field.text[0] == '"' && field.text[field.size - 1] == '"')
        return (spn_span){field.text + 1, field.size - 2};
    return field;
}

static bool is_header(spn_span line, char mark)
{
    spn_span field;
    double value;
    while (next_field(&field, &line, mark))
        if (spn_number_read(&value, field) == SPN_NUMBER_NONE)
            return true;
    return false;
}

/* An empty name at the start is that of the column with names of rows. */
static spn_status read_header(spn_walk *walk, spn_error *err)
{
    spn_span rest = walk->line, field;
    char shown[SPN_SHOWN];
    for (size_t k = 0; next_field(&field, &rest, walk->mark); k++) {
        const spn_span name = unquote(field);
        const uint32_t before = walk->names.count;
        uint32_t number;
        if (k == 0 && name.size == 0)
            continue;
        SPN_TRY(spn_graph_name(&number, walk, name, err));
        if (walk->names.count == before)
            return spn_walk_fail(walk, err, "the name '%s' is there twice", spn_show(shown, name));
    }
    walk->problem->sites = walk->names.count;
    return SPN_OK;
}

/* Checks the name of the row, if rows have names. */
static spn_status check_row_name(const dense_reading *reading, spn_span field, spn_error *err)
{
    const char *name = reading->walk->names.texts[reading->rows];
    char shown[SPN_SHOWN];
    if (spn_span_is(unquote(field), name))
        return SPN_OK;
    return spn_walk_fail(reading->walk, err,
                         "the row is called '%s', but the column of its number '%s'",
                         spn_show(shown, field), name);
}

static spn_status read_fields(dense_reading *reading, spn_span rest, spn_error *err)
{
    spn_walk *walk = reading->walk;
    const size_t n = walk->problem->sites, i = reading->rows;
    double *row = reading->matrix + i * n;
    for (size_t j = 0; j < n; j++) {
        spn_span field = {"", 0};
        char shown[SPN_SHOWN];
        next_field(&field, &rest, walk->mark);
        if (spn_graph_number(&row[j], field) != SPN_NUMBER_FINITE)
            return spn_walk_fail(walk, err, "field %zu, '%s', is not a finite number", j + 1,
                                 spn_show(shown, field));
        SPN_TRY(spn_graph_check_weight(walk, row[j], err));
        if (j <= i)
            SPN_TRY(spn_graph_check_entry(walk, reading->matrix, i, j, err));
    }
    return SPN_OK;
}

static const char *advice(size_t n)
{
    return n == 3 ? ", or is this a list of `i j value`, coo?" : "";
}

static spn_status read_row(dense_reading *reading, spn_error *err)
{
    spn_walk *walk = reading->walk;
    spn_span rest = walk->line, name;
    const size_t fields = count_fields(rest, walk->mark);
    const bool named = walk->names.count > 0;
    if (walk->problem->sites == 0)
        walk->problem->sites = fields;
    const size_t n = walk->problem->sites;
    if (reading->rows == n)
        return spn_walk_fail(walk, err, "more than %zu rows; a dense matrix is square%s", n,
                             advice(n));
    if (!spn_grow(&reading->matrix, &reading->capacity, (reading->rows + 1) * n,
                  sizeof *reading->matrix))
        return spn_walk_no_memory(walk, err);
    if (named && fields == n + 1) {
        next_field(&name, &rest, walk->mark);
        SPN_TRY(check_row_name(reading, name, err));
    } else if (fields != n) {
        return spn_walk_fail(walk, err, "%zu fields, but the %s has %zu", fields,
                             named ? "line of names" : "first row", n);
    }
    SPN_TRY(read_fields(reading, rest, err));
    reading->rows++;
    return SPN_OK;
}

static spn_status read_matrix(dense_reading *reading, spn_error *err)
{
    spn_walk *walk = reading->walk;
    for (bool first = true; spn_walk_line(walk, err); first = false) {
        if (first)
            walk->mark = find_mark(walk->line);
        SPN_TRY(first && is_header(walk->line, walk->mark) ? read_header(walk, err)
                                                           : read_row(reading, err));
    }
    SPN_TRY(walk->status);
    const size_t n = walk->problem->sites;
    if (n == 0)
        return spn_source_fail(walk->source, err, "empty; expected a square matrix of numbers");
    if (reading->rows < n)
        return spn_source_fail(walk->source, err,
                               "%zu rows of %zu numbers; a dense matrix is square%s", reading->rows,
                               n, advice(n));
    return spn_graph_add_matrix(walk, reading->matrix, err);
}

spn_status spn_read_dense(spn_walk *walk, spn_error *err)
{
    dense_reading reading = {.walk = walk};
    const spn_status status = read_matrix(&reading, err);
    free(reading.matrix);
    return status;
}
