/* A run of the task exact, as its files share it: each adds what one heading of the table of
   results has, where the plan asks for it. */
#ifndef SPN_TASK_EXACT_RUN_H
#define SPN_TASK_EXACT_RUN_H

#include "task/exact/plan.h"

#include <spinney/density.h>

/* What a run needs at every turn. After an error its steps do nothing more. */
typedef struct spn_exact_run {
    const spn_exact_plan *plan;
    const spn_landscape *landscape;
    spn_dense_set *dense;
    spn_record *out;
    spn_error *err;
    spn_status status;
} spn_exact_run;

/* A result; NaN for what has no finite value. */
void spn_exact_put(spn_exact_run *r, const char *name, double value);

void spn_exact_put_landscape(spn_exact_run *r);
void spn_exact_put_law(spn_exact_run *r, bool details);
void spn_exact_put_constants(spn_exact_run *r);
void spn_exact_put_chains(spn_exact_run *r);

/* The dense set, to be freed by the caller, and its masses. */
void spn_exact_make_dense(spn_exact_run *r);
void spn_exact_put_dense(spn_exact_run *r);

#endif
