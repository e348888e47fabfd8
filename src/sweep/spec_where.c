/* Conditions of figures that no point of the grid meets. */
#include "sweep/spec.h"
#include "old/value_list.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 64 };

/* The setting that a condition is about, into out; NULL where it is about something else. What is
   also a result, such as energy, is left to the runs. */
static const xpn_setting *setting_of(char out[LONGEST_NAME], const xpn_task *task,
                                     const char *condition)
{
    snprintf(out, LONGEST_NAME, "%.*s", (int)strcspn(condition, "=!<> "), condition);
    for (const char *const *result = task->results; *result; result++)
        if (strcmp(*result, out) == 0)
            return NULL;
    return xpn_setting_find(task, out);
}

/* Whether a value of a setting meets those of the first conditions that are on it. */
static bool meets(const spn_sweep_figure *figure, size_t count, const xpn_task *task,
                  const char *setting, const char *value)
{
    spn_field field = {.name = (char *)setting, .text = (char *)value};
    const spn_record record = {.setting_count = 1, .settings = &field};
    char name[LONGEST_NAME];
    bool holds = true;
    for (size_t k = 0; k < count && holds; k++)
        if (setting_of(name, task, figure->where[k]) && strcmp(name, setting) == 0)
            spn_record_matches(&holds, &record, figure->where[k], NULL);
    return holds;
}

static spn_status check_condition(const spn_sweep *sweep, const spn_sweep_figure *figure,
                                  size_t number, const spn_spec *spec, spn_place place,
                                  spn_error *err)
{
    const char *condition = figure->where[number];
    char name[LONGEST_NAME], text[160];
    if (!setting_of(name, spec->task, condition))
        return SPN_OK;
    if (spn_spec_place(spec, name, NULL).set) /* the file may be right, and a part of it chosen */
        return SPN_OK;
    const xpn_value_list values = xpn_values_or_default(sweep, name);
    if (values.count == 0)
        return spn_spec_fail(spec, place, err,
                             "'where': no run has %s: it is neither given nor the same for all",
                             name);
    for (size_t k = 0; k < values.count; k++)
        if (meets(figure, number + 1, spec->task, name, xpn_value_at(&values, k)))
            return SPN_OK;
    xpn_value_list_print(text, sizeof text, &values);
    return spn_spec_fail(spec, place, err, "'where': no point of the grid has %.60s: %s is %s",
                         condition, name, text);
}

spn_status spn_spec_conditions(const spn_sweep *sweep, const spn_spec *spec, spn_error *err)
{
    const yaml_node_t *figures = spn_spec_key(spec, spn_spec_root(spec), "figures");
    spn_status status = SPN_OK;
    for (size_t f = 0; f < sweep->figure_count && !status; f++) {
        const spn_sweep_figure *figure = &sweep->figures[f];
        const yaml_node_t *list = spn_spec_key(spec, spn_spec_item(spec, figures, f), "where");
        for (size_t k = 0; k < figure->where_count && !status; k++)
            status = check_condition(sweep, figure, k, spec,
                                     spn_spec_at(spn_spec_item(spec, list, k)), err);
    }
    return status;
}
