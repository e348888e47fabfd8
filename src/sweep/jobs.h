/* Jobs of a sweep are runs of the points of its grid. Job number `point * runs + run - 1` is run
   number `run`, from 1, of a point. */
#ifndef SPN_SWEEP_JOBS_H
#define SPN_SWEEP_JOBS_H

#include <spinney/lab/job.h>
#include <spinney/lab/sweep.h>

size_t spn_sweep_points(const spn_sweep *sweep);

/* Job number `index`, with its key and seeds. Clear it, also after an error. Errors: ARGUMENT (no
   such task or setting, not its value), MEMORY. */
spn_status spn_sweep_job(spn_job *out, const spn_sweep *sweep, size_t index, spn_error *err);

/* Keys of all jobs, in order; free them. Errors: as above. */
spn_status spn_sweep_keys(uint64_t **out, const spn_sweep *sweep, spn_error *err);

/* Value of an axis at a point; the last axis varies fastest. */
const char *spn_sweep_value_at(const spn_sweep *sweep, size_t axis, size_t point);

/* What tells a point apart: "gamma=0.8 replicas=3". Free it; NULL without memory. */
char *spn_sweep_point_text(const spn_sweep *sweep, size_t point);

/* Values of a setting: one, those of an axis, or none. The sweep owns the texts. */
typedef struct spn_value_list {
    size_t count;
    char *const *texts;
} spn_value_list;

/* Given values; given values or the default. */
spn_value_list spn_sweep_given(const spn_sweep *sweep, const char *setting);
spn_value_list spn_sweep_values(const spn_sweep *sweep, const char *setting);

/* A text such as "0,0.4,0.8", with the first few of many; "not given" for none. */
void spn_value_list_print(char *out, size_t size, const spn_value_list *list);

/* ---- plans and the files they read: shared by checking, listing costs, calibrating and running
   ---- */

typedef struct spn_plans spn_plans;

/* beside: files are looked up beside this one; it is copied. The sweep is borrowed. Errors:
   MEMORY. */
spn_status spn_plans_create(spn_plans **out, const spn_sweep *sweep, const char *beside,
                            spn_error *err);
/* Accepts NULL. */
void spn_plans_free(spn_plans *plans);

spn_inputs *spn_plans_inputs(spn_plans *plans);

/* A point in use. The job is a view: change it only by spn_job_identify. */
typedef struct spn_point {
    spn_job job;
    void *plan;
    bool own; /* of a grid too large to keep its plans */
} spn_point;

/* Job and plan of a point, made on first use, from any thread. Release it, also after an error.
   Errors: those of jobs and plans. */
spn_status spn_plans_take(spn_point *out, spn_plans *plans, size_t point, spn_error *err);
void spn_plans_release(spn_point *point);

/* The same for job number `index`, with its key and seeds. */
spn_status spn_plans_take_job(spn_point *out, spn_plans *plans, size_t index, spn_error *err);

/* A grid around one job, for a command: the job at several values of its settings, run in a
   private folder. */

/* A sweep of the job's task with its settings and seed, `runs` runs per point, and axes: texts
   NAME=A,B,C or, for numbers, NAME=START:END:STEP, which includes both ends. An axis replaces a
   setting of the job. Values of a setting that contains commas (SPN_SETTING_LIST) are separated by
   semicolons: NAME=A;B. Free it with spn_sweep_free. Errors: ARGUMENT (they begin with the text of
   the axis), MEMORY. */
spn_status spn_sweep_around(spn_sweep **out, const spn_job *job, const char *const *axes,
                            size_t count, size_t runs, spn_error *err);

/* Run a sweep in a private folder under TMPDIR, or /tmp, and remove the folder. options: those of
   spn_sweep_run, without a folder. *out has the finished runs: all of them unless *stop ended it.
   Free it with spn_records_free. Errors: those of spn_sweep_run. */
spn_status spn_sweep_run_unseen(spn_records **out, const spn_sweep *sweep,
                                const spn_sweep_options *options, spn_error *err);

#endif
