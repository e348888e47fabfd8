/* What a state is worth, from scratch: the plain reference of everything that is kept from change
   to change. Integers are exact in 128 bits; real numbers are summed with Neumaier's compensation.
 */
#include "problem/program.h"

#include "base/memory.h"
#include <inttypes.h>
#include <stdlib.h>

typedef __int128 wide;

/* Sizes up to this part of all sizes together count as rounding. */
#define ROUNDING 1e-12

static int64_t whole_product(const spn_rows *rows, size_t t, const int32_t *values)
{
    int64_t product = (int64_t)rows->coefficients[t];
    for (size_t k = rows->starts[t]; k < rows->starts[t + 1]; k++)
        product *= values[rows->variables[k]];
    return product;
}

static double real_product(const spn_rows *rows, size_t t, const int32_t *values)
{
    double product = rows->coefficients[t];
    for (size_t k = rows->starts[t]; k < rows->starts[t + 1]; k++)
        product *= values[rows->variables[k]];
    return product;
}

/* offset plus the terms, in integers. */
static double whole_sum(spn_row_range range, double offset, const int32_t *values)
{
    wide sum = (wide)offset;
    for (size_t t = range.first; t < range.end; t++)
        sum += whole_product(range.rows, t, values);
    return (double)sum;
}

static double real_sum(spn_row_range range, double offset, const int32_t *values)
{
    double sum = offset, lost = 0;
    for (size_t t = range.first; t < range.end; t++) {
        const double term = real_product(range.rows, t, values), next = sum + term;
        lost += fabs(sum) >= fabs(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
    }
    return sum + lost;
}

/* By how much the terms miss the right side. */
static double violation_of(const spn_program *p, size_t k, const int32_t *values)
{
    const spn_own_constraint *c = &p->constraint[k];
    const spn_row_range range = spn_constraint_range(p, k);
    const double above =
        c->integral ? whole_sum(range, -c->right, values) : real_sum(range, -c->right, values);
    const double size = c->sense == SPN_SENSE_EQUAL     ? fabs(above)
                        : c->sense == SPN_SENSE_AT_MOST ? above
                                                        : -above;
    return size > (c->integral ? 0 : ROUNDING * c->bound) ? size : 0;
}

static spn_status energy_of(double *out, const spn_program *p, const int32_t *values,
                            spn_error *err)
{
    *out = 0;
    if (!p->energy)
        return SPN_OK;
    const size_t sites = spn_energy_sites(p->energy);
    int8_t *spins = malloc(sites);
    SPN_NEED(spins, err, "the spins of an energy");
    for (size_t i = 0; i < sites; i++)
        spins[i] = values[i] > 0 ? 1 : -1;
    *out = spn_energy_value(p->energy, spins);
    free(spins);
    return SPN_OK;
}

static spn_status check_values(const spn_program *p, const int32_t *values, spn_error *err)
{
    for (size_t i = 0; i < p->count; i++)
        SPN_REFUSE_IF(!spn_program_takes(&p->variables[i], values[i]), err,
                      "%s is %" PRId32 ": it must be %s", p->names.texts[i], values[i],
                      spn_program_range(&(spn_range_text){{0}}, &p->variables[i]));
    return SPN_OK;
}

static void score_constraints(spn_score *score, double *violations, const spn_program *p,
                              const int32_t *values)
{
    for (size_t k = 0; k < p->constraints; k++) {
        const double size = violation_of(p, k, values);
        if (violations)
            violations[k] = size;
        if (p->constraint[k].weight < INFINITY) {
            score->soft += p->constraint[k].weight * size;
        } else {
            score->violation += size;
            score->violated += size > 0;
        }
    }
}

static void score_fixed(spn_score *score, const spn_program *p, const int32_t *values)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->variables[i].is_fixed)
            score->violation += fabs((double)values[i] - p->variables[i].value);
}

spn_status spn_program_score_sized(spn_score *out, size_t size, double *violations,
                                   const spn_program *p, const int32_t *values, spn_error *err)
{
    const spn_row_range range = {&p->objective, 0, p->objective.count};
    spn_score score = {.feasible = false};
    double energy;
    SPN_TRY(check_values(p, values, err));
    SPN_TRY(energy_of(&energy, p, values, err));
    score_constraints(&score, violations, p, values);
    score_fixed(&score, p, values);
    score.feasible = score.violation == 0;
    score.objective = (p->integral ? whole_sum(range, p->constant, values)
                                   : real_sum(range, p->constant, values)) +
                      energy + (p->maximises ? -score.soft : score.soft);
    spn_sized_give(out, size, &score, sizeof score);
    return SPN_OK;
}
