/* Problems: variables, their names, and what is read back. */
#include "problem/program.h"

#include "base/memory.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_SIZE = 1 << 30,           /* of an integer variable's value */
    MOST_VARIABLES = INT32_MAX / 2 /* and constraints: names are numbered below 2^31 */
};

const spn_names spn_variable_kind_names =
    SPN_NAME_LIST("kind of variable", [SPN_VARIABLE_BINARY] = "binary",
                  [SPN_VARIABLE_SPIN] = "spin", [SPN_VARIABLE_INTEGER] = "integer");

spn_status spn_program_create(spn_program **out, spn_error *err)
{
    SPN_NEED(*out = spn_alloc(1, sizeof **out), err, "a problem");
    (*out)->integral = true;
    return SPN_OK;
}

void spn_program_free(spn_program *p)
{
    if (!p)
        return;
    spn_texts_free(&p->names);
    spn_texts_free(&p->constraint_names);
    spn_rows_free(&p->objective);
    spn_rows_free(&p->rows);
    SPN_FREE_ALL(p->variables, p->constraint, p);
}

/* Add a name that must be new. */
static spn_status add_name(spn_texts *names, const char *given, size_t number, char letter,
                           spn_error *err)
{
    const char *const what = letter == 'x' ? "variable" : "constraint";
    char made[32];
    uint32_t got;
    snprintf(made, sizeof made, "%c%zu", letter, number);
    const char *const name = given ? given : made;
    const spn_span span = {name, strlen(name)};
    const char *const fault = spn_text_fault(span);
    SPN_REFUSE_IF(fault, err, "the name of %s %zu %s", what, number, fault);
    SPN_REFUSE_IF(spn_texts_find(names, span) != SPN_NO_TEXT, err,
                  "two %ss are called %s: each needs a name of its own", what, name);
    SPN_NEED(spn_texts_add(&got, names, span), err, "the names of a problem");
    assert(got == number);
    return SPN_OK;
}

static spn_status check_range(spn_variable_kind kind, int32_t *low, int32_t *high, spn_error *err)
{
    SPN_REFUSE_IF(!spn_variable_kind_name(kind), err, "there is no kind of variable %d", (int)kind);
    if (kind != SPN_VARIABLE_INTEGER) {
        *low = kind == SPN_VARIABLE_SPIN ? -1 : 0;
        *high = 1;
    }
    SPN_REFUSE_IF(*low > *high, err, "low: %" PRId32 " is above high, %" PRId32, *low, *high);
    SPN_REFUSE_IF(*low < -MOST_SIZE || *high > MOST_SIZE, err,
                  "an integer variable from %" PRId32 " to %" PRId32
                  ": give it bounds from %d to %d",
                  *low, *high, -MOST_SIZE, MOST_SIZE);
    return SPN_OK;
}

spn_status spn_program_add_variables(spn_program *p, size_t *first, size_t count,
                                     const char *const *names, spn_variable_kind kind, int32_t low,
                                     int32_t high, spn_error *err)
{
    SPN_TRY(check_range(kind, &low, &high, err));
    SPN_REFUSE_IF(count > MOST_VARIABLES - p->count, err, "a problem has at most %d variables",
                  MOST_VARIABLES);
    SPN_NEED(spn_grow(&p->variables, &p->capacity, p->count + count, sizeof *p->variables), err,
             "the variables of a problem");
    for (size_t k = 0; k < count; k++) {
        const spn_status status =
            add_name(&p->names, names ? names[k] : NULL, p->count + k, 'x', err);
        if (status) {
            spn_texts_cut(&p->names, (uint32_t)p->count);
            return status;
        }
    }
    for (size_t k = 0; k < count; k++)
        p->variables[p->count + k] =
            (spn_own_variable){.low = low, .high = high, .value = low, .kind = (uint8_t)kind};
    if (first)
        *first = p->count;
    p->count += count;
    return SPN_OK;
}

size_t spn_program_variables(const spn_program *p)
{
    return p->count;
}

size_t spn_program_find(const spn_program *p, const char *name)
{
    const uint32_t found = spn_texts_find(&p->names, (spn_span){name, strlen(name)});
    return found == SPN_NO_TEXT ? SPN_NO_VARIABLE : found;
}

void spn_program_variable_sized(spn_variable *out, size_t size, const spn_program *p, size_t i)
{
    assert(i < p->count);
    const spn_own_variable *v = &p->variables[i];
    const spn_variable own = {.name = p->names.texts[i],
                              .kind = (spn_variable_kind)v->kind,
                              .low = v->low,
                              .high = v->high,
                              .is_fixed = v->is_fixed,
                              .value = v->value};
    spn_sized_give(out, size, &own, sizeof own);
}

spn_status spn_program_fix(spn_program *p, size_t i, int32_t value, spn_error *err)
{
    SPN_REFUSE_IF(i >= p->count, err, "there is no variable %zu: the problem has %zu", i, p->count);
    SPN_REFUSE_IF(!spn_program_takes(&p->variables[i], value), err,
                  "%s cannot be fixed to %" PRId32 ": it is %s", p->names.texts[i], value,
                  spn_program_range(&(spn_range_text){{0}}, &p->variables[i]));
    p->variables[i].value = value;
    p->variables[i].is_fixed = true;
    return SPN_OK;
}

const char *spn_program_range(spn_range_text *out, const spn_own_variable *v)
{
    if (v->kind == SPN_VARIABLE_INTEGER)
        snprintf(out->text, sizeof out->text, "%" PRId32 " to %" PRId32, v->low, v->high);
    else
        snprintf(out->text, sizeof out->text, "%s",
                 v->kind == SPN_VARIABLE_SPIN ? "-1 or +1" : "0 or 1");
    return out->text;
}

/* ---- objective ---- */

spn_status spn_program_add_objective(spn_program *p, const spn_terms *given, double constant,
                                     spn_error *err)
{
    spn_terms terms = spn_terms_defaults();
    const size_t before = p->objective.count;
    double bound = 0;
    bool integral = p->integral && spn_is_whole(constant) && spn_is_whole(p->constant + constant);
    SPN_TRY(spn_sized_take(&terms, sizeof terms, given, "spn_terms_defaults", err));
    SPN_REFUSE_IF(!isfinite(constant) || !isfinite(p->constant + constant), err,
                  "the objective's constant is not finite");
    const spn_status status = spn_rows_add(&p->objective, p, &terms, 0, terms.count, &bound,
                                           &integral, "the objective", err);
    if (status) {
        spn_rows_cut(&p->objective, before);
        return status;
    }
    p->constant += constant;
    p->integral = integral;
    return SPN_OK;
}

void spn_program_set_maximise(spn_program *p, bool maximise)
{
    p->maximises = maximise;
}

bool spn_program_maximises(const spn_program *p)
{
    return p->maximises;
}

spn_status spn_program_add_energy(spn_program *p, const spn_energy *energy, spn_error *err)
{
    const size_t sites = spn_energy_sites(energy);
    SPN_REFUSE_IF(p->energy, err, "the problem has an energy: it can have one");
    SPN_REFUSE_IF(sites > p->count, err, "the energy has %zu spins, the problem %zu variables",
                  sites, p->count);
    for (size_t i = 0; i < sites; i++)
        SPN_REFUSE_IF(p->variables[i].kind == SPN_VARIABLE_INTEGER, err,
                      "%s is an integer: the first %zu variables are the energy's spins, and must "
                      "be spins or binary",
                      p->names.texts[i], sites);
    p->energy = energy;
    return SPN_OK;
}

const spn_energy *spn_program_energy(const spn_program *p)
{
    return p->energy;
}

static spn_terms terms_of(spn_row_range range)
{
    static const size_t no_starts[1] = {0};
    static const double no_coefficients[1] = {0};
    spn_terms terms = spn_terms_defaults();
    terms.count = range.end - range.first;
    terms.coefficients = terms.count ? range.rows->coefficients + range.first : no_coefficients;
    terms.starts = terms.count ? range.rows->starts + range.first : no_starts;
    terms.variables = range.rows->variables;
    return terms;
}

void spn_program_objective_sized(spn_terms *out, size_t size, double *constant,
                                 const spn_program *p)
{
    const spn_terms own = terms_of((spn_row_range){&p->objective, 0, p->objective.count});
    spn_sized_give(out, size, &own, sizeof own);
    *constant = p->constant;
}

/* ---- constraints ---- */

const spn_names spn_sense_names = SPN_NAME_LIST(
    "sense", [SPN_SENSE_AT_MOST] = "<=", [SPN_SENSE_EQUAL] = "=", [SPN_SENSE_AT_LEAST] = ">=");

typedef struct given_constraints {
    const char *const *names;
    spn_terms terms;
    const size_t *firsts;
    const spn_sense *senses;
    const double *rights, *weights;
} given_constraints;

static spn_status add_constraint(spn_program *p, const given_constraints *given, size_t k,
                                 spn_error *err)
{
    const double right = given->rights[k], weight = given->weights ? given->weights[k] : INFINITY;
    spn_own_constraint made = {.first = p->rows.count,
                               .right = right,
                               .weight = weight,
                               .bound = fabs(right),
                               .sense = (uint8_t)given->senses[k],
                               .integral = spn_is_whole(right)};
    SPN_TRY(add_name(&p->constraint_names, given->names ? given->names[k] : NULL, p->constraints,
                     'c', err));
    const char *const name = p->constraint_names.texts[p->constraints];
    SPN_REFUSE_IF(!spn_sense_name(given->senses[k]), err, "constraint %s: there is no sense %d",
                  name, (int)given->senses[k]);
    SPN_REFUSE_IF(!isfinite(right), err, "constraint %s: its right side is not finite", name);
    SPN_REFUSE_IF(!(weight > 0), err, "constraint %s: its weight %g is not above 0", name, weight);
    SPN_REFUSE_IF(
        given->firsts[k] > given->firsts[k + 1] || given->firsts[k + 1] > given->terms.count, err,
        "constraint %s: its terms are not among the %zu given", name, given->terms.count);
    SPN_TRY(spn_rows_add(&p->rows, p, &given->terms, given->firsts[k], given->firsts[k + 1],
                         &made.bound, &made.integral, name, err));
    p->constraint[p->constraints++] = made;
    return SPN_OK;
}

spn_status spn_program_add_constraints(spn_program *p, size_t count, const char *const *names,
                                       const spn_terms *terms, const size_t *firsts,
                                       const spn_sense *senses, const double *rights,
                                       const double *weights, spn_error *err)
{
    given_constraints given = {names, spn_terms_defaults(), firsts, senses, rights, weights};
    const size_t before = p->constraints, rows = p->rows.count;
    SPN_TRY(spn_sized_take(&given.terms, sizeof given.terms, terms, "spn_terms_defaults", err));
    SPN_REFUSE_IF(count > MOST_VARIABLES - before, err, "a problem has at most %d constraints",
                  MOST_VARIABLES);
    SPN_NEED(
        spn_grow(&p->constraint, &p->constraint_capacity, before + count, sizeof *p->constraint),
        err, "the constraints of a problem");
    for (size_t k = 0; k < count; k++) {
        const spn_status status = add_constraint(p, &given, k, err);
        if (status) {
            spn_texts_cut(&p->constraint_names, (uint32_t)before);
            spn_rows_cut(&p->rows, rows);
            p->constraints = before;
            return status;
        }
    }
    return SPN_OK;
}

spn_status spn_program_add_constraint(spn_program *p, const char *name, const spn_terms *terms,
                                      spn_sense sense, double right, double weight, spn_error *err)
{
    const size_t firsts[2] = {0, terms->count};
    return spn_program_add_constraints(p, 1, name ? &name : NULL, terms, firsts, &sense, &right,
                                       &weight, err);
}

size_t spn_program_constraints(const spn_program *p)
{
    return p->constraints;
}

void spn_program_constraint_sized(spn_constraint *out, size_t size, const spn_program *p, size_t k)
{
    assert(k < p->constraints);
    const spn_constraint own = {.name = p->constraint_names.texts[k],
                                .terms = terms_of(spn_constraint_range(p, k)),
                                .sense = (spn_sense)p->constraint[k].sense,
                                .right = p->constraint[k].right,
                                .weight = p->constraint[k].weight};
    spn_sized_give(out, size, &own, sizeof own);
}
