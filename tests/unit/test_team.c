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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_item_is_done_once),
                                       cmocka_unit_test(sleepers_are_woken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
