/* The internals of the transition operator, for walks over all its moves. Moves come in pairs
   x <-> x' that differ in one bit; a span is a set of pairs of one bit that fits the cache. */
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

/* Pairs come in runs: pair r + k (r a multiple of run, 0 <= k < run) joins x = first + 2 r + k with
   x + bit. */
typedef struct spn_pair_span {
    size_t first, bit;
    size_t pairs; /* at most SPN_SPAN_PAIRS */
    size_t run;
    size_t offset; /* of its first pair in a table of all N y 2^(N y - 1) pairs */
} spn_pair_span;

/* What a walk over all pairs may read and write. */
typedef struct spn_pair_walk {
    const spn_operator *op;
    const double *in;
    double *out;
    const double *weights; /* of all pairs */
} spn_pair_walk;

/* Call visit on all threads, for spans that cover each pair once. Spans that share a state never
   run at the same time; they reach it in the order of their bits. */
void spn_operator_sweep(const spn_pair_walk *walk,
                        void (*visit)(const spn_pair_walk *, const spn_pair_span *));

/* The acceptances of the pairs of a span: up[p] of x -> x', down[p] of x' -> x. */
void spn_edges(const spn_operator *op, const spn_pair_span *span, double *up, double *down);

/* Add to out[x] the sum of the acceptances of all moves from x. */
void spn_operator_leave(const spn_operator *op, double *out);

/* `steps` proposals: *law <- *law S^steps. *other: scratch of the same size; the two pointers may
   be exchanged. Small systems with many steps use repeated squaring if there is memory for it. */
void spn_operator_advance(const spn_operator *op, uint64_t steps, double **law, double **other);

/* The two ways of it. Squaring returns false without memory, with the law unchanged. */
void spn_operator_step_by_step(const spn_operator *op, uint64_t steps, double **law,
                               double **other);
bool spn_operator_by_squaring(const spn_operator *op, uint64_t steps, double **law, double **other);

/* out = a b, all n x n. */
void spn_matrix_multiply(double *out, const double *a, const double *b, size_t n);

/* A reversible chain as Lanczos sees it: the symmetric matrix L = 1 - D^(1/2) P D^(-1/2), with P
   its transition matrix and D its invariant law. */
typedef struct spn_reversible {
    size_t states;
    unsigned threads;   /* 0: all cores */
    const double *root; /* sqrt(D), of norm 1: the null vector of L */
    const void *chain;  /* for the functions below */
    void (*multiply)(const void *chain, const double *in, double *out);
    /* The Dirichlet form (v, L v) as a sum of squares, in which nothing cancels. scratch: one
       vector; ones: a vector of ones. */
    double (*dirichlet)(const void *chain, const double *v, double *scratch, const double *ones);
} spn_reversible;

/* The ends of its spectrum. options may be NULL. Errors: ARGUMENT, MEMORY. */
spn_status spn_reversible_gap(spn_gap *out, const spn_reversible *chain,
                              const spn_gap_options *options, spn_error *err);

#endif
