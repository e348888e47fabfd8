/* What can be known of a problem before any search, without losing a best state: values that follow
   from constraints, values that are strictly better whatever the others are, and constraints that
   always hold. */
#ifndef SPN_PROBLEM_PRESOLVE_H
#define SPN_PROBLEM_PRESOLVE_H

#include "problem/program.h"

typedef struct spn_presolved {
    int32_t *low, *high; /* the range that is left of each variable; equal: it is known */
    uint8_t *dropped;    /* of each constraint: it always holds */
    size_t known;        /* variables, without those that the user fixed */
    size_t drops;
    size_t impossible; /* a constraint that never holds, given those before; SIZE_MAX: none. Then
                          nothing is known or dropped */
} spn_presolved;

/* Errors: MEMORY. Linear in the terms for each of at most 64 passes. */
spn_status spn_presolve_make(spn_presolved **out, const spn_program *program, spn_error *err);
void spn_presolved_free(spn_presolved *presolved);

#endif
