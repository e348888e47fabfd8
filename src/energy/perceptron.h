/* What the four perceptron energies share.

   A pattern's stability x = label * <W, pattern> changes by +-2 in a flip, so what counts is the
   integer c = floor(x/2), less one where ties (x = 0) count as wrong: the pattern is right iff c >=
   0, and -c flips put it right otherwise. The counters c of 64 patterns are kept bit-sliced, plane
   b holding bit b of each in two's complement, so that a flip adds +-1 to 64 counters at once and
   the energy's change is a few population counts. */
#ifndef SPN_ENERGY_PERCEPTRON_H
#define SPN_ENERGY_PERCEPTRON_H

#include "core/energy.h"
#include "energy/create.h"

typedef enum spn_perceptron_rule {
    SPN_RULE_ERRORS,  /* patterns with c < 0 */
    SPN_RULE_PRODUCT, /* 1 if there are any, else 0 */
    SPN_RULE_BITS     /* sum of -c over them */
} spn_perceptron_rule;

typedef struct spn_perceptron {
    spn_energy base;
    spn_energy_slots slots; /* the name and the kernels differ from one to the next */
    spn_perceptron_rule rule;
    bool ties_wrong;
    size_t patterns;
    size_t words;      /* 64 patterns each */
    size_t planes;     /* bits of a counter */
    uint64_t *columns; /* site i at i * words: bit mu set iff label * pattern_i = +1 */
    uint64_t *valid;   /* bit mu set iff there is a pattern mu */
} spn_perceptron;

/* A replica's cache, followed by `words` each of gain, cost, and each plane. gain marks the
   patterns whose share of the count falls by one when c rises, cost those for which it rises when c
   falls. */
typedef struct spn_perceptron_cache {
    int64_t count; /* the energy, or for the product rule the number of wrong patterns */
    uint64_t data[];
} spn_perceptron_cache;

/* The two operations worth a version per instruction set. */
typedef struct spn_perceptron_kernels {
    /* Change of the count in a flip of site, whose spin is `spin` before the flip. */
    int64_t (*change)(const spn_perceptron *self, const spn_perceptron_cache *cache, size_t site,
                      int spin);
    /* Make that flip. */
    void (*flip)(const spn_perceptron *self, spn_perceptron_cache *cache, size_t site, int spin);
} spn_perceptron_kernels;

extern const spn_perceptron_kernels spn_perceptron_portable, spn_perceptron_avx2;

spn_status spn_perceptron_create(spn_energy **out, const spn_problem *problem, const char *name,
                                 spn_perceptron_rule rule, bool ties_wrong, spn_error *err);

#endif
