/* Dense regions: how many minima lie near each minimum, and landscapes with a dense region and
   isolated minima planted by a linear code. All distances are Hamming distances. */
#ifndef SPINNEY_DENSITY_H
#define SPINNEY_DENSITY_H

#include <math.h>
#include <spinney/exact.h>
#include <spinney/sampler.h>

SPN_BEGIN_C

enum { SPN_DENSITY_MINIMA = 1 << 16 };

/* The neighbourhoods of the minima of a landscape. */
typedef struct spn_density {
    size_t sites;      /* N */
    size_t count;      /* number of minima */
    uint32_t *within;  /* within[j (N+1) + R]: minima at distance <= R from minimum j, itself
                          included */
    uint32_t *nearest; /* distance of minimum j to the nearest other one; N+1 if there is none */
} spn_density;

/* Count, for at most SPN_DENSITY_MINIMA minima. O(count^2), memory 4 count (N+1) bytes.
   Errors: ARGUMENT (too many minima), MEMORY. */
SPN_API spn_status spn_density_create(spn_density **out, const spn_landscape *landscape,
                                      spn_error *err);

/* Accepts NULL. */
static inline void spn_density_free(spn_density *density)
{
    spn_free(density);
}

/* Minima whose closed ball of radius R holds exactly k, and at least k, minima ((R,k)-dense).
   R above N counts as N. Either output may be NULL. O(count). */
SPN_API void spn_density_balls(const spn_density *density, size_t radius, size_t k,
                               size_t *out_exactly, size_t *out_at_least);

/* Whether minimum j is R-isolated: the only one in its closed ball of radius R. O(1). */
static inline bool spn_density_isolated(const spn_density *density, size_t j, size_t radius)
{
    return density->nearest[j] > radius;
}

/* The bound of Proposition 3.5, corrected, on the weight of D^y over that of all other zero-energy
   states, as a logarithm: -ln 2 + y log A - log B - y r log cosh(gamma y), where D is a ball of
   radius r that holds A of the B minima, and all others are isolated. */
static inline double spn_dense_log_bound(double minima_in_ball, double minima, size_t replicas,
                                         double gamma, size_t radius)
{
    const double y = (double)replicas;
    return -log(2.0) + y * log(minima_in_ball) - log(minima) -
           y * (double)radius * spn_log_cosh(gamma * y);
}

/* A set D of states of a landscape, which may be dense in minima. Read it freely. */
typedef struct spn_dense_set {
    uint32_t *states;
    size_t count;
    bool is_ball;    /* all states within radius of center */
    uint32_t center; /* of a ball, like */
    size_t radius;
    size_t minima; /* A: how many of the minima lie in it */
    size_t apart; /* least distance of a minimum outside D to any other minimum; N+1: there is none;
                     0: not computed, of more than 2^14 minima */
} spn_dense_set;

/* The ball around a state. O(2^N + minima^2). Errors: ARGUMENT (center or radius out of range),
   MEMORY. */
SPN_API spn_status spn_dense_set_ball(spn_dense_set **out, const spn_landscape *landscape,
                                      size_t center, size_t radius, spn_error *err);

/* The states given, which are copied. Errors: ARGUMENT (out of range, or named twice), MEMORY. */
SPN_API spn_status spn_dense_set_states(spn_dense_set **out, const spn_landscape *landscape,
                                        const uint32_t *states, size_t count, spn_error *err);

/* Accepts NULL. */
static inline void spn_dense_set_free(spn_dense_set *set)
{
    spn_free(set);
}

/* The bound of Proposition 3.5 on Qbar_inf(D^y), if its proof applies: D a ball, the other
   minima isolated, and gamma so large that replicas at different minima outside weigh less than
   aligned ones, apart B' >= y log B. NAN elsewhere. O(1). */
SPN_API double spn_dense_set_bound(const spn_dense_set *set, const spn_landscape *landscape,
                                   size_t replicas, double gamma);

/* The gamma at which Qbar(D^y) is largest: the best of `count` values, then by golden section to
   1e-6 between its neighbours among them, if it has two; of two values, between them. beta may be
   INFINITY. *refined (may be NULL): whether it is none of the values. Time: count + about 30 times
   spn_dense_mass. Errors: ARGUMENT (no value, or one below 0 or not finite), MEMORY. */
SPN_API spn_status spn_dense_set_best_gamma(double *gamma, double *mass, bool *refined,
                                            const spn_dense_set *set,
                                            const spn_landscape *landscape, size_t replicas,
                                            double beta, const double *gammas, size_t count,
                                            spn_error *err);

/* A planted landscape: the minima are the codewords of a binary linear code and the whole ball of
   radius r around codeword 0 (all spins -1), the dense set; E(sigma) is the distance to the nearest
   minimum. */
typedef struct spn_planted {
    size_t sites;     /* N, the length of the code */
    size_t states;    /* 2^N */
    size_t dimension; /* number of generators */
    size_t radius;
    uint32_t *codewords; /* 2^dimension states, ascending */
    size_t codeword_count;
    uint32_t *ball; /* the dense set, ascending */
    size_t ball_count;
    uint32_t *minima; /* codewords and ball, each state once, ascending */
    size_t minima_count;
    double *energy; /* E of the 2^N states */
} spn_planted;

/* Make one from `count` generators: texts of '0' and '1', all of length N (1 to SPN_EXACT_SITES),
   the first character the first spin, '1' for +1. O(N 2^N), memory 13 * 2^N bytes.
   Errors: ARGUMENT (a row of another length or with another character; a row that is a sum of
   earlier ones, by its number from 1; radius above N), MEMORY. */
SPN_API spn_status spn_planted_create(spn_planted **out, const char *const *generators,
                                      size_t count, size_t radius, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_planted_free(spn_planted *planted);

SPN_END_C
#endif
