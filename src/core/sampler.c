/* Shared by all samplers: run, watch, save and load. */
#include "core/sampler.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "core/archive.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- archives ---- */

void spn_archive_move(spn_archive *archive, void *data, size_t size)
{
    assert(!archive->bytes || archive->at <= archive->size);
    if (archive->bytes && size > spn_archive_left(archive))
        archive->is_short = true;
    if (size == 0 || archive->is_short)
        return;
    if (archive->reads)
        memcpy(data, archive->bytes + archive->at, size);
    else if (archive->bytes)
        memcpy(archive->bytes + archive->at, data, size);
    archive->at += size;
}

void spn_archive_size(spn_archive *archive, size_t *value)
{
    uint64_t wide = *value;
    SPN_VISIT(archive, wide);
    *value = (size_t)wide;
}

void spn_archive_flag(spn_archive *archive, bool *value)
{
    uint64_t wide = *value;
    SPN_VISIT(archive, wide);
    *value = wide != 0;
}

bool spn_archive_agrees(spn_archive *archive, const uint64_t *numbers, size_t count)
{
    bool same = true;
    for (size_t k = 0; k < count; k++) {
        uint64_t number = numbers[k];
        SPN_VISIT(archive, number);
        same = same && number == numbers[k];
    }
    return same && !archive->is_short;
}

#define NAME(value, name, word, ...) [SPN_KERNEL_##value] = word,
const spn_names spn_kernel_names = SPN_NAME_LIST("kernel", SPN_KERNELS(NAME, ));

static const volatile sig_atomic_t never = 0;

void spn_sampler_init(spn_sampler *sampler, const spn_sampler_type *type)
{
    assert(type->name && type->advance && type->ended && type->look && type->health);
    assert(type->visit && type->destroy);
    *sampler = (spn_sampler){.type = type,
                             .limit = 1,
                             .least = 1,
                             .stop = &never,
                             .clock = spn_clock,
                             .deadline = INFINITY};
}

double spn_sampler_seconds(const spn_sampler *sampler)
{
    const double running = sampler->began > 0 ? sampler->clock() - sampler->began : 0;
    return sampler->spent + running;
}

bool spn_sampler_is_halted(const spn_sampler *sampler)
{
    return spn_stop_asked(sampler->stop) ||
           (sampler->deadline < INFINITY && sampler->clock() >= sampler->deadline);
}

void spn_sampler_follow(spn_sampler *inner, const spn_sampler *outer)
{
    inner->stop = outer->stop;
    inner->deadline = outer->deadline;
}

static void adapt_limit(spn_sampler *sampler, uint64_t done, double seconds)
{
    const size_t most = (size_t)1 << 30;
    if (seconds > 0.01)
        sampler->limit = (size_t)(done / 2 < most ? (done + 1) / 2 : most);
    else if (seconds < 0.001 && sampler->limit < most)
        sampler->limit *= 2;
    if (sampler->limit < sampler->least)
        sampler->limit = sampler->least;
}

spn_status spn_sampler_advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    const uint64_t before = sampler->step;
    const double started = sampler->now;
    assert(most > 0 && sampler->limit > 0);
    SPN_TRY(sampler->type->advance(sampler, most < sampler->limit ? most : sampler->limit, err));
    assert(sampler->step >= before);
    sampler->now = sampler->clock();
    adapt_limit(sampler, sampler->step - before, sampler->now - started);
    return SPN_OK;
}

static spn_stop reached_stop(const spn_sampler *sampler)
{
    const spn_stop own = sampler->type->ended(sampler);
    if (own != SPN_STOP_NONE)
        return own;
    if (spn_stop_asked(sampler->stop))
        return SPN_STOP_REQUEST;
    return sampler->now >= sampler->deadline ? SPN_STOP_TIME : SPN_STOP_NONE;
}

/* Steps from `step` to the next multiple of `every`. */
static uint64_t until_multiple(uint64_t step, uint64_t every)
{
    return every ? every - step % every : UINT64_MAX;
}

/* Steps until the next check. */
static uint64_t steps_ahead(const spn_sampler *sampler, const spn_until *until, uint64_t end)
{
    uint64_t most = end - sampler->step;
    if (until->observer) {
        const uint64_t due = until_multiple(sampler->step, until->observe_every);
        const uint64_t also = until_multiple(sampler->step, until->observe_also);
        most = due < most ? due : most;
        most = also < most ? also : most;
    }
    return most;
}

static bool passed(uint64_t before, uint64_t after, uint64_t every)
{
    return every && before / every != after / every;
}

static spn_status observe(spn_sampler *sampler, const spn_until *until, bool due, spn_error *err)
{
    spn_progress progress;
    if (!until->observer)
        return SPN_OK;
    spn_sampler_look(&progress, sampler);
    progress.due = due;
    const spn_status status = until->observer(until->context, &progress, err);
    sampler->now = sampler->clock();
    return status;
}

static spn_status run(spn_stop *out, spn_sampler *sampler, const spn_until *until, spn_error *err)
{
    const uint64_t left = UINT64_MAX - sampler->step;
    const uint64_t end =
        until->steps && until->steps < left ? sampler->step + until->steps : UINT64_MAX;
    uint64_t seen_step = sampler->step;
    double seen = sampler->began;
    const bool is_start = !sampler->started;
    sampler->started = true;
    if (is_start)
        SPN_TRY(observe(sampler, until, true, err));
    while (!(*out = reached_stop(sampler)) && sampler->step < end) {
        const uint64_t before = sampler->step;
        SPN_TRY(spn_sampler_advance(sampler, steps_ahead(sampler, until, end), err));
        const bool due = passed(before, sampler->step, until->observe_every);
        if (!due && !passed(before, sampler->step, until->observe_also) &&
            !(until->observe_seconds > 0 && sampler->now - seen >= until->observe_seconds))
            continue;
        SPN_TRY(observe(sampler, until, due, err));
        seen_step = sampler->step;
        seen = sampler->now;
    }
    if (*out && sampler->type->check)
        SPN_TRY(sampler->type->check(sampler, err));
    return seen_step == sampler->step ? SPN_OK : observe(sampler, until, true, err);
}

spn_status spn_sampler_run(spn_stop *out, spn_sampler *sampler, const spn_until *given,
                           spn_error *err)
{
    spn_until until = spn_until_defaults();
    *out = SPN_STOP_NONE;
    assert(sampler->began == 0); /* an observer does not run it */
    SPN_TRY(spn_sized_take(&until, sizeof until, given, "spn_until_defaults", err));
    SPN_REFUSE_IF(!(until.seconds >= 0), err, "seconds: %g is not 0 or more", until.seconds);
    SPN_REFUSE_IF(sampler->endless && !until.steps && !(until.seconds > 0) && !until.stop, err,
                  "the run would never end: give steps, a target, patience or a time");
    sampler->now = sampler->began = sampler->clock();
    sampler->deadline = until.seconds > 0 ? sampler->began + until.seconds : INFINITY;
    sampler->stop = until.stop ? until.stop : &never;
    sampler->limit = sampler->least;
    const spn_status status = run(out, sampler, &until, err);
    sampler->spent = spn_sampler_seconds(sampler);
    sampler->began = 0;
    sampler->deadline = INFINITY;
    sampler->stop = &never;
    return status;
}

void spn_sampler_look_sized(spn_progress *out, size_t size, const spn_sampler *sampler)
{
    spn_progress now = {
        .step = sampler->step, .seconds = spn_sampler_seconds(sampler), .block = 1, .due = true};
    sampler->type->look(&now, sampler);
    if (sampler->began > 0 && sampler->deadline < INFINITY) {
        const double by_time =
            (sampler->clock() - sampler->began) / (sampler->deadline - sampler->began);
        now.share = fmax(now.share, fmin(by_time, 1));
    }
    assert(now.share >= 0 && now.share <= 1 && now.block >= 1);
    spn_sized_give(out, size, &now, sizeof now);
}

spn_health spn_sampler_health(const spn_sampler *sampler)
{
    return sampler->type->health(sampler);
}

enum { FORM = 1 };

static spn_status not_the_state(const spn_sampler *sampler, spn_error *err)
{
    return spn_refuse(err, "this is not the saved state of a %s", sampler->type->name);
}

spn_status spn_sampler_visited(const spn_sampler *sampler, const spn_archive *archive,
                               spn_error *err)
{
    return archive->is_short ? not_the_state(sampler, err) : SPN_OK;
}

spn_status spn_sampler_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    const uint64_t identity =
        XXH3_64bits_withSeed(sampler->type->name, strlen(sampler->type->name), FORM);
    double spent = spn_sampler_seconds(sampler);
    if (!spn_archive_agrees(archive, &identity, 1))
        return not_the_state(sampler, err);
    SPN_VISIT(archive, sampler->step);
    spn_archive_flag(archive, &sampler->started);
    SPN_VISIT(archive, spent);
    if (!(spent >= 0 && isfinite(spent)))
        return not_the_state(sampler, err);
    if (spn_archive_reads(archive))
        sampler->spent = spent;
    SPN_TRY(sampler->type->visit(sampler, archive, err));
    return spn_sampler_visited(sampler, archive, err);
}

bool spn_sampler_can_save(const spn_sampler *sampler)
{
    return !sampler->type->can_save || sampler->type->can_save(sampler);
}

static spn_status write_state(void **out, size_t *size, const spn_sampler *sampler, spn_error *err)
{
    spn_sampler *own = (spn_sampler *)sampler; /* measuring and writing change nothing */
    spn_archive archive = {0};
    SPN_TRY(spn_sampler_visit(own, &archive, err));
    archive = (spn_archive){.bytes = malloc(archive.at), .size = archive.at};
    SPN_NEED(archive.bytes, err, "the state of a %s", sampler->type->name);
    const spn_status status = spn_sampler_visit(own, &archive, err);
    assert(status || (!archive.is_short && archive.at == archive.size));
    if (status) {
        free(archive.bytes);
        return status;
    }
    *out = archive.bytes;
    *size = archive.size;
    return SPN_OK;
}

spn_status spn_sampler_save(void **out, size_t *size, const spn_sampler *sampler, spn_error *err)
{
    *out = NULL;
    *size = 0;
    SPN_REFUSE_IF(!spn_sampler_can_save(sampler), err,
                  "a %s of this energy can be saved every %d steps or so, not at step %llu",
                  sampler->type->name, SPN_SAVE_STEPS, (unsigned long long)sampler->step);
    return write_state(out, size, sampler, err);
}

static spn_status read_state(spn_sampler *sampler, const void *data, size_t size, spn_error *err)
{
    spn_archive archive = {.reads = true, .bytes = (unsigned char *)data, .size = size};
    SPN_TRY(spn_sampler_visit(sampler, &archive, err));
    return archive.at == size ? SPN_OK : not_the_state(sampler, err);
}

spn_status spn_sampler_load(spn_sampler *sampler, const void *data, size_t size, spn_error *err)
{
    void *before = NULL;
    size_t before_size = 0;
    SPN_TRY(write_state(&before, &before_size, sampler, err));
    const spn_status status = read_state(sampler, data, size, err);
    if (status)
        (void)read_state(sampler, before, before_size, NULL);
    free(before);
    return status;
}

void spn_sampler_free(spn_sampler *sampler)
{
    if (sampler)
        sampler->type->destroy(sampler);
}
