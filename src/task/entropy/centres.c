/* The states that `entropy` counts around: of a file, of a run, or the teacher. */
#include "task/entropy/centres.h"

#include "base/memory.h"
#include "base/try.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const WORDS[] = {[SPN_AROUND_BEST] = "best",
                                    [SPN_AROUND_REPLICAS] = "replicas",
                                    [SPN_AROUND_CENTRE] = "centre",
                                    [SPN_AROUND_TEACHER] = "teacher"};

const char *spn_entropy_around_word(size_t i)
{
    return i < sizeof WORDS / sizeof *WORDS ? WORDS[i] : NULL;
}

void spn_entropy_centres_clear(spn_entropy_centres *centres)
{
    free(centres->spins);
    free(centres->energy);
    *centres = (spn_entropy_centres){0};
}

/* The majority at each spin; where there is none, that of the first state. */
static void find_majority(int8_t *out, const int8_t *states, size_t count, size_t sites)
{
    for (size_t i = 0; i < sites; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < count; k++)
            sum += states[k * sites + i];
        out[i] = (int8_t)(sum ? (sum > 0 ? 1 : -1) : states[i]);
    }
}

static size_t find_best(const spn_energy *energy, const int8_t *states, size_t count, size_t sites)
{
    size_t best = 0;
    double least = 0;
    for (size_t k = 0; k < count; k++) {
        const double value = spn_energy_value(energy, states + k * sites);
        if (k == 0 || value < least) {
            least = value;
            best = k;
        }
    }
    return best;
}

/* The centres of some states. */
static spn_status take(spn_entropy_centres *out, const spn_entropy_source *source,
                       const int8_t *states, size_t count, spn_error *err)
{
    const spn_energy *energy = source->instance->energy;
    const size_t sites = source->instance->sites;
    out->sites = sites;
    out->count = source->around == SPN_AROUND_REPLICAS ? count : 1;
    out->spins = spn_alloc(out->count, sites);
    out->energy = spn_alloc(out->count, sizeof *out->energy);
    if (!out->spins || !out->energy)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the centres");
    if (source->around == SPN_AROUND_CENTRE)
        find_majority(out->spins, states, count, sites);
    else if (source->around == SPN_AROUND_BEST)
        memcpy(out->spins, states + find_best(energy, states, count, sites) * sites, sites);
    else
        memcpy(out->spins, states, out->count * sites);
    for (size_t c = 0; c < out->count; c++)
        out->energy[c] = spn_energy_value(energy, out->spins + c * sites);
    return SPN_OK;
}

/* Of a run: the best states of its replicas, or, for their majority, where they are at the end. */
static spn_status anneal(spn_entropy_centres *out, spn_outcome *outcome,
                         const spn_entropy_source *source, spn_error *err)
{
    char content[64];
    spn_chain_ready ready = {0};
    spn_ran chain = {0};
    spn_snapshot s;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_chain_ready_make(&ready, source->chain, source->job->seed,
                                             source->instance->energy, err));
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(source->instance));
    const spn_sampler_job how = {.job = source->job,
                                 .plan = source->plan,
                                 .run = source->run,
                                 .content = content,
                                 .meter = source->meter,
                                 .work = source->work};
    SPN_TRY_OR(cleanup,
               spn_chain_job_run(&chain, outcome, &how, &ready, source->instance->energy, err));
    spn_chain_snapshot(&s, chain.sampler);
    out->complete = outcome->complete;
    out->proposals = outcome->proposals;
    status = take(out, source, source->around == SPN_AROUND_CENTRE ? s.spins : s.best_spins,
                  s.replicas, err);
cleanup:
    spn_sampler_free(chain.sampler);
    spn_chain_ready_clear(&ready);
    return status;
}

spn_status spn_entropy_centres_find(spn_entropy_centres *out, spn_outcome *outcome,
                                    const spn_entropy_source *source, spn_error *err)
{
    *out = (spn_entropy_centres){.complete = true};
    if (source->states)
        return take(out, source, source->states->rows, source->states->count, err);
    if (source->chain)
        return anneal(out, outcome, source, err);
    assert(source->around == SPN_AROUND_TEACHER);
    return take(out, source, source->instance->problem->teacher, 1, err);
}
