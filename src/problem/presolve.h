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

/* A range as it was before it was cut. */
typedef struct spn_cut {
    uint32_t variable;
    int32_t low, high;
} spn_cut;

typedef struct spn_presolving {
    const spn_program *program;
    spn_presolved *out;
    bool changed;
    spn_cut *cut; /* while values are supposed, what was cut; with no room left, nothing is */
    size_t cuts, room;
    uint64_t visits, most; /* of terms */
} spn_presolving;

/* Errors: MEMORY. Linear in the terms, but for sorting, for each of at most 64 passes; and at most
   2^23 terms more, and four times all, for supposed values. */
spn_status spn_presolve_make(spn_presolved **out, const spn_program *program, spn_error *err);
void spn_presolved_free(spn_presolved *presolved);

/* Suppose each value of the variables of two, to fix or merge some (see probe.c); merges count only
   if nothing changed. Errors: MEMORY. */
spn_status spn_presolve_probe(spn_presolving *presolving, spn_error *err);

/* Without merges. */
void spn_presolve_part(spn_presolved *presolved, const spn_program *program);

/* Change the range of a variable. */
void spn_presolve_set(spn_presolving *presolving, uint32_t i, int32_t low, int32_t high);

/* Cut the ranges of the variables of a constraint that counts; or find it impossible. */
void spn_presolve_propagate(spn_presolving *presolving, size_t k);

/* Whether constraint k is linear and must hold. */
bool spn_presolve_counts(const spn_program *program, size_t k);

#endif
