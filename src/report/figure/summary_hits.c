/* Figures of first hits: the runs of each curve for survival, and the time to solution at each
   point, minimised over the lengths of runs. */
#include "base/memory.h"
#include "base/number.h"
#include "query/query.h"
#include "record/record.h"
#include "report/figure/hits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 8 };

typedef struct search {
    const spn_sweep_figure *request;
    const char *const *unit; /* names of a first hit */
    const spn_records *records;
    size_t matched, unsearched;
    spn_observation *runs;
    size_t count;
    spn_hit *hits;                /* for each record, if it is among the runs */
    char *over_text;              /* settings that make the length of a run, split */
    const char *over[MOST_NAMES]; /* pointers into over_text */
    size_t over_count;
} search;

bool spn_figure_is_of_hits(const spn_sweep_figure *request)
{
    return request->tts != SPN_TTS_NONE || request->as[SPN_FIGURE_SURVIVAL];
}

/* ---- runs ---- */

static bool has_searched(const search *s, const spn_record *record)
{
    return spn_record_has(record, "solved") &&
           !isnan(spn_record_number(record, s->unit[SPN_HIT_COST]));
}

/* If a run was solved without a first hit, its end counts as the hit. */
static spn_hit hit_of(const search *s, const spn_record *record)
{
    const char *stop = spn_record_text(record, "stop");
    const double cost = spn_record_number(record, s->unit[SPN_HIT_COST]),
                 first = spn_record_number(record, s->unit[SPN_HIT_RESULT]);
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
        return spn_refuse(err, "figure %s: no finished run meets its conditions", request->name);
    return spn_refuse(
        err,
        "figure %s: no run has solved and %s, and what its x and by name: they need a "
        "task that searches, and a target",
        request->name, s->unit[SPN_HIT_COST]);
}

static spn_status collect(search *s, spn_error *err)
{
    const spn_sweep_figure *request = s->request;
    const spn_records *records = s->records;
    s->runs = spn_alloc(records->count, sizeof *s->runs);
    s->hits = spn_alloc(records->count, sizeof *s->hits);
    s->over_text = strdup(request->over ? request->over : "");
    SPN_NEED(s->runs && s->hits && s->over_text, err, "the figure %s", request->name);
    for (char *rest = s->over_text; request->over && rest && s->over_count < MOST_NAMES;)
        s->over[s->over_count++] = strsep(&rest, ",");
    for (size_t r = 0; r < records->count; r++) {
        const spn_record *record = &records->records[r];
        bool wanted = true;
        for (size_t w = 0; w < request->where_count && wanted; w++)
            SPN_TRY(spn_record_matches(&wanted, record, request->where[w], err));
        s->matched += wanted;
        s->unsearched += wanted && !has_searched(s, record);
        if (!wanted || !has_searched(s, record) ||
            (request->tts != SPN_TTS_NONE && !spn_record_has(record, request->x)) ||
            (request->by && !spn_record_has(record, request->by)))
            continue;
        s->runs[s->count++] = (spn_observation){record, 0};
        s->hits[r] = hit_of(s, record);
    }
    return s->count > 0 ? SPN_OK : nothing_found(s, err);
}

static spn_hit *hit_at(const search *s, spn_observation run)
{
    return &s->hits[run.record - s->records->records];
}

/* Hits of a group; the caller frees them. NULL without memory. */
static spn_hit *hits_of(const search *s, const spn_group *group)
{
    spn_hit *hits = spn_alloc(group->count, sizeof *hits);
    for (size_t k = 0; hits && k < group->count; k++)
        hits[k] = *hit_at(s, group->members[k]);
    return hits;
}

static spn_status number_lengths(spn_report_cell *cell, const search *s, const spn_group *group,
                                 spn_error *err)
{
    spn_groups groups = {0};
    SPN_TRY(spn_groups_make(&groups, group->members, group->count, s->over, s->over_count,
                            s->records->sweep, err));
    cell->lengths = spn_alloc(groups.count, sizeof *cell->lengths);
    for (size_t g = 0; cell->lengths && g < groups.count; g++) {
        const spn_observation first = groups.groups[g].members[0];
        char text[160] = "", value[SPN_FIELD_TEXT];
        for (size_t k = 0; k < s->over_count; k++)
            if (spn_record_has(first.record, s->over[k]))
                spn_print_more(text, sizeof text, "%s%s = %s", *text ? ", " : "", s->over[k],
                               spn_observation_text(value, first, s->over[k]));
        for (size_t k = 0; k < groups.groups[g].count; k++)
            hit_at(s, groups.groups[g].members[k])->length = g;
        if (!(cell->lengths[g].text = strdup(text)))
            break;
        cell->length_count = g + 1;
    }
    const bool whole = cell->length_count == groups.count;
    spn_groups_clear(&groups);
    return whole ? SPN_OK : spn_no_memory(err, "the figure %s", s->request->name);
}

/* Number the units: the same run at all lengths is one unit. */
static spn_status number_units(const search *s, const spn_group *group, spn_error *err)
{
    const spn_sweep *sweep = s->records->sweep;
    const char **names = spn_alloc(sweep->axis_count + 2, sizeof *names);
    size_t count = 0;
    spn_groups groups = {0};
    SPN_NEED(names, err, "the figure %s", s->request->name);
    names[count++] = "run";
    for (size_t a = 0; a < sweep->axis_count; a++) {
        bool among = false;
        for (size_t k = 0; k < s->over_count && !among; k++)
            among = strcmp(s->over[k], sweep->axes[a].setting) == 0;
        if (!among)
            names[count++] = sweep->axes[a].setting;
    }
    const spn_status status =
        spn_groups_make(&groups, group->members, group->count, names, count, sweep, err);
    for (size_t g = 0; g < groups.count; g++)
        for (size_t k = 0; k < groups.groups[g].count; k++)
            hit_at(s, groups.groups[g].members[k])->unit = g;
    spn_groups_clear(&groups);
    free(names);
    return status;
}

/* ---- the time to solution of a point ---- */

static spn_status pool(spn_tts_estimate *out, spn_report_cell *cell, const spn_group *group,
                       const search *s, spn_error *err)
{
    const bool restarts = s->request->tts == SPN_TTS_RESTARTS;
    spn_hit *hits = hits_of(s, group);
    spn_status status;
    SPN_TRY_OR(cleanup, hits ? spn_tts_find(out, hits, group->count, restarts, false, err)
                             : spn_no_memory(err, "the figure %s", s->request->name));
    for (size_t k = 0; k < cell->length_count; k++) {
        spn_tts_estimate here;
        SPN_TRY_OR(cleanup, spn_tts_of_length(&here, hits, group->count, k, restarts, err));
        here.best = k == out->length && isfinite(out->tts);
        here.text = cell->lengths[k].text;
        cell->lengths[k] = here;
    }
cleanup:
    free(hits);
    return status;
}

/* Median over instances, in place of the lengths. */
static spn_status separate(spn_tts_estimate *out, spn_report_cell *cell, const spn_group *group,
                           const search *s, spn_error *err)
{
    spn_groups groups = {0};
    spn_tts_estimate *each = NULL;
    spn_hit *hits = NULL;
    const bool restarts = s->request->tts == SPN_TTS_RESTARTS;
    char text[64];
    spn_status status;
    SPN_TRY_OR(cleanup,
               spn_groups_make(&groups, group->members, group->count,
                               (const char *[]){s->request->each}, 1, s->records->sweep, err));
    each = spn_alloc(groups.count, sizeof *each);
    for (size_t g = 0; g < groups.count; g++) {
        hits = each ? hits_of(s, &groups.groups[g]) : NULL;
        SPN_TRY_OR(cleanup,
                   hits ? spn_tts_find(&each[g], hits, groups.groups[g].count, restarts, true, err)
                        : spn_no_memory(err, "the time to solution"));
        free(hits);
        hits = NULL;
    }
    SPN_TRY_OR(cleanup, spn_tts_median(out, each, groups.count, err));
    while (cell->length_count > 0)
        free(cell->lengths[--cell->length_count].text);
    cell->lengths[0] = *out;
    cell->lengths[0].best = true;
    snprintf(text, sizeof text, "median of %zu instances", groups.count);
    if ((cell->lengths[0].text = strdup(text)))
        cell->length_count = 1;
    else
        status = spn_no_memory(err, "the figure %s", s->request->name);
cleanup:
    SPN_FREE_ALL(hits, each);
    spn_groups_clear(&groups);
    return status;
}

static spn_status fill_cell(spn_report_cell *cell, const search *s, const spn_group *group,
                            spn_error *err)
{
    spn_tts_estimate estimate;
    SPN_TRY(number_lengths(cell, s, group, err));
    SPN_TRY(number_units(s, group, err));
    SPN_TRY(s->request->each ? separate(&estimate, cell, group, s, err)
                             : pool(&estimate, cell, group, s, err));
    spn_summary *ours = &cell->ours;
    *ours = spn_summarise(NULL, 0);
    ours->count = group->count;
    ours->mean = isinf(estimate.tts) ? NAN : estimate.tts;
    ours->low = estimate.low;
    ours->high = estimate.high;
    ours->half = isinf(ours->high) ? NAN : (ours->high - ours->low) / 2;
    return SPN_OK;
}

/* Add a curve of all runs for survival, or a cell with the time to solution. */
static spn_status add_group(spn_report_figure *out, const search *s, const spn_groups *groups,
                            size_t k, spn_error *err)
{
    const spn_group *group = &groups->groups[k];
    spn_report_curve *curve = spn_figure_curve(out, s->request, groups, k);
    spn_report_cell *cell = NULL;
    char text[SPN_FIELD_TEXT];
    if (curve && s->request->tts == SPN_TTS_NONE && (curve->hits = hits_of(s, group))) {
        curve->hit_count = group->count;
        return SPN_OK;
    }
    const spn_observation first = group->members[0];
    if (curve && s->request->tts != SPN_TTS_NONE)
        cell = spn_curve_add_cell(curve, spn_observation_place(first, s->request->x),
                                  spn_observation_text(text, first, s->request->x));
    return cell ? fill_cell(cell, s, group, err)
                : spn_no_memory(err, "the figure %s", s->request->name);
}

spn_status spn_figure_fill_hits(spn_report_figure *out, const spn_records *records, spn_error *err)
{
    search s = {
        .request = out->request, .records = records, .unit = spn_hit_unit(out->request->value)};
    const char *names[2];
    size_t count = 0;
    spn_groups groups = {0};
    if (!s.unit)
        return spn_refuse(err,
                          "figure %s: its value is %s; first hits are first_hit_steps, "
                          "first_hit_proposals or first_hit_seconds",
                          s.request->name, s.request->value);
    if (s.request->by)
        names[count++] = s.request->by;
    if (s.request->tts != SPN_TTS_NONE)
        names[count++] = s.request->x;
    spn_status status;
    SPN_TRY_OR(cleanup, collect(&s, err));
    SPN_TRY_OR(cleanup,
               spn_groups_make(&groups, s.runs, s.count, names, count, records->sweep, err));
    out->unsearched = s.unsearched;
    for (size_t k = 0; k < groups.count; k++)
        SPN_TRY_OR(cleanup, add_group(out, &s, &groups, k, err));
    for (size_t k = 0; k < out->count; k++)
        spn_curve_sort(&out->curves[k]);
cleanup:
    spn_groups_clear(&groups);
    SPN_FREE_ALL(s.runs, s.hits, s.over_text);
    return status;
}
