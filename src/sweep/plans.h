/* The points of a sweep, each planned once: what checks a specification, lists the costs, tries
   points and runs them shares these plans, and the files that they read. */
#ifndef SPN_SWEEP_PLANS_H
#define SPN_SWEEP_PLANS_H

#include <spinney/lab/job.h>

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

/* The job of a point that was planned and kept; NULL: it was not. */
const spn_job *spn_plans_known(spn_plans *plans, size_t point);

#endif
