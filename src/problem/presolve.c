/* Presolve: bounds of sums decide values and constraints; signs decide what is always better. */
#include "problem/presolve.h"

#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { PASSES = 64 };
#define MARGIN 1e-9 /* of the sizes of a constraint with real numbers: less decides nothing */

typedef struct interval {
    double low, high;
} interval;

void spn_presolved_free(spn_presolved *p)
{
    if (p)
        SPN_FREE_ALL(p->low, p->high, p->root, p->turned, p->dropped, p);
}

static interval times(interval a, interval b)
{
    const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;
    return (interval){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

/* The range of a term, but for the factor `without` (SIZE_MAX: all count). */
static interval range_of(const spn_presolving *w, const spn_rows *rows, size_t t, size_t without)
{
    interval range = {rows->coefficients[t], rows->coefficients[t]};
    for (size_t k = rows->starts[t]; k < rows->starts[t + 1]; k++) {
        const uint32_t i = rows->variables[k];
        if (i != without)
            range = times(range, (interval){w->out->low[i], w->out->high[i]});
    }
    return range;
}

/* Terms minus the right side, with the sign that makes >= a <=. */
static interval activity(const spn_presolving *w, size_t k, double sign)
{
    const spn_row_range range = spn_constraint_range(w->program, k);
    interval sum = {-sign * w->program->constraint[k].right, 0};
    sum.high = sum.low;
    for (size_t t = range.first; t < range.end; t++) {
        const interval own = times((interval){sign, sign}, range_of(w, range.rows, t, SIZE_MAX));
        sum.low += own.low;
        sum.high += own.high;
    }
    return sum;
}

/* ---- values that follow from a constraint ---- */

void spn_presolve_set(spn_presolving *w, uint32_t i, int32_t low, int32_t high)
{
    if (w->cut && w->cuts == w->room)
        return;
    w->changed = w->changed || !w->cut;
    if (w->cut)
        w->cut[w->cuts++] = (spn_cut){i, w->out->low[i], w->out->high[i]};
    w->out->low[i] = low;
    w->out->high[i] = high;
}

/* In sum <= 0 with this lowest sum, cut the values of variable i that alone make it too large. */
static void cut(spn_presolving *w, uint32_t i, double coefficient, double lowest, double margin)
{
    const int32_t low = w->out->low[i], high = w->out->high[i];
    const double width = (double)high - low;
    if (low >= high || lowest + fabs(coefficient) * width <= margin || lowest > margin)
        return;
    const double most = floor((margin - lowest) / fabs(coefficient)); /* steps from the good end */
    int32_t steps = (int32_t)fmin(most, width);
    if (w->program->variables[i].kind == SPN_VARIABLE_SPIN)
        steps = 0;
    spn_presolve_set(w, i, coefficient > 0 ? low : high - steps,
                     coefficient > 0 ? low + steps : high);
}

static bool is_linear(const spn_program *program, size_t k)
{
    const spn_row_range range = spn_constraint_range(program, k);
    for (size_t t = range.first; t < range.end; t++)
        if (range.rows->starts[t + 1] - range.rows->starts[t] > 1)
            return false;
    return true;
}

bool spn_presolve_counts(const spn_program *program, size_t k)
{
    return !(program->constraint[k].weight < INFINITY) && is_linear(program, k);
}

/* Sizes up to this count as 0 in a constraint: rounding. */
static double margin_of(const spn_own_constraint *own)
{
    return own->integral && own->bound < 0x1p53 ? 0 : MARGIN * own->bound;
}

/* A constraint as sum <= 0, with this sign. The lowest sum stays one when other ends are cut. */
static void propagate(spn_presolving *w, size_t k, double sign)
{
    const spn_row_range range = spn_constraint_range(w->program, k);
    const double margin = margin_of(&w->program->constraint[k]);
    const interval sum = activity(w, k, sign);
    w->visits += range.end - range.first;
    if (sum.low > margin) {
        w->out->impossible = k;
        return;
    }
    for (size_t t = range.first; t < range.end && sum.high > margin; t++)
        if (range.rows->starts[t + 1] > range.rows->starts[t] && range.rows->coefficients[t] != 0)
            cut(w, range.rows->variables[range.rows->starts[t]], sign * range.rows->coefficients[t],
                sum.low, margin);
}

void spn_presolve_propagate(spn_presolving *w, size_t k)
{
    const spn_sense sense = (spn_sense)w->program->constraint[k].sense;
    if (sense != SPN_SENSE_AT_LEAST)
        propagate(w, k, 1);
    if (sense != SPN_SENSE_AT_MOST && w->out->impossible == SIZE_MAX)
        propagate(w, k, -1);
}

static void propagate_all(spn_presolving *w)
{
    for (size_t k = 0; k < w->program->constraints && w->out->impossible == SIZE_MAX; k++)
        if (spn_presolve_counts(w->program, k))
            spn_presolve_propagate(w, k);
}

/* ---- constraints that always hold ---- */

static void drop(spn_presolving *w)
{
    const spn_program *p = w->program;
    for (size_t k = 0; k < p->constraints; k++) {
        const spn_own_constraint *own = &p->constraint[k];
        const bool below = own->sense == SPN_SENSE_AT_LEAST || activity(w, k, 1).high <= 0;
        const bool above = own->sense == SPN_SENSE_AT_MOST || activity(w, k, -1).high <= 0;
        w->out->dropped[k] = below && above ? SPN_DROPPED : SPN_NOT_DROPPED;
    }
}

/* ---- values that are strictly better ---- */

/* What is known of a variable: by how much the minimised objective grows with it, and whether a
   constraint speaks against a lower or a higher value. */
typedef struct leaning {
    double low, high, size;
    bool not_lower, not_higher;
} leaning;

static void lean_on_objective(spn_presolving *w, leaning *of)
{
    const spn_program *p = w->program;
    const spn_rows *rows = &p->objective;
    const double sign = p->maximises ? -1 : 1;
    for (size_t t = 0; t < rows->count; t++)
        for (size_t k = rows->starts[t]; k < rows->starts[t + 1]; k++) {
            const uint32_t i = rows->variables[k];
            const interval own = times((interval){sign, sign}, range_of(w, rows, t, i));
            if (k > rows->starts[t] && rows->variables[k - 1] == i) /* a square */
                of[i].not_lower = of[i].not_higher = true;
            of[i].low += own.low;
            of[i].high += own.high;
            of[i].size += fmax(fabs(own.low), fabs(own.high));
        }
}

static void lean_on_constraints(spn_presolving *w, leaning *of)
{
    const spn_program *p = w->program;
    for (size_t k = 0; k < p->constraints; k++) {
        const spn_row_range range = spn_constraint_range(p, k);
        const bool decides = p->constraint[k].sense != SPN_SENSE_EQUAL && is_linear(p, k);
        const double sign = p->constraint[k].sense == SPN_SENSE_AT_LEAST ? -1 : 1;
        for (size_t t = range.first; t < range.end && !w->out->dropped[k]; t++)
            for (size_t m = range.rows->starts[t]; m < range.rows->starts[t + 1]; m++) {
                leaning *own = &of[range.rows->variables[m]];
                const double coefficient = sign * range.rows->coefficients[t];
                own->not_lower = own->not_lower || !decides || coefficient < 0;
                own->not_higher = own->not_higher || !decides || coefficient > 0;
            }
    }
}

static void decide(spn_presolving *w, const leaning *of)
{
    const size_t spins = w->program->energy ? spn_energy_sites(w->program->energy) : 0;
    for (size_t i = spins; i < w->program->count; i++) {
        const double margin = MARGIN * of[i].size;
        if (w->out->low[i] == w->out->high[i])
            continue;
        if (of[i].low > margin && !of[i].not_lower)
            w->out->high[i] = w->out->low[i];
        else if (of[i].high < -margin && !of[i].not_higher)
            w->out->low[i] = w->out->high[i];
        else
            continue;
        w->changed = true;
    }
}

/* ---- all ---- */

static void take_variables(spn_presolving *w)
{
    const spn_program *p = w->program;
    for (size_t i = 0; i < p->count; i++) {
        const spn_own_variable *v = &p->variables[i];
        w->out->low[i] = v->is_fixed ? v->value : v->low;
        w->out->high[i] = v->is_fixed ? v->value : v->high;
    }
    memset(w->out->dropped, SPN_NOT_DROPPED, p->constraints);
    spn_presolve_part(w->out, p);
}

static void count_all(spn_presolving *w)
{
    const spn_program *p = w->program;
    w->out->drops = 0;
    for (size_t i = 0; i < p->count; i++) {
        w->out->known += !p->variables[i].is_fixed && w->out->low[i] == w->out->high[i];
        w->out->merged += w->out->root[i] != i;
    }
    for (size_t k = 0; k < p->constraints; k++)
        w->out->drops += w->out->dropped[k] != SPN_NOT_DROPPED;
}

static spn_status run(spn_presolving *w, leaning *of, spn_error *err)
{
    const spn_program *p = w->program;
    w->changed = true;
    for (int pass = 0; pass < PASSES && w->changed && w->out->impossible == SIZE_MAX; pass++) {
        w->changed = false;
        propagate_all(w);
        if (w->changed || w->out->impossible != SIZE_MAX)
            continue;
        drop(w);
        memset(of, 0, p->count * sizeof *of);
        lean_on_objective(w, of);
        lean_on_constraints(w, of);
        decide(w, of);
        if (!w->changed)
            SPN_TRY(spn_presolve_probe(w, err));
    }
    if (w->out->impossible != SIZE_MAX)
        take_variables(w);
    else if (w->changed) /* the passes are used up */
        spn_presolve_part(w->out, p);
    count_all(w);
    return SPN_OK;
}

spn_status spn_presolve_make(spn_presolved **out, const spn_program *p, spn_error *err)
{
    spn_presolved *made = spn_alloc(1, sizeof *made);
    leaning *of = spn_alloc(p->count, sizeof *of);
    if (made) {
        made->low = spn_alloc(p->count, sizeof *made->low);
        made->high = spn_alloc(p->count, sizeof *made->high);
        made->root = spn_alloc(p->count, sizeof *made->root);
        made->turned = spn_alloc(p->count, 1);
        made->dropped = spn_alloc(p->constraints, 1);
        made->impossible = SIZE_MAX;
    }
    if (!made || !of || !made->low || !made->high || !made->root || !made->turned ||
        !made->dropped) {
        spn_presolved_free(made);
        free(of);
        return spn_no_memory(err, "the presolve of a problem");
    }
    spn_presolving w = {.program = p, .out = made};
    take_variables(&w);
    const spn_status status = run(&w, of, err);
    free(of);
    if (status)
        spn_presolved_free(made);
    else
        *out = made;
    return status;
}

/* ---- as a problem ---- */

static spn_status copy_variables(spn_program *to, const spn_program *p, const spn_presolved *known,
                                 spn_error *err)
{
    for (size_t i = 0; i < p->count; i++) {
        const spn_own_variable *v = &p->variables[i];
        const char *name = p->names.texts[i];
        const int32_t low = known->low[i], high = known->high[i];
        SPN_TRY(spn_program_add_variables(to, NULL, 1, &name, (spn_variable_kind)v->kind, low, high,
                                          err));
        if (low == high)
            SPN_TRY(spn_program_fix(to, i, low, err));
    }
    return SPN_OK;
}

static spn_status copy_constraints(spn_program *to, const spn_program *p,
                                   const spn_presolved *known, spn_error *err)
{
    for (size_t k = 0; k < p->constraints; k++) {
        spn_constraint c;
        spn_program_constraint(&c, p, k);
        if (known->dropped[k] != SPN_DROPPED)
            SPN_TRY(
                spn_program_add_constraint(to, c.name, &c.terms, c.sense, c.right, c.weight, err));
    }
    return SPN_OK;
}

static spn_status copy(spn_program *to, const spn_program *p, const spn_presolved *known,
                       spn_error *err)
{
    spn_terms terms;
    double constant;
    SPN_REFUSE_IF(known->impossible != SIZE_MAX, err,
                  "no state is feasible: %s cannot hold, given the ranges of the variables and the "
                  "constraints before it",
                  p->constraint_names.texts[known->impossible]);
    SPN_TRY(copy_variables(to, p, known, err));
    spn_program_objective(&terms, &constant, p);
    SPN_TRY(spn_program_add_objective(to, &terms, constant, err));
    spn_program_set_maximise(to, p->maximises);
    if (p->energy)
        SPN_TRY(spn_program_add_energy(to, p->energy, err));
    return copy_constraints(to, p, known, err);
}

spn_status spn_program_presolve(spn_program **out, const spn_program *p, spn_error *err)
{
    spn_presolved *known = NULL;
    spn_status status;
    *out = NULL;
    SPN_TRY(spn_presolve_make(&known, p, err));
    SPN_TRY_OR(cleanup, spn_program_create(out, err));
    SPN_TRY_OR(cleanup, copy(*out, p, known, err));
cleanup:
    spn_presolved_free(known);
    if (status) {
        spn_program_free(*out);
        *out = NULL;
    }
    return status;
}
