/* Records of several sweeps as one: a small specification names their folders, and its figures
   show all their runs, told apart by the setting `case`. */
#include "base/memory.h"
#include "record/record.h"
#include "sweep/folder.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

typedef struct joint {
    spn_spec spec;
    spn_records *all;
    spn_records **parts; /* as many as the sweep joins; NULL: not read yet */
} joint;

static spn_status read_text(joint *j, const spn_source *source)
{
    SPN_TRY(spn_tree_read_yaml(&j->spec.root, (const char *)source->data, source->size,
                               j->spec.file, j->spec.err));
    if (!spn_node_get(&j->spec.root, "join"))
        return spn_spec_fail(&j->spec, &j->spec.root,
                             "a report over several folders has join: [...]; a sweep is reported "
                             "by its folder, which spinney sweep makes");
    SPN_TRY(spn_spec_join_lists(&j->spec));
    return spn_members_read(j->all->sweep, spn_joint_members, &j->spec.root, j->spec.file, false,
                            j->spec.err);
}

static spn_status read_part(joint *j, size_t k)
{
    spn_joined *part = &j->all->sweep->joined[k];
    const spn_node *node = spn_node_item(spn_node_get(&j->spec.root, "join"), k);
    spn_error why = {0};
    /* Folders are beside the file, unless absolute. */
    const char *slash = strrchr(j->spec.file, '/');
    const int before = slash && part->folder[0] != '/' ? (int)(slash - j->spec.file) + 1 : 0;
    char *path = spn_text_new("%.*s%s", before, j->spec.file, part->folder);
    SPN_NEED(path, j->spec.err, "%s", j->spec.file);
    const spn_status status = spn_records_read(&j->parts[k], path, &why);
    free(path);
    if (status)
        return spn_node_blame(node, j->spec.file, "", &why, j->spec.err);
    part->jobs = spn_sweep_jobs(j->parts[k]->sweep);
    if (!part->name && !(part->name = strdup(j->parts[k]->sweep->name)))
        return spn_spec_no_memory(&j->spec);
    for (size_t i = 0; i < k; i++)
        if (strcmp(j->all->sweep->joined[i].name, part->name) == 0)
            return spn_spec_fail(&j->spec, node,
                                 "two folders are called %s; give one "
                                 "another name",
                                 part->name);
    return SPN_OK;
}

/* Move a record, and add the defaults of its sweep and its case as settings. */
static spn_status take_record(spn_record *out, spn_record *from, const char *name, spn_error *err)
{
    *out = *from;
    *from = (spn_record){0};
    const spn_field *defaults = out->defaults;
    const size_t count = out->default_count;
    out->defaults = NULL;
    out->default_count = 0;
    for (size_t k = 0; k < count; k++)
        if (!spn_record_setting(out, defaults[k].name))
            SPN_TRY(spn_record_add_setting(out, defaults[k].name, defaults[k].text, err));
    return spn_record_setting(out, SPN_CASE) ? SPN_OK
                                             : spn_record_add_setting(out, SPN_CASE, name, err);
}

static spn_status take_records(joint *j)
{
    const spn_sweep *sweep = j->all->sweep;
    size_t count = 0;
    for (size_t p = 0; p < sweep->joined_count; p++)
        count += j->parts[p]->count;
    SPN_NEED(j->all->records = spn_alloc(count, sizeof *j->all->records), j->spec.err, "%s",
             j->spec.file);
    for (size_t p = 0; p < sweep->joined_count; p++)
        for (size_t r = 0; r < j->parts[p]->count; r++)
            SPN_TRY(take_record(&j->all->records[j->all->count++], &j->parts[p]->records[r],
                                sweep->joined[p].name, j->spec.err));
    return SPN_OK;
}

static bool add_value(spn_axis *axis, const char *value)
{
    for (size_t k = 0; k < axis->count; k++)
        if (strcmp(axis->values[k], value) == 0)
            return true;
    char **grown = realloc(axis->values, (axis->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    axis->values = grown;
    return (grown[axis->count] = strdup(value)) && ++axis->count;
}

/* Find or add the axis of a setting; NULL without memory. */
static spn_axis *have_axis(spn_sweep *sweep, const char *name)
{
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (strcmp(sweep->axes[k].setting, name) == 0)
            return &sweep->axes[k];
    spn_axis *grown = realloc(sweep->axes, (sweep->axis_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    sweep->axes = grown;
    grown[sweep->axis_count] = (spn_axis){.setting = strdup(name)};
    return grown[sweep->axis_count].setting ? &grown[sweep->axis_count++] : NULL;
}

static bool add_axes(joint *j)
{
    spn_sweep *sweep = j->all->sweep;
    bool fits = true;
    for (size_t p = 0; p < sweep->joined_count && fits; p++)
        for (size_t a = 0; a < j->parts[p]->sweep->axis_count && fits; a++) {
            const spn_axis *from = &j->parts[p]->sweep->axes[a];
            /* The setting may be fixed in another folder. */
            spn_axis *axis = have_axis(sweep, from->setting);
            fits = axis != NULL;
            for (size_t k = 0; fits && k < from->count; k++)
                fits = add_value(axis, from->values[k]);
        }
    for (size_t r = 0; r < j->all->count && fits; r++)
        for (size_t a = 0; a <= sweep->axis_count && fits; a++) {
            const char *name = a < sweep->axis_count ? sweep->axes[a].setting : SPN_CASE;
            const char *text = spn_record_setting(&j->all->records[r], name);
            spn_axis *axis = text ? have_axis(sweep, name) : NULL;
            fits = !text || (axis && add_value(axis, text));
        }
    return fits;
}

/* The first task that has what a figure shows checks it. */
static spn_status check_figure(joint *j, size_t k)
{
    spn_sweep *sweep = j->all->sweep;
    const char *rest = sweep->figures[k].value;
    char name[SPN_SPEC_NAME];
    spn_spec_next_name(name, &rest);
    j->spec.task = spn_task_find(sweep->task);
    for (size_t p = 0; p < sweep->joined_count; p++) {
        const spn_task *task = spn_task_find(j->parts[p]->sweep->task);
        if (task && spn_quantity_find(task, name)) {
            j->spec.task = task;
            break;
        }
    }
    if (!j->spec.task)
        return spn_spec_fail(&j->spec, spn_spec_figure(&j->spec, k),
                             "the task %s of the first folder is not known", sweep->task);
    if (sweep->figures[k].reference)
        return spn_spec_fail(&j->spec, spn_node_get(spn_spec_figure(&j->spec, k), "reference"),
                             "'reference' is of the report of one folder");
    return spn_spec_check_figure(sweep, &j->spec, k);
}

static spn_status join(joint *j, const spn_source *source)
{
    SPN_NEED(j->all->folder = strdup(j->spec.file), j->spec.err, "%s", j->spec.file);
    SPN_TRY(read_text(j, source));
    spn_sweep *sweep = j->all->sweep;
    SPN_NEED(j->parts = calloc(sweep->joined_count, sizeof(spn_records *)), j->spec.err, "%s",
             j->spec.file);
    for (size_t k = 0; k < sweep->joined_count; k++)
        SPN_TRY(read_part(j, k));
    /* The joint sweep is described like the first. */
    sweep->task = strdup(j->parts[0]->sweep->task);
    sweep->version = strdup(j->parts[0]->sweep->version);
    SPN_NEED(sweep->task && sweep->version, j->spec.err, "%s", j->spec.file);
    SPN_TRY(take_records(j));
    if (!add_axes(j))
        return spn_spec_no_memory(&j->spec);
    for (size_t k = 0; k < sweep->figure_count; k++)
        SPN_TRY(check_figure(j, k));
    return SPN_OK;
}

spn_status spn_records_join_text(spn_records **out, const spn_source *source, spn_error *err)
{
    joint j = {.spec = {.file = source->name, .err = err}, .all = calloc(1, sizeof *j.all)};
    *out = NULL;
    if (!j.all || !(j.all->sweep = calloc(1, sizeof *j.all->sweep))) {
        free(j.all);
        return spn_spec_no_memory(&j.spec);
    }
    const spn_status status = join(&j, source);
    for (size_t k = 0; j.parts && k < j.all->sweep->joined_count; k++)
        spn_records_free(j.parts[k]);
    free(j.parts);
    if (status)
        spn_records_free(j.all);
    else
        *out = j.all;
    spn_spec_clear(&j.spec);
    return status;
}

spn_status spn_records_join(spn_records **out, const char *path, spn_error *err)
{
    spn_source source = {0};
    *out = NULL;
    SPN_TRY(spn_source_load(&source, path, MOST_BYTES, err));
    source.name = path; /* also for the standard input */
    spn_status status = spn_records_join_text(out, &source, err);
    spn_source_unload(&source);
    return status;
}
