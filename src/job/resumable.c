/* A chain, its checkpoints and its trace. */
#include "job/resumable.h"

#include "base/clock.h"
#include "base/file.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- states ---- */

static spn_status no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a checkpoint");
}

static spn_status write_latest(spn_resumable *r, spn_error *err)
{
    const spn_status status = spn_checkpoint_write(&r->latest, r->options.checkpoint, err);
    if (!status)
        r->saved_step = r->latest.step;
    r->written = spn_clock();
    return status;
}

/* The state: the size of the chain's part, the chain, the rows of the trace. */
static spn_status join(spn_checkpoint *out, const void *chain, uint64_t chain_size,
                       const void *rows, size_t rows_size, spn_error *err)
{
    out->state_size = sizeof chain_size + chain_size + rows_size;
    unsigned char *bytes = malloc(out->state_size);
    if (!bytes)
        return no_memory(err);
    memcpy(bytes, &chain_size, sizeof chain_size);
    memcpy(bytes + sizeof chain_size, chain, chain_size);
    if (rows_size)
        memcpy(bytes + sizeof chain_size + chain_size, rows, rows_size);
    out->state = bytes;
    return SPN_OK;
}

/* Keep the state of this step, so that an interrupt at any later one loses little. */
static spn_status keep_state(spn_resumable *r, uint64_t step, spn_error *err)
{
    void *chain = NULL, *rows = NULL;
    size_t chain_size = 0, rows_size = 0;
    spn_checkpoint fresh = {.settings = r->latest.settings, .step = step};
    spn_status status = spn_sampler_save(&chain, &chain_size, r->chain, err);
    if (status)
        goto cleanup;
    if (r->options.trace && (status = spn_trace_rows_save(&rows, &rows_size, &r->rows, err)))
        goto cleanup;
    if ((status = join(&fresh, chain, chain_size, rows, rows_size, err)))
        goto cleanup;
    free(r->latest.state);
    r->latest = fresh;
cleanup:
    free(chain);
    free(rows);
    return status;
}

/* Put a state into the chain and the trace. */
static spn_status load_state(spn_resumable *r, const spn_checkpoint *saved, spn_error *err)
{
    const unsigned char *bytes = saved->state;
    uint64_t chain_size = 0;
    if (saved->state_size >= sizeof chain_size)
        memcpy(&chain_size, bytes, sizeof chain_size);
    if (saved->state_size < sizeof chain_size || chain_size > saved->state_size - sizeof chain_size)
        return spn_fail(err, SPN_ERROR_INPUT, "this is not the saved state of a chain");
    bytes += sizeof chain_size;
    const spn_status status = spn_sampler_load(r->chain, bytes, chain_size, err);
    if (status || !r->options.trace)
        return status;
    return spn_trace_rows_load(&r->rows, bytes + chain_size,
                               saved->state_size - sizeof chain_size - chain_size, err);
}

/* ---- start and end ---- */

/* Go on from the checkpoint, if there is one. */
static spn_status resume(spn_resumable *r, spn_error *err)
{
    const char *path = r->options.checkpoint;
    spn_checkpoint saved;
    spn_error why = {0};
    if (access(path, F_OK) != 0)
        return SPN_OK;
    spn_status status = spn_checkpoint_read(&saved, path, err);
    if (status)
        return status;
    status = spn_checkpoint_match(&saved, r->options.identity, path, err);
    if (!status && load_state(r, &saved, &why))
        status = spn_fail(err, why.status == SPN_ERROR_MEMORY ? why.status : SPN_ERROR_INPUT,
                          "%s: %.400s", path, why.text);
    if (!status)
        r->resumed_step = r->saved_step = saved.step;
    spn_checkpoint_clear(&saved);
    return status;
}

static spn_status start(spn_resumable *r, spn_error *err)
{
    spn_status status = spn_file_try(r->options.trace, err);
    r->written = spn_clock();
    if (status || !r->options.checkpoint)
        return status;
    status = resume(r, err);
    if (!status)
        status = keep_state(r, r->resumed_step, err);
    return status || r->options.save_seconds > 0 ? status : write_latest(r, err);
}

/* After the end the checkpoint stays until what comes of the run is safe: the less is left to
   repeat, the better. */
static spn_status save_end(spn_resumable *r, const spn_snapshot *snapshot, spn_error *err)
{
    const spn_resumable_options *o = &r->options;
    const bool is_short = o->save_seconds > 0 && r->seconds < o->save_seconds;
    spn_status status = SPN_OK;
    if (!o->checkpoint || (is_short && r->stop != SPN_STOP_REQUEST))
        return SPN_OK;
    if (spn_sampler_can_save(r->chain))
        status = keep_state(r, snapshot->step, err);
    return status || r->latest.step == r->saved_step ? status : write_latest(r, err);
}

/* The last row is not part of the checkpoint: a run that goes on has none there. */
static spn_status finish_trace(spn_resumable *r, const spn_snapshot *snapshot, spn_error *err)
{
    if (!r->options.trace)
        return SPN_OK;
    const spn_status status = spn_trace_rows_add(&r->rows, snapshot, true, err);
    return status ? status : spn_trace_rows_write(&r->rows, r->options.trace, err);
}

/* ---- the run ---- */

static spn_status observe(void *context, const spn_progress *progress, spn_error *err)
{
    spn_resumable *r = context;
    const spn_resumable_options *o = &r->options;
    const spn_until *theirs = o->until;
    const uint64_t step = progress->step, steps = o->chain->steps;
    const bool due =
        theirs->observe_every == 0 || step % theirs->observe_every == 0 ||
        (theirs->observe_also && step % theirs->observe_also == 0) ||
        (theirs->observe_seconds > 0 && spn_clock() - r->shown >= theirs->observe_seconds);
    const bool last = step == steps || spn_stop_asked(theirs->stop);
    spn_status status =
        o->trace ? spn_trace_rows_add(&r->rows, progress->state, false, err) : SPN_OK;
    if (!status && theirs->observer && (due || last || step == 0)) {
        status = theirs->observer(theirs->context, progress, err);
        r->shown = spn_clock();
    }
    if (status || !o->checkpoint || step % SPN_SAVE_STEPS != 0)
        return status;
    const bool by_time = steps == 0 && o->save_seconds == 0; /* the steps are not known */
    const double seconds = o->chain->stretch ? o->chain->seconds : theirs->seconds;
    const double pause = by_time ? seconds / 20 : o->save_seconds;
    const bool write = step - r->saved_step >= o->save_steps && spn_clock() - r->written >= pause;
    if (write || !spn_energy_saves_anywhere(
                     o->energy)) /* without refresh it can be saved at the stop itself */
        status = keep_state(r, step, err);
    return status || !write ? status : write_latest(r, err);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A chain that was loaded does not show its start to the observer again. */
static spn_status show_start(const spn_resumable *r, spn_error *err)
{
    const spn_until *theirs = r->options.until;
    spn_progress now;
    spn_sampler_look(&now, r->chain);
    if (now.step == 0 || !theirs->observer)
        return SPN_OK;
    return theirs->observer(theirs->context, &now, err);
}

static uint64_t count_proposals(const spn_sampler *chain)
{
    spn_snapshot snapshot;
    uint64_t count = 0;
    spn_chain_snapshot(&snapshot, chain);
    for (size_t a = 0; a < snapshot.replicas; a++)
        count += snapshot.proposals[a];
    return count;
}

static spn_status run_chain(spn_resumable *r, spn_error *err)
{
    const uint64_t before = count_proposals(r->chain);
    const double started = spn_clock();
    spn_until ours = *r->options.until;
    ours.observer = observe;
    ours.context = r;
    ours.observe_every = common_divisor(SPN_SAVE_STEPS, ours.observe_every);
    if (r->options.trace)
        ours.observe_every = common_divisor(ours.observe_every, r->rows.every);
    const spn_status status = spn_sampler_run(&r->stop, r->chain, &ours, err);
    r->seconds = spn_clock() - started;
    r->proposals = count_proposals(r->chain) - before;
    return status;
}

spn_status spn_resumable_run(spn_resumable *out, const spn_resumable_options *options,
                             spn_error *err)
{
    const spn_chain_options *chain = options->chain;
    spn_snapshot snapshot;
    spn_status status;
    *out = (spn_resumable){
        .options = *options,
        .rows = spn_trace_rows_start(chain->replicas, chain->steps, options->trace_steps)};
    if (options->save_steps == 0)
        out->options.save_steps = options->save_seconds > 0 ? 1 : chain->steps / 20 + 1;
    if (options->identity && !(out->latest.settings = strdup(options->identity)))
        return no_memory(err);
    if ((status = spn_chain_create(&out->chain, options->energy, chain, err)) ||
        (status = start(out, err)) || (status = show_start(out, err)) ||
        (status = run_chain(out, err)))
        return status;
    spn_chain_snapshot(&snapshot, out->chain);
    status = save_end(out, &snapshot, err);
    return status ? status : finish_trace(out, &snapshot, err);
}

void spn_resumable_clear(spn_resumable *run)
{
    spn_sampler_free(run->chain);
    spn_checkpoint_clear(&run->latest);
    spn_trace_rows_clear(&run->rows);
    *run = (spn_resumable){0};
}
