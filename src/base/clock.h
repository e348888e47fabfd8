/* A monotonic clock in seconds. */
#ifndef SPN_BASE_CLOCK_H
#define SPN_BASE_CLOCK_H

double spn_clock(void);

#endif
