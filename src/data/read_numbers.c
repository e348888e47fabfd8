/* Readers of numbers: couplings and cut graphs as lists of `i j value`, tables of energies. */
#include "data/problem.h"

#include "base/memory.h"

/* A whole number from 0 to 2^32-1, digits only. */
static bool read_index(uint32_t *out, spn_walk *walk)
{
    spn_span token;
    uint64_t value = 0;
    if (!spn_walk_token(&token, walk, false))
        return false;
    for (size_t k = 0; k < token.size; k++) {
        if (token.text[k] < '0' || token.text[k] > '9')
            return false;
        value = value * 10 + (uint64_t)(token.text[k] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool read_real(double *out, spn_walk *walk)
{
    spn_span token;
    return spn_walk_token(&token, walk, false) && spn_number_read(out, token) == SPN_NUMBER_FINITE;
}

/* `i j value`, and nothing behind it. */
static spn_status read_edge(spn_problem *problem, size_t *capacity, spn_walk *walk,
                            uint32_t first_index, spn_error *err)
{
    const spn_span line = walk->line;
    uint32_t i, j;
    double weight;
    char shown[SPN_SHOWN];
    if (!read_index(&i, walk) || !read_index(&j, walk) || !read_real(&weight, walk) ||
        walk->line.size > 0)
        return spn_walk_fail(walk, err,
                             "'%s' is not `i j value`: two whole numbers and a finite number",
                             spn_show(shown, line));
    if (i < first_index || j < first_index)
        return spn_walk_fail(walk, err, "index 0 is out of range; indices start at %u here",
                             first_index);
    if (!spn_grow(&problem->edges, capacity, problem->count + 1, sizeof *problem->edges))
        return spn_walk_no_memory(walk, err);
    problem->edges[problem->count++] =
        (spn_edge){.i = i - first_index, .j = j - first_index, .weight = weight};
    return SPN_OK;
}

static uint32_t larger_end(const spn_problem *problem)
{
    const spn_edge *edge = &problem->edges[problem->count - 1];
    return edge->i > edge->j ? edge->i : edge->j;
}

spn_status spn_read_couplings(spn_problem *problem, spn_walk *walk, spn_error *err)
{
    /* an index says how many spins there are; a slip of the pen must not ask for terabytes */
    const uint32_t most_sites = 1u << 28;
    size_t capacity = 0;
    while (spn_walk_line(walk)) {
        spn_status status = read_edge(problem, &capacity, walk, 0, err);
        if (status)
            return status;
        uint32_t largest = larger_end(problem);
        if (largest >= most_sites)
            return spn_walk_fail(walk, err, "index %u is out of range; the largest is %u", largest,
                                 most_sites - 1);
        if (largest >= problem->sites)
            problem->sites = (size_t)largest + 1;
    }
    if (problem->count == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: no couplings; expected lines `i j value`",
                        walk->source->name);
    return SPN_OK;
}

static spn_status check_cut_edge(const spn_problem *problem, const spn_walk *walk, spn_error *err)
{
    const spn_edge *edge = &problem->edges[problem->count - 1];
    uint32_t largest = larger_end(problem);
    if (largest >= problem->sites)
        return spn_walk_fail(walk, err, "vertex %u is out of range: the header says there are %zu",
                             largest + 1, problem->sites);
    if (edge->i == edge->j)
        return spn_walk_fail(walk, err, "vertex %u is joined to itself", edge->i + 1);
    return SPN_OK;
}

spn_status spn_read_cut(spn_problem *problem, spn_walk *walk, spn_error *err)
{
    size_t capacity = 0;
    uint32_t vertices, edges;
    char shown[SPN_SHOWN];
    if (!spn_walk_line(walk))
        return spn_fail(err, SPN_ERROR_INPUT, "%s: empty; expected a header `vertices edges`",
                        walk->source->name);
    const spn_span header = walk->line;
    if (!read_index(&vertices, walk) || !read_index(&edges, walk) || walk->line.size > 0 ||
        vertices == 0)
        return spn_walk_fail(walk, err, "'%s' is not the header `vertices edges`",
                             spn_show(shown, header));
    problem->sites = vertices;
    while (spn_walk_line(walk)) {
        if (problem->count == edges)
            return spn_walk_fail(walk, err, "more lines than the %u edges of the header", edges);
        spn_status status = read_edge(problem, &capacity, walk, 1, err);
        if (!status)
            status = check_cut_edge(problem, walk, err);
        if (status)
            return status;
    }
    if (problem->count != edges)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %zu edges, but the header says %u: cut short?",
                        walk->source->name, problem->count, edges);
    return SPN_OK;
}

static spn_status read_energies(spn_problem *problem, size_t *capacity, spn_walk *walk,
                                spn_error *err)
{
    spn_span token;
    char shown[SPN_SHOWN];
    while (spn_walk_token(&token, walk, true)) {
        if (!spn_grow(&problem->energies, capacity, problem->count + 1, sizeof(double)))
            return spn_walk_no_memory(walk, err);
        if (spn_number_read(&problem->energies[problem->count], token) != SPN_NUMBER_FINITE)
            return spn_walk_fail(walk, err, "'%s' is not a finite number", spn_show(shown, token));
        problem->count++;
    }
    return SPN_OK;
}

spn_status spn_read_table(spn_problem *problem, spn_walk *walk, spn_error *err)
{
    size_t capacity = 0;
    while (spn_walk_line(walk)) {
        spn_status status = read_energies(problem, &capacity, walk, err);
        if (status)
            return status;
    }
    while (((size_t)1 << problem->sites) < problem->count)
        problem->sites++;
    if (problem->sites == 0 || (size_t)1 << problem->sites != problem->count)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %zu energies; a table of N spins has 2^N of them, 2, 4, 8, ...",
                        walk->source->name, problem->count);
    return SPN_OK;
}
