/* The internals of a joint chain, for the file of each kind. All moves except equi-energy jumps
   come in pairs of weight sqrt(P(x,z) P(z,x)). G is minus the log of the law, up to a constant. */
#ifndef SPN_ANALYSIS_JOINT_JOINT_H
#define SPN_ANALYSIS_JOINT_JOINT_H

#include "analysis/operator.h"

#include <math.h>
#include <spinney/joint.h>

/* The flips of one rung, as tables over its 2^bits states. */
typedef struct spn_rung {
    double beta, gamma;
    double log_z;    /* of G as it is here */
    double *G;       /* beta U - H */
    double *weights; /* of the flip of bit j in state x at [j 2^bits + x] */
    double *leave;   /* the probability of leaving x */
} spn_rung;

/* For the jumps of equi-energy: states sorted by ring, then by r = cold / hot. */
typedef struct spn_rings {
    uint32_t *states;
    size_t *ends; /* of each ring */
    size_t count;
    double *hot;   /* the hot law within the ring */
    double *ratio; /* log r */
    double *leave; /* probability of leaving, by state */
} spn_rings;

struct spn_joint {
    spn_joint_kind kind;
    unsigned threads;
    size_t bits, single; /* N y, 2^(N y) */
    size_t rungs, states;
    double share;
    spn_rung *rung;
    double *energy; /* U - min U of the states of one rung */
    double *root;   /* sqrt of the law, of all states */
    /* Between rung k and the next: [x + z 2^bits] for a swap of x (at rung k) with z, [x] for a
       change of x's rung. */
    double **exchange, **exchange_leave;
    double *weight; /* simulated tempering: w_k */
    spn_rings rings;
};

/* Each kind's functions; see spn_reversible for the last two. */
typedef struct spn_joint_functions {
    spn_status (*prepare)(spn_joint *j, const spn_joint_options *options, spn_error *err);
    void (*multiply)(const void *joint, const double *in, double *out);
    double (*dirichlet)(const void *joint, const double *v, double *scratch, const double *ones);
} spn_joint_functions;

extern const spn_joint_functions spn_joint_swapping, spn_joint_simulated, spn_joint_equi_energy;

/* The square of a pair in the Dirichlet form; dG = G(z) - G(x). */
static inline double spn_joint_square(double weight, double dG, double vx, double vz)
{
    const double quarter = fmax(-150, fmin(150, 0.25 * dG));
    const double rise = vx * exp(-quarter) - vz * exp(quarter);
    return weight * rise * rise;
}

/* What the flips of rung r add to (L in)(X) and to the form. The bits of r's state start at `shift`
   in X. The form counts each pair at its lower state. */
double spn_joint_flips(const spn_joint *j, const spn_rung *r, const double *in, size_t X,
                       size_t shift);
double spn_joint_flips_form(const spn_joint *j, const spn_rung *r, const double *v, size_t X,
                            size_t shift);

/* Scale the root to norm 1. */
void spn_joint_normalise(spn_joint *j);

#endif
