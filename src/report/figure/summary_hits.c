/* Figures of first hits: the runs behind each curve for their survival, and the time to solution at
   each point, minimised over the lengths of runs. */
#include "base/memory.h"
#include "base/try.h"
#include "query/groups.h"
#include "record/record.h"
#include "report/figure/figure.h"
#include "report/figure/hits.h"
#include "report/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A figure while its runs are collected. */
typedef struct search {
    const spn_sweep_figure *request;
    const spn_hit_unit *unit;
    const spn_sweep *sweep;
    size_t matched, unsearched;
    spn_observation *runs;
    size_t count;
} search;

/* A run of a point, and what it came to. */
typedef struct entry {
    const spn_record *record;
    spn_hit hit;
} entry;

bool spn_figure_is_of_hits(const spn_sweep_figure *request)
{
    return request->tts != SPN_TTS_NONE || request->as[SPN_FIGURE_SURVIVAL];
}

/* ---- runs ---- */

/* Whether a run had something to search for, and says what it cost. */
static bool has_searched(const search *s, const spn_record *record)
{
    return spn_record_has(record, "solved") && !isnan(spn_record_number(record, s->unit->cost));
}

/* A run that was solved without a first hit was seen to be at its end. */
static spn_hit hit_of(const search *s, const spn_record *record)
{
    const char *stop = spn_record_text(record, "stop");
    const double cost = spn_record_number(record, s->unit->cost),
                 first = spn_record_number(record, s->unit->hit);
    spn_hit hit = {.cost = isnan(first) ? cost : first, .whole = cost};
    hit.hit = !isnan(first) || spn_record_number(record, "solved") == 1;
    if (hit.hit && stop && strcmp(stop, "target") == 0)
        hit.whole = NAN;
    return hit;
}

static spn_status nothing_found(const search *s, spn_error *err)
{
    const spn_sweep_figure *request = s->request;
    if (s->matched == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "figure %s: no finished run meets its conditions",
                        request->name);
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "figure %s: no run has solved and %s, and what its x and by name: they need a "
                    "task that searches, and a target",
                    request->name, s->unit->cost);
}

static spn_status collect(search *s, const spn_records *records, spn_error *err)
{
    const spn_sweep_figure *request = s->request;
    if (!(s->runs = spn_alloc(records->count, sizeof *s->runs)))
        return spn_no_memory(err, "the figure %s", request->name);
    for (size_t r = 0; r < records->count; r++) {
        const spn_record *record = &records->records[r];
        bool wanted = true;
        for (size_t w = 0; w < request->where_count && wanted; w++)
            SPN_TRY(spn_record_matches(&wanted, record, request->where[w], err));
        s->matched += wanted;
        s->unsearched += wanted && !has_searched(s, record);
        if (wanted && has_searched(s, record) &&
            (request->tts == SPN_TTS_NONE || spn_record_has(record, request->x)) &&
            (!request->by || spn_record_has(record, request->by)))
            s->runs[s->count++] = (spn_observation){record, 0};
    }
    return s->count > 0 ? SPN_OK : nothing_found(s, err);
}

/* ---- names with commas ---- */

enum { MOST_NAMES = 8 };

/* Splits a text, which is changed, into names; how many. */
static size_t split(const char *out[MOST_NAMES], char *text)
{
    size_t count = 0;
    while (text && count < MOST_NAMES) {
        const char *name = strsep(&text, ",");
        out[count++] = name;
    }
    return count;
}

/* ---- the runs of a point ---- */

static int by_record(const void *a, const void *b)
{
    const spn_record *x = ((const entry *)a)->record, *y = ((const entry *)b)->record;
    return (x > y) - (x < y);
}

static entry *find_entry(entry *entries, size_t count, const spn_record *record)
{
    const entry key = {.record = record};
    return bsearch(&key, entries, count, sizeof *entries, by_record);
}

/* Give the runs the numbers of their lengths; the texts of these into *out. */
static spn_status number_lengths(entry *entries, spn_report_length **out, size_t *lengths,
                                 const search *s, const spn_group *group, spn_error *err)
{
    char *over = s->request->over ? strdup(s->request->over) : NULL;
    const char *names[MOST_NAMES];
    const size_t name_count = split(names, over);
    spn_groups groups = {0};
    spn_status status;
    if (s->request->over && !over)
        return spn_no_memory(err, "the figure %s", s->request->name);
    SPN_TRY_OR(cleanup, spn_groups_make(&groups, group->members, group->count, names, name_count,
                                        s->sweep, err));
    *out = spn_alloc(groups.count, sizeof **out);
    for (size_t g = 0; *out && g < groups.count; g++) {
        char text[160] = "", value[SPN_FIELD_TEXT];
        for (size_t k = 0, used = 0; k < name_count && used < sizeof text; k++)
            if (spn_record_has(groups.groups[g].members[0].record, names[k]))
                used += (size_t)snprintf(
                    text + used, sizeof text - used, "%s%s = %s", used ? ", " : "", names[k],
                    spn_observation_text(value, groups.groups[g].members[0], names[k]));
        for (size_t k = 0; k < groups.groups[g].count; k++)
            find_entry(entries, group->count, groups.groups[g].members[k].record)->hit.length = g;
        if (!((*out)[g].text = strdup(text)))
            break;
        *lengths = g + 1;
    }
    if (*lengths < groups.count)
        status = spn_no_memory(err, "the figure %s", s->request->name);
cleanup:
    spn_groups_clear(&groups);
    free(over);
    return status;
}

/* Give the runs the numbers of what is drawn together: a run, at all lengths. */
static spn_status number_units(entry *entries, const search *s, const spn_group *group,
                               spn_error *err)
{
    const spn_sweep *sweep = s->sweep;
    const char **names = spn_alloc(sweep->axis_count + 2, sizeof *names), *over[MOST_NAMES];
    char *text = s->request->over ? strdup(s->request->over) : NULL;
    size_t count = 0;
    spn_groups groups = {0};
    spn_status status;
    if (!names || (s->request->over && !text))
        SPN_TRY_OR(cleanup, spn_no_memory(err, "the figure %s", s->request->name));
    const size_t over_count = split(over, text);
    names[count++] = "run";
    for (size_t a = 0; a < sweep->axis_count; a++) {
        bool among = false;
        for (size_t k = 0; k < over_count && !among; k++)
            among = strcmp(over[k], sweep->axes[a].setting) == 0;
        if (!among)
            names[count++] = sweep->axes[a].setting;
    }
    status = spn_groups_make(&groups, group->members, group->count, names, count, sweep, err);
    for (size_t g = 0; g < groups.count; g++)
        for (size_t k = 0; k < groups.groups[g].count; k++)
            find_entry(entries, group->count, groups.groups[g].members[k].record)->hit.unit = g;
    spn_groups_clear(&groups);
cleanup:
    free(names);
    free(text);
    return status;
}

/* ---- the time to solution of a point ---- */

static spn_tts_way way_of(const search *s, size_t lengths)
{
    return (spn_tts_way){
        .lengths = lengths, .restarts = s->request->tts == SPN_TTS_RESTARTS, .plain = false};
}

/* Of all runs together, and of each length. */
static spn_status pool(spn_tts_estimate *out, spn_report_cell *cell, const spn_hit *hits,
                       size_t count, const search *s, spn_error *err)
{
    const spn_tts_way way = way_of(s, cell->length_count);
    SPN_TRY(spn_tts_find(out, hits, count, way, err));
    for (size_t k = 0; k < cell->length_count; k++) {
        spn_report_length *length = &cell->lengths[k];
        SPN_TRY(spn_tts_of_length(&length->estimate, hits, count, k, way.restarts, err));
        length->best = k == out->length && isfinite(out->tts);
    }
    return SPN_OK;
}

/* The runs of one instance, their times alone. */
static spn_status find_instance(spn_tts_estimate *out, const spn_group *instance, entry *entries,
                                size_t count, spn_tts_way way, spn_error *err)
{
    spn_hit *hits = spn_alloc(instance->count, sizeof *hits);
    if (!hits)
        return spn_no_memory(err, "the time to solution");
    for (size_t k = 0; k < instance->count; k++)
        hits[k] = find_entry(entries, count, instance->members[k].record)->hit;
    way.plain = true;
    spn_status status = spn_tts_find(out, hits, instance->count, way, err);
    free(hits);
    return status;
}

/* The median over instances, which stands in place of the lengths. */
static spn_status separate(spn_tts_estimate *out, spn_report_cell *cell, entry *entries,
                           const spn_group *group, const search *s, spn_error *err)
{
    spn_groups groups = {0};
    spn_tts_estimate *each = NULL;
    char *text = NULL;
    const spn_tts_way way = way_of(s, cell->length_count);
    spn_status status;
    SPN_TRY_OR(cleanup, spn_groups_make(&groups, group->members, group->count,
                                        (const char *[]){s->request->each}, 1, s->sweep, err));
    each = spn_alloc(groups.count, sizeof *each);
    if (!each || asprintf(&text, "median of %zu instances", groups.count) < 0) {
        text = NULL;
        status = spn_no_memory(err, "the figure %s", s->request->name);
        goto cleanup;
    }
    for (size_t g = 0; g < groups.count; g++)
        SPN_TRY_OR(cleanup,
                   find_instance(&each[g], &groups.groups[g], entries, group->count, way, err));
    SPN_TRY_OR(cleanup, spn_tts_median(out, each, groups.count, err));
    for (size_t k = 0; k < cell->length_count; k++)
        free(cell->lengths[k].text);
    cell->length_count = 1;
    cell->lengths[0] = (spn_report_length){.text = text, .estimate = *out, .best = true};
    text = NULL;
cleanup:
    free(text);
    free(each);
    spn_groups_clear(&groups);
    return status;
}

static spn_status fill_cell(spn_report_cell *cell, const search *s, const spn_group *group,
                            spn_error *err)
{
    entry *entries = spn_alloc(group->count, sizeof *entries);
    spn_hit *hits = spn_alloc(group->count, sizeof *hits);
    spn_tts_estimate estimate;
    spn_status status;
    if (!entries || !hits)
        SPN_TRY_OR(cleanup, spn_no_memory(err, "the figure %s", s->request->name));
    for (size_t k = 0; k < group->count; k++)
        entries[k] = (entry){group->members[k].record, hit_of(s, group->members[k].record)};
    qsort(entries, group->count, sizeof *entries, by_record);
    SPN_TRY_OR(cleanup,
               number_lengths(entries, &cell->lengths, &cell->length_count, s, group, err));
    SPN_TRY_OR(cleanup, number_units(entries, s, group, err));
    for (size_t k = 0; k < group->count; k++)
        hits[k] = entries[k].hit;
    SPN_TRY_OR(cleanup, s->request->each ? separate(&estimate, cell, entries, group, s, err)
                                         : pool(&estimate, cell, hits, group->count, s, err));
    spn_summary *ours = &cell->ours;
    *ours = spn_summarise(NULL, 0);
    ours->count = group->count;
    ours->mean = isinf(estimate.tts) ? NAN : estimate.tts;
    ours->low = estimate.low;
    ours->high = estimate.high;
    ours->half = isinf(ours->high) ? NAN : (ours->high - ours->low) / 2;
cleanup:
    free(entries);
    free(hits);
    return status;
}

/* ---- curves ---- */

static spn_status add_curves(spn_report_figure *out, const search *s, const spn_groups *groups,
                             spn_error *err)
{
    const char *by = s->request->by, *x = s->request->x;
    spn_report_curve *curve = NULL;
    char text[SPN_FIELD_TEXT];
    if (!spn_figure_make_room(out, groups->count))
        return spn_no_memory(err, "the figure %s", s->request->name);
    for (size_t k = 0; k < groups->count; k++) {
        const spn_group *group = &groups->groups[k];
        if (k == 0 || !spn_groups_same_curve(group - 1, group, by))
            curve = spn_figure_add_curve(
                out, s->request, by ? spn_observation_text(text, group->members[0], by) : "",
                groups->count);
        if (!curve)
            return spn_no_memory(err, "the figure %s", s->request->name);
        if (s->request->tts == SPN_TTS_NONE) { /* all runs, for the survival */
            if (!(curve->hits = spn_alloc(group->count, sizeof *curve->hits)))
                return spn_no_memory(err, "the figure %s", s->request->name);
            for (size_t h = 0; h < group->count; h++)
                curve->hits[curve->hit_count++] = hit_of(s, group->members[h].record);
            continue;
        }
        spn_report_cell *cell = &curve->cells[curve->count++];
        *cell = spn_cell_empty(spn_observation_place(group->members[0], x),
                               strdup(spn_observation_text(text, group->members[0], x)));
        if (!cell->x_text)
            return spn_no_memory(err, "the figure %s", s->request->name);
        SPN_TRY(fill_cell(cell, s, group, err));
    }
    for (size_t k = 0; k < out->count; k++)
        spn_curve_sort(&out->curves[k]);
    return SPN_OK;
}

spn_status spn_figure_fill_hits(spn_report_figure *out, const spn_records *records, spn_error *err)
{
    search s = {.request = out->request, .sweep = records->sweep};
    for (size_t k = 0; spn_hit_unit_at(k); k++)
        if (strcmp(spn_hit_unit_at(k)->hit, out->request->value) == 0)
            s.unit = spn_hit_unit_at(k);
    const char *names[2];
    size_t count = 0;
    spn_groups groups = {0};
    if (!s.unit)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "figure %s: its value is %s; first hits are first_hit_steps, "
                        "first_hit_proposals or first_hit_seconds",
                        s.request->name, s.request->value);
    if (s.request->by)
        names[count++] = s.request->by;
    if (s.request->tts != SPN_TTS_NONE)
        names[count++] = s.request->x;
    spn_status status;
    SPN_TRY_OR(cleanup, collect(&s, records, err));
    SPN_TRY_OR(cleanup,
               spn_groups_make(&groups, s.runs, s.count, names, count, records->sweep, err));
    out->unsearched = s.unsearched;
    status = add_curves(out, &s, &groups, err);
cleanup:
    spn_groups_clear(&groups);
    free(s.runs);
    return status;
}
