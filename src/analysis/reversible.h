/* A reversible chain as Lanczos sees it, whatever its states are: with A = D^(1/2) P D^(-1/2), P
   its transition matrix and D its invariant law, the symmetric matrix L = 1 - A. */
#ifndef SPN_ANALYSIS_REVERSIBLE_H
#define SPN_ANALYSIS_REVERSIBLE_H

#include <spinney/spectrum.h>

typedef struct spn_reversible {
    size_t states;
    unsigned threads;   /* 0: all that there are */
    const double *root; /* sqrt(D), of norm 1: the null vector of L */
    const void *chain;  /* for the functions below */
    /* out = L in. */
    void (*multiply)(const void *chain, const double *in, double *out);
    /* The Dirichlet form (v, L v) as a sum of squares, in which nothing cancels. Two vectors of
       scratch, the second of ones. */
    double (*dirichlet)(const void *chain, const double *v, double *scratch, const double *ones);
} spn_reversible;

/* The ends of its spectrum. options may be NULL. Errors: ARGUMENT, MEMORY. */
spn_status spn_reversible_gap(spn_gap *out, const spn_reversible *chain,
                              const spn_gap_options *options, spn_error *err);

#endif
