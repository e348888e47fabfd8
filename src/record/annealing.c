/* A chain and its checkpoints. */
#include "record/annealing.h"

#include "base/clock.h"
#include "base/stop.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- checkpoints ---- */

static spn_status write_latest(spn_annealing *a, spn_error *err)
{
    spn_status status = spn_checkpoint_write(&a->latest, a->options.checkpoint, err);
    if (!status)
        a->saved_step = a->latest.step;
    a->written = spn_clock();
    return status;
}

/* The state: the size of the chain's part, the chain, what the keeper keeps. */
static spn_status join(spn_checkpoint *out, const void *chain, uint64_t chain_size,
                       const void *kept, size_t kept_size, spn_error *err)
{
    out->state_size = sizeof chain_size + chain_size + kept_size;
    unsigned char *bytes = malloc(out->state_size);
    if (!bytes)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a checkpoint");
    memcpy(bytes, &chain_size, sizeof chain_size);
    memcpy(bytes + sizeof chain_size, chain, chain_size);
    if (kept_size)
        memcpy(bytes + sizeof chain_size + chain_size, kept, kept_size);
    out->state = bytes;
    return SPN_OK;
}

/* Keep the state of this step, so that an interrupt at any later one loses little. */
static spn_status keep_state(spn_annealing *a, uint64_t step, spn_error *err)
{
    const spn_keeper *keeper = a->options.keeper;
    void *chain = NULL, *kept = NULL;
    size_t chain_size = 0, kept_size = 0;
    spn_checkpoint fresh = {.settings = a->latest.settings, .step = step};
    spn_status status = spn_chain_save(&chain, &chain_size, a->chain, err);
    if (!status && keeper)
        status = keeper->save(keeper->context, &kept, &kept_size, err);
    if (!status)
        status = join(&fresh, chain, chain_size, kept, kept_size, err);
    if (!status) {
        free(a->latest.state);
        a->latest = fresh;
    }
    free(chain);
    free(kept);
    return status;
}

/* Put a state into the chain and the keeper. */
static spn_status load_state(spn_annealing *a, const spn_checkpoint *saved, spn_error *err)
{
    const spn_keeper *keeper = a->options.keeper;
    const unsigned char *bytes = saved->state;
    uint64_t chain_size = 0;
    if (saved->state_size >= sizeof chain_size)
        memcpy(&chain_size, bytes, sizeof chain_size);
    if (saved->state_size < sizeof chain_size || chain_size > saved->state_size - sizeof chain_size)
        return spn_fail(err, SPN_ERROR_INPUT, "this is not the saved state of a chain");
    bytes += sizeof chain_size;
    spn_status status = spn_chain_load(a->chain, bytes, chain_size, err);
    if (!status && keeper)
        status = keeper->load(keeper->context, bytes + chain_size,
                              saved->state_size - sizeof chain_size - chain_size, err);
    return status;
}

/* Go on from the checkpoint, if there is one. */
static spn_status resume(spn_annealing *a, spn_error *err)
{
    const char *path = a->options.checkpoint;
    if (access(path, F_OK) != 0)
        return SPN_OK;
    spn_checkpoint saved;
    spn_status status = spn_checkpoint_read(&saved, path, err);
    if (status)
        return status;
    status = spn_checkpoint_match(&saved, a->options.settings, path, err);
    spn_error why = {0};
    if (!status && load_state(a, &saved, &why))
        status = spn_fail(err, SPN_ERROR_INPUT, "%s: %.400s", path, why.text);
    if (!status)
        a->resumed_step = a->saved_step = saved.step;
    spn_checkpoint_clear(&saved);
    return status;
}

static spn_status start(spn_annealing *a, spn_error *err)
{
    if (!a->options.checkpoint)
        return SPN_OK;
    spn_status status = resume(a, err);
    if (!status)
        status = keep_state(a, a->resumed_step, err);
    a->written = spn_clock();
    return status || a->options.pause > 0 ? status : write_latest(a, err);
}

/* After the end the checkpoint stays until what comes of the run is safe: the less is left to
   repeat, the better. */
static spn_status end(spn_annealing *a, spn_error *err)
{
    spn_snapshot snapshot;
    spn_status status = SPN_OK;
    const bool short_run = a->options.pause > 0 && a->seconds < a->options.pause;
    if (!a->options.checkpoint || (short_run && a->stop != SPN_STOP_REQUEST))
        return SPN_OK;
    spn_chain_snapshot(&snapshot, a->chain);
    if (spn_chain_can_save(a->chain))
        status = keep_state(a, snapshot.step, err);
    return status || a->latest.step == a->saved_step ? status : write_latest(a, err);
}

/* ---- the run ---- */

static spn_status observe(void *context, const spn_snapshot *snapshot, spn_error *err)
{
    spn_annealing *a = context;
    const spn_annealing_options *o = &a->options;
    const spn_chain_options *theirs = o->chain;
    const uint64_t step = snapshot->step;
    const bool due = theirs->observe_every == 0 || step % theirs->observe_every == 0;
    const bool last = step == theirs->steps || spn_stop_asked(theirs->stop);
    spn_status status = SPN_OK;
    if (theirs->observer && (due || last || step == 0))
        status = theirs->observer(theirs->observer_context, snapshot, err);
    if (status || !o->checkpoint || step % SPN_SAVE_STEPS != 0)
        return status;
    const bool write = step - a->saved_step >= o->every && spn_clock() - a->written >= o->pause;
    if (write || !spn_energy_saves_anywhere(
                     o->energy)) /* without refresh it can be saved at the stop itself */
        status = keep_state(a, step, err);
    return status || !write ? status : write_latest(a, err);
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

static uint64_t count_proposals(const spn_chain *chain)
{
    spn_snapshot snapshot;
    uint64_t count = 0;
    spn_chain_snapshot(&snapshot, chain);
    for (size_t a = 0; a < snapshot.replicas; a++)
        count += snapshot.proposals[a];
    return count;
}

/* A chain that was loaded does not show its start to the observer again. */
static spn_status show_start(spn_annealing *a, spn_error *err)
{
    const spn_chain_options *theirs = a->options.chain;
    spn_snapshot snapshot;
    spn_chain_snapshot(&snapshot, a->chain);
    if (snapshot.step == 0 || !theirs->observer)
        return SPN_OK;
    return theirs->observer(theirs->observer_context, &snapshot, err);
}

static spn_status make_chain(spn_annealing *a, spn_error *err)
{
    spn_chain_options ours = *a->options.chain;
    ours.observer = observe;
    ours.observer_context = a;
    ours.observe_every = common_divisor(SPN_SAVE_STEPS, ours.observe_every);
    return spn_chain_create(&a->chain, a->options.energy, &ours, err);
}

spn_status spn_annealing_run(spn_annealing *out, const spn_annealing_options *options,
                             spn_error *err)
{
    *out = (spn_annealing){.options = *options};
    if (out->options.every == 0)
        out->options.every = options->chain->steps / 20 + 1;
    if (options->settings && !(out->latest.settings = strdup(options->settings)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a checkpoint");
    spn_status status = make_chain(out, err);
    if (!status)
        status = start(out, err);
    if (!status)
        status = show_start(out, err);
    if (status)
        return status;
    const uint64_t before = count_proposals(out->chain);
    const double started = spn_clock();
    status = spn_chain_run(&out->stop, out->chain, err);
    out->seconds = spn_clock() - started;
    out->proposals = count_proposals(out->chain) - before;
    return status ? status : end(out, err);
}

void spn_annealing_clear(spn_annealing *annealing)
{
    spn_chain_free(annealing->chain);
    spn_checkpoint_clear(&annealing->latest);
    *annealing = (spn_annealing){0};
}

spn_status spn_annealing_forget(const char *checkpoint, spn_error *err)
{
    if (unlink(checkpoint) == 0 || errno == ENOENT)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_IO, "%s: cannot be removed: %s", checkpoint, strerror(errno));
}
