/* How long a sweep still takes. */
#include "sweep/rate.h"

#include <math.h>

double spn_rate_left(spn_rate *rate, double seconds, double share)
{
    const double settled = 1, enough = 0.05;
    if (seconds < settled) {
        rate->time = seconds;
        rate->share = share;
    }
    const double measured = seconds - rate->time, gained = share - rate->share;
    if (measured >= settled && gained > 0)
        return measured * (1 - share) / gained;
    return !rate->resumed && share >= enough ? seconds * (1 - share) / share : NAN;
}
