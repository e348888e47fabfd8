/* Shared by the writers of problems with constraints. */
#ifndef SPN_PROBLEM_WRITE_WRITING_H
#define SPN_PROBLEM_WRITE_WRITING_H

#include "base/memory.h"
#include "base/number.h"
#include "problem/program.h"

#include <stdio.h>

/* Terms without repetition and without zeros, lower degrees first, then by their variables. */
typedef struct spn_merged {
    size_t count;
    const uint32_t **variables; /* of each term; they belong to the problem */
    size_t *degrees;
    double *coefficients;
    double constant; /* sum of the terms without variables, which are not among the others */
} spn_merged;

/* Free it with spn_merged_free, also after an error. Errors: MEMORY; ARGUMENT (a sum is not finite,
   or one of integers not exact). O(count log(count)). */
spn_status spn_merge(spn_merged *out, const spn_terms *terms, spn_error *err);
void spn_merged_free(spn_merged *merged);

/* Write to a stream. format: not AUTO. Errors: ARGUMENT, MEMORY. */
spn_status spn_program_put(FILE *out, const spn_program *program, spn_program_format format,
                           spn_error *err);

/* A format's writer. Errors: ARGUMENT (what it cannot say), MEMORY. */
typedef spn_status spn_program_writer(FILE *out, const spn_program *program, spn_error *err);
spn_program_writer spn_write_lp, spn_write_polynomial, spn_write_cnf, spn_write_wcnf;

#endif
