/* Problems from inside: what the readers and generators share. */
#ifndef SPN_DATA_PROBLEM_H
#define SPN_DATA_PROBLEM_H

#include "data/lines.h"
#include <spinney/problems.h>

/* An empty problem of a kind; NULL when memory cannot be had. */
spn_problem *spn_problem_alloc(spn_problem_kind kind);

/* One reader per kind: fill problem from lines. */
typedef spn_status spn_problem_reader(spn_problem *problem, spn_lines *lines, spn_error *err);
spn_problem_reader spn_read_patterns, spn_read_states, spn_read_couplings, spn_read_cut,
    spn_read_table;

#endif
