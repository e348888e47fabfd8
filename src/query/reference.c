#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "query/query.h"
#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 26, MOST_COLUMNS = 64, LONGEST_NAME = 160 };

/* Cells of one line; owned texts. */
typedef struct cells {
    size_t count;
    char *text[MOST_COLUMNS];
} cells;

/* Indices of the columns that matter; MOST_COLUMNS: missing. */
typedef struct layout {
    const char *path;
    const spn_sweep_figure *request;
    cells names;
    size_t x, by, value, half;
} layout;

static void clear_cells(cells *row)
{
    for (size_t k = 0; k < row->count; k++)
        free(row->text[k]);
    row->count = 0;
}

/* Take the first cell of a line: up to a comma, or in double quotes, which are doubled inside. */
static char *take_cell(spn_span *rest)
{
    char *out = malloc(rest->size + 1);
    size_t used = 0, k = 0;
    bool quoted = false;
    if (!out)
        return NULL;
    for (; k < rest->size && (quoted || rest->text[k] != ','); k++) {
        if (rest->text[k] != '"') {
            out[used++] = rest->text[k];
        } else if (quoted && k + 1 < rest->size && rest->text[k + 1] == '"') {
            out[used++] = '"';
            k++;
        } else {
            quoted = !quoted;
        }
    }
    const spn_span trimmed = spn_trim((spn_span){out, used});
    memmove(out, trimmed.text, trimmed.size);
    out[trimmed.size] = 0;
    *rest =
        k < rest->size ? (spn_span){rest->text + k + 1, rest->size - k - 1} : (spn_span){NULL, 0};
    return out;
}

/* Returns false without memory. More than MOST_COLUMNS cells count as one too many. */
static bool split(cells *out, spn_span line)
{
    *out = (cells){0};
    spn_span rest = line;
    while (rest.text && out->count < MOST_COLUMNS) {
        if (!(out->text[out->count] = take_cell(&rest)))
            return false;
        out->count++;
    }
    return true;
}

static size_t find(const cells *names, const char *name)
{
    for (size_t k = 0; k < names->count; k++)
        if (strcmp(names->text[k], name) == 0)
            return k;
    return MOST_COLUMNS;
}

static spn_status lay_out(layout *out, spn_error *err)
{
    const spn_sweep_figure *request = out->request;
    char half[LONGEST_NAME];
    snprintf(half, sizeof half, "%s_half", request->value);
    out->x = find(&out->names, request->x);
    out->by = request->by ? find(&out->names, request->by) : MOST_COLUMNS;
    out->value = find(&out->names, request->value);
    out->half = find(&out->names, half);
    const char *missing = out->x == MOST_COLUMNS                   ? request->x
                          : request->by && out->by == MOST_COLUMNS ? request->by
                          : out->value == MOST_COLUMNS             ? request->value
                                                                   : NULL;
    if (!missing)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: there is no column '%s'; the first line names the columns %s%s%s, %s and, "
                    "if there is one, %s",
                    out->path, missing, request->x, request->by ? ", " : "",
                    request->by ? request->by : "", request->value, half);
}

static spn_status is_wanted(bool *out, const layout *l, const cells *row, spn_error *err)
{
    spn_field fields[MOST_COLUMNS];
    for (size_t k = 0; k < row->count; k++)
        fields[k] = (spn_field){.name = l->names.text[k], .text = row->text[k]};
    const spn_record record = {.setting_count = row->count, .settings = fields};
    *out = true;
    for (size_t w = 0; w < l->request->where_count && *out; w++) {
        const char *condition = l->request->where[w];
        char name[LONGEST_NAME];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(condition, " =!<>"), condition);
        if (find(&l->names, name) == MOST_COLUMNS)
            continue;
        SPN_TRY(spn_record_matches(out, &record, condition, err));
    }
    return SPN_OK;
}

/* An empty cell is NaN. */
static spn_status read_number(double *out, int *digits, const layout *l, const cells *row,
                              size_t column, size_t line, spn_error *err)
{
    *out = NAN;
    *digits = -1;
    if (column == MOST_COLUMNS || !*row->text[column])
        return SPN_OK;
    const char *text = row->text[column];
    const char *point = strchr(text, '.');
    if (!text[strcspn(text, "eE")]) /* with an exponent, the digits are unknown */
        *digits = point ? (int)strlen(point + 1) : 0;
    if (spn_number_read(out, (spn_span){text, strlen(text)}) == SPN_NUMBER_FINITE)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: %s is '%.40s', not a number", l->path,
                    line, l->names.text[column], text);
}

bool spn_is_share(const char *value)
{
    static const char word[] = "accuracy";
    const size_t length = strlen(value), size = sizeof word - 1;
    if (length < size || strcmp(value + length - size, word) != 0)
        return false;
    return length == size || strchr("_.", value[length - size - 1]);
}

static spn_status check_values(const layout *l, const spn_reference_row *row, spn_error *err)
{
    if (row->half < 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: half of an interval is negative",
                        l->path, row->line);
    if (!spn_is_share(l->request->value) || (row->value >= 0 && row->value <= 1))
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: line %zu: %s is %g; expected a share from 0 to 1, not percents", l->path,
                    row->line, l->request->value, row->value);
}

static spn_status add_row(spn_reference *out, size_t *room, const layout *l, const cells *row,
                          size_t line, spn_error *err)
{
    bool wanted;
    spn_reference_row made = {.line = line};
    if (row->count != l->names.count)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu has %zu cells; the first line has %zu",
                        l->path, line, row->count, l->names.count);
    SPN_TRY(is_wanted(&wanted, l, row, err));
    SPN_TRY(read_number(&made.value, &made.digits, l, row, l->value, line, err));
    SPN_TRY(read_number(&made.half, &made.half_digits, l, row, l->half, line, err));
    if (!wanted || isnan(made.value))
        return SPN_OK;
    SPN_TRY(check_values(l, &made, err));
    made.x = strdup(row->text[l->x]);
    made.by = strdup(l->by == MOST_COLUMNS ? "" : row->text[l->by]);
    if (made.x && made.by && spn_grow(&out->rows, room, out->count + 1, sizeof *out->rows)) {
        out->rows[out->count++] = made;
        return SPN_OK;
    }
    SPN_FREE_ALL(made.x, made.by);
    return spn_no_memory(err, "%s", l->path);
}

double spn_reference_number(const char *text)
{
    double out;
    return spn_number_parse(&out, text) ? out : NAN;
}

/* As numbers, or else as texts. */
static int compare_values(const char *a, const char *b)
{
    const double x = spn_reference_number(a), y = spn_reference_number(b);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? strcmp(a, b) : isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

static int compare_points(const spn_reference_row *a, const spn_reference_row *b)
{
    const int by = compare_values(a->by, b->by);
    return by ? by : compare_values(a->x, b->x);
}

static int compare_rows(const void *a, const void *b)
{
    const spn_reference_row *left = *(spn_reference_row *const *)a,
                            *right = *(spn_reference_row *const *)b;
    const int point = compare_points(left, right);
    return point ? point : (left->line > right->line) - (left->line < right->line);
}

spn_status spn_reference_repeats(const spn_reference_row *row, const char *path,
                                 const spn_sweep_figure *request, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: line %zu: a second row for %s = %.40s%s%s%s%.40s; expected one", path,
                    row->line, request->x, row->x, request->by ? ", " : "",
                    request->by ? request->by : "", request->by ? " = " : "", row->by);
}

static spn_status check_distinct(const spn_reference *reference, const layout *l, spn_error *err)
{
    const spn_reference_row **rows = spn_alloc(reference->count, sizeof(void *));
    spn_status status = SPN_OK;
    SPN_NEED(rows, err, "%s", l->path);
    for (size_t k = 0; k < reference->count; k++)
        rows[k] = &reference->rows[k];
    qsort(rows, reference->count, sizeof(void *), compare_rows);
    for (size_t k = 1; k < reference->count && !status; k++)
        if (compare_points(rows[k - 1], rows[k]) == 0)
            status = spn_reference_repeats(rows[k], l->path, l->request, err);
    free(rows);
    return status;
}

static spn_status read_lines(spn_reference *out, layout *l, const spn_source *source,
                             spn_error *err)
{
    spn_lines lines = spn_lines_of(source);
    spn_span line;
    size_t room = 0;
    spn_status status = SPN_OK;
    while (!status && spn_lines_next(&lines, &line)) {
        if (*line.text == '#')
            continue;
        cells row = {0};
        if (memchr(line.text, 0, line.size)) {
            status = spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: a byte 0; expected text",
                              l->path, lines.number);
        } else if (!split(&row, line)) {
            status = spn_no_memory(err, "%s", l->path);
        } else if (l->names.count == 0) {
            l->names = row;
            status = lay_out(l, err);
            continue;
        } else {
            status = add_row(out, &room, l, &row, lines.number, err);
        }
        clear_cells(&row);
    }
    if (!status && l->names.count == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: is empty; expected a line of names", l->path);
    return status;
}

spn_status spn_reference_parse(spn_reference *out, const spn_source *source,
                               const spn_sweep_figure *request, spn_error *err)
{
    *out = (spn_reference){0};
    layout l = {.path = source->name, .request = request};
    spn_status status;
    SPN_TRY_OR(cleanup, read_lines(out, &l, source, err));
    status = check_distinct(out, &l, err);
cleanup:
    clear_cells(&l.names);
    if (status)
        spn_reference_clear(out);
    return status;
}

spn_status spn_reference_read(spn_reference *out, const char *path, const spn_sweep_figure *request,
                              spn_error *err)
{
    *out = (spn_reference){0};
    spn_source source;
    SPN_TRY(spn_source_load(&source, path, MOST_BYTES, err));
    spn_status status = spn_reference_parse(out, &source, request, err);
    spn_source_unload(&source);
    return status;
}

void spn_reference_clear(spn_reference *reference)
{
    for (size_t k = 0; k < reference->count; k++) {
        SPN_FREE_ALL(reference->rows[k].x, reference->rows[k].by);
    }
    free(reference->rows);
    *reference = (spn_reference){0};
}
