/* The reader of tables of energies. */
#include "data/problem.h"

#include "base/memory.h"

#include <math.h>

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
        if (fabs(problem->energies[problem->count]) > SPN_MOST_ENERGY)
            return spn_walk_fail(walk, err, "'%s' is too large: energies are at most 1e300 in size",
                                 spn_show(shown, token));
        problem->count++;
    }
    return SPN_OK;
}

spn_status spn_read_table(spn_problem *problem, spn_walk *walk, const spn_problem_options *options,
                          spn_error *err)
{
    (void)options;
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
