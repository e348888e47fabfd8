/* The parts of a waiting chain: its classes, the lists of their sites, and the rule that switches
   between plain and waiting moves. */
#include "chain/waiting.h"
#include "base/text.h"

#include "base/memory.h"
#include "chain/chain.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

const spn_names spn_moves_names =
    SPN_NAME_LIST("way of moving", [SPN_MOVES_PLAIN] = "plain", [SPN_MOVES_WAITING] = "waiting",
                  [SPN_MOVES_AUTO] = "auto", [SPN_MOVES_LEVELS] = "levels");

/* ---- classes ---- */

/* 2 (|h_i| + sum |J_ij|), the largest change that a flip of i can make; below 2^31 by the width of
   the terms. All changes at i have its parity and that of 4 J. */
static uint32_t largest_gain(const spn_sparse_terms *g, size_t i, uint32_t *bits)
{
    int64_t size = 2 * (int64_t)llabs(g->field[i]), sum = 2 * (int64_t)g->field[i];
    for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) {
        size += 2 * llabs(g->coupling[e]);
        sum += 2 * (int64_t)g->coupling[e];
        *bits |= (uint32_t)(4 * llabs(g->coupling[e]));
    }
    *bits |= (uint32_t)llabs(sum);
    assert(size < INT32_MAX);
    return (uint32_t)size;
}

static void make_levels(spn_waiting *w)
{
    uint32_t largest = 0, bits = 0;
    for (size_t i = 0; i < w->graph.sites; i++) {
        const uint32_t size = largest_gain(&w->graph, i, &bits);
        largest = size > largest ? size : largest;
    }
    w->shift = bits ? (unsigned)__builtin_ctz(bits) : 0;
    w->top = spn_wait_level(largest >> w->shift);
    w->levels = 2 * w->top + 1;
}

static spn_wait_range sizes_of(size_t level)
{
    if (level < SPN_WAIT_EXACT)
        return (spn_wait_range){(int64_t)level, (int64_t)level};
    const size_t k = level - SPN_WAIT_EXACT;
    const unsigned e = SPN_WAIT_EXACT_LOG + (unsigned)(k / SPN_WAIT_PARTS);
    const int64_t width = (int64_t)1 << (e - SPN_WAIT_PARTS_LOG);
    const int64_t low = ((int64_t)1 << e) + (int64_t)(k % SPN_WAIT_PARTS) * width;
    return (spn_wait_range){low, low + width - 1};
}

spn_wait_range spn_waiting_gains(const spn_waiting *w, size_t level)
{
    assert(level < w->levels);
    const spn_wait_range sizes = sizes_of(level <= w->top ? level : level - w->top);
    const int64_t unit = (int64_t)1 << w->shift;
    if (level <= w->top)
        return (spn_wait_range){sizes.low * unit, sizes.high * unit};
    return (spn_wait_range){-sizes.high * unit, -sizes.low * unit};
}

/* The group of an overlap: one each if there are few; otherwise large overlaps, between which the
   coupling hardly changes, share a group. */
static size_t group_at(const spn_chain *chain, int overlap)
{
    static const int ends[SPN_WAIT_GROUPS] = {0, 2, 4, 6, 10, 20, 60, SPN_MAX_REPLICAS};
    const int y = (int)chain->replicas;
    if (chain->centre)
        return overlap > 0;
    if (y <= SPN_WAIT_GROUPS)
        return (size_t)(y - overlap) / 2;
    size_t group = 0;
    while (overlap > ends[group])
        group++;
    return group;
}

static void make_groups(spn_waiting *w, const spn_chain *chain)
{
    const spn_schedule *gamma = chain->options.gamma;
    const int y = chain->centre ? 1 : (int)chain->replicas, least = chain->centre ? -1 : 2 - y;
    const bool alone = y == 1 && !chain->centre;
    const bool none = alone || (gamma->kind == SPN_SCHEDULE_CONSTANT && gamma->start == 0);
    w->groups = 1;
    for (size_t g = 0; g < SPN_WAIT_GROUPS; g++)
        w->overlaps[g] = (spn_wait_range){SPN_MAX_REPLICAS, -SPN_MAX_REPLICAS};
    for (int overlap = least; !none && overlap <= y; overlap += 2) {
        const size_t group = group_at(chain, overlap);
        spn_wait_range *range = &w->overlaps[group];
        assert(group < SPN_WAIT_GROUPS);
        w->group_of[SPN_MAX_REPLICAS + overlap] = (uint8_t)group;
        range->low = overlap < range->low ? overlap : range->low;
        range->high = overlap > range->high ? overlap : range->high;
        w->groups = group + 1 > w->groups ? group + 1 : w->groups;
    }
    w->classes = w->levels * w->groups;
}

/* ---- creation ---- */

/* A table of the levels of all changes, if there are few. */
static bool make_table(spn_waiting *w)
{
    enum { FEW = 2048 };
    const spn_wait_range most = spn_waiting_gains(w, w->top);
    w->middle = (size_t)(most.high >> w->shift);
    if (w->middle > FEW)
        return true;
    uint16_t *table = spn_alloc(2 * w->middle + 1, sizeof *table);
    if (!table)
        return false;
    w->level_of = table + w->middle;
    for (int32_t k = -(int32_t)w->middle; k <= (int32_t)w->middle; k++)
        w->level_of[k] = (uint16_t)spn_wait_level_of(w, k * (1 << w->shift));
    return true;
}

/* Each coupling beside its site. */
static bool make_edges(spn_waiting *w)
{
    spn_sparse_terms *g = &w->graph;
    const size_t count = g->first[g->sites];
    if (!(w->edges = spn_alloc(count, sizeof *w->edges)))
        return false;
    for (size_t e = 0; e < count; e++)
        w->edges[e] = (spn_wait_edge){g->site[e], 4 * g->coupling[e]};
    SPN_FREE_ALL(g->site, g->coupling);
    g->site = NULL;
    g->coupling = NULL;
    return true;
}

/* Probabilities are integers in units of 1/one; N of them stay below 2^62. */
static uint64_t one_for(size_t sites)
{
    unsigned bits = 48;
    while (bits > 0 && (uint64_t)sites > (uint64_t)1 << (62 - bits))
        bits--;
    return (uint64_t)1 << bits;
}

/* The rule of SPN_MOVES_AUTO. Leave waiting when a candidate costs more than the plain proposals it
   replaces; enter it when it gains a half. The costs are nanoseconds from bench_waiting; their
   ratios are similar on other machines. The stretch is long compared with the cost of sorting the
   sites. */
static void make_rule(spn_waiting *w, const spn_chain *chain)
{
    const bool coupled = w->groups > 1;
    const double proposal = coupled ? 14.5 : 5.5, candidate = coupled ? 140 : 40;
    const double each = 9, gain = 1.5; /* each: per site whose class changes */
    const double neighbours = (double)w->graph.first[chain->sites] / (double)chain->sites;
    const double touched = neighbours + (coupled && !chain->centre ? (double)chain->replicas : 1);
    const uint64_t least = 4 * (uint64_t)chain->sites * chain->replicas / chain->streams;
    w->leave = proposal / (candidate + each * touched);
    w->enter = w->leave / gain;
    w->stretch = 1024;
    while (w->stretch < least)
        w->stretch *= 2;
}

static bool allocate(spn_waiting *w, const spn_chain *chain)
{
    const size_t y = chain->replicas, all = y * chain->sites, lists = y * w->classes;
    w->lists = lists;
    w->bound = spn_alloc(w->classes, sizeof *w->bound);
    w->sure = spn_alloc(w->classes, sizeof *w->sure);
    w->site = spn_alloc(all, sizeof *w->site);
    w->list = spn_alloc(lists, sizeof *w->list);
    w->mass = spn_alloc(y, sizeof *w->mass);
    return w->bound && w->sure && w->site && w->list && w->mass;
}

/* Why a chain cannot wait; NULL if it can. */
static const char *refusal(const spn_chain *chain)
{
    if (!chain->slots.terms)
        return "waiting needs couplings that are small whole numbers of some unit, of ising, qubo "
               "or maxcut; use plain or auto";
    if (chain->proposed)
        return "waiting is for chains that propose all sites alike, not those of a list; use plain "
               "or auto";
    if (!spn_order_draws_sites(chain->options.order))
        return "there is nothing to wait for in an order that does not draw its sites; use order "
               "random or replica-round, or moves plain or auto";
    return NULL;
}

spn_status spn_waiting_create(spn_chain *chain, spn_error *err)
{
    const spn_moves moves = chain->options.moves;
    const char *why = refusal(chain);
    if (moves == SPN_MOVES_PLAIN || moves == SPN_MOVES_LEVELS || (why && moves == SPN_MOVES_AUTO))
        return SPN_OK;
    SPN_REFUSE_IF(why, err, "moves: %s", why);
    spn_waiting *w = chain->waiting = spn_alloc(1, sizeof *w);
    if (!w || !chain->slots.terms(chain->energy, &w->graph))
        return spn_no_memory(err, "the classes of %zu spins", chain->sites);
    make_levels(w);
    make_groups(w, chain);
    make_rule(w, chain);
    w->one = one_for(chain->sites);
    w->clock.on = moves == SPN_MOVES_WAITING;
    if (!make_table(w) || !make_edges(w) || !allocate(w, chain))
        return spn_no_memory(err, "%zu classes of %zu spins", w->classes, chain->sites);
    return SPN_OK;
}

void spn_waiting_free(spn_waiting *w)
{
    if (!w)
        return;
    for (size_t k = 0; w->list && k < w->lists; k++)
        free(w->list[k].sites);
    spn_sparse_terms_clear(&w->graph);
    SPN_FREE_ALL(w->bound, w->sure, w->site, w->edges, w->level_of ? w->level_of - w->middle : NULL,
                 w->list, w->mass, w);
}

/* ---- the lists ---- */

/* The change of the energy in a flip: -2 s_i (h_i + sum_j J_ij s_j). */
static int32_t gain_at(const spn_waiting *w, const int8_t *spins, size_t i)
{
    int64_t twice = 2 * (int64_t)w->graph.field[i];
    for (uint32_t e = w->graph.first[i]; e < w->graph.first[i + 1]; e++)
        twice += w->edges[e].change / 2 * spins[w->edges[e].site];
    return (int32_t)(-spins[i] * twice);
}

bool spn_wait_list_grow(spn_wait_list *list, uint32_t count)
{
    if (count <= list->room)
        return true;
    const size_t room = (size_t)count + count / 2 + 16;
    uint32_t *sites = realloc(list->sites, room * sizeof *sites);
    if (!sites)
        return false;
    list->sites = sites;
    list->room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
    return true;
}

/* Find the gains and classes of a replica, and size its lists, which stay empty. */
static bool classify(spn_chain *chain, size_t a)
{
    spn_waiting *w = chain->waiting;
    const int8_t *spins = spn_chain_spins(chain, a);
    const size_t first = a * chain->sites;
    spn_wait_list *list = w->list + a * w->classes;
    bool enough = true;
    for (size_t c = 0; c < w->classes; c++)
        list[c].count = 0;
    for (size_t i = 0; i < chain->sites; i++) {
        spn_wait_site *site = &w->site[first + i];
        site->gain = gain_at(w, spins, i);
        site->class = (uint32_t)spn_wait_class(chain, w, a, i, w->groups > 1);
        assert(site->class < w->classes);
        list[site->class].count++;
    }
    for (size_t c = 0; c < w->classes; c++) {
        enough = enough && spn_wait_list_grow(&list[c], list[c].count);
        list[c].count = 0;
    }
    return enough;
}

static void append(spn_chain *chain, size_t a, size_t i)
{
    spn_waiting *w = chain->waiting;
    spn_wait_site *site = &w->site[a * chain->sites + i];
    spn_wait_list *list = &w->list[a * w->classes + site->class];
    assert(list->count < list->room);
    site->place = list->count;
    list->sites[list->count++] = (uint32_t)i;
}

bool spn_waiting_build(spn_chain *chain, const uint32_t *order)
{
    spn_waiting *w = chain->waiting;
    w->built = true;
    w->bounded = false; /* the masses are of other lists */
    for (size_t a = 0; a < chain->replicas; a++) {
        w->built = w->built && classify(chain, a);
        for (size_t i = 0; w->built && i < chain->sites; i++)
            append(chain, a, order ? order[a * chain->sites + i] : i);
    }
    w->no_memory = !w->built;
    return w->built;
}

void spn_waiting_forget(spn_chain *chain)
{
    if (!chain->waiting)
        return;
    chain->waiting->built = chain->waiting->bounded = false;
    chain->waiting->clock.until = 0;
}

void spn_waiting_order(const spn_chain *chain, uint32_t *out)
{
    const spn_waiting *w = chain->waiting;
    assert(w && w->built);
    for (size_t k = 0; k < w->lists; k++) {
        if (w->list[k].count)
            memcpy(out, w->list[k].sites, w->list[k].count * sizeof *out);
        out += w->list[k].count;
    }
}

/* ---- the rule ---- */

uint64_t spn_waiting_left(const spn_chain *chain)
{
    if (!chain->waiting || chain->options.moves != SPN_MOVES_AUTO)
        return UINT64_MAX;
    return chain->waiting->stretch - chain->base.step % chain->waiting->stretch;
}

void spn_waiting_switch(spn_chain *chain)
{
    spn_waiting *w = chain->waiting;
    if (!w || chain->options.moves != SPN_MOVES_AUTO || chain->base.step % w->stretch != 0)
        return;
    spn_waiting_clock *clock = &w->clock;
    const double proposals = (double)w->stretch * (double)chain->streams;
    const uint64_t candidates =
        clock->on ? clock->number - clock->candidates : chain->accepted_total - clock->accepted;
    const double share = (double)candidates / proposals;
    if (!clock->on && share < w->enter) {
        clock->on = 1;
        spn_waiting_forget(chain);
    } else if (clock->on && share > w->leave) {
        clock->on = 0;
        w->built = false;
    }
    clock->accepted = chain->accepted_total;
    clock->candidates = clock->number;
}
