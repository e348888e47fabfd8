/* Schedules for tests. */
#include "support/schedules.h"

#include "base/memory.h"
#include "support/test.h"
#include <stdlib.h>

static spn_schedule **kept;
static size_t kept_count, room;

static void free_kept(void)
{
    while (kept_count)
        spn_schedule_free(kept[--kept_count]);
    free(kept);
}

static const spn_schedule *keep(spn_schedule *schedule, spn_status status)
{
    assert_int_equal(status, SPN_OK);
    if (kept_count == 0)
        atexit(free_kept);
    assert_true(spn_grow(&kept, &room, kept_count + 1, sizeof *kept));
    kept[kept_count++] = schedule;
    return schedule;
}

const spn_schedule *spn_test_constant(double value)
{
    spn_schedule *s;
    const spn_status status = spn_schedule_constant(&s, value, NULL);
    return keep(s, status);
}

const spn_schedule *spn_test_linear(double start, double end)
{
    spn_schedule *s;
    const spn_status status = spn_schedule_linear(&s, start, end, NULL);
    return keep(s, status);
}

const spn_schedule *spn_test_quadratic(double start, double end)
{
    spn_schedule *s;
    const spn_status status = spn_schedule_create(&s, SPN_SCHEDULE_QUADRATIC, start, end, 0, NULL);
    return keep(s, status);
}

const spn_schedule *spn_test_exponential(double start, double end)
{
    spn_schedule *s;
    const spn_status status = spn_schedule_exponential(&s, start, end, NULL);
    return keep(s, status);
}

const spn_schedule *spn_test_logarithmic(double m, double C)
{
    spn_schedule *s;
    const spn_status status = spn_schedule_create(&s, SPN_SCHEDULE_LOGARITHMIC, m, C, 0, NULL);
    return keep(s, status);
}

const spn_schedule *spn_test_scoping(double start, double factor, uint64_t every)
{
    spn_schedule *s;
    const spn_status status =
        spn_schedule_create(&s, SPN_SCHEDULE_SCOPING, start, factor, every, NULL);
    return keep(s, status);
}

const spn_schedule *spn_test_pieces(const spn_piece *pieces, size_t count)
{
    spn_schedule *s;
    const spn_status status = spn_schedule_pieces(&s, pieces, count, NULL);
    return keep(s, status);
}
