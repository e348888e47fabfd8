/* Proposals: which bits change, what that costs, and making it so.

   A bit is drawn from all. One of no kept set flips or, in a quarter of the draws, changes places
   with another such bit, if that has the other value. In a set with a fixed number of ones it
   changes places with a random one of the other kind; three quarters of the draws of a one-hot set
   that crosses columns are swaps. In a set with a range, half of the draws are flips that stay in
   it. Each move and its reverse are proposed with the same probability: the number of ones is the
   same before and after an exchange, and a swap needs exactly one 1 in each of its two columns,
   before and after. */
#ifndef SPN_PROBLEM_MOVE_H
#define SPN_PROBLEM_MOVE_H

#include "problem/solver.h"

typedef struct spn_move {
    uint32_t count; /* 0: none */
    uint32_t bit[4];
} spn_move;

/* The member of a set in a column; SPN_NO_BIT: none. */
static inline uint32_t spn_member_in_column(const spn_compiled *c, uint32_t set, uint32_t column)
{
    const uint32_t *list = c->set_members + c->set[set].first;
    uint32_t low = 0, high = c->set[set].count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->column_of[list[middle]] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->set[set].count && c->column_of[list[low]] == column ? list[low] : SPN_NO_BIT;
}

/* `from` is the 1 of its one-hot set, `to` a 0 of the same; the 1 in the column of `to` goes to the
   column of `from`, in its own set. */
static inline spn_move spn_swap_of(const spn_state *s, uint32_t from, uint32_t to)
{
    const spn_compiled *c = s->c;
    const uint32_t a = c->column_of[from], b = c->column_of[to];
    if (a == SPN_NO_SET || b == SPN_NO_SET || a == b || s->column_ones[a] != 1 ||
        s->column_ones[b] != 1)
        return (spn_move){0};
    const uint32_t other = (uint32_t)s->column_sum[b], set = c->set_of[other];
    if (set == SPN_NO_SET || c->set[set].low != 1 || c->set[set].high != 1)
        return (spn_move){0};
    const uint32_t place = spn_member_in_column(c, set, a);
    if (place == SPN_NO_BIT)
        return (spn_move){0};
    return (spn_move){4, {from, to, other, place}};
}

static inline spn_move spn_exchange_of(const spn_state *s, spn_word_source *random, uint32_t i,
                                       bool swaps)
{
    const spn_compiled *c = s->c;
    const spn_kept_set *set = &c->set[c->set_of[i]];
    const uint32_t ones = s->ones[c->set_of[i]], zeros = set->count - ones;
    const uint32_t *members = s->members + set->first;
    if (ones == 0 || zeros == 0)
        return (spn_move){0};
    const uint32_t other = s->spins[i] > 0 ? members[ones + spn_next_below(random, zeros)]
                           : ones == 1     ? members[0]
                                           : members[spn_next_below(random, ones)];
    const uint32_t from = s->spins[i] > 0 ? i : other, to = s->spins[i] > 0 ? other : i;
    if (swaps && set->high == 1 && set->low == 1 && (spn_next_word(random) & 3))
        return spn_swap_of(s, from, to);
    return (spn_move){2, {from, to}};
}

static inline spn_move spn_draw_bits(const spn_state *s, spn_solver_read *read, bool swaps)
{
    const spn_compiled *c = s->c;
    spn_word_source *random = &read->random;
    const uint32_t i = read->active[spn_next_below(random, read->actives)], k = c->set_of[i];
    if (k == SPN_NO_SET && (spn_next_word(random) & 3))
        return (spn_move){1, {i}};
    if (k == SPN_NO_SET) {
        const uint32_t j = read->active[spn_next_below(random, read->actives)];
        const bool pair = c->set_of[j] == SPN_NO_SET && s->spins[i] != s->spins[j];
        return (spn_move){pair ? 2 : 0, {i, j}};
    }
    const spn_kept_set *set = &c->set[k];
    if (set->low == set->high || (spn_next_word(random) & 1))
        return spn_exchange_of(s, random, i, swaps);
    const bool stays = s->spins[i] > 0 ? s->ones[k] > set->low : s->ones[k] < set->high;
    return (spn_move){stays, {i}};
}

/* ---- what a move costs ---- */

/* Shift the rows of the products of a bit, too. */
double spn_shift_products(spn_state *s, const spn_price *price, uint32_t i);

static inline double spn_full_gain(spn_state *s, const spn_price *price, uint32_t i)
{
    const double gain =
        spn_state_gain(s, i) + spn_state_shift_rows(s, price, i) + spn_shift_products(s, price, i);
    spn_state_restore(s);
    return gain;
}

/* Several bits, none or one of them in products or the energy. */
static inline double spn_light_gain(spn_state *s, const spn_price *price, const spn_move *move)
{
    const bool links = s->c->link_first[s->c->bits] > 0;
    double gain = 0;
    for (uint32_t k = 0; k < move->count; k++) {
        const uint32_t i = move->bit[k];
        gain += spn_state_gain(s, i) + spn_state_shift_rows(s, price, i);
        for (uint32_t j = 0; links && j < k; j++) {
            const double coupling = spn_compiled_coupling(s->c, move->bit[j], i);
            gain += s->spins[i] == s->spins[move->bit[j]] ? coupling : -coupling;
        }
    }
    spn_state_restore(s);
    return gain;
}

static inline void spn_make(spn_state *s, const spn_move *move)
{
    for (uint32_t k = 0; k < move->count; k++)
        spn_state_flip(s, move->bit[k]);
}

static inline void spn_unmake(spn_state *s, const spn_move *move)
{
    for (uint32_t k = move->count; k-- > 0;)
        spn_state_flip(s, move->bit[k]);
}

/* Several bits with products: flip one after the other. *made: they are flipped. */
static inline double spn_heavy_gain(spn_state *s, const spn_price *price, const spn_move *move)
{
    double gain = 0;
    for (uint32_t k = 0; k < move->count; k++) {
        gain += spn_full_gain(s, price, move->bit[k]);
        spn_state_flip(s, move->bit[k]);
    }
    return gain;
}

static inline double spn_move_gain(const spn_solver *solver, spn_state *s, const spn_price *price,
                                   const spn_move *move, bool *made)
{
    const uint32_t i = move->bit[0];
    *made = false;
    if (move->count == 1 && !(solver->heavy[i] & 2))
        return spn_state_gain(s, i) + spn_state_row_gain(s, price, i);
    if (move->count == 1)
        return spn_full_gain(s, price, i);
    if (!solver->is_heavy)
        return spn_light_gain(s, price, move);
    *made = true;
    return spn_heavy_gain(s, price, move);
}

static inline double spn_move_coupling(const spn_solver_read *read, const spn_state *s,
                                       const spn_move *move)
{
    double change = 0;
    for (uint32_t k = 0; k < move->count; k++)
        change +=
            spn_coupling_look_up(&read->coupling, read->sums[move->bit[k]], s->spins[move->bit[k]]);
    return change;
}

#endif
