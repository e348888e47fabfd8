/* The range of beta from samples of changes that a sampler made itself. */
#ifndef SPN_CORE_BETA_RANGE_H
#define SPN_CORE_BETA_RANGE_H

#include <stddef.h>

/* Sizes of changes of random states, and of uphill changes of descended ones, by the rule of
   <spinney/beta_range.h>. Both lists are sorted, and sizes that are rounding errors dropped. Both
   ends are 1 if there is no change. */
void spn_beta_range_of(double *first, double *last, double *hot, size_t hot_count, double *cold,
                       size_t cold_count);

#endif
