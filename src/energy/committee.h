/* Committee machines: K hidden perceptrons, K odd, whose signs vote. Fully connected, each sees all
   n inputs and unit j has the spins j n .. (j+1) n - 1; in a tree each sees its own n/K inputs, and
   the spins are in the order of the inputs. The output weights are all +1.

   A unit's stability x = label * <W_j, its inputs> is that of a perceptron, and the unit is right
   iff x >= 0; a pattern is right if more than half of the units are. So both layers count the
   same way (energy/perceptron.h): a unit is right iff its c = (x - T)/2 >= 0, T being 0 or 1 by
   parity, and a pattern is right iff v = (units that are right) - (K+1)/2 >= 0. Both are kept
   bit-sliced for 64 patterns at once. A flip moves c of one unit by one, and v only of patterns for
   which c was -1 and rises, or was 0 and falls. */
#ifndef SPN_ENERGY_COMMITTEE_H
#define SPN_ENERGY_COMMITTEE_H

#include "core/energy.h"
#include "energy/create.h"

typedef enum spn_committee_rule {
    SPN_COMMITTEE_ERRORS, /* patterns with v < 0 */
    SPN_COMMITTEE_UNITS   /* sum of -v over them */
} spn_committee_rule;

typedef struct spn_committee {
    spn_energy base;
    spn_energy_slots slots; /* the name and the kernels differ from one to the next */
    spn_committee_rule rule;
    bool tree;
    size_t units;  /* K */
    size_t inputs; /* of a unit */
    size_t patterns;
    size_t words;       /* 64 patterns each */
    size_t planes;      /* bits of c */
    size_t vote_planes; /* bits of v */
    uint64_t *columns;  /* input i at i * words: bit mu set iff label * pattern_i = +1 */
    uint64_t *valid;    /* bit mu set iff there is a pattern mu */
} spn_committee;

/* A replica's cache, followed by `words` words of each of
     gain   patterns whose share of the energy falls by one when v rises,
     cost   those for which it rises by one when v falls,
     each plane of v;
   then for each unit
     last   where its c is -1, so that a rise makes it right,
     first  where its c is 0, so that a fall makes it wrong,
     each plane of c. */
typedef struct spn_committee_cache {
    int64_t energy;
    uint64_t data[];
} spn_committee_cache;

/* Where the words of a unit start in the cache. */
static inline size_t spn_committee_unit(const spn_committee *self, size_t unit)
{
    return (2 + self->vote_planes + unit * (2 + self->planes)) * self->words;
}

/* The bits of what a spin multiplies. */
static inline const uint64_t *spn_committee_column(const spn_committee *self, size_t site)
{
    return self->columns + (self->tree ? site : site % self->inputs) * self->words;
}

/* The operations worth a version per instruction set. */
typedef struct spn_committee_kernels {
    /* Change of the energy in a flip of site, whose spin is `spin` before the flip. */
    int64_t (*change)(const spn_committee *self, const spn_committee_cache *cache, size_t site,
                      int spin);
    /* Make that flip; the energy is left to the caller. */
    void (*flip)(const spn_committee *self, spn_committee_cache *cache, size_t site, int spin);
} spn_committee_kernels;

extern const spn_committee_kernels spn_committee_portable, spn_committee_avx2, spn_committee_avx512;

#endif
