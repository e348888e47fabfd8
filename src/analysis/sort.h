/* Sorting numbers 0..count-1 by a key that is computed when it is asked for, so that nothing but
   the numbers is stored. */
#ifndef SPN_ANALYSIS_SORT_H
#define SPN_ANALYSIS_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef double spn_key(const void *context, uint32_t item);

/* A new array of 0..count-1 by increasing key, equal keys by number; NULL without memory. Radix
   sort: O(count), 8 * count bytes while it runs. */
uint32_t *spn_sort_items(size_t count, spn_key *key, const void *context);

#endif
