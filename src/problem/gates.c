/* Gates: bits that cost something and each open a place for many others, as the colours of a graph,
   the boxes of a packing or the depots of a plan.

   As long as a place is in use its gate stays open, and emptying it bit by bit gains nothing until
   the last has left; a walk hardly ever does it. So every second round closes one of the gates that
   are open in the best feasible state, holds all gates as they are then, and looks for a state that
   is feasible without it. */
#include "problem/solver.h"

#include "base/memory.h"

enum { PLACES = 8 }; /* rows that a gate opens, at least */

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

/* The n-th open gate of the best state; their number: the end. */
static uint32_t open_gate(const spn_solver *solver, const spn_solver_read *read, uint32_t n)
{
    uint32_t i = 0;
    for (; i < solver->c->bits; i++)
        if (solver->gate[i] && read->best_spins[i] > 0 && n-- == 0)
            break;
    return i;
}

void spn_hold_gates(const spn_solver *solver, spn_solver_read *read)
{
    uint32_t open = 0;
    read->holds = false;
    if (!solver->gate || read->best.violation > 0 || read->round % 2 == 0)
        return;
    for (size_t i = 0; i < solver->c->bits; i++)
        open += solver->gate[i] && read->best_spins[i] > 0;
    if (open == 0)
        return;
    const uint32_t closed = open_gate(solver, read, spn_next_below(&read->random, open));
    read->holds = true;
    for (uint32_t i = 0; i < solver->c->bits; i++)
        for (size_t a = 0; solver->gate[i] && a < solver->options.replicas; a++)
            read->replica[a].spins[i] = i == closed ? -1 : read->best_spins[i];
}
