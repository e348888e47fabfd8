/* The states that `entropy` counts around: from a file, from a run, or the teacher. */
#include "base/memory.h"
#include "task/entropy/entropy.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static const char *const WORDS[] = {[SPN_AROUND_BEST] = "best",
                                    [SPN_AROUND_REPLICAS] = "replicas",
                                    [SPN_AROUND_CENTRE] = "centre",
                                    [SPN_AROUND_TEACHER] = "teacher"};

const char *spn_entropy_around_word(size_t i)
{
    return i < sizeof WORDS / sizeof *WORDS ? WORDS[i] : NULL;
}

/* A tie takes the spin of the first state. */
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

static spn_status take(spn_entropy_run *r, const int8_t *states, size_t count, spn_error *err)
{
    const int around = r->plan->around;
    const spn_energy *energy = r->instance.energy;
    const size_t sites = r->instance.sites;
    r->centres = around == SPN_AROUND_REPLICAS ? count : 1;
    r->spins = spn_alloc(r->centres, sites);
    r->energy = spn_alloc(r->centres, sizeof *r->energy);
    SPN_NEED(r->spins && r->energy, err, "the centres");
    if (around == SPN_AROUND_CENTRE)
        find_majority(r->spins, states, count, sites);
    else if (around == SPN_AROUND_BEST)
        memcpy(r->spins, states + find_best(energy, states, count, sites) * sites, sites);
    else
        memcpy(r->spins, states, r->centres * sites);
    for (size_t c = 0; c < r->centres; c++)
        r->energy[c] = spn_energy_value(energy, r->spins + c * sites);
    return SPN_OK;
}

static spn_status anneal(spn_entropy_run *r, spn_outcome *outcome, spn_error *err)
{
    const spn_chain_plan *plan = &r->plan->options;
    const spn_energy *energy = r->instance.energy;
    char content[64];
    spn_chain_options options = {0};
    spn_beta_range range;
    spn_ran chain = {0};
    spn_snapshot s;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_chain_settle(&options, &range, plan, r->job->seed, energy, err));
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&r->instance));
    const spn_sampler_job how = {.job = r->job,
                                 .plan = r->plan,
                                 .run = r->run,
                                 .content = content,
                                 .meter = &r->meter,
                                 .work = r->chain_work};
    SPN_TRY_OR(cleanup, spn_chain_job_run(&chain, outcome, &how, plan, &options, energy, err));
    spn_chain_snapshot(&s, chain.sampler);
    r->stopped = !outcome->complete;
    r->done += outcome->proposals;
    spn_meter_pass(&r->meter, r->chain_work);
    status =
        take(r, r->plan->around == SPN_AROUND_CENTRE ? s.spins : s.best_spins, s.replicas, err);
cleanup:
    spn_sampler_free(chain.sampler);
    spn_chain_unsettle(&options, plan);
    return status;
}

spn_status spn_entropy_find_centres(spn_entropy_run *r, spn_outcome *outcome, spn_error *err)
{
    const spn_problem *states = r->plan->states;
    if (r->plan->count == 0)
        return SPN_OK;
    if (states)
        return take(r, states->rows, states->count, err);
    if (r->plan->annealed)
        return anneal(r, outcome, err);
    assert(r->plan->around == SPN_AROUND_TEACHER);
    return take(r, r->instance.problem->teacher, 1, err);
}
