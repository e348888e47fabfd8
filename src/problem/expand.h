/* Products of variables as sums of products of bits. */
#ifndef SPN_PROBLEM_EXPAND_H
#define SPN_PROBLEM_EXPAND_H

#include "problem/compile.h"

/* Sums of products of bits, one row after the other. */
typedef struct spn_expanded {
    const spn_compiled *compiled;
    spn_rows rows; /* variables are bits; a spin counts as -1 or +1, another bit as 0 or 1 */
} spn_expanded;

/* Append the products of term t, times factor. Errors: MEMORY, ARGUMENT (too many). */
spn_status spn_expand(spn_expanded *out, const spn_rows *rows, size_t t, double factor,
                      spn_error *err);

#endif
