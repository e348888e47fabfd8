/* What a read learns from its own counts: the weights of constraints, and where on the way from hot
   to cold the time is worth spending. */
#include "problem/solver.h"

#include <string.h>

/* A weight rises by RISE at each epoch of the second half of a round at whose end its constraint is
   violated, as it was an epoch before; and falls by FALL after a round in whose second half it
   never was. */
#define RISE 1.15
#define FALL 0.8
/* Limits of at least WIDE bits of different sizes are priced instead: slack earns SLACK of what a
   violation costs, so that the bits have the reduced costs of a linear program and the walk crosses
   the limit freely.
   After each tick of the second half the price rises by PRICE if the limit is violated, and falls
   by as much if the state is feasible. */
enum { WIDE = 16 };
#define SLACK 0.7
#define PRICE 1.01
/* The part of the time that is spread evenly. */
#define EVEN 0.1

static bool is_violated(const spn_solver *solver, const spn_solver_read *read, size_t r)
{
    const spn_row *row = &solver->c->row[r];
    for (size_t a = 0; a < solver->options.replicas; a++)
        if (spn_violation(read->replica[a].u[r], row->both) > row->rounding)
            return true;
    return false;
}

static bool adapts(const spn_solver *solver)
{
    return !(solver->options.penalty > 0);
}

spn_price spn_first_price(const spn_solver *solver, size_t r)
{
    const spn_row *row = &solver->c->row[r];
    const bool is_priced = adapts(solver) && row->both == 0 && !(row->soft > 0) &&
                           solver->weight[4 * solver->c->rows + r] >= WIDE;
    return (spn_price){solver->weight[r], is_priced ? -SLACK : row->both};
}

void spn_adapt_tick(const spn_solver *solver, spn_solver_read *read)
{
    bool is_feasible = false;
    for (size_t a = 0; a < solver->options.replicas; a++)
        is_feasible = is_feasible || read->replica[a].violated == 0;
    for (size_t r = 0; r < solver->c->rows; r++)
        if (read->price[r].both < 0 && is_violated(solver, read, r))
            read->price[r].weight *= PRICE;
        else if (read->price[r].both < 0 && is_feasible)
            read->price[r].weight /= PRICE;
}

void spn_adapt_epoch(const spn_solver *solver, spn_solver_read *read, size_t epoch)
{
    if (epoch < SPN_EPOCHS / 2 || read->holds)
        return;
    for (size_t r = 0; r < solver->c->rows; r++) {
        if (solver->c->row[r].soft > 0 || read->price[r].both < 0)
            continue;
        const uint8_t before = read->violated[r] & 1, now = is_violated(solver, read, r);
        if (before && now && adapts(solver))
            read->price[r].weight *= RISE;
        read->violated[r] = (uint8_t)((read->violated[r] & ~1U) | now);
        if (now && read->violated[r] < UINT8_MAX - 2)
            read->violated[r] = (uint8_t)(read->violated[r] + 2);
    }
}

/* Without an objective only the ratios of the weights matter: their mean stays as at first. */
static void keep_mean(const spn_solver *solver, spn_solver_read *read)
{
    double now = 0, first = 0;
    for (size_t r = 0; r < solver->c->rows; r++) {
        now += read->price[r].weight;
        first += solver->weight[r];
    }
    for (size_t r = 0; r < solver->c->rows; r++)
        read->price[r].weight *= first / now;
}

static void adapt_weights(const spn_solver *solver, spn_solver_read *read)
{
    for (size_t r = 0; r < solver->c->rows; r++)
        if (!(solver->c->row[r].soft > 0) && !(read->price[r].both < 0) && read->violated[r] == 0)
            read->price[r].weight *= FALL;
    if (solver->c->rows > 0 && !solver->has_objective)
        keep_mean(solver, read);
}

double spn_read_way(const spn_solver_read *read, double share)
{
    const double at = share * SPN_EPOCHS;
    const size_t e = at < SPN_EPOCHS - 1 ? (size_t)at : SPN_EPOCHS - 1;
    return read->border[e] + (at - (double)e) * (read->border[e + 1] - read->border[e]);
}

/* Time for each part of the way in proportion to the deviation of beta U there over the share of
   uphill moves, as in a walk of constant thermodynamic speed whose relaxation takes as long as it
   takes to move. */
static void adapt_way(spn_solver_read *read)
{
    double time[SPN_EPOCHS], mean = 0, total = 0;
    for (size_t e = 0; e < SPN_EPOCHS; e++)
        mean += read->heat[e] * (read->border[e + 1] - read->border[e]);
    if (!(mean > 0))
        return;
    size_t e = 0;
    for (size_t k = 0; k < SPN_EPOCHS; k++) {
        while (e + 1 < SPN_EPOCHS && read->border[e + 1] * SPN_EPOCHS <= (double)k + 0.5)
            e++;
        read->density[k] =
            0.5 * read->density[k] + 0.5 * (EVEN + (1 - EVEN) * read->heat[e] / mean);
        total += time[k] = read->density[k];
    }
    double before = 0;
    size_t k = 0;
    for (e = 1; e < SPN_EPOCHS; e++) {
        const double wanted = total * (double)e / SPN_EPOCHS;
        while (before + time[k] < wanted) {
            before += time[k];
            k++;
        }
        read->border[e] = ((double)k + (wanted - before) / time[k]) / SPN_EPOCHS;
    }
}

void spn_adapt_round(const spn_solver *solver, spn_solver_read *read)
{
    if (adapts(solver) && !read->holds)
        adapt_weights(solver, read);
    adapt_way(read);
}

/* ---- first weights ---- */

/* The mean size of the changes of the objective by single flips. */
static double mean_gain(const spn_state *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->c->bits; i++)
        sum += fabs(spn_state_gain(s, i));
    return s->c->bits > 0 ? sum / (double)s->c->bits : 0;
}

/* What the objective could gain by one unit of the violation of each row, averaged over its bits.
 */
void spn_first_weights(const spn_solver *solver, const spn_state *s, double *weight)
{
    const spn_compiled *c = solver->c;
    const double mean = mean_gain(s);
    double *count = weight + c->rows, *units = count + c->rows;
    double *last = units + c->rows, *differing = last + c->rows; /* sizes, bit by bit */
    memset(weight, 0, 5 * c->rows * sizeof *weight);
    for (uint32_t i = 0; i < c->bits; i++)
        for (size_t e = c->entry_first[i]; e < c->entry_first[i + 1]; e++) {
            const uint32_t r = c->entries[e].row;
            const double size = fabs(c->entries[e].change);
            weight[r] += fabs(spn_state_gain(s, i)) / size;
            units[r] += 1 / size;
            count[r]++;
            differing[r] += count[r] > 1 && size != last[r];
            last[r] = size;
        }
    for (size_t t = 0; t < c->products; t++) {
        const uint32_t r = c->product[t].row;
        const double size = fabs(c->product[t].coefficient);
        if (r == SPN_NO_ROW || !(size > 0))
            continue;
        weight[r] += mean / size;
        units[r] += 1 / size;
        count[r]++;
    }
    for (size_t r = 0; r < c->rows; r++) {
        const double unit = count[r] > 0 ? units[r] / count[r] : 1;
        weight[r] = count[r] > 0 ? weight[r] / count[r] : 0;
        if (!(weight[r] > 0))
            weight[r] = (mean > 0 ? mean : 1) * unit;
        if (c->row[r].soft > 0)
            weight[r] = c->row[r].soft;
        else if (solver->options.penalty > 0)
            weight[r] = solver->options.penalty;
    }
}
