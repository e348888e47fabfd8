/* What can be known of a problem before any search, without losing a best state: values that follow
   from constraints, values that are strictly better whatever the others are, constraints that
   always hold, and variables of two values that are equal or opposite. */
#ifndef SPN_PROBLEM_PRESOLVE_H
#define SPN_PROBLEM_PRESOLVE_H

#include "problem/program.h"

typedef enum spn_dropped {
    SPN_NOT_DROPPED,
    SPN_DROPPED,          /* it always holds */
    SPN_DROPPED_BY_MERGES /* it holds because of what was merged */
} spn_dropped;

typedef struct spn_presolved {
    int32_t *low, *high; /* the range that is left of each variable; equal: it is known */
    uint32_t *root;  /* of each variable: the one that it follows; itself: none. Roots come first */
    uint8_t *turned; /* whether it is at its lower end if its root is at the upper one */
    uint8_t *dropped; /* a spn_dropped of each constraint */
    size_t known;     /* variables, without those that the user fixed */
    size_t merged;    /* variables that follow others */
    size_t drops;
    size_t impossible; /* a constraint that never holds, given those before; SIZE_MAX: none. Then
                          nothing is known or dropped */
} spn_presolved;

/* Errors: MEMORY. Linear in the terms, but for sorting, for each of at most 64 passes. */
spn_status spn_presolve_make(spn_presolved **out, const spn_program *program, spn_error *err);
void spn_presolved_free(spn_presolved *presolved);

/* Merge variables of two values that constraints of two make equal or opposite, given the ranges;
   fix those of which such constraints forbid a value, and set *fixed if there are some. Errors:
   MEMORY. */
spn_status spn_presolve_merge(bool *fixed, spn_presolved *presolved, const spn_program *program,
                              spn_error *err);

/* Without merges. */
void spn_presolve_part(spn_presolved *presolved, const spn_program *program);

/* Sizes up to this count as 0 in a constraint: rounding. */
double spn_presolve_margin(const spn_own_constraint *constraint);

bool spn_constraint_is_linear(const spn_program *program, size_t k);

#endif
