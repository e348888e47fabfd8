/* The exchanges after a scan: swaps, simulated tempering and equi-energy jumps. */
#include "ladder/ladder.h"

#include "base/memory.h"
#include "core/numeric.h"
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>

/* ---- swaps ----
   Neighbours exchange their points, so that states, caches and best states stay where they are.
   Even pairs after even scans, odd ones after odd scans. */

double spn_ladder_swap_log_chance(const spn_ladder *ladder, size_t k)
{
    const spn_walker_state *lower = &ladder->walker[ladder->walker_at[k]].s;
    const spn_walker_state *upper = &ladder->walker[ladder->walker_at[k + 1]].s;
    assert(k + 1 < ladder->rungs && lower->rung == k && upper->rung == k + 1);
    const double change = lower->up + upper->down;
    assert(!isnan(change));
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
        assert(lower != upper);
        spn_ladder_assign(ladder, upper, k);
        spn_ladder_assign(ladder, lower, k + 1);
    }
}

void spn_ladder_note_trips(spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->rungs; k++) {
        spn_walker_state *s = &ladder->walker[ladder->walker_at[k]].s;
        assert(s->rung < ladder->rungs && s->left == 0);
        if (s->rung == 0) {
            s->round_trips += s->side == SPN_FROM_LAST;
            s->side = SPN_FROM_FIRST;
        } else if (s->rung + 1 == ladder->rungs && s->side == SPN_FROM_FIRST) {
            s->restarts++;
            s->side = SPN_FROM_LAST;
        }
    }
}

/* ---- simulated tempering ---- */

/* Simulated tempering (Marinari, Parisi, Europhys. Lett. 19, 451 (1992),
   doi:10.1209/0295-5075/19/6/002): walkers that change their rung by themselves. State and rung of
   a walker together have the law

     p(sigma, k) ~ exp(w_k - beta_k U(sigma) + H_{gamma_k}(sigma))

   for weights w_k of our choice. After a scan a neighbour of k is proposed, both with equal
   chances, and j accepted with min(1, exp(w_j - w_k - (beta_j - beta_k) U + H_{gamma_j} -
   H_{gamma_k})); what lies beyond an end is rejected. This is exact for any weights; with w_k =
   -log Z_k all rungs are visited equally often, while wrong weights leave some of them out.

   The ladder swaps in all rounds but the last. Between the last two the rungs stay where they are,
   and the log Z of the last but one give the weights. In the last each walker goes its own way:
   none knows of the others, and several may be on one rung, or none. What is measured on a rung has
   the law of the rung, so that log Z is estimated as ever, from the states of all rungs. */

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
    spn_jackknife log_z = spn_ladder_log_z_first(ladder);
    for (size_t k = 0; k < ladder->rungs; k++) {
        if (k > 0)
            spn_ladder_log_z_next(&log_z, ladder, k - 1);
        if (log_z.all == -INFINITY)
            return spn_fail(err, SPN_ERROR_ENERGY,
                            "simulated tempering has no weights: the energy '%s' was infinite at "
                            "all states that were drawn at beta 0; give more `scans`, or the "
                            "`method` swap",
                            ladder->energy->slots->name);
        if (log_z.blocks == 0 || !isfinite(log_z.all))
            return spn_fail(err, SPN_ERROR_INPUT,
                            "the state that was loaded is damaged: its sums give rung %zu no log Z",
                            k + 1);
        ladder->weight[k] = -log_z.all;
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
    assert(pair + 1 < ladder->rungs && chance <= 0);
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

/* ---- equi-energy jumps ----
   Walkers keep their rungs, and each but the last stores its states for the next colder one. */

void spn_ladder_free_stores(spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->store_count; k++)
        spn_store_free(ladder->stores[k]);
    free(ladder->stores);
    ladder->stores = NULL;
    ladder->store_count = 0;
}

/* A ring is worth while if it fills early in a round. */
static size_t capacity_of(const spn_ladder *ladder, size_t spins)
{
    const size_t fits = spn_store_capacity(spins, ladder->rungs - 1);
    const uint64_t wanted = spn_ladder_round_length(ladder, ladder->round) / 16;
    if (wanted >= fits)
        return fits;
    return wanted < SPN_STORE_LEAST_CAPACITY ? SPN_STORE_LEAST_CAPACITY : (size_t)wanted;
}

spn_status spn_ladder_begin_stores(spn_ladder *ladder, spn_error *err)
{
    const size_t spins = ladder->chain.replicas * ladder->energy->sites;
    spn_ladder_free_stores(ladder);
    if (ladder->options.method != SPN_LADDER_EQUI_ENERGY)
        return SPN_OK;
    SPN_REFUSE_IF(spn_store_capacity(spins, ladder->rungs - 1) == 0, err,
                  "method: equi-energy stores states of %zu rungs of %zu spins, which need "
                  "more than %zu MiB; use fewer rungs, or swap",
                  ladder->rungs, spins, SPN_STORE_BYTES >> 20);
    ladder->stores = spn_alloc(ladder->rungs - 1, sizeof(spn_store *));
    SPN_NEED(ladder->stores, err, "stores of states");
    for (; ladder->store_count < ladder->rungs - 1; ladder->store_count++)
        SPN_TRY(spn_store_create(&ladder->stores[ladder->store_count], spins,
                                 capacity_of(ladder, spins), err));
    return SPN_OK;
}

static spn_point_pair points_of(const spn_ladder *ladder, size_t hot)
{
    return (spn_point_pair){ladder->beta[hot], ladder->gamma[hot], ladder->beta[hot + 1],
                            ladder->gamma[hot + 1]};
}

static spn_status jump(spn_ladder *ladder, size_t k, spn_error *err)
{
    assert(k > 0 && k < ladder->rungs);
    const spn_walker *walker = &ladder->walker[ladder->walker_at[k]];
    spn_chain *chain = walker->chain;
    assert(walker->s.rung == k);
    const spn_point_pair points = points_of(ladder, k - 1);
    if (chain->at_target >= chain->target_count) /* the run ends here */
        return SPN_OK;
    return spn_chain_jump(chain, ladder->stores[k - 1], &points, ladder->scan,
                          &ladder->totals[k].jumps, err);
}

static spn_status put(spn_ladder *ladder, size_t k, spn_error *err)
{
    const spn_chain *chain = ladder->walker[ladder->walker_at[k]].chain;
    const spn_point_pair points = points_of(ladder, k);
    return spn_store_put(ladder->stores[k], chain, &points, ladder->scan, err);
}

/* All jumps see the stores as they were before this scan. */
spn_status spn_ladder_exchange_equi_energy(spn_ladder *ladder, spn_error *err)
{
    assert(ladder->store_count == ladder->rungs - 1);
    for (size_t k = 1; k < ladder->rungs; k++)
        SPN_TRY(jump(ladder, k, err));
    for (size_t k = 0; k + 1 < ladder->rungs; k++)
        SPN_TRY(put(ladder, k, err));
    return SPN_OK;
}
