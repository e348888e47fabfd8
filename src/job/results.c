#include "base/memory.h"
#include "job/run.h"
#include "record/record.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The struct that the current row reads; NULL: the run does not have its group. */
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

typedef struct found {
    const spn_quantity *row;
    const void *subject;
    int order; /* own order plus that of its groups */
} found;

enum { MOST_ROWS = 256 };

/* Keep the rows in the order of records. */
static void insert(found rows[MOST_ROWS], size_t *count, found f)
{
    size_t k = (*count)++;
    assert(*count <= MOST_ROWS);
    for (; k > 0 && rows[k - 1].order > f.order; k--)
        rows[k] = rows[k - 1];
    rows[k] = f;
}

static int order_of(const spn_quantity_walk *walk, const void *subject)
{
    int order = walk->row->place ? walk->row->place(subject) : walk->row->order;
    for (size_t k = 1; k < walk->depth; k++)
        order += walk->level[k].group->order;
    return order;
}

static size_t find_rows(found out[MOST_ROWS], const spn_quantity *table, const void *run,
                        const void *plan, bool details)
{
    spn_quantity_walk walk = spn_quantity_walk_start(table);
    size_t count = 0;
    while (spn_quantity_walk_next(&walk)) {
        const spn_quantity *row = walk.row;
        if (!row->name || (row->flags & SPN_QUANTITY_DETAIL && !details) || needs_of(&walk, plan))
            continue;
        const void *subject = subject_of(&walk, run);
        const bool column = row->kind == SPN_QUANTITY_COLUMN;
        if (subject && !(column && !((const spn_curve_rows *)subject)->rows))
            insert(out, &count, (found){row, subject, order_of(&walk, subject)});
    }
    return count;
}

static bool is_left_out(const spn_quantity *row, double value)
{
    return row->flags & SPN_QUANTITY_OPTIONAL && isnan(value);
}

/* memcpy works for any type. */
static void read_place(void *out, const found *f, size_t size)
{
    memcpy(out, (const char *)f->subject + f->row->at, size);
}

static spn_status add_number(spn_record *out, const found *f, spn_error *err)
{
    double value;
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

/* Add the curve that starts at rows[0], with all its columns. */
static spn_status add_curve(spn_record *out, const found *rows, size_t count, spn_error *err)
{
    const size_t length = curve_length(rows[0].row);
    const size_t size = ((const spn_curve_rows *)rows[0].subject)->count;
    const char *names[MOST_ROWS];
    const double *columns[MOST_ROWS];
    size_t added = 0;
    char name[64];
    assert(length < sizeof name);
    memcpy(name, rows[0].row->name, length);
    name[length] = 0;
    double *values = spn_alloc(count * size, sizeof *values), *next = values;
    SPN_NEED(values, err, "the curve %s", name);
    for (size_t k = 0; k < count; k++) {
        const found *f = &rows[k];
        if (!is_same_curve(rows[0].row, f->row) || (size > 0 && is_left_out(f->row, cell(f, 0))))
            continue;
        names[added] = f->row->name + length + 1;
        columns[added++] = next;
        for (size_t r = 0; r < size; r++)
            *next++ = cell(f, r);
    }
    const spn_status status =
        added ? spn_record_add_curve(out, name, added, names, size, columns, err) : SPN_OK;
    free(values);
    return status;
}

static bool is_added(const found *rows, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (is_same_curve(rows[i].row, rows[k].row))
            return true;
    return false;
}

static spn_status add_row(spn_record *out, const found *rows, size_t count, size_t k,
                          spn_error *err)
{
    switch (rows[k].row->kind) {
    case SPN_QUANTITY_NUMBER:
        return add_number(out, &rows[k], err);
    case SPN_QUANTITY_TEXT:
        return add_text(out, &rows[k], err);
    case SPN_QUANTITY_COLUMN:
        return is_added(rows, k) ? SPN_OK : add_curve(out, &rows[k], count - k, err);
    case SPN_QUANTITY_MATRIX:
        return add_matrix(out, &rows[k], err);
    }
    assert(!"a kind of result");
    return SPN_ERROR_ARGUMENT;
}

spn_status spn_results_add(spn_record *out, const spn_quantity *table, const void *run,
                           const void *plan, bool details, spn_error *err)
{
    found rows[MOST_ROWS];
    const size_t count = find_rows(rows, table, run, plan, details);
    for (size_t k = 0; k < count; k++) {
        const found *f = &rows[k];
        if (!(f->row->flags & SPN_QUANTITY_CLOCK))
            SPN_TRY(add_row(out, rows, count, k, err));
        else if (f->row->at) /* the other clock, seconds, is measured by the caller */
            read_place(&out->first_hit_seconds, f, sizeof out->first_hit_seconds);
    }
    return SPN_OK;
}
