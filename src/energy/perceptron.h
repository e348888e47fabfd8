/* What the perceptron energies of patterns of +1 and -1 share.

   A pattern's stability x = label * <W, pattern> changes by +-2 in a flip, and has the parity of N.
   It is right from the least such integer T on with T/sqrt(N) >= kappa (> kappa if ties are
   wrong), so what counts is the integer c = (x - T)/2: the pattern is right iff c >= 0, and -c
   flips put it right otherwise. For `symmetric`, T = -B and the pattern is right iff 0 <= c <= B, B
   being the largest of those integers with B/sqrt(N) <= kappa. The counters c of 64 patterns are
   kept bit-sliced, plane b holding bit b of each in two's complement, so that a flip adds +-1 to 64
   counters at once and the energy's change is a few population counts. */
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
    int64_t least;   /* T: the least stability that is right */
    int64_t highest; /* c of the largest that is right; INT64_MAX: there is none, and no window */
    size_t patterns;
    size_t words;      /* 64 patterns each */
    size_t masks;      /* before the planes of a cache: 2, or 4 with a window */
    size_t planes;     /* bits of a counter */
    uint64_t *columns; /* site i at i * words: bit mu set iff label * pattern_i = +1 */
    uint64_t *valid;   /* bit mu set iff there is a pattern mu */
} spn_perceptron;

/* A replica's cache, followed by `words` each of gain, cost, and each plane. gain marks the
   patterns whose share of the count falls by one when c rises, cost those for which it rises when c
   falls. With a window two masks more follow cost, of its upper end: where the share falls when c
   falls (c = highest + 1), and where it rises when c rises (c = highest). */
typedef struct spn_perceptron_cache {
    int64_t count; /* the energy, or for the product rule the number of wrong patterns */
    uint64_t data[];
} spn_perceptron_cache;

/* The operations worth a version per instruction set. */
typedef struct spn_perceptron_kernels {
    /* Change of the count in a flip of site, whose spin is `spin` before the flip. */
    int64_t (*change)(const spn_perceptron *self, const spn_perceptron_cache *cache, size_t site,
                      int spin);
    /* Make that flip. */
    void (*flip)(const spn_perceptron *self, spn_perceptron_cache *cache, size_t site, int spin);
    /* The chain's loop with both inlined, of the rules whose energy is the count. */
    size_t (*loop)(struct spn_chain *chain, size_t count);
} spn_perceptron_kernels;

extern const spn_perceptron_kernels spn_perceptron_portable, spn_perceptron_avx2,
    spn_perceptron_avx512;
/* With a window. */
extern const spn_perceptron_kernels spn_window_portable, spn_window_avx2, spn_window_avx512;

/* What is asked of a stability. */
typedef struct spn_perceptron_demand {
    const char *name;
    spn_perceptron_rule rule;
    double kappa;
    bool ties_wrong; /* x/sqrt(N) = kappa is wrong */
    bool window;     /* |x|/sqrt(N) <= kappa, in place of x/sqrt(N) >= kappa */
} spn_perceptron_demand;

/* errors, product and symmetric of patterns with real values. Errors: ARGUMENT (`bits`, which
   counts flips that are worth the same in all patterns; kappa beyond sqrt(N)), MEMORY. */
spn_status spn_valued_create(spn_energy **out, const spn_problem *problem,
                             const spn_perceptron_demand *demand, spn_error *err);

#endif
