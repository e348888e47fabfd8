/* Whether a folder is of the same sweep: every job that it was made for must be among those of the
   sweep now, and the files that both name must have the same content. If not, the error says what
   differs. */
#include "base/try.h"
#include "sweep/agenda.h"
#include "sweep/folder.h"
#include "sweep/jobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what differs ---- */

static bool holds(const spn_value_list *list, const char *value)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->texts[i], value) == 0)
            return true;
    return false;
}

static spn_status differ(const char *folder, const char *what, const char *theirs, const char *ours,
                         spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s holds another sweep: its %s is %s, here it is %s; give another folder",
                    folder, what, theirs, ours);
}

static spn_status compare_setting(const char *folder, const char *name, const spn_sweep *theirs,
                                  const spn_sweep *ours, spn_error *err)
{
    const spn_value_list before = spn_sweep_given(theirs, name), now = spn_sweep_given(ours, name);
    bool same = (before.count == 0) == (now.count == 0);
    for (size_t i = 0; i < before.count && same; i++)
        same = holds(&now, before.texts[i]);
    if (same)
        return SPN_OK;
    char left[160], right[160];
    spn_value_list_print(left, sizeof left, &before);
    spn_value_list_print(right, sizeof right, &now);
    return differ(folder, name, left, right, err);
}

/* The settings that `named` gives. */
static spn_status compare_settings(const char *folder, const spn_sweep *named,
                                   const spn_sweep *theirs, const spn_sweep *ours, spn_error *err)
{
    for (size_t k = 0; k < named->fixed_count; k++)
        SPN_TRY(compare_setting(folder, named->fixed[k].name, theirs, ours, err));
    for (size_t k = 0; k < named->axis_count; k++)
        SPN_TRY(compare_setting(folder, named->axes[k].setting, theirs, ours, err));
    return SPN_OK;
}

static spn_status compare_numbers(const char *folder, const char *what, uint64_t theirs,
                                  uint64_t ours, spn_error *err)
{
    char left[32], right[32];
    snprintf(left, sizeof left, "%" PRIu64, theirs);
    snprintf(right, sizeof right, "%" PRIu64, ours);
    return differ(folder, what, left, right, err);
}

static spn_status explain(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                          spn_error *err)
{
    if (strcmp(theirs->task, ours->task) != 0)
        return differ(folder, "task", theirs->task, ours->task, err);
    if (theirs->seed != ours->seed)
        return compare_numbers(folder, "seed", theirs->seed, ours->seed, err);
    SPN_TRY(compare_settings(folder, theirs, theirs, ours, err));
    SPN_TRY(compare_settings(folder, ours, theirs, ours, err));
    if (theirs->runs > ours->runs)
        return compare_numbers(folder, "number of runs", theirs->runs, ours->runs, err);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s holds another sweep: its runs are not among those here; give another "
                    "folder",
                    folder);
}

/* ---- files ---- */

/* What both name must be the same; a folder of an older version does not say what it was. */
static spn_status compare_file(const char *folder, const spn_input_sum *theirs,
                               const spn_sweep *ours, spn_error *err)
{
    for (size_t k = 0; k < ours->file_count; k++) {
        const spn_input_sum *file = &ours->files[k];
        if (strcmp(file->setting, theirs->setting) != 0 || strcmp(file->name, theirs->name) != 0 ||
            file->checksum == theirs->checksum)
            continue;
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s holds another sweep: its %s %s had another content (checksum "
                        "%016" PRIx64 ", here %016" PRIx64 "); give another folder",
                        folder, file->setting, file->name, theirs->checksum, file->checksum);
    }
    return SPN_OK;
}

static spn_status compare_files(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                                spn_error *err)
{
    for (size_t k = 0; k < theirs->file_count; k++)
        SPN_TRY(compare_file(folder, &theirs->files[k], ours, err));
    return SPN_OK;
}

/* ---- whether ---- */

/* Whether all jobs of theirs are among ours. */
static spn_status compare_jobs(bool *all, const spn_sweep *theirs, const spn_sweep *ours,
                               spn_error *err)
{
    const size_t before = spn_sweep_jobs(theirs), now = spn_sweep_jobs(ours);
    uint64_t *old = NULL, *fresh = NULL;
    *all = before <= now && strcmp(theirs->task, ours->task) == 0;
    if (!*all)
        return SPN_OK;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_sweep_keys(&old, theirs, err));
    SPN_TRY_OR(cleanup, spn_sweep_keys(&fresh, ours, err));
    spn_keys_sort(fresh, now);
    for (size_t i = 0; i < before && *all; i++)
        *all = spn_keys_hold(fresh, now, old[i]);
cleanup:
    free(old);
    free(fresh);
    return status;
}

spn_status spn_folder_compare(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                              spn_error *err)
{
    bool all;
    SPN_TRY(compare_jobs(&all, theirs, ours, err));
    return all ? compare_files(folder, theirs, ours, err) : explain(folder, theirs, ours, err);
}
