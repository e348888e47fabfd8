/* The tasks from inside: a table of them, and what they share. */
#ifndef SPN_OLD_TASKS_H
#define SPN_OLD_TASKS_H

#include "data/dataset.h"
#include "data/problem.h"
#include "model/model.h"
#include "old/task.h"
#include "old/values.h"
#include <spinney/chain.h>
#include <spinney/dataset.h>
#include <spinney/energies.h>

typedef enum xpn_setting_kind {
    XPN_SETTING_TEXT,
    XPN_SETTING_NUMBER,
    XPN_SETTING_RANGE, /* numbers joined by colons */
    XPN_SETTING_FLAG,
    XPN_SETTING_LIST, /* a text in which commas have a meaning of their own */
    XPN_SETTING_FILE  /* the name of a file, or of a data set */
} xpn_setting_kind;

typedef struct xpn_setting {
    const char *name;
    xpn_setting_kind kind;
} xpn_setting;

/* How much there is to do; proposals are a number, the others costs in one unit. */
typedef struct xpn_work {
    double proposals, anneal, flips, profile;
} xpn_work;

typedef struct xpn_task {
    const char *name;
    const xpn_setting *settings; /* ended by one without a name */
    const char *const *results;  /* all that a record may have, ended by NULL */
    bool flips, profile;         /* whether it has these curves, */
    bool models, traces;         /* and these files */
    /* Check one point, as far as that goes without running. */
    spn_status (*check)(xpn_values *values, const spn_measures *measures, xpn_task_store *store,
                        spn_error *err);
    /* What the settings that are not given are at one point, as far as they matter: into the
       settings of a record. The settings have been checked. */
    spn_status (*defaults)(spn_record *out, const xpn_values *values, spn_error *err);
    /* Why no run of a sweep can have a result: what it needs, and the remedy; NULL: some can. */
    const char *(*lacks)(const spn_sweep *sweep, const char *result);
    xpn_work (*work)(const xpn_job *job, uint64_t steps);
    spn_status (*run)(spn_record *out, bool *complete, const xpn_job *job, const xpn_task_run *run,
                      spn_error *err);
} xpn_task;

extern const xpn_task xpn_task_train, xpn_task_anneal, xpn_task_eval;

/* The tasks, ended by NULL; the one called so, or NULL. */
const xpn_task *const *xpn_tasks(void);
const xpn_task *xpn_task_find(const char *name);
const xpn_setting *xpn_setting_find(const xpn_task *task, const char *name);

/* Where a check failed. */
typedef struct xpn_fault {
    const char *setting; /* or a measure, such as flips.trials; NULL: none in particular */
    size_t point;        /* of the grid; SIZE_MAX: none in particular */
} xpn_fault;

/* xpn_task_check, which says where it failed. */
spn_status xpn_task_check_at(xpn_fault *fault, const spn_sweep *sweep, xpn_task_store *store,
                             spn_error *err);

/* Fill the sweep's files; what they name has been checked. */
spn_status xpn_task_files(xpn_fault *fault, spn_sweep *sweep, xpn_task_store *store,
                          spn_error *err);

/* Fill the sweep's defaults; the settings have been checked. */
spn_status xpn_task_defaults(spn_sweep *sweep, spn_error *err);

/* Fail because of a setting that the task does not know; the text names the nearest. */
spn_status xpn_setting_unknown(const xpn_task *task, const char *name, spn_error *err);

/* ---- what tasks share ---- */

static inline xpn_values xpn_job_values(const xpn_job *job)
{
    return (xpn_values){.count = job->count, .fields = job->settings};
}

/* The settings of every chain, for the tables. */
#define XPN_CHAIN_SETTINGS                                                                         \
    {"replicas", XPN_SETTING_NUMBER}, {"gamma", XPN_SETTING_RANGE},                                \
        {"gamma-schedule", XPN_SETTING_LIST}, {"beta", XPN_SETTING_RANGE},                         \
        {"beta-start", XPN_SETTING_NUMBER}, {"beta-end", XPN_SETTING_NUMBER},                      \
        {"schedule", XPN_SETTING_LIST}, {"steps", XPN_SETTING_NUMBER},                             \
        {"kernel", XPN_SETTING_TEXT},                                                              \
    {                                                                                              \
        "init", XPN_SETTING_TEXT                                                                   \
    }

/* Read these, and order; the schedules are to be cleared, also after an error. */
spn_status xpn_chain_settings(spn_chain_options *out, xpn_values *values, spn_error *err);
void xpn_chain_clear(spn_chain_options *chain); /* frees its schedules */

/* Add the default of a setting to those of a point, unless it is given. */
spn_status xpn_default_add(spn_record *out, const xpn_values *values, const char *name,
                           const char *text, spn_error *err);

/* The same for the settings of a chain but order, and for those that say how the file of a setting
   is read. */
spn_status xpn_chain_default_add(spn_record *out, const xpn_values *values,
                                 const spn_chain_options *chain, spn_error *err);
spn_status xpn_file_default_add(spn_record *out, const xpn_values *values, const char *setting,
                                spn_error *err);

/* The share of the proposals whose energy is computed, as far as the coupling decides that. */
double xpn_coupling_passes(const spn_chain_options *chain);

/* How far a run is. */
typedef struct xpn_share {
    const xpn_task_run *run;
    double total, past; /* costs: of all parts, and of those that are done */
} xpn_share;

xpn_share xpn_share_start(const xpn_task_run *run, const xpn_work *work);
void xpn_share_show(const xpn_share *share, double cost, double part); /* of a part: 0 to 1 */
void xpn_share_pass(xpn_share *share, double cost);

/* The file of a job in a subfolder, which is made, such as FOLDER/models/KEY.spn; to be freed. */
spn_status xpn_job_file(char **out, const xpn_job *job, const char *folder, const char *subfolder,
                        const char *extension, spn_error *err);

/* The labelled data of a training, from the store. */
spn_status xpn_task_store_data(const spn_dataset **train, const spn_dataset **test,
                               xpn_task_store *store, xpn_values *values, spn_error *err);

/* XXH3 of a data set known by this name, both parts of it. */
spn_status xpn_task_store_checksum(uint64_t *out, xpn_task_store *store, const char *name,
                                   spn_error *err);

/* Whether a data set is known by this name; the settings that say how a file of samples is read. */
bool xpn_data_is_known(const char *name);
spn_status xpn_data_settings(spn_read_options *out, xpn_values *values, spn_error *err);

/* The problem in the file of a setting, and the energy that it makes, from the store. */
spn_status xpn_task_store_problem(const spn_problem **problem, const spn_energy **energy,
                                  xpn_task_store *store, xpn_values *values, const char *setting,
                                  const spn_energy_kind *kind, spn_error *err);

/* The path of a file that a setting names, to be freed; NULL when there is no memory. */
char *xpn_task_store_path(const xpn_task_store *store, const char *name);

#endif
