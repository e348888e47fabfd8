/* What the energies of patterns of +1 and -1, perceptrons and committees of them, share.

   A pattern's stability x = label * <W, pattern> changes by +-2 in a flip, and has the parity of N.
   It is right from the least such integer T on with T/sqrt(N) >= kappa (> kappa if ties are
   wrong), so what counts is the integer c = (x - T)/2: the pattern is right iff c >= 0, and -c
   flips put it right otherwise. For `symmetric`, T = -B and the pattern is right iff 0 <= c <= B, B
   being the largest of those integers with B/sqrt(N) <= kappa. The counters c of 64 patterns are
   kept bit-sliced, plane b holding bit b of each in two's complement, so that a flip adds +-1 to 64
   counters at once and the energy's change is a few population counts.

   A committee has K hidden perceptrons, K odd, whose signs vote. Fully connected, each sees all n
   inputs and unit j has the spins j n .. (j+1) n - 1; in a tree each sees its own n/K inputs, and
   the spins are in the order of the inputs. Both layers count the same way: a unit is right iff its
   c >= 0, T being 0 or 1, and a pattern iff v = (units that are right) - (K+1)/2 >= 0. A flip moves
   c of one unit by one, and v only of patterns for which c was -1 and rises, or was 0 and falls. */
#ifndef SPN_ENERGY_PERCEPTRON_H
#define SPN_ENERGY_PERCEPTRON_H

#include "core/energy.h"
#include "energy/create.h"

/* With c that of a pattern, or v in its place. */
typedef enum spn_perceptron_rule {
    SPN_RULE_ERRORS,  /* patterns with c < 0 */
    SPN_RULE_PRODUCT, /* 1 if there are any, else 0 */
    SPN_RULE_BITS     /* sum of -c over them */
} spn_perceptron_rule;

/* The variant of a kind is its rule and some of these. */
enum {
    SPN_RULE = 3,       /* the bits of the rule */
    SPN_TIES_WRONG = 4, /* x/sqrt(N) = kappa is wrong */
    SPN_WINDOW = 8      /* |x|/sqrt(N) <= kappa, in place of x/sqrt(N) >= kappa */
};

typedef struct spn_perceptron {
    spn_energy base;
    spn_energy_slots slots; /* the name and the instruction set differ from one to the next */
    spn_perceptron_rule rule;
    int64_t least;   /* T: the least stability that is right */
    int64_t highest; /* c of the largest that is right; INT64_MAX: there is none, and no window */
    size_t patterns;
    size_t words;       /* 64 patterns each */
    size_t masks;       /* before the planes of a cache: 2, or 4 with a window */
    size_t planes;      /* bits of c */
    size_t vote_planes; /* bits of v; 0: this is no committee */
    size_t units;       /* K, or 1 */
    size_t inputs;      /* of a unit */
    bool tree;
    uint64_t *columns; /* input i at i * words: bit mu set iff label * pattern_i = +1 */
    uint64_t *valid;   /* bit mu set iff there is a pattern mu */
} spn_perceptron;

/* A replica's cache, followed by `words` each of gain, cost, and each plane. gain marks the
   patterns whose share of the count falls by one when c rises, cost those for which it rises when c
   falls. With a window two masks more follow cost, of its upper end: where the share falls when c
   falls (c = highest + 1), and where it rises when c rises (c = highest).

   In a committee the planes are those of v, and of each unit follow
     last   where its c is -1, so that a rise makes it right,
     first  where its c is 0, so that a fall makes it wrong,
     each plane of c. */
typedef struct spn_perceptron_cache {
    int64_t count; /* the energy, or for the product rule the number of wrong patterns */
    uint64_t data[];
} spn_perceptron_cache;

/* Where the words of a unit of a committee start in the cache. */
static inline size_t spn_committee_unit(const spn_perceptron *self, size_t unit)
{
    return (2 + self->vote_planes + unit * (2 + self->planes)) * self->words;
}

/* The bits of what a spin multiplies. */
static inline const uint64_t *spn_perceptron_column(const spn_perceptron *self, size_t site)
{
    return self->columns + (self->tree ? site : site % self->inputs) * self->words;
}

static inline double spn_perceptron_value(const spn_perceptron *self, int64_t count)
{
    return self->rule == SPN_RULE_PRODUCT ? count > 0 : (double)count;
}

/* The slots worth a version per instruction set: delta, commit and, for perceptrons whose energy is
   the count, loop. */
extern const spn_energy_slots spn_perceptron_portable, spn_perceptron_avx2, spn_perceptron_avx512;
extern const spn_energy_slots spn_window_portable, spn_window_avx2, spn_window_avx512;
extern const spn_energy_slots spn_committee_portable, spn_committee_avx2, spn_committee_avx512;

/* errors, product and symmetric of patterns with real values. Errors: ARGUMENT (`bits`, which
   counts flips that are worth the same in all patterns; kappa beyond sqrt(N)), MEMORY. */
spn_status spn_valued_create(spn_energy **out, const spn_energy_kind *kind,
                             const spn_problem *problem, double kappa, spn_error *err);

#endif
