/* Sets of states: what many runs found, each distinct state once, with its energy and how often it
   was found, lowest energy first. */
#ifndef SPINNEY_SAMPLES_H
#define SPINNEY_SAMPLES_H

#include <spinney/energy.h>
#include <stdint.h>

SPN_BEGIN_C

typedef struct spn_samples spn_samples;

/* An empty set of states of `sites` spins, 1 to 2^32-1. Memory: a bit per spin, rounded up to 8
   bytes, and 50 to 62 bytes more for each distinct state; while it grows, up to twice that. Errors:
   ARGUMENT, MEMORY. */
SPN_API spn_status spn_samples_create(spn_samples **out, size_t sites, spn_error *err);

/* Add a state that was found `count` times more (0: it was made otherwise). A state that is there
   already keeps the energy that it came with first. The set is as it was after an error. O(N)
   expected. Errors: ARGUMENT (a spin that is not -1 or +1, an energy that is NaN, more states than
   the set can count), MEMORY. */
SPN_API spn_status spn_samples_add(spn_samples *samples, const int8_t *spins, double energy,
                                   uint64_t count, spn_error *err);

/* Put the states in the order of their energies; those of equal energy stay in the order in which
   they were first added. To be done after the last addition: until then the states are in the order
   of their first addition. O(D log D) for D distinct states. */
SPN_API void spn_samples_sort(spn_samples *samples);

/* Compute the energy of each state anew, before the set is sorted. Errors: ENERGY (one is not that
   of its state, beyond rounding and what the energy's header states), MEMORY. O(D) energies. */
SPN_API spn_status spn_samples_recompute(spn_samples *samples, const spn_energy *energy,
                                         spn_error *err);

/* The number of distinct states, and the sum of all counts. */
SPN_API size_t spn_samples_distinct(const spn_samples *samples);
SPN_API uint64_t spn_samples_total(const spn_samples *samples);

/* A distinct state. */
typedef struct spn_found_state {
    double energy;
    uint64_t count; /* how often it was found */
    uint64_t first; /* number, from 0, of the addition that brought it */
} spn_found_state;

/* Distinct state k, below spn_samples_distinct; and its spins, N of them, into out. O(1), O(N). */
SPN_API spn_found_state spn_samples_at(const spn_samples *samples, size_t k);
SPN_API void spn_samples_spins(const spn_samples *samples, size_t k, int8_t *out);

static inline double spn_samples_energy(const spn_samples *samples, size_t k)
{
    return spn_samples_at(samples, k).energy;
}
static inline uint64_t spn_samples_count(const spn_samples *samples, size_t k)
{
    return spn_samples_at(samples, k).count;
}
static inline uint64_t spn_samples_first(const spn_samples *samples, size_t k)
{
    return spn_samples_at(samples, k).first;
}

/* The p-quantile of the energies, p from 0 to 1, each as often as it was found: the lowest energy
   that at least a share p of the total is at or below (numpy's inverted_cdf), so that it is always
   one that was found. NaN for an empty set, and for p outside of 0 to 1. The set must be sorted.
   O(D). */
SPN_API double spn_samples_quantile(const spn_samples *samples, double p);

/* Accepts NULL. */
SPN_API void spn_samples_free(spn_samples *samples);

/* The set of count states: row k, `sites` values of -1 or +1, is at rows + k * sites and has energy
   energies[k]. Sorted. Errors: as spn_samples_add. O(count N) expected, and a sort. */
static inline spn_status spn_samples_of(spn_samples **out, size_t sites, size_t count,
                                        const int8_t *rows, const double *energies, spn_error *err)
{
    spn_status status = spn_samples_create(out, sites, err);
    for (size_t k = 0; k < count && !status; k++)
        status = spn_samples_add(*out, rows + k * sites, energies[k], 1, err);
    if (status) {
        spn_samples_free(*out);
        *out = NULL;
        return status;
    }
    spn_samples_sort(*out);
    return SPN_OK;
}

SPN_END_C
#endif
