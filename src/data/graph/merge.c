/* Merge the entries of a matrix into one coupling for each pair of spins. */
#include "data/graph/graph.h"

#include "base/memory.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>

static uint32_t low(const spn_edge *edge)
{
    return edge->i < edge->j ? edge->i : edge->j;
}

static uint32_t high(const spn_edge *edge)
{
    return edge->i < edge->j ? edge->j : edge->i;
}

/* Stable counting sort of edges into `to` by one end. */
static void sort_by(spn_edge *to, const spn_edge *from, size_t count, size_t *starts, size_t sites,
                    uint32_t (*end)(const spn_edge *))
{
    for (size_t i = 0; i <= sites; i++)
        starts[i] = 0;
    for (size_t e = 0; e < count; e++)
        starts[end(&from[e]) + 1]++;
    for (size_t i = 0; i < sites; i++)
        starts[i + 1] += starts[i];
    for (size_t e = 0; e < count; e++)
        to[starts[end(&from[e])]++] = from[e];
}

/* The entries of a pair in a cut graph's matrix differ, or a diagonal entry is not 0. */
static spn_status not_symmetric(const spn_walk *walk, size_t i, size_t j, double upper,
                                double lower, spn_error *err)
{
    char one[SPN_NUMBER_TEXT], two[SPN_NUMBER_TEXT];
    spn_number_text(one, upper);
    spn_number_text(two, lower);
    return spn_source_fail(
        walk->source, err,
        "entry (%zu, %zu) is %s and (%zu, %zu) is %s; the matrix of a cut graph is symmetric",
        i + 1, j + 1, one, j + 1, i + 1, two);
}

static spn_status too_large(const spn_walk *walk, size_t i, size_t j, spn_error *err)
{
    return spn_source_fail(walk->source, err,
                           "the entries of %zu and %zu add up to no finite number", i + 1, j + 1);
}

/* Merge `count` edges that join the same two spins. */
static spn_status merge_pair(spn_edge *out, const spn_walk *walk, const spn_edge *same,
                             size_t count, spn_error *err)
{
    const uint32_t i = low(same), j = high(same);
    double upper = 0, lower = 0;
    for (size_t e = 0; e < count; e++) {
        if (same[e].i <= same[e].j)
            upper += same[e].weight;
        else
            lower += same[e].weight;
    }
    if (spn_graph_is_cut(walk) && upper != lower)
        return not_symmetric(walk, i, j, upper, lower, err);
    *out = (spn_edge){.i = i, .j = j, .weight = spn_graph_is_cut(walk) ? upper : upper + lower};
    return isfinite(out->weight) ? SPN_OK : too_large(walk, i, j, err);
}

static spn_status merge_sorted(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    spn_edge *edges = problem->edges;
    size_t kept = 0;
    for (size_t e = 0, next; e < problem->count; e = next) {
        for (next = e + 1; next < problem->count && low(&edges[next]) == low(&edges[e]) &&
                           high(&edges[next]) == high(&edges[e]);)
            next++;
        spn_edge merged;
        SPN_TRY(merge_pair(&merged, walk, &edges[e], next - e, err));
        edges[kept++] = merged;
    }
    problem->count = kept;
    return SPN_OK;
}

spn_status spn_graph_merge(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    spn_edge *sorted = spn_alloc(problem->count, sizeof *sorted);
    size_t *starts = spn_alloc(problem->sites + 1, sizeof *starts);
    spn_status status = SPN_OK;
    if (!sorted || !starts) {
        status = spn_walk_no_memory(walk, err);
        goto cleanup;
    }
    sort_by(sorted, problem->edges, problem->count, starts, problem->sites, high);
    sort_by(problem->edges, sorted, problem->count, starts, problem->sites, low);
    status = merge_sorted(walk, err);
cleanup:
    SPN_FREE_ALL(sorted, starts);
    return status;
}

spn_status spn_graph_check_entry(const spn_walk *walk, const double *matrix, size_t i, size_t j,
                                 spn_error *err)
{
    const size_t n = walk->problem->sites;
    assert(i < n && j < n);
    if (!spn_graph_is_cut(walk))
        return SPN_OK;
    if (i == j && matrix[i * n + j] != 0)
        return spn_walk_fail(walk, err, "vertex %zu is joined to itself", i + 1);
    if (matrix[i * n + j] == matrix[j * n + i])
        return SPN_OK;
    return not_symmetric(walk, i, j, matrix[i * n + j], matrix[j * n + i], err);
}

spn_status spn_graph_add_matrix(spn_walk *walk, const double *matrix, spn_error *err)
{
    const size_t n = walk->problem->sites;
    const bool cut = spn_graph_is_cut(walk);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            const double here = matrix[i * n + j], there = matrix[j * n + i];
            const double weight = i == j || cut ? here : here + there;
            if (!isfinite(weight))
                return too_large(walk, i, j, err);
            if (weight != 0)
                SPN_TRY(spn_graph_add(walk, (uint32_t)i, (uint32_t)j, weight, 1, err));
        }
    return SPN_OK;
}
