/* The replicas of a chain with a centre, side by side on threads. Between two draws of the centre
   they are independent: each runs a stretch of steps in its own view of the chain, and their counts
   are added at the end. The random numbers depend on the replica and the step, so the result is
   that of the loops on one thread, which remain the reference. */

#include "base/clock.h"
#include "base/memory.h"
#include "chain/chain.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Data that a replica changes at every flip lies apart from the others'. */
typedef struct replica_view {
    _Alignas(64) spn_chain chain; /* of one replica: its arrays are parts of the whole chain's, */
    double energy, best_energy;   /* but these are its own */
    uint64_t accepted;
    size_t logged;
    size_t done;           /* steps of the stretch */
    bool touched;          /* it was at the target in this stretch */
    bool finished;         /* it makes no more steps in this stretch */
    uint64_t first;        /* step of the run at which it did so first */
    _Atomic size_t pieces; /* of the stretch that are done */
} replica_view;

struct spn_sides {
    size_t replicas;
    replica_view *views;
    double *beta, *gamma; /* of the steps of the stretch */
    int8_t *spins;        /* copies from before the stretch; NULL without a target */
    int8_t *best_spins;
    uint32_t *best_log;
    unsigned char *caches;
    uint64_t alone_until; /* the run stays on one thread until this step */
};

static bool take_part(replica_view *view, const spn_chain *chain, size_t a)
{
    enum { CAPACITY = 1024 };
    spn_chain *c = &view->chain;
    *c = *chain;
    c->replicas = c->streams = 1;
    c->first_stream = a;
    c->spins = spn_chain_spins(chain, a);
    c->sums = NULL;
    c->caches = spn_chain_cache(chain, a);
    c->energies = &view->energy;
    c->accepted = &view->accepted;
    c->scope = UINT64_MAX;
    c->sides = NULL;
    c->best.replicas = 1;
    c->best.energy = &view->best_energy;
    c->best.logged = &view->logged;
    c->best.spins += a * chain->sites;
    c->best.log += a * chain->best.log_capacity;
    c->block = (spn_block){.capacity = CAPACITY,
                           .site = spn_alloc(CAPACITY + SPN_LOOKAHEAD, sizeof(uint32_t)),
                           .replica = spn_alloc(CAPACITY, sizeof(uint32_t)),
                           .threshold = spn_alloc(CAPACITY, sizeof(double))};
    return c->block.site && c->block.replica && c->block.threshold;
}

static bool make_copies(spn_sides *s, const spn_chain *chain)
{
    const size_t y = chain->replicas;
    if (chain->target_count == SIZE_MAX)
        return true;
    s->spins = spn_alloc(y, chain->sites);
    s->best_spins = spn_alloc(y, chain->sites);
    s->best_log = spn_alloc(y * chain->best.log_capacity, sizeof *s->best_log);
    s->caches = spn_alloc(y, chain->cache_stride);
    return s->spins && s->best_spins && s->best_log && s->caches;
}

void spn_sides_make(spn_chain *chain)
{
    const size_t y = chain->replicas;
    if (!chain->centre || y < 2 || chain->options.threads < 2 || chain->picks_replica ||
        chain->options.moves == SPN_MOVES_LEVELS)
        return;
    spn_sides *s = calloc(1, sizeof *s);
    bool fits = s && (s->views = aligned_alloc(64, y * sizeof *s->views));
    if (fits) {
        memset(s->views, 0, y * sizeof *s->views);
        s->replicas = y;
        s->beta = spn_alloc(SPN_STRETCH, sizeof *s->beta);
        s->gamma = spn_alloc(SPN_STRETCH, sizeof *s->gamma);
        fits = s->beta && s->gamma && make_copies(s, chain);
    }
    for (size_t a = 0; fits && a < y; a++)
        fits = take_part(&s->views[a], chain, a);
    if (fits)
        chain->sides = s;
    else
        spn_sides_free(s);
}

void spn_sides_free(spn_sides *s)
{
    if (!s)
        return;
    for (size_t a = 0; a < s->replicas; a++) {
        const spn_block *block = &s->views[a].chain.block;
        SPN_FREE_ALL(block->site, block->replica, block->threshold);
    }
    SPN_FREE_ALL(s->views, s->beta, s->gamma, s->spins, s->best_spins, s->best_log, s->caches, s);
}

/* Bring a view to the state of the chain. */
static void enter(replica_view *view, const spn_chain *chain, size_t a)
{
    spn_chain *c = &view->chain;
    assert(a < chain->replicas && c->first_stream == a);
    view->energy = chain->energies[a];
    view->best_energy = chain->best.energy[a];
    view->logged = chain->best.logged[a];
    view->accepted = chain->accepted[a];
    view->done = 0;
    view->finished = false;
    c->base.step = chain->base.step;
    c->options.target_energy = chain->options.target_energy;
    c->at_target = view->energy <= chain->options.target_energy;
    c->accepted_total = c->uphill = c->downhill = 0;
    c->improved_step = chain->improved_step;
    c->first_hit = chain->first_hit;
    c->bad_energy = false;
    /* a replica at the target goes on; it ends the run only together with the others */
    view->touched = c->at_target > 0;
    c->target_count = chain->target_count == SIZE_MAX || view->touched ? SIZE_MAX : 1;
    atomic_store(&view->pieces, 0);
}

/* Save the arrays of a replica before a stretch, or restore them. */
static void copy_state(const spn_sides *s, const spn_chain *chain, size_t a, bool back)
{
    const size_t sites = chain->sites, stride = chain->cache_stride;
    const size_t log = chain->best.log_capacity;
    const struct {
        void *own, *copy;
        size_t size;
    } arrays[] = {{spn_chain_spins(chain, a), s->spins + a * sites, sites},
                  {spn_chain_cache(chain, a), s->caches + a * stride, stride},
                  {chain->best.spins + a * sites, s->best_spins + a * sites, sites},
                  {chain->best.log + a * log, s->best_log + a * log, log * sizeof *s->best_log}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        memcpy(back ? arrays[k].own : arrays[k].copy, back ? arrays[k].copy : arrays[k].own,
               arrays[k].size);
}

typedef struct stretch {
    spn_chain *chain;
    size_t count, pieces;
} stretch;

/* A block of a view. A replica that touches the target stops there if that ends the run. */
static void run_block(replica_view *view, const stretch *s, size_t count)
{
    spn_chain *c = &view->chain;
    const spn_sides *sides = s->chain->sides;
    c->base.step = s->chain->base.step + view->done;
    c->interrupt = 0;
    spn_order_fill(c, count);
    c->block.beta = sides->beta + view->done;
    c->block.gamma = sides->gamma + view->done;
    view->done += spn_loop_alone(c, count);
    view->finished = c->bad_energy;
    if (c->bad_energy || !c->interrupt)
        return;
    view->touched = true;
    view->first = s->chain->base.step + view->done;
    view->finished = s->chain->target_count == 1;
    c->target_count = SIZE_MAX;
}

/* Item k is piece k / y of the stretch of replica k % y, so that the work is even for any number of
   threads. The piece before was taken earlier; wait for its thread. */
static void run_piece(void *context, size_t item)
{
    const stretch *s = context;
    const spn_sides *sides = s->chain->sides;
    const size_t a = item % sides->replicas, piece = item / sides->replicas;
    replica_view *view = &sides->views[a];
    while (atomic_load(&view->pieces) < piece)
        sched_yield();
    if (piece == 0 && sides->spins)
        copy_state(sides, s->chain, a, false);
    const size_t end = s->count * (piece + 1) / s->pieces;
    assert(piece < s->pieces && end <= s->count);
    while (!view->finished && view->done < end) {
        const size_t left = end - view->done, most = view->chain.block.capacity;
        run_block(view, s, left < most ? left : most);
    }
    atomic_store(&view->pieces, piece + 1);
}

/* The target ended the run within the stretch, or may have: for target all, only single steps can
   tell. Then the steps up to *until must be made again on one thread. */
static bool reached_target(uint64_t *until, const spn_chain *chain, size_t count)
{
    const spn_sides *s = chain->sides;
    size_t touched = 0;
    assert(s && s->replicas == chain->replicas);
    *until = chain->base.step + count;
    for (size_t a = 0; a < s->replicas; a++) {
        touched += s->views[a].touched;
        if (chain->target_count == 1 && s->views[a].touched && s->views[a].first < *until)
            *until = s->views[a].first;
    }
    return touched >= chain->target_count;
}

/* Bring the chain to the state of the views. A NaN counts at its earliest step, there in the first
   replica. Returns the steps until then. */
static size_t leave(spn_chain *chain, size_t count)
{
    const spn_sides *s = chain->sides;
    size_t done = count;
    chain->at_target = 0;
    for (size_t a = 0; a < s->replicas; a++) {
        const replica_view *view = &s->views[a];
        const spn_chain *c = &view->chain;
        chain->energies[a] = view->energy;
        chain->best.energy[a] = view->best_energy;
        chain->best.logged[a] = view->logged;
        chain->accepted[a] = view->accepted;
        chain->accepted_total += c->accepted_total;
        chain->uphill += c->uphill;
        chain->downhill += c->downhill;
        chain->at_target += c->at_target;
        if (c->improved_step > chain->improved_step)
            chain->improved_step = c->improved_step;
        if (c->first_hit < chain->first_hit)
            chain->first_hit = c->first_hit;
        if (c->bad_energy && (!chain->bad_energy || view->done < done)) {
            spn_chain_bad_energy(chain, a, c->bad_site);
            memcpy(chain->bad_change, c->bad_change, sizeof chain->bad_change);
            done = view->done;
        }
    }
    return done;
}

/* The minimum seconds of a stretch on one thread: handing it over takes some microseconds. */
static const double SHORTEST = 5e-5;

/* The steps that can be made before a scoping schedule may change. */
static size_t within_scope(const spn_chain *chain, size_t count)
{
    const uint64_t left =
        (spn_chain_next_scope(chain) - 1 - chain->accepted_total) / (uint64_t)chain->replicas;
    return left < count ? (size_t)left : count;
}

bool spn_sides_pay(spn_chain *chain, size_t count)
{
    spn_sharing *s = &chain->sharing;
    if (!chain->sides || chain->base.step < chain->sides->alone_until)
        return false;
    count = within_scope(chain, count);
    if (count == 0)
        return false;
    if (s->always)
        return spn_sharing_has_team(s, chain->options.threads, chain->replicas);
    if (s->known < SPN_SHARING_KNOWN || s->alone * (double)count < SHORTEST)
        return false;
    return s->on ? spn_clock() < s->next_trial
                 : spn_clock() >= s->next_trial &&
                       spn_sharing_has_team(s, chain->options.threads, chain->replicas);
}

static void note_shared(spn_sharing *s, double seconds, size_t steps)
{
    const double alone = s->alone * (double)steps;
    s->shared += steps;
    if (seconds > (s->on ? alone : SPN_SHARING_GAIN * alone)) {
        spn_sharing_give_up(s, seconds);
        return;
    }
    if (!s->on)
        s->next_trial = spn_clock() + seconds / SPN_TRIAL_SHARE;
    s->on = true;
    s->pause = 0.5 * s->pause;
}

bool spn_sides_time_alone(spn_chain *chain)
{
    enum { BLOCKS = 64 };
    spn_sharing *s = &chain->sharing;
    return s->on || s->known < SPN_SHARING_KNOWN || ++s->untimed % BLOCKS == 0;
}

void spn_sides_note_alone(spn_chain *chain, double seconds, size_t steps)
{
    spn_sharing *s = &chain->sharing;
    spn_sharing_note_alone(s, seconds, steps);
    if (s->on)
        s->next_trial = spn_clock() + seconds / SPN_TRIAL_SHARE;
}

/* A trial is longer than it takes to wake a thread, and so short that on a busy machine a thread is
   rarely stopped while it holds a replica. */
static size_t within_trial(const spn_sharing *s, size_t count)
{
    const double longest = 3e-4;
    if (s->always || s->on || s->alone * (double)count <= longest)
        return count;
    return 1 + (size_t)(longest / s->alone);
}

size_t spn_sides_run(spn_chain *chain, size_t count)
{
    enum { PIECES = 4 };
    const double started = spn_clock();
    spn_sides *sides = chain->sides;
    const size_t y = chain->replicas;
    count = within_trial(&chain->sharing, within_scope(chain, count));
    assert(count > 0 && count <= SPN_STRETCH && chain->at_target < chain->target_count);
    const spn_chain_options *o = &chain->options;
    const spn_way now = spn_parts_at(&chain->parts, chain->base.step);
    spn_schedule_fill(o->beta, now.step, count, now.steps, chain->accepted_total, chain->replicas,
                      chain->sides->beta);
    spn_schedule_fill(o->gamma, now.step, count, now.steps, chain->accepted_total, chain->replicas,
                      chain->sides->gamma);
    for (size_t a = 0; a < y; a++)
        enter(&sides->views[a], chain, a);
    const bool even = y % chain->options.threads == 0;
    stretch s = {chain, count, even || count < 64 * PIECES ? 1 : PIECES};
    spn_team_run(chain->sharing.team, run_piece, &s, y * s.pieces);
    if (chain->target_count != SIZE_MAX && reached_target(&sides->alone_until, chain, count)) {
        for (size_t a = 0; a < y; a++)
            copy_state(sides, chain, a, true);
        return 0;
    }
    const size_t done = leave(chain, count);
    chain->beta = sides->beta[done - 1];
    chain->gamma = sides->gamma[done - 1];
    note_shared(&chain->sharing, spn_clock() - started, done);
    return done;
}
