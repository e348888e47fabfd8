/* Grids around one job: the specification, and the runs. */

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "sweep/spec/spec.h"

#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static spn_status put_text(spn_node *mapping, const char *key, const char *text, size_t length,
                           const char *set, spn_error *err)
{
    return spn_node_put_text(mapping, key, text, length, set) ? SPN_OK
                                                              : spn_no_memory(err, "a grid");
}

static spn_status put_whole(spn_node *mapping, const char *key, uint64_t value, const char *set,
                            spn_error *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return put_text(mapping, key, text, strlen(text), set, err);
}

/* START:END:STEP. */
static bool parse_range(double out[3], const char *text)
{
    char part[64];
    for (int k = 0; k < 3; k++) {
        const size_t length = strcspn(text, ":");
        if (length >= sizeof part || (k < 2) != (text[length] == ':'))
            return false;
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!spn_number_parse(&out[k], part))
            return false;
        text += length + (k < 2);
    }
    return true;
}

static spn_status put_range(spn_node *axis, const double range[3], spn_error *err)
{
    const double slack = 1e-9, steps = (range[1] - range[0]) / range[2];
    char text[SPN_NUMBER_TEXT];
    if (!(steps >= 0) || !(steps < SPN_SWEEP_MOST_JOBS))
        return spn_node_fail(axis, "", err,
                             "START:END:STEP should lead from START to END in at most %d steps",
                             SPN_SWEEP_MOST_JOBS);
    const double whole = floor(steps + slack);
    spn_number_text(text, range[0]);
    SPN_TRY(put_text(axis, "from", text, strlen(text), axis->set, err));
    spn_number_text(text, spn_number_round(range[0] + whole * range[2], 12));
    SPN_TRY(put_text(axis, "to", text, strlen(text), axis->set, err));
    return put_whole(axis, "count", (uint64_t)whole + 1, axis->set, err);
}

/* Three numbers are a range. */
static spn_status add_axis(spn_node *grid, const spn_task *task, const char *text, spn_error *err)
{
    const spn_node place = {.set = text};
    const char *equals = strchr(text, '=');
    double range[3];
    if (!equals || equals == text || !equals[1])
        return spn_node_fail(&place, "", err, "expected NAME=A,B,C or NAME=START:END:STEP");
    spn_node *axis = spn_node_add(grid, SPN_NODE_MAPPING);
    SPN_NEED(axis, err, "a grid");
    axis->set = text;
    SPN_TRY(put_text(axis, "setting", text, (size_t)(equals - text), text, err));
    if (parse_range(range, equals + 1))
        return put_range(axis, range, err);
    const spn_setting *setting =
        spn_setting_find(task->settings, spn_node_get(axis, "setting")->text);
    const char *between = setting && setting->kind == SPN_SETTING_LIST ? ";" : ",";
    spn_error why = {0};
    const spn_node *values = spn_node_put_list(axis, "values", equals + 1, between, text);
    for (size_t k = 0; setting && values && k < values->count; k++)
        if (spn_setting_read(NULL, setting, values->items[k].text, &why))
            return spn_node_blame(&place, "", "", &why, err);
    return values ? SPN_OK : spn_no_memory(err, "a grid");
}

static spn_status put_all(spn_node *root, const spn_job *job, const char *const *axes, size_t count,
                          size_t runs, spn_error *err)
{
    const char *name = job->task->name;
    SPN_TRY(put_text(root, "name", name, strlen(name), NULL, err));
    SPN_TRY(put_text(root, "task", name, strlen(name), NULL, err));
    SPN_TRY(put_whole(root, "seed", job->seed, NULL, err));
    SPN_TRY(put_whole(root, "runs", runs > 0 ? runs : 1, NULL, err));
    spn_node *settings = spn_node_put(root, "settings", SPN_NODE_MAPPING, NULL);
    SPN_NEED(settings, err, "a grid");
    for (size_t k = 0; k < job->count; k++) {
        const size_t length = strlen(job->given[k].name);
        bool axis = false;
        for (size_t a = 0; a < count && !axis; a++)
            axis = strncmp(axes[a], job->given[k].name, length) == 0 && axes[a][length] == '=';
        if (!axis)
            SPN_TRY(put_text(settings, job->given[k].name, job->given[k].text,
                             strlen(job->given[k].text), NULL, err));
    }
    if (count == 0)
        return SPN_OK;
    spn_node *grid = spn_node_put(root, "grid", SPN_NODE_LIST, NULL);
    SPN_NEED(grid, err, "a grid");
    for (size_t k = 0; k < count; k++)
        SPN_TRY(add_axis(grid, job->task, axes[k], err));
    return SPN_OK;
}

spn_status spn_sweep_around(spn_sweep **out, const spn_job *job, const char *const *axes,
                            size_t count, size_t runs, spn_error *err)
{
    spn_spec spec = {.file = "the grid", .err = err, .root = {.kind = SPN_NODE_MAPPING}};
    spn_status status;
    *out = NULL;
    SPN_TRY_OR(cleanup, put_all(&spec.root, job, axes, count, runs, err));
    status = spn_spec_take(out, &spec, NULL, 0);
cleanup:
    spn_spec_clear(&spec);
    return status;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static spn_status run_in(spn_records **out, const char *folder, const spn_sweep *sweep,
                         const spn_sweep_options *options, spn_error *err)
{
    spn_sweep_options here = *options;
    spn_sweep_outcome outcome;
    here.folder = folder;
    SPN_TRY(spn_sweep_run(&outcome, sweep, &here, err));
    SPN_TRY(spn_records_read(out, folder, err));
    (*out)->folder[0] = 0; /* the folder is removed next */
    return SPN_OK;
}

spn_status spn_sweep_run_unseen(spn_records **out, const spn_sweep *sweep,
                                const spn_sweep_options *options, spn_error *err)
{
    enum { OPEN_FOLDERS = 8 };
    const char *place = getenv("TMPDIR");
    char *folder = spn_text_new("%s/spinney-XXXXXX", place && *place ? place : "/tmp");
    *out = NULL;
    SPN_NEED(folder, err, "a grid");
    spn_status status = SPN_OK;
    if (!mkdtemp(folder)) {
        status = spn_file_fail(folder, "cannot be made", err);
    } else {
        status = run_in(out, folder, sweep, options, err);
        nftw(folder, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    }
    free(folder);
    return status;
}
