/* One lock guards everything but the work itself; jobs are long enough for that. */
#include "sweep/running.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/team.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct worker {
    bool busy; /* with a job, begun or not */
    bool begun;
    size_t job;
    double cost;
    volatile double done; /* written by the job without the lock */
} worker;

struct spn_pool {
    pthread_mutex_t lock;
    pthread_cond_t given; /* a job, or the end */
    pthread_cond_t ended; /* a job */
    spn_pool_work *work;
    void *context;
    volatile sig_atomic_t stop;
    bool over, news;
    size_t finished;
    double finished_cost;
    spn_status status; /* of the first job that failed */
    spn_error error;
    spn_team *team;
    unsigned threads; /* workers, once started */
    worker workers[];
};

/* Do the given job. The lock is held before and after, not during it. */
static void do_job(spn_pool *pool, worker *w)
{
    const spn_pool_job job = {.job = w->job, .stop = &pool->stop, .done = &w->done};
    spn_error err = {0};
    bool complete = false;
    spn_status status = SPN_OK;
    w->begun = true;
    if (!pool->stop) {
        pthread_mutex_unlock(&pool->lock);
        status = pool->work(pool->context, &complete, &job, &err);
        pthread_mutex_lock(&pool->lock);
    }
    /* The lock is held. */
    if (status && !pool->status) {
        pool->status = status;
        pool->error = err;
    }
    if (status)
        spn_stop_ask(&pool->stop);
    if (!status && complete) {
        pool->finished++;
        pool->finished_cost += w->cost;
    }
    w->busy = w->begun = false;
    pool->news = true;
    pthread_cond_signal(&pool->ended);
}

static void run_worker(void *context, size_t k)
{
    spn_pool *pool = context;
    worker *w = &pool->workers[k];
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!w->busy && !pool->over)
            pthread_cond_wait(&pool->given, &pool->lock);
        if (!w->busy)
            break;
        do_job(pool, w);
    }
    pthread_mutex_unlock(&pool->lock);
}

spn_status spn_pool_start(spn_pool **out, unsigned threads, spn_pool_work *work, void *context,
                          spn_error *err)
{
    *out = NULL;
    spn_pool *pool = spn_alloc(1, sizeof *pool + threads * sizeof(worker));
    SPN_NEED(pool, err, "the workers of a sweep");
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->given, NULL);
    pthread_cond_init(&pool->ended, &steady);
    pthread_condattr_destroy(&steady);
    pool->work = work;
    pool->context = context;
    pool->team = spn_team_create(threads + 1); /* this thread hands out jobs and does none */
    if (spn_team_threads(pool->team) <= threads) {
        spn_pool_end(pool, NULL);
        return spn_no_memory(err, "%u threads; give fewer", threads);
    }
    pool->threads = threads;
    spn_team_begin(pool->team, run_worker, pool, threads);
    *out = pool;
    return SPN_OK;
}

spn_status spn_pool_end(spn_pool *pool, spn_error *err)
{
    if (!pool)
        return SPN_OK;
    pthread_mutex_lock(&pool->lock);
    pool->over = true;
    pthread_cond_broadcast(&pool->given);
    pthread_mutex_unlock(&pool->lock);
    if (pool->threads)
        spn_team_finish(pool->team);
    spn_team_free(pool->team);
    const spn_status status = pool->status;
    if (status && err)
        *err = pool->error;
    pthread_cond_destroy(&pool->given);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    return status;
}

size_t spn_pool_wants(spn_pool *pool)
{
    size_t count = 0;
    pthread_mutex_lock(&pool->lock);
    for (unsigned k = 0; k < pool->threads && !pool->stop; k++)
        count += !pool->workers[k].busy;
    pthread_mutex_unlock(&pool->lock);
    return count;
}

void spn_pool_give(spn_pool *pool, size_t job, double cost)
{
    pthread_mutex_lock(&pool->lock);
    worker *w = pool->workers;
    while (w < pool->workers + pool->threads && w->busy)
        w++;
    assert(w < pool->workers + pool->threads);
    w->busy = true;
    w->job = job;
    w->cost = cost;
    w->done = 0;
    pthread_cond_broadcast(&pool->given); /* each worker checks whether it is meant */
    pthread_mutex_unlock(&pool->lock);
}

void spn_pool_wait(spn_pool *pool, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long nanoseconds = until.tv_nsec + (long)(1e9 * seconds);
    until.tv_sec += nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    pthread_mutex_lock(&pool->lock);
    while (!pool->news && pthread_cond_timedwait(&pool->ended, &pool->lock, &until) != ETIMEDOUT)
        ;
    pool->news = false;
    pthread_mutex_unlock(&pool->lock);
}

spn_pool_progress spn_pool_watch(spn_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    spn_pool_progress out = {
        .finished = pool->finished, .cost = pool->finished_cost, .stopped = pool->stop};
    for (unsigned k = 0; k < pool->threads; k++) {
        const worker *w = &pool->workers[k];
        double done;
        __atomic_load(&w->done, &done, __ATOMIC_RELAXED);
        out.running += w->busy;
        out.cost += w->begun ? done * w->cost : 0;
    }
    out.idle = out.running == 0;
    pthread_mutex_unlock(&pool->lock);
    return out;
}

void spn_pool_stop(spn_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    spn_stop_ask(&pool->stop);
    pthread_mutex_unlock(&pool->lock);
}
