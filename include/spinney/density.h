/* Dense regions: how many minima lie near each minimum, and landscapes with a dense region and
   isolated minima planted by a linear code. All distances are Hamming distances. */
#ifndef SPINNEY_DENSITY_H
#define SPINNEY_DENSITY_H

#include <spinney/exact.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SPN_DENSITY_MINIMA = 1 << 16 };

/* The neighbourhoods of the minima of a landscape. */
typedef struct spn_density {
    size_t sites;      /* N */
    size_t count;      /* number of minima */
    uint32_t *within;  /* within[j (N+1) + R]: minima at distance <= R from minimum j, itself
                          included */
    uint32_t *nearest; /* distance of minimum j to the nearest other one; N+1 where there is none */
} spn_density;

/* Count, for at most SPN_DENSITY_MINIMA minima. O(count^2), memory 4 count (N+1) bytes.
   Errors: ARGUMENT (too many minima), MEMORY. */
SPN_API spn_status spn_density_create(spn_density **out, const spn_landscape *landscape,
                                      spn_error *err);

/* Accepts NULL. */
SPN_API void spn_density_free(spn_density *density);

/* Minima whose closed ball of radius R holds exactly k, and at least k, minima ((R,k)-dense).
   R above N counts as N. Either output may be NULL. O(count). */
SPN_API void spn_density_balls(const spn_density *density, size_t radius, size_t k,
                               size_t *out_exactly, size_t *out_at_least);

/* Whether minimum j is R-isolated: the only one in its closed ball of radius R. O(1). */
SPN_API bool spn_density_isolated(const spn_density *density, size_t j, size_t radius);

/* The bound of Proposition 3.5, corrected, on the weight of D^y over that of all other zero-energy
   states, as a logarithm: -ln 2 + y log A - log B - y r log cosh(gamma y), where D is a ball of
   radius r that holds A of the B minima, and all others are isolated. */
SPN_API double spn_dense_log_bound(double minima_in_ball, double minima, size_t replicas,
                                   double gamma, size_t radius);

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

#ifdef __cplusplus
}
#endif
#endif
