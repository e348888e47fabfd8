/* ising, qubo and maxcut: E = offset + sum h_i s_i + sum J_ij s_i s_j on a sparse graph. A flip's
   change is O(1), its update O(degree).

   Couplings are kept as integer multiples of a unit 2^-k, the finest for which every energy is an
   exact double. Dyadic couplings are then exact, others are rounded to about 2^-52 of the sum of
   all sizes. Integer couplings are never rounded: they have sums of up to 2^60 units, and what does
   not fit is refused. No sequence of flips ever accumulates an error. */
#include "energy/create.h"

#include "base/memory.h"
#include "chain/loop.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The terms of an energy, as they are collected. */
typedef struct quadratic_terms {
    size_t sites;
    double offset, offset_low; /* in the units of the couplings; low: what the sum rounded away */
    double constant; /* added to every energy last, so that an offset such as 0.1 costs neither the
                        exactness nor the speed of integer couplings */
    double *field, *field_low; /* h */
    spn_edge *edges;           /* J */
    size_t count, capacity;
} quadratic_terms;

/* The two widths of the integers that couplings are kept in: the narrow one, with half the memory,
   if everything fits. */
#define SCALAR int32_t
#define NAMED(name) name##_narrow
#include "energy/quadratic_body.h"
#undef SCALAR
#undef NAMED
#define SCALAR int64_t
#define NAMED(name) name##_wide
#include "energy/quadratic_body.h"

/* ---- collecting terms ---- */

static bool begin(quadratic_terms *terms, const spn_problem *problem)
{
    *terms = (quadratic_terms){.sites = problem->sites,
                               .constant = problem->offset,
                               .field = spn_alloc(problem->sites, sizeof *terms->field),
                               .field_low = spn_alloc(problem->sites, sizeof *terms->field_low),
                               .edges = spn_alloc(problem->count, sizeof *terms->edges),
                               .capacity = problem->count};
    return terms->field && terms->field_low && terms->edges;
}

/* *high += value; what that rounds away is added to *low (Knuth's two-sum). */
static void add_to(double *high, double *low, double value)
{
    const double sum = *high + value, part = sum - *high;
    *low += (*high - (sum - part)) + (value - part);
    *high = sum;
}

static void add_offset(quadratic_terms *terms, double value)
{
    add_to(&terms->offset, &terms->offset_low, value);
}

static void add_field(quadratic_terms *terms, size_t i, double value)
{
    add_to(&terms->field[i], &terms->field_low[i], value);
}

static void add_edge(quadratic_terms *terms, const spn_edge *edge, double weight)
{
    assert(edge->i < terms->sites && edge->j < terms->sites && edge->i != edge->j);
    assert(terms->count < terms->capacity);
    terms->edges[terms->count++] = (spn_edge){.i = edge->i, .j = edge->j, .weight = weight};
}

/* E = sum J_ij s_i s_j + sum h_i s_i, the convention of the common QUBO tools. A line `i i h` is a
   field; couplings listed twice add up. */
static void add_ising(quadratic_terms *terms, const spn_edge *edge)
{
    if (edge->i == edge->j)
        add_field(terms, edge->i, edge->weight);
    else
        add_edge(terms, edge, edge->weight);
}

/* E = sum Q_ij x_i x_j with x = (1+s)/2, over the listed entries. Entries listed twice, or as i j
   and j i, add up. */
static void add_qubo(quadratic_terms *terms, const spn_edge *edge)
{
    if (edge->i == edge->j) { /* x^2 = x = (1+s)/2 */
        add_offset(terms, edge->weight / 2);
        add_field(terms, edge->i, edge->weight / 2);
    } else { /* (1+s)(1+s')/4 */
        add_offset(terms, edge->weight / 4);
        add_field(terms, edge->i, edge->weight / 4);
        add_field(terms, edge->j, edge->weight / 4);
        add_edge(terms, edge, edge->weight / 4);
    }
}

/* E = -(weight of the cut): an edge is cut if its ends differ, and adds -w (1 - s s')/2. */
static void add_maxcut(quadratic_terms *terms, const spn_edge *edge)
{
    add_offset(terms, -edge->weight / 2);
    add_edge(terms, edge, edge->weight / 2);
}

static bool all_integers(const spn_problem *problem)
{
    for (size_t e = 0; e < problem->count; e++)
        if (problem->edges[e].weight != floor(problem->edges[e].weight))
            return false;
    return true;
}

/* ---- units ---- */

/* Units 2^-k are normal numbers, as are their inverses: weights are 0 or SPN_LEAST_WEIGHT, over
   2^-931, in size, and so are multiples of 2^-983, a quarter of them of 2^-985. */
enum { SPN_MOST_UNIT = 1000 };

/* The sum of all sizes, which bounds every energy and twice every local field. */
static double sum_of_sizes(const quadratic_terms *terms)
{
    double sum = fabs(terms->offset);
    for (size_t i = 0; i < terms->sites; i++)
        sum += fabs(terms->field[i]);
    for (size_t e = 0; e < terms->count; e++)
        sum += fabs(terms->edges[e].weight);
    return sum;
}

/* The exponent k of the finest unit 2^-k in which the sum has no more than so many bits: 51, so
   that all energies and changes are exact doubles, or 60, so that they fit an int64. */
static int finest_unit(double sum, int bits)
{
    int exponent;
    assert(isfinite(sum) && sum >= 0);
    frexp(sum, &exponent); /* bound < 2^exponent */
    return bits - exponent;
}

/* The least k >= k0 for which value is a multiple of 2^-k. */
static int exact_unit(double value, int k0)
{
    while (ldexp(value, k0) != floor(ldexp(value, k0)))
        k0++;
    assert(k0 < SPN_MOST_UNIT);
    return k0;
}

/* The coarsest unit, from 2^-k on, in which all terms are exact. */
static int coarsest_unit(const quadratic_terms *terms, int k)
{
    k = exact_unit(terms->offset, k);
    for (size_t i = 0; i < terms->sites; i++)
        k = exact_unit(terms->field[i], k);
    for (size_t e = 0; e < terms->count; e++)
        k = exact_unit(terms->edges[e].weight, k);
    return k;
}

/* The same with what sums rounded away, which is not 0 in large integers alone. */
static int coarsest_unit_of_all(const quadratic_terms *terms, int k)
{
    k = exact_unit(terms->offset_low, coarsest_unit(terms, k));
    for (size_t i = 0; i < terms->sites; i++)
        k = exact_unit(terms->field_low[i], k);
    return k;
}

/* How many terms are not 0 but count as 0 in units of 2^-k. */
static size_t count_zeroed(const quadratic_terms *terms, int k)
{
    size_t count = 0;
    for (size_t i = 0; i < terms->sites; i++)
        count += terms->field[i] != 0 && rint(ldexp(terms->field[i], k)) == 0;
    for (size_t e = 0; e < terms->count; e++)
        count += terms->edges[e].weight != 0 && rint(ldexp(terms->edges[e].weight, k)) == 0;
    return count;
}

/* ---- making one ---- */

/* Integers whose sums pass 51 bits are kept exactly, with the constant among them: it may cancel
   all but a few of their digits. */
static spn_status build_large(spn_energy **out, quadratic_terms *terms, const char *name,
                              spn_error *err)
{
    enum { BITS = 60 };
    add_offset(terms, terms->constant);
    terms->constant = 0;
    const double size = sum_of_sizes(terms);
    const int finest = finest_unit(size, BITS);
    const int exact = coarsest_unit_of_all(terms, finest < 0 ? finest : 0);
    if (exact > finest)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: the couplings are integers whose sums do not fit: with the offset "
                        "their sizes sum to %g, and %g would be exact; divide them, or make them "
                        "smaller",
                        name, size, ldexp(1, BITS - exact));
    return build_wide(out, terms, name, exact, err);
}

static spn_status build(spn_energy **out, quadratic_terms *terms, const char *name, bool integral,
                        spn_error *err)
{
    const double size = sum_of_sizes(terms);
    if (terms->count > UINT32_MAX / 2)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: more than 2^31 couplings", name);
    if (!isfinite(size) || size > 1e300)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: the couplings are too large: their sizes sum to %g, over 1e300", name,
                        size);
    if (!(fabs(terms->constant) <= 1e300))
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the offset is %g; its size is at most 1e300",
                        name, terms->constant);
    const int exact = coarsest_unit(terms, 0), finest = finest_unit(size, 51);
    if (integral && exact > finest)
        return build_large(out, terms, name, err);
    const int unit = exact < finest ? exact : finest;
    /* a gain is at most 2 bound; products with 4 J stay within */
    const bool narrow = ldexp(size, exact) < 0x1p28;
    assert(!narrow || exact <= finest); /* so that it is exact in both widths */
    SPN_TRY(narrow ? build_narrow(out, terms, name, exact, err)
                   : build_wide(out, terms, name, unit, err));
    if (!narrow)
        (*out)->zeroed = count_zeroed(terms, unit);
    (*out)->integral = integral && size + fabs(terms->constant) < 0x1p51 &&
                       terms->constant == floor(terms->constant);
    return SPN_OK;
}

enum { ISING, QUBO, MAXCUT };

/* Refuse a problem whose file says that its variables are not those of the energy, such as a .qubo
   file given to ising: its numbers would mean something else. */
static spn_status check_variables(const spn_problem *problem, const spn_energy_kind *kind,
                                  spn_error *err)
{
    const bool binary = kind->variant == QUBO;
    if (problem->variables != (binary ? SPN_VARIABLES_SPIN : SPN_VARIABLES_BINARY))
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: the file says that its variables are %s; the energy is %s", kind->name,
                    binary ? "-1 or +1" : "0 or 1", binary ? "ising" : "qubo");
}

static spn_status create(spn_energy **out, const spn_energy_kind *kind, const spn_problem *problem,
                         const spn_energy_options *options, spn_error *err)
{
    static void (*const add[])(quadratic_terms * terms, const spn_edge *edge) = {
        [ISING] = add_ising, [QUBO] = add_qubo, [MAXCUT] = add_maxcut};
    quadratic_terms terms;
    spn_status status = SPN_OK;
    (void)options;
    SPN_TRY(check_variables(problem, kind, err));
    if (begin(&terms, problem)) {
        for (size_t e = 0; e < problem->count; e++)
            add[kind->variant](&terms, &problem->edges[e]);
        status = build(out, &terms, kind->name, all_integers(problem), err);
    } else {
        status = spn_no_memory(err, "the energy '%s'", kind->name);
    }
    SPN_FREE_ALL(terms.field, terms.field_low, terms.edges);
    return status;
}

SPN_ENERGY_KIND(ising) = {.name = "ising",
                          .about = "sum of J s_i s_j and h s_i",
                          .problem = SPN_PROBLEM_COUPLINGS,
                          .create = create,
                          .variant = ISING};
SPN_ENERGY_KIND(qubo) = {.name = "qubo",
                         .about = "sum of Q x_i x_j, x = 0 or 1",
                         .problem = SPN_PROBLEM_COUPLINGS,
                         .create = create,
                         .variant = QUBO};
SPN_ENERGY_KIND(maxcut) = {.name = "maxcut",
                           .about = "minus the weight of the cut",
                           .problem = SPN_PROBLEM_CUT,
                           .create = create,
                           .variant = MAXCUT};
