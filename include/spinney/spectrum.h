/* Chains at small N, exactly: the transition operator of one proposal on the 2^(N y) replicated
   states, its spectral gap, the heights that govern the gap, and the law of an annealed chain stage
   by stage against the law it should have. One proposal takes one of the y replicas and one of its
   N sites, each pair with probability 1/(y N). Indices of states as in spinney/exact.h; everything
   here needs N y <= SPN_EXACT_BITS, unless it says otherwise. */
#ifndef SPINNEY_SPECTRUM_H
#define SPINNEY_SPECTRUM_H

#include <spinney/exact.h>

SPN_BEGIN_C

/* A transition operator S, never stored as a matrix. */
typedef struct spn_operator spn_operator;

/* The operator of a kernel at (beta, gamma, y), both finite and >= 0. The landscape is not kept.
   Memory 16 * 2^(N y) bytes. Errors: ARGUMENT (N y too large, a value out of range), MEMORY. */
SPN_API spn_status spn_operator_create(spn_operator **out, const spn_landscape *landscape,
                                       size_t replicas, spn_kernel kernel, double beta,
                                       double gamma, spn_error *err);

/* Change kernel, beta and gamma. O(2^(N y)), O(N y 2^(N y)) if gamma changes. Errors: ARGUMENT.
 */
SPN_API spn_status spn_operator_set(spn_operator *op, spn_kernel kernel, double beta, double gamma,
                                    spn_error *err);

/* 2^(N y). */
SPN_API size_t spn_operator_states(const spn_operator *op);

/* S(from, to). O(1), O(N y) on the diagonal. */
SPN_API double spn_operator_entry(const spn_operator *op, size_t from, size_t to);

/* One proposal forward: out = in S, the law after it; or backward: out = S in, the expectation of a
   function after it. O(N y 2^(N y)). out must not be in. */
SPN_API void spn_operator_step(const spn_operator *op, const double *in, double *out,
                               bool backward);
static inline void spn_operator_push(const spn_operator *op, const double *law, double *out)
{
    spn_operator_step(op, law, out, false);
}
static inline void spn_operator_apply(const spn_operator *op, const double *f, double *out)
{
    spn_operator_step(op, f, out, true);
}

/* The invariant law Qbar into out, 2^(N y) values. */
SPN_API void spn_operator_law(const spn_operator *op, double *out);

/* How well the operator leaves Qbar alone, and how often it moves. */
typedef struct spn_balance {
    double stationarity;  /* max |Qbar S - Qbar| */
    double reversibility; /* max |Qbar(x) S(x,x') - Qbar(x') S(x',x)| */
    double acceptance;    /* the probability that a proposal is accepted, under Qbar */
} spn_balance;

/* O(N y 2^(N y)), memory 16 * 2^(N y) bytes. Errors: MEMORY. */
SPN_API spn_status spn_operator_balance_sized(spn_balance *out, size_t size, const spn_operator *op,
                                              spn_error *err);
static inline spn_status spn_operator_balance(spn_balance *out, const spn_operator *op,
                                              spn_error *err)
{
    return spn_operator_balance_sized(out, sizeof *out, op, err);
}

/* Start from spn_gap_defaults(). */
typedef struct spn_gap_options {
    size_t size;           /* of this struct */
    bool skip_lambda_min;  /* stop once the gap is known (false) */
    double tolerance;      /* of the gap, relative to the gap (1e-10) */
    size_t max_iterations; /* of Lanczos (5000) */
} spn_gap_options;

SPN_DEFAULTS(spn_gap_options, spn_gap_defaults, o.tolerance = 1e-10, o.max_iterations = 5000)

/* The ends of the spectrum. The rate of convergence is max(lambda1, |lambda_min|). */
typedef struct spn_gap {
    double gap;        /* psi = 1 - lambda1 */
    double lambda1;    /* the second largest eigenvalue, signed */
    double lambda_min; /* the smallest */
    double accuracy;   /* estimated relative error of gap */
    bool converged;    /* whether that is within the tolerance; if not, gap is only an upper bound,
                          and that up to a rounding of 1e-15 */
    bool lambda_min_converged; /* whether lambda_min is known to 1e-12; if not, it is too high */
    size_t iterations;
} spn_gap;

/* By Lanczos on the symmetrised operator, three vectors, with sqrt(Qbar) projected out; a gap below
   1e-4 is taken again from the Dirichlet form of its eigenvector, where nothing cancels. Always
   starts from the same vector. options may be NULL. Time: iterations * N y 2^(N y); memory (40 + 4
   N y) 2^(N y) bytes beside the operator (0.15 GB at 2^20, 0.6 GB at 2^22). Errors: ARGUMENT,
   MEMORY. A gap that has not converged is not an error: see converged. */
SPN_API spn_status spn_operator_gap_sized(spn_gap *out, size_t size, const spn_operator *op,
                                          const spn_gap_options *options, spn_error *err);
static inline spn_status spn_operator_gap(spn_gap *out, const spn_operator *op,
                                          const spn_gap_options *options, spn_error *err)
{
    return spn_operator_gap_sized(out, sizeof *out, op, options, err);
}

/* Accepts NULL. */
SPN_API void spn_operator_free(spn_operator *op);

/* The law c e^(-beta m) <= psi(beta) <= C e^(-beta m) read off a table of gaps. */
typedef struct spn_gap_fit {
    double slope;      /* of log psi against beta, least squares: tends to -m */
    double last_slope; /* between the last two points */
    double c, C;       /* least and largest psi e^(beta m) in the table */
} spn_gap_fit;

/* From count >= 2 points with gaps > 0 and increasing beta. Errors: ARGUMENT. */
SPN_API spn_status spn_gap_fit_compute_sized(spn_gap_fit *out, size_t size, const double *beta,
                                             const double *gap, size_t count, double m,
                                             spn_error *err);
static inline spn_status spn_gap_fit_compute(spn_gap_fit *out, const double *beta,
                                             const double *gap, size_t count, double m,
                                             spn_error *err)
{
    return spn_gap_fit_compute_sized(out, sizeof *out, beta, gap, count, m, err);
}

/* The heights of a landscape, E_min subtracted. */
typedef struct spn_heights {
    double m;      /* max over pairs of H(x,z) - E(x) - E(z) + E_min, H the lowest pass between */
    double d_star; /* the largest climb from a state to some global minimum (Hajek); <= m */
} spn_heights;

/* By union-find over the states sorted by E. Any N of a landscape; O(N 2^N), memory 12 * 2^N bytes.
   m of U on the replicas is the same, for every y. Errors: MEMORY. */
SPN_API spn_status spn_landscape_heights_sized(spn_heights *out, size_t size,
                                               const spn_landscape *landscape, spn_error *err);
static inline spn_status spn_landscape_heights(spn_heights *out, const spn_landscape *landscape,
                                               spn_error *err)
{
    return spn_landscape_heights_sized(out, sizeof *out, landscape, err);
}

/* M = beta m_t, the height of G = beta U - H_gamma on the replicated states (the gap falls as
   e^-M): a move has the height max(G, G') under the one-stage and heat-bath kernels, and beta
   max(U, U') - min(H, H') under the two-stage one. O(N y 2^(N y)); memory up to (28 + 4 N y) 2^(N
   y) bytes. Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_replicated_height(double *out, const spn_landscape *landscape,
                                         size_t replicas, spn_kernel kernel, double beta,
                                         double gamma, spn_error *err);

/* An annealed chain that starts in one replicated state: beta[k].steps proposals at beta[k].value.
   A schedule that changes at every step has stages of a single step. */
typedef struct spn_annealing {
    size_t size;     /* of this struct: start from spn_annealing_defaults() */
    size_t replicas; /* (1) */
    spn_kernel kernel;
    const spn_piece *beta; /* borrowed, `stages` of them */
    size_t stages;
    double gamma;         /* fixed, */
    const double *gammas; /* or one per stage if this is not NULL */
    size_t start;         /* index of the replicated state */
} spn_annealing;

SPN_DEFAULTS(spn_annealing, spn_annealing_defaults, o.replicas = 1)

/* Where the chain stands after a stage. */
typedef struct spn_stage {
    double beta, gamma;
    uint64_t steps;         /* of this stage */
    double epsilon;         /* max |Qbar_n - nu_n|, nu_n the law of the chain */
    double total_variation; /* half the sum of |Qbar_n - nu_n| */
} spn_stage;

/* The exact law nu_n after each stage, into out[0..stages-1]; the last one into law unless that is
   NULL (2^(N y) values). O(N y 2^(N y)) for every proposal, but
   a long stage of at most 2^10 replicated states takes O(8^(N y) log steps) if that is less.
   Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_annealing_converge_sized(spn_stage *out, size_t size, double *law,
                                                const spn_landscape *landscape,
                                                const spn_annealing *annealing, spn_error *err);
static inline spn_status spn_annealing_converge(spn_stage *out, double *law,
                                                const spn_landscape *landscape,
                                                const spn_annealing *annealing, spn_error *err)
{
    return spn_annealing_converge_sized(out, sizeof *out, law, landscape, annealing, err);
}

/* The condition of Theorem 1 (fixed gamma) and of Theorem 2 on a schedule. */
typedef struct spn_condition {
    size_t size;           /* of this struct: start from spn_condition_defaults() */
    const spn_piece *beta; /* borrowed, `stages` of them */
    size_t stages;
    double m;             /* height of the landscape: e^(-beta_k m); Theorem 1, */
    const double *climbs; /* or M_k of each stage if this is not NULL: e^(-M_k); Theorem 2 */
    double c;             /* as in psi >= c e^(-beta m); > 0 */
    double log_kappa;
} spn_condition;

SPN_DEFAULTS(spn_condition, spn_condition_defaults, )

/* out[n-1] = -c sum_{k<=n} T_k e^(-beta_k m) + n log kappa: the law of the chain converges if this
   tends to -infinity. *margin (may be NULL) is the least fall of one stage over the last half of
   the stages: positive means that it falls at least that fast as far as the schedule goes.
   O(stages). Errors: ARGUMENT (no size). */
SPN_API spn_status spn_condition_evaluate(double *out, double *margin,
                                          const spn_condition *condition, spn_error *err);

SPN_END_C
#endif
