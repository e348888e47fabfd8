/* Figures summed up: runs put into piles by curve and x, and each pile to its mean and interval. */
#include "base/memory.h"
#include "report/figure.h"
#include "report/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a figure names: a setting or a result, or a column of a curve of results. */
typedef struct source {
    const char *name;
    const char *column; /* flips.accuracy: accuracy; NULL: no column of a curve */
    size_t length;      /* of the curve's name */
    size_t found;       /* how many runs have it */
} source;

/* The numbers of one point while they are collected. */
typedef struct pile {
    char *x_text;
    double x;
    double *values, *also;
    size_t count, values_room, also_room;
} pile;

typedef struct group {
    char *value;
    pile *piles;
    size_t count, room;
} group;

typedef struct collection {
    const spn_sweep_figure *request;
    const spn_sweep *sweep;
    source x, by, value, also;
    group *groups;
    size_t count, room;
} collection;

static source source_of(const char *name)
{
    const char *dot = name ? strchr(name, '.') : NULL;
    return (source){
        .name = name, .column = dot ? dot + 1 : NULL, .length = dot ? (size_t)(dot - name) : 0};
}

static spn_status out_of_memory(const collection *all, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "figure %s: out of memory", all->request->name);
}

/* ---- what a run says ---- */

static const spn_result_curve *curve_of(const spn_record *record, const source *s)
{
    for (size_t c = 0; c < record->curve_count; c++)
        if (strlen(record->curves[c].name) == s->length &&
            strncmp(record->curves[c].name, s->name, s->length) == 0)
            return &record->curves[c];
    return NULL;
}

/* Row of a column of a curve; of anything else the one number there is. NaN: none. */
static double number_of(const spn_record *record, const source *s, size_t row)
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
static bool has(const spn_record *record, const source *s)
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
static const char *text_of(char number[NUMBER], const spn_record *record, const source *s,
                           size_t row)
{
    const char *text = s->column ? NULL : spn_record_setting(record, s->name);
    if (text)
        return text;
    snprintf(number, NUMBER, "%.10g", number_of(record, s, row));
    return number;
}

/* ---- piles ---- */

static group *find_group(collection *all, const char *value)
{
    for (size_t k = 0; k < all->count; k++)
        if (strcmp(all->groups[k].value, value) == 0)
            return &all->groups[k];
    if (!spn_grow(&all->groups, &all->room, all->count + 1, sizeof *all->groups))
        return NULL;
    group *made = &all->groups[all->count];
    *made = (group){.value = strdup(value)};
    if (!made->value)
        return NULL;
    all->count++;
    return made;
}

static pile *find_pile(group *g, double x, const char *text)
{
    for (size_t k = 0; k < g->count; k++)
        if (g->piles[k].x == x || strcmp(g->piles[k].x_text, text) == 0)
            return &g->piles[k];
    if (!spn_grow(&g->piles, &g->room, g->count + 1, sizeof *g->piles))
        return NULL;
    pile *made = &g->piles[g->count];
    *made = (pile){.x = x, .x_text = strdup(text)};
    if (!made->x_text)
        return NULL;
    g->count++;
    return made;
}

static bool add_row(collection *all, const spn_record *record, size_t row)
{
    char x_number[NUMBER], by_number[NUMBER];
    group *g = find_group(all, all->by.name ? text_of(by_number, record, &all->by, row) : "");
    pile *p =
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

static spn_status add_record(collection *all, const spn_record *record, spn_error *err)
{
    source *needed[] = {&all->x, &all->by, &all->value};
    for (size_t k = 0; k < 3; k++) {
        if (needed[k]->name && !has(record, needed[k]))
            return SPN_OK;
        needed[k]->found++;
    }
    const size_t rows = all->value.column ? curve_of(record, &all->value)->rows : 1;
    for (size_t row = 0; row < rows; row++)
        if (!add_row(all, record, row))
            return out_of_memory(all, err);
    return SPN_OK;
}

static spn_status all_hold(bool *out, const spn_sweep_figure *request, const spn_record *record,
                           spn_error *err)
{
    *out = true;
    for (size_t w = 0; w < request->where_count && *out; w++) {
        spn_status status = spn_record_matches(out, record, request->where[w], err);
        if (status)
            return status;
    }
    return SPN_OK;
}

static spn_status nothing_found(const collection *all, size_t matched, spn_error *err)
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

static bool same_curve(const source *a, const source *b)
{
    return a->column && a->length == b->length && strncmp(a->name, b->name, a->length) == 0;
}

/* Columns of a curve go together: a mean over all of its rows would mean nothing. */
static spn_status check_names(const collection *all, spn_error *err)
{
    const source *value = &all->value, *x = &all->x, *by = &all->by;
    const bool x_fits = !x->column || same_curve(x, value),
               by_fits = !by->column || same_curve(by, value);
    if (value->column && !x->column && !by->column)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "figure %s: %s is a column of a curve, and its x or by must be another of "
                        "the same curve",
                        all->request->name, value->name);
    if (x_fits && by_fits)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "figure %s: %s is a column of a curve, and its value, %s, must be another of "
                    "the same curve",
                    all->request->name, x_fits ? by->name : x->name, value->name);
}

static spn_status collect(collection *all, const spn_records *records, spn_error *err)
{
    size_t matched = 0;
    spn_status status = check_names(all, err);
    for (size_t r = 0; r < records->count && !status; r++) {
        bool wanted;
        status = all_hold(&wanted, all->request, &records->records[r], err);
        if (status || !wanted)
            continue;
        matched++;
        status = add_record(all, &records->records[r], err);
    }
    if (!status && all->count == 0)
        return nothing_found(all, matched, err);
    return status;
}

static void discard(collection *all)
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

/* ---- order ---- */

/* The place of a value in the list of its axis; SIZE_MAX where it has none. */
static size_t place_on_axis(const spn_sweep *sweep, const char *setting, const char *value)
{
    for (size_t a = 0; sweep && setting && a < sweep->axis_count; a++)
        if (strcmp(sweep->axes[a].setting, setting) == 0)
            for (size_t v = 0; v < sweep->axes[a].count; v++)
                if (strcmp(sweep->axes[a].values[v], value) == 0)
                    return v;
    return SIZE_MAX;
}

static bool piles_are_numbers(const group *g)
{
    for (size_t k = 0; k < g->count; k++)
        if (isnan(g->piles[k].x))
            return false;
    return true;
}

/* Insertion keeps the order of those that compare equal. */
static void sort_piles(const collection *all, group *g)
{
    const bool numbers = piles_are_numbers(g);
    for (size_t k = 1; k < g->count; k++) {
        const pile moved = g->piles[k];
        const size_t place = place_on_axis(all->sweep, all->x.name, moved.x_text);
        size_t to = k;
        while (to > 0 && (numbers ? moved.x < g->piles[to - 1].x
                                  : place < place_on_axis(all->sweep, all->x.name,
                                                          g->piles[to - 1].x_text))) {
            g->piles[to] = g->piles[to - 1];
            to--;
        }
        g->piles[to] = moved;
    }
}

static void sort_groups(collection *all)
{
    for (size_t k = 1; k < all->count; k++) {
        const group moved = all->groups[k];
        const size_t place = place_on_axis(all->sweep, all->by.name, moved.value);
        size_t to = k;
        while (to > 0 &&
               place < place_on_axis(all->sweep, all->by.name, all->groups[to - 1].value)) {
            all->groups[to] = all->groups[to - 1];
            to--;
        }
        all->groups[to] = moved;
    }
}

/* ---- the figure ---- */

static char *curve_name(const collection *all, const char *value)
{
    char label[SPN_LABEL], *out;
    if (!all->by.name)
        return strdup(spn_figure_label(label, all->request));
    return asprintf(&out, "%s = %s", all->by.name, value) < 0 ? NULL : out;
}

static bool fill_curve(spn_report_curve *out, const collection *all, const group *g)
{
    out->name = curve_name(all, g->value);
    out->value = strdup(g->value);
    out->cells = spn_alloc(g->count, sizeof *out->cells);
    if (!out->name || !out->value || !out->cells)
        return false;
    for (size_t k = 0; k < g->count; k++) {
        const pile *p = &g->piles[k];
        spn_report_cell *cell = &out->cells[k];
        *cell = (spn_report_cell){.x = p->x,
                                  .x_text = strdup(p->x_text),
                                  .ours = spn_summarise(p->values, p->count),
                                  .also = spn_summarise(p->also, p->count),
                                  .reference = NAN,
                                  .reference_half = NAN,
                                  .joint = NAN,
                                  .difference = NAN};
        if (!cell->x_text)
            return false;
        out->count++;
    }
    return true;
}

static spn_status fill(spn_report_figure *out, collection *all, spn_error *err)
{
    sort_groups(all);
    if (!(out->curves = spn_alloc(all->count, sizeof *out->curves)))
        return out_of_memory(all, err);
    for (size_t k = 0; k < all->count; k++) {
        sort_piles(all, &all->groups[k]);
        out->count++;
        if (!fill_curve(&out->curves[k], all, &all->groups[k]))
            return out_of_memory(all, err);
    }
    return SPN_OK;
}

spn_status spn_report_figure_make(spn_report_figure *out, const spn_records *records,
                                  const spn_sweep_figure *request, spn_error *err)
{
    *out = (spn_report_figure){.request = request};
    collection all = {.request = request,
                      .sweep = records->sweep,
                      .x = source_of(request->x),
                      .by = source_of(request->by),
                      .value = source_of(request->value),
                      .also = source_of(request->also)};
    spn_status status = collect(&all, records, err);
    if (!status)
        status = fill(out, &all, err);
    if (!status && request->reference)
        status = spn_reference_compare(out, records->folder, err);
    discard(&all);
    if (status)
        spn_report_figure_clear(out);
    return status;
}

void spn_report_figure_clear(spn_report_figure *figure)
{
    for (size_t k = 0; k < figure->count; k++) {
        for (size_t c = 0; c < figure->curves[k].count; c++)
            free(figure->curves[k].cells[c].x_text);
        free(figure->curves[k].cells);
        free(figure->curves[k].name);
        free(figure->curves[k].value);
    }
    free(figure->curves);
    *figure = (spn_report_figure){0};
}
