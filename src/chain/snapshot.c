/* What can be read from a chain: best states, snapshots, overlap, centre. */
#include "chain/chain.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void spn_chain_snapshot_sized(spn_snapshot *out, size_t size, const spn_sampler *sampler)
{
    const spn_chain *chain = spn_chain_of(sampler);
    const bool is_whole = chain->options.steps && chain->base.step >= chain->options.steps;
    if (chain->centre)
        spn_centre_sums(chain);
    const spn_snapshot now = {.step = chain->base.step,
                              .beta = chain->beta,
                              .gamma = chain->gamma,
                              .replicas = chain->replicas,
                              .first_hit = chain->first_hit,
                              .first_hit_seconds = chain->first_hit_seconds,
                              .sites = chain->sites,
                              .spins = chain->spins,
                              .sums = chain->sums,
                              .energy = chain->energies,
                              .best_energy = chain->best.energy,
                              .best_spins = chain->best.spins,
                              .accepted = chain->accepted,
                              .centre = chain->centre,
                              .fall = is_whole ? spn_health_fall(&chain->health) : 0,
                              .proposals = chain->proposals};
    spn_sized_give(out, size, &now, sizeof now);
}

void spn_chain_look(spn_progress *out, const spn_sampler *sampler)
{
    spn_chain *chain = spn_chain_of(sampler);
    const spn_chain_options *o = &chain->options;
    spn_chain_snapshot(&chain->seen, sampler);
    out->state = &chain->seen;
    out->steps = o->steps;
    out->best_energy = chain->best.energy[0];
    for (size_t a = 0; a < chain->replicas; a++) {
        out->best_energy = fmin(out->best_energy, chain->best.energy[a]);
        out->proposals += chain->proposals[a];
    }
    const double by_steps = o->steps ? (double)sampler->step / (double)o->steps : 0;
    const double by_time = o->stretch ? out->seconds / o->seconds : 0;
    out->share = fmin(fmax(by_steps, by_time), 1);
}

const uint64_t *spn_chain_parts(const spn_sampler *sampler, size_t *count)
{
    const spn_chain *chain = spn_chain_of(sampler);
    *count = chain->parts.count;
    return chain->parts.steps;
}

bool spn_chain_was_shared(const spn_sampler *sampler)
{
    return spn_chain_of(sampler)->sharing.shared > 0;
}

void spn_chain_beta(double out[2], const spn_sampler *sampler)
{
    const spn_chain *chain = spn_chain_of(sampler);
    const spn_schedule *beta = chain->options.beta;
    const spn_way now = spn_parts_at(&chain->parts, chain->base.step);
    const bool counts = spn_schedule_traits_of(beta->kind)->changes == SPN_CHANGES_BY_ACCEPTANCE;
    out[0] = spn_schedule_value(beta, 0, now.steps, 0, chain->replicas);
    const bool to_end = spn_schedule_traits_of(beta->kind)->has_range && !counts;
    out[1] = to_end ? beta->end /* not rounded on the way */
             : now.steps == 0 || counts
                 ? chain->beta
                 : spn_schedule_value(beta, now.steps, now.steps, 0, chain->replicas);
}

double spn_snapshot_overlap(const spn_snapshot *snapshot)
{
    const int64_t y = (int64_t)snapshot->replicas;
    assert(y >= 1 && y <= SPN_MAX_REPLICAS);
    if (y < 2)
        return 1;
    /* s^2 = y + twice the sum over pairs; y^2 N fits 64 bits */
    int64_t squares = 0;
    for (size_t i = 0; i < snapshot->sites; i++)
        squares += (int64_t)snapshot->sums[i] * snapshot->sums[i];
    int64_t pairs = squares - y * (int64_t)snapshot->sites;
    return (double)pairs / ((double)(y * (y - 1)) * (double)snapshot->sites);
}

void spn_snapshot_centre(const spn_snapshot *snapshot, int8_t *out)
{
    for (size_t i = 0; i < snapshot->sites; i++) {
        int sum = snapshot->sums[i];
        out[i] = sum > 0 ? 1 : sum < 0 ? -1 : snapshot->spins[i];
    }
}

/* ---- best states ---- */

spn_status spn_best_init(spn_best_states *best, size_t replicas, size_t sites, spn_error *err)
{
    /* a log longer than a fraction of N would cost more to replay than a copy */
    const size_t log_capacity = sites / 16 + 16;
    *best = (spn_best_states){.sites = sites,
                              .replicas = replicas,
                              .log_capacity = log_capacity,
                              .energy = spn_alloc(replicas, sizeof(double)),
                              .spins = spn_alloc(replicas, sites),
                              .log = spn_alloc(replicas * log_capacity, sizeof(uint32_t)),
                              .logged = spn_alloc(replicas, sizeof(size_t))};
    SPN_NEED(best->energy && best->spins && best->log && best->logged, err, "the best states");
    return SPN_OK;
}

void spn_best_start(spn_best_states *best, const int8_t *spins, const double *energy)
{
    assert(best->replicas > 0 && best->sites > 0);
    memcpy(best->spins, spins, best->replicas * best->sites);
    memcpy(best->energy, energy, best->replicas * sizeof *energy);
}

void spn_best_forget_flips(spn_best_states *best, size_t a)
{
    assert(a < best->replicas);
    best->logged[a] = best->log_capacity + 1;
}

void spn_best_clear(spn_best_states *best)
{
    SPN_FREE_ALL(best->energy, best->spins, best->log, best->logged);
}

void spn_best_replay(spn_best_states *best, size_t a, const int8_t *spins)
{
    int8_t *target = best->spins + a * best->sites;
    const uint32_t *log = best->log + a * best->log_capacity;
    if (best->logged[a] > best->log_capacity)
        memcpy(target, spins, best->sites);
    else
        for (size_t j = 0; j < best->logged[a]; j++)
            target[log[j]] = spins[log[j]];
    best->logged[a] = 0;
    assert(memcmp(target, spins, best->sites) == 0);
}
