/* Readers of numbers: couplings and cut graphs as lists of `i j value`, tables of energies. */
#include "data/problem.h"

#include "base/memory.h"
#include <string.h>

static spn_status out_of_memory(const spn_lines *lines, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", spn_lines_path(lines));
}

/* `i j value`, and nothing behind it. */
static spn_status read_edge(spn_problem *problem, size_t *capacity, const spn_lines *lines,
                            char *line, unsigned long first_index, spn_error *err)
{
    unsigned long i, j;
    double weight;
    char *rest = line;
    if (!spn_read_index(&i, &rest) || !spn_read_index(&j, &rest) ||
        !spn_read_real(&weight, &rest) || *rest)
        return spn_lines_fail(
            lines, err, "'%.60s' is not `i j value`: two whole numbers and a finite number", line);
    if (i < first_index || j < first_index)
        return spn_lines_fail(lines, err, "index 0; indices start at %lu here", first_index);
    if (!spn_grow(&problem->edges, capacity, problem->count + 1, sizeof *problem->edges))
        return out_of_memory(lines, err);
    problem->edges[problem->count++] = (spn_edge){
        .i = (uint32_t)(i - first_index), .j = (uint32_t)(j - first_index), .weight = weight};
    return SPN_OK;
}

spn_status spn_read_couplings(spn_problem *problem, spn_lines *lines, spn_error *err)
{
    /* an index says how many spins there are; a slip of the pen must not ask for terabytes */
    const uint32_t most_sites = 1u << 28;
    char *line;
    size_t capacity = 0;
    spn_status status;
    while (!(status = spn_lines_next(&line, lines, err)) && line) {
        if ((status = read_edge(problem, &capacity, lines, line, 0, err)))
            return status;
        const spn_edge *edge = &problem->edges[problem->count - 1];
        uint32_t largest = edge->i > edge->j ? edge->i : edge->j;
        if (largest >= most_sites)
            return spn_lines_fail(lines, err, "index %u is out of range; the largest is %u",
                                  largest, most_sites - 1);
        if (largest >= problem->sites)
            problem->sites = (size_t)largest + 1;
    }
    if (!status && problem->count == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: no couplings; expected lines `i j value`",
                        spn_lines_path(lines));
    return status;
}

static spn_status check_cut_edge(const spn_problem *problem, const spn_lines *lines, spn_error *err)
{
    const spn_edge *edge = &problem->edges[problem->count - 1];
    uint32_t largest = edge->i > edge->j ? edge->i : edge->j;
    if (largest >= problem->sites)
        return spn_lines_fail(lines, err, "vertex %u, but the header says there are %zu",
                              largest + 1, problem->sites);
    if (edge->i == edge->j)
        return spn_lines_fail(lines, err, "vertex %u is joined to itself", edge->i + 1);
    return SPN_OK;
}

spn_status spn_read_cut(spn_problem *problem, spn_lines *lines, spn_error *err)
{
    char *line;
    size_t capacity = 0;
    unsigned long vertices, edges;
    spn_status status = spn_lines_next(&line, lines, err);
    if (status)
        return status;
    if (!line)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: empty; expected a header `vertices edges`",
                        spn_lines_path(lines));
    char *rest = line;
    if (!spn_read_index(&vertices, &rest) || !spn_read_index(&edges, &rest) || *rest ||
        vertices == 0)
        return spn_lines_fail(lines, err, "'%.60s' is not the header `vertices edges`", line);
    problem->sites = vertices;
    while (!(status = spn_lines_next(&line, lines, err)) && line) {
        if (problem->count == edges)
            return spn_lines_fail(lines, err, "more lines than the %lu edges of the header", edges);
        if ((status = read_edge(problem, &capacity, lines, line, 1, err)) ||
            (status = check_cut_edge(problem, lines, err)))
            return status;
    }
    if (!status && problem->count != edges)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: %zu edges, but the header says %lu: cut short?",
                        spn_lines_path(lines), problem->count, edges);
    return status;
}

spn_status spn_read_table(spn_problem *problem, spn_lines *lines, spn_error *err)
{
    char *line;
    size_t capacity = 0;
    spn_status status;
    while (!(status = spn_lines_next(&line, lines, err)) && line) {
        while (*line) {
            if (!spn_grow(&problem->energies, &capacity, problem->count + 1, sizeof(double)))
                return out_of_memory(lines, err);
            char *start = line;
            if (!spn_read_real(&problem->energies[problem->count], &line) ||
                (*line && *line != ',' && line[-1] != ' ' && line[-1] != '\t'))
                return spn_lines_fail(lines, err,
                                      "'%.40s' does not start with a finite number; separate "
                                      "numbers by blanks or commas",
                                      start);
            problem->count++;
            line += strspn(line, ",") ? 1 : 0;
            line += strspn(line, " \t");
        }
    }
    if (status)
        return status;
    while (((size_t)1 << problem->sites) < problem->count)
        problem->sites++;
    if (problem->sites == 0 || (size_t)1 << problem->sites != problem->count)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: %zu energies; a table of N spins has 2^N of them, 2, 4, 8, ...",
                        spn_lines_path(lines), problem->count);
    return SPN_OK;
}
