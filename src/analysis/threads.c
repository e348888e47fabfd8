/* How many threads, and whether they pay. */
#include "analysis/threads.h"

#include "base/clock.h"
#ifdef _OPENMP
#include <omp.h>
#endif

/* Minimum seconds between two looks: a few time slices of a scheduler. */
static const double between_looks = 0.02;
/* A thread gets this share of the time if nobody else needs its processor. */
static const double served_well = 0.85;
/* A rest is this much longer than a look, so that looks cost little on a busy machine. */
static const double rest = 50;

static _Thread_local spn_serving serving;

int spn_threads_limit(unsigned threads)
{
    serving.looks = false; /* earlier work of the thread does not count */
#ifdef _OPENMP
    const int before = omp_get_max_threads();
    if (threads > 0)
        omp_set_num_threads((int)threads);
    return before;
#else
    (void)threads;
    return 1;
#endif
}

void spn_threads_restore(const int *before)
{
#ifdef _OPENMP
    omp_set_num_threads(*before);
#else
    (void)before;
#endif
}

int spn_thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

bool spn_serving_pays(spn_serving *s, double (*wall)(void), double (*own)(void))
{
    const double now = wall();
    if (now < s->rest_until)
        return false;
    const double length = now - s->wall;
    if (s->looks && length < between_looks)
        return true;
    const double mine = own();
    const bool busy = s->looks && mine - s->own < served_well * length;
    s->looks = !busy;
    s->wall = now;
    s->own = mine;
    if (busy)
        s->rest_until = now + rest * length;
    return !busy;
}

bool spn_threads_pay(bool large)
{
#ifdef _OPENMP
    return large && omp_get_max_threads() > 1 && !omp_in_parallel() &&
           spn_serving_pays(&serving, spn_clock, spn_thread_clock);
#else
    (void)large;
    return false;
#endif
}
