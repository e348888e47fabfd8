#include "base/number.h"
#include <spinney/lab/task.h>

#include <stdio.h>
#include <string.h>

extern const spn_task spn_train_task, spn_anneal_task, spn_temper_task, spn_population_task,
    spn_entropy_task, spn_eval_task, spn_exact_task;

const spn_task *const *spn_tasks(void)
{
    static const spn_task *const tasks[] = {
        &spn_train_task,   &spn_anneal_task, &spn_temper_task, &spn_population_task,
        &spn_entropy_task, &spn_eval_task,   &spn_exact_task,  NULL};
    return tasks;
}

const spn_task *spn_task_find(const char *name)
{
    for (const spn_task *const *task = spn_tasks(); *task; task++)
        if (strcmp((*task)->name, name) == 0)
            return *task;
    return NULL;
}

const spn_quantity *spn_quantity_find(const spn_task *task, const char *name)
{
    spn_quantity_walk walk = spn_quantity_walk_start(task->results);
    while (spn_quantity_walk_next(&walk))
        if (walk.row->name && strcmp(walk.row->name, name) == 0)
            return walk.row;
    return NULL;
}

bool spn_quantity_is_share(const char *task, const char *name)
{
    const spn_task *found = spn_task_find(task);
    const spn_quantity *q = found ? spn_quantity_find(found, name) : NULL;
    return q && q->flags & SPN_QUANTITY_SHARE;
}

const char *spn_task_words(char out[SPN_NAME_WORDS], const char *task, const char *name,
                           bool setting)
{
    const spn_task *found = spn_task_find(task);
    const spn_setting *s = found ? spn_setting_find(found->settings, name) : NULL;
    const spn_quantity *q = found && !(s && setting) ? spn_quantity_find(found, name) : NULL;
    s = q ? NULL : s;
    const char *label = q ? q->label : s ? s->label : NULL;
    const char *unit = q ? q->unit : s ? s->unit : NULL;
    const char *dot = strchr(name, '.');
    const char *shown = label ? label : dot ? dot + 1 : name;
    snprintf(out, SPN_NAME_WORDS, "%s", shown);
    for (char *c = out; !label && *c; c++)
        if (*c == '_' || *c == '-')
            *c = ' ';
    if (unit && !strstr(out, unit))
        spn_print_more(out, SPN_NAME_WORDS, " (%s)", unit);
    return out;
}

void spn_task_main_quantities(const char *out[SPN_MAIN_QUANTITIES + 1], const char *task)
{
    static const spn_quantity none[] = {{.name = NULL}};
    const spn_task *found = spn_task_find(task);
    spn_quantity_walk walk = spn_quantity_walk_start(found ? found->results : none);
    size_t count = 0;
    while (spn_quantity_walk_next(&walk) && count < SPN_MAIN_QUANTITIES)
        if (walk.row->name && walk.row->flags & SPN_QUANTITY_MAIN)
            out[count++] = walk.row->name;
    out[count] = NULL;
}

const spn_setting *spn_task_fault(const spn_task *task, const spn_error *err)
{
    char name[64];
    const size_t length = strcspn(err->text, ":");
    if (length >= sizeof name || err->text[length] != ':')
        return NULL;
    memcpy(name, err->text, length);
    name[length] = 0;
    return spn_setting_find(task->settings, name);
}
