/* The runs of a figure, put into piles by curve and x. */
#include "report/summary.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_figure_name name_of(const char *name)
{
    const char *dot = name ? strchr(name, '.') : NULL;
    return (spn_figure_name){
        .name = name, .column = dot ? dot + 1 : NULL, .length = dot ? (size_t)(dot - name) : 0};
}

static spn_status out_of_memory(const spn_collection *all, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "figure %s: out of memory", all->request->name);
}

/* ---- what a run says ---- */

static const spn_result_curve *curve_of(const spn_record *record, const spn_figure_name *s)
{
    for (size_t c = 0; c < record->curve_count; c++)
        if (strlen(record->curves[c].name) == s->length &&
            strncmp(record->curves[c].name, s->name, s->length) == 0)
            return &record->curves[c];
    return NULL;
}

/* Row of a column of a curve; of anything else the one number there is. NaN: none. */
static double number_of(const spn_record *record, const spn_figure_name *s, size_t row)
{
    if (!s->name)
        return NAN;
    if (!s->column)
        return spn_record_number(record, s->name);
    const spn_result_curve *curve = curve_of(record, s);
    const size_t column = curve ? spn_result_curve_column(curve, s->column) : SIZE_MAX;
    return column == SIZE_MAX || row >= curve->rows ? NAN : curve->values[column][row];
}

/* Whether the run has it at all, be it NaN. */
static bool has(const spn_record *record, const spn_figure_name *s)
{
    if (s->column) {
        const spn_result_curve *curve = curve_of(record, s);
        return curve && spn_result_curve_column(curve, s->column) != SIZE_MAX;
    }
    for (size_t k = 0; k < record->result_count; k++)
        if (strcmp(record->results[k].name, s->name) == 0)
            return true;
    return spn_record_setting(record, s->name) || !isnan(spn_record_number(record, s->name));
}

enum { NUMBER = 40 };

/* The text that tells a point or a curve apart: the setting as it was given, or the number. */
static const char *text_of(char number[NUMBER], const spn_record *record, const spn_figure_name *s,
                           size_t row)
{
    const char *text = s->column ? NULL : spn_record_setting(record, s->name);
    if (text)
        return text;
    snprintf(number, NUMBER, "%.10g", number_of(record, s, row));
    return number;
}

/* ---- piles ---- */

static spn_piles *find_group(spn_collection *all, const char *value)
{
    for (size_t k = 0; k < all->count; k++)
        if (strcmp(all->groups[k].value, value) == 0)
            return &all->groups[k];
    if (!spn_grow(&all->groups, &all->room, all->count + 1, sizeof *all->groups))
        return NULL;
    spn_piles *made = &all->groups[all->count];
    *made = (spn_piles){.value = strdup(value)};
    if (!made->value)
        return NULL;
    all->count++;
    return made;
}

static spn_pile *find_pile(spn_piles *g, double x, const char *text)
{
    for (size_t k = 0; k < g->count; k++)
        if (g->piles[k].x == x || strcmp(g->piles[k].x_text, text) == 0)
            return &g->piles[k];
    if (!spn_grow(&g->piles, &g->room, g->count + 1, sizeof *g->piles))
        return NULL;
    spn_pile *made = &g->piles[g->count];
    *made = (spn_pile){.x = x, .x_text = strdup(text)};
    if (!made->x_text)
        return NULL;
    g->count++;
    return made;
}

/* ---- conditions ---- */

/* Whether a condition, such as flips.p<=0.1, is about the rows of the value's curve. */
static bool is_of_rows(const spn_collection *all, const char *condition)
{
    const spn_figure_name *value = &all->value;
    return value->column && strncmp(condition, value->name, value->length + 1) == 0;
}

/* Whether one leaves the rows of one value. */
static bool holds_rows(const spn_collection *all)
{
    for (size_t w = 0; w < all->request->where_count; w++) {
        const char *condition = all->request->where[w];
        if (is_of_rows(all, condition) && condition[strcspn(condition, "=!<>")] == '=')
            return true;
    }
    return false;
}

static spn_status row_matches(bool *out, const spn_collection *all, const spn_record *record,
                              size_t row, spn_error *err)
{
    *out = true;
    for (size_t w = 0; w < all->request->where_count && *out; w++) {
        const char *condition = all->request->where[w];
        char name[128];
        if (!is_of_rows(all, condition))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(condition, " =!<>"), condition);
        const spn_figure_name column = name_of(name);
        spn_result number = {.name = name, .value = number_of(record, &column, row)};
        const spn_record one = {.result_count = 1, .results = &number};
        spn_status status = spn_record_matches(out, &one, condition, err);
        if (status)
            return status;
    }
    return SPN_OK;
}

/* ---- piles of runs ---- */

static bool add_row(spn_collection *all, const spn_record *record, size_t row)
{
    char x_number[NUMBER], by_number[NUMBER];
    spn_piles *g = find_group(all, all->by.name ? text_of(by_number, record, &all->by, row) : "");
    spn_pile *p =
        g ? find_pile(g, number_of(record, &all->x, row), text_of(x_number, record, &all->x, row))
          : NULL;
    if (!p || !spn_grow(&p->values, &p->values_room, p->count + 1, sizeof *p->values) ||
        !spn_grow(&p->also, &p->also_room, p->count + 1, sizeof *p->also))
        return false;
    p->values[p->count] = number_of(record, &all->value, row);
    p->also[p->count] = number_of(record, &all->also, row);
    p->count++;
    return true;
}

static spn_status add_record(spn_collection *all, const spn_record *record, spn_error *err)
{
    spn_figure_name *needed[] = {&all->x, &all->by, &all->value};
    for (size_t k = 0; k < 3; k++) {
        if (needed[k]->name && !has(record, needed[k]))
            return SPN_OK;
        needed[k]->found++;
    }
    const size_t rows = all->value.column ? curve_of(record, &all->value)->rows : 1;
    for (size_t row = 0; row < rows; row++) {
        bool wanted;
        spn_status status = row_matches(&wanted, all, record, row, err);
        if (status)
            return status;
        if (wanted && !add_row(all, record, row))
            return out_of_memory(all, err);
    }
    return SPN_OK;
}

static spn_status all_hold(bool *out, const spn_collection *all, const spn_record *record,
                           spn_error *err)
{
    *out = true;
    for (size_t w = 0; w < all->request->where_count && *out; w++) {
        const char *condition = all->request->where[w];
        spn_status status =
            is_of_rows(all, condition) ? SPN_OK : spn_record_matches(out, record, condition, err);
        if (status)
            return status;
    }
    return SPN_OK;
}

static spn_status nothing_found(const spn_collection *all, size_t matched, spn_error *err)
{
    const char *name = all->request->name;
    if (matched == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "figure %s: no finished run meets its conditions",
                        name);
    if (all->x.found == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "figure %s: no run has the setting '%s' of its x",
                        name, all->x.name);
    if (all->by.found == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "figure %s: no run has the setting '%s' of its by",
                        name, all->by.name);
    return spn_fail(err, SPN_ERROR_ARGUMENT, "figure %s: no run has the result '%s'", name,
                    all->value.name);
}

static bool same_curve(const spn_figure_name *a, const spn_figure_name *b)
{
    return a->column && a->length == b->length && strncmp(a->name, b->name, a->length) == 0;
}

/* Columns of a curve go together: a mean over all of its rows would mean nothing. */
static spn_status check_names(const spn_collection *all, spn_error *err)
{
    const spn_figure_name *value = &all->value, *x = &all->x, *by = &all->by;
    const bool x_fits = !x->column || same_curve(x, value),
               by_fits = !by->column || same_curve(by, value);
    if (value->column && !x->column && !by->column && !holds_rows(all))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "figure %s: %s is a column of a curve, and its x or by must be another of "
                        "the same curve, unless a condition holds one fixed",
                        all->request->name, value->name);
    if (x_fits && by_fits)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "figure %s: %s is a column of a curve, and its value, %s, must be another of "
                    "the same curve",
                    all->request->name, x_fits ? by->name : x->name, value->name);
}

static spn_status collect(spn_collection *all, const spn_records *records, spn_error *err)
{
    size_t matched = 0;
    spn_status status = check_names(all, err);
    for (size_t r = 0; r < records->count && !status; r++) {
        bool wanted;
        status = all_hold(&wanted, all, &records->records[r], err);
        if (status || !wanted)
            continue;
        matched++;
        status = add_record(all, &records->records[r], err);
    }
    if (!status && all->count == 0)
        return nothing_found(all, matched, err);
    return status;
}

spn_status spn_collection_fill(spn_collection *out, const spn_records *records,
                               const spn_sweep_figure *request, spn_error *err)
{
    *out = (spn_collection){.request = request,
                            .sweep = records->sweep,
                            .x = name_of(request->x),
                            .by = name_of(request->by),
                            .value = name_of(request->value),
                            .also = name_of(request->also)};
    return collect(out, records, err);
}

void spn_collection_clear(spn_collection *all)
{
    for (size_t g = 0; g < all->count; g++) {
        for (size_t p = 0; p < all->groups[g].count; p++) {
            free(all->groups[g].piles[p].x_text);
            free(all->groups[g].piles[p].values);
            free(all->groups[g].piles[p].also);
        }
        free(all->groups[g].piles);
        free(all->groups[g].value);
    }
    free(all->groups);
}
