/* The range of beta that an energy asks for, from changes of it that are sampled: of random states,
   and of states after a short descent from them.

   Of a sample of uphill changes the share sum(dE exp(-beta dE)) / sum(dE) is accepted: each move is
   weighted by its size, so that small changes, of which there may be any number, do not decide. The
   start of beta is where the share `hot` is accepted of the changes of random states (of |dE|, as
   the way back from a downhill move is an uphill one), its end where the share `cold` is accepted
   of the uphill changes of descended states. Changes below 2^-30 of the largest count as 0, so that
   rounding errors are no changes. Only ratios of changes enter, so that an energy times a power of
   two has, to the last bit, the same range divided by it. */
#ifndef SPINNEY_BETA_RANGE_H
#define SPINNEY_BETA_RANGE_H

#include <spinney/energy.h>

SPN_BEGIN_C

#define SPN_BETA_HOT 0.2
#define SPN_BETA_COLD 1e-5

/* Start from spn_beta_range_defaults() and change what you need. */
typedef struct spn_beta_range_options {
    size_t size;      /* of this struct */
    uint64_t seed;    /* of the states (1) */
    uint64_t run;     /* (0) */
    double hot, cold; /* the two shares, 1 > hot > cold > 0 */
    uint64_t changes; /* energy changes to compute, at most; at least 4 (0: 32 N) */
} spn_beta_range_options;

SPN_DEFAULTS(spn_beta_range_options, spn_beta_range_defaults, o.seed = 1, o.hot = SPN_BETA_HOT,
             o.cold = SPN_BETA_COLD)

typedef struct spn_beta_range {
    double start, end;      /* of beta; both are 1 if no uphill change was met */
    double typical;         /* the median size of a change of a random state; 0: there is none */
    double smallest;        /* the smallest uphill change of a descended state; 0: there is none */
    uint64_t changes;       /* that were computed */
    uint64_t random_states; /* that they are of, each descended from */
} spn_beta_range;

/* Measure the range. options: NULL for the defaults. Deterministic from the seed. Cost: the changes
   and at most as many flips, and one energy for each of 1 to 4 states. Errors: ARGUMENT, MEMORY,
   ENERGY (a change is not a number). */
SPN_API spn_status spn_beta_range_measure_sized(spn_beta_range *out, size_t size,
                                                const spn_energy *energy,
                                                const spn_beta_range_options *options,
                                                spn_error *err);
static inline spn_status spn_beta_range_measure(spn_beta_range *out, const spn_energy *energy,
                                                const spn_beta_range_options *options,
                                                spn_error *err)
{
    return spn_beta_range_measure_sized(out, sizeof *out, energy, options, err);
}

SPN_END_C
#endif
