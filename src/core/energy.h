/* What every energy of the library starts with, and the slots that the chain calls. */
#ifndef SPN_CORE_ENERGY_H
#define SPN_CORE_ENERGY_H

#include "core/archive.h"
#include <math.h>
#include <spinney/energy.h>
#include <spinney/random.h>

struct spn_chain;

/* E/unit = offset + sum h_i s_i + sum J_ij s_i s_j in integers, each coupling at both ends: those
   at i are first[i] .. first[i+1]-1. Or only which sites are coupled, by more than 0. */
typedef struct spn_sparse_terms {
    size_t sites;
    double unit, constant; /* constant is added to E last, and below 2^50 units */
    int32_t *field;
    uint32_t *first;
    uint32_t *site; /* at the other end */
    int32_t *coupling;
    double offset, *exact_field, *exact_coupling; /* the same for integers of any size */
} spn_sparse_terms;

void spn_sparse_terms_clear(spn_sparse_terms *terms);

/* The cluster of a site where two states differ: all such sites that couplings connect with it
   through such sites. They are listed in `cluster`, which has room for N + 1, and are 0 in `a`
   afterwards. Returns their number. */
size_t spn_cluster_grow(uint32_t *cluster, const spn_sparse_terms *graph, int8_t *a,
                        const int8_t *b, uint32_t seed);

/* The largest integer that divides all fields and couplings; 1 if all are 0. */
int64_t spn_sparse_terms_divisor(const spn_sparse_terms *terms);

/* Groups of spins that the energy knows by their sums alone: row r has `groups` groups of `copies`
   spins, side by side, and then the rest of the row, one group. */
typedef struct spn_level_groups {
    size_t row, groups, copies; /* spins of a row */
    /* With `most` the largest effect of a flip of each site of a row: moves are those for which the
       sum over their groups of |change|/2 times most is at most the limit. */
    const double *most;
    double limit;
    /* Of each group, `partners` others (0: none known) with a similar effect, as their number + 1,
       negative if it is the opposite one. */
    const int32_t *partner;
    size_t partners;
} spn_level_groups;

/* Spins of one or two groups of a row flip: the sum of the group of site[c] changes. */
typedef struct spn_level_move {
    size_t count;
    size_t site[2]; /* any of the group */
    int change[2];  /* even; not 0 */
} spn_level_move;

/* Slots of an energy, as in spn_energy_ops, but with the energy itself as argument. */
typedef struct spn_energy_slots {
    const char *name;
    double (*energy)(const spn_energy *self, const int8_t *spins);
    double (*attach)(const spn_energy *self, void *cache, const int8_t *spins);
    double (*delta)(const spn_energy *self, void *cache, const int8_t *spins, size_t site);
    double (*commit)(const spn_energy *self, void *cache, const int8_t *spins, size_t site);
    void (*destroy)(spn_energy *self);
    double (*refresh)(const spn_energy *self, void *cache, const int8_t *spins);
    /* With refresh: visit what a cache has besides the spins, so that a chain can be saved at
       every step. For reading, the cache is attached before. False: the bytes are no cache. NULL:
       a chain can be saved only just after a refresh. */
    bool (*visit)(const spn_energy *self, void *cache, spn_archive *archive);
    /* NULL, unless delta and commit cost less than a call and are inlined into the chain's loop
       (chain/loop.h). */
    size_t (*loop)(struct spn_chain *chain, size_t count);
    /* Why values are not numbers, if not because of the spins; NULL, also as an answer: no reason.
     */
    const char *(*failure)(const spn_energy *self);
    /* The loop takes so many steps in about the time of one, as those of many chains go elsewhere
       together; 0: it does not. */
    size_t together;
    /* NULL, or all three: which groups there are (false: none); the change by a move, whichever
       spins of the groups it flips; and the update after it. */
    bool (*levels)(const spn_energy *self, spn_level_groups *out);
    double (*level_delta)(const spn_energy *self, void *cache, const spn_level_move *move);
    double (*level_commit)(const spn_energy *self, void *cache, const int8_t *spins,
                           const spn_level_move *move);
    /* NULL, except for quadratic energies: fill *out, whose arrays the caller clears; false
       without memory, or if the constant is too large. O(N + couplings). */
    bool (*terms)(const spn_energy *self, spn_sparse_terms *out);
    /* The same for couplings of any size, but only which sites are coupled. */
    bool (*graph)(const spn_energy *self, spn_sparse_terms *out);
    /* The same, and the exact terms; `offset` is also counted in units. */
    bool (*exact_terms)(const spn_energy *self, spn_sparse_terms *out);
} spn_energy_slots;

/* The first member of every energy of the library. */
struct spn_energy {
    const spn_energy_slots *slots;
    size_t sites;      /* N, 1 to 2^32-1 */
    size_t cache_size; /* bytes per replica */
    bool integral;     /* every value is an integer below 2^53, and so exact */
    bool is_foreign;   /* delta is a user's: it is compared with commit and energy */
    double accuracy;   /* most that an energy kept from flip to flip is off, besides rounding */
    void *held;        /* what must outlive the energy, such as the code of its functions; */
    void (*release)(void *held); /* NULL: nothing */
    size_t zeroed;               /* terms that are not 0 but count as 0, being too small */
};

static inline bool spn_is_spin(int value)
{
    return value == 1 || value == -1;
}

static inline bool spn_are_spins(const int8_t *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!spn_is_spin(values[k]))
            return false;
    return true;
}

/* States of energy +infinity are forbidden: no chain enters them. Leave one by flips of random
   sites; *value: the energy then, still infinite if none was found in 128 N + 1024 flips. */
void spn_energy_leave_infinity(double *value, const spn_energy *energy, int8_t *spins,
                               spn_random *random);

/* Slots of an energy, with slow defaults for missing ones. */
spn_energy_slots spn_energy_resolve(const spn_energy *energy);

/* Whether `value`, kept from flip to flip, is the energy of spins computed anew: to 1e-9 of it or
   of `scale`, the largest energy met, or to the energy's accuracy. fresh: what was computed; may be
   NULL. Errors: ENERGY, with both numbers and the step. */
spn_status spn_energy_check(double *fresh, const spn_energy *energy, const int8_t *spins,
                            double value, double scale, uint64_t step, spn_error *err);

/* Whether two numbers that should be the same energy, or change of it, are, to 1e-9 of `scale`. */
static inline bool spn_energy_agrees(double a, double b, double scale)
{
    return a == b || (fabs(a) < INFINITY && fabs(b) < INFINITY && fabs(a - b) <= 1e-9 * scale);
}

/* Whether `delta` foretells the flip of a site. Errors: ENERGY, with both numbers and the step. */
spn_status spn_energy_check_change(const spn_energy *energy, void *cache, int8_t *spins,
                                   size_t site, double scale, uint64_t step, spn_error *err);

/* What delta said of a flip, and what it was by another function, `by`. Returns ENERGY. */
spn_status spn_energy_refuse_change(const spn_energy *energy, size_t site, double said,
                                    const char *by, double was, uint64_t step, spn_error *err);

#endif
