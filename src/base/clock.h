/* Clocks in seconds. */
#ifndef SPN_BASE_CLOCK_H
#define SPN_BASE_CLOCK_H

/* Steady. */
double spn_clock(void);

/* The time that the processor spent on this thread. */
double spn_thread_clock(void);

#endif
