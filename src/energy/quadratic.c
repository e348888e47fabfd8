/* Quadratic energies on sparse graphs: a flip's change is O(1), its update O(degree). */
#include "energy/quadratic.h"

#include "base/memory.h"
#include "chain/loop.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct spn_quadratic_terms {
    size_t sites;
    double offset, constant;
    double *field;
    spn_edge *edges;
    size_t count, capacity;
};

/* The two widths of the integers that couplings are kept in: the narrow one, half the memory, where
   everything fits. */
#define SCALAR int32_t
#define NAMED(name) name##_narrow
#include "energy/quadratic_body.h"
#undef SCALAR
#undef NAMED
#define SCALAR int64_t
#define NAMED(name) name##_wide
#include "energy/quadratic_body.h"

spn_quadratic_terms *spn_quadratic_begin(size_t sites, size_t most_edges)
{
    spn_quadratic_terms *terms = calloc(1, sizeof *terms);
    if (!terms)
        return NULL;
    terms->sites = sites;
    terms->capacity = most_edges;
    terms->field = spn_alloc(sites, sizeof *terms->field);
    terms->edges = spn_alloc(most_edges, sizeof *terms->edges);
    if (terms->field && terms->edges)
        return terms;
    free(terms->field);
    free(terms->edges);
    free(terms);
    return NULL;
}

void spn_quadratic_offset(spn_quadratic_terms *terms, double value)
{
    terms->offset += value;
}

void spn_quadratic_constant(spn_quadratic_terms *terms, double value)
{
    terms->constant += value;
}

void spn_quadratic_field(spn_quadratic_terms *terms, size_t i, double value)
{
    assert(i < terms->sites);
    terms->field[i] += value;
}

void spn_quadratic_edge(spn_quadratic_terms *terms, size_t i, size_t j, double value)
{
    assert(i < terms->sites && j < terms->sites && i != j);
    terms->edges[terms->count++] = (spn_edge){.i = (uint32_t)i, .j = (uint32_t)j, .weight = value};
}

spn_status spn_quadratic_check(const spn_problem *problem, const char *name, spn_variables refused,
                               spn_error *err)
{
    if (problem->variables != refused)
        return SPN_OK;
    if (refused == SPN_VARIABLES_BINARY)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: the file says that its variables are 0 or 1; the energy is qubo",
                        name);
    return spn_fail(err, SPN_ERROR_INPUT,
                    "%s: the file says that its variables are -1 or +1; the energy is ising", name);
}

bool spn_quadratic_all_integers(const spn_problem *problem)
{
    for (size_t e = 0; e < problem->count; e++)
        if (problem->edges[e].weight != floor(problem->edges[e].weight))
            return false;
    return true;
}

/* Units 2^-k are normal numbers, as are their inverses: weights are 0 or SPN_LEAST_WEIGHT, over
   2^-931, in size, and so are multiples of 2^-983, a quarter of them of 2^-985. */
enum { SPN_MOST_UNIT = 1000 };

/* The sum of all sizes, which bounds every energy and twice every local field. */
static double sum_of_sizes(const spn_quadratic_terms *terms)
{
    double sum = fabs(terms->offset);
    for (size_t i = 0; i < terms->sites; i++)
        sum += fabs(terms->field[i]);
    for (size_t e = 0; e < terms->count; e++)
        sum += fabs(terms->edges[e].weight);
    return sum;
}

/* The exponent k of the finest unit 2^-k for which all energies and changes are below 2^53. */
static int finest_unit(double sum)
{
    int exponent;
    frexp(sum, &exponent); /* bound < 2^exponent */
    return 51 - exponent;
}

/* The least k >= k0 for which value is a multiple of 2^-k. */
static int exact_unit(double value, int k0)
{
    while (ldexp(value, k0) != floor(ldexp(value, k0)))
        k0++;
    assert(k0 < SPN_MOST_UNIT);
    return k0;
}

/* The coarsest unit in which all terms are exact. */
static int coarsest_unit(const spn_quadratic_terms *terms)
{
    int k = exact_unit(terms->offset, 0);
    for (size_t i = 0; i < terms->sites; i++)
        k = exact_unit(terms->field[i], k);
    for (size_t e = 0; e < terms->count; e++)
        k = exact_unit(terms->edges[e].weight, k);
    return k;
}

/* How many terms are not 0 but count as 0 in units of 2^-k. */
static size_t count_zeroed(const spn_quadratic_terms *terms, int k)
{
    size_t count = 0;
    for (size_t i = 0; i < terms->sites; i++)
        count += terms->field[i] != 0 && rint(ldexp(terms->field[i], k)) == 0;
    for (size_t e = 0; e < terms->count; e++)
        count += terms->edges[e].weight != 0 && rint(ldexp(terms->edges[e].weight, k)) == 0;
    return count;
}

spn_status spn_quadratic_finish(spn_energy **out, spn_quadratic_terms *terms, const char *name,
                                bool integral, spn_error *err)
{
    if (!terms)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the energy '%s'", name);
    const double size = sum_of_sizes(terms);
    spn_status status;
    if (terms->count > UINT32_MAX / 2) {
        status = spn_fail(err, SPN_ERROR_INPUT, "%s: more than 2^31 couplings", name);
    } else if (!isfinite(size) || size > 1e300) {
        status = spn_fail(err, SPN_ERROR_INPUT,
                          "%s: the couplings are too large: their sizes sum to %g, over 1e300",
                          name, size);
    } else if (!(fabs(terms->constant) <= 1e300)) {
        status = spn_fail(err, SPN_ERROR_INPUT, "%s: the offset is %g; its size is at most 1e300",
                          name, terms->constant);
    } else {
        const int exact = coarsest_unit(terms), finest = finest_unit(size);
        const int unit = exact < finest ? exact : finest;
        /* a gain is at most 2 bound; products with 4 J stay within */
        bool narrow = ldexp(size, exact) < 0x1p28;
        status = narrow ? build_narrow(out, terms, name, exact, err)
                        : build_wide(out, terms, name, unit, err);
        if (!status && !narrow)
            (*out)->zeroed = count_zeroed(terms, unit);
    }
    if (!status)
        (*out)->integral = integral && size + fabs(terms->constant) < 0x1p51 &&
                           terms->constant == floor(terms->constant);
    free(terms->field);
    free(terms->edges);
    free(terms);
    return status;
}
