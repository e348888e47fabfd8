/* The convergence theorems of the paper's section 3 as numbers: schedules cut into stages of
   constant beta and gamma, Theorem 1's slow schedule from computed constants, and what the theorems
   say of a schedule. Notation of docs/theory.md; everything here needs N y <= SPN_EXACT_BITS,
   unless it says otherwise. */
#ifndef SPINNEY_THEOREMS_H
#define SPINNEY_THEOREMS_H

#include <spinney/schedule.h>
#include <spinney/spectrum.h>

SPN_BEGIN_C

enum { SPN_STAGES_MOST = 100000 };

/* Schedules of beta and gamma as stages: beta[n].steps proposals at beta[n].value and gamma[n].
   Read it freely. */
typedef struct spn_stages {
    size_t count;
    spn_piece *beta;
    double *gamma;
    uint64_t steps;     /* of all stages */
    bool gamma_changes; /* then Theorem 2 speaks of it, else Theorem 1 */
} spn_stages;

/* Cut the first `steps` steps of two schedules wherever beta or gamma changes: pieces and constants
   keep their value, every other kind has stages of a single step. Any N y. O(stages).
   Errors: ARGUMENT (a schedule that spn_schedule_check refuses; scoping, which depends on what is
   accepted; more than SPN_STAGES_MOST stages), MEMORY. */
SPN_API spn_status spn_stages_create(spn_stages **out, const spn_schedule *beta,
                                     const spn_schedule *gamma, uint64_t steps, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_stages_free(spn_stages *stages);

/* A gamma that grows by `step` at each piece of beta, from `start`. Errors: ARGUMENT (beta is not
   in pieces; start or step negative or not finite), MEMORY. */
SPN_API spn_status spn_stages_gamma(spn_schedule **out, const spn_schedule *beta, double start,
                                    double step, spn_error *err);

/* Roughly how many elementary operations spn_annealing_converge takes for these stages, at N y =
   bits: one for each entry that a proposal reads, or the squarings of a small matrix. */
SPN_API double spn_stages_operations(const spn_stages *stages, size_t bits);

/* Compute the constants of Theorem 1's schedule that are NAN in *inout; you must give alpha and b.
   B and m are those of the landscape. log kappa is that of kappa1 at gamma, but at least 1, since a
   stage of no time already needs kappa >= 1. c is the least rate e^(beta m) over the stages, at
   most 33 of them spread evenly, with the rate 1 - max(lambda1, |lambda_min|). *converged (may be
   NULL): whether every gap that c is from has. Time: 33 gaps if c is computed. Errors: ARGUMENT
   (also if m or B is 0: then nothing needs to be slow), MEMORY. */
SPN_API spn_status spn_theorem1_complete(spn_theorem1 *inout, bool *converged,
                                         const spn_landscape *landscape, size_t replicas,
                                         spn_kernel kernel, double gamma, size_t stages,
                                         spn_error *err);

/* What Theorem 1 (gamma fixed) or Theorem 2 (gamma changes) says of an annealed chain. Read it
   freely. */
typedef struct spn_verdict {
    int theorem;    /* 1 or 2 */
    bool met;       /* its condition falls at every stage of the last half: margin > 0 */
    bool converged; /* every gap that c is from has */
    double m;       /* height of the landscape */
    double c, log_kappa;
    double margin; /* as of spn_condition_evaluate */
    size_t stages;
    double *condition; /* of each stage, as of spn_condition_evaluate */
    double *log_bound; /* log of the bound on epsilon_n by the recursion of the proof,
                          epsilon_n <= drift_n + kappa (1 - c e^-climb_n)^T_n epsilon_(n-1) from
                          epsilon_0 = 1; drift_n is kappa1 e^(-beta_n B), or the kappa2 bound of
                          Theorem 2; climb_n is beta_n m, or M_n */
} spn_verdict;

/* Judge it. c and log_kappa: known ones, or NAN to compute them as above; under Theorem 2 c is
   always computed, with e^(M_n) for e^(beta m). Time: 33 gaps if c is computed, O(N 2^N) for
   each stage, and under Theorem 2 a height of the replicated states for each. Errors: ARGUMENT,
   MEMORY. */
SPN_API spn_status spn_verdict_create(spn_verdict **out, const spn_landscape *landscape,
                                      const spn_annealing *annealing, double c, double log_kappa,
                                      spn_error *err);

/* Accepts NULL. */
static inline void spn_verdict_free(spn_verdict *verdict)
{
    spn_free(verdict);
}

enum { SPN_KAPPA3_BITS = 8 }; /* largest N y of what follows: it takes powers of the whole matrix */

/* How a chain contracts in a number of steps, exactly: the largest |nu S^steps| of measures nu of
   total mass 0 with |nu| <= 1, both by their largest value. That is the largest over x of sum_z
   |S^steps(z,x) - a|, a the median of that column. 1 for 0 steps; it may be above 1 for few. steps
   at least 1. O(8^(N y) log steps). Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_operator_contraction(double *out, const spn_operator *op, uint64_t steps,
                                            spn_error *err);

/* kappa3 of the proofs, and what follows with it. |nu S_n^T_n| <= kappa3 (1 - c e^-climb_n)^T_n
   |nu| for measures of mass 0 at every stage n; kappa3 is the least number with which that holds.
   Read it freely. */
typedef struct spn_kappa3 {
    double log_kappa3; /* at least 0; infinite if c is above the rate of a stage */
    bool met;      /* the theorem's condition falls at each stage of the last half: margin > 0 */
    double margin; /* as of spn_condition_evaluate */
    size_t stages;
    double *condition; /* of each stage, as of spn_condition_evaluate */
    double *
        log_bound; /* log of a proven bound on epsilon_n: epsilon_n <= kappa3 (1 - c e^-climb_n)^T_n
                      (epsilon_(n-1) + drift_(n-1)), the drift being that of spn_verdict */
} spn_kappa3;

/* For a chain with a verdict. A stage so long that (1 - c e^-climb)^T is below 1e-8 counts as if it
   were 1e-8. Time: O(8^(N y) log T) for each stage, and under Theorem 2 a height.
   Errors: ARGUMENT (N y above SPN_KAPPA3_BITS), MEMORY. */
SPN_API spn_status spn_kappa3_create(spn_kappa3 **out, const spn_landscape *landscape,
                                     const spn_annealing *annealing, const spn_verdict *verdict,
                                     spn_error *err);

/* Accepts NULL. */
static inline void spn_kappa3_free(spn_kappa3 *kappa3)
{
    spn_free(kappa3);
}

SPN_END_C
#endif
