/* The steps of a waiting chain: from candidate to candidate. */
#include "chain/chain.h"
#include "chain/loop.h"
#include "chain/waiting.h"
#include "core/numeric.h"

#include "base/philox.h"
#include <assert.h>
#include <math.h>

enum { WAITING_LANE = 0xFFFE }; /* the stream of candidates, beside those of proposals */

__extension__ typedef unsigned __int128 wide;

/* Philox4x32-10 of consecutive blocks at once: the bits of spn_stream_block. */
static void make_words(uint32_t words[4][SPN_WAIT_NUMBERS], const spn_stream *stream,
                       uint64_t first)
{
    uint32_t k0 = stream->key[0], k1 = stream->key[1];
    for (size_t k = 0; k < SPN_WAIT_NUMBERS; k++) {
        words[0][k] = (uint32_t)(first + k);
        words[1][k] = (uint32_t)((first + k) >> 32);
        words[2][k] = stream->run;
        words[3][k] = stream->lane;
    }
    for (int round = 0; round < SPN_PHILOX_ROUNDS; round++) {
        for (size_t k = 0; k < SPN_WAIT_NUMBERS; k++) {
            const uint64_t p0 = (uint64_t)SPN_PHILOX_M0 * words[0][k];
            const uint64_t p1 = (uint64_t)SPN_PHILOX_M1 * words[2][k];
            words[0][k] = (uint32_t)(p1 >> 32) ^ words[1][k] ^ k0;
            words[2][k] = (uint32_t)(p0 >> 32) ^ words[3][k] ^ k1;
            words[1][k] = (uint32_t)p1;
            words[3][k] = (uint32_t)p0;
        }
        k0 += SPN_PHILOX_W0;
        k1 += SPN_PHILOX_W1;
    }
}

/* A batch at once, so that it becomes vector code and no candidate waits for it. */
static void make_numbers(spn_chain *chain)
{
    spn_waiting *w = chain->waiting;
    const spn_chain_options *o = &chain->options;
    const spn_stream stream = spn_stream_make(o->seed, o->run, WAITING_LANE, SPN_PURPOSE_PROPOSALS);
    uint32_t words[4][SPN_WAIT_NUMBERS];
    w->numbers_from = w->clock.number / SPN_WAIT_NUMBERS * SPN_WAIT_NUMBERS;
    w->has_numbers = true;
    make_words(words, &stream, w->numbers_from);
    for (size_t k = 0; k < SPN_WAIT_NUMBERS; k++) {
        w->choice[k] = words[0][k] | (uint64_t)words[1][k] << 32;
        /* 52 bits and a half: never 0 or 1; above 2^52 is the exponent */
        const uint64_t bits = words[2][k] | (uint64_t)(words[3][k] >> 12) << 32;
        w->wait[k] = (spn_from_bits(0x4330000000000000ull | bits) - 0x1p52 + 0.5) * 0x1p-52;
    }
    for (size_t k = 0; k < SPN_WAIT_NUMBERS; k++)
        w->wait[k] = -spn_log(w->wait[k]);
}

static size_t next_number(spn_chain *chain)
{
    spn_waiting *w = chain->waiting;
    if (!w->has_numbers || w->clock.number - w->numbers_from >= SPN_WAIT_NUMBERS)
        make_numbers(chain);
    return (size_t)(w->clock.number++ - w->numbers_from);
}

/* -log(1 - share) */
static inline double hazard(double share)
{
    if (share >= 0x1p-6)
        return -spn_log(1 - share);
    const double s2 = share * share;
    return share + s2 * ((0.5 + share * (1.0 / 3)) +
                         s2 * ((0.25 + share * 0.2) + s2 * (1.0 / 6 + share * (1.0 / 7))));
}

static inline uint64_t largest_mass(const spn_waiting *w, size_t replicas)
{
    uint64_t most = w->mass[0];
    for (size_t a = 1; a < replicas; a++)
        most = w->mass[a] > most ? w->mass[a] : most;
    return most;
}

/* The number of proposals before the next candidate: k or more with probability (1 - R)^k. */
static inline uint64_t draw_wait(const spn_waiting *w, uint64_t mass, double all, size_t number)
{
    const double forever = 0x1p60;
    if (mass == 0)
        return (uint64_t)forever;
    const double share = (double)mass / all;
    if (share >= 1)
        return 0;
    const double wait = w->wait[number] / hazard(share);
    return wait < forever ? (uint64_t)wait : (uint64_t)forever;
}

/* One replica, its parts held in registers. */
typedef struct wait_view {
    spn_chain *chain;
    spn_waiting *w;
    size_t a;
    spn_wait_site *sites;
    spn_wait_list *lists;
    const uint64_t *bound;
    const int8_t *spins;
} wait_view;

SPN_INLINE wait_view view_of(spn_chain *chain, size_t a)
{
    spn_waiting *w = chain->waiting;
    return (wait_view){chain,
                       w,
                       a,
                       w->site + a * chain->sites,
                       w->list + a * w->classes,
                       w->bound,
                       spn_chain_spins(chain, a)};
}

static void out_of_memory(spn_chain *chain)
{
    chain->waiting->no_memory = true;
    chain->interrupt = 1;
}

/* Move a site whose class changed to its new list. Returns the change of the replica's mass. */
SPN_INLINE uint64_t update_class(const wait_view *v, size_t i, bool coupled)
{
    spn_wait_site *site = &v->sites[i];
    const size_t now = spn_wait_class(v->chain, v->w, v->a, i, coupled), before = site->class;
    if (now == before)
        return 0;
    spn_wait_list *from = &v->lists[before], *to = &v->lists[now];
    assert(now < v->w->classes && from->sites[site->place] == i);
    if (__builtin_expect(to->count == to->room, 0) && !spn_wait_list_grow(to, to->count + 1)) {
        out_of_memory(v->chain);
        return 0;
    }
    const uint32_t last = from->sites[--from->count], place = site->place;
    from->sites[place] = last;
    v->sites[last].place = place;
    to->sites[to->count] = (uint32_t)i;
    site->place = to->count++;
    site->class = (uint32_t)now;
    return v->bound[now] - v->bound[before];
}

/* Update the site in the other replicas, whose overlap has changed. */
static void update_others(const wait_view *v, size_t i)
{
    for (size_t b = 0; b < v->chain->replicas; b++)
        if (b != v->a) {
            const wait_view other = view_of(v->chain, b);
            v->w->mass[b] += update_class(&other, i, true);
        }
}

/* Flip, and update the classes of the site in all replicas and of its neighbours. */
SPN_INLINE void flip(const wait_view *v, const spn_loop_view *view, size_t i, size_t j,
                     bool coupled)
{
    spn_chain *chain = v->chain;
    const spn_variant variant = {.gamma = chain->centre ? SPN_GAMMA_CENTRE : SPN_GAMMA_TABLE,
                                 .commit = chain->slots.commit};
    const spn_wait_edge *edge = v->w->edges + v->w->graph.first[i];
    const spn_wait_edge *end = v->w->edges + v->w->graph.first[i + 1];
    spn_accept(view, v->a, i, j, variant);
    v->sites[i].gain = -v->sites[i].gain;
    const int spin = v->spins[i];
    uint64_t mass = v->w->mass[v->a] + update_class(v, i, coupled);
    for (; edge < end; edge++) {
        const size_t n = edge->site;
        v->sites[n].gain -= edge->change * (spin * v->spins[n]);
        mass += update_class(v, n, coupled);
    }
    v->w->mass[v->a] = mass;
    if (coupled && !chain->centre)
        update_others(v, i);
}

/* A candidate of replica a: flip the site that it chooses and accepts, if any. */
SPN_INLINE void decide(const spn_loop_view *view, size_t a, uint64_t mass, uint64_t choice,
                       uint64_t step, bool coupled)
{
    const wait_view v = view_of(view->chain, a);
    uint64_t rest = (uint64_t)((wide)choice * mass >> 64);
    if (rest >= v.w->mass[a])
        return;
    size_t class = 0;
    for (uint64_t here; rest >= (here = v.bound[class] * v.lists[class].count); class ++)
        rest -= here;
    assert(class < v.w->classes);
    const uint64_t k = rest / v.bound[class];
    const size_t i = v.lists[class].sites[k];
    rest -= k * v.bound[class]; /* uniform below the bound */
    assert(v.sites[i].class == class);
    if (rest >= v.w->sure[class] &&
        rest >= spn_waiting_rate(v.chain, step, v.sites[i].gain, spn_wait_overlap(v.chain, a, i)))
        return;
    flip(&v, view, i, (size_t)(step - v.chain->base.step), coupled);
}

/* Which replica proposes; in random order, the same as in the plain chain. */
static size_t replica_of(const spn_chain *chain, uint64_t proposal)
{
    return chain->picks_replica && chain->replicas > 1 ? spn_order_replica(chain, proposal)
                                                       : proposal % chain->replicas;
}

/* Handle the candidates before proposal `end`; if the chain is interrupted, only the rest of that
   step's. Returns the proposals done. */
SPN_INLINE uint64_t candidates_as(spn_chain *chain, uint64_t end, bool coupled, bool single)
{
    spn_waiting *w = chain->waiting;
    const spn_loop_view view = spn_loop_view_of(chain, 1);
    const size_t streams = single ? 1 : chain->streams, replicas = single ? 1 : chain->replicas;
    const double all = (double)w->one * (double)chain->sites;
    uint64_t mass = largest_mass(w, replicas), next = w->clock.next;
    while (next < end && !w->no_memory) {
        const uint64_t step = next / streams;
        const size_t number = next_number(chain), a = single ? 0 : replica_of(chain, next);
        decide(&view, a, mass, w->choice[number], step, coupled);
        mass = largest_mass(w, replicas);
        next += 1 + draw_wait(w, mass, all, number);
        if (chain->interrupt)
            end = (step + 1) * streams;
    }
    w->clock.next = next;
    return end;
}

static uint64_t candidates(spn_chain *chain, uint64_t end)
{
    if (chain->waiting->groups > 1)
        return candidates_as(chain, end, true, false);
    return chain->replicas > 1 ? candidates_as(chain, end, false, false)
                               : candidates_as(chain, end, false, true);
}

/* Make sure that the steps from t on have bounds. */
static void enter_interval(spn_chain *chain, uint64_t t)
{
    spn_waiting *w = chain->waiting;
    if (t < w->clock.until) {
        if (!w->bounded)
            spn_waiting_bound(chain);
        return;
    }
    w->clock.from = t;
    w->clock.until = spn_waiting_interval(chain, t);
    spn_waiting_bound(chain);
    const uint64_t mass = largest_mass(w, chain->replicas);
    const double all = (double)w->one * (double)chain->sites;
    w->clock.next = t * chain->streams + draw_wait(w, mass, all, next_number(chain));
}

size_t spn_waiting_run(spn_chain *chain, size_t count)
{
    spn_waiting *w = chain->waiting;
    const spn_chain_options *o = &chain->options;
    const uint64_t end = chain->base.step + count;
    uint64_t t = chain->base.step;
    assert(count > 0 && count <= SPN_WAIT_CHUNK && !chain->interrupt);
    if (!w->built && !spn_waiting_build(chain, NULL))
        return 0;
    chain->scope = spn_chain_next_scope(chain);
    w->counted = chain->accepted_total;
    while (t < end && !chain->interrupt) {
        enter_interval(chain, t);
        const uint64_t stop = w->clock.until < end ? w->clock.until : end;
        t = candidates(chain, stop * chain->streams) / chain->streams;
    }
    if (chain->interrupt)
        w->clock.until = 0; /* a schedule that counts accepted moves may change */
    if (w->no_memory)
        w->built = false;
    const spn_way last = spn_parts_at(&chain->parts, t - 1);
    chain->beta = spn_schedule_value(o->beta, last.step, last.steps, w->counted, chain->replicas);
    chain->gamma = spn_schedule_value(o->gamma, last.step, last.steps, w->counted, chain->replicas);
    spn_order_count_all(chain, (size_t)(t - chain->base.step));
    return (size_t)(t - chain->base.step);
}
