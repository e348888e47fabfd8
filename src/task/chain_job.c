/* The chain of a job. */
#include "task/chain_job.h"
#include "record/record.h"

#include "base/memory.h"
#include "base/try.h"
#include "job/results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The lines of the task's own, and the states that the chain starts from; to be freed. */
static char *content_of(const char *own, const spn_chain_options *o, const spn_energy *energy)
{
    char start[48] = "", *text = NULL;
    if (o->given)
        snprintf(start, sizeof start, "init_checksum \"%016" PRIx64 "\"\n",
                 XXH3_64bits(o->given, o->replicas * spn_energy_sites(energy)));
    return asprintf(&text, "%s%s", own, start) < 0 ? NULL : text;
}

spn_status spn_chain_job_run(spn_ran *out, spn_outcome *outcome, const spn_sampler_job *how,
                             const spn_chain_ready *chain, const spn_energy *energy, spn_error *err)
{
    spn_chain_options options = chain->options;
    spn_sampler_job own = *how;
    *out = (spn_ran){0};
    if (how->run->steps) {
        options.steps = how->run->steps;
        options.part_count = 0;
        options.stretch = 0;
        options.seconds = 0;
    }
    SPN_TRY(spn_chain_create(&out->sampler, energy, &options, err));
    char *content = content_of(how->content, &options, energy);
    if (!content)
        return spn_no_memory(err, "the settings");
    own.content = content;
    own.seconds = chain->seconds;
    const spn_status status = spn_sampler_job_run(out, outcome, &own, err);
    free(content);
    SPN_TRY(status);
    outcome->one_thread = options.threads > 1 && !spn_chain_was_shared(out->sampler);
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
    const spn_status status =
        text ? spn_record_add_setting(out, "steps", text, err) : spn_no_memory(err, "the steps");
    free(text);
    return status;
}

spn_status spn_chain_job_record_steps(spn_record *out, const spn_ran *chain, spn_error *err)
{
    size_t count;
    const uint64_t *parts = spn_chain_parts(chain->sampler, &count);
    spn_snapshot s;
    if (count > 1)
        return spn_chain_job_steps(out, parts, count, err);
    spn_chain_snapshot(&s, chain->sampler);
    return parts[0] == 0 ? spn_chain_job_steps(out, &s.step, 1, err) : SPN_OK;
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
            "to the energy (beta: auto)",
        [SPN_HEALTH_FROZEN_MOST] =
            "frozen for most of the run: its last ten sixteenths, or more, accepted next to no "
            "uphill move; lower the end of beta, or leave it to the energy (beta: auto)",
        [SPN_HEALTH_HOT_END] =
            "hot at the end: more than 1 in 20 of the last proposals still went uphill; raise the "
            "end of beta, or leave it to the energy (beta: auto)"};
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
    return spn_record_add_note(
        out, err,
        "the time made these steps; give them as steps, with the same reads and "
        "without time, to repeat the run");
}
