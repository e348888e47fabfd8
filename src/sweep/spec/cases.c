/* Cases of an axis: named sets of settings. */
#include "base/memory.h"
#include "record/record.h"
#include "sweep/spec/spec.h"

#include <spinney/words.h>
#include <string.h>

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
static spn_status make_values(spn_axis *axis, const spn_spec *spec, size_t k)
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

spn_status spn_spec_cases(spn_sweep *sweep, const spn_spec *spec, size_t k)
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
    return make_values(axis, spec, k);
}
