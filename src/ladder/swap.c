/* Swaps: neighbours exchange their points, so that states, caches and best states stay where they
   are. Even pairs after even scans, odd ones after odd scans. */
#include "ladder/ladder.h"

#include <assert.h>
#include <math.h>

double spn_ladder_swap_log_chance(const spn_ladder *ladder, size_t k)
{
    const spn_walker_state *lower = &ladder->walker[ladder->walker_at[k]].s;
    const spn_walker_state *upper = &ladder->walker[ladder->walker_at[k + 1]].s;
    assert(k + 1 < ladder->rungs && lower->rung == k && upper->rung == k + 1);
    const double change = lower->up + upper->down;
    return change < 0 ? change : 0;
}

/* log u of a pair after a scan, u in (0, 1). */
static double log_uniform(const spn_ladder *ladder, size_t k)
{
    const spn_chain_options *o = &ladder->chain;
    const spn_stream stream = spn_stream_make(o->seed, o->run, 0, SPN_PURPOSE_SWAPS);
    uint32_t words[4];
    spn_stream_block(&stream, ladder->scan * SPN_LADDER_MOST_RUNGS + k, words);
    const uint64_t bits = words[0] | (uint64_t)words[1] << 32;
    return log(((double)(bits >> 12) + 0.5) * 0x1p-52);
}

void spn_ladder_exchange_swap(spn_ladder *ladder)
{
    for (size_t k = ladder->scan % 2; k + 1 < ladder->rungs; k += 2) {
        if (!(log_uniform(ladder, k) <= spn_ladder_swap_log_chance(ladder, k)))
            continue;
        const size_t lower = ladder->walker_at[k], upper = ladder->walker_at[k + 1];
        spn_ladder_assign(ladder, upper, k);
        spn_ladder_assign(ladder, lower, k + 1);
    }
}

void spn_ladder_note_trips(spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->rungs; k++) {
        spn_walker_state *s = &ladder->walker[ladder->walker_at[k]].s;
        if (s->rung == 0) {
            s->round_trips += s->side == SPN_FROM_LAST;
            s->side = SPN_FROM_FIRST;
        } else if (s->rung + 1 == ladder->rungs && s->side == SPN_FROM_FIRST) {
            s->restarts++;
            s->side = SPN_FROM_LAST;
        }
    }
}
