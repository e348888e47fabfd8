/* A joint chain's inside, for the file of each kind. All moves but the jumps of equi-energy come in
   pairs, with a weight w = sqrt(P(x,z) P(z,x)); G is minus the logarithm of the law, up to a
   constant. */
#ifndef SPN_ANALYSIS_JOINT_JOINT_H
#define SPN_ANALYSIS_JOINT_JOINT_H

#include "analysis/operator.h"

#include <math.h>
#include <spinney/joint.h>

/* The flips of one rung, as tables over the 2^bits states of one rung. */
typedef struct spn_rung {
    double beta, gamma;
    double log_z;    /* of G as it is here */
    double *G;       /* beta U - H */
    double *weights; /* of the flip of bit j in state x at [j 2^bits + x] */
    double *leave;   /* the probability of leaving x */
} spn_rung;

/* What the jumps of equi-energy need, in the order of the rings, and of r = cold / hot within: */
typedef struct spn_rings {
    uint32_t *states; /* in that order */
    size_t *ends;     /* of each ring, in that order */
    size_t count;
    double *hot;   /* the hot law within its ring, */
    double *ratio; /* and log r */
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
    /* Between rung k and the next: a swap of (x, z), x at rung k, is at [x + z 2^bits]; a change of
       the rung of x is at [x]. */
    double **exchange, **exchange_leave;
    double *weight; /* simulated tempering: w_k */
    spn_rings rings;
};

/* out = L in and the Dirichlet form, of each kind: see spn_reversible. */
typedef struct spn_joint_functions {
    spn_status (*prepare)(spn_joint *j, const spn_joint_options *options, spn_error *err);
    void (*multiply)(const void *joint, const double *in, double *out);
    double (*dirichlet)(const void *joint, const double *v, double *scratch, const double *ones);
} spn_joint_functions;

extern const spn_joint_functions spn_joint_swapping, spn_joint_simulated, spn_joint_equi_energy;

/* The square of a pair in the Dirichlet form, G of z less G of x given. */
static inline double spn_joint_square(double weight, double dG, double vx, double vz)
{
    const double quarter = fmax(-150, fmin(150, 0.25 * dG));
    const double rise = vx * exp(-quarter) - vz * exp(quarter);
    return weight * rise * rise;
}

/* What flips of rung r at x add to (L in)(X), and to the form, the bits of x starting at `shift` of
   X. The form counts each pair at its lower state. */
double spn_joint_flips(const spn_joint *j, const spn_rung *r, const double *in, size_t X,
                       size_t shift);
double spn_joint_flips_form(const spn_joint *j, const spn_rung *r, const double *v, size_t X,
                            size_t shift);

/* Scale the root to norm 1. */
void spn_joint_normalise(spn_joint *j);

#endif
