/* How long a sweep still takes, by how far it is. */
#ifndef SPN_SWEEP_RATE_H
#define SPN_SWEEP_RATE_H

#include <stdbool.h>

typedef struct spn_rate {
    bool resumed; /* runs go on from checkpoints, whose share shows up at once, within a second */
    double time, share; /* where the rate is measured from */
} spn_rate;

/* The seconds left, when this share of the work is done after so many seconds; NaN: not known yet.
   To be asked again and again, with a rate that was zeroed but for `resumed`. */
double spn_rate_left(spn_rate *rate, double seconds, double share);

#endif
