#include "chain/parts.h"

#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So that K times the longest part is a number of steps too. */
static uint64_t longest(size_t count)
{
    return INT64_MAX / (count * count);
}

static spn_status check_parts(const spn_chain_options *o, spn_error *err)
{
    enum { MOST = 65536 };
    uint64_t sum = 0;
    if (o->part_count > MOST)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "steps: %zu parts are more than %d", o->part_count,
                        MOST);
    if (o->part_count && !o->parts && !o->stretch)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "steps: the parts have no lengths");
    for (size_t k = 0; o->parts && k < o->part_count; k++) {
        if (o->parts[k] < 1 || o->parts[k] > longest(o->part_count))
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "steps: part %zu of %zu has %llu steps, not 1 to %llu", k + 1,
                            o->part_count, (unsigned long long)o->parts[k],
                            (unsigned long long)longest(o->part_count));
        sum += o->parts[k];
    }
    if (o->parts && o->steps && o->steps != sum)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "steps: %llu, but the parts have %llu",
                        (unsigned long long)o->steps, (unsigned long long)sum);
    return SPN_OK;
}

static spn_status check_stretch(const spn_chain_options *o, spn_error *err)
{
    if (o->stretch && (o->steps || o->parts))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a run that is stretched to a time makes its steps itself; give none");
    if (!o->stretch && o->seconds != 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "seconds: a chain has them if it is stretched; give a time limit to the "
                        "run (spn_until)");
    if (o->stretch && !(o->seconds > 0))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a run that is stretched needs its seconds");
    return SPN_OK;
}

spn_status spn_parts_init(spn_parts *out, spn_chain_options *options, spn_error *err)
{
    *out = (spn_parts){0};
    spn_status status = check_parts(options, err);
    if (!status)
        status = check_stretch(options, err);
    if (status)
        return status;
    out->count = options->part_count ? options->part_count
                 : options->stretch  ? SPN_STRETCHED_PARTS
                                     : 1;
    out->made = options->stretch ? 0 : out->count;
    if (!(out->steps = spn_alloc(out->count, sizeof *out->steps)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu parts", out->count);
    for (size_t k = 0; k < out->count; k++)
        out->steps[k] = options->stretch      ? 1
                        : options->part_count ? options->parts[k]
                                              : options->steps;
    options->steps = spn_parts_total(out);
    options->parts = NULL; /* they are the caller's */
    return SPN_OK;
}

void spn_parts_clear(spn_parts *parts)
{
    free(parts->steps);
    *parts = (spn_parts){0};
}

uint64_t spn_parts_left(const spn_parts *parts, uint64_t t)
{
    const uint64_t length = parts->steps[parts->now];
    assert(t >= parts->start);
    return length ? length - (t - parts->start) : UINT64_MAX;
}

bool spn_parts_enter(spn_parts *parts, uint64_t t)
{
    while (parts->now + 1 < parts->count && parts->now < parts->made &&
           t - parts->start >= parts->steps[parts->now]) {
        parts->start += parts->steps[parts->now];
        parts->now++;
    }
    return parts->now >= parts->made;
}

/* A pace that was measured while the machine was busy with something else says little of the next
   part. So a part is at most twice as long as the one before it, lest a stall puts most of the run
   into one part of the schedule; it may be far shorter, lest the time runs out before the end. */
static double longest_next(const spn_parts *parts)
{
    const double most = (double)(longest(parts->count) / 2);
    return parts->now == 0 ? most : fmin(2 * (double)parts->steps[parts->now - 1], most);
}

void spn_parts_settle(spn_parts *parts, double seconds_left)
{
    const double share = seconds_left / (double)(parts->count - parts->now);
    const double steps = fmin(fmax(floor(parts->pace * share), 1), longest_next(parts));
    assert(parts->now == parts->made && parts->pace >= 0);
    for (size_t k = parts->now; k < parts->count; k++)
        parts->steps[k] = (uint64_t)steps;
    parts->made++;
}

uint64_t spn_parts_total(const spn_parts *parts)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < parts->count; k++)
        sum += parts->steps[k];
    return parts->made == parts->count ? sum : 0;
}
