/* The axes of a specification. Jobs are counted before values are made. */
#include "base/memory.h"
#include "base/number.h"
#include "sweep/spec/spec.h"

#include <math.h>
#include <spinney/lab/sweep.h>
#include <stdlib.h>
#include <string.h>

static spn_status check_range(const spn_axis_range *r, const spn_spec *spec, const spn_node *axis)
{
    const char *from = spn_node_get(axis, "from")->text, *to = spn_node_get(axis, "to")->text;
    const spn_node *count = spn_node_get(axis, "count");
    if (r->spacing == 1 && !(r->from > 0 && r->to > 0))
        return spn_spec_fail(spec, spn_node_get(axis, "from"),
                             "spacing log is for positive numbers, not %s to %s", from, to);
    if (r->count == 1 && r->from != r->to)
        return spn_spec_fail(spec, count,
                             "one value cannot be both %s and %s; give count: 2 or more, or values",
                             from, to);
    if (r->count > 1 && r->from == r->to)
        return spn_spec_fail(spec, count, "%s values from %s to the same", count->text, from);
    return SPN_OK;
}

static spn_status read_range(spn_axis_range *out, const spn_spec *spec, const spn_node *axis)
{
    if (!spn_node_get(axis, "from") || !spn_node_get(axis, "to") || !spn_node_get(axis, "count"))
        return spn_spec_fail(spec, axis, "an axis has values, or from, to and count");
    for (const spn_member *member = spn_axis_members; member->name; member++) {
        const spn_node *node = spn_node_get(axis, member->name);
        if (!(member->flags & SPN_MEMBER_APART) || !node)
            continue;
        SPN_TRY(spn_member_read(out, member, node, spec->file, spec->err));
    }
    return check_range(out, spec, axis);
}

/* Value k, rounded to 12 digits. */
static char *range_value(const spn_axis_range *r, size_t k)
{
    char text[SPN_NUMBER_TEXT];
    double value;
    const double share = r->count > 1 ? (double)k / (double)(r->count - 1) : 0;
    if (k == 0)
        value = r->from;
    else if (k == r->count - 1)
        value = r->to;
    else if (r->spacing == 1)
        value = exp(log(r->from) + share * log(r->to / r->from));
    else
        value = r->from + share * (r->to - r->from);
    spn_number_text(text, spn_number_round(value, 12));
    return strdup(text);
}

static spn_status check_axis(const spn_sweep *sweep, const spn_spec *spec, size_t k)
{
    const spn_node *axis = spn_spec_axis(spec, k), *place = spn_node_get(axis, "setting");
    const char *name = sweep->axes[k].setting;
    const spn_setting *setting = spn_setting_find(spec->task->settings, name);
    const bool cases = sweep->axes[k].case_count > 0;
    if (!setting && !cases)
        return spn_spec_unknown(spec, place, name);
    if (setting && setting->flags & SPN_SETTING_SEED)
        return spn_spec_seed(spec, place, name);
    if (spn_spec_setting(spec, name))
        return spn_spec_fail(spec, place, "%s is both a fixed setting and an axis of the grid",
                             name);
    for (size_t i = 0; i < k; i++)
        if (strcmp(sweep->axes[i].setting, name) == 0)
            return spn_spec_fail(spec, place, "%s is an axis twice", name);
    bool range = false;
    for (const spn_member *member = spn_axis_members; member->name; member++)
        range |= member->flags & SPN_MEMBER_APART && spn_node_get(axis, member->name);
    if ((sweep->axes[k].values || cases) && range)
        return spn_spec_fail(spec, axis, "an axis has values, or from, to and count, not both");
    return SPN_OK;
}

static spn_status count_jobs(const spn_sweep *sweep, const spn_spec *spec)
{
    const size_t jobs = spn_sweep_jobs(sweep);
    if (jobs == SIZE_MAX)
        return spn_fail(spec->err, SPN_ERROR_ARGUMENT,
                        "%s: points times runs are more than 2^64 jobs; at most %d", spec->file,
                        SPN_SWEEP_MOST_JOBS);
    if (jobs > SPN_SWEEP_MOST_JOBS)
        return spn_fail(spec->err, SPN_ERROR_ARGUMENT,
                        "%s: points times runs are %zu jobs; at most %d", spec->file, jobs,
                        SPN_SWEEP_MOST_JOBS);
    return SPN_OK;
}

static int by_text(const void *a, const void *b)
{
    char **const *x = a, **const *y = b;
    const int order = strcmp(**x, **y);
    return order ? order : (*x > *y) - (*x < *y);
}

static spn_status check_distinct(const spn_axis *axis, const spn_spec *spec, size_t k)
{
    char ***order = spn_alloc(axis->count, sizeof(char **));
    spn_status status = SPN_OK;
    SPN_NEED(order, spec->err, "%s", spec->file);
    for (size_t i = 0; i < axis->count; i++)
        order[i] = &axis->values[i];
    qsort(order, axis->count, sizeof *order, by_text);
    for (size_t i = 1; i < axis->count && !status; i++)
        if (strcmp(*order[i - 1], *order[i]) == 0)
            status = spn_spec_fail(spec, spn_spec_value(spec, k, (size_t)(order[i] - axis->values)),
                                   "%s has the value %.60s twice", axis->setting, *order[i]);
    free(order);
    return status;
}

static spn_status make_values(spn_axis *axis, const spn_spec *spec, size_t k,
                              const spn_axis_range *range)
{
    const spn_setting *setting = spn_setting_find(spec->task->settings, axis->setting);
    const bool is_range = !axis->values;
    spn_status status = SPN_OK;
    if (is_range && !(axis->values = spn_alloc(axis->count, sizeof *axis->values)))
        return spn_spec_no_memory(spec);
    for (size_t i = 0; i < axis->count && !status; i++) {
        char *text = is_range ? range_value(range, i) : axis->values[i];
        axis->values[i] = text ? spn_setting_canonical(setting, text) : NULL;
        status = axis->values[i] ? SPN_OK : spn_spec_no_memory(spec);
        free(text);
    }
    return status ? status : check_distinct(axis, spec, k);
}

spn_status spn_spec_grid(spn_sweep *sweep, const spn_spec *spec)
{
    const size_t count = sweep->axis_count;
    spn_axis_range *ranges = spn_alloc(count, sizeof *ranges);
    spn_status status = SPN_OK;
    SPN_NEED(ranges, spec->err, "%s", spec->file);
    for (size_t k = 0; k < count; k++) {
        SPN_TRY_OR(cleanup, check_axis(sweep, spec, k));
        if (sweep->axes[k].case_count > 0)
            SPN_TRY_OR(cleanup, spn_spec_cases(sweep, spec, k));
        if (sweep->axes[k].values)
            continue;
        SPN_TRY_OR(cleanup, read_range(&ranges[k], spec, spn_spec_axis(spec, k)));
        sweep->axes[k].count = (size_t)ranges[k].count;
    }
    SPN_TRY_OR(cleanup, count_jobs(sweep, spec));
    for (size_t k = 0; k < count; k++)
        if (sweep->axes[k].case_count == 0)
            SPN_TRY_OR(cleanup, make_values(&sweep->axes[k], spec, k, &ranges[k]));
cleanup:
    free(ranges);
    return status;
}
