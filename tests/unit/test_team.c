/* Threads that share out short pieces of work: every item once, however many there are. */
#include "base/team.h"
#include "support/test.h"

#include <stdatomic.h>
#include <time.h>

enum { MOST_ITEMS = 300 };

static void count_item(void *context, size_t item)
{
    _Atomic unsigned *counts = context;
    assert_true(item < MOST_ITEMS);
    atomic_fetch_add(&counts[item], 1);
}

static void every_item_is_done_once(void **state)
{
    (void)state;
    for (unsigned threads = 2; threads <= 6; threads += 2) {
        static _Atomic unsigned counts[MOST_ITEMS];
        spn_team *team = spn_team_create(threads);
        unsigned before[MOST_ITEMS] = {0};
        assert_non_null(team);
        for (size_t i = 0; i < MOST_ITEMS; i++)
            atomic_store(&counts[i], 0);
        for (size_t round = 0; round < 3000; round++) {
            const size_t items = round * 7 % MOST_ITEMS + 1;
            spn_team_run(team, count_item, counts, items);
            for (size_t i = 0; i < items; i++)
                assert_int_equal(atomic_load(&counts[i]), ++before[i]);
        }
        spn_team_free(team);
    }
}

/* Long enough for the others, and for the caller, to fall asleep. */
static void nap(void *context, size_t item)
{
    const struct timespec time = {.tv_nsec = item % 2 ? 2000000 : 0};
    nanosleep(&time, NULL);
    count_item(context, item);
}

static void sleepers_are_woken(void **state)
{
    (void)state;
    _Atomic unsigned counts[MOST_ITEMS] = {0};
    spn_team *team = spn_team_create(3);
    assert_non_null(team);
    for (unsigned round = 1; round <= 20; round++) {
        nap(counts, 0);
        spn_team_run(team, nap, counts, 5);
        for (size_t i = 1; i < 5; i++)
            assert_int_equal(atomic_load(&counts[i]), round);
    }
    spn_team_free(team);
    spn_team_free(NULL);
}

/* Two halves: the others work while the caller does something else; and no team at all. */
static void begun_and_finished(void **state)
{
    (void)state;
    _Atomic unsigned counts[MOST_ITEMS] = {0};
    spn_team *team = spn_team_create(4);
    assert_non_null(team);
    assert_int_equal(spn_team_threads(team), 4);
    spn_team_begin(team, nap, counts, 3);
    while (atomic_load(&counts[0]) + atomic_load(&counts[1]) + atomic_load(&counts[2]) < 3)
        nap(counts, MOST_ITEMS - 1);
    spn_team_finish(team);
    spn_team_begin(team, nap, counts, 9);
    spn_team_finish(team);
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(atomic_load(&counts[i]), i < 3 ? 2 : 1);
    spn_team_free(team);
    assert_int_equal(spn_team_threads(NULL), 1);
    spn_team_run(NULL, count_item, counts, 9);
    assert_int_equal(atomic_load(&counts[8]), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_item_is_done_once),
                                       cmocka_unit_test(sleepers_are_woken),
                                       cmocka_unit_test(begun_and_finished)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
