/* Exact laws at small N: an energy enumerated over its 2^N states, and the measures of replicated
   annealing computed from it without sampling.

   Conventions. y replicas sigma^a, each in {-1,+1}^N; U is the sum of their energies; s_i the sum
   of the y spins at site i; H_gamma = sum_i log cosh(gamma s_i). A state has the index k whose bit
   i is set iff sigma_i = +1 (the first spin is the lowest bit). A replicated state has the index K
   = sum_a k_a 2^(N (a-1)), a = 1..y. Results are the same bit for bit at any number of threads. */
#ifndef SPINNEY_EXACT_H
#define SPINNEY_EXACT_H

#include <spinney/chain.h>

SPN_BEGIN_C

enum {
    SPN_EXACT_SITES = 24, /* largest N that is enumerated: 2^24 states */
    SPN_EXACT_BITS = 22   /* largest N y of what needs every replicated state */
};

/* An energy over all its states. Read it freely. */
typedef struct spn_landscape {
    size_t sites;     /* N */
    size_t states;    /* 2^N */
    double *energy;   /* E of every state, as the energy gives it: the minimum is not subtracted */
    double minimum;   /* E_min */
    double maximum;   /* E_max */
    double tolerance; /* energies this close are equal: 0 if all are integers, else 1e-11 max |E| */
    double step;      /* B: the least nonzero E - E_min; 0 if E is constant */
    size_t minima_count;
    uint32_t *minima; /* the states of energy E_min, ascending */
    unsigned threads; /* for everything computed from it; 0: all cores. Without OpenMP,
                         one. May be changed; no result depends on it */
} spn_landscape;

/* Enumerate an energy of at most SPN_EXACT_SITES sites along a Gray code, by `commit`. threads:
   0 for all cores.
   Errors: ARGUMENT (N too large), ENERGY (a value that is NaN or infinite), MEMORY.
   Time: 2^N commits, on all threads. Memory: 8 * 2^N bytes (128 MiB at N = 24). */
SPN_API spn_status spn_landscape_create(spn_landscape **out, const spn_energy *energy,
                                        unsigned threads, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_landscape_free(spn_landscape *landscape);

/* Whether a state is a minimum. O(1). */
static inline bool spn_landscape_is_minimum(const spn_landscape *landscape, size_t state)
{
    return landscape->energy[state] - landscape->minimum <= landscape->tolerance;
}

/* How a law is computed. */
typedef enum spn_law_method {
    SPN_LAW_AUTO,      /* ENUMERATE up to N max(y, 2) = 16, TRANSFORM beyond */
    SPN_LAW_ENUMERATE, /* a sum over every replicated state: N max(y, 2) <= SPN_EXACT_BITS */
    SPN_LAW_TRANSFORM  /* N butterflies of 2x2 matrices: O(N 2^N), any y, N <= SPN_EXACT_SITES */
} spn_law_method;

/* The name of a method ("auto", "enumerate", "transform"), NULL past the last, and back. Errors:
   ARGUMENT, with the nearest name. */
SPN_NAMES(spn_law_method)

/* The measures at (beta, gamma, y):
     Phi(sigma) = log sum_tau exp(-beta E(tau) + gamma <sigma, tau>),  P = exp(y Phi)/Z,
     Qbar = exp(-beta U + H_gamma)/Z' on the replicas,  Z = 2^N Z'.
   At beta = infinity they are the limits, Qbar_inf = mu0(. | every replica at a minimum), and Phi,
   Z and Z' are those of E - E_min. */
typedef struct spn_law {
    size_t sites, replicas;
    double beta, gamma;
    double *phi;            /* 2^N values of Phi */
    double *centre;         /* 2^N values of P */
    double *marginal;       /* 2^N values of the law of one replica */
    double log_z;           /* log Z */
    double log_z_marginal;  /* log Z' */
    double log_gamma;       /* log Gamma = y N log(2 cosh gamma), the norm of e^H */
    double mean_energy;     /* E[U] */
    double overlap;         /* E <sigma^a, sigma^b>/N, a != b; 1 for y = 1 */
    double prob_minimum;    /* Pr(every replica at a minimum); Pr(U=0) if E_min = 0 */
    double max_probability; /* max Qbar, taken where all replicas share one minimum */
    double aligned_minimum; /* Qbar(all replicas share one minimum): 1 as beta, gamma -> infinity */
    double entropy;         /* of Qbar, in nats */
    double centre_entropy;  /* of P, in nats */
} spn_law;

/* Compute a law. beta: 0 to INFINITY, infinity included. gamma: finite, >= 0. y: 1 to 255. Nothing
   overflows at large beta or gamma: the sums are scaled, and taken as logarithms if gamma N >
   300. Errors: ARGUMENT, MEMORY. Time of TRANSFORM: O((N + y) 2^N), seconds at N = 20; memory 32 *
   2^N bytes. ENUMERATE: O(N y 2^(N y) + 4^N), memory 16 * 2^(N y). */
SPN_API spn_status spn_law_create(spn_law **out, const spn_landscape *landscape, size_t replicas,
                                  double beta, double gamma, spn_law_method method, spn_error *err);

/* Accepts NULL. */
static inline void spn_law_free(spn_law *law)
{
    spn_free(law);
}

/* The probability under Qbar that all replicas lie in D, a set of `count` different states.
   beta and gamma may each be INFINITY. At gamma = infinity the replicas are aligned, and with
   beta = infinity too it is the share A/B of the minima that lie in D.
   By the transform, O(N 2^N); memory 16 * 2^N bytes. Errors: ARGUMENT (also a state out of range or
   named twice), MEMORY. */
SPN_API spn_status spn_dense_mass(double *out, const spn_landscape *landscape, size_t replicas,
                                  double beta, double gamma, const uint32_t *states, size_t count,
                                  spn_error *err);

/* The probability of D under the law of one replica: the sum of law->marginal over D, states below
   2^N. O(count). */
static inline double spn_law_mass(const spn_law *law, const uint32_t *states, size_t count)
{
    double total = 0;
    for (size_t j = 0; j < count; j++)
        total += law->marginal[states[j]];
    return total;
}

/* The constants of the paper's section 3 (corrected), E_min subtracted. */
typedef struct spn_constants {
    double B;          /* least nonzero E - E_min */
    double B_prime;    /* log cosh(gamma y) - log cosh(gamma (y-2)): between 2 gamma - ln 2 and
                          2 gamma for y >= 2 */
    double log_gamma;  /* log Gamma */
    double mu0_minima; /* p0 = mu0(N_0), N_0 the states with every replica at a minimum */
    double kappa1;     /* max{ max_{N_0} mu0 (1-p0)/p0^2, max_{outside} mu0/p0 } */
    double log_kappa1; /* for a kappa1 that overflows */
    double log_kappa2; /* kappa2 = max(2^(N y) - J, J)/J^2, J the number of minima */
    double log_kappa2_bound; /* log of the bound kappa2 (e^(-beta B) + e^(-B')) on
                          sup|Qbar_(beta,gamma) - Qbar_(beta',gamma')|, beta' >= beta,
                          gamma' >= gamma */
} spn_constants;

/* The constants at (beta, gamma, y); by the transform, O(N 2^N). Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_constants_compute_sized(spn_constants *out, size_t size,
                                               const spn_landscape *landscape, size_t replicas,
                                               double beta, double gamma, spn_error *err);
static inline spn_status spn_constants_compute(spn_constants *out, const spn_landscape *landscape,
                                               size_t replicas, double beta, double gamma,
                                               spn_error *err)
{
    return spn_constants_compute_sized(out, sizeof *out, landscape, replicas, beta, gamma, err);
}

SPN_END_C
#endif
