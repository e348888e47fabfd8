/* One scan of a ladder: every walker walks, side by side where there are threads. */
#include "ladder/ladder.h"

#include "base/clock.h"
#include <assert.h>
#include <math.h>

/* Make the steps that are left; fewer where the run is to stop, or the target is reached. */
static spn_status walk(const spn_ladder *ladder, spn_walker *w, spn_error *err)
{
    enum { PIECE = 1024 }; /* steps between two looks at the clock */
    const bool timed = ladder->base.deadline < INFINITY;
    spn_chain *chain = w->chain;
    spn_status status = SPN_OK;
    while (!status && w->s.left > 0 && !spn_sampler_is_halted(&ladder->base)) {
        const uint64_t piece = timed && w->s.left > PIECE ? PIECE : w->s.left,
                       from = chain->base.step;
        status = spn_chain_walk(chain, piece, err);
        w->s.left -= chain->base.step - from;
        if (chain->base.step - from < piece)
            break;
    }
    return status;
}

static spn_status walk_or_draw(const spn_ladder *ladder, spn_walker *w, spn_error *err)
{
    if (ladder->beta[w->s.rung] > 0)
        return walk(ladder, w, err);
    if (spn_stop_asked(ladder->base.stop))
        return SPN_OK;
    w->s.left = 0;
    return spn_chain_redraw(w->chain, ladder->gamma[w->s.rung], err);
}

/* The scan, and clusters at its end; not at the target, which ends the run there. */
static spn_status move(const spn_ladder *ladder, spn_walker *w, spn_error *err)
{
    const uint32_t clusters = ladder->options.clusters;
    const spn_status status = walk_or_draw(ladder, w, err);
    if (status || !clusters || w->s.left > 0 || w->chain->at_target >= w->chain->target_count)
        return status;
    return spn_chain_clusters(&w->s.cluster_sites, w->chain, ladder->clusters,
                              ladder->scan * clusters, clusters, err);
}

/* Walk, and note the moves and the first hit. */
static spn_status move_and_note(const spn_ladder *ladder, spn_walker *w, spn_error *err)
{
    spn_chain *chain = w->chain;
    const uint64_t from = chain->base.step, accepted = chain->accepted_total;
    const uint64_t uphill = chain->health.slices[0].uphill;
    assert(w->s.left <= ladder->options.scan_steps);
    const uint64_t made = ladder->options.scan_steps - w->s.left;
    const spn_status status = move(ladder, w, err);
    w->s.proposals += (chain->base.step - from) * ladder->proposals_per_step;
    w->s.accepted += chain->accepted_total - accepted;
    w->s.uphill += chain->health.slices[0].uphill - uphill;
    if (w->s.hit == SPN_NO_HIT && chain->first_hit != SPN_NO_HIT) {
        const uint64_t steps = made + (chain->first_hit - from);
        w->s.hit = ladder->scan * ladder->options.scan_steps + steps;
        w->s.hit_proposals = ladder->proposals + ladder->rungs * steps * ladder->proposals_per_step;
        w->s.hit_seconds = spn_sampler_seconds(&ladder->base);
    }
    return status;
}

/* log(weight at the point of `to` / weight at that of `from`) of a state. */
static double log_ratio(const spn_ladder *ladder, size_t from, size_t to, double energy,
                        const spn_coupling_counts *counts)
{
    const double more_beta = ladder->beta[to] - ladder->beta[from];
    const double here = ladder->gamma[from], there = ladder->gamma[to];
    const double by_energy = more_beta != 0 ? -more_beta * energy : 0;
    if (here == there)
        return by_energy;
    return by_energy + spn_coupling_counts_value(counts, there) -
           spn_coupling_counts_value(counts, here);
}

/* What swaps and estimates need of the state at the end of a scan. */
static void weigh(const spn_ladder *ladder, spn_walker *w)
{
    spn_coupling_counts counts;
    const size_t k = w->s.rung;
    assert(k < ladder->rungs && w->chain->beta == ladder->beta[k]);
    spn_chain_coupling_counts(&counts, w->chain);
    w->s.energy = spn_chain_total_energy(w->chain);
    w->s.coupling = spn_coupling_counts_value(&counts, ladder->gamma[k]);
    w->s.overlap = spn_coupling_counts_overlap(&counts);
    w->s.up = w->s.down = 0;
    if (k + 1 < ladder->rungs)
        w->s.up = log_ratio(ladder, k, k + 1, w->s.energy, &counts);
    if (k > 0)
        w->s.down = log_ratio(ladder, k, k - 1, w->s.energy, &counts);
}

/* The walker on a rung: rungs in their order, since the first, hot ones accept most and so take
   longest. */
static void do_rung(void *context, size_t k)
{
    const spn_ladder *ladder = context;
    spn_walker *w = &ladder->walker[ladder->walker_at[k]];
    if (w->s.left == 0)
        return;
    w->status = move_and_note(ladder, w, &w->error);
    if (w->status || w->s.left > 0)
        return;
    if ((ladder->scan + 1) % ladder->save_scans == 0)
        spn_chain_refresh(w->chain);
    weigh(ladder, w);
}

static void begin_scan(spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->rungs; k++) {
        assert(ladder->walker_at[k] < ladder->walkers);
        spn_walker_state *s = &ladder->walker[ladder->walker_at[k]].s;
        s->left = ladder->options.scan_steps;
        s->proposals = s->accepted = s->uphill = s->cluster_sites = 0;
    }
    ladder->in_scan = true;
}

static spn_team *team_of(spn_ladder *ladder)
{
    const size_t asked = ladder->options.threads;
    const unsigned threads = (unsigned)(asked < ladder->rungs ? asked : ladder->rungs);
    if (!ladder->team && threads > 1)
        ladder->team = spn_team_create(threads);
    return ladder->team;
}

spn_status spn_ladder_walk(spn_ladder *ladder, spn_error *err)
{
    if (!ladder->in_scan)
        begin_scan(ladder);
    for (size_t k = 0; k < ladder->rungs; k++)
        spn_sampler_follow(&ladder->walker[ladder->walker_at[k]].chain->base, &ladder->base);
    spn_team_run(team_of(ladder), do_rung, ladder, ladder->rungs);
    ladder->in_scan = false;
    for (size_t k = 0; k < ladder->rungs; k++) {
        const spn_walker *w = &ladder->walker[ladder->walker_at[k]];
        if (w->status) {
            if (err)
                *err = w->error;
            return w->status;
        }
        ladder->in_scan = ladder->in_scan || w->s.left > 0;
    }
    return SPN_OK;
}
