/* Checks of a specification that read files: plan every point of the grid, find the defaults and
   the contents of files, and check the figures against them. */
#include "base/memory.h"
#include "job/run.h"
#include "query/query.h"
#include "record/record.h"
#include "sweep/spec/spec.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct survey {
    spn_sweep *sweep;
    const spn_spec *spec;
    size_t points;       /* so far */
    spn_record defaults; /* settings that all of them have by default */
} survey;

static const spn_node *find_fault(const survey *s, const spn_setting *setting, size_t point)
{
    const spn_sweep *sweep = s->sweep;
    if (!setting)
        return NULL;
    for (size_t k = sweep->axis_count; k-- > 0; point /= sweep->axes[k].count) {
        assert(sweep->axes[k].count > 0);
        const size_t value = point % sweep->axes[k].count;
        if (strcmp(sweep->axes[k].setting, setting->name) == 0)
            return spn_spec_value(s->spec, k, value);
        const spn_case *of = spn_axis_case(&sweep->axes[k], sweep->axes[k].values[value]);
        for (size_t i = 0; of && i < of->count; i++)
            if (strcmp(of->settings[i].name, setting->name) == 0)
                return spn_spec_case(s->spec, k, (size_t)(of - sweep->axes[k].cases),
                                     setting->name);
    }
    const spn_node *node = spn_spec_setting(s->spec, setting->name);
    return node ? node : spn_node_get(&s->spec->root, "settings");
}

/* A result that a figure needs, and why no point so far has it. */
typedef struct need {
    const spn_node *node;
    const char *key;
    char name[SPN_SPEC_NAME];
    const char *why; /* NULL: some point has it */
} need;

/* Upper bound: values, also, guide, and one for each condition. */
static size_t count_needs(const spn_sweep *sweep)
{
    size_t count = 0;
    for (size_t k = 0; k < sweep->figure_count; k++) {
        count += 3 + sweep->figures[k].where_count;
        for (const char *c = sweep->figures[k].value; *c; c++)
            count += *c == ',';
    }
    return count;
}

static void add_need(need *needs, size_t *count, const survey *s, const spn_node *node,
                     const char *key, const char *text)
{
    need n = {.node = node, .key = key, .why = ""};
    snprintf(n.name, sizeof n.name, "%.*s", (int)strcspn(text, "=!<> "), text);
    if (spn_quantity_find(s->spec->task, n.name))
        needs[(*count)++] = n;
}

static void list_needs(need *needs, size_t *count, const survey *s)
{
    for (size_t k = 0; k < s->sweep->figure_count; k++) {
        const spn_sweep_figure *f = &s->sweep->figures[k];
        const spn_node *node = spn_spec_figure(s->spec, k), *where = spn_node_get(node, "where");
        const char *rest = f->value;
        char name[SPN_SPEC_NAME];
        while (spn_spec_next_name(name, &rest))
            add_need(needs, count, s, spn_node_get(node, "value"), "value", name);
        if (f->also)
            add_need(needs, count, s, spn_node_get(node, "also"), "also", f->also);
        if (f->guide)
            add_need(needs, count, s, spn_node_get(node, "guide"), "guide", f->guide);
        for (size_t i = 0; i < f->where_count; i++)
            add_need(needs, count, s, spn_node_item(where, i), "where", f->where[i]);
    }
}

static void keep_common(spn_record *kept, const spn_record *here)
{
    size_t count = 0;
    for (size_t k = 0; k < kept->setting_count; k++) {
        spn_field *field = &kept->settings[k];
        const char *text = spn_record_setting(here, field->name);
        if (text && strcmp(text, field->text) == 0) {
            kept->settings[count++] = *field;
        } else {
            SPN_FREE_ALL(field->name, field->text);
        }
    }
    kept->setting_count = count;
}

static spn_status check_point(survey *s, need *needs, size_t count, size_t point)
{
    spn_point here;
    spn_record defaults = {0};
    spn_error why = {0};
    spn_status status = spn_plans_take(&here, s->sweep->plans, point, &why);
    if (!status)
        status = spn_job_resolve(s->points ? &defaults : &s->defaults, &here.job, here.plan, &why);
    if (status) {
        status = spn_node_blame(find_fault(s, spn_task_fault(s->spec->task, &why), point),
                                s->spec->file, "", &why, s->spec->err);
    } else {
        if (s->points++)
            keep_common(&s->defaults, &defaults);
        for (size_t k = 0; k < count; k++)
            if (needs[k].why)
                needs[k].why = spn_result_needs(s->spec->task, here.plan, needs[k].name);
    }
    spn_plans_release(&here);
    spn_record_clear(&defaults);
    return status;
}

/* All points; for very large grids each value once, with the first values of the other axes. */
static spn_status check_points(survey *s, need *needs, size_t count)
{
    enum { MOST_POINTS = 10000 };
    const size_t points = spn_sweep_points(s->sweep);
    for (size_t point = 0; points <= MOST_POINTS && point < points; point++)
        SPN_TRY(check_point(s, needs, count, point));
    size_t stride = 1;
    for (size_t k = s->sweep->axis_count; points > MOST_POINTS && k-- > 0;) {
        for (size_t i = 0; i < s->sweep->axes[k].count; i++)
            SPN_TRY(check_point(s, needs, count, i * stride));
        stride *= s->sweep->axes[k].count;
    }
    return SPN_OK;
}

static spn_status check_grid(survey *s)
{
    size_t count = 0;
    need *needs = calloc(count_needs(s->sweep) + 1, sizeof *needs);
    SPN_NEED(needs, s->spec->err, "%s", s->spec->file);
    list_needs(needs, &count, s);
    spn_status status = check_points(s, needs, count);
    for (size_t k = 0; k < count && !status; k++)
        if (needs[k].why)
            status = spn_spec_fail(s->spec, needs[k].node, "'%s': %s needs %s", needs[k].key,
                                   needs[k].name, needs[k].why);
    free(needs);
    s->sweep->defaults = s->defaults.settings;
    s->sweep->default_count = s->defaults.setting_count;
    return status;
}

/* The setting that a condition is about; false for other conditions. A name that is also a result,
   such as energy, is left to the runs. */
static bool setting_of(char out[SPN_SPEC_NAME], const spn_task *task, const char *condition)
{
    snprintf(out, SPN_SPEC_NAME, "%.*s", (int)strcspn(condition, "=!<> "), condition);
    return !spn_quantity_find(task, out) && spn_setting_find(task->settings, out);
}

static bool meets(const spn_sweep_figure *figure, size_t count, const spn_task *task,
                  const char *setting, const char *value)
{
    spn_field field = {.name = (char *)setting, .text = (char *)value};
    const spn_record record = {.setting_count = 1, .settings = &field};
    char name[SPN_SPEC_NAME];
    bool holds = true;
    for (size_t k = 0; k < count && holds; k++)
        if (setting_of(name, task, figure->where[k]) && strcmp(name, setting) == 0)
            spn_record_matches(&holds, &record, figure->where[k], NULL);
    return holds;
}

static spn_status check_condition(const survey *s, size_t figure, size_t number)
{
    const spn_sweep_figure *f = &s->sweep->figures[figure];
    const spn_node *where = spn_node_get(spn_spec_figure(s->spec, figure), "where");
    const spn_node *place = spn_node_item(where, number);
    char name[SPN_SPEC_NAME], text[160];
    if (!setting_of(name, s->spec->task, f->where[number]) || spn_sweep_has_case_of(s->sweep, name))
        return SPN_OK;
    const spn_node *node = spn_spec_setting(s->spec, name);
    for (size_t k = 0; k < s->sweep->axis_count; k++)
        if (strcmp(s->sweep->axes[k].setting, name) == 0)
            node = spn_spec_value(s->spec, k, 0);
    /* If a text NAME=VALUE chose a part of the values, the file's conditions may be right. */
    if (node && node->set)
        return SPN_OK;
    const spn_value_list values = spn_sweep_values(s->sweep, name);
    if (values.count == 0)
        return spn_spec_fail(s->spec, place,
                             "'where': no run has %s: it is neither given nor the same for all",
                             name);
    for (size_t k = 0; k < values.count; k++)
        if (meets(f, number + 1, s->spec->task, name, values.texts[k]))
            return SPN_OK;
    spn_value_list_print(text, sizeof text, &values);
    return spn_spec_fail(s->spec, place, "'where': no point of the grid has %.60s: %s is %s",
                         f->where[number], name, text);
}

static spn_status add_file(survey *s, const spn_setting *setting, const char *name)
{
    spn_input_sum *grown =
        realloc(s->sweep->files, (s->sweep->file_count + 1) * sizeof *s->sweep->files);
    spn_error why = {0};
    SPN_NEED(grown, s->spec->err, "%s", s->spec->file);
    s->sweep->files = grown;
    spn_input_sum *file = &grown[s->sweep->file_count++];
    *file = (spn_input_sum){.setting = strdup(setting->name), .name = strdup(name)};
    SPN_NEED(file->setting && file->name, s->spec->err, "%s", s->spec->file);
    if (spn_inputs_checksum(&file->checksum, spn_plans_inputs(s->sweep->plans), setting, name,
                            &why))
        return spn_node_blame(find_fault(s, setting, 0), s->spec->file, "", &why, s->spec->err);
    return SPN_OK;
}

static spn_status check_reference(const survey *s, size_t figure)
{
    const spn_sweep_figure *f = &s->sweep->figures[figure];
    const spn_node *place = spn_node_get(spn_spec_figure(s->spec, figure), "reference");
    char *path = spn_inputs_path(spn_plans_inputs(s->sweep->plans), f->reference);
    spn_reference reference = {0};
    spn_error why = {0};
    spn_status status = SPN_OK;
    SPN_NEED(path, s->spec->err, "%s", s->spec->file);
    if (access(path, R_OK) != 0)
        status = spn_spec_fail(s->spec, place, "'reference': %s: cannot be read: %s", path,
                               strerror(errno));
    if (!status && spn_reference_read(&reference, path, f, &why))
        status = spn_node_blame(place, s->spec->file, "'reference': ", &why, s->spec->err);
    spn_reference_clear(&reference);
    free(path);
    return status;
}

spn_status spn_spec_check(spn_sweep *sweep, const spn_spec *spec)
{
    survey s = {.sweep = sweep, .spec = spec};
    const char *none = sweep->keep.models && !spec->task->product ? "models"
                       : sweep->keep.traces && !spec->task->chain ? "traces"
                                                                  : NULL;
    if (none)
        return spn_spec_fail(spec, spn_node_get(&spec->root, "keep"), "keep: the task %s has no %s",
                             spec->task->name, none);
    for (size_t k = 0; k < sweep->figure_count; k++)
        if (sweep->figures[k].reference)
            SPN_TRY(check_reference(&s, k));
    SPN_TRY(check_grid(&s));
    for (size_t k = 0; k < sweep->figure_count; k++)
        for (size_t i = 0; i < sweep->figures[k].where_count; i++)
            SPN_TRY(check_condition(&s, k, i));
    spn_setting_walk walk = spn_setting_walk_start(s.spec->task->settings);
    while (spn_setting_walk_named(&walk)) {
        const spn_setting *setting = walk.setting;
        const spn_value_list values = spn_sweep_values(s.sweep, setting->name);
        for (size_t k = 0; setting->kind == SPN_SETTING_FILE && k < values.count; k++)
            if (spn_input_is_read(setting, values.texts[k]))
                SPN_TRY(add_file(&s, setting, values.texts[k]));
    }
    return SPN_OK;
}
