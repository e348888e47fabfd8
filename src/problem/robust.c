/* How states fare in a changed world: some variables changed, coefficients multiplied by noise.
   Every draw is scored from scratch by spn_program_score; nothing is kept from draw to draw. */
#include "problem/program.h"

#include "base/memory.h"
#include "core/pause.h"
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

enum { OF_CHANGES, OF_NOISE }; /* the streams of a draw */

/* The mean of numbers given one by one, and the sum of their squared distances from it. */
typedef struct running {
    double mean, squares;
} running;

typedef struct tally {
    running objective, feasible, violation;
} tally;

static void add(running *sum, double value, uint32_t count)
{
    const double before = value - sum->mean;
    sum->mean += before / count;
    sum->squares += before * (value - sum->mean);
}

static double error_of(const running *sum, uint32_t count)
{
    return sqrt(sum->squares / (count - 1.0) / count);
}

/* The variables that can change. `free` is in order between draws. */
typedef struct changes {
    size_t count, most;
    uint32_t *free, *drawn; /* drawn[k]: the place that changed places with place k */
    int32_t *values;        /* of the state after its changes */
} changes;

/* A problem whose coefficients are its own. */
typedef struct world {
    spn_program program;
    double *objective, *rows;
    spn_own_constraint *constraint;
} world;

/* ---- changes of variables ---- */

static spn_status make_changes(changes *c, const spn_program *p, const spn_shake *shake,
                               spn_error *err)
{
    *c = (changes){.most = shake->changes};
    c->free = malloc((p->count + 1) * sizeof *c->free);
    c->values = malloc((p->count + 1) * sizeof *c->values);
    SPN_NEED(c->free && c->values, err, "the changes of a problem");
    for (size_t i = 0; i < p->count; i++)
        if (!p->variables[i].is_fixed && p->variables[i].low < p->variables[i].high)
            c->free[c->count++] = (uint32_t)i;
    SPN_REFUSE_IF(c->most > c->count, err, "%zu changes: only %zu of the %zu variables can change",
                  c->most, c->count, p->count);
    SPN_NEED(c->drawn = malloc((c->most + 1) * sizeof *c->drawn), err, "the changes of a problem");
    return SPN_OK;
}

static void exchange(uint32_t *list, size_t a, size_t b)
{
    const uint32_t at_a = list[a];
    list[a] = list[b];
    list[b] = at_a;
}

/* The value after its change. */
static int32_t changed(const spn_own_variable *v, int32_t value, bool up)
{
    if (v->kind != SPN_VARIABLE_INTEGER)
        return v->low + v->high - value;
    if (value == v->low || (up && value < v->high))
        return value + 1;
    return value - 1;
}

/* Change variables of a state: the first of a random order of those that can, and, in a stream that
   does not depend on the state, a direction for each. */
static void change(changes *c, const spn_program *p, const int32_t *values, uint64_t seed,
                   uint32_t draw)
{
    spn_random random = spn_random_make(seed, draw, OF_CHANGES, SPN_PURPOSE_WORLD);
    memcpy(c->values, values, p->count * sizeof *values);
    for (size_t k = 0; k < c->most; k++) {
        c->drawn[k] = (uint32_t)k + spn_random_below(&random, (uint32_t)(c->count - k));
        exchange(c->free, k, c->drawn[k]);
    }
    for (size_t k = 0; k < c->most; k++) {
        const uint32_t i = c->free[k];
        c->values[i] = changed(&p->variables[i], values[i], spn_random_u32(&random) & 1);
    }
    for (size_t k = c->most; k-- > 0;)
        exchange(c->free, k, c->drawn[k]);
}

/* ---- noise ---- */

/* Whether a constraint has coefficients that were measured. */
static bool is_measured(const spn_program *p, size_t k)
{
    const spn_row_range range = spn_constraint_range(p, k);
    if (p->constraint[k].sense == SPN_SENSE_EQUAL)
        return false;
    for (size_t t = range.first; t < range.end; t++)
        if (fabs(range.rows->coefficients[t]) != 1)
            return true;
    return false;
}

static spn_status make_world(world *w, const spn_program *p, spn_error *err)
{
    *w = (world){.program = *p};
    w->objective = malloc((p->objective.count + 1) * sizeof *w->objective);
    w->rows = malloc((p->rows.count + 1) * sizeof *w->rows);
    w->constraint = malloc((p->constraints + 1) * sizeof *w->constraint);
    SPN_NEED(w->objective && w->rows && w->constraint, err, "the noise of a problem");
    if (p->rows.count > 0)
        memcpy(w->rows, p->rows.coefficients, p->rows.count * sizeof *w->rows);
    if (p->constraints > 0)
        memcpy(w->constraint, p->constraint, p->constraints * sizeof *w->constraint);
    w->program.objective.coefficients = w->objective;
    w->program.rows.coefficients = w->rows;
    w->program.constraint = w->constraint;
    w->program.integral = false;
    return SPN_OK;
}

/* Two numbers of the standard normal law at a time, by Box and Muller. */
typedef struct normal {
    spn_random random;
    double other;
    bool has_other;
} normal;

static double next_normal(normal *n)
{
    const double turn = 0x1.921fb54442d18p+2; /* 2 pi */
    n->has_other = !n->has_other;
    if (!n->has_other)
        return n->other;
    const double length = sqrt(-2 * log(spn_random_uniform(&n->random)));
    const double angle = turn * spn_random_uniform(&n->random);
    n->other = length * sin(angle);
    return length * cos(angle);
}

static void shake_constraint(world *w, const spn_program *p, size_t k, double noise, normal *n)
{
    const spn_row_range range = spn_constraint_range(p, k);
    if (p->constraint[k].weight < INFINITY)
        w->constraint[k].weight = p->constraint[k].weight * (1 + noise * next_normal(n));
    if (!is_measured(p, k))
        return;
    w->constraint[k].integral = false;
    for (size_t t = range.first; t < range.end; t++)
        w->rows[t] = range.rows->coefficients[t] * (1 + noise * next_normal(n));
}

static void shake_world(world *w, const spn_program *p, const spn_shake *shake, uint32_t draw)
{
    normal n = {.random = spn_random_make(shake->seed, draw, OF_NOISE, SPN_PURPOSE_WORLD)};
    for (size_t t = 0; t < p->objective.count; t++)
        w->objective[t] = p->objective.coefficients[t] * (1 + shake->noise * next_normal(&n));
    for (size_t k = 0; k < p->constraints; k++)
        shake_constraint(w, p, k, shake->noise, &n);
}

/* ---- draws ---- */

static spn_status check(const spn_program *p, const spn_shake *shake, spn_error *err)
{
    SPN_REFUSE_IF(!(shake->noise >= 0 && shake->noise < INFINITY), err,
                  "noise: %g is not 0 or more", shake->noise);
    SPN_REFUSE_IF(shake->draws < 2, err, "draws: %u is below 2", (unsigned)shake->draws);
    SPN_REFUSE_IF(shake->changes == 0 && shake->noise == 0, err,
                  "changes and noise are both 0: give one of them");
    SPN_REFUSE_IF(shake->noise > 0 && p->energy, err,
                  "noise: the problem has an energy, whose coefficients are its own; give changes");
    return SPN_OK;
}

/* What is scored. */
typedef struct scored {
    const spn_program *program;
    const spn_shake *shake;
    size_t states;
    const int32_t *values;
} scored;

/* Score all states in draw d, counted from 0. */
static spn_status score_draw(tally *tallies, const scored *all, world *w, changes *c, uint32_t d,
                             spn_error *err)
{
    const spn_program *p = all->program;
    if (all->shake->noise > 0)
        shake_world(w, p, all->shake, d);
    for (size_t s = 0; s < all->states; s++) {
        spn_score score;
        change(c, p, all->values + s * p->count, all->shake->seed, d);
        SPN_TRY(spn_program_score(&score, NULL, all->shake->noise > 0 ? &w->program : p, c->values,
                                  err));
        add(&tallies[s].objective, score.objective, d + 1);
        add(&tallies[s].feasible, score.feasible, d + 1);
        add(&tallies[s].violation, score.violation, d + 1);
    }
    return SPN_OK;
}

static void give(spn_robust *out, size_t size, const tally *tallies, size_t states, uint32_t draws)
{
    for (size_t s = 0; s < states; s++) {
        const tally *own = &tallies[s];
        const spn_robust made = {.objective = own->objective.mean,
                                 .objective_error = error_of(&own->objective, draws),
                                 .feasible = own->feasible.mean,
                                 .feasible_error = error_of(&own->feasible, draws),
                                 .violation = own->violation.mean,
                                 .violation_error = error_of(&own->violation, draws)};
        spn_sized_give((char *)out + s * size, size, &made, sizeof made);
    }
}

spn_status spn_program_robust_sized(spn_robust *out, size_t size, const spn_program *p,
                                    size_t states, const int32_t *values, const spn_shake *given,
                                    spn_error *err)
{
    spn_shake shake = spn_shake_defaults();
    changes c = {0};
    world w = {.objective = NULL};
    tally *tallies = NULL;
    spn_score score;
    spn_status status = SPN_OK;
    const scored all = {p, &shake, states, values};
    SPN_TRY(spn_sized_take(&shake, sizeof shake, given, "spn_shake_defaults", err));
    SPN_TRY(check(p, &shake, err));
    for (size_t s = 0; s < states; s++) /* each value is in its range */
        SPN_TRY(spn_program_score(&score, NULL, p, values + s * p->count, err));
    SPN_TRY_OR(cleanup, make_changes(&c, p, &shake, err));
    SPN_TRY_OR(cleanup, make_world(&w, p, err));
    tallies = spn_alloc(states, sizeof *tallies);
    SPN_TRY_OR(cleanup, tallies ? SPN_OK : spn_no_memory(err, "the robustness of states"));
    for (uint32_t d = 0; d < shake.draws && !spn_pause_now(); d++)
        SPN_TRY_OR(cleanup, score_draw(tallies, &all, &w, &c, d, err));
    give(out, size, tallies, states, shake.draws);
cleanup:
    SPN_FREE_ALL(c.free, c.drawn, c.values, w.objective, w.rows, w.constraint, tallies);
    return status;
}
