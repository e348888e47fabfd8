/* Summarise a figure: group its runs, or the rows of their curves, by curve and x, and find the
   mean and interval of each group. */
#include "base/memory.h"
#include "base/number.h"
#include "query/query.h"
#include "record/record.h"
#include "report/figure/hits.h"

#include <math.h>
#include <spinney/lab/task.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference ---- */

/* Printed values are rounded: 316.228 stands for 316.2277660. */
static const double TOLERANCE = 1e-6;

static bool same_text(const char *a, const char *b)
{
    const double x = spn_reference_number(a), y = spn_reference_number(b);
    if (isnan(x) || isnan(y))
        return strcmp(a, b) == 0;
    return fabs(x - y) <= TOLERANCE * fmax(fabs(x), fabs(y));
}

/* Add a point that only the reference has, sorted by x or at the end. */
static spn_report_cell *add_reference_cell(spn_report_curve *curve, const char *x)
{
    const double number = spn_reference_number(x);
    spn_report_cell *cells = realloc(curve->cells, (curve->count + 1) * sizeof *cells);
    if (!cells)
        return NULL;
    curve->cells = cells;
    if (!spn_curve_add_cell(curve, number, x))
        return NULL;
    const spn_report_cell added = cells[curve->count - 1];
    size_t at = 0;
    while (at + 1 < curve->count && !(number < cells[at].x))
        at++;
    memmove(cells + at + 1, cells + at, (curve->count - 1 - at) * sizeof *cells);
    cells[at] = added;
    return &cells[at];
}

static spn_status put_reference(spn_report_figure *figure, const spn_reference_row *row,
                                const char *path, spn_error *err)
{
    size_t k = 0, c = 0;
    while (k < figure->count && !same_text(figure->curves[k].value, row->by))
        k++;
    if (k == figure->count)
        return SPN_OK;
    spn_report_curve *curve = &figure->curves[k];
    while (c < curve->count && !same_text(curve->cells[c].x_text, row->x))
        c++;
    spn_report_cell *cell = c < curve->count ? &curve->cells[c] : add_reference_cell(curve, row->x);
    SPN_NEED(cell, err, "%s", path);
    if (cell->has_reference)
        return spn_reference_repeats(row, path, figure->request, err);
    cell->has_reference = true;
    cell->reference = row->value;
    cell->reference_half = row->half;
    cell->reference_digits = row->digits;
    cell->reference_half_digits = row->half_digits;
    const spn_summary *ours = &cell->ours;
    /* without an interval it counts as one run with our deviation */
    const double theirs = isnan(cell->reference_half) && ours->count >= 2
                              ? spn_student_quantile(ours->count - 1) * ours->deviation
                              : cell->reference_half;
    const double apart = ours->mean - cell->reference;
    cell->joint = sqrt(ours->half * ours->half + theirs * theirs);
    /* an interval of zero width is no unit */
    cell->difference = cell->joint > 0 ? apart / cell->joint : NAN;
    return SPN_OK;
}

/* Add the reference to the cells of a figure, and compare. Errors: IO, INPUT, MEMORY. */
static spn_status reference_compare(spn_report_figure *figure, const char *folder, spn_error *err)
{
    spn_reference reference;
    const char *given = figure->request->reference, *slash = strrchr(given, '/');
    char *path = spn_text_new("%s/reference/%s", folder, slash ? slash + 1 : given);
    SPN_NEED(path, err, "the name of a reference");
    spn_status status;
    SPN_TRY_OR(cleanup, spn_reference_read(&reference, path, figure->request, err));
    for (size_t k = 0; k < reference.count; k++)
        SPN_TRY_OR(cleanup, put_reference(figure, &reference.rows[k], path, err));
    SPN_EACH_CELL (cell, figure) {
        if (!cell->has_reference || isnan(cell->difference))
            continue;
        figure->compared++;
        figure->within += fabs(cell->difference) <= 1;
    }
cleanup:
    spn_reference_clear(&reference);
    free(path);
    return status;
}

/* ---- our runs ---- */

typedef struct collection {
    const spn_sweep_figure *request;
    size_t found_x, found_by,
        found_value; /* runs that have it, and also have the names before it */
    spn_observation *rows;
    size_t count, room;
} collection;

/* ---- names ---- */

/* A mean over all rows of a curve has no meaning, so x or by must be a column of it. */
static spn_status check_names(const spn_sweep_figure *request, spn_error *err)
{
    const char *names[] = {request->x, request->by};
    if (spn_sweep_figure_is_spread(request))
        return SPN_OK;
    for (size_t k = 0; k < 2; k++)
        if (spn_curve_length(names[k]) > 0 && !spn_sweep_figure_has_row(request, names[k]))
            return spn_refuse(err,
                              "figure %s: %s is a column of a curve, and its value, %s, must be "
                              "another of the same curve",
                              request->name, names[k], request->value);
    if (spn_curve_length(request->value) == 0 || spn_curve_length(request->x) > 0 ||
        spn_curve_length(request->by) > 0 || spn_sweep_figure_holds_row(request))
        return SPN_OK;
    return spn_refuse(err,
                      "figure %s: %s is a column of a curve, and its x or by must be another of "
                      "the same curve, unless a condition holds one fixed",
                      request->name, request->value);
}

/* ---- collecting ---- */

/* Check the conditions on the run, or those on a row of the value's curve. */
static spn_status all_hold(bool *out, const spn_sweep_figure *request, spn_observation at,
                           bool of_row, spn_error *err)
{
    *out = true;
    for (size_t w = 0; w < request->where_count && *out; w++) {
        const char *condition = request->where[w];
        char name[128];
        if (spn_sweep_figure_has_row(request, condition) != of_row)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(condition, " =!<>"), condition);
        spn_result number = {.name = name};
        const spn_record row = {.result_count = 1, .results = &number};
        if (of_row)
            number.value = spn_observation_number(at, name);
        SPN_TRY(spn_record_matches(out, of_row ? &row : at.record, condition, err));
    }
    return SPN_OK;
}

static spn_status add_record(collection *all, const spn_record *record, spn_error *err)
{
    const spn_sweep_figure *request = all->request;
    if (!spn_record_has(record, request->x))
        return SPN_OK;
    all->found_x++;
    if (request->by && !spn_record_has(record, request->by))
        return SPN_OK;
    all->found_by++;
    if (!spn_record_has(record, request->value))
        return SPN_OK;
    all->found_value++;
    const size_t length = spn_curve_length(request->value);
    size_t rows = 1;
    if (length > 0) { /* of a curve, its own */
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)length - 1, request->value);
        rows = spn_record_curve(record, name)->rows;
    }
    for (size_t row = 0; row < rows; row++) {
        const spn_observation at = {record, row};
        bool wanted;
        SPN_TRY(all_hold(&wanted, request, at, true, err));
        if (!wanted)
            continue;
        if (!spn_grow(&all->rows, &all->room, all->count + 1, sizeof *all->rows))
            return spn_no_memory(err, "the figure %s", request->name);
        all->rows[all->count++] = at;
    }
    return SPN_OK;
}

static spn_status nothing_found(const collection *all, size_t matched, spn_error *err)
{
    const spn_sweep_figure *request = all->request;
    if (matched > 0 && all->found_x == 0)
        return spn_refuse(err, "figure %s: no run has the setting '%s' of its x", request->name,
                          request->x);
    if (matched > 0 && all->found_by == 0)
        return spn_refuse(err, "figure %s: no run has the setting '%s' of its by", request->name,
                          request->by);
    if (matched > 0)
        return spn_refuse(err, "figure %s: no run has the result '%s'", request->name,
                          request->value);
    return spn_refuse(err, "figure %s: no finished run meets its conditions", request->name);
}

static spn_status collect(collection *all, const spn_records *records, spn_error *err)
{
    size_t matched = 0;
    SPN_TRY(check_names(all->request, err));
    for (size_t r = 0; r < records->count; r++) {
        const spn_observation run = {&records->records[r], 0};
        bool wanted;
        SPN_TRY(all_hold(&wanted, all->request, run, false, err));
        if (!wanted)
            continue;
        matched++;
        SPN_TRY(add_record(all, run.record, err));
    }
    return all->count == 0 ? nothing_found(all, matched, err) : SPN_OK;
}

/* ---- curves ---- */

/* Name of a curve if there are several values: "most" of density.most. */
static const char *value_word(const spn_sweep_figure *request)
{
    return request->value + spn_curve_length(request->value);
}

static char *curve_name(const spn_sweep_figure *request, const char *value, bool several)
{
    char label[SPN_LABEL], shown[SPN_SHOWN_VALUE];
    const char *by = spn_figure_by_label((char[SPN_LABEL]){0}, request),
               *word = several ? value_word(request) : "";
    if (by && !several && !request->by_label && strcmp(request->by, SPN_CASE) == 0)
        return strdup(value); /* a case has a name of its own */
    if (!by)
        return strdup(several ? word : spn_figure_label(label, request));
    char *out;
    const int size =
        asprintf(&out, "%s = %s%s%s", by, spn_show_value(shown, value), several ? ", " : "", word);
    return size < 0 ? NULL : out;
}

double spn_observation_place(spn_observation at, const char *name)
{
    const char *text = spn_record_setting(at.record, name);
    double value;
    if (!text)
        return spn_observation_number(at, name);
    return spn_number_parse(&value, text) ? value : NAN;
}

static spn_report_curve *add_curve(spn_report_figure *out, const spn_sweep_figure *request,
                                   const char *value, size_t room)
{
    const bool several = strchr(out->request->value, ',') != NULL;
    spn_report_curve *curve = &out->curves[out->count++];
    char *which; /* the value of `by`, and which of several values it is */
    if (asprintf(&which, "%s%s%s", value, several && *value ? ", " : "",
                 several ? value_word(request) : "") < 0)
        which = NULL;
    *curve = (spn_report_curve){.value = which,
                                .name = curve_name(request, value, several),
                                .cells = spn_alloc(room, sizeof *curve->cells)};
    return curve->value && curve->name && curve->cells ? curve : NULL;
}

static bool is_same_curve(spn_observation a, spn_observation b, const char *by)
{
    char text[SPN_FIELD_TEXT], other[SPN_FIELD_TEXT];
    return !by || spn_observation_place(a, by) == spn_observation_place(b, by) ||
           strcmp(spn_observation_text(text, a, by), spn_observation_text(other, b, by)) == 0;
}

spn_report_curve *spn_figure_curve(spn_report_figure *out, const spn_sweep_figure *request,
                                   const spn_groups *groups, size_t k)
{
    const spn_observation at = groups->groups[k].members[0];
    const char *by = request->by;
    char text[SPN_FIELD_TEXT];
    if (k > 0 && is_same_curve(groups->groups[k - 1].members[0], at, by))
        return &out->curves[out->count - 1];
    spn_report_curve *grown = realloc(out->curves, (out->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    out->curves = grown;
    return add_curve(out, request, by ? spn_observation_text(text, at, by) : "", groups->count);
}

/* Mean of a result over a group, used as x, also as a text. */
static double mean_x(char out[SPN_FIELD_TEXT], const spn_group *group, const char *name)
{
    double sum = 0, count = 0;
    for (size_t k = 0; k < group->count; k++) {
        const double x = spn_observation_number(group->members[k], name);
        sum += isnan(x) ? 0 : x;
        count += isnan(x) ? 0 : 1;
    }
    spn_print_text(out, SPN_FIELD_TEXT, "%.6g", sum / count);
    return sum / count;
}

spn_report_cell *spn_curve_add_cell(spn_report_curve *curve, double x, const char *x_text)
{
    char *text = strdup(x_text);
    if (!text)
        return NULL;
    spn_report_cell *cell = &curve->cells[curve->count++];
    *cell = (spn_report_cell){.x = x,
                              .x_text = text,
                              .ours = spn_summarise(NULL, 0),
                              .also = spn_summarise(NULL, 0),
                              .reference = NAN,
                              .reference_half = NAN,
                              .joint = NAN,
                              .difference = NAN};
    return cell;
}

static spn_status add_cell(spn_report_curve *curve, const spn_sweep_figure *request,
                           const spn_group *group, const spn_report_figure *out, spn_error *err)
{
    char text[SPN_FIELD_TEXT];
    const char *task = out->sweep->task;
    const bool mean = out->x_measured && spn_curve_length(request->x) == 0;
    const double x = mean ? mean_x(text, group, request->x)
                          : spn_observation_place(group->members[0], request->x);
    spn_report_cell *cell = spn_curve_add_cell(
        curve, x, mean ? text : spn_observation_text(text, group->members[0], request->x));
    SPN_NEED(cell, err, "the figure %s", request->name);
    SPN_TRY(spn_group_summarise(&cell->ours, group, request->value,
                                spn_quantity_is_share(task, request->value), err));
    if (!request->also)
        return SPN_OK;
    return spn_group_summarise(&cell->also, group, request->also,
                               spn_quantity_is_share(task, request->also), err);
}

void spn_curve_sort(spn_report_curve *curve)
{
    for (size_t k = 0; k < curve->count; k++)
        if (isnan(curve->cells[k].x))
            return;
    for (size_t k = 1; k < curve->count; k++) {
        const spn_report_cell moved = curve->cells[k];
        size_t to = k;
        for (; to > 0 && moved.x < curve->cells[to - 1].x; to--)
            curve->cells[to] = curve->cells[to - 1];
        curve->cells[to] = moved;
    }
}

/* Names that tell points apart: by first, then x, or else the other axes of the grid. Returns how
   many, at most two more than there are axes. */
static size_t list_names(const char **out, const spn_sweep_figure *request, const spn_sweep *sweep)
{
    size_t count = 0;
    if (request->by)
        out[count++] = request->by;
    /* If x is a result of each run, the points are those of the grid, each at its mean x. */
    const spn_task *task = spn_task_find(sweep->task);
    const spn_quantity *q = task ? spn_quantity_find(task, request->x) : NULL;
    bool result = q && q->kind == SPN_QUANTITY_NUMBER;
    for (size_t a = 0; a < sweep->axis_count; a++)
        result = result && strcmp(sweep->axes[a].setting, request->x) != 0;
    if (!result) {
        out[count++] = request->x;
        return count;
    }
    for (size_t a = 0; a < sweep->axis_count; a++)
        if (!request->by || strcmp(sweep->axes[a].setting, request->by) != 0)
            out[count++] = sweep->axes[a].setting;
    return count;
}

static spn_status keep_values(spn_report_curve *curve, const spn_sweep_figure *request,
                              const spn_group *group, spn_error *err)
{
    SPN_NEED(curve->values = spn_alloc(group->count, sizeof *curve->values), err, "the figure %s",
             request->name);
    for (size_t k = 0; k < group->count; k++) {
        const double value = spn_observation_number(group->members[k], request->value);
        if (isfinite(value))
            curve->values[curve->value_count++] = value;
    }
    return SPN_OK;
}

/* Fill the values of the curves from `first` on. If no means are wanted, make the curves here. */
static spn_status fill_spread(spn_report_figure *out, const collection *all, size_t first,
                              const spn_sweep *sweep, spn_error *err)
{
    const spn_sweep_figure *request = all->request;
    const bool alone = first == out->count;
    spn_groups groups = {0};
    spn_status status =
        spn_groups_make(&groups, all->rows, all->count, (const char *[]){request->by},
                        request->by ? 1 : 0, sweep, err);
    for (size_t k = 0; k < groups.count && !status; k++) {
        spn_report_curve *curve =
            alone ? spn_figure_curve(out, request, &groups, k) : &out->curves[first + k];
        status = curve ? keep_values(curve, request, &groups.groups[k], err)
                       : spn_no_memory(err, "the figure %s", request->name);
    }
    spn_groups_clear(&groups);
    return status;
}

static spn_status fill_means(spn_report_figure *out, const collection *all, const spn_sweep *sweep,
                             spn_error *err)
{
    const spn_sweep_figure *request = all->request;
    const char **names = spn_alloc(sweep->axis_count + 2, sizeof *names);
    const size_t first = out->count;
    spn_groups groups = {0};
    SPN_NEED(names, err, "the figure %s", request->name);
    const size_t count = list_names(names, request, sweep);
    spn_status status = spn_groups_make(&groups, all->rows, all->count, names, count, sweep, err);
    for (size_t k = 0; k < groups.count && !status; k++) {
        spn_report_curve *curve = spn_figure_curve(out, request, &groups, k);
        status = curve ? add_cell(curve, request, &groups.groups[k], out, err)
                       : spn_no_memory(err, "the figure %s", request->name);
    }
    for (size_t k = first; k < out->count; k++)
        spn_curve_sort(&out->curves[k]);
    spn_groups_clear(&groups);
    free(names);
    return status;
}

static spn_status fill_value(spn_report_figure *out, const spn_records *records,
                             const spn_sweep_figure *request, spn_error *err)
{
    collection all = {.request = request};
    const size_t first = out->count;
    spn_status status;
    SPN_TRY_OR(cleanup, collect(&all, records, err));
    if (!spn_sweep_figure_is_spread(request))
        SPN_TRY_OR(cleanup, fill_means(out, &all, records->sweep, err));
    if (request->as[SPN_FIGURE_HISTOGRAM])
        status = fill_spread(out, &all, first, records->sweep, err);
cleanup:
    free(all.rows);
    return status;
}

static spn_status fill(spn_report_figure *out, const spn_records *records, spn_error *err)
{
    char *values = strdup(out->request->value), *rest = values;
    spn_sweep_figure one = *out->request;
    SPN_NEED(values, err, "the figure %s", out->request->name);
    spn_status status = SPN_OK;
    while (!status && (one.value = strsep(&rest, ",")))
        status = fill_value(out, records, &one, err);
    free(values);
    return status;
}

/* Whether it is no setting of any run. */
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
    const bool hits = spn_figure_is_of_hits(request);
    spn_status status;
    SPN_TRY_OR(failed, hits ? spn_figure_fill_hits(out, records, err) : fill(out, records, err));
    if (request->reference)
        SPN_TRY_OR(failed, reference_compare(out, records->folder, err));
    SPN_TRY_OR(failed, spn_figure_fit(out, records, err));
    SPN_TRY_OR(failed, spn_figure_fit_trends(out, err));
    return SPN_OK;
failed:
    spn_report_figure_clear(out);
    return status;
}

void spn_report_figure_clear(spn_report_figure *figure)
{
    for (size_t k = 0; k < figure->count; k++) {
        for (size_t c = 0; c < figure->curves[k].count; c++) {
            spn_report_cell *cell = &figure->curves[k].cells[c];
            for (size_t l = 0; l < cell->length_count; l++)
                free(cell->lengths[l].text);
            SPN_FREE_ALL(cell->lengths, cell->x_text);
        }
        SPN_FREE_ALL(figure->curves[k].cells, figure->curves[k].hits, figure->curves[k].values,
                     figure->curves[k].name, figure->curves[k].value);
    }
    free(figure->curves);
    *figure = (spn_report_figure){0};
}
