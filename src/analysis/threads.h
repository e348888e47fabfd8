/* The threads of the loops of this layer: how many, and whether more than one pays now.

   OpenMP threads spin while they wait. On a busy machine that takes most of the time: a run with
   two threads took ten times as long as with one. So the calling thread checks now and then how
   much of the time it had a processor. If that was not almost all of it, it runs the loops alone
   for a while. Results are the same at any number of threads. */
#ifndef SPN_ANALYSIS_THREADS_H
#define SPN_ANALYSIS_THREADS_H

#include <stdbool.h>

/* Limit the loops of this function to a number of threads (0: all cores). The old limit returns
   when the function does. */
#define SPN_LIMIT_THREADS(threads)                                                                 \
    const int threads_before __attribute__((cleanup(spn_threads_restore))) =                       \
        spn_threads_limit(threads);                                                                \
    (void)threads_before

/* Set the limit of the calling thread; returns the previous one. */
int spn_threads_limit(unsigned threads);
void spn_threads_restore(const int *before);

/* The number of the calling thread in its parallel loop; 0: the one that entered the loop. */
int spn_thread_number(void);

/* Below this many states a parallel loop costs more than it gains. */
enum { SPN_PARALLEL_FROM = 1 << 14 };

/* Whether the next loop should be parallel, for its `if` clause. large: it has enough work. */
bool spn_threads_pay(bool large);

/* How much processor time the calling thread got. */
typedef struct spn_serving {
    bool looks;        /* loops were parallel since `wall` and `own` */
    double wall, own;  /* wall-clock time and the thread's own processor time */
    double rest_until; /* loops run alone until then */
} spn_serving;

/* spn_threads_pay with given clocks, for tests. */
bool spn_serving_pays(spn_serving *s, double (*wall)(void), double (*own)(void));

#endif
