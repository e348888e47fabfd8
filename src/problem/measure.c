/* The range of beta, from the changes that the solver's own moves make. */
#include "problem/move.h"

#include "base/memory.h"
#include "core/beta_range.h"
#include <stdlib.h>

enum { SAMPLE = 4096, SAMPLES_PER_BIT = 4, DESCENT_PER_BIT = 16, STATES = 4 };

typedef struct changes {
    double *sizes;
    size_t count;
} changes;

/* One proposal; made if `descends` and it lowers U. Returns the change. */
static double try_move(const spn_solver *solver, spn_solver_read *read, bool descends)
{
    spn_state *s = &read->replica[0];
    const spn_move move = spn_draw_bits(s, read, solver->has_swaps);
    bool made;
    if (move.count == 0)
        return 0;
    const double gain = spn_move_gain(solver, s, read->price, &move, &made);
    const bool wanted = descends && gain < 0;
    if (wanted && !made)
        spn_make(s, &move);
    else if (!wanted && made)
        spn_unmake(s, &move);
    return gain;
}

static void sample(const spn_solver *solver, spn_solver_read *read, changes *out, size_t tries,
                   bool uphill)
{
    for (size_t k = 0; k < tries; k++) {
        const double change = try_move(solver, read, false);
        if (change > 0 || (!uphill && change < 0))
            out->sizes[out->count++] = fabs(change);
    }
}

spn_status spn_solver_measure(spn_solver *solver, spn_solver_read *read, spn_error *err)
{
    const size_t bits = solver->c->bits;
    const size_t tries = SAMPLES_PER_BIT * bits < SAMPLE ? SAMPLES_PER_BIT * bits : SAMPLE;
    double *both = spn_alloc(2 * STATES * tries, sizeof *both);
    SPN_NEED(both, err, "the range of beta");
    changes hot = {both, 0}, cold = {both + STATES * tries, 0};
    spn_status status = SPN_OK;
    for (int state = 0; state < STATES && !status; state++) {
        status = spn_read_start(solver, read, err);
        if (status)
            break;
        sample(solver, read, &hot, tries, false);
        for (size_t k = 0; k < DESCENT_PER_BIT * bits; k++)
            (void)try_move(solver, read, true);
        sample(solver, read, &cold, tries, true);
    }
    if (!status)
        spn_beta_range_of(&solver->beta_first, &solver->beta_last, hot.sizes, hot.count, cold.sizes,
                          cold.count);
    free(both);
    return status;
}
