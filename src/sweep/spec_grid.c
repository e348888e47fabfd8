/* The grid of a specification: its axes, counted before they are made. */
#include "sweep/spec.h"

#include "base/memory.h"
#include "base/number.h"
#include <ctype.h>
#include <math.h>
#include <spinney/lab/sweep.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An axis that is a range. */
typedef struct range {
    double from, to;
    uint64_t count;
    bool log;
} range;

static const yaml_node_t *axis_node(const spn_spec *spec, size_t axis)
{
    return spn_spec_item(spec, spn_spec_key(spec, spn_spec_root(spec), "grid"), axis);
}

static spn_place axis_place(const spn_spec *spec, size_t axis, const char *key)
{
    const yaml_node_t *node = axis_node(spec, axis);
    const yaml_node_t *value = key ? spn_spec_key(spec, node, key) : NULL;
    return spn_spec_place(spec, spec->raw->grid[axis].setting, value ? value : node);
}

/* ---- ranges ---- */

static spn_status read_range(range *out, const spn_spec *spec, size_t axis, spn_error *err)
{
    static const char *const spacings[] = {"linear", "log", NULL};
    const spn_spec_axis *raw = &spec->raw->grid[axis];
    int spacing = 0;
    if (!raw->from || !raw->to || !raw->count)
        return spn_spec_fail(spec, axis_place(spec, axis, NULL), err,
                             "an axis has values, or from, to and count");
    spn_status status = spn_spec_real(&out->from, spec, axis_place(spec, axis, "from"), "from",
                                      raw->from, -HUGE_VAL, HUGE_VAL, err);
    if (!status)
        status = spn_spec_real(&out->to, spec, axis_place(spec, axis, "to"), "to", raw->to,
                               -HUGE_VAL, HUGE_VAL, err);
    if (!status)
        status = spn_spec_whole(&out->count, spec, axis_place(spec, axis, "count"), "count",
                                raw->count, 1, UINT64_MAX, err);
    if (!status)
        status = spn_spec_word(&spacing, spec, axis_place(spec, axis, "spacing"), "spacing",
                               raw->spacing, spacings, err);
    out->log = spacing == 1;
    if (!status && out->log && !(out->from > 0 && out->to > 0))
        status =
            spn_spec_fail(spec, axis_place(spec, axis, "from"), err,
                          "spacing log is for positive numbers, not %s to %s", raw->from, raw->to);
    if (!status && out->count == 1 && out->from != out->to)
        status = spn_spec_fail(spec, axis_place(spec, axis, "count"), err,
                               "one value cannot be both %s and %s; give count: 2 or more, or "
                               "values",
                               raw->from, raw->to);
    if (!status && out->count > 1 && out->from == out->to)
        status = spn_spec_fail(spec, axis_place(spec, axis, "count"), err,
                               "%s values from %s to the same", raw->count, raw->from);
    return status;
}

/* Value k, to the 12 digits that a step of the range is good for. */
static char *range_value(const range *r, size_t k)
{
    char text[SPN_NUMBER_TEXT];
    const double share = r->count > 1 ? (double)k / (double)(r->count - 1) : 0;
    double value = r->log ? exp(log(r->from) + share * log(r->to / r->from))
                          : r->from + share * (r->to - r->from);
    if (k == 0)
        value = r->from;
    else if (k == r->count - 1)
        value = r->to;
    spn_number_text(text, spn_number_round(value, 12));
    return strdup(text);
}

/* ---- axes ---- */

static const xpn_setting *axis_setting(const spn_spec *spec, size_t axis)
{
    return xpn_setting_find(spec->task, spec->raw->grid[axis].setting);
}

static spn_status check_axis(const spn_spec *spec, size_t axis, spn_error *err)
{
    const spn_spec_axis *raw = &spec->raw->grid[axis];
    const spn_place place = spn_spec_at(spn_spec_key(spec, axis_node(spec, axis), "setting"));
    const xpn_setting *setting = axis_setting(spec, axis);
    spn_error why = {0};
    if (!setting) {
        xpn_setting_unknown(spec->task, raw->setting, &why);
        return spn_spec_fail(spec, place, err, "%.400s", why.text);
    }
    if (spec->raw->settings[setting - spec->task->settings])
        return spn_spec_fail(spec, place, err, "%s is both a fixed setting and an axis of the grid",
                             raw->setting);
    for (size_t k = 0; k < axis; k++)
        if (strcmp(spec->raw->grid[k].setting, raw->setting) == 0)
            return spn_spec_fail(spec, place, err, "%s is an axis twice", raw->setting);
    if (raw->values && (raw->from || raw->to || raw->count || raw->spacing))
        return spn_spec_fail(spec, axis_place(spec, axis, NULL), err,
                             "an axis has values, or from, to and count, not both");
    return SPN_OK;
}

/* Count the jobs; more than there is room for are refused with their number. */
static spn_status count_jobs(const spn_spec *spec, const range *ranges, uint64_t runs,
                             spn_error *err)
{
    const spn_spec_raw *raw = spec->raw;
    uint64_t jobs = runs;
    bool beyond = false;
    for (size_t k = 0; k < raw->grid_count; k++)
        beyond |= __builtin_mul_overflow(
            jobs, raw->grid[k].values ? raw->grid[k].values_count : ranges[k].count, &jobs);
    if (beyond)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "%s: points times runs are more than 2^64 jobs; at most %d", spec->file,
                        SPN_SWEEP_MOST_JOBS);
    if (jobs > SPN_SWEEP_MOST_JOBS)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: points times runs are %llu jobs; at most %d",
                        spec->file, (unsigned long long)jobs, SPN_SWEEP_MOST_JOBS);
    return SPN_OK;
}

/* ---- values ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(**(char **const *)a, **(char **const *)b);
}

static spn_place value_place(const spn_spec *spec, size_t axis, size_t k)
{
    const yaml_node_t *list = spn_spec_key(spec, axis_node(spec, axis), "values");
    const yaml_node_t *item = spn_spec_item(spec, list, k);
    return spn_spec_place(spec, spec->raw->grid[axis].setting, item ? item : axis_node(spec, axis));
}

static spn_status check_distinct(const spn_spec *spec, const spn_axis *made, size_t axis,
                                 spn_error *err)
{
    char ***order = spn_alloc(made->count, sizeof *order);
    if (!order)
        return spn_spec_no_memory(err);
    for (size_t k = 0; k < made->count; k++)
        order[k] = &made->values[k];
    qsort(order, made->count, sizeof *order, by_text);
    spn_status status = SPN_OK;
    for (size_t k = 1; k < made->count && !status; k++) {
        if (strcmp(*order[k - 1], *order[k]) != 0)
            continue;
        char **later = order[k - 1] > order[k] ? order[k - 1] : order[k];
        status = spn_spec_fail(spec, value_place(spec, axis, (size_t)(later - made->values)), err,
                               "%s has the value %.60s twice", made->setting, *later);
    }
    free(order);
    return status;
}

static spn_status make_values(spn_axis *out, const spn_spec *spec, size_t axis, const range *r,
                              spn_error *err)
{
    const spn_spec_axis *raw = &spec->raw->grid[axis];
    const xpn_setting_kind kind = axis_setting(spec, axis)->kind;
    const size_t count = raw->values ? raw->values_count : (size_t)r->count;
    out->values = spn_alloc(count, sizeof *out->values);
    if (!out->values || !(out->setting = strdup(raw->setting)))
        return spn_spec_no_memory(err);
    for (; out->count < count; out->count++) {
        const char *text = raw->values ? raw->values[out->count] : NULL;
        for (const char *c = text; c && *c; c++)
            if (iscntrl((unsigned char)*c))
                return spn_spec_fail(spec, value_place(spec, axis, out->count), err,
                                     "%s has a line break or another control character",
                                     raw->setting);
        out->values[out->count] =
            text ? spn_spec_canonical(kind, text) : range_value(r, out->count);
        if (!out->values[out->count])
            return spn_spec_no_memory(err);
    }
    return check_distinct(spec, out, axis, err);
}

static spn_status make_axes(spn_sweep *out, const spn_spec *spec, range *ranges, spn_error *err)
{
    spn_status status = SPN_OK;
    const size_t count = spec->raw->grid_count;
    for (size_t k = 0; k < count && !status; k++) {
        status = check_axis(spec, k, err);
        if (!status && !spec->raw->grid[k].values)
            status = read_range(&ranges[k], spec, k, err);
    }
    if (!status)
        status = count_jobs(spec, ranges, out->runs, err);
    for (size_t k = 0; k < count && !status; k++) {
        out->axis_count++;
        status = make_values(&out->axes[k], spec, k, &ranges[k], err);
    }
    return status;
}

spn_status spn_spec_grid(spn_sweep *out, const spn_spec *spec, spn_error *err)
{
    const size_t count = spec->raw->grid_count;
    range *ranges = spn_alloc(count, sizeof *ranges);
    out->axes = spn_alloc(count, sizeof *out->axes);
    spn_status status =
        ranges && out->axes ? make_axes(out, spec, ranges, err) : spn_spec_no_memory(err);
    free(ranges);
    return status;
}

/* ---- faults ---- */

spn_place spn_spec_fault(const spn_spec *spec, const spn_sweep *sweep, const xpn_fault *fault)
{
    const yaml_node_t *root = spn_spec_root(spec);
    if (!fault->setting)
        return spn_spec_at(NULL);
    size_t stride = 1;
    for (size_t k = sweep->axis_count; k-- > 0;) {
        const spn_axis *axis = &sweep->axes[k];
        if (strcmp(axis->setting, fault->setting) == 0)
            return value_place(spec, k,
                               fault->point == SIZE_MAX ? 0 : fault->point / stride % axis->count);
        stride *= axis->count;
    }
    const yaml_node_t *node =
        spn_spec_key(spec, spn_spec_key(spec, root, "settings"), fault->setting);
    if (node)
        return spn_spec_place(spec, fault->setting, node);
    /* a measure, such as flips.trials, or a setting that is missing */
    char part[64];
    const char *dot = strchr(fault->setting, '.');
    snprintf(part, sizeof part, "%.*s",
             dot ? (int)(dot - fault->setting) : (int)strlen(fault->setting), fault->setting);
    const yaml_node_t *measure = spn_spec_key(spec, spn_spec_key(spec, root, "measure"), part);
    const yaml_node_t *inner = dot ? spn_spec_key(spec, measure, dot + 1) : NULL;
    const yaml_node_t *settings = spn_spec_key(spec, root, "settings");
    return spn_spec_place(spec, fault->setting, inner ? inner : measure ? measure : settings);
}
