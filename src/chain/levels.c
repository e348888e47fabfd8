/* The proposals of chains that move between levels. */
#include "chain/levels.h"

#include "base/memory.h"
#include "base/try.h"
#include "chain/loop.h"
#include <math.h>
#include <stdlib.h>

/* A proposal may use 2^20 blocks of four random words: enough for any group. */
enum { WORDS_LOG = 20 };

void spn_levels_free(spn_levels *levels)
{
    if (levels)
        SPN_FREE_ALL(levels->log_factorial, levels->chosen, levels);
}

static size_t bias_of(const spn_level_groups *g)
{
    return g->row - g->groups * g->copies;
}

spn_status spn_levels_create(spn_chain *chain, spn_error *err)
{
    if (chain->options.moves != SPN_MOVES_LEVELS)
        return SPN_OK;
    spn_level_groups groups;
    if (chain->proposed || !chain->slots.levels || !chain->slots.levels(chain->energy, &groups))
        return SPN_OK;
    spn_levels *l = chain->levels = spn_alloc(1, sizeof *l);
    if (!l)
        return spn_no_memory(err, "levels");
    l->groups = groups;
    const size_t bias = bias_of(&l->groups), copies = l->groups.copies;
    const size_t largest = bias > copies ? bias : copies;
    l->log_factorial = spn_alloc(largest + 1, sizeof *l->log_factorial);
    l->chosen = spn_alloc(2 * largest, sizeof *l->chosen);
    if (!l->log_factorial || !l->chosen)
        return spn_no_memory(err, "levels");
    for (size_t n = 1; n <= largest; n++)
        l->log_factorial[n] = l->log_factorial[n - 1] + log((double)n);
    return SPN_OK;
}

/* ---- a proposal ---- */

/* Spins first .. first + size - 1, of which those that are `from` can flip. */
typedef struct group_part {
    size_t first, size;
    int8_t from;
} group_part;

typedef struct proposal {
    group_part part[2];
    spn_level_move move;
    size_t size; /* spins that flip in each part */
    spn_random random;
} proposal;

/* Group g of the row of a site. */
static group_part part_at(const spn_level_groups *g, size_t site, size_t group, int8_t from)
{
    const size_t row = site / g->row * g->row;
    return (group_part){.first = row + group * g->copies,
                        .size = group < g->groups ? g->copies : bias_of(g),
                        .from = from};
}

/* 1, 2, 4, ... up to most, each half as often as the one before; the last one makes up the rest. */
static size_t draw_size(uint32_t word, size_t most)
{
    size_t size = 1;
    while (2 * size <= most && (word & 1)) {
        size *= 2;
        word >>= 1;
    }
    return size;
}

/* What is drawn without regard to the state. */
static void draw(proposal *p, const spn_chain *chain, size_t a, size_t site, size_t j)
{
    const spn_level_groups *g = &chain->levels->groups;
    const spn_chain_options *o = &chain->options;
    const size_t group = site % g->row / g->copies;
    p->random = spn_random_make(o->seed, o->run, (uint32_t)a, SPN_PURPOSE_MOVES);
    p->random.index = (chain->base.step + j) << WORDS_LOG;
    const uint32_t word = spn_random_u32(&p->random);
    const int8_t from = word >> 31 ? 1 : -1;
    const size_t own = group < g->groups ? group : g->groups;
    p->part[0] = part_at(g, site, own, from);
    p->move.count = 1;
    double most = g->most[site % g->row];
    size_t room = p->part[0].size;
    if (word >> 30 & 1 && g->partners && own < g->groups) {
        const int32_t partner = g->partner[own * g->partners + (word >> 28 & 3) % g->partners];
        const size_t other = (size_t)abs(partner) - 1;
        p->part[1] = part_at(g, site, other, (int8_t)(partner > 0 ? -from : from));
        p->move.count = 2;
        most += g->most[other * g->copies];
    }
    if (most > 0 && g->limit / most < (double)room)
        room = (size_t)(g->limit / most);
    p->size = room ? draw_size(word, room) : 0;
}

/* The spins of a part that can flip. */
static size_t count_from(const group_part *part, const int8_t *spins)
{
    int sum = 0;
    for (size_t i = 0; i < part->size; i++)
        sum += spins[part->first + i];
    return (size_t)((int)part->size + part->from * sum) / 2;
}

/* log C(n, k) */
static double log_choose(const spn_levels *l, size_t n, size_t k)
{
    return l->log_factorial[n] - l->log_factorial[k] - l->log_factorial[n - k];
}

/* The move, and minus the logarithm of how much more likely the move back is; infinity if too few
   spins can flip. */
static double settle(proposal *p, const spn_levels *l, const int8_t *spins)
{
    double cost = 0;
    for (size_t c = 0; c < p->move.count; c++) {
        const size_t size = p->part[c].size, n = count_from(&p->part[c], spins);
        if (p->size == 0 || n < p->size)
            return INFINITY;
        cost += log_choose(l, size - n + p->size, p->size) - log_choose(l, n, p->size);
        p->move.site[c] = p->part[c].first;
        p->move.change[c] = -2 * p->part[c].from * (int)p->size;
    }
    return cost;
}

/* Draw the spins that flip, each choice alike. */
static size_t choose(proposal *p, const spn_levels *l, const int8_t *spins)
{
    size_t count = 0;
    for (size_t c = 0; c < p->move.count; c++) {
        size_t left = count_from(&p->part[c], spins), need = p->size;
        for (size_t i = p->part[c].first; need > 0; i++) {
            if (spins[i] != p->part[c].from)
                continue;
            if (spn_random_below(&p->random, (uint32_t)left--) < need) {
                l->chosen[count++] = (uint32_t)i;
                need--;
            }
        }
    }
    assert(count == p->size * p->move.count);
    return count;
}

/* Minus the change of the coupling by all flips. */
static double coupling_cost(const spn_loop_view *view, size_t a, size_t count, size_t j,
                            spn_gamma_use use)
{
    const int8_t *spins = view->spins + a * view->sites;
    double cost = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t i = view->chain->levels->chosen[k];
        cost -= use == SPN_GAMMA_CENTRE
                    ? -2 * view->gamma[j] * (view->centre[i] * spins[i])
                    : spn_coupling_change(view->gamma[j], view->sums[i], spins[i]);
    }
    return cost;
}

static void accept(const spn_loop_view *view, size_t a, const proposal *p, size_t count, size_t j,
                   spn_gamma_use use)
{
    spn_chain *chain = view->chain;
    int8_t *spins = view->spins + a * view->sites;
    const uint32_t *chosen = chain->levels->chosen;
    for (size_t k = 0; k < count; k++) {
        const size_t i = chosen[k];
        spins[i] = (int8_t)-spins[i];
        if (use != SPN_GAMMA_CENTRE)
            view->sums[i] = (int16_t)(view->sums[i] + 2 * spins[i]);
        if (k + 1 < count)
            spn_best_note(&chain->best, a, i);
    }
    spn_accepted(view, a, chosen[count - 1],
                 chain->slots.level_commit(view->energy, view->caches + a * view->cache_stride,
                                           spins, &p->move),
                 j);
}

/* False if the run must be checked before another step. */
static bool propose(const spn_loop_view *view, size_t a, size_t stream, size_t j, spn_gamma_use use)
{
    spn_chain *chain = view->chain;
    const spn_levels *l = chain->levels;
    const size_t at = stream * chain->block.capacity + j;
    const int8_t *spins = view->spins + a * view->sites;
    const double threshold = chain->block.threshold[at];
    proposal p;
    draw(&p, chain, stream, chain->block.site[at], j);
    double cost = settle(&p, l, spins);
    if (!(cost < INFINITY))
        return true;
    size_t count = 0;
    if (use != SPN_GAMMA_NONE) {
        count = choose(&p, l, spins);
        cost += coupling_cost(view, a, count, j, use);
    }
    if (chain->two_stage)
        cost = spn_positive(cost);
    if (chain->two_stage && cost > threshold)
        return true;
    const double delta =
        chain->slots.level_delta(view->energy, view->caches + a * view->cache_stride, &p.move);
    if (delta != delta) {
        spn_chain_bad_energy(chain, a, chain->block.site[at]);
        return false;
    }
    if (!(delta <= spn_limit(view, cost, threshold, j)))
        return true;
    accept(view, a, &p, count ? count : choose(&p, l, spins), j, use);
    return !chain->interrupt;
}

size_t spn_levels_run(spn_chain *chain, size_t count)
{
    const spn_loop_view view = spn_loop_view_of(chain, 1);
    const spn_gamma_use use = spn_chain_gamma_use(chain);
    for (size_t j = 0; j < count; j++) {
        bool go_on = true;
        for (size_t s = 0; s < chain->streams; s++) {
            const size_t a =
                chain->picks_replica && chain->replicas > 1 ? chain->block.replica[j] : s;
            go_on &= propose(&view, a, s, j, use);
        }
        if (!go_on)
            return j + 1;
    }
    return count;
}
