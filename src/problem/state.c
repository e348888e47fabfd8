/* A replica of a compiled problem: from scratch, and by flips. */
#include "problem/state.h"

#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_IN_MOVE = 4 };

static size_t most_entries(const spn_compiled *c)
{
    size_t most = 0;
    for (size_t i = 0; i < c->bits; i++) {
        const size_t own =
            c->entry_first[i + 1] - c->entry_first[i] + c->in_first[i + 1] - c->in_first[i];
        most = own > most ? own : most;
    }
    return most;
}

size_t spn_state_lay_out(spn_state *s, const spn_compiled *c, char *memory)
{
    const size_t line = 64, spins = c->energy ? spn_energy_sites(c->energy) : 0;
    size_t used = 0;
    s->c = c;
    s->memory = memory;
#define PART(member, count)                                                                        \
    do {                                                                                           \
        s->member = memory ? (void *)(memory + used) : NULL;                                       \
        used += ((count) * sizeof *s->member + line - 1) / line * line;                            \
    } while (0)
    PART(spins, c->bits);
    PART(field, c->bits);
    PART(product, c->products);
    PART(u, c->rows);
    PART(members, c->bits);
    PART(place, c->bits);
    PART(ones, c->sets);
    PART(column_ones, c->columns);
    PART(column_sum, c->columns);
    PART(undo, MOST_IN_MOVE * most_entries(c));
    PART(energy_spins, spins);
    PART(cache, spins ? spn_energy_cache_size(c->energy) : 0);
#undef PART
    if (spins == 0)
        s->cache = NULL;
    return used;
}

spn_status spn_state_init(spn_state *s, const spn_compiled *c, spn_error *err)
{
    *s = (spn_state){.c = c};
    char *memory = spn_alloc(spn_state_lay_out(s, c, NULL), 1);
    SPN_NEED(memory, err, "a replica of a problem");
    spn_state_lay_out(s, c, memory);
    memset(s->spins, -1, c->bits);
    if (c->bits > 0)
        memcpy(s->members, c->set_members, c->bits * sizeof *s->members);
    return SPN_OK;
}

void spn_state_clear(spn_state *s)
{
    free(s->memory);
    *s = (spn_state){0};
}

/* ---- products ---- */

/* The value of a product whose other members are as in `state`, without member k's own factor: what
   the objective is with k at 1 minus at 0. */
static double effect(const spn_compiled *c, size_t t, uint32_t state, uint32_t k, int8_t spin)
{
    const double coefficient = c->product[t].coefficient;
    uint32_t zeros = state >> 1, odd = state & 1;
    if (c->is_spin[k])
        odd ^= spin < 0;
    else
        zeros -= spin < 0;
    if (zeros > 0)
        return 0;
    return (odd ? -coefficient : coefficient) * (c->is_spin[k] ? 2 : 1);
}

static double value_of(const spn_compiled *c, size_t t, uint32_t state)
{
    const double coefficient = c->product[t].coefficient;
    return state >> 1 ? 0 : state & 1 ? -coefficient : coefficient;
}

static uint32_t flipped(const spn_compiled *c, uint32_t state, uint32_t i, int8_t before)
{
    if (c->is_spin[i])
        return state ^ 1;
    return before < 0 ? state - 2 : state + 2;
}

double spn_state_product_change(const spn_state *s, size_t t, uint32_t i)
{
    const uint32_t before = s->product[t];
    return value_of(s->c, t, flipped(s->c, before, i, s->spins[i])) - value_of(s->c, t, before);
}

/* A product of the objective changes with bit i: the fields of its other members follow. */
static void update_fields(spn_state *s, size_t t, uint32_t i, uint32_t before, uint32_t after)
{
    const spn_compiled *c = s->c;
    const uint32_t least = before < after ? before >> 1 : after >> 1;
    if (least > 1 && !c->is_spin[i]) /* two others are 0: no member has an effect */
        return;
    for (size_t m = c->member_first[t]; m < c->member_first[t + 1]; m++) {
        const uint32_t k = c->members[m];
        if (k != i)
            s->field[k] +=
                effect(c, t, after, k, s->spins[k]) - effect(c, t, before, k, s->spins[k]);
    }
}

static void move_row(spn_state *s, uint32_t row, double change)
{
    const spn_row *own = &s->c->row[row];
    const double before = spn_violation(s->u[row], own->both);
    s->u[row] += change;
    const double after = spn_violation(s->u[row], own->both);
    if (own->soft > 0) {
        s->objective += own->soft * (after - before);
        return;
    }
    s->violation += after - before;
    s->violated += (size_t)(after > own->rounding) - (size_t)(before > own->rounding);
}

/* -1 or +1, or 0 or 1. */
static inline double factor(const spn_state *s, const spn_near *near, unsigned k)
{
    const int spin = s->spins[near->other[k]];
    return near->spins >> k & 1 ? spin : (spin + 1) >> 1;
}

static inline void move_field(spn_state *s, const spn_near *near, unsigned k, double change)
{
    s->field[near->other[k]] += near->spins >> k & 1 ? 2 * change : change;
}

/* Bit i changes by `step`: the fields of the others in its near terms follow. */
static void flip_near(spn_state *s, uint32_t i, double step)
{
    const spn_compiled *c = s->c;
    const spn_near *end = c->near + c->near_first[i + 1];
    for (const spn_near *ahead = c->near + c->near_first[i]; ahead < end; ahead += 2)
        __builtin_prefetch(ahead); /* they come from memory: all lines at once */
    for (const spn_near *near = c->near + c->near_first[i]; near < end; near++) {
        const double change = step * near->coefficient;
        const double a = factor(s, near, 0), b = factor(s, near, 1);
        if (near->other[2] == SPN_NO_BIT) {
            move_field(s, near, 0, change * b);
            move_field(s, near, 1, change * a);
            continue;
        }
        const double d = factor(s, near, 2);
        move_field(s, near, 0, change * b * d);
        move_field(s, near, 1, change * a * d);
        move_field(s, near, 2, change * a * b);
    }
}

static void flip_products(spn_state *s, uint32_t i)
{
    const spn_compiled *c = s->c;
    const double step = c->is_spin[i] ? 2 : 1;
    flip_near(s, i, s->spins[i] > 0 ? -step : step);
    for (size_t k = c->in_first[i]; k < c->far_end[i]; k++) {
        const size_t t = c->in[k];
        const uint32_t before = s->product[t], after = flipped(c, before, i, s->spins[i]);
        s->product[t] = after;
        if (c->product[t].row == SPN_NO_ROW)
            update_fields(s, t, i, before, after);
        else
            move_row(s, c->product[t].row, value_of(c, t, after) - value_of(c, t, before));
    }
}

/* ---- flips ---- */

static void flip_in_set(spn_state *s, uint32_t i)
{
    const spn_compiled *c = s->c;
    const uint32_t set = c->set_of[i], column = c->column_of[i];
    if (column != SPN_NO_SET) {
        s->column_ones[column] += s->spins[i] > 0 ? (uint32_t)-1 : 1;
        s->column_sum[column] += s->spins[i] > 0 ? -(uint64_t)i : i;
    }
    if (set == SPN_NO_SET)
        return;
    /* The last of the ones changes places with a bit that leaves, the first zero with one that
       comes. */
    const uint32_t border =
        (uint32_t)c->set[set].first + (s->spins[i] > 0 ? s->ones[set] - 1 : s->ones[set]);
    const uint32_t other = s->members[border], at = s->place[i];
    spn_state_place(s, other, at);
    spn_state_place(s, i, border);
    s->ones[set] += s->spins[i] > 0 ? (uint32_t)-1 : 1;
}

void spn_state_flip(spn_state *s, uint32_t i)
{
    const spn_compiled *c = s->c;
    const double sign = s->spins[i] > 0 ? -1 : 1;
    s->objective += spn_state_gain(s, i);
    for (size_t e = c->entry_first[i]; e < c->entry_first[i + 1]; e++)
        move_row(s, c->entries[e].row, sign * c->entries[e].change);
    for (size_t l = c->link_first[i]; l < c->link_first[i + 1]; l++)
        s->field[c->links[l].bit] += sign * c->links[l].coupling;
    flip_products(s, i);
    flip_in_set(s, i);
    s->spins[i] = (int8_t)-s->spins[i];
    if (s->cache && c->site_of[i] != SPN_NO_BIT) {
        s->energy_spins[c->site_of[i]] = s->spins[i];
        (void)spn_energy_commit(c->energy, s->cache, s->energy_spins, c->site_of[i]);
    }
}

/* ---- from scratch ---- */

/* Add to the objective, with Neumaier's compensation: large terms may nearly cancel. */
static void add(spn_state *s, double term)
{
    const double sum = s->objective, next = sum + term;
    s->lost += fabs(sum) >= fabs(term) ? (sum - next) + term : (term - next) + sum;
    s->objective = next;
}

static void attach_products(spn_state *s)
{
    const spn_compiled *c = s->c;
    for (size_t t = 0; t < c->products; t++) {
        uint32_t state = 0;
        for (size_t m = c->member_first[t]; m < c->member_first[t + 1]; m++)
            if (s->spins[c->members[m]] < 0)
                state = c->is_spin[c->members[m]] ? state ^ 1 : state + 2;
        s->product[t] = state;
        if (c->product[t].row != SPN_NO_ROW) {
            s->u[c->product[t].row] += value_of(c, t, state);
            continue;
        }
        add(s, value_of(c, t, state));
        for (size_t m = c->member_first[t]; m < c->member_first[t + 1]; m++) {
            const uint32_t k = c->members[m];
            s->field[k] += effect(c, t, state, k, s->spins[k]);
        }
    }
}

static void attach_bits(spn_state *s)
{
    const spn_compiled *c = s->c;
    memcpy(s->field, c->field, c->bits * sizeof *s->field);
    for (uint32_t i = 0; i < c->bits; i++) {
        if (s->spins[i] < 0)
            continue;
        add(s, c->field[i]);
        for (size_t l = c->link_first[i]; l < c->link_first[i + 1]; l++) {
            s->field[c->links[l].bit] += c->links[l].coupling;
            if (c->links[l].bit < i && s->spins[c->links[l].bit] > 0)
                add(s, c->links[l].coupling);
        }
        for (size_t e = c->entry_first[i]; e < c->entry_first[i + 1]; e++)
            s->u[c->entries[e].row] += c->entries[e].change;
        if (c->column_of[i] != SPN_NO_SET) {
            s->column_ones[c->column_of[i]]++;
            s->column_sum[c->column_of[i]] += i;
        }
    }
}

static void attach_sets(spn_state *s)
{
    const spn_compiled *c = s->c;
    for (size_t k = 0; k < c->sets; k++) {
        const uint32_t first = (uint32_t)c->set[k].first, end = first + c->set[k].count;
        s->ones[k] = 0;
        for (uint32_t at = first; at < end; at++)
            s->place[s->members[at]] = at;
        for (uint32_t at = first; at < end; at++)
            if (s->spins[s->members[at]] > 0) {
                const uint32_t i = s->members[at], border = first + s->ones[k]++;
                spn_state_place(s, s->members[border], at);
                spn_state_place(s, i, border);
            }
        assert(s->ones[k] >= c->set[k].low && s->ones[k] <= c->set[k].high);
    }
}

static void attach_rows(spn_state *s)
{
    for (size_t r = 0; r < s->c->rows; r++) {
        const spn_row *row = &s->c->row[r];
        const double violation = spn_violation(s->u[r], row->both);
        if (row->soft > 0) {
            add(s, row->soft * violation);
        } else {
            s->violation += violation;
            s->violated += violation > row->rounding;
        }
    }
}

static double attach_energy(spn_state *s)
{
    const spn_compiled *c = s->c;
    if (!c->energy)
        return 0;
    for (size_t i = 0; i < spn_energy_sites(c->energy); i++)
        s->energy_spins[i] = c->of[i].lowest > 0 ? 1 : -1; /* those without a bit are fixed */
    for (size_t i = 0; i < c->bits; i++)
        if (c->site_of[i] != SPN_NO_BIT)
            s->energy_spins[c->site_of[i]] = s->spins[i];
    return spn_energy_attach(c->energy, s->cache, s->energy_spins) * c->sign;
}

bool spn_state_attach(spn_state *s)
{
    const spn_compiled *c = s->c;
    s->objective = c->constant;
    s->lost = 0;
    s->violation = 0;
    s->violated = 0;
    s->undone = 0;
    memset(s->column_ones, 0, c->columns * sizeof *s->column_ones);
    memset(s->column_sum, 0, c->columns * sizeof *s->column_sum);
    for (size_t r = 0; r < c->rows; r++)
        s->u[r] = c->row[r].start;
    attach_bits(s);
    attach_products(s);
    attach_sets(s);
    attach_rows(s);
    add(s, attach_energy(s));
    s->objective += s->lost;
    return isfinite(s->objective);
}
