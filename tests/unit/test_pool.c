/* Workers: every job done once, as many at a time as there are threads; stops and errors. Also the
   test to run under ThreadSanitizer. */
#include "support/scratch.h"
#include "sweep/running.h"

#include <string.h>
#include <time.h>

enum { JOBS = 500 };

/* What the jobs of a test do, and what they saw. */
typedef struct plan {
    int done[JOBS];
    int running, most;    /* at the same time */
    size_t failing;       /* the job that fails; JOBS: none */
    bool until_told;      /* jobs go on until they are told to stop */
    bool wait_for_others; /* until two are running */
} plan;

static void pause_shortly(void)
{
    const struct timespec pause = {.tv_nsec = 100000};
    nanosleep(&pause, NULL);
}

static bool is_told(const spn_pool_job *job)
{
    return __atomic_load_n(job->stop, __ATOMIC_RELAXED) != 0;
}

static void show(const spn_pool_job *job, double share)
{
    __atomic_store(job->done, &share, __ATOMIC_RELAXED);
}

static spn_status work(void *context, bool *complete, const spn_pool_job *job, spn_error *err)
{
    plan *p = context;
    const int running = __atomic_add_fetch(&p->running, 1, __ATOMIC_SEQ_CST);
    int most = __atomic_load_n(&p->most, __ATOMIC_SEQ_CST);
    while (running > most && !__atomic_compare_exchange_n(&p->most, &most, running, false,
                                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    while (p->wait_for_others && __atomic_load_n(&p->most, __ATOMIC_SEQ_CST) < 2)
        pause_shortly();
    show(job, 0.5);
    while (p->until_told && !is_told(job))
        pause_shortly();
    spn_status status = SPN_OK;
    if (job->job == p->failing)
        status = spn_fail(err, SPN_ERROR_INPUT, "job %zu fails", job->job);
    *complete = !status && !is_told(job);
    __atomic_add_fetch(&p->done[job->job], *complete, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&p->running, 1, __ATOMIC_SEQ_CST);
    return status;
}

static spn_pool *start(unsigned threads, plan *p)
{
    spn_error err = {0};
    spn_pool *pool;
    assert_ok(spn_pool_start(&pool, threads, work, p, &err), err);
    return pool;
}

/* Give jobs until all are given or nothing is wanted any more, and wait for them. */
static spn_pool_progress hand_out(spn_pool *pool, size_t jobs)
{
    size_t next = 0;
    for (;;) {
        for (size_t wants = spn_pool_wants(pool); wants > 0 && next < jobs; wants--)
            spn_pool_give(pool, next++, 2);
        const spn_pool_progress progress = spn_pool_watch(pool);
        assert_true(progress.finished + progress.running <= next);
        if (progress.idle && (next == jobs || progress.stopped))
            return progress;
        spn_pool_wait(pool, 0.1);
    }
}

static void test_every_job_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        plan p = {.failing = JOBS};
        spn_error err = {0};
        spn_pool *pool = start(threads, &p);
        const spn_pool_progress end = hand_out(pool, JOBS);
        assert_int_equal(end.finished, JOBS);
        assert_true(end.cost == 2.0 * JOBS);
        assert_ok(spn_pool_end(pool, &err), err);
        for (size_t k = 0; k < JOBS; k++)
            assert_int_equal(p.done[k], 1);
        assert_true(p.most >= 1 && p.most <= (int)threads);
    }
}

static void test_side_by_side(void **state)
{
    (void)state;
    plan p = {.failing = JOBS, .wait_for_others = true};
    spn_error err = {0};
    spn_pool *pool = start(2, &p);
    assert_int_equal(hand_out(pool, 20).finished, 20);
    assert_ok(spn_pool_end(pool, &err), err);
    assert_int_equal(p.most, 2);
}

static void test_wants(void **state)
{
    (void)state;
    plan p = {.failing = JOBS, .until_told = true};
    spn_error err = {0};
    spn_pool *pool = start(3, &p);
    assert_int_equal(spn_pool_wants(pool), 3);
    spn_pool_give(pool, 0, 1);
    assert_int_equal(spn_pool_wants(pool), 2);
    spn_pool_give(pool, 1, 1);
    spn_pool_give(pool, 2, 1);
    assert_int_equal(spn_pool_wants(pool), 0);
    assert_int_equal(spn_pool_watch(pool).running, 3);
    while (spn_pool_watch(pool).cost < 1.5) /* halves of three jobs */
        spn_pool_wait(pool, 0.01);
    assert_true(spn_pool_watch(pool).cost == 1.5);
    spn_pool_stop(pool);
    assert_int_equal(spn_pool_wants(pool), 0);
    assert_ok(spn_pool_end(pool, &err), err);
    for (size_t k = 0; k < 3; k++)
        assert_int_equal(p.done[k], 0); /* stopped, not complete */
}

static void test_stop(void **state)
{
    (void)state;
    plan p = {.failing = JOBS, .until_told = true};
    spn_error err = {0};
    spn_pool *pool = start(2, &p);
    spn_pool_give(pool, 0, 1);
    spn_pool_give(pool, 1, 1);
    spn_pool_stop(pool);
    while (!spn_pool_watch(pool).idle)
        spn_pool_wait(pool, 0.1);
    assert_true(spn_pool_watch(pool).stopped);
    assert_int_equal(spn_pool_watch(pool).finished, 0);
    assert_ok(spn_pool_end(pool, &err), err);
}

/* The first error stops everybody and is the one that is returned. */
static void test_error(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        plan p = {.failing = 100};
        spn_error err = {0};
        spn_pool *pool = start(threads, &p);
        const spn_pool_progress end = hand_out(pool, JOBS);
        assert_true(end.stopped);
        assert_true(end.finished < JOBS);
        assert_error(spn_pool_end(pool, &err), &err, SPN_ERROR_INPUT, "job 100 fails", "");
        assert_int_equal(p.done[JOBS - 1], 0);
        unsigned done = 0;
        for (size_t k = 0; k < 100; k++)
            done += (unsigned)p.done[k];
        assert_true(done >= 100 - (threads - 1)); /* the others may have been running */
    }
}

/* Jobs that were given are done before the end. */
static void test_end_waits(void **state)
{
    (void)state;
    plan p = {.failing = JOBS};
    spn_error err = {0};
    spn_pool *pool = start(2, &p);
    spn_pool_give(pool, 0, 1);
    spn_pool_give(pool, 1, 1);
    assert_ok(spn_pool_end(pool, &err), err);
    assert_int_equal(p.done[0] + p.done[1], 2);
    assert_ok(spn_pool_end(NULL, &err), err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_job_once), cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_wants),          cmocka_unit_test(test_stop),
        cmocka_unit_test(test_error),          cmocka_unit_test(test_end_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
