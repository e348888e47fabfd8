/* Rounds of a read: random starts, proposals, and the best state on the way. */
#include "problem/move.h"

#include "base/memory.h"
#include "core/numeric.h"
#include <string.h>

/* Uphill moves among the proposals, below which a walk is not taken to be slower still. */
#define LEAST_SHARE 0.04

void spn_words_fill(spn_word_source *source)
{
    for (size_t k = 0; k < SPN_WORDS; k += 4)
        spn_stream_block(&source->stream, source->block++, source->words + k);
    source->used = 0;
}

double spn_shift_products(spn_state *s, const spn_price *price, uint32_t i)
{
    const spn_compiled *c = s->c;
    double gain = 0;
    for (size_t k = c->in_first[i]; k < c->in_first[i + 1]; k++) {
        const size_t t = c->in[k];
        const uint32_t row = c->product[t].row;
        if (row == SPN_NO_ROW)
            continue;
        const double u = s->u[row], after = u + spn_state_product_change(s, t, i);
        s->undo[s->undone++] = (spn_undo){row, u};
        s->u[row] = after;
        gain += price[row].weight *
                (spn_violation(after, price[row].both) - spn_violation(u, price[row].both));
    }
    return gain;
}

/* ---- starts ---- */

/* A random number of ones, low to high, at random places of each kept set; other bits are fair. */
static void draw_state(const spn_compiled *c, spn_state *s, spn_word_source *random)
{
    for (size_t i = 0; i < c->bits; i++)
        s->spins[i] = c->set_of[i] == SPN_NO_SET && (spn_next_word(random) & 1) ? 1 : -1;
    for (size_t k = 0; k < c->sets; k++) {
        const spn_kept_set *set = &c->set[k];
        uint32_t *members = s->members + set->first;
        const uint32_t ones = set->low + spn_next_below(random, set->high - set->low + 1);
        for (uint32_t at = 0; at < ones; at++) {
            const uint32_t chosen = at + spn_next_below(random, set->count - at);
            const uint32_t bit = members[chosen];
            members[chosen] = members[at];
            members[at] = bit;
            s->spins[bit] = 1;
        }
    }
}

void spn_read_sum(const spn_solver *solver, spn_solver_read *read)
{
    for (size_t i = 0; read->sums && i < solver->c->bits; i++) {
        read->sums[i] = 0;
        for (size_t a = 0; a < solver->options.replicas; a++)
            read->sums[i] = (int16_t)(read->sums[i] + read->replica[a].spins[i]);
    }
}

static spn_merit merit_of(const spn_state *s)
{
    return (spn_merit){s->violated ? s->violation : 0, s->objective};
}

spn_status spn_read_start(const spn_solver *solver, spn_solver_read *read, spn_error *err)
{
    const size_t replicas = solver->options.replicas;
    read->round_best = (spn_merit){INFINITY, INFINITY};
    read->pending = replicas;
    memset(read->violated, 0, solver->c->rows);
    memset(read->heat, 0, sizeof read->heat);
    read->sum = read->squares = 0;
    read->samples = 0;
    spn_hold(solver, read);
    for (size_t a = 0; a < replicas && !read->holds; a++)
        draw_state(solver->c, &read->replica[a], &read->random);
    for (size_t a = 0; a < replicas; a++) {
        read->replica[a].walked = 0;
        if (!spn_state_attach(&read->replica[a]))
            return spn_fail(err, SPN_ERROR_ENERGY,
                            "the objective of a random state is not a finite number");
    }
    spn_read_sum(solver, read);
    return SPN_OK;
}

/* ---- the best state ---- */

void spn_read_keep(spn_solver_read *read, size_t replicas)
{
    if (read->pending < replicas) {
        const spn_state *s = &read->replica[read->pending];
        memcpy(read->best_spins, s->spins, s->c->bits);
    }
    read->pending = replicas;
}

/* After a move of replica a. The best state is copied only when its replica leaves it. */
static void follow_best(const spn_solver *solver, spn_solver_read *read, size_t a,
                        const spn_move *move)
{
    const size_t replicas = solver->options.replicas;
    spn_state *s = &read->replica[a];
    const spn_merit now = merit_of(s);
    if (spn_is_better(now, read->round_best))
        read->round_best = now;
    if (spn_is_better(now, read->best)) {
        read->best = now;
        read->pending = a;
    } else if (read->pending == a) {
        spn_unmake(s, move);
        spn_read_keep(read, replicas);
        spn_make(s, move);
    }
}

/* ---- proposals ---- */

static inline bool is_accepted(spn_solver_read *read, double cost)
{
    const double never = 22; /* e^-22 < 2^-31 */
    if (cost <= 0)
        return true;
    return cost < never && spn_next_uniform(&read->random) < spn_exp(-cost);
}

static bool is_held(const spn_solver_read *read, const spn_move *move)
{
    for (uint32_t k = 0; k < move->count; k++)
        if (read->held[move->bit[k]])
            return true;
    return false;
}

static inline void propose(const spn_solver *solver, spn_solver_read *read, size_t a)
{
    spn_state *s = &read->replica[a];
    const spn_move move = spn_draw_bits(s, read, solver->has_swaps);
    bool made;
    if (move.count == 0 || (read->holds && is_held(read, &move)))
        return;
    const double coupling = read->sums ? spn_move_coupling(read, s, &move) : 0;
    const double gain = spn_move_gain(solver, s, read->price, &move, &made);
    if (!is_accepted(read, read->beta * gain - coupling)) {
        if (made)
            spn_unmake(s, &move);
        return;
    }
    if (!made)
        spn_make(s, &move);
    for (uint32_t k = 0; read->sums && k < move.count; k++)
        read->sums[move.bit[k]] = (int16_t)(read->sums[move.bit[k]] + 2 * s->spins[move.bit[k]]);
    s->walked += gain;
    read->accepted++;
    read->uphill += gain > 0;
    follow_best(solver, read, a, &move);
}

/* ---- ticks and epochs ---- */

static uint64_t tick_start(uint64_t tick, uint64_t steps)
{
    const uint64_t ticks = SPN_EPOCHS * SPN_TICKS;
    return steps / ticks * tick + steps % ticks * tick / ticks;
}

static void set_point(const spn_solver *solver, spn_solver_read *read, uint64_t tick)
{
    const spn_solver_options *o = &solver->options;
    const uint64_t ticks = SPN_EPOCHS * SPN_TICKS;
    const double way = spn_read_way(read, (double)tick / (double)(ticks - 1));
    read->beta = o->beta ? spn_schedule_value(o->beta, tick, ticks, 0, o->replicas)
                         : solver->beta_first * pow(solver->beta_last / solver->beta_first, way);
    read->gamma = o->gamma ? spn_schedule_value(o->gamma, tick, ticks, 0, o->replicas) : 0;
    if (read->sums && (read->coupling.replicas == 0 || read->coupling.gamma != read->gamma))
        spn_coupling_set(&read->coupling, read->gamma, o->replicas);
}

/* At the end of a tick: one sample of U of each replica for the heat of the epoch. */
static void sample_heat(const spn_solver *solver, spn_solver_read *read)
{
    for (size_t a = 0; a < solver->options.replicas; a++) {
        const double value = read->replica[a].walked;
        read->sum += value;
        read->squares += value * value;
        read->samples++;
    }
}

static void end_epoch(const spn_solver *solver, spn_solver_read *read, size_t epoch)
{
    const double count = (double)read->samples, mean = read->sum / count;
    const double moved = (double)(read->uphill - read->epoch_uphill);
    const double share = moved / fmax(1, (double)(read->proposals - read->epoch_proposals));
    read->heat[epoch] =
        read->beta * sqrt(fmax(0, read->squares / count - mean * mean)) / fmax(share, LEAST_SHARE);
    read->epoch_uphill = read->uphill;
    read->epoch_proposals = read->proposals;
    read->sum = read->squares = 0;
    read->samples = 0;
    spn_adapt_epoch(solver, read, epoch);
    for (size_t a = 0; a < solver->options.replicas; a++) /* no rounding error grows */
        if (!solver->c->exact && !spn_state_attach(&read->replica[a]))
            read->status = spn_fail(&read->error, SPN_ERROR_ENERGY,
                                    "the objective of a state is not a finite number");
}

void spn_read_run(const spn_solver *solver, spn_solver_read *read, uint64_t from, uint64_t count,
                  uint64_t steps)
{
    const uint64_t ticks = SPN_EPOCHS * SPN_TICKS, end = from + count;
    const size_t replicas = solver->options.replicas;
    uint64_t tick = steps >= ticks ? from / ((steps + ticks - 1) / ticks) : 0;
    while (tick_start(tick + 1, steps) <= from)
        tick++;
    for (uint64_t at = from; at < end && !read->status; tick++) {
        const uint64_t border = tick_start(tick + 1, steps), stop = border < end ? border : end;
        set_point(solver, read, tick);
        read->proposals += (stop - at) * replicas;
        for (; at < stop; at++)
            for (size_t a = 0; a < replicas; a++)
                propose(solver, read, a);
        if (at < border)
            break;
        sample_heat(solver, read);
        if (2 * tick >= ticks)
            spn_adapt_tick(solver, read);
        if ((tick + 1) % SPN_TICKS == 0)
            end_epoch(solver, read, (size_t)(tick / SPN_TICKS));
    }
}

spn_status spn_read_end(const spn_solver *solver, spn_solver_read *read, spn_error *err)
{
    spn_read_keep(read, solver->options.replicas);
    spn_hold_note(solver, read);
    SPN_NEED(spn_grow(&read->ended, &read->ended_room, read->round + 1, sizeof *read->ended), err,
             "the rounds of a read");
    read->ended[read->round++] = (spn_ended){read->round_best, solver->c->bits - read->actives};
    spn_adapt_round(solver, read);
    return SPN_OK;
}
