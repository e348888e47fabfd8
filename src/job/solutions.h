/* States that a run found, as users see them: energies and counts, 0 and 1 for qubo, cuts for
   maxcut, and names of variables if the problem has them. */
#ifndef SPN_JOB_SOLUTIONS_H
#define SPN_JOB_SOLUTIONS_H

#include "base/json.h"
#include "job/energy_settings.h"

#include <spinney/chain.h>
#include <spinney/samples.h>
#include <stdio.h>

struct spn_solutions {
    spn_samples *samples; /* sorted */
    size_t sites;
    bool binary;   /* spins are shown as 0 and 1 */
    bool cuts;     /* energies are shown as cuts, */
    double offset; /* offset - energy */
    char **names;  /* of the variables; NULL: none */
    bool of_reads; /* `first` is the number of a read, else of a replica */
    /* Final replicas of one run, one after the other, and their energies; NULL for reads. */
    size_t replicas;
    int8_t *ends;
    double *end_energies;
};

/* An empty set. Errors: MEMORY. */
spn_status spn_solutions_create(spn_solutions **out, const spn_instance *instance, spn_error *err);

/* Keep the final replicas of a run. Errors: MEMORY. */
spn_status spn_solutions_keep_ends(spn_solutions *solutions, const spn_snapshot *end,
                                   spn_error *err);

/* The read or replica that found state k first, from 1; NaN: it was joined from all reads. */
double spn_solutions_finder(const spn_solutions *solutions, size_t k);

int spn_solutions_value(const spn_solutions *solutions, int8_t spin);

/* As a line of + and -, or of 0 and 1. */
void spn_solutions_print(FILE *stream, const spn_solutions *solutions, const int8_t *spins);

/* At most `most` states, as members of an open object: distinct, binary, variables if they have
   names, and states. Errors: MEMORY. */
spn_status spn_solutions_json(spn_json *json, const spn_solutions *solutions, size_t most,
                              spn_error *err);

/* Write all distinct states. The file name decides the format: .csv, .npy, .json, or else lines of
   + and - (or 0 and 1). See docs/file-formats.md. Errors: IO, MEMORY, ARGUMENT (names that are not
   UTF-8). */
spn_status spn_solutions_write(const spn_solutions *solutions, const char *path, spn_error *err);

/* Check that this file could be written, before there is anything to write. path may be NULL.
   Errors: IO; ARGUMENT for an unsupported ending. */
spn_status spn_solutions_try(const char *path, spn_error *err);

/* Whether a file of this name has lines of text. */
bool spn_solutions_is_text(const char *path);

#endif
