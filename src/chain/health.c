#include "chain/health.h"
#include "base/text.h"

#include "chain/chain.h"
#include <math.h>
#include <string.h>

const spn_names spn_health_names = SPN_NAME_LIST(
    "health", [SPN_HEALTH_GOOD] = "good", [SPN_HEALTH_SHORT] = "too short to tell",
    [SPN_HEALTH_FROZEN_START] = "frozen from the start",
    [SPN_HEALTH_FROZEN_MOST] = "frozen for most", [SPN_HEALTH_HOT_END] = "hot at the end",
    [SPN_HEALTH_BROKEN] = "broken", [SPN_HEALTH_FALLING] = "too short");

/* The first step of slice j. */
static uint64_t border(uint64_t steps, size_t j)
{
    return steps / SPN_SLICES * j + steps % SPN_SLICES * j / SPN_SLICES;
}

size_t spn_slice_at(spn_way now)
{
    size_t j = now.steps ? SPN_SLICES - 1 : 0;
    while (j > 0 && border(now.steps, j) > now.step)
        j--;
    return j;
}

uint64_t spn_slice_left(spn_way now)
{
    const uint64_t end = border(now.steps, spn_slice_at(now) + 1);
    return now.steps && end > now.step ? end - now.step : UINT64_MAX;
}

static bool is_still(const double *before, const double *after, size_t replicas)
{
    for (size_t a = 0; a < replicas; a++)
        if (!(fabs(after[a] - before[a]) <= spn_energy_grain(before[a])))
            return false;
    return true;
}

/* If no move went uphill and an energy is unchanged, it was constant in between. */
void spn_health_add(spn_health_log *log, size_t slice, spn_slice counts, uint64_t downhill,
                    bool whole, const double *energies, size_t replicas)
{
    spn_slice *sum = &log->slices[slice];
    sum->proposals += counts.proposals;
    sum->accepted += counts.accepted;
    sum->uphill += counts.uphill;
    log->downhill[slice] += downhill;
    if (!whole)
        return;
    const bool still = sum->uphill == 0 && is_still(log->energies, energies, replicas);
    log->still = still ? log->still + sum->proposals : 0;
    log->ends[slice] = 0;
    for (size_t a = 0; a < replicas; a++)
        log->ends[slice] += energies[a] / (double)replicas;
    memcpy(log->energies, energies, replicas * sizeof *energies);
}

double spn_health_fall(const spn_health_log *log)
{
    enum { FROM = SPN_SLICES - SPN_SLICES / 8, LAST = SPN_SLICES - 1 };
    uint64_t uphill = 0, downhill = 0;
    for (size_t j = FROM; j < SPN_SLICES; j++) {
        uphill += log->slices[j].uphill;
        downhill += log->downhill[j];
    }
    if (log->slices[FROM - 1].proposals == 0) /* so few steps that its end is not known */
        return 0;
    return downhill > 2 * uphill ? log->ends[FROM - 1] - log->ends[LAST] : 0;
}

void spn_slices_add(spn_slice *sums, const spn_slice *more)
{
    for (size_t j = 0; j < SPN_SLICES; j++) {
        sums[j].proposals += more[j].proposals;
        sums[j].accepted += more[j].accepted;
        sums[j].uphill += more[j].uphill;
    }
}

static double uphill_share(const spn_slice *s)
{
    return s->proposals ? (double)s->uphill / (double)s->proposals : 0;
}

/* The slices begun so far, and how many of them, counted back from the end, accepted almost no
   uphill move. */
static void count_frozen(size_t *frozen, size_t *begun, const spn_slice *sums)
{
    const double next_to_none = 1e-4;
    *frozen = *begun = 0;
    for (size_t j = 0; j < SPN_SLICES; j++) {
        if (sums[j].proposals == 0)
            continue;
        ++*begun;
        *frozen = uphill_share(&sums[j]) <= next_to_none ? *frozen + 1 : 0;
    }
}

static bool rises(const spn_schedule *beta)
{
    return beta && spn_schedule_traits_of(beta->kind)->changes == SPN_CHANGES_EACH_STEP &&
           spn_schedule_has_range(beta) && beta->end > beta->start;
}

spn_health spn_slices_verdict(const spn_slice *sums, const spn_schedule *beta, bool complete)
{
    enum { FEWEST_PROPOSALS = 4096 };
    const double most = 5.0 / 8, many = 0.05;
    size_t frozen, begun;
    uint64_t proposals = 0;
    for (size_t j = 0; j < SPN_SLICES; j++)
        proposals += sums[j].proposals;
    if (proposals < FEWEST_PROPOSALS)
        return SPN_HEALTH_SHORT;
    count_frozen(&frozen, &begun, sums);
    if (frozen == begun)
        return SPN_HEALTH_FROZEN_START;
    if ((double)frozen >= most * (double)begun)
        return SPN_HEALTH_FROZEN_MOST;
    const bool hot = complete && rises(beta) && uphill_share(&sums[SPN_SLICES - 1]) >= many;
    return hot ? SPN_HEALTH_HOT_END : SPN_HEALTH_GOOD;
}

spn_health spn_chain_health(const spn_sampler *sampler)
{
    const spn_chain *chain = spn_chain_of(sampler);
    const spn_chain_options *o = &chain->options;
    if (chain->at_target >= chain->target_count)
        return SPN_HEALTH_GOOD;
    return spn_slices_verdict(chain->health.slices, o->beta, o->steps && sampler->step >= o->steps);
}
