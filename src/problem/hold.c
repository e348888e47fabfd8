/* Rounds that hold some bits and search among the others, from the best state: every second one,
   once there is a feasible state.

   Gates are bits that cost something and each open a place for many others, as the colours of a
   graph, the boxes of a packing or the depots of a plan. As long as a place is in use its gate
   stays open, and emptying it bit by bit gains nothing until the last has left; a walk hardly ever
   does it. So one of the gates that are open in the best state closes, and all are held as they
   are then.

   Without gates, but with limits that are priced, as in knapsacks, a round holds the bits on which
   the last rounds agree with the best state: all the time goes to the core that is in doubt. Other
   problems gain more by fresh starts. */
#include "problem/solver.h"

#include "base/memory.h"
#include <string.h>

enum {
    PLACES = 8, /* rows that a gate opens, at least */
    AGREEING = 3,
    KINDS = 4, /* rounds that must agree: from 3 to 6, in turn */
    CORE = 4   /* a core has at most 1 - 1 / CORE of the bits */
};

/* Whether bit i costs, and it alone relaxes each of its rows. relaxing: bits that relax a row. */
static bool is_gate(const spn_solver *solver, uint32_t i, const uint32_t *relaxing)
{
    const spn_compiled *c = solver->c;
    if (c->set_of[i] != SPN_NO_SET || solver->heavy[i] || !(c->field[i] > 0) ||
        c->link_first[i] < c->link_first[i + 1] ||
        c->entry_first[i + 1] - c->entry_first[i] < PLACES)
        return false;
    for (size_t e = c->entry_first[i]; e < c->entry_first[i + 1]; e++) {
        const spn_row *row = &c->row[c->entries[e].row];
        if (c->entries[e].change > 0 || row->both > 0 || row->soft > 0 ||
            relaxing[c->entries[e].row] > 1)
            return false;
    }
    return true;
}

spn_status spn_find_gates(spn_solver *solver, spn_error *err)
{
    const spn_compiled *c = solver->c;
    uint32_t *relaxing = spn_alloc(c->rows, sizeof *relaxing);
    size_t gates = 0;
    solver->gate = spn_alloc(c->bits, 1);
    if (!relaxing || !solver->gate) {
        SPN_FREE_ALL(relaxing);
        return spn_no_memory(err, "the bits of a problem");
    }
    for (size_t e = 0; e < c->entry_first[c->bits]; e++)
        relaxing[c->entries[e].row] += c->entries[e].change < 0;
    for (uint32_t i = 0; i < c->bits; i++)
        gates += solver->gate[i] = is_gate(solver, i, relaxing);
    SPN_FREE_ALL(relaxing);
    if (gates == 0) {
        SPN_FREE_ALL(solver->gate);
        solver->gate = NULL;
    }
    return SPN_OK;
}

/* Close one of the gates that are open in the best state: hold all. */
static void hold_gates(const spn_solver *solver, spn_solver_read *read, uint32_t *closed)
{
    const uint32_t bits = (uint32_t)solver->c->bits;
    uint32_t open = 0;
    for (uint32_t i = 0; i < bits; i++)
        open += solver->gate[i] && read->best_spins[i] > 0;
    uint32_t left = open > 0 ? spn_next_below(&read->random, open) : 0;
    for (uint32_t i = 0; i < bits && open > 0; i++) {
        read->held[i] = solver->gate[i];
        if (solver->gate[i] && read->best_spins[i] > 0 && left-- == 0)
            *closed = i;
    }
}

static void hold_agreed(const spn_solver *solver, spn_solver_read *read)
{
    const size_t bits = solver->c->bits, rounds = AGREEING + read->round / 2 % KINDS;
    const unsigned all = (1U << rounds) - 1;
    size_t free_rounds = 0, held = 0;
    for (size_t k = 0; k < read->round; k++)
        free_rounds += read->ended[k].held == 0;
    for (size_t i = 0; i < bits && free_rounds >= rounds; i++)
        held += read->held[i] = (read->ends[i] & all) == (read->best_spins[i] > 0 ? all : 0);
    if (held < bits / CORE || bits - held < 2)
        memset(read->held, 0, bits);
}

void spn_hold_list(const spn_solver *solver, spn_solver_read *read)
{
    read->actives = 0;
    for (uint32_t i = 0; i < solver->c->bits; i++)
        if (!read->held[i])
            read->active[read->actives++] = i;
    read->holds = read->actives < solver->c->bits;
}

void spn_hold(const spn_solver *solver, spn_solver_read *read)
{
    const uint32_t bits = (uint32_t)solver->c->bits;
    uint32_t closed = bits;
    memset(read->held, 0, bits);
    if (read->best.violation == 0 && read->round % 2 == 1 && solver->gate)
        hold_gates(solver, read, &closed);
    else if (read->best.violation == 0 && read->round % 2 == 1 && solver->is_priced)
        hold_agreed(solver, read);
    spn_hold_list(solver, read);
    for (size_t a = 0; read->holds && a < solver->options.replicas; a++) {
        memcpy(read->replica[a].spins, read->best_spins, bits);
        if (closed < bits)
            read->replica[a].spins[closed] = -1;
    }
}

void spn_hold_note(const spn_solver *solver, spn_solver_read *read)
{
    for (size_t i = 0; i < solver->c->bits && !read->holds; i++)
        read->ends[i] = (uint8_t)(read->ends[i] << 1 | (read->replica[0].spins[i] > 0));
}
