/* Radix sort by doubles, 16 bits at a time; digits that all keys share are skipped, which for small
   integers leaves one or two passes. */
#include "analysis/sort.h"

#include "base/memory.h"
#include "core/numeric.h"
#include "core/pause.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS, ITEMS_PER_PAUSE = 1 << 16 };

/* The bits of a double, ordered as an unsigned integer; -0 as 0. */
static uint64_t ordered_bits(double x)
{
    const uint64_t bits = spn_bits(x + 0.0), sign = 1ull << 63;
    return (bits & sign) ? ~bits : bits | sign;
}

/* Whether the work is to end; asked now and then. */
static bool stops(size_t n)
{
    return n % ITEMS_PER_PAUSE == 0 && spn_pause_now();
}

/* One pass over a digit; false where all items share it, or the work is to end, and what was moved
   does not count. */
static bool pass(uint32_t *to, const uint32_t *from, size_t count, unsigned shift, spn_key *key,
                 const void *context, size_t *places)
{
    memset(places, 0, DIGITS * sizeof *places);
    for (size_t n = 0; n < count && !stops(n); n++)
        places[ordered_bits(key(context, from[n])) >> shift & (DIGITS - 1)]++;
    size_t start = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = places[d];
        if (here == count)
            return false;
        places[d] = start;
        start += here;
    }
    for (size_t n = 0; n < count && !stops(n); n++)
        to[places[ordered_bits(key(context, from[n])) >> shift & (DIGITS - 1)]++] = from[n];
    return !spn_pause_stopped();
}

uint32_t *spn_sort_items(size_t count, spn_key *key, const void *context)
{
    if (spn_pause_now())
        return NULL; /* the memory is not worth its time */
    uint32_t *items = spn_alloc(count, sizeof *items), *other = spn_alloc(count, sizeof *other);
    size_t *places = spn_alloc(DIGITS, sizeof *places);
    if (!items || !other || !places) {
        free(items);
        items = NULL;
    }
    for (size_t n = 0; items && n < count; n++)
        items[n] = (uint32_t)n;
    for (unsigned shift = 0; items && shift < 64 && !spn_pause_now(); shift += DIGIT_BITS)
        if (pass(other, items, count, shift, key, context, places)) {
            uint32_t *swap = items;
            items = other;
            other = swap;
        }
    free(other);
    free(places);
    return items;
}
