/* Simulated tempering: see simulated.h. */
#include "ladder/simulated.h"

#include "core/numeric.h"
#include <assert.h>
#include <math.h>
#include <spinney/random.h>

/* Walkers in their order: a ladder that was loaded has them in the same. */
bool spn_ladder_place_simulated(spn_ladder *ladder)
{
    size_t placed = 0;
    for (size_t w = 0; w < ladder->walkers; w++) {
        const uint64_t rung = ladder->walker[w].s.rung;
        if (rung == UINT64_MAX)
            continue;
        if (rung >= ladder->rungs || placed == ladder->rungs)
            return false;
        ladder->walker_at[placed++] = w;
    }
    return placed == ladder->rungs;
}

spn_status spn_ladder_begin_simulated(spn_ladder *ladder, spn_error *err)
{
    for (size_t k = 0; k < ladder->rungs; k++) {
        spn_rung_estimates e;
        spn_ladder_estimate(&e, ladder, k);
        if (!isfinite(e.log_z.value))
            return spn_fail(err, SPN_ERROR_INPUT,
                            "the state that was loaded is damaged: its sums give rung %zu no log Z",
                            k + 1);
        ladder->weight[k] = -e.log_z.value;
    }
    const bool placed = spn_ladder_place_simulated(ladder);
    assert(placed);
    (void)placed;
    return SPN_OK;
}

/* log of the chance, at most 0, of a walker to be accepted one rung up or down. */
static double log_chance(const spn_ladder *ladder, const spn_walker_state *s, bool up)
{
    const size_t to = up ? s->rung + 1 : s->rung - 1;
    const double weights = ladder->weight[to] - ladder->weight[s->rung];
    const double change = weights + (up ? s->up : s->down);
    assert(to < ladder->rungs);
    return change < 0 ? change : 0;
}

static void note_pair(spn_ladder *ladder, size_t pair, double chance)
{
    ladder->totals[pair].pairs++;
    ladder->totals[pair].rejection -= expm1(chance);
}

void spn_ladder_note_simulated(spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->rungs; k++) {
        const spn_walker_state *s = &ladder->walker[ladder->walker_at[k]].s;
        if (s->rung + 1 < ladder->rungs)
            note_pair(ladder, s->rung, log_chance(ladder, s, true));
        if (s->rung > 0)
            note_pair(ladder, s->rung - 1, log_chance(ladder, s, false));
    }
}

static void move(const spn_ladder *ladder, spn_walker *w)
{
    const spn_chain_options *o = &w->chain->options;
    spn_random random = spn_random_make(o->seed, o->run, SPN_STREAM_RUNGS, SPN_PURPOSE_MOVES);
    random.index = ladder->scan; /* one block of numbers for each */
    const bool up = spn_random_u32(&random) & 1u;
    if (up ? w->s.rung + 1 == ladder->rungs : w->s.rung == 0)
        return;
    if (!(spn_log(spn_random_uniform(&random)) <= log_chance(ladder, &w->s, up)))
        return;
    w->s.rung = up ? w->s.rung + 1 : w->s.rung - 1;
    spn_chain_set_point(w->chain, ladder->beta[w->s.rung], ladder->gamma[w->s.rung]);
}

void spn_ladder_exchange_simulated(spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->rungs; k++)
        move(ladder, &ladder->walker[ladder->walker_at[k]]);
}
