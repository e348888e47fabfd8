/* The chain of a job. */
#include "task/chain_job.h"
#include "record/record.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/try.h"
#include "job/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A chain on its way: what its observer needs. */
typedef struct watched {
    const spn_chain_job *how;
    uint64_t steps;
    double started, seconds; /* 0: as many as it takes */
    uint64_t every;          /* steps, between those that are seen in any case; 0: none are */
} watched;

static uint64_t watch_steps(uint64_t asked, uint64_t steps)
{
    enum { MOMENTS = 128, UNKNOWN = 1 << 16 };
    if (asked != SPN_WATCH_SOME)
        return asked;
    return steps ? (steps + MOMENTS - 1) / MOMENTS : UNKNOWN;
}

static spn_status observe(void *context, const spn_progress *now, spn_error *err)
{
    const watched *w = context;
    const spn_snapshot *snapshot = now->state;
    (void)err;
    const double by_steps = w->steps ? (double)snapshot->step / (double)w->steps : 0;
    const double by_time = w->seconds > 0 ? (spn_clock() - w->started) / w->seconds : 0;
    const spn_run_progress progress = {.snapshot = snapshot,
                                       .fixed = w->every && snapshot->step % w->every == 0};
    spn_meter_put(w->how->meter, w->how->work, fmin(fmax(by_steps, by_time), 1), progress);
    return SPN_OK;
}

static spn_status run_with(spn_resumable *out, const spn_chain_job *how, const char *identity,
                           spn_error *err)
{
    enum { PROGRESS_STEPS = 1024 };
    const double progress_seconds = 0.1; /* where steps are slow */
    const spn_run *run = how->run;
    const bool whole = run->steps == 0;
    spn_chain_options chain = how->chain->options;
    if (!whole) {
        chain.steps = run->steps;
        chain.part_count = 0;
        chain.stretch = 0;
        chain.seconds = 0;
    }
    const uint64_t every = watch_steps(run->watch_steps, chain.steps);
    watched w = {how, chain.steps, spn_clock(), chain.stretch ? chain.seconds : how->chain->seconds,
                 every};
    spn_until until = spn_until_defaults();
    until.stop = run->stop;
    until.seconds = how->chain->seconds;
    until.observer = observe;
    until.context = &w;
    until.observe_every = PROGRESS_STEPS;
    until.observe_also = every;
    until.observe_seconds = progress_seconds;
    const spn_resumable_options options = {.energy = how->energy,
                                           .chain = &chain,
                                           .until = &until,
                                           .identity = identity,
                                           .checkpoint = run->checkpoint,
                                           .save_steps = run->save_steps,
                                           .save_seconds = run->save_seconds,
                                           .trace = whole ? run->trace : NULL,
                                           .trace_steps = run->trace_steps};
    const spn_status status = spn_resumable_run(out, &options, err);
    out->options = (spn_resumable_options){0}; /* what it borrowed ends here */
    return status;
}

/* The lines of the task's own, and the states that the chain starts from; to be freed. */
static char *content_of(const spn_chain_job *how)
{
    const size_t sites = spn_energy_sites(how->energy), replicas = how->chain->options.replicas;
    const int8_t *states = how->chain->options.given;
    char start[48] = "", *text = NULL;
    if (states)
        snprintf(start, sizeof start, "init_checksum \"%016" PRIx64 "\"\n",
                 XXH3_64bits(states, replicas * sites));
    return asprintf(&text, "%s%s", how->content, start) < 0 ? NULL : text;
}

spn_status spn_chain_job_run(spn_resumable *out, spn_outcome *outcome, const spn_chain_job *how,
                             spn_error *err)
{
    spn_snapshot snapshot;
    *out = (spn_resumable){0};
    char *identity = NULL;
    if (how->run->checkpoint) {
        char *content = content_of(how);
        identity = content ? spn_job_identity(how->job, how->plan, content) : NULL;
        free(content);
        if (!identity)
            return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the settings");
    }
    const spn_status status = run_with(out, how, identity, err);
    free(identity);
    if (status)
        return status;
    spn_chain_snapshot(&snapshot, out->chain);
    outcome->complete = out->stop != SPN_STOP_REQUEST;
    outcome->step = snapshot.step;
    outcome->resumed_step = out->resumed_step;
    outcome->saved_step = out->saved_step;
    outcome->proposals = out->proposals;
    outcome->seconds = out->seconds;
    outcome->one_thread = how->chain->options.threads > 1 && !spn_chain_was_shared(out->chain);
    return SPN_OK;
}

/* The steps of parts that a time made, so that the run can be repeated without it. */
spn_status spn_chain_job_steps(spn_record *out, const uint64_t *parts, size_t count, spn_error *err)
{
    spn_memory_stream memory;
    if (!spn_record_setting(out, "time") || spn_record_setting(out, "steps") ||
        spn_record_setting(out, "sweeps"))
        return SPN_OK;
    FILE *stream = spn_memory_stream_open(&memory);
    for (size_t k = 0; stream && k < count; k++)
        fprintf(stream, "%s%" PRIu64, k ? "," : "", parts[k]);
    char *text = spn_memory_stream_finish(&memory);
    const spn_status status = text ? spn_record_add_setting(out, "steps", text, err)
                                   : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the steps");
    free(text);
    return status;
}

spn_status spn_chain_job_record_steps(spn_record *out, const spn_resumable *chain, spn_error *err)
{
    size_t count;
    const uint64_t *parts = spn_chain_parts(chain->chain, &count);
    spn_snapshot s;
    if (count > 1)
        return spn_chain_job_steps(out, parts, count, err);
    spn_chain_snapshot(&s, chain->chain);
    return parts[0] == 0 ? spn_chain_job_steps(out, &s.step, 1, err) : SPN_OK;
}

spn_status spn_chain_job_record(spn_record *out, const spn_resumable *chain, spn_error *err)
{
    spn_chain_found found;
    SPN_TRY(spn_chain_found_take(&found, chain, 0, false, err));
    SPN_TRY(spn_results_add(out, spn_chain_results, &found, NULL, false, err));
    return spn_chain_job_record_steps(out, chain, err);
}

spn_status spn_chain_job_overlaps(spn_record *out, const spn_resumable *chain, spn_error *err)
{
    spn_chain_found found;
    spn_status status = spn_chain_found_take(&found, chain, 0, true, err);
    if (!status && found.overlaps.rows)
        status = spn_results_add(out, spn_overlap_results, &found.overlaps, NULL, true, err);
    spn_chain_found_clear(&found);
    return status;
}

spn_status spn_chain_job_record_hit(spn_record *out, const spn_resumable *chain, size_t proposals,
                                    spn_error *err)
{
    spn_chain_found found;
    SPN_TRY(spn_chain_found_take(&found, chain, proposals, false, err));
    return spn_results_add(out, spn_hit_results, &found.hit, NULL, false, err);
}

const char *spn_chain_target_needs(const spn_chain_plan *chain)
{
    return chain->options.target == SPN_TARGET_NONE ? "a target, such as `target 0`" : NULL;
}

/* One line on a run that cannot have succeeded as it was set, with the remedy. */
static spn_status note_health(spn_record *out, spn_error *err)
{
    static const char *const remedies[] = {
        [SPN_HEALTH_FROZEN_START] =
            "frozen from the start: next to no uphill move was accepted; lower beta, or leave it "
            "to the energy (--beta auto)",
        [SPN_HEALTH_FROZEN_MOST] =
            "frozen for most of the run: its last ten sixteenths, or more, accepted next to no "
            "uphill move; lower the end of beta, or leave it to the energy (--beta auto)",
        [SPN_HEALTH_HOT_END] =
            "hot at the end: more than 1 in 20 of the last proposals still went uphill; raise the "
            "end of beta, or leave it to the energy (--beta auto)"};
    const char *text = spn_record_text(out, "health");
    spn_health health;
    if (!text || spn_health_parse(&health, text, NULL) != SPN_OK ||
        (size_t)health >= sizeof remedies / sizeof *remedies || !remedies[health])
        return SPN_OK;
    return spn_record_add_note(out, err, "%s", remedies[health]);
}

spn_status spn_chain_job_note(spn_record *out, const spn_chain_ready *chain, spn_error *err)
{
    const spn_chain_options *o = &chain->options;
    spn_status status = spn_chain_ready_note(out, chain, err);
    if (!status)
        status = note_health(out, err);
    if (status || !spn_record_setting(out, "time") || o->steps || !spn_record_setting(out, "steps"))
        return status;
    return spn_record_add_note(out, err,
                               "the time made these steps; --steps with them, and --reads as it is "
                               "shown, repeat the run without --time");
}
