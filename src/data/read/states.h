/* States from inside: what their readers share. */
#ifndef SPN_DATA_READ_STATES_H
#define SPN_DATA_READ_STATES_H

#include "data/problem.h"

/* Which values were met; 0 stands for -1, but not both in one file. */
typedef struct spn_state_values {
    bool zero, minus;
} spn_state_values;

/* A spin from 1, 0 or -1; false for another value. */
bool spn_state_value(int8_t *out, double value, spn_state_values *seen);

/* Fail with INPUT if both 0 and -1 occurred. place: what errors call the file. */
spn_status spn_state_values_check(const spn_state_values *values, const char *place,
                                  spn_error *err);

/* The states of an NPY file: a matrix of int8 or uint8, a row for each, or an array of (energy,
   count, state). */
spn_status spn_read_states_npy(spn_problem *problem, const spn_source *source, spn_error *err);

/* The states of a JSON text. */
spn_status spn_read_states_json(spn_problem *problem, const spn_source *source, spn_error *err);

#endif
