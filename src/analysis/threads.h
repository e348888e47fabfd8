/* Threads of the loops of this layer: how many there may be, and whether more than one pays now.

   Threads of OpenMP that wait for others spin. If other programs need the processors, a loop spends
   most of its time on that: with two threads a run took ten times as long as with one. So the
   calling thread checks now and then how much of the time it had a processor. If that was not
   almost all of it, it runs the loops alone for a while. Results are the same at
   any number of threads. */
#ifndef SPN_ANALYSIS_THREADS_H
#define SPN_ANALYSIS_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* Limit the loops of the function in which this stands to a number of threads (0: all cores); when
   the function returns, the calling thread has its old limit back. */
#define SPN_LIMIT_THREADS(threads)                                                                 \
    const int threads_before __attribute__((cleanup(spn_threads_restore))) =                       \
        spn_threads_limit(threads);                                                                \
    (void)threads_before

/* Set the limit of the calling thread; returns the one before. */
int spn_threads_limit(unsigned threads);
void spn_threads_restore(const int *before);

/* The number of the calling thread among those of the parallel loop that it is in; 0: the one that
   entered it. */
int spn_thread_number(void);

/* Below this many states a parallel loop costs more than it gains. */
enum { SPN_PARALLEL_FROM = 1 << 14 };

/* Whether the next loop should be parallel; large: whether it is large enough. For the clause `if`
   of every loop that runs many times. */
bool spn_threads_pay(bool large);

/* How the calling thread was served by the machine. */
typedef struct spn_serving {
    bool looks;        /* since `wall` and `own`, loops being parallel */
    double wall, own;  /* the clock, and that of the thread's own time */
    double rest_until; /* until then loops run alone */
} spn_serving;

/* The same as spn_threads_pay, by any clocks. */
bool spn_serving_pays(spn_serving *s, double (*wall)(void), double (*own)(void));

#endif
