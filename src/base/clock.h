/* Clocks in seconds, and the flag that stops a run. */
#ifndef SPN_BASE_CLOCK_H
#define SPN_BASE_CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static inline double spn_clock_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A clock that never goes back. */
static inline double spn_clock(void)
{
    return spn_clock_read(CLOCK_MONOTONIC);
}

/* Processor time of this thread. */
static inline double spn_thread_clock(void)
{
    return spn_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

/* Whether a signal handler or another thread has asked for a stop. flag: NULL if nobody can. */
static inline bool spn_stop_asked(const volatile sig_atomic_t *flag)
{
    return flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

static inline void spn_stop_ask(volatile sig_atomic_t *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

#endif
