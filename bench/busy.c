/* Threads that count until they are told to stop. */
#include "busy.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

enum { MOST_BUSY = 64 };

static atomic_bool calm;
static pthread_t threads[MOST_BUSY];
static size_t count;

static void *keep_busy(void *context)
{
    volatile uint64_t *counter = context;
    while (!atomic_load_explicit(&calm, memory_order_relaxed))
        ++*counter;
    return NULL;
}

void busy_start(void)
{
    static uint64_t counters[MOST_BUSY];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t wanted = processors > MOST_BUSY / 2 ? MOST_BUSY : 2 * (size_t)processors;
    atomic_store(&calm, false);
    while (count < wanted &&
           pthread_create(&threads[count], NULL, keep_busy, &counters[count]) == 0)
        count++;
}

void busy_end(void)
{
    atomic_store(&calm, true);
    while (count > 0)
        pthread_join(threads[--count], NULL);
}
