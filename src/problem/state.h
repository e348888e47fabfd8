/* A replica: its bits as spins, and what is kept from change to change. A flip costs what its
   links, products and rows cost. */
#ifndef SPN_PROBLEM_STATE_H
#define SPN_PROBLEM_STATE_H

#include "problem/compile.h"

#include <assert.h>

/* What a violation of a row costs; of each read, because weights adapt. */
typedef struct spn_price {
    double weight, both;
} spn_price;

typedef struct spn_undo {
    uint32_t row;
    double u;
} spn_undo;

typedef struct spn_state {
    const spn_compiled *c;
    int8_t *spins;     /* of each bit */
    double *field;     /* of each bit: the objective if it is 1, minus that if it is 0 */
    uint32_t *product; /* of each: 2 times its zeros, plus 1 if an odd number of its spins is -1;
                          kept for those that are no near terms */
    double *u;         /* of each row */
    uint32_t *members; /* of the sets, ones first */
    uint32_t *place;   /* of each bit among them */
    uint32_t *ones;    /* of each set */
    uint32_t *column_ones;
    uint64_t *column_sum; /* of the numbers of the bits that are 1 */
    double objective;     /* with soft constraints */
    double lost;          /* while it is computed from scratch: what was rounded off */
    double walked;        /* sum of the changes of U that were accepted */
    double violation;     /* of the rows that must hold */
    size_t violated;      /* of them */
    char *cache;          /* of the energy, NULL: none */
    int8_t *energy_spins;
    spn_undo *undo; /* rows that a trial changed */
    size_t undone;
    char *memory; /* of all arrays */
} spn_state;

/* Point the arrays into memory; NULL: none yet. Returns the bytes that they need. */
size_t spn_state_lay_out(spn_state *state, const spn_compiled *compiled, char *memory);

/* Errors: MEMORY. The state is not attached yet. */
spn_status spn_state_init(spn_state *state, const spn_compiled *compiled, spn_error *err);
void spn_state_clear(spn_state *state);

/* Compute everything from the spins. The members of the sets keep their order but for ones that
   come first. False: the energy is not a finite number. O(N + terms). */
bool spn_state_attach(spn_state *state);

/* How much product t changes if its bit i flips. */
double spn_state_product_change(const spn_state *state, size_t t, uint32_t i);

/* Flip a bit, with all that is kept. */
void spn_state_flip(spn_state *state, uint32_t i);

static inline double spn_violation(double u, double both)
{
    const double below = -both * u;
    return u > below ? u : below;
}

/* The objective after a flip minus before, without soft constraints. */
static inline double spn_state_gain(const spn_state *s, uint32_t i)
{
    double gain = s->spins[i] > 0 ? -s->field[i] : s->field[i];
    if (s->cache && s->c->site_of[i] != SPN_NO_BIT)
        gain += s->c->sign *
                spn_energy_delta(s->c->energy, s->cache, s->energy_spins, s->c->site_of[i]);
    return gain;
}

/* The cost of the rows of a bit after its flip minus before. Only for bits in no product of a row.
 */
static inline double spn_state_row_gain(const spn_state *s, const spn_price *price, uint32_t i)
{
    const spn_compiled *c = s->c;
    const double sign = s->spins[i] > 0 ? -1 : 1;
    double gain = 0;
    for (size_t e = c->entry_first[i]; e < c->entry_first[i + 1]; e++) {
        const spn_entry *entry = &c->entries[e];
        const spn_price *own = &price[entry->row];
        const double u = s->u[entry->row];
        gain += own->weight *
                (spn_violation(u + sign * entry->change, own->both) - spn_violation(u, own->both));
    }
    return gain;
}

/* The same, and leave the rows as after the flip, to be followed by other bits. spn_state_restore
   puts them back. */
static inline double spn_state_shift_rows(spn_state *s, const spn_price *price, uint32_t i)
{
    const spn_compiled *c = s->c;
    const double sign = s->spins[i] > 0 ? -1 : 1;
    double gain = 0;
    for (size_t e = c->entry_first[i]; e < c->entry_first[i + 1]; e++) {
        const spn_entry *entry = &c->entries[e];
        const spn_price *own = &price[entry->row];
        const double u = s->u[entry->row], after = u + sign * entry->change;
        s->undo[s->undone++] = (spn_undo){entry->row, u};
        s->u[entry->row] = after;
        gain += own->weight * (spn_violation(after, own->both) - spn_violation(u, own->both));
    }
    return gain;
}

static inline void spn_state_restore(spn_state *s)
{
    while (s->undone > 0) {
        s->undone--;
        s->u[s->undo[s->undone].row] = s->undo[s->undone].u;
    }
}

/* Members of a set: ones come first. */
static inline void spn_state_place(spn_state *s, uint32_t i, uint32_t at)
{
    s->members[at] = i;
    s->place[i] = at;
}

#endif
