/* Entropies by counting at large N: how many states of energy <= e there are, in all or at Hamming
   distance d of a centre, such as solutions around a solution.

   A ladder of chains of one replica (<spinney/ladder.h>) goes from beta = 0 to a cold end, with a
   field gamma towards the centre of which the mean distance at beta = 0 is d: its rungs have the
   weights exp(-beta_r (E + V) + gamma sum_i c_i s_i) and partition functions Z_r. Z is known at
   beta = 0, and ratios of neighbours come from stepping stones. V is a price for each flip by which
   a state is more than two nearer or farther than d; it holds the colder rungs, which the field
   alone would let fall back onto the centre. All rungs together count (the mixture estimator,
   with n states of each rung)

     count = sum over the states met with E <= e at distance d of
             1 / sum_r n exp(-beta_r E + gamma (N - 2 d) - log Z_r),

   at the integer distance d exactly: no Legendre transform, and none of its log N / N. The ladder
   ends where a share of the states is of those counted, since colder rungs would cost time and,
   if they are frozen, spoil the rest. Errors are from the jackknife over blocks of scans of the
   whole estimate.

   A number of states that are not met is not made up: met = 0 leaves the count NaN. */
#ifndef SPINNEY_LOCAL_ENTROPY_H
#define SPINNEY_LOCAL_ENTROPY_H

#include <math.h>
#include <spinney/ladder.h>

SPN_BEGIN_C

/* Start from spn_local_entropy_defaults(). */
typedef struct spn_local_entropy_options {
    size_t size; /* of this struct */
    /* Borrowed. Taken are beta_last, the rungs, fractions, adapt, scan_steps, scans, rounds,
       threads; of its chain kernel, order, moves, seed, run. Its ladders use the runs from
       `run` to run + SPN_LOCAL_ENTROPY_RUNS - 1. (NULL: the defaults) */
    const spn_ladder_options *ladder;
    const int8_t *centre; /* N spins; NULL: states are counted at any distance */
    size_t distance;      /* flips from the centre, 0 to N */
    double up_to;         /* the energy (0) */
    double share; /* end the ladder at the first rung of a short one where this share of the states
                     has energy <= up_to, at the distance, if beta_last is colder; 0: at beta_last
                     (0.2) */
    /* Called now and then with the share that is done, 0 to 1; may be NULL. */
    void (*progress)(void *context, double done);
    void *context;
    const volatile sig_atomic_t *stop; /* may be NULL; set it from a signal handler */
} spn_local_entropy_options;

enum { SPN_LOCAL_ENTROPY_RUNS = 2 * SPN_LADDER_MOST_RUNGS };

SPN_DEFAULTS(spn_local_entropy_options, spn_local_entropy_defaults, o.share = 0.2)

/* What was measured. */
typedef struct spn_local_entropy {
    double log_count; /* natural logarithm of the number of states; NaN: none was met */
    double error;     /* its standard error; infinite if all were met in one block of scans */
    double low, high; /* its 95% interval, by Student's t at 8 degrees */
    uint64_t met;     /* states counted, of those that the rungs had after each scan */
    double share;     /* of the cold end's states that have energy <= up_to, at the distance */
    double gamma;     /* towards the centre; negative: away from it, if d > N/2 */
    double overlap;   /* mean, of the cold end with the centre; NaN without one */
    double beta;      /* of the cold end */
    size_t rungs;
    double barrier;
    uint64_t round_trips;
    spn_health health;
    uint64_t proposals; /* of all ladders */
    double seconds;
    spn_stop stop; /* STEPS, or REQUEST: then it is not complete, and the numbers are NaN */
} spn_local_entropy;

/* Measure it. Deterministic from the seed, at any number of threads. At distance 0 nothing is run.
   Cost: the ladder's and, for the cold end, that of a short one, an eighth of it. Memory:
   besides the ladder's, 12 bytes for each rung and scan. Errors: ARGUMENT, MEMORY, ENERGY. */
SPN_API spn_status spn_local_entropy_measure_sized(spn_local_entropy *out, size_t size,
                                                   const spn_energy *energy,
                                                   const spn_local_entropy_options *options,
                                                   spn_error *err);
static inline spn_status spn_local_entropy_measure(spn_local_entropy *out, const spn_energy *energy,
                                                   const spn_local_entropy_options *options,
                                                   spn_error *err)
{
    return spn_local_entropy_measure_sized(out, sizeof *out, energy, options, err);
}

SPN_END_C
#endif
