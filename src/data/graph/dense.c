/* Graphs as a dense matrix in text: a line for each row, separated by semicolons, commas, tabs or
   blanks; before them, maybe, a line with the names of the variables, and then, maybe, each row
   starts with its own. */
#include "data/graph/graph.h"

#include "base/memory.h"
#include "base/try.h"

#include <stdlib.h>
#include <string.h>

typedef struct dense_reading {
    spn_graph *graph;
    char mark;           /* what separates fields; ' ': blanks */
    spn_name_map *names; /* NULL: there is no header */
    double *matrix;
    size_t capacity, rows;
} dense_reading;

/* ---- fields ---- */

static char find_mark(spn_span line)
{
    static const char marks[] = {';', ',', '\t', 0};
    size_t k = 0;
    while (marks[k] && !memchr(line.text, marks[k], line.size))
        k++;
    return marks[k] ? marks[k] : ' ';
}

/* The next field of the line, without the blanks around it; false after the last. A mark at the
   end of the line is followed by an empty field. */
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

/* Without the quotes around it. */
static spn_span unquote(spn_span field)
{
    if (field.size >= 2 && field.text[0] == '"' && field.text[field.size - 1] == '"')
        return (spn_span){field.text + 1, field.size - 2};
    return field;
}

/* ---- header ---- */

static bool is_header(spn_span line, char mark)
{
    spn_span field;
    double value;
    while (next_field(&field, &line, mark))
        if (spn_number_read(&value, field) == SPN_NUMBER_NONE)
            return true;
    return false;
}

/* The names; an empty one at the start is that of the column that names the rows. */
static spn_status read_header(dense_reading *reading, spn_error *err)
{
    spn_graph *graph = reading->graph;
    spn_span rest = graph->walk->line, field;
    char shown[SPN_SHOWN];
    reading->names = spn_name_map_create();
    if (!reading->names)
        return spn_walk_no_memory(graph->walk, err);
    for (size_t k = 0; next_field(&field, &rest, reading->mark); k++) {
        const spn_span name = unquote(field);
        uint32_t number;
        bool added;
        if (k == 0 && name.size == 0)
            continue;
        SPN_TRY(spn_name_map_put(&number, &added, reading->names, name, graph->walk, err));
        if (!added)
            return spn_walk_fail(graph->walk, err, "the name '%s' is there twice",
                                 spn_show(shown, name));
    }
    graph->problem->sites = spn_name_map_count(reading->names);
    return SPN_OK;
}

/* ---- rows ---- */

static spn_status bad_width(const dense_reading *reading, size_t fields, spn_error *err)
{
    return spn_walk_fail(reading->graph->walk, err, "%zu fields, but the %s has %zu", fields,
                         reading->names ? "line of names" : "first row",
                         reading->graph->problem->sites);
}

/* The name of the row, where each has one. */
static spn_status check_row_name(const dense_reading *reading, spn_span field, spn_error *err)
{
    const char *name = spn_name_map_at(reading->names, reading->rows);
    char shown[SPN_SHOWN];
    if (spn_span_is(unquote(field), name))
        return SPN_OK;
    return spn_walk_fail(reading->graph->walk, err,
                         "the row is called '%s', but the column of its number '%s'",
                         spn_show(shown, field), name);
}

static spn_status read_fields(dense_reading *reading, spn_span rest, spn_error *err)
{
    const size_t n = reading->graph->problem->sites, i = reading->rows;
    double *row = reading->matrix + i * n;
    for (size_t j = 0; j < n; j++) {
        spn_span field = {"", 0};
        char shown[SPN_SHOWN];
        next_field(&field, &rest, reading->mark);
        if (spn_graph_number(&row[j], field) != SPN_NUMBER_FINITE)
            return spn_walk_fail(reading->graph->walk, err,
                                 "field %zu, '%s', is not a finite number", j + 1,
                                 spn_show(shown, field));
        SPN_TRY(spn_graph_check_weight(reading->graph, row[j], err));
        if (j <= i)
            SPN_TRY(spn_graph_check_entry(reading->graph, reading->matrix, i, j, err));
    }
    return SPN_OK;
}

static spn_status read_row(dense_reading *reading, spn_error *err)
{
    spn_graph *graph = reading->graph;
    spn_span rest = graph->walk->line, name;
    const size_t fields = count_fields(rest, reading->mark);
    if (graph->problem->sites == 0)
        graph->problem->sites = fields;
    const size_t n = graph->problem->sites;
    if (reading->rows == n)
        return spn_walk_fail(graph->walk, err, "more than %zu rows; a dense matrix is square%s", n,
                             n == 3 ? ", or is this a list of `i j value`, coo?" : "");
    if (!spn_grow(&reading->matrix, &reading->capacity, (reading->rows + 1) * n,
                  sizeof *reading->matrix))
        return spn_walk_no_memory(graph->walk, err);
    if (reading->names && fields == n + 1) {
        next_field(&name, &rest, reading->mark);
        SPN_TRY(check_row_name(reading, name, err));
    } else if (fields != n) {
        return bad_width(reading, fields, err);
    }
    spn_status status = read_fields(reading, rest, err);
    reading->rows++;
    return status;
}

static spn_status read_matrix(dense_reading *reading, spn_error *err)
{
    spn_graph *graph = reading->graph;
    spn_status status = SPN_OK;
    bool first = true;
    while (!status && spn_graph_line(graph, &status, err)) {
        if (first)
            reading->mark = find_mark(graph->walk->line);
        status = first && is_header(graph->walk->line, reading->mark) ? read_header(reading, err)
                                                                      : read_row(reading, err);
        first = false;
    }
    if (status)
        return status;
    const size_t n = graph->problem->sites;
    if (n == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: empty; expected a square matrix of numbers",
                        graph->walk->source->name);
    if (reading->rows < n)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %zu rows of %zu numbers; a dense matrix is square%s",
                        graph->walk->source->name, reading->rows, n,
                        n == 3 ? ", or is this a list of `i j value`, coo?" : "");
    return spn_graph_add_matrix(graph, reading->matrix, err);
}

spn_status spn_read_dense(spn_graph *graph, spn_error *err)
{
    dense_reading reading = {.graph = graph};
    spn_status status = read_matrix(&reading, err);
    if (!status && reading.names)
        spn_name_map_give(graph->problem, reading.names);
    spn_name_map_free(reading.names);
    free(reading.matrix);
    return status;
}
