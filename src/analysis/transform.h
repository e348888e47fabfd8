/* g(sigma) = sum_tau e^(gamma <sigma,tau>) w(tau) for all sigma at once: N passes of 2x2 matrices
   (butterflies) in place, O(N 2^N). Scaled by e^(-gamma N): the matrix is then [[1, e^-2gamma],
   [e^-2gamma, 1]], and nothing grows. */
#ifndef SPN_ANALYSIS_TRANSFORM_H
#define SPN_ANALYSIS_TRANSFORM_H

#include <stddef.h>

/* values(sigma) <- sum_tau e^(gamma (<sigma,tau> - N)) values(tau), any signs. */
void spn_couple(double *values, size_t sites, double gamma);

/* The same on logarithms, -infinity allowed. Every result has full relative accuracy: if the
   smallest could underflow, the sums are taken between logarithms. */
void spn_couple_log(double *values, size_t sites, double gamma);

#endif
