#include "chain/parts.h"

#include "base/clock.h"
#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* K times the longest part must still be a number of steps. */
static uint64_t longest(size_t count)
{
    return INT64_MAX / (count * count);
}

static spn_status check_parts(const spn_chain_options *o, spn_error *err)
{
    enum { MOST = 65536 };
    uint64_t sum = 0;
    SPN_REFUSE_IF(o->part_count > MOST, err, "steps: %zu parts are more than %d", o->part_count,
                  MOST);
    SPN_REFUSE_IF(o->part_count && !o->parts && !o->stretch, err,
                  "steps: the parts have no lengths");
    for (size_t k = 0; o->parts && k < o->part_count; k++) {
        SPN_REFUSE_IF(o->parts[k] < 1 || o->parts[k] > longest(o->part_count), err,
                      "steps: part %zu of %zu has %llu steps, not 1 to %llu", k + 1, o->part_count,
                      (unsigned long long)o->parts[k], (unsigned long long)longest(o->part_count));
        sum += o->parts[k];
    }
    SPN_REFUSE_IF(o->parts && o->steps && o->steps != sum, err,
                  "steps: %llu, but the parts have %llu", (unsigned long long)o->steps,
                  (unsigned long long)sum);
    return SPN_OK;
}

spn_status spn_parts_init(spn_parts *out, spn_chain_options *options, spn_error *err)
{
    *out = (spn_parts){0};
    SPN_TRY(check_parts(options, err));
    SPN_REFUSE_IF(options->stretch && (options->steps || options->parts), err,
                  "a run that is stretched to a time makes its steps itself; give none");
    SPN_REFUSE_IF(!options->stretch && options->seconds != 0, err,
                  "seconds: a chain has them if it is stretched; give a time limit to "
                  "the run (spn_until)");
    SPN_REFUSE_IF(options->stretch && !(options->seconds > 0), err,
                  "a run that is stretched needs its seconds");
    out->count = options->part_count ? options->part_count
                 : options->stretch  ? SPN_STRETCHED_PARTS
                                     : 1;
    out->made = options->stretch ? 0 : out->count;
    out->seconds = options->stretch ? options->seconds : 0;
    if (!(out->steps = spn_alloc(out->count, sizeof *out->steps)))
        return spn_no_memory(err, "%zu parts", out->count);
    for (size_t k = 0; k < out->count; k++)
        out->steps[k] = options->stretch      ? 1
                        : options->part_count ? options->parts[k]
                                              : options->steps;
    options->steps = spn_parts_total(out);
    options->parts = NULL; /* it belongs to the caller */
    return SPN_OK;
}

void spn_parts_clear(spn_parts *parts)
{
    free(parts->steps);
    *parts = (spn_parts){0};
}

spn_status spn_shared_parts_init(spn_shared_parts *out, const spn_chain_options *options,
                                 double rounds, double groups, spn_error *err)
{
    spn_chain_options o = *options;
    assert(rounds >= 1 && groups >= 1);
    SPN_TRY(spn_parts_init(&out->parts, &o, err));
    pthread_mutex_init(&out->lock, NULL);
    out->rounds = rounds;
    out->groups = groups;
    return SPN_OK;
}

void spn_shared_parts_clear(spn_shared_parts *shared)
{
    if (shared->parts.steps)
        pthread_mutex_destroy(&shared->lock);
    spn_parts_clear(&shared->parts);
}

bool spn_shared_parts_are_made(spn_shared_parts *shared)
{
    pthread_mutex_lock(&shared->lock);
    const bool made = shared->parts.made == shared->parts.count;
    pthread_mutex_unlock(&shared->lock);
    return made;
}

uint64_t spn_parts_left(const spn_parts *parts, uint64_t t)
{
    const uint64_t length = parts->steps[parts->now];
    assert(t >= parts->start);
    return length ? length - (t - parts->start) : UINT64_MAX;
}

/* Take over what others have settled. Needs the lock. */
static void copy_shared(spn_parts *parts)
{
    const spn_parts *all = &parts->shared->parts;
    assert(all->count == parts->count && all->made >= parts->made);
    memcpy(parts->steps + parts->made, all->steps + parts->made,
           (all->count - parts->made) * sizeof *all->steps);
    parts->made = all->made;
}

bool spn_parts_enter(spn_parts *parts, uint64_t t)
{
    while (parts->now + 1 < parts->count && parts->now < parts->made &&
           t - parts->start >= parts->steps[parts->now]) {
        parts->start += parts->steps[parts->now];
        parts->now++;
    }
    if (parts->now >= parts->made && parts->shared) {
        pthread_mutex_lock(&parts->shared->lock);
        copy_shared(parts);
        pthread_mutex_unlock(&parts->shared->lock);
    }
    return parts->now >= parts->made;
}

uint64_t spn_parts_total(const spn_parts *parts)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < parts->count; k++)
        sum += parts->steps[k];
    return parts->made == parts->count ? sum : 0;
}

bool spn_parts_are_done(const spn_parts *parts, uint64_t t)
{
    return parts->made == parts->count && parts->now + 1 == parts->count &&
           spn_parts_left(parts, t) == 0;
}

double spn_parts_share(const spn_parts *parts, uint64_t t)
{
    const double in_part = (double)(t - parts->start) / (double)parts->steps[parts->now];
    return fmin(((double)parts->now + in_part) / (double)parts->count, 1);
}

static bool is_repeated(const spn_parts *parts)
{
    return parts->shared && parts->shared->rounds > 1;
}

/* A pace measured while the machine was busy says little about the next part. So a part is at most
   twice as long as the one before: a stall must not put most of the run into one part of the
   schedule. It may be far shorter, so that the time suffices. But if other runs repeat the lengths,
   it is at least half as long: a stall in the first of many runs matters little, a wrong length for
   all of them matters a lot. */
static double bound_length(const spn_parts *parts, double steps, bool repeated)
{
    const double most = (double)(longest(parts->count) / 2);
    const double last = parts->now > 0 ? (double)parts->steps[parts->now - 1] : most;
    steps = repeated && parts->now > 0 ? fmax(steps, last / 2) : steps;
    return fmin(fmax(floor(steps), 1), fmin(2 * last, most));
}

/* Settle the current part, and plan the others alike. If a stall has used up the time, the rest
   takes a little more: a run that ends in single steps is a quench. */
static void settle(spn_parts *parts, double pace, double seconds, double spent, bool repeated)
{
    const double parts_left = (double)(parts->count - parts->now);
    const double least = (repeated ? 0.5 : 0.08) * seconds * parts_left / (double)parts->count;
    const double steps = pace * fmax(seconds - spent, least) / parts_left;
    assert(parts->now == parts->made && pace >= 0);
    const uint64_t length = (uint64_t)bound_length(parts, steps, repeated);
    for (size_t k = parts->now; k < parts->count; k++)
        parts->steps[k] = length;
    parts->made++;
}

static void settle_for_all(spn_parts *parts, double spent)
{
    spn_shared_parts *shared = parts->shared;
    pthread_mutex_lock(&shared->lock);
    if (shared->parts.made == parts->now) {
        shared->parts.now = parts->now;
        settle(&shared->parts, parts->pace, parts->seconds, spent, is_repeated(parts));
    }
    copy_shared(parts);
    pthread_mutex_unlock(&shared->lock);
}

/* Steps in growing blocks, for a hundredth of the time; they count as part 0. */
static spn_status make_trial(spn_parts *parts, spn_sampler *sampler, spn_error *err)
{
    const double share = 0.01, short_block = 0.001, began = sampler->clock();
    const uint64_t first = sampler->step;
    uint64_t most = 1;
    double now = began;
    parts->steps[0] = INT64_MAX / parts->count;
    parts->made = 1;
    do {
        const double from = now;
        SPN_TRY(sampler->type->advance(sampler, most, err));
        now = sampler->clock();
        most = now - from < short_block ? 2 * most : most;
    } while (!sampler->type->ended(sampler) && !spn_stop_asked(sampler->stop) &&
             sampler->step - first < SPN_SAVE_STEPS / 2 && now - began < share * parts->seconds);
    parts->pace = (double)(sampler->step - first) / fmax(now - began, 1e-9);
    return SPN_OK;
}

/* Measure the pace of the first steps, and go back to the start. */
static spn_status try_pace(spn_parts *parts, spn_sampler *sampler, spn_error *err)
{
    const double spent = sampler->spent; /* the trial counts as part of the time */
    void *state;
    size_t size;
    assert(parts->now == 0 && parts->made == 0);
    SPN_TRY(spn_sampler_save(&state, &size, sampler, err));
    spn_status status = make_trial(parts, sampler, err);
    const double pace = parts->pace;
    spn_archive own = {.reads = true, .bytes = state, .size = size, .trusted = true};
    if (!status)
        status = spn_sampler_visit(sampler, &own, err);
    parts->pace = pace;
    sampler->spent = spent;
    free(state);
    return status;
}

/* The steps so far, of all runs that share the parts. */
static uint64_t count_steps(spn_parts *parts, const spn_sampler *sampler)
{
    spn_shared_parts *shared = parts->shared;
    if (!shared)
        return sampler->step;
    pthread_mutex_lock(&shared->lock);
    shared->made += sampler->step > parts->told ? sampler->step - parts->told : 0;
    const uint64_t made = shared->made;
    pthread_mutex_unlock(&shared->lock);
    parts->told = sampler->step;
    return made;
}

/* Time the part that ends now by the seconds its own sampler ran, over all pieces if it runs in
   pieces. The pace is the mean of all runs side by side: the fastest settles the parts, and others
   may have had less processor time. */
static void measure_pace(spn_parts *parts, const spn_sampler *sampler)
{
    const double now = spn_sampler_seconds(sampler);
    const double groups = parts->shared ? parts->shared->groups : 1;
    const uint64_t made = count_steps(parts, sampler);
    if (made > parts->first && now > parts->begun)
        parts->pace = (double)(made - parts->first) / groups / (now - parts->begun);
    parts->begun = now;
    parts->first = made;
}

spn_status spn_parts_begin(spn_parts *parts, spn_sampler *sampler, spn_error *err)
{
    const size_t before = parts->now, made = parts->made;
    const bool waits = spn_parts_enter(parts, sampler->step);
    if (parts->shared)
        count_steps(parts, sampler);
    if (parts->seconds == 0 || (parts->now == before && parts->made == made && !waits))
        return SPN_OK;
    measure_pace(parts, sampler);
    if (!waits)
        return SPN_OK;
    if (sampler->step == 0)
        SPN_TRY(try_pace(parts, sampler, err));
    const double spent = spn_sampler_seconds(sampler);
    if (parts->shared)
        settle_for_all(parts, spent);
    else
        settle(parts, parts->pace, parts->seconds, spent, false);
    parts->begun = spent;
    parts->first = count_steps(parts, sampler);
    return SPN_OK;
}

bool spn_parts_are_late(const spn_parts *parts, const spn_sampler *sampler)
{
    const double grace = 1.25, least = 0.1, seconds = parts->seconds;
    return seconds > 0 && sampler->step > 0 && !is_repeated(parts) &&
           spn_sampler_seconds(sampler) >= fmax(grace * seconds, seconds + least);
}

static bool are_parts(const spn_parts *parts)
{
    bool good = parts->made <= parts->count && isfinite(parts->pace) && parts->pace >= 0;
    for (size_t k = 0; k < parts->count && good; k++)
        good = parts->steps[k] >= 1 && parts->steps[k] <= longest(parts->count);
    return good;
}

spn_status spn_parts_visit(spn_parts *parts, uint64_t step, spn_archive *archive, spn_error *err)
{
    if (parts->seconds > 0) { /* otherwise they are in the options */
        spn_archive_size(archive, &parts->made);
        SPN_VISIT(archive, parts->pace);
        SPN_VISIT_ARRAY(archive, parts->steps, parts->count);
    }
    if (!spn_archive_reads(archive))
        return SPN_OK;
    SPN_REFUSE_IF(!archive->is_short && parts->seconds > 0 && !are_parts(parts), err,
                  "the saved state has a part of no length");
    parts->now = 0;
    parts->start = 0;
    parts->begun = 0; /* the next pace is that of the whole run so far */
    parts->first = parts->told = 0;
    spn_parts_enter(parts, step);
    return SPN_OK;
}
