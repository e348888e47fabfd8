/* Eigenvalues and eigenvectors of a symmetric tridiagonal matrix of order n: diagonal[0..n-1], and
   side[0..n-2] beside it. */
#ifndef SPN_ANALYSIS_TRIDIAGONAL_H
#define SPN_ANALYSIS_TRIDIAGONAL_H

#include <stddef.h>

/* How many eigenvalues are below x (a Sturm sequence). O(n). */
size_t spn_tridiagonal_below(const double *diagonal, const double *side, size_t n, double x);

/* Eigenvalue number k, 0 the smallest, by bisection. */
double spn_tridiagonal_value(const double *diagonal, const double *side, size_t n, size_t k);

/* A unit eigenvector for the eigenvalue value, by inverse iteration; scratch holds 4 n doubles. */
void spn_tridiagonal_vector(double *out, const double *diagonal, const double *side, size_t n,
                            double value, double *scratch);

#endif
