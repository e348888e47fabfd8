/* The curves that are measured after a run. */
#ifndef SPN_OLD_MEASURE_H
#define SPN_OLD_MEASURE_H

#include "job/measure.h"
#include "old/tasks.h"

/* Where a measurement is told to stop, and tells how far it is. */
typedef struct xpn_measuring {
    const xpn_job *job;
    const xpn_task_run *run;
    xpn_share *share;
    const xpn_work *work;
    bool stopped; /* out: there was a stop, and nothing was added */
} xpn_measuring;

/* Add the curve `flips` of a target to a record: columns p, accuracy, low, high. NULL: no replica
   that could be flipped; then accuracies are NaN. The seed of the flips is the job's, so that
   spinney eval --flip --seed does it again. */
spn_status xpn_measure_flips(spn_record *out, xpn_measuring *m, const spn_flip_target *target,
                             spn_error *err);

/* Add the curve `profile`: columns distance, share, energy, half: the mean over replicas and walks,
   and half its 95% interval over all ways to walk away from these replicas. */
spn_status xpn_measure_profile(spn_record *out, xpn_measuring *m, const spn_energy *energy,
                               const int8_t *spins, size_t replicas, spn_error *err);

/* Whether the measures can be taken of so many replicas. */
spn_status xpn_measures_check(xpn_values *values, const spn_measures *measures, size_t replicas,
                              spn_error *err);

#endif
