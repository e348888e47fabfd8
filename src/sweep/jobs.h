/* The jobs of a sweep: runs of the points of its grid. Job number `point * runs + run - 1` is run
   number `run`, from 1, of a point. */
#ifndef SPN_SWEEP_JOBS_H
#define SPN_SWEEP_JOBS_H

#include <spinney/lab/job.h>

/* The points of the grid. */
size_t spn_sweep_points(const spn_sweep *sweep);

/* Job number `index`, with its key and seeds. To be cleared, also after an error. Errors: ARGUMENT
   (no such task or setting, not its value), MEMORY. */
spn_status spn_sweep_job(spn_job *out, const spn_sweep *sweep, size_t index, spn_error *err);

/* The keys of all jobs, in their order, to be freed. Errors: as above. */
spn_status spn_sweep_keys(uint64_t **out, const spn_sweep *sweep, spn_error *err);

/* The value of an axis at a point; the last axis varies fastest. */
const char *spn_sweep_value_at(const spn_sweep *sweep, size_t axis, size_t point);

/* What tells a point from others, "gamma=0.8 replicas=3", to be freed; NULL without memory. */
char *spn_sweep_point_text(const spn_sweep *sweep, size_t point);

/* The values that a setting takes: one, those of an axis, or none; the texts are the sweep's. */
typedef struct spn_value_list {
    size_t count;
    char *const *texts;
} spn_value_list;

/* As far as they are given; the same, or the default. */
spn_value_list spn_sweep_given(const spn_sweep *sweep, const char *setting);
spn_value_list spn_sweep_values(const spn_sweep *sweep, const char *setting);

/* As a text such as "0,0.4,0.8", the first few of many; "not given" for none. */
void spn_value_list_print(char *out, size_t size, const spn_value_list *list);

/* ---- plans: what checks a specification, lists the costs, tries points and runs them shares them,
   and the files that they read ---- */

typedef struct spn_plans spn_plans;

/* Nothing is planned yet. beside: a file beside which those that settings name are looked for; it
   is copied. inputs: borrowed instead of making them; may be NULL. The sweep is borrowed. Errors:
   MEMORY. */
spn_status spn_plans_create(spn_plans **out, const spn_sweep *sweep, const char *beside,
                            spn_inputs *inputs, spn_error *err);
/* Accepts NULL. */
void spn_plans_free(spn_plans *plans);

spn_inputs *spn_plans_inputs(spn_plans *plans);

/* A point in use. The job is a view: do not set or clear anything of it but by spn_job_identify. */
typedef struct spn_point {
    spn_job job;
    const void *plan;
    struct spn_planned *own; /* of a grid too large to keep its plans */
} spn_point;

/* The job of a point and its plan, made if this is the first use; from any thread. To be released,
   also after an error. Errors: those of jobs and of plans. */
spn_status spn_plans_take(spn_point *out, spn_plans *plans, size_t point, spn_error *err);
void spn_plans_release(spn_point *point);

/* The same as job number `index` of the sweep, with its key and seeds. */
spn_status spn_plans_take_job(spn_point *out, spn_plans *plans, size_t index, spn_error *err);

#endif
