/* The results of a run, row by row. */
#include "job/results.h"
#include "record/record.h"

#include "base/memory.h"
#include "base/try.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

spn_quantity_walk spn_quantity_walk_start(const spn_quantity *table)
{
    spn_quantity_walk walk = {.depth = 1};
    walk.level[0].next = table;
    return walk;
}

bool spn_quantity_walk_next(spn_quantity_walk *walk)
{
    while (walk->depth > 0) {
        const spn_quantity *row = walk->level[walk->depth - 1].next++;
        if (row->group) {
            assert(walk->depth < SPN_QUANTITY_DEPTH);
            walk->level[walk->depth].next = row->group;
            walk->level[walk->depth++].group = row;
        } else if (row->name || row->help) {
            walk->row = row;
            return true;
        } else {
            walk->depth--;
        }
    }
    return false;
}

/* What the row under way needs, by itself or with its groups. */
static const char *needs_of(const spn_quantity_walk *walk, const void *plan)
{
    const char *at = plan, *needs = NULL;
    if (!plan)
        return NULL;
    for (size_t k = 1; k < walk->depth && !needs; k++) {
        const spn_quantity *group = walk->level[k].group;
        needs = group->needs ? group->needs(at) : NULL;
        at += group->plan_at;
    }
    return needs || !walk->row->needs ? needs : walk->row->needs(at);
}

/* The struct that the row under way is about; NULL: the run has none of its group. */
static const void *subject_of(const spn_quantity_walk *walk, const void *run)
{
    const char *at = run;
    for (size_t k = 1; k < walk->depth && at; k++) {
        const spn_quantity *group = walk->level[k].group;
        at += group->at;
        at = group->of ? group->of(at) : at;
    }
    return at;
}

const char *spn_result_needs(const spn_task *task, const void *plan, const char *name)
{
    spn_quantity_walk walk = spn_quantity_walk_start(task->results);
    while (spn_quantity_walk_next(&walk))
        if (walk.row->name && strcmp(walk.row->name, name) == 0)
            return needs_of(&walk, plan);
    return NULL;
}

/* ---- the rows that a run has ---- */

typedef struct found {
    const spn_quantity *row;
    const void *subject;
    int order; /* its own, and that of its groups */
} found;

enum { MOST_ROWS = 256 };

/* They are in the order of records. */
typedef struct found_rows {
    found row[MOST_ROWS];
    size_t count;
} found_rows;

static void insert(found_rows *rows, found f)
{
    size_t k = rows->count++;
    assert(rows->count <= MOST_ROWS);
    for (; k > 0 && rows->row[k - 1].order > f.order; k--)
        rows->row[k] = rows->row[k - 1];
    rows->row[k] = f;
}

static int order_of(const spn_quantity_walk *walk, const void *subject)
{
    int order = walk->row->place ? walk->row->place(subject) : walk->row->order;
    for (size_t k = 1; k < walk->depth; k++)
        order += walk->level[k].group->order;
    return order;
}

static void find_rows(found_rows *out, const spn_quantity *table, const void *run, const void *plan,
                      bool details)
{
    spn_quantity_walk walk = spn_quantity_walk_start(table);
    out->count = 0;
    while (spn_quantity_walk_next(&walk)) {
        const spn_quantity *row = walk.row;
        if (!row->name || (row->flags & SPN_QUANTITY_DETAIL && !details) || needs_of(&walk, plan))
            continue;
        const void *subject = subject_of(&walk, run);
        const bool column = row->kind == SPN_QUANTITY_COLUMN;
        if (subject && !(column && !((const spn_curve_rows *)subject)->rows))
            insert(out, (found){row, subject, order_of(&walk, subject)});
    }
}

/* ---- one kind after the other ---- */

static bool is_left_out(const spn_quantity *row, double value)
{
    return row->flags & SPN_QUANTITY_OPTIONAL && isnan(value);
}

/* What is at the place of a row, of any type, by memcpy. */
static void read_place(void *out, const found *f, size_t size)
{
    memcpy(out, (const char *)f->subject + f->row->at, size);
}

static spn_status add_number(spn_record *out, const found *f, spn_error *err)
{
    double value;
    if (f->row->number)
        value = f->row->number(f->subject);
    else
        read_place(&value, f, sizeof value);
    return is_left_out(f->row, value) ? SPN_OK
                                      : spn_record_add_result(out, f->row->name, value, err);
}

static spn_status add_text(spn_record *out, const found *f, spn_error *err)
{
    const char *text;
    if (f->row->text)
        text = f->row->text(f->subject);
    else
        read_place(&text, f, sizeof text);
    return text ? spn_record_add_text(out, f->row->name, text, err) : SPN_OK;
}

static spn_status add_matrix(spn_record *out, const found *f, spn_error *err)
{
    spn_matrix m;
    read_place(&m, f, sizeof m);
    return m.values ? spn_record_add_curve(out, f->row->name, m.columns, m.names, m.rows,
                                           (const double *const *)m.values, err)
                    : SPN_OK;
}

/* ---- curves ---- */

/* The number of characters of a column's name that name its curve. */
static size_t curve_length(const spn_quantity *row)
{
    const char *dot = row->kind == SPN_QUANTITY_COLUMN ? strchr(row->name, '.') : NULL;
    return dot ? (size_t)(dot - row->name) : 0;
}

static bool is_same_curve(const spn_quantity *a, const spn_quantity *b)
{
    const size_t length = curve_length(a);
    return length == curve_length(b) && strncmp(a->name, b->name, length) == 0;
}

static double cell(const found *f, size_t row)
{
    const spn_curve_rows *curve = f->subject;
    double value;
    memcpy(&value, (const char *)curve->rows + row * curve->size + f->row->at, sizeof value);
    return value;
}

/* The columns of a curve under way. */
typedef struct columns {
    const char *names[MOST_ROWS];
    const double *of[MOST_ROWS];
    size_t count;
} columns;

/* Add a column to those of the curve, its numbers into `values`. */
static void add_column(columns *to, double *values, const found *f, size_t rows)
{
    if (rows > 0 && is_left_out(f->row, cell(f, 0)))
        return;
    for (size_t r = 0; r < rows; r++)
        values[r] = cell(f, r);
    to->names[to->count] = f->row->name + curve_length(f->row) + 1;
    to->of[to->count++] = values;
}

/* The curve whose first column this is, with all of its columns. */
static spn_status add_curve(spn_record *out, const found_rows *all, size_t first, spn_error *err)
{
    const spn_quantity *start = all->row[first].row;
    const size_t length = curve_length(start);
    const size_t rows = ((const spn_curve_rows *)all->row[first].subject)->count;
    columns to = {.count = 0};
    char name[64];
    assert(length < sizeof name);
    memcpy(name, start->name, length);
    name[length] = 0;
    double *values = spn_alloc((all->count - first) * rows, sizeof *values);
    if (!values)
        return spn_no_memory(err, "the curve %s", name);
    for (size_t k = first; k < all->count; k++)
        if (is_same_curve(start, all->row[k].row))
            add_column(&to, values + to.count * rows, &all->row[k], rows);
    const spn_status status =
        to.count ? spn_record_add_curve(out, name, to.count, to.names, rows, to.of, err) : SPN_OK;
    free(values);
    return status;
}

/* Whether an earlier column has brought the curve. */
static bool is_added(const found_rows *rows, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (is_same_curve(rows->row[i].row, rows->row[k].row))
            return true;
    return false;
}

static spn_status add_row(spn_record *out, const found_rows *rows, size_t k, spn_error *err)
{
    const found *f = &rows->row[k];
    switch (f->row->kind) {
    case SPN_QUANTITY_NUMBER:
        return add_number(out, f, err);
    case SPN_QUANTITY_TEXT:
        return add_text(out, f, err);
    case SPN_QUANTITY_COLUMN:
        return is_added(rows, k) ? SPN_OK : add_curve(out, rows, k, err);
    case SPN_QUANTITY_MATRIX:
        return add_matrix(out, f, err);
    }
    assert(!"a kind of result");
    return SPN_ERROR_ARGUMENT;
}

spn_status spn_results_add(spn_record *out, const spn_quantity *table, const void *run,
                           const void *plan, bool details, spn_error *err)
{
    found_rows rows;
    find_rows(&rows, table, run, plan, details);
    for (size_t k = 0; k < rows.count; k++) {
        const found *f = &rows.row[k];
        if (!(f->row->flags & SPN_QUANTITY_CLOCK))
            SPN_TRY(add_row(out, &rows, k, err));
        else if (f->row->number) /* the other one, seconds, is measured by who runs the job */
            out->first_hit_seconds = f->row->number(f->subject);
    }
    return SPN_OK;
}
