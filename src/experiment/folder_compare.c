/* Whether a folder is of the same sweep: every job that it was made for must be among those of the
   sweep now. If not, the error says what differs. */
#include "experiment/agenda.h"
#include "experiment/folder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what differs ---- */

/* The values that a setting takes in a sweep: one, those of an axis, or none. */
typedef struct value_list {
    size_t count;
    const char *one;
    char *const *many;
} value_list;

static value_list values_of(const spn_sweep *sweep, const char *name)
{
    for (size_t k = 0; k < sweep->axis_count; k++)
        if (strcmp(sweep->axes[k].setting, name) == 0)
            return (value_list){.count = sweep->axes[k].count, .many = sweep->axes[k].values};
    for (size_t k = 0; k < sweep->fixed_count; k++)
        if (strcmp(sweep->fixed[k].name, name) == 0)
            return (value_list){.count = 1, .one = sweep->fixed[k].text};
    return (value_list){0};
}

static const char *value_at(const value_list *list, size_t i)
{
    return list->many ? list->many[i] : list->one;
}

static bool holds(const value_list *list, const char *value)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(value_at(list, i), value) == 0)
            return true;
    return false;
}

/* As text, the first few of many. */
static void print_values(char *out, size_t size, const value_list *list)
{
    size_t used = 0;
    if (list->count == 0)
        snprintf(out, size, "not given");
    for (size_t i = 0; i < list->count && used < size; i++) {
        if (i == 6 && list->count > 7) {
            snprintf(out + used, size - used, ",... (%zu values)", list->count);
            break;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", value_at(list, i));
    }
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
    const value_list before = values_of(theirs, name), now = values_of(ours, name);
    bool same = (before.count == 0) == (now.count == 0);
    for (size_t i = 0; i < before.count && same; i++)
        same = holds(&now, value_at(&before, i));
    if (same)
        return SPN_OK;
    char left[160], right[160];
    print_values(left, sizeof left, &before);
    print_values(right, sizeof right, &now);
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
    snprintf(left, sizeof left, "%.15g", theirs);
    snprintf(right, sizeof right, "%.15g", ours);
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

/* ---- whether ---- */

spn_status spn_folder_compare(const char *folder, const spn_sweep *theirs, const spn_sweep *ours,
                              spn_error *err)
{
    spn_agenda now = {0};
    bool all = spn_sweep_jobs(theirs) <= spn_sweep_jobs(ours);
    spn_status status = all ? spn_agenda_make(&now, ours, err) : SPN_OK;
    for (size_t i = 0; all && !status && i < spn_sweep_jobs(theirs); i++) {
        spn_job job;
        status = spn_job_make(&job, theirs, i, err);
        if (status)
            break;
        all = spn_keys_hold(now.sorted, now.count, job.key);
        spn_job_clear(&job);
    }
    spn_agenda_clear(&now);
    if (status)
        return status;
    return all ? SPN_OK : explain(folder, theirs, ours, err);
}
