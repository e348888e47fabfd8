/* The transition operator's inside, for the files that walk over all its moves. Moves come in pairs
   x <-> x' that differ in one bit; a span is a set of pairs of one bit small enough for the cache.
 */
#ifndef SPN_ANALYSIS_OPERATOR_H
#define SPN_ANALYSIS_OPERATOR_H

#include <spinney/spectrum.h>

struct spn_operator {
    unsigned threads; /* as in the landscape */
    size_t sites, replicas;
    size_t bits, states; /* N y, 2^(N y) */
    spn_kernel kernel;
    double beta, gamma;
    double rate;      /* 1/(N y) */
    double *energy;   /* U of every state */
    double *coupling; /* H_gamma */
};

enum { SPN_SPAN_BITS = 11, SPN_SPAN_PAIRS = 1 << SPN_SPAN_BITS };

/* The pairs come in runs: pair r + k, 0 <= k < run, joins x = first + 2 r + k with x + bit, for r a
   multiple of run. */
typedef struct spn_pair_span {
    size_t first, bit;
    size_t pairs; /* at most SPN_SPAN_PAIRS */
    size_t run;
    size_t offset; /* of its first pair in a table of all N y 2^(N y - 1) pairs */
} spn_pair_span;

/* Call visit for spans that cover each pair once, on all threads. Spans that share a state never
   run at the same time, and reach it in a fixed order: by increasing bit. */
typedef void spn_visit(void *context, const spn_pair_span *span);
void spn_operator_sweep(size_t bits, spn_visit *visit, void *context);

/* The acceptances of the pairs of a span: up[p] of x -> x', down[p] of x' -> x. */
void spn_edges(const spn_operator *op, const spn_pair_span *span, double *up, double *down);

/* Into out[x], added to what is there: the sum of the acceptances of all moves from x. */
void spn_operator_leave(const spn_operator *op, double *out);

/* -(G - min G)/2 as e^..., normalised: sqrt(Qbar). */
void spn_operator_root(const spn_operator *op, double *out);

/* `steps` proposals: *law <- *law S^steps. *other is scratch of the same size; the two pointers may
   be exchanged. Small systems with many steps go by repeated squaring of the matrix, unless there
   is no memory for it. */
void spn_operator_advance(const spn_operator *op, uint64_t steps, double **law, double **other);

/* The two ways of it; squaring is false without memory, and the law is then as it was. */
void spn_operator_step_by_step(const spn_operator *op, uint64_t steps, double **law,
                               double **other);
bool spn_operator_by_squaring(const spn_operator *op, uint64_t steps, double **law, double **other);

/* out = a b, all n x n. */
void spn_matrix_multiply(double *out, const double *a, const double *b, size_t n);

/* A reversible chain as Lanczos sees it, with states of any kind: with A = D^(1/2) P D^(-1/2), P
   its transition matrix and D its invariant law, the symmetric matrix L = 1 - A. */
typedef struct spn_reversible {
    size_t states;
    unsigned threads;   /* 0: all cores */
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
