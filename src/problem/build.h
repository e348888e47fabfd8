/* What is gathered on the way from a problem to its compiled form. */
#ifndef SPN_PROBLEM_BUILD_H
#define SPN_PROBLEM_BUILD_H

#include "problem/compile.h"

typedef struct spn_pair {
    uint32_t i, j; /* i < j */
    double coupling;
} spn_pair;

/* A constraint over bits. Entries first to those of the next one; a change is that of a bit that
   becomes 1. */
typedef struct spn_draft {
    size_t first;
    double start; /* if all bits are 0 */
    bool is_linear;
    bool is_dropped, is_kept;
} spn_draft;

typedef struct spn_build {
    spn_compiled *c;
    size_t pairs, pair_room;
    spn_pair *pair;
    spn_rows products; /* with their rows */
    size_t row_room;
    uint32_t *product_row; /* the constraint, or SPN_NO_ROW */
    spn_draft *draft;      /* constraints + 1 */
    size_t entries, entry_room;
    spn_entry *entry; /* row: the bit */
} spn_build;

/* Choose the sets that moves keep, and the columns; none unless `keeps`. Errors: MEMORY. */
spn_status spn_build_sets(spn_build *build, bool keeps, spn_error *err);

#endif
