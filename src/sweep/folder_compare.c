/* Whether a folder is of the same sweep: every job that it was made for must be among those of the
   sweep now, and the files that both name must have the same content. If not, the error says what
   differs. */
#include "base/number.h"
#include "old/value_list.h"
#include "sweep/agenda.h"
#include "sweep/folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what differs ---- */

static bool holds(const xpn_value_list *list, const char *value)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(xpn_value_at(list, i), value) == 0)
            return true;
    return false;
}

static spn_status differ(const char *folder, const char *what, const char *theirs, const char *ours,
                         spn_error *err)
{
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s holds another sweep: its %s is %s, here it is %s; give another --out",
                    folder, what, theirs, ours);
}

static spn_status compare_setting(const char *folder, const char *name, const spn_sweep *theirs,
                                  const spn_sweep *ours, spn_error *err)
{
    const xpn_value_list before = xpn_values_in(theirs, name), now = xpn_values_in(ours, name);
    bool same = (before.count == 0) == (now.count == 0);
    for (size_t i = 0; i < before.count && same; i++)
        same = holds(&now, xpn_value_at(&before, i));
    if (same)
        return SPN_OK;
    char left[160], right[160];
    xpn_value_list_print(left, sizeof left, &before);
    xpn_value_list_print(right, sizeof right, &now);
    return differ(folder, name, left, right, err);
}

/* The settings that `named` gives. */
static spn_status compare_settings(const char *folder, const spn_sweep *named,
                                   const spn_sweep *theirs, const spn_sweep *ours, spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < named->fixed_count && !status; k++)
        status = compare_setting(folder, named->fixed[k].name, theirs, ours, err);
    for (size_t k = 0; k < named->axis_count && !status; k++)
        status = compare_setting(folder, named->axes[k].setting, theirs, ours, err);
    return status;
}

static spn_status compare_numbers(const char *folder, const char *what, double theirs, double ours,
                                  spn_error *err)
{
    char left[32], right[32];
    if (theirs == ours)
        return SPN_OK;
    spn_print_text(left, sizeof left, "%.15g", theirs);
    spn_print_text(right, sizeof right, "%.15g", ours);
    return differ(folder, what, left, right, err);
}

static spn_status compare_measures(const char *folder, const spn_measures *theirs,
                                   const spn_measures *ours, spn_error *err)
{
    const struct {
        const char *name;
        double theirs, ours;
    } rows[] = {
        {"number of flips.p", (double)theirs->flips_count, (double)ours->flips_count},
        {"flips.trials", (double)theirs->flips_trials, (double)ours->flips_trials},
        {"flips.exact", theirs->flips_exact, ours->flips_exact},
        {"profile.walks", (double)theirs->profile_walks, (double)ours->profile_walks},
        {"profile.reach", theirs->profile_reach, ours->profile_reach},
        {"profile.points", (double)theirs->profile_points, (double)ours->profile_points},
    };
    spn_status status = SPN_OK;
    for (size_t k = 0; k < sizeof rows / sizeof *rows && !status; k++)
        status = compare_numbers(folder, rows[k].name, rows[k].theirs, rows[k].ours, err);
    for (size_t k = 0; k < theirs->flips_count && !status; k++)
        status = compare_numbers(folder, "flips.p", theirs->flips[k], ours->flips[k], err);
    return status;
}

static spn_status explain(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                          spn_error *err)
{
    char left[32], right[32];
    spn_status status = SPN_OK;
    if (strcmp(theirs->task, ours->task) != 0)
        return differ(folder, "task", theirs->task, ours->task, err);
    snprintf(left, sizeof left, "%" PRIu64, theirs->seed);
    snprintf(right, sizeof right, "%" PRIu64, ours->seed);
    if (theirs->seed != ours->seed)
        return differ(folder, "seed", left, right, err);
    status = compare_settings(folder, theirs, theirs, ours, err);
    if (!status)
        status = compare_settings(folder, ours, theirs, ours, err);
    if (!status)
        status = compare_measures(folder, &theirs->measures, &ours->measures, err);
    if (!status && theirs->runs > ours->runs)
        status = compare_numbers(folder, "number of runs", (double)theirs->runs, (double)ours->runs,
                                 err);
    return status ? status
                  : spn_fail(err, SPN_ERROR_INPUT,
                             "%s holds another sweep: its runs are not among those here; give "
                             "another --out",
                             folder);
}

/* ---- files ---- */

/* What both name must be the same; a folder of an older version does not say what it was. */
static spn_status compare_file(const char *folder, const spn_sweep_file *theirs,
                               const spn_sweep *ours, spn_error *err)
{
    for (size_t k = 0; k < ours->file_count; k++) {
        const spn_sweep_file *file = &ours->files[k];
        if (strcmp(file->setting, theirs->setting) != 0 || strcmp(file->name, theirs->name) != 0 ||
            file->checksum == theirs->checksum)
            continue;
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s holds another sweep: its %s %s had another content (checksum "
                        "%016" PRIx64 ", here %016" PRIx64 "); give another --out",
                        folder, file->setting, file->name, theirs->checksum, file->checksum);
    }
    return SPN_OK;
}

static spn_status compare_files(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                                spn_error *err)
{
    spn_status status = SPN_OK;
    for (size_t k = 0; k < theirs->file_count && !status; k++)
        status = compare_file(folder, &theirs->files[k], ours, err);
    return status;
}

/* ---- whether ---- */

spn_status spn_folder_compare(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                              spn_error *err)
{
    spn_agenda now = {0};
    bool all = spn_sweep_jobs(theirs) <= spn_sweep_jobs(ours);
    spn_status status = all ? spn_agenda_make(&now, ours, err) : SPN_OK;
    for (size_t i = 0; all && !status && i < spn_sweep_jobs(theirs); i++) {
        xpn_job job;
        status = xpn_job_make(&job, theirs, i, err);
        if (status)
            break;
        all = spn_keys_hold(now.sorted, now.count, job.key);
        xpn_job_clear(&job);
    }
    spn_agenda_clear(&now);
    if (status)
        return status;
    return all ? compare_files(folder, theirs, ours, err) : explain(folder, theirs, ours, err);
}
