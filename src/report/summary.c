/* Figures summed up: each pile of runs to its mean and interval, in order. */
#include "report/summary.h"

#include "base/memory.h"
#include "report/figure.h"
#include "report/fit.h"
#include "report/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_status out_of_memory(const spn_collection *all, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "figure %s: out of memory", all->request->name);
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

static bool piles_are_numbers(const spn_piles *g)
{
    for (size_t k = 0; k < g->count; k++)
        if (isnan(g->piles[k].x))
            return false;
    return true;
}

/* Insertion keeps the order of those that compare equal. */
static void sort_piles(const spn_collection *all, spn_piles *g)
{
    const bool numbers = piles_are_numbers(g);
    for (size_t k = 1; k < g->count; k++) {
        const spn_pile moved = g->piles[k];
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

static void sort_groups(spn_collection *all)
{
    for (size_t k = 1; k < all->count; k++) {
        const spn_piles moved = all->groups[k];
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

/* What tells a curve apart where there are several values: "most" of density.most. */
static const char *value_word(const spn_collection *all)
{
    return all->value.column ? all->value.column : all->value.name;
}

static char *curve_name(const spn_collection *all, const char *value, bool several)
{
    char label[SPN_LABEL], shown[SPN_SHOWN_VALUE], *out;
    if (!all->by.name)
        return strdup(several ? value_word(all) : spn_figure_label(label, all->request));
    const char *by = spn_figure_by_label(all->request);
    return asprintf(&out, "%s = %s%s%s", by, spn_show_value(shown, value), several ? ", " : "",
                    several ? value_word(all) : "") < 0
               ? NULL
               : out;
}

/* The value of `by`, and which of several values it is. */
static char *curve_value(const spn_collection *all, const char *value, bool several)
{
    char *out;
    if (!several)
        return strdup(value);
    return asprintf(&out, "%s%s%s", value, *value ? ", " : "", value_word(all)) < 0 ? NULL : out;
}

static bool fill_curve(spn_report_curve *out, const spn_collection *all, const spn_piles *g,
                       bool several)
{
    out->name = curve_name(all, g->value, several);
    out->value = curve_value(all, g->value, several);
    out->cells = spn_alloc(g->count, sizeof *out->cells);
    if (!out->name || !out->value || !out->cells)
        return false;
    for (size_t k = 0; k < g->count; k++) {
        const spn_pile *p = &g->piles[k];
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

/* Add the curves of one value. */
static spn_status fill(spn_report_figure *out, spn_collection *all, bool several, spn_error *err)
{
    sort_groups(all);
    spn_report_curve *curves = realloc(out->curves, (out->count + all->count) * sizeof *curves);
    if (!curves)
        return out_of_memory(all, err);
    out->curves = curves;
    for (size_t k = 0; k < all->count; k++) {
        sort_piles(all, &all->groups[k]);
        curves[out->count] = (spn_report_curve){0};
        if (!fill_curve(&curves[out->count++], all, &all->groups[k], several))
            return out_of_memory(all, err);
    }
    return SPN_OK;
}

/* The curves of each value of a request: a name, or several with commas. */
static spn_status fill_values(spn_report_figure *out, const spn_records *records,
                              const spn_sweep_figure *request, spn_error *err)
{
    char *values = strdup(request->value), *rest = values;
    spn_sweep_figure one = *request;
    spn_status status =
        values ? SPN_OK
               : spn_fail(err, SPN_ERROR_MEMORY, "figure %s: out of memory", request->name);
    while (!status && (one.value = strsep(&rest, ","))) {
        spn_collection all;
        status = spn_collection_fill(&all, records, &one, err);
        if (!status)
            status = fill(out, &all, strchr(request->value, ',') != NULL, err);
        spn_collection_clear(&all);
    }
    free(values);
    return status;
}

/* Whether no run has it among its settings. */
static bool is_measured(const char *name, const spn_records *records)
{
    for (size_t r = 0; name && r < records->count; r++)
        if (spn_record_setting(&records->records[r], name))
            return false;
    return name != NULL;
}

spn_status spn_report_figure_make(spn_report_figure *out, const spn_records *records,
                                  const spn_sweep_figure *request, spn_error *err)
{
    *out = (spn_report_figure){.request = request,
                               .sweep = records->sweep,
                               .x_measured = is_measured(request->x, records),
                               .by_measured = is_measured(request->by, records),
                               .guide = NAN};
    spn_status status = fill_values(out, records, request, err);
    if (!status && request->reference)
        status = spn_reference_compare(out, records->folder, err);
    if (!status)
        status = spn_figure_fit(out, records, err);
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
