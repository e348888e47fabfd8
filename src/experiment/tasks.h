/* The tasks from inside: a table of them, and what they share. */
#ifndef SPN_EXPERIMENT_TASKS_H
#define SPN_EXPERIMENT_TASKS_H

#include "experiment/task.h"
#include "experiment/values.h"
#include <spinney/chain.h>
#include <spinney/dataset.h>
#include <spinney/energies.h>

typedef enum spn_setting_kind {
    SPN_SETTING_TEXT,
    SPN_SETTING_NUMBER,
    SPN_SETTING_RANGE, /* numbers joined by colons */
    SPN_SETTING_FLAG,
    SPN_SETTING_LIST, /* a text in which commas have a meaning of their own */
    SPN_SETTING_FILE  /* the name of a file, or of a data set */
} spn_setting_kind;

typedef struct spn_setting {
    const char *name;
    spn_setting_kind kind;
} spn_setting;

/* How much there is to do; proposals are a number, the others costs in one unit. */
typedef struct spn_work {
    double proposals, anneal, flips, profile;
} spn_work;

typedef struct spn_task {
    const char *name;
    const spn_setting *settings; /* ended by one without a name */
    const char *const *results;  /* all that a record may have, ended by NULL */
    bool flips, profile;         /* whether it has these curves, */
    bool models, traces;         /* and these files */
    /* Check one point, as far as that goes without running. */
    spn_status (*check)(spn_values *values, const spn_measures *measures, spn_task_store *store,
                        spn_error *err);
    /* What the settings that are not given are at one point, as far as they matter: into the
       settings of a record. The settings have been checked. */
    spn_status (*defaults)(spn_record *out, const spn_values *values, spn_error *err);
    /* Why no run of a sweep can have a result: what it needs, and the remedy; NULL: some can. */
    const char *(*lacks)(const spn_sweep *sweep, const char *result);
    spn_work (*work)(const spn_job *job, uint64_t steps);
    spn_status (*run)(spn_record *out, bool *complete, const spn_job *job, const spn_task_run *run,
                      spn_error *err);
} spn_task;

extern const spn_task spn_task_train, spn_task_anneal, spn_task_eval;

/* The tasks, ended by NULL; the one called so, or NULL. */
const spn_task *const *spn_tasks(void);
const spn_task *spn_task_find(const char *name);
const spn_setting *spn_setting_find(const spn_task *task, const char *name);

/* Where a check failed. */
typedef struct spn_fault {
    const char *setting; /* or a measure, such as flips.trials; NULL: none in particular */
    size_t point;        /* of the grid; SIZE_MAX: none in particular */
} spn_fault;

/* spn_task_check, which says where it failed. */
spn_status spn_task_check_at(spn_fault *fault, const spn_sweep *sweep, spn_task_store *store,
                             spn_error *err);

/* Fill the sweep's files; what they name has been checked. */
spn_status spn_task_files(spn_fault *fault, spn_sweep *sweep, spn_task_store *store,
                          spn_error *err);

/* Fill the sweep's defaults; the settings have been checked. */
spn_status spn_task_defaults(spn_sweep *sweep, spn_error *err);

/* Fail because of a setting that the task does not know; the text names the nearest. */
spn_status spn_setting_unknown(const spn_task *task, const char *name, spn_error *err);

/* ---- what tasks share ---- */

static inline spn_values spn_job_values(const spn_job *job)
{
    return (spn_values){.count = job->count, .fields = job->settings};
}

/* The settings of every chain, for the tables. */
#define SPN_CHAIN_SETTINGS                                                                         \
    {"replicas", SPN_SETTING_NUMBER}, {"gamma", SPN_SETTING_RANGE},                                \
        {"gamma-schedule", SPN_SETTING_LIST}, {"beta", SPN_SETTING_RANGE},                         \
        {"beta-start", SPN_SETTING_NUMBER}, {"beta-end", SPN_SETTING_NUMBER},                      \
        {"schedule", SPN_SETTING_LIST}, {"steps", SPN_SETTING_NUMBER},                             \
        {"kernel", SPN_SETTING_TEXT},                                                              \
    {                                                                                              \
        "init", SPN_SETTING_TEXT                                                                   \
    }

/* Read these, and order; the schedules are to be cleared, also after an error. */
spn_status spn_chain_settings(spn_chain_options *out, spn_values *values, spn_error *err);

/* Add the default of a setting to those of a point, unless it is given. */
spn_status spn_default_add(spn_record *out, const spn_values *values, const char *name,
                           const char *text, spn_error *err);

/* The same for the settings of a chain but order, and for those that say how the file of a setting
   is read. */
spn_status spn_chain_default_add(spn_record *out, const spn_values *values,
                                 const spn_chain_options *chain, spn_error *err);
spn_status spn_file_default_add(spn_record *out, const spn_values *values, const char *setting,
                                spn_error *err);

/* The share of the proposals whose energy is computed, as far as the coupling decides that. */
double spn_coupling_passes(const spn_chain_options *chain);

/* How far a run is. */
typedef struct spn_share {
    const spn_task_run *run;
    double total, past; /* costs: of all parts, and of those that are done */
} spn_share;

spn_share spn_share_start(const spn_task_run *run, const spn_work *work);
void spn_share_show(const spn_share *share, double cost, double part); /* of a part: 0 to 1 */
void spn_share_pass(spn_share *share, double cost);

/* The file of a job in a subfolder, which is made, such as FOLDER/models/KEY.spn; to be freed. */
spn_status spn_job_file(char **out, const spn_job *job, const char *folder, const char *subfolder,
                        const char *extension, spn_error *err);

/* The labelled data of a training, from the store. */
spn_status spn_task_store_data(const spn_dataset **train, const spn_dataset **test,
                               spn_task_store *store, spn_values *values, spn_error *err);

/* XXH3 of a data set known by this name, both parts of it. */
spn_status spn_task_store_checksum(uint64_t *out, spn_task_store *store, const char *name,
                                   spn_error *err);

/* Whether a data set is known by this name; the settings that say how a file of samples is read. */
bool spn_data_is_known(const char *name);
spn_status spn_data_settings(spn_read_options *out, spn_values *values, spn_error *err);

/* The problem in the file of a setting, and the energy that it makes, from the store. */
spn_status spn_task_store_problem(const spn_problem **problem, const spn_energy **energy,
                                  spn_task_store *store, spn_values *values, const char *setting,
                                  const spn_energy_kind *kind, spn_error *err);

/* The path of a file that a setting names, to be freed; NULL when there is no memory. */
char *spn_task_store_path(const spn_task_store *store, const char *name);

#endif
