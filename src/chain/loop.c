/* The inner loop for energies called through the interface, the choice between the loops, and steps
   whose energy changes are shared among threads. */
#include "chain/loop.h"

#include "base/clock.h"
#include "chain/levels.h"
#include <assert.h>
#include <math.h>

/* The slots of the energy, called through the interface. */
static spn_variant called(const spn_chain *chain)
{
    return (spn_variant){
        .compares = true, .delta = chain->slots.delta, .commit = chain->slots.commit};
}

/* ---- sharing: common to both ways of sharing work among threads ---- */

bool spn_sharing_has_team(spn_sharing *s, unsigned threads, size_t items)
{
    if (!s->team && !s->never)
        s->team = spn_team_create(threads < items ? threads : (unsigned)items);
    s->never = s->team == NULL;
    return !s->never;
}

void spn_sharing_note_alone(spn_sharing *s, double seconds, uint64_t steps)
{
    const double cost = seconds / (double)steps;
    s->alone = s->known > 0 ? 0.75 * s->alone + 0.25 * cost : cost;
    s->known += steps;
}

void spn_sharing_give_up(spn_sharing *s, double seconds)
{
    const double shortest = 0.02, longest = 20;
    s->on = false;
    s->pause = fmin(fmax(2 * s->pause, fmax(seconds / SPN_TRIAL_SHARE, shortest)), longest);
    s->next_trial = spn_clock() + s->pause;
}

/* ---- shared steps ----

   Replica-round steps whose energy changes are computed side by side. A proposal is tried if it
   passes the coupling test at the start of the step. The decisions are then made in order. If an
   earlier flip at the same site changed the outcome of the test, the change is computed then. So
   the results are those of the serial loop at any number of threads.

   Threads must never make a run slower, even on a busy machine, where a thread that holds a replica
   may be stopped at any moment. So sharing is tried for a few steps, kept while it is faster than
   one thread, and otherwise given up until a pause that is long compared with the trial. */

typedef struct trial_step {
    spn_chain *chain;
    size_t j;
} trial_step;

static void compute_trial(void *context, size_t a)
{
    const trial_step *step = context;
    spn_chain *chain = step->chain;
    const spn_block *block = &chain->block;
    if (chain->has_trial[a])
        chain->trial[a] =
            chain->slots.delta(chain->energy, spn_chain_cache(chain, a), spn_chain_spins(chain, a),
                               block->site[a * block->capacity + step->j]);
}

/* False if the run must be checked before another step. */
static bool shared_step(spn_chain *chain, size_t j, spn_variant v)
{
    const spn_loop_view view = spn_loop_view_of(chain, 1);
    const spn_block *block = &chain->block;
    assert(!chain->picks_replica && j < block->capacity);
    for (size_t a = 0; a < chain->replicas; a++) {
        size_t at = a * block->capacity + j;
        double cost = spn_coupling_cost(&view, spn_chain_spins(chain, a), block->site[at], j, v);
        chain->has_trial[a] = !spn_coupling_rejects(cost, block->threshold[at], v);
    }
    trial_step step = {chain, j};
    spn_team_run(chain->sharing.team, compute_trial, &step, chain->replicas);
    bool go_on = true;
    for (size_t a = 0; a < chain->replicas; a++) {
        size_t at = a * block->capacity + j, site = block->site[at];
        const double threshold = block->threshold[at];
        if (!chain->has_trial[a]) {
            go_on &= spn_propose(&view, a, site, threshold, j, v);
            continue;
        }
        double cost = spn_coupling_cost(&view, spn_chain_spins(chain, a), site, j, v);
        double limit = spn_limit(&view, cost, threshold, j);
        if (!spn_coupling_rejects(cost, threshold, v))
            go_on &= spn_decide(&view, a, site, chain->trial[a], limit, j, v);
    }
    return go_on;
}

/* Up to count steps; stops when the clock passes `until`. */
static size_t shared_steps(spn_chain *chain, size_t count, double until)
{
    spn_variant v = called(chain);
    v.two_stage = chain->two_stage;
    v.gamma = spn_chain_gamma_use(chain);
    size_t done = 0;
    bool go_on = true;
    while (go_on && done < count) {
        go_on = shared_step(chain, done++, v) && spn_clock() < until;
        chain->sharing.shared++;
    }
    return done;
}

/* ---- whether it pays ---- */

/* Below this many seconds per step, handing work to another thread costs more than it saves. */
static const double CHEAP = 8e-6;
enum { TRIAL_STEPS = 16 };

static size_t at_most(size_t count, size_t most)
{
    return count < most ? count : most;
}

/* The clock costs as much as several cheap steps, so only one in this many blocks is timed. */
enum { CHEAP_BLOCKS = 64 };

static size_t alone_steps(spn_chain *chain, size_t count)
{
    spn_sharing *s = &chain->sharing;
    if (s->known >= SPN_SHARING_KNOWN && s->alone < CHEAP && ++s->untimed % CHEAP_BLOCKS != 0)
        return spn_loop_alone(chain, count);
    const double started = spn_thread_clock(); /* excludes the time of other processes */
    const size_t done = spn_loop_alone(chain, count);
    spn_sharing_note_alone(s, spn_thread_clock() - started, done);
    return done;
}

/* A few shared steps, stopped if they take twice as long as on one thread. */
static size_t try_shared(spn_chain *chain, size_t count)
{
    spn_sharing *s = &chain->sharing;
    const double started = spn_clock();
    const size_t steps = at_most(count, TRIAL_STEPS);
    const size_t done = shared_steps(chain, steps, started + 2 * s->alone * (double)steps);
    const double cost = spn_clock() - started;
    s->on = cost < SPN_SHARING_GAIN * s->alone * (double)done;
    if (s->on)
        s->next_trial = started + cost + s->alone * TRIAL_STEPS / SPN_TRIAL_SHARE;
    else
        spn_sharing_give_up(s, cost);
    return done;
}

/* Shared steps while they are faster; now and then a few on one thread, to compare. */
static size_t go_on_shared(spn_chain *chain, size_t count)
{
    spn_sharing *s = &chain->sharing;
    const double started = spn_clock();
    if (started >= s->next_trial) {
        const size_t done = alone_steps(chain, at_most(count, TRIAL_STEPS));
        s->next_trial = spn_clock() + (spn_clock() - started) / SPN_TRIAL_SHARE;
        return done;
    }
    const size_t done = shared_steps(chain, count, started + s->alone * (double)count);
    const double cost = spn_clock() - started;
    if (cost > s->alone * (double)done)
        spn_sharing_give_up(s, cost);
    else
        s->pause = 0.5 * s->pause;
    return done;
}

static bool has_team(spn_chain *chain)
{
    return spn_sharing_has_team(&chain->sharing, chain->options.threads, chain->replicas);
}

static size_t run_threaded(spn_chain *chain, size_t count)
{
    spn_sharing *s = &chain->sharing;
    if (s->always && has_team(chain))
        return shared_steps(chain, count, INFINITY);
    if (s->on)
        return go_on_shared(chain, count);
    if (s->known < SPN_SHARING_KNOWN || s->alone < CHEAP || spn_clock() < s->next_trial ||
        !has_team(chain))
        return alone_steps(chain, count);
    return try_shared(chain, count);
}

/* ---- the choice ---- */

spn_gamma_use spn_chain_gamma_use(const spn_chain *chain)
{
    if (chain->centre)
        return SPN_GAMMA_CENTRE;
    if (chain->replicas == 1) /* not coupled: log cosh(+-gamma) is constant */
        return SPN_GAMMA_NONE;
    if (chain->gamma_varies)
        return SPN_GAMMA_VARIES;
    return chain->coupling.gamma == 0 ? SPN_GAMMA_NONE : SPN_GAMMA_TABLE;
}

void spn_chain_bad_energy(spn_chain *chain, size_t replica, size_t site)
{
    chain->bad_energy = true;
    chain->bad_replica = replica;
    chain->bad_site = site;
    chain->bad_change[0] = chain->bad_change[1] = 0;
    chain->interrupt = 1;
}

void spn_chain_compare_change(spn_chain *chain, size_t replica, size_t site, double before,
                              double said)
{
    const double after = chain->energies[replica];
    const double size = fmax(chain->largest, fmax(fabs(before), fabs(after)));
    if (chain->bad_energy || before == INFINITY || spn_energy_agrees(said, after - before, size))
        return;
    spn_chain_bad_energy(chain, replica, site);
    chain->bad_change[0] = said;
    chain->bad_change[1] = after - before;
}

size_t spn_loop_alone(spn_chain *chain, size_t count)
{
    if (chain->slots.loop)
        return chain->slots.loop(chain, count);
    return spn_loop_choose(chain, count, 1, called(chain));
}

/* An energy with a loop of its own has changes too cheap to share. */
size_t spn_loop_run(spn_chain *chain, size_t count)
{
    assert(count > 0 && count <= chain->block.capacity && !chain->interrupt);
    if (chain->levels)
        return spn_levels_run(chain, count);
    const spn_sharing *s = &chain->sharing;
    const bool several = !chain->picks_replica && chain->options.threads > 1 &&
                         chain->replicas > 1 && !chain->centre;
    if (several && (s->always || !(chain->slots.loop || s->never)))
        return run_threaded(chain, count);
    return spn_loop_alone(chain, count);
}
