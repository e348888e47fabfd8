#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "job/run.h"
#include "record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct watched {
    const spn_sampler_job *how;
    spn_sampler *sampler;
    const char *checkpoint, *trace; /* files; NULL: none */
    uint64_t fixed;                 /* steps between those always shown; 0: none */
    uint64_t resumed_step;          /* step it resumed at; 0: the start */
    uint64_t saved_step;            /* step of the checkpoint file */
    double written;                 /* clock time of the last write */
    bool patchy;                    /* at some steps it cannot be saved */
    bool unwritten;                 /* `latest` is newer than the file, even at the same step */
    spn_trace_rows rows;
    spn_checkpoint latest; /* last state that could be saved */
} watched;

static spn_status write_latest(watched *w, spn_error *err)
{
    const spn_status status = spn_checkpoint_write(&w->latest, w->checkpoint, err);
    if (!status) {
        w->saved_step = w->latest.step;
        w->unwritten = false;
    }
    w->written = spn_clock();
    return status;
}

/* The state holds the size of the sampler's part, the sampler, and the rows of the trace. */
static spn_status join(spn_checkpoint *out, const void *part, uint64_t part_size, const void *rows,
                       size_t rows_size, spn_error *err)
{
    out->state_size = sizeof part_size + part_size + rows_size;
    unsigned char *bytes = out->state = malloc(out->state_size);
    SPN_NEED(bytes, err, "a checkpoint");
    memcpy(bytes, &part_size, sizeof part_size);
    memcpy(bytes + sizeof part_size, part, part_size);
    if (rows_size)
        memcpy(bytes + sizeof part_size + part_size, rows, rows_size);
    return SPN_OK;
}

/* Keep the current state, so that an interrupt loses little. */
static spn_status keep_state(watched *w, spn_error *err)
{
    void *part = NULL, *rows = NULL;
    size_t part_size = 0, rows_size = 0;
    spn_checkpoint fresh = {.settings = w->latest.settings};
    spn_progress now;
    spn_status status;
    spn_sampler_look(&now, w->sampler);
    fresh.step = now.step;
    SPN_TRY_OR(cleanup, spn_sampler_save(&part, &part_size, w->sampler, err));
    if (w->trace)
        SPN_TRY_OR(cleanup, spn_trace_rows_save(&rows, &rows_size, &w->rows, err));
    SPN_TRY_OR(cleanup, join(&fresh, part, part_size, rows, rows_size, err));
    free(w->latest.state);
    w->latest = fresh;
    w->unwritten = true;
cleanup:
    SPN_FREE_ALL(part, rows);
    return status;
}

static spn_status load_state(watched *w, const spn_checkpoint *saved, spn_error *err)
{
    const unsigned char *bytes = saved->state;
    uint64_t size = 0;
    if (saved->state_size >= sizeof size)
        memcpy(&size, bytes, sizeof size);
    if (saved->state_size < sizeof size || size > saved->state_size - sizeof size)
        return spn_fail(err, SPN_ERROR_INPUT, "this is not a saved state");
    bytes += sizeof size;
    SPN_TRY(spn_sampler_load(w->sampler, bytes, (size_t)size, err));
    return w->trace ? spn_trace_rows_load(&w->rows, bytes + size,
                                          saved->state_size - sizeof size - (size_t)size, err)
                    : SPN_OK;
}

static spn_status resume(watched *w, spn_error *err)
{
    spn_checkpoint saved;
    spn_error why = {0};
    if (access(w->checkpoint, F_OK) != 0)
        return SPN_OK;
    SPN_TRY(spn_checkpoint_read(&saved, w->checkpoint, err));
    spn_status status = spn_checkpoint_match(&saved, w->latest.settings, w->checkpoint, err);
    if (!status && load_state(w, &saved, &why))
        status = spn_fail(err, why.status == SPN_ERROR_MEMORY ? why.status : SPN_ERROR_INPUT,
                          "%s: %.400s", w->checkpoint, why.text);
    if (!status)
        w->resumed_step = w->saved_step = saved.step;
    spn_checkpoint_clear(&saved);
    return status;
}

/* Steps between the moments that a watcher wants, in whole blocks. */
static uint64_t fixed_steps(uint64_t asked, const spn_progress *now)
{
    enum { MOMENTS = 128, UNKNOWN = 1 << 16 };
    if (asked == SPN_WATCH_SOME)
        asked = now->steps ? (now->steps + MOMENTS - 1) / MOMENTS : UNKNOWN;
    const uint64_t blocks = asked / now->block;
    return asked ? (blocks ? blocks : 1) * now->block : 0;
}

static spn_status start(watched *w, spn_error *err)
{
    const spn_run *run = w->how->run;
    spn_progress now;
    spn_sampler_look(&now, w->sampler);
    w->written = spn_clock();
    w->fixed = fixed_steps(run->watch_steps, &now);
    if (w->trace) {
        w->rows = spn_trace_rows_start(now.state ? now.state->replicas : 0, now.steps, now.block,
                                       run->trace_steps);
        SPN_TRY(spn_file_try(w->trace, err));
    }
    if (!w->checkpoint)
        return SPN_OK;
    w->latest.settings = spn_job_identity(w->how->job, w->how->plan, w->how->content);
    SPN_NEED(w->latest.settings, err, "the settings");
    SPN_TRY(resume(w, err));
    SPN_TRY(keep_state(w, err));
    return run->save_seconds > 0 ? SPN_OK : write_latest(w, err);
}

static void show(const watched *w, const spn_progress *now)
{
    spn_progress progress = *now;
    progress.due = w->fixed && now->step % w->fixed == 0;
    spn_meter_put(w->how->meter, w->how->work, now->share, progress);
}

/* By steps since the last write, or by time. */
static bool is_write_due(const watched *w, const spn_progress *now)
{
    enum { PARTS = 20 };
    const spn_run *run = w->how->run;
    const bool by_time = now->steps == 0 || w->how->seconds > 0;
    const double all = now->share > 0 ? now->seconds / now->share : PARTS; /* a guess */
    const double pause = run->save_seconds > 0             ? run->save_seconds
                         : by_time && run->save_steps == 0 ? all / PARTS
                                                           : 0;
    const uint64_t steps = run->save_steps                    ? run->save_steps
                           : run->save_seconds > 0 || by_time ? 1
                                                              : now->steps / PARTS + 1;
    return now->step - w->saved_step >= steps && spn_clock() - w->written >= pause;
}

static spn_status observe(void *context, const spn_progress *now, spn_error *err)
{
    watched *w = context;
    if (w->trace)
        SPN_TRY(spn_trace_rows_add(&w->rows, now, false, err));
    show(w, now);
    if (!w->checkpoint)
        return SPN_OK;
    if (!spn_sampler_can_save(w->sampler)) {
        w->patchy = true;
        return SPN_OK;
    }
    const bool write = is_write_due(w, now);
    if (write || w->patchy) /* others can be saved at the stop itself */
        SPN_TRY(keep_state(w, err));
    return write ? write_latest(w, err) : SPN_OK;
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

static spn_until until_of(watched *w, const spn_progress *now)
{
    enum { PROGRESS_STEPS = 1024 }; /* divides SPN_SAVE_STEPS */
    const spn_sampler_job *how = w->how;
    spn_until until = spn_until_defaults();
    until.stop = how->run->stop;
    until.seconds = how->seconds;
    if (how->seconds > 0 && how->in_all)
        until.seconds = fmax(how->seconds - now->seconds, 1e-9);
    if (!how->run->progress && !w->trace && !w->checkpoint)
        return until;
    until.observer = observe;
    until.context = w;
    until.observe_every = common_divisor(w->trace ? w->rows.every : 0, w->fixed);
    /* Without a state to show, as for reads, only checkpoints need steps. */
    const uint64_t rhythm = now->state ? PROGRESS_STEPS : how->run->save_steps;
    until.observe_also = now->block > 1 ? now->block : rhythm;
    until.observe_seconds = 0.1; /* if steps are slow */
    return until;
}

/* The checkpoint stays after the end until the results are safe, so that little is repeated after
   a kill. */
static spn_status save_end(watched *w, spn_stop stop, double seconds, spn_error *err)
{
    const double pause = w->how->run->save_seconds;
    if (!w->checkpoint || (seconds < pause && stop != SPN_STOP_REQUEST))
        return SPN_OK;
    if (spn_sampler_can_save(w->sampler))
        SPN_TRY(keep_state(w, err));
    return w->unwritten ? write_latest(w, err) : SPN_OK;
}

static spn_status run(watched *w, spn_ran *ran, spn_outcome *outcome, spn_error *err)
{
    spn_progress now;
    SPN_TRY(start(w, err));
    spn_sampler_look(&now, w->sampler);
    if (now.step > 0) /* a loaded sampler does not show its start again */
        show(w, &now);
    const spn_until until = until_of(w, &now);
    const uint64_t before = now.proposals;
    const double started = spn_clock();
    SPN_TRY(spn_sampler_run(&ran->stop, w->sampler, &until, err));
    outcome->seconds = spn_clock() - started;
    SPN_TRY(save_end(w, ran->stop, outcome->seconds, err));
    spn_sampler_look(&now, w->sampler);
    outcome->complete = ran->stop != SPN_STOP_REQUEST;
    outcome->step = now.step;
    outcome->proposals = now.proposals - before;
    outcome->resumed_step = w->resumed_step;
    outcome->saved_step = w->saved_step;
    /* The last row is not in the checkpoint, because a resumed run has none there. Rows are at
       whole blocks. */
    if (!w->trace)
        return SPN_OK;
    if (now.block == 1 || now.step == now.steps)
        SPN_TRY(spn_trace_rows_add(&w->rows, &now, true, err));
    return spn_trace_rows_write(&w->rows, w->trace, err);
}

spn_status spn_sampler_job_run(spn_ran *ran, spn_outcome *outcome, const spn_sampler_job *how,
                               spn_error *err)
{
    watched w = {.how = how,
                 .sampler = ran->sampler,
                 .checkpoint = how->run->checkpoint,
                 .trace = how->run->steps ? NULL : how->run->trace};
    const spn_status status = run(&w, ran, outcome, err);
    spn_checkpoint_clear(&w.latest);
    spn_trace_rows_clear(&w.rows);
    return status;
}
