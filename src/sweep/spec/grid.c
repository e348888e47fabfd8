/* The axes of a specification. Jobs are counted before values are made. */
#include "base/memory.h"
#include "base/number.h"
#include "record/record.h"
#include "sweep/spec/spec.h"

#include <math.h>
#include <spinney/lab/sweep.h>
#include <stdlib.h>
#include <string.h>

/* ---- cases of an axis: named sets of settings ---- */

const spn_case *spn_axis_case(const spn_axis *axis, const char *name)
{
    for (size_t k = 0; k < axis->case_count; k++)
        if (strcmp(axis->cases[k].name, name) == 0)
            return &axis->cases[k];
    return NULL;
}

bool spn_sweep_has_case_of(const spn_sweep *sweep, const char *setting)
{
    for (size_t a = 0; a < sweep->axis_count; a++)
        for (size_t k = 0; k < sweep->axes[a].case_count; k++)
            for (size_t i = 0; i < sweep->axes[a].cases[k].count; i++)
                if (strcmp(sweep->axes[a].cases[k].settings[i].name, setting) == 0)
                    return true;
    return false;
}

spn_status spn_sweep_name_cases(spn_record *record, const spn_sweep *sweep, size_t job,
                                spn_error *err)
{
    for (size_t a = 0; a < sweep->axis_count; a++)
        if (sweep->axes[a].case_count > 0)
            SPN_TRY(spn_record_add_setting(record, sweep->axes[a].setting,
                                           spn_sweep_value_at(sweep, a, job / sweep->runs), err));
    return SPN_OK;
}

const spn_node *spn_spec_case(const spn_spec *spec, size_t k, size_t i, const char *setting)
{
    const spn_node *axis = spn_spec_axis(spec, k);
    const spn_node *node = spn_node_item(spn_node_get(axis, "cases"), i);
    const spn_node *found = setting ? spn_node_get(spn_node_get(node, "settings"), setting) : NULL;
    return found ? found : node ? node : axis;
}

static const char *given_elsewhere(const spn_sweep *sweep, const spn_spec *spec, size_t k,
                                   const char *name)
{
    if (spn_spec_setting(spec, name))
        return "a fixed setting";
    for (size_t a = 0; a < sweep->axis_count; a++) {
        if (strcmp(sweep->axes[a].setting, name) == 0)
            return "an axis of the grid";
        for (size_t i = 0; a < k && i < sweep->axes[a].case_count; i++)
            for (size_t f = 0; f < sweep->axes[a].cases[i].count; f++)
                if (strcmp(sweep->axes[a].cases[i].settings[f].name, name) == 0)
                    return "of another axis of cases";
    }
    return NULL;
}

static spn_status read_field(spn_field *field, const spn_sweep *sweep, const spn_spec *spec,
                             size_t k, size_t i)
{
    const spn_node *node = spn_spec_case(spec, k, i, field->name);
    const char *elsewhere = given_elsewhere(sweep, spec, k, field->name);
    SPN_TRY(spn_spec_read_field(field, spec, node, true));
    if (!elsewhere)
        return SPN_OK;
    return spn_node_fail(&(spn_node){.line = node->key_line, .set = node->set}, spec->file,
                         spec->err, "%s is both of a case and %s", field->name, elsewhere);
}

static bool are_same(const spn_case *a, const spn_case *b)
{
    size_t same = 0;
    for (size_t k = 0; k < a->count; k++)
        for (size_t i = 0; i < b->count; i++)
            same += strcmp(a->settings[k].name, b->settings[i].name) == 0 &&
                    strcmp(a->settings[k].text, b->settings[i].text) == 0;
    return same == a->count && same == b->count;
}

static spn_status check_case(const spn_sweep *sweep, const spn_spec *spec, size_t k, size_t i)
{
    const spn_axis *axis = &sweep->axes[k];
    spn_case *it = &axis->cases[i];
    for (size_t f = 0; f < it->count; f++)
        SPN_TRY(read_field(&it->settings[f], sweep, spec, k, i));
    for (size_t other = 0; other < i; other++) {
        if (strcmp(axis->cases[other].name, it->name) == 0)
            return spn_spec_fail(spec, spn_spec_case(spec, k, i, NULL),
                                 "the case %.60s is there twice", it->name);
        if (are_same(&axis->cases[other], it))
            return spn_spec_fail(spec, spn_spec_case(spec, k, i, NULL),
                                 "the cases %.60s and %.60s have the same settings",
                                 axis->cases[other].name, it->name);
    }
    return SPN_OK;
}

static const char *case_name(const void *axis, size_t i)
{
    const spn_axis *a = axis;
    return i < a->case_count ? a->cases[i].name : NULL;
}

/* All names, or the given ones, which must be names of cases. */
static spn_status name_values(spn_axis *axis, const spn_spec *spec, size_t k)
{
    for (size_t i = 0; i < axis->count; i++) {
        const char *nearest = spn_nearest_word(axis->values[i], case_name, axis);
        if (!spn_axis_case(axis, axis->values[i]))
            return spn_spec_fail(spec, spn_spec_value(spec, k, i),
                                 "%s: '%.60s' is none of its cases%s%s%s", axis->setting,
                                 axis->values[i], nearest ? "; did you mean " : "",
                                 nearest ? nearest : "", nearest ? "?" : "");
        for (size_t other = 0; other < i; other++)
            if (strcmp(axis->values[i], axis->values[other]) == 0)
                return spn_spec_fail(spec, spn_spec_value(spec, k, i),
                                     "%s has the value %.60s twice", axis->setting,
                                     axis->values[i]);
    }
    if (axis->count > 0)
        return SPN_OK;
    SPN_NEED(axis->values = spn_alloc(axis->case_count, sizeof *axis->values), spec->err, "%s",
             spec->file);
    for (; axis->count < axis->case_count; axis->count++)
        SPN_NEED(axis->values[axis->count] = strdup(axis->cases[axis->count].name), spec->err, "%s",
                 spec->file);
    return SPN_OK;
}

/* Check the cases of axis k, make their settings canonical, and make its values: all names unless
   some are given. Errors: INPUT, ARGUMENT, MEMORY. */
static spn_status spec_cases(spn_sweep *sweep, const spn_spec *spec, size_t k)
{
    spn_axis *axis = &sweep->axes[k];
    const spn_node *place = spn_node_get(spn_spec_axis(spec, k), "setting");
    if (spn_setting_find(spec->task->settings, axis->setting) ||
        spn_quantity_find(spec->task, axis->setting))
        return spn_spec_fail(spec, place,
                             "%s is a setting or a result of %s; cases have a name of their own, "
                             "such as case",
                             axis->setting, spec->task->name);
    for (size_t i = 0; i < axis->case_count; i++)
        SPN_TRY(check_case(sweep, spec, k, i));
    return name_values(axis, spec, k);
}

/* ---- axes ---- */

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
            SPN_TRY_OR(cleanup, spec_cases(sweep, spec, k));
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
