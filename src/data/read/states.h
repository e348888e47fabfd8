/* States from inside: what their readers share. */
#ifndef SPN_DATA_READ_STATES_H
#define SPN_DATA_READ_STATES_H

#include "data/problem.h"

/* A spin from 1, 0 or -1; false for another value. seen: notes which values were met. */
bool spn_state_value(int8_t *out, double value, unsigned *seen);

/* 0 stands for -1: fail with INPUT if both occurred in one file. */
spn_status spn_states_check(unsigned seen, const spn_source *source, spn_error *err);

/* The states of an NPY file: a matrix of int8 or uint8, a row for each, or an array of (energy,
   count, state). */
spn_status spn_read_states_npy(spn_problem *problem, const spn_source *source, spn_error *err);

/* The states of a JSON text, and its list `variables`. */
spn_status spn_read_states_json(spn_walk *walk, spn_error *err);

/* Add the name of the next variable. Errors: INPUT (it was there before), MEMORY. */
spn_status spn_states_add_name(spn_walk *walk, spn_span name, spn_error *err);

#endif
