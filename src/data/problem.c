/* Problems: ownership, and the choice of the reader. */
#include "data/problem.h"

#include <stdlib.h>

spn_problem *spn_problem_alloc(spn_problem_kind kind)
{
    spn_problem *problem = calloc(1, sizeof *problem);
    if (problem)
        problem->kind = kind;
    return problem;
}

void spn_problem_free(spn_problem *problem)
{
    if (!problem)
        return;
    free(problem->rows);
    free(problem->labels);
    free(problem->edges);
    free(problem->energies);
    free(problem);
}

spn_status spn_problem_read(spn_problem **out, spn_problem_kind kind, const char *path,
                            spn_error *err)
{
    static spn_problem_reader *const readers[] = {[SPN_PROBLEM_PATTERNS] = spn_read_patterns,
                                                  [SPN_PROBLEM_COUPLINGS] = spn_read_couplings,
                                                  [SPN_PROBLEM_CUT] = spn_read_cut,
                                                  [SPN_PROBLEM_TABLE] = spn_read_table,
                                                  [SPN_PROBLEM_STATES] = spn_read_states};
    *out = NULL;
    spn_lines *lines;
    spn_status status = spn_lines_open(&lines, path, err);
    if (status)
        return status;
    spn_problem *problem = spn_problem_alloc(kind);
    status = problem ? readers[kind](problem, lines, err)
                     : spn_fail(err, SPN_ERROR_MEMORY, "%s: out of memory", path);
    spn_lines_close(lines);
    if (status)
        spn_problem_free(problem);
    else
        *out = problem;
    return status;
}
