/* A flag that a signal handler, or another thread, sets to have a run stopped. */
#ifndef SPN_BASE_STOP_H
#define SPN_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Accepts NULL: never. */
static inline bool spn_stop_asked(const volatile sig_atomic_t *flag)
{
    return flag != NULL && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

static inline void spn_stop_ask(volatile sig_atomic_t *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

#endif
