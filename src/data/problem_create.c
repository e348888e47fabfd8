/* Problems from arrays in memory, and what a problem holds. */
#include "data/problem.h"

#include "base/memory.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

spn_problem_kind spn_problem_kind_of(const spn_problem *problem)
{
    return problem->kind;
}

size_t spn_problem_sites(const spn_problem *problem)
{
    return problem->sites;
}

size_t spn_problem_count(const spn_problem *problem)
{
    return problem->count;
}

const int8_t *spn_problem_rows(const spn_problem *problem)
{
    return problem->rows;
}

const int16_t *spn_problem_values(const spn_problem *problem)
{
    return problem->values;
}

const int8_t *spn_problem_teacher(const spn_problem *problem)
{
    return problem->teacher;
}

const int8_t *spn_problem_labels(const spn_problem *problem)
{
    return problem->labels;
}

const spn_edge *spn_problem_edges(const spn_problem *problem)
{
    return problem->edges;
}

const double *spn_problem_energies(const spn_problem *problem)
{
    return problem->energies;
}

double spn_problem_offset(const spn_problem *problem)
{
    return problem->offset;
}

const char *spn_problem_name(const spn_problem *problem, size_t i)
{
    assert(i < problem->sites);
    return problem->names ? problem->names[i] : NULL;
}

/* ---- from arrays ---- */

static spn_status check_sizes(size_t sites, size_t count, spn_error *err)
{
    if (sites == 0 || sites > UINT32_MAX || count == 0 || count > SIZE_MAX / sites)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a problem of %zu spins and %zu entries; each is at least 1, and there are "
                        "at most 2^32-1 spins",
                        sites, count);
    return SPN_OK;
}

static spn_status check_spins(const int8_t *spins, size_t sites, size_t count, const char *what,
                              spn_error *err)
{
    for (size_t k = 0; k < sites * count; k++)
        if (spins[k] != 1 && spins[k] != -1)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s %zu has %d at %zu; it must be -1 or +1",
                            what, k / sites, spins[k], k % sites);
    return SPN_OK;
}

static spn_status too_small(size_t e, double weight, spn_error *err)
{
    char value[SPN_NUMBER_TEXT], least[SPN_NUMBER_TEXT];
    spn_number_text(value, weight);
    spn_number_text(least, SPN_LEAST_WEIGHT);
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "the weight of edge %zu is %s, too small to be kept exactly: it is 0 or at "
                    "least %s in size; multiply all by a power of ten",
                    e, value, least);
}

static spn_status check_edges(const spn_edge *edges, size_t sites, size_t count, bool cut,
                              spn_error *err)
{
    for (size_t e = 0; e < count; e++) {
        if (edges[e].i >= sites || edges[e].j >= sites)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "edge %zu joins %u and %u, of %zu sites", e,
                            (unsigned)edges[e].i, (unsigned)edges[e].j, sites);
        if (cut && edges[e].i == edges[e].j)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "edge %zu joins site %u to itself", e,
                            (unsigned)edges[e].i);
        if (!isfinite(edges[e].weight))
            return spn_fail(err, SPN_ERROR_ARGUMENT, "the weight of edge %zu is not finite", e);
        if (edges[e].weight != 0 && fabs(edges[e].weight) < SPN_LEAST_WEIGHT)
            return too_small(e, edges[e].weight, err);
    }
    return SPN_OK;
}

/* A copy of an array; the problem is freed, and NULL, where there is no memory for it. */
static void *copy_array(spn_problem **problem, const void *array, size_t count, size_t size)
{
    void *copy = *problem ? spn_alloc(count, size) : NULL;
    if (copy) {
        memcpy(copy, array, count * size);
    } else {
        spn_problem_free(*problem);
        *problem = NULL;
    }
    return copy;
}

static spn_problem *sized_problem(spn_problem_kind kind, size_t sites, size_t count)
{
    spn_problem *problem = spn_problem_alloc(kind);
    if (problem) {
        problem->sites = sites;
        problem->count = count;
    }
    return problem;
}

static spn_status finish(spn_problem **out, spn_problem *problem, size_t count, spn_error *err)
{
    *out = problem;
    return problem ? SPN_OK
                   : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a problem of %zu entries",
                              count);
}

static spn_status check_energies(const double *energies, size_t sites, size_t count, spn_error *err)
{
    if (sites < 1 || sites > SPN_TABLE_SITES || count != (size_t)1 << sites)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a table has 1 to %d spins, not %zu",
                        SPN_TABLE_SITES, sites);
    for (size_t k = 0; k < count; k++)
        if (!(fabs(energies[k]) <= SPN_MOST_ENERGY))
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "the energy of state %zu is not finite, or over 1e300 in size", k);
    return SPN_OK;
}

/* The arrays that a problem is made of; entries are rows, edges or energies. */
typedef struct arrays {
    spn_problem_kind kind;
    size_t sites, count;
    const void *entries;
    const int8_t *labels;
} arrays;

static spn_status check_arrays(const arrays *a, spn_error *err)
{
    if (a->kind == SPN_PROBLEM_TABLE)
        return check_energies(a->entries, a->sites, a->count, err);
    spn_status status = check_sizes(a->sites, a->count, err);
    if (status)
        return status;
    if (a->kind == SPN_PROBLEM_COUPLINGS || a->kind == SPN_PROBLEM_CUT)
        return check_edges(a->entries, a->sites, a->count, a->kind == SPN_PROBLEM_CUT, err);
    const bool patterns = a->kind == SPN_PROBLEM_PATTERNS;
    status = check_spins(a->entries, a->sites, a->count, patterns ? "pattern" : "state", err);
    return status || !patterns ? status : check_spins(a->labels, 1, a->count, "label", err);
}

/* Entries are the problem's now, or lent to it. */
static void place_entries(spn_problem *problem, void *entries)
{
    if (problem->kind == SPN_PROBLEM_TABLE)
        problem->energies = entries;
    else if (problem->kind == SPN_PROBLEM_COUPLINGS || problem->kind == SPN_PROBLEM_CUT)
        problem->edges = entries;
    else
        problem->rows = entries;
}

static size_t entries_size(const arrays *a)
{
    if (a->kind == SPN_PROBLEM_TABLE)
        return sizeof(double);
    return a->kind == SPN_PROBLEM_COUPLINGS || a->kind == SPN_PROBLEM_CUT ? sizeof(spn_edge)
                                                                          : a->sites;
}

static spn_status copy_arrays(spn_problem **out, const arrays *a, spn_error *err)
{
    *out = NULL;
    const spn_status status = check_arrays(a, err);
    if (status)
        return status;
    spn_problem *problem = sized_problem(a->kind, a->sites, a->count);
    void *copy = copy_array(&problem, a->entries, a->count, entries_size(a));
    if (problem)
        place_entries(problem, copy);
    if (problem && a->labels)
        copy = copy_array(&problem, a->labels, a->count, 1);
    if (problem && a->labels)
        problem->labels = copy;
    return finish(out, problem, a->count, err);
}

spn_status spn_problem_borrow(spn_problem **out, spn_problem_kind kind, size_t sites, size_t count,
                              const void *entries, const int8_t *labels, spn_error *err)
{
    const arrays a = {kind, sites, count, entries, labels};
    *out = NULL;
    if (!spn_problem_kind_name(kind) || !entries || (kind == SPN_PROBLEM_PATTERNS) != !!labels)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a problem is of a kind that there is, has entries and, of patterns alone, "
                        "labels");
    const spn_status status = check_arrays(&a, err);
    if (status)
        return status;
    spn_problem *problem = sized_problem(kind, sites, count);
    if (problem) {
        problem->borrowed = true;
        place_entries(problem, (void *)(uintptr_t)entries); /* which is never written to */
        problem->labels = (int8_t *)(uintptr_t)labels;
    }
    return finish(out, problem, count, err);
}

spn_status spn_problem_patterns_create(spn_problem **out, size_t sites, size_t count,
                                       const int8_t *rows, const int8_t *labels, spn_error *err)
{
    const arrays a = {SPN_PROBLEM_PATTERNS, sites, count, rows, labels};
    return copy_arrays(out, &a, err);
}

spn_status spn_problem_states_create(spn_problem **out, size_t sites, size_t count,
                                     const int8_t *rows, spn_error *err)
{
    const arrays a = {SPN_PROBLEM_STATES, sites, count, rows, NULL};
    return copy_arrays(out, &a, err);
}

spn_status spn_problem_couplings_create(spn_problem **out, size_t sites, size_t count,
                                        const spn_edge *edges, spn_error *err)
{
    const arrays a = {SPN_PROBLEM_COUPLINGS, sites, count, edges, NULL};
    return copy_arrays(out, &a, err);
}

spn_status spn_problem_cut_create(spn_problem **out, size_t sites, size_t count,
                                  const spn_edge *edges, spn_error *err)
{
    const arrays a = {SPN_PROBLEM_CUT, sites, count, edges, NULL};
    return copy_arrays(out, &a, err);
}

spn_status spn_problem_table_create(spn_problem **out, size_t sites, const double *energies,
                                    spn_error *err)
{
    const size_t count = sites <= SPN_TABLE_SITES ? (size_t)1 << sites : 0;
    const arrays a = {SPN_PROBLEM_TABLE, sites, count, energies, NULL};
    return copy_arrays(out, &a, err);
}

spn_status spn_problem_set_offset(spn_problem *problem, double offset, spn_error *err)
{
    const bool graph = problem->kind == SPN_PROBLEM_COUPLINGS || problem->kind == SPN_PROBLEM_CUT;
    if (!graph || !isfinite(offset))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "an offset is a finite number, of couplings or of a cut graph");
    problem->offset = offset;
    return SPN_OK;
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; names && i < count; i++)
        free(names[i]);
    free(names);
}

spn_status spn_problem_set_names(spn_problem *problem, const char *const *names, spn_error *err)
{
    char **copies = spn_alloc(problem->sites, sizeof *copies);
    spn_status status = SPN_OK;
    if (!copies)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for names");
    for (size_t i = 0; i < problem->sites && !status; i++) {
        if (!names[i] || !names[i][0])
            status = spn_fail(err, SPN_ERROR_ARGUMENT, "spin %zu has an empty name", i);
        else if (!(copies[i] = strdup(names[i])))
            status = spn_fail(err, SPN_ERROR_MEMORY, "out of memory for names");
    }
    if (status) {
        free_names(copies, problem->sites);
        return status;
    }
    free_names(problem->names, problem->sites);
    problem->names = copies;
    return SPN_OK;
}
