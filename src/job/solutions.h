/* What runs found, as users of the problem see it: a set of states with energies and counts, 0 and
   1 for qubo, cuts for maxcut, the names of variables where the problem has some; and files of it.
 */
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
    bool binary;   /* a spin is shown as 0 or 1 */
    bool cuts;     /* an energy is shown as a cut: */
    double offset; /* minus the energy */
    char **names;  /* of the variables; NULL: they have none */
    bool of_reads; /* `first` is the number of a read, else of a replica */
    /* Of one run: its replicas at the end, one after the other, and their energies; else NULL. */
    size_t replicas;
    int8_t *ends;
    double *end_energies;
};

/* An empty set for the states of a problem. To be freed. Errors: MEMORY. */
spn_status spn_solutions_create(spn_solutions **out, const spn_instance *instance, spn_error *err);

/* Keep the replicas of a run as they are at its end. Errors: MEMORY. */
spn_status spn_solutions_keep_ends(spn_solutions *solutions, const spn_snapshot *end,
                                   spn_error *err);

/* The name of variable i, in out where the problem gives it none: x0 of qubo, v1 of maxcut, s0 of
   others. */
enum { SPN_VARIABLE_NAME = 24 };
const char *spn_solutions_name(char out[SPN_VARIABLE_NAME], const spn_solutions *solutions,
                               size_t i);

/* How a spin is shown. */
int spn_solutions_value(const spn_solutions *solutions, int8_t spin);

/* A state as a line of + and -, or of 0 and 1. */
void spn_solutions_print(FILE *stream, const spn_solutions *solutions, const int8_t *spins);

/* The states, at most `most` of them, as members of an open object: distinct, binary, variables if
   they have names, and states. Errors: MEMORY. */
spn_status spn_solutions_json(spn_json *json, const spn_solutions *solutions, size_t most,
                              spn_error *err);

/* Write all distinct states into a file, by its name: .csv, .npy, .json, or else lines of + and -
   (of 0 and 1). docs/file-formats.md has the formats. Errors: IO, MEMORY, ARGUMENT (names that are
   not UTF-8). */
spn_status spn_solutions_write(const spn_solutions *solutions, const char *path, spn_error *err);

/* Whether such a file could be written, found out before there is anything to write; path may be
   NULL. Errors: IO; ARGUMENT for the ending of a format that is not written. */
spn_status spn_solutions_try(const char *path, spn_error *err);

/* Whether a file of that name would have lines. */
bool spn_solutions_is_text(const char *path);

#endif
