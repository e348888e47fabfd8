/* Samplers over a ladder of temperatures, exactly, at small N: the chain of all rungs together, its
   invariant law and its spectral gap, beside that of a single kernel at the coldest rung
   (spinney/spectrum.h). A rung is a point (beta_k, gamma_k) of the y replicas, hot to cold, with
   the law pi_k = exp(-beta_k U + H_gamma_k) / Z'_k; x is a replicated state of N y bits.

   One step of a joint chain costs one proposal. With probability 1 - share it proposes a flip by
   the kernel, else it makes the sampler's own move:
   - swapping (parallel tempering): the state has one x for every rung, its law is the product of
     all pi_k. A flip is proposed in a rung that is drawn; a swap is proposed between two
     neighbouring rungs that are drawn. Which pair is drawn afresh each time: that chain is
     reversible, and has a gap. Swaps of even and odd pairs in turn are not: spn_joint_scan.
   - simulated tempering: the state is (x, k), its law is exp(-beta_k U + H_gamma_k + w_k) with
     w_k = -log Z'_k + an error of k. The rung above or below is proposed with 1/2 each.
   - equi-energy: the state is x at the coldest rung, its law is that of this rung. A jump goes to a
     state of the same ring of energies drawn from the law of the next hotter rung, exactly as it
     would be if that rung had run for ever, and is accepted so that the law holds. */
#ifndef SPINNEY_JOINT_H
#define SPINNEY_JOINT_H

#include <spinney/spectrum.h>

SPN_BEGIN_C

enum {
    SPN_JOINT_RUNGS = 64,    /* at most */
    SPN_JOINT_SCAN_BITS = 9, /* largest N y K of spn_joint_scan */
};

typedef enum spn_joint_kind {
    SPN_JOINT_SWAPPING,
    SPN_JOINT_SIMULATED,
    SPN_JOINT_EQUI_ENERGY
} spn_joint_kind;

/* All arrays are copied. */
typedef struct spn_joint_options {
    size_t size; /* of this struct: start from spn_joint_defaults() */
    spn_joint_kind kind;
    size_t replicas; /* (1) */
    spn_kernel kernel;
    size_t rungs;         /* 2 to SPN_JOINT_RUNGS */
    const double *betas;  /* of each rung, hot to cold, finite */
    const double *gammas; /* of each rung; NULL: */
    double gamma;         /* of all (0) */
    double share;         /* of steps that are the sampler's own move: above 0, below 1 (0.5) */
    const double *weight_errors; /* simulated tempering, of each rung; NULL: none */
    const double *rings; /* equi-energy: lower ends of rings of U - min U, increasing; the */
    size_t ring_count;   /* first ring starts below them. 0: each energy is a ring */
} spn_joint_options;

SPN_DEFAULTS(spn_joint_options, spn_joint_defaults, o.replicas = 1, o.share = 0.5)

typedef struct spn_joint spn_joint;

/* The joint chain. The landscape is not kept. It may have 2^SPN_EXACT_BITS states: N y K bits for
   swapping, K 2^(N y) states for simulated tempering, 2^(N y) for equi-energy. Memory 8 bytes for
   each state, and 8 (N y + 4) K 2^(N y), and for swapping 16 (K-1) 4^(N y). Errors: ARGUMENT,
   MEMORY.
 */
SPN_API spn_status spn_joint_create(spn_joint **out, const spn_landscape *landscape,
                                    const spn_joint_options *options, spn_error *err);

/* How many states. Index of (x_0, x_1, ...) of swapping: sum x_k 2^(N y k), x_0 the hottest; of
   (x, k) of simulated tempering: x + k 2^(N y). */
SPN_API size_t spn_joint_states(const spn_joint *joint);

/* The gap of a step, as spn_operator_gap. */
SPN_API spn_status spn_joint_gap_sized(spn_gap *out, size_t size, const spn_joint *joint,
                                       const spn_gap_options *options, spn_error *err);
static inline spn_status spn_joint_gap(spn_gap *out, const spn_joint *joint,
                                       const spn_gap_options *options, spn_error *err)
{
    return spn_joint_gap_sized(out, sizeof *out, joint, options, err);
}

/* A rung of it. */
typedef struct spn_joint_rung {
    double beta, gamma;
    double log_z; /* log Z' */
    double share; /* probability of this rung under the law (simulated tempering; else NAN) */
    double
        exchange; /* probability that a move between this rung and the next colder one is
                     accepted, under the law: a swap, a change of the rung either way; NAN for the
                     coldest. Equi-energy: a jump, of the rung before the coldest; else NAN */
} spn_joint_rung;

/* k from 0, the hottest. */
SPN_API void spn_joint_rung_of_sized(spn_joint_rung *out, size_t size, const spn_joint *joint,
                                     size_t k);
static inline void spn_joint_rung_of(spn_joint_rung *out, const spn_joint *joint, size_t k)
{
    spn_joint_rung_of_sized(out, sizeof *out, joint, k);
}

/* How fast scans converge: in a scan every rung makes its proposals, then swaps are tried. */
typedef struct spn_joint_rates {
    double even_odd; /* 1 - r for a proposal of any rung, r^(proposals of a scan) the second largest
                        modulus of an eigenvalue of a scan: even pairs and odd pairs in turn, */
    double random;   /* or one of the two by a fair coin after each scan */
} spn_joint_rates;

/* Both, of swapping over at least 3 rungs with N y K <= SPN_JOINT_SCAN_BITS, from powers of the
   whole matrix: 2^24 scans. proposals: of each rung in a scan, at least 1. Errors: ARGUMENT,
   MEMORY.
 */
SPN_API spn_status spn_joint_scan_sized(spn_joint_rates *out, size_t size, const spn_joint *joint,
                                        size_t proposals, spn_error *err);
static inline spn_status spn_joint_scan(spn_joint_rates *out, const spn_joint *joint,
                                        size_t proposals, spn_error *err)
{
    return spn_joint_scan_sized(out, sizeof *out, joint, proposals, err);
}

/* Accepts NULL. */
SPN_API void spn_joint_free(spn_joint *joint);

SPN_END_C
#endif
