/* A ladder of chains, its checkpoints and its trace. */
#include "job/resumable_ladder.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- states ---- */

static spn_status no_memory(spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a checkpoint or a trace");
}

static uint64_t steps_done(const spn_resumable_ladder *r)
{
    spn_ladder_progress progress;
    spn_ladder_look(&progress, r->ladder);
    return progress.scan * progress.scan_steps;
}

static spn_status write_latest(spn_resumable_ladder *r, spn_error *err)
{
    const spn_status status = spn_checkpoint_write(&r->latest, r->options.checkpoint, err);
    if (!status)
        r->saved_step = r->latest.step;
    r->written = spn_clock();
    return status;
}

/* The state: the size of the ladder's part, the ladder, the rows of the trace. */
static spn_status join(spn_checkpoint *out, const void *ladder, uint64_t ladder_size,
                       const void *rows, size_t rows_size, spn_error *err)
{
    out->state_size = sizeof ladder_size + ladder_size + rows_size;
    unsigned char *bytes = out->state = malloc(out->state_size);
    if (!bytes)
        return no_memory(err);
    memcpy(bytes, &ladder_size, sizeof ladder_size);
    memcpy(bytes + sizeof ladder_size, ladder, ladder_size);
    if (rows_size)
        memcpy(bytes + sizeof ladder_size + ladder_size, rows, rows_size);
    return SPN_OK;
}

/* Keep the state of now, so that an interrupt at any later scan loses little. */
static spn_status keep_state(spn_resumable_ladder *r, spn_error *err)
{
    void *ladder = NULL, *rows = NULL;
    size_t ladder_size = 0, rows_size = 0;
    spn_checkpoint fresh = {.settings = r->latest.settings, .step = steps_done(r)};
    spn_status status = spn_sampler_save(&ladder, &ladder_size, r->ladder, err);
    if (status)
        goto cleanup;
    if (r->options.trace && (status = spn_trace_rows_save(&rows, &rows_size, &r->rows, err)))
        goto cleanup;
    if ((status = join(&fresh, ladder, ladder_size, rows, rows_size, err)))
        goto cleanup;
    free(r->latest.state);
    r->latest = fresh;
cleanup:
    spn_free(ladder);
    free(rows);
    return status;
}

/* Put a state into the ladder and the trace. */
static spn_status load_state(spn_resumable_ladder *r, const spn_checkpoint *saved, spn_error *err)
{
    const unsigned char *bytes = saved->state;
    uint64_t size = 0;
    if (saved->state_size >= sizeof size)
        memcpy(&size, bytes, sizeof size);
    if (saved->state_size < sizeof size || size > saved->state_size - sizeof size)
        return spn_fail(err, SPN_ERROR_INPUT, "this is not the saved state of a ladder");
    bytes += sizeof size;
    const spn_status status = spn_sampler_load(r->ladder, bytes, (size_t)size, err);
    if (status || !r->options.trace)
        return status;
    return spn_trace_rows_load(&r->rows, bytes + size,
                               saved->state_size - sizeof size - (size_t)size, err);
}

/* ---- the trace ---- */

static spn_status add_row(spn_resumable_ladder *r, const spn_progress *now, bool last,
                          spn_error *err)
{
    if (!r->options.trace || (!last && now->step / r->scan_steps % r->trace_scans != 0))
        return SPN_OK;
    return spn_trace_rows_add(&r->rows, now->state, true, err);
}

static spn_status start_trace(spn_resumable_ladder *r, uint64_t scans, spn_error *err)
{
    enum { ROWS = 500 };
    const spn_resumable_ladder_options *o = &r->options;
    spn_snapshot s;
    if (!o->trace)
        return SPN_OK;
    spn_ladder_walker(&s, r->ladder, 0);
    r->trace_scans = o->trace_steps ? o->trace_steps / r->scan_steps : scans / ROWS;
    r->trace_scans = r->trace_scans ? r->trace_scans : 1;
    r->rows = spn_trace_rows_start(s.replicas, scans * r->scan_steps, r->scan_steps);
    return spn_file_try(o->trace, err);
}

/* ---- start and end ---- */

/* Go on from the checkpoint, if there is one. */
static spn_status resume(spn_resumable_ladder *r, spn_error *err)
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

static spn_status start(spn_resumable_ladder *r, spn_error *err)
{
    r->written = spn_clock();
    if (!r->options.checkpoint)
        return SPN_OK;
    spn_status status = resume(r, err);
    if (!status)
        status = keep_state(r, err);
    return status || r->options.save_seconds > 0 ? status : write_latest(r, err);
}

static spn_status save_end(spn_resumable_ladder *r, spn_error *err)
{
    const spn_resumable_ladder_options *o = &r->options;
    const bool is_short = o->save_seconds > 0 && r->seconds < o->save_seconds;
    spn_status status = SPN_OK;
    if (!o->checkpoint || (is_short && r->stop != SPN_STOP_REQUEST))
        return SPN_OK;
    if (spn_sampler_can_save(r->ladder))
        status = keep_state(r, err);
    return status || r->latest.step == r->saved_step ? status : write_latest(r, err);
}

/* ---- the run ---- */

static spn_status save_if_due(spn_resumable_ladder *r, const spn_progress *now, spn_error *err)
{
    const spn_resumable_ladder_options *o = &r->options;
    if (!o->checkpoint || !spn_sampler_can_save(r->ladder))
        return SPN_OK;
    const uint64_t step = now->step;
    const bool by_time = o->until->seconds > 0 && o->save_seconds == 0;
    const double pause = by_time ? o->until->seconds / 20 : o->save_seconds;
    const uint64_t steps = by_time ? 1 : o->save_steps;
    const bool write = step - r->saved_step >= steps && spn_clock() - r->written >= pause;
    const bool keep = write || !spn_energy_saves_anywhere(o->energy);
    const spn_status status = keep ? keep_state(r, err) : SPN_OK;
    return status || !write ? status : write_latest(r, err);
}

static spn_status observe(void *context, const spn_progress *now, spn_error *err)
{
    spn_resumable_ladder *r = context;
    const spn_until *theirs = r->options.until;
    spn_status status = add_row(r, now, now->step == now->steps, err);
    if (!status && theirs->observer)
        status = theirs->observer(theirs->context, now, err);
    return status ? status : save_if_due(r, now, err);
}

static spn_status make_ladder(spn_resumable_ladder *r, spn_error *err)
{
    spn_ladder_progress progress;
    const spn_status status =
        spn_ladder_create(&r->ladder, r->options.energy, r->options.ladder, err);
    if (status)
        return status;
    spn_ladder_look(&progress, r->ladder);
    r->scan_steps = progress.scan_steps;
    if (r->options.save_steps == 0)
        r->options.save_steps =
            r->options.save_seconds > 0 ? 1 : progress.scans * progress.scan_steps / 20 + 1;
    return start_trace(r, progress.scans, err);
}

static spn_status run_ladder(spn_resumable_ladder *r, spn_error *err)
{
    spn_ladder_progress progress;
    spn_ladder_look(&progress, r->ladder);
    const uint64_t before = progress.proposals;
    const double started = spn_clock();
    spn_until ours = *r->options.until;
    ours.observer = observe;
    ours.context = r;
    ours.observe_every = 1;
    if (ours.seconds > 0)
        ours.seconds = fmax(ours.seconds - progress.seconds, 1e-9);
    const spn_status status = spn_sampler_run(&r->stop, r->ladder, &ours, err);
    spn_ladder_look(&progress, r->ladder);
    r->seconds = spn_clock() - started;
    r->proposals = progress.proposals - before;
    return status;
}

spn_status spn_resumable_ladder_run(spn_resumable_ladder *out,
                                    const spn_resumable_ladder_options *options, spn_error *err)
{
    spn_status status;
    *out = (spn_resumable_ladder){.options = *options};
    if (options->identity && !(out->latest.settings = strdup(options->identity)))
        return no_memory(err);
    if ((status = make_ladder(out, err)) || (status = start(out, err)) ||
        (status = run_ladder(out, err)) || (status = save_end(out, err)))
        return status;
    return options->trace ? spn_trace_rows_write(&out->rows, options->trace, err) : SPN_OK;
}

void spn_resumable_ladder_clear(spn_resumable_ladder *run)
{
    spn_sampler_free(run->ladder);
    spn_checkpoint_clear(&run->latest);
    spn_trace_rows_clear(&run->rows);
    *run = (spn_resumable_ladder){0};
}
