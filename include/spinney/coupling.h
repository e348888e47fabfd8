/* The coupling of the replicas: H_gamma = sum over sites of log cosh(gamma s_i), where s_i is the
   sum of the y spins at site i. */
#ifndef SPINNEY_COUPLING_H
#define SPINNEY_COUPLING_H

#include <spinney/status.h>

SPN_BEGIN_C

/* log cosh x for every finite x, without overflow and exact to a few ulp near 0. */
SPN_API double spn_log_cosh(double x);

SPN_END_C
#endif
