/* The steps of a waiting chain: from candidate to candidate. */
#include "core/loop.h"
#include "core/numeric.h"
#include "core/order.h"
#include "core/waiting.h"

#include "base/philox.h"
#include <assert.h>
#include <math.h>

enum { WAITING_LANE = 0xFFFE }; /* the stream of candidates, beside those of proposals */

__extension__ typedef unsigned __int128 wide;

/* ---- random numbers ---- */

/* A batch at once, so that the logarithms become vector code and nothing waits for a block. */
static void make_numbers(spn_chain *chain)
{
    spn_waiting *w = chain->waiting;
    const spn_chain_options *o = &chain->options;
    const spn_stream stream = spn_stream_make(o->seed, o->run, WAITING_LANE, SPN_PURPOSE_PROPOSALS);
    w->numbers_from = w->clock.number / SPN_WAIT_NUMBERS * SPN_WAIT_NUMBERS;
    for (size_t k = 0; k < SPN_WAIT_NUMBERS; k++) {
        uint32_t words[4];
        spn_stream_block(&stream, w->numbers_from + k, words);
        w->choice[k] = words[0] | (uint64_t)words[1] << 32;
        /* 52 bits and a half: never 0 or 1; what is above 2^52 is the exponent's */
        const uint64_t bits = words[2] | (uint64_t)(words[3] >> 12) << 32;
        w->wait[k] = (spn_from_bits(0x4330000000000000ull | bits) - 0x1p52 + 0.5) * 0x1p-52;
    }
    for (size_t k = 0; k < SPN_WAIT_NUMBERS; k++)
        w->wait[k] = -spn_log(w->wait[k]);
}

static size_t next_number(spn_chain *chain)
{
    spn_waiting *w = chain->waiting;
    if (w->clock.number - w->numbers_from >= SPN_WAIT_NUMBERS)
        make_numbers(chain);
    return (size_t)(w->clock.number++ - w->numbers_from);
}

/* ---- waiting ---- */

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

/* Proposals that are no candidates, before the next that is one: k or more of them with probability
   (1 - R)^k. */
static inline uint64_t draw_wait(const spn_waiting *w, uint64_t mass, double all, size_t number)
{
    const double forever = 0x1p60;
    if (mass == 0)
        return (uint64_t)forever;
    const double share = (double)mass / all;
    if (share >= 1)
        return 0;
    return (uint64_t)fmin(w->wait[number] / hazard(share), forever);
}

/* ---- flips ---- */

/* The class of a site may have changed: move it to the list of the new one. */
SPN_INLINE void update_class(spn_chain *chain, spn_waiting *w, size_t a, size_t i)
{
    const size_t at = a * chain->sites + i, now = spn_wait_class(chain, w, a, i);
    const size_t before = w->class_of[at];
    if (now == before)
        return;
    const size_t from = a * w->classes + before, to = a * w->classes + now;
    const uint32_t hole = w->place[at], last = w->list[from][--w->count[from]];
    assert(now < w->classes && w->list[from][hole] == i);
    w->list[from][hole] = last;
    w->place[a * chain->sites + last] = hole;
    if (w->count[to] == w->room[to] && !spn_waiting_grow(w, to)) {
        w->no_memory = true;
        w->count[from]++; /* still one list for each site */
        chain->interrupt = 1;
        return;
    }
    w->place[at] = w->count[to];
    w->list[to][w->count[to]++] = (uint32_t)i;
    w->class_of[at] = (uint16_t)now;
    w->mass[a] += w->bound[now] - w->bound[before];
}

/* Flip, and bring classes up to date: of the site in all replicas, and of its neighbours. */
static void flip(const spn_loop_view *view, spn_waiting *w, size_t a, size_t i, size_t j)
{
    spn_chain *chain = view->chain;
    const spn_variant v = {.gamma = chain->centre ? SPN_GAMMA_CENTRE : SPN_GAMMA_TABLE,
                           .commit = chain->slots.commit};
    const spn_sparse_terms *g = &w->graph;
    int32_t *gain = w->gain + a * view->sites;
    const int8_t *spins = view->spins + a * view->sites;
    spn_accept(view, a, i, j, v);
    gain[i] = -gain[i];
    for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) {
        const size_t n = g->site[e];
        gain[n] -= 4 * g->coupling[e] * (spins[i] * spins[n]);
        update_class(chain, w, a, n);
    }
    if (w->groups == 1 || chain->centre) {
        update_class(chain, w, a, i);
        return;
    }
    for (size_t b = 0; b < chain->replicas; b++)
        update_class(chain, w, b, i);
}

/* A candidate of replica a: flip what it chooses, if it chooses and accepts any. */
SPN_INLINE void decide(const spn_loop_view *view, spn_waiting *w, size_t a, uint64_t mass,
                       uint64_t choice, uint64_t step)
{
    uint64_t rest = (uint64_t)((wide)choice * mass >> 64);
    if (rest >= w->mass[a])
        return;
    const uint32_t *count = w->count + a * w->classes;
    size_t class = 0;
    for (uint64_t here; rest >= (here = w->bound[class] * count[class]); class ++)
        rest -= here;
    assert(class < w->classes);
    const uint64_t k = rest / w->bound[class];
    const size_t i = w->list[a * w->classes + class][k];
    rest -= k * w->bound[class]; /* uniform below the bound */
    spn_chain *chain = view->chain;
    assert(w->class_of[a * view->sites + i] == class);
    if (rest >= w->sure[class] &&
        rest >= spn_waiting_rate(chain, step, w->gain[a * view->sites + i],
                                 spn_wait_overlap(chain, a, i)))
        return;
    flip(view, w, a, i, (size_t)(step - chain->step));
}

/* ---- steps ---- */

/* Which replica proposes: in random order that of the plain chain. */
static size_t replica_of(const spn_chain *chain, uint64_t proposal)
{
    if (chain->replicas == 1)
        return 0;
    return chain->picks_replica ? spn_order_replica(chain, proposal) : proposal % chain->replicas;
}

/* Candidates before proposal `end`; where the chain is interrupted, the rest of that step's alone.
   Returns the proposals done. */
static uint64_t candidates(spn_chain *chain, uint64_t end)
{
    spn_waiting *w = chain->waiting;
    const spn_loop_view view = spn_loop_view_of(chain, 1);
    const size_t streams = chain->streams;
    const double all = (double)w->one * (double)chain->sites;
    uint64_t mass = largest_mass(w, chain->replicas);
    while (w->clock.next < end && !w->no_memory) {
        const uint64_t proposal = w->clock.next, step = proposal / streams;
        const size_t number = next_number(chain);
        decide(&view, w, replica_of(chain, proposal), mass, w->choice[number], step);
        mass = largest_mass(w, chain->replicas);
        w->clock.next = proposal + 1 + draw_wait(w, mass, all, number);
        if (chain->interrupt)
            end = (step + 1) * streams;
    }
    return end;
}

/* The steps from t on have bounds. */
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
    const uint64_t end = chain->step + count;
    uint64_t t = chain->step;
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
    const spn_progress last = spn_parts_at(&chain->parts, t - 1);
    chain->beta = spn_schedule_value(o->beta, last.step, last.steps, w->counted, chain->replicas);
    chain->gamma = spn_schedule_value(o->gamma, last.step, last.steps, w->counted, chain->replicas);
    spn_order_count_all(chain, (size_t)(t - chain->step));
    return (size_t)(t - chain->step);
}
