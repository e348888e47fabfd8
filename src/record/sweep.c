/* The specification of a sweep in memory. */
#include "record/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const spn_best_names[3] = {
    [SPN_BEST_NONE] = "none", [SPN_BEST_LOWEST] = "lowest", [SPN_BEST_HIGHEST] = "highest"};

static void free_texts(char **texts, size_t count)
{
    for (size_t k = 0; texts && k < count; k++)
        free(texts[k]);
    free(texts);
}

static void free_fields(spn_field *fields, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        free(fields[k].name);
        free(fields[k].text);
    }
    free(fields);
}

static void clear_figure(spn_sweep_figure *figure)
{
    char *const texts[] = {
        figure->name,      figure->title,          figure->x,       figure->by,
        figure->value,     figure->also,           figure->x_label, figure->label,
        figure->reference, figure->reference_name, figure->by_label};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        free(texts[k]);
    free_texts(figure->where, figure->where_count);
}

void spn_sweep_free(spn_sweep *sweep)
{
    if (!sweep)
        return;
    free_fields(sweep->fixed, sweep->fixed_count);
    free_fields(sweep->defaults, sweep->default_count);
    for (size_t k = 0; k < sweep->file_count; k++) {
        free(sweep->files[k].setting);
        free(sweep->files[k].name);
    }
    for (size_t k = 0; k < sweep->axis_count; k++) {
        free(sweep->axes[k].setting);
        free_texts(sweep->axes[k].values, sweep->axes[k].count);
    }
    for (size_t k = 0; k < sweep->figure_count; k++)
        clear_figure(&sweep->figures[k]);
    free(sweep->files);
    free(sweep->axes);
    free(sweep->figures);
    free(sweep->measures.flips);
    free(sweep->name);
    free(sweep->title);
    free(sweep->about);
    free(sweep->task);
    free(sweep->version);
    free(sweep);
}

size_t spn_sweep_jobs(const spn_sweep *sweep)
{
    size_t jobs = sweep->runs;
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (__builtin_mul_overflow(jobs, sweep->axes[k].count, &jobs))
            return SIZE_MAX;
    return jobs;
}

char *spn_folder_path(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    const bool slash = folder[0] && folder[strlen(folder) - 1] == '/';
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, slash ? "" : "/", name);
    return path;
}
