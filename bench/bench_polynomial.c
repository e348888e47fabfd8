/* Random polynomials of degree 2, 3 and 4 in the solver of problems, every variable in as many
   terms: nanoseconds of processor time per proposal, the fastest of several rounds from hot to
   cold, in turns; as one JSON object. A million terms of degree 3 and 4. */
#include "bench.h"

enum { TERMS = 1000000, TERMS_OF_EACH = 30, REPEATS = 3, SWEEPS = 10, KINDS = 2 };

/* As many variables as for a million terms of the degree; `count` terms of `degree` of them. */
static spn_program *made(spn_variable_kind kind, size_t variables, size_t degree)
{
    const size_t count = variables * TERMS_OF_EACH / degree;
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_terms terms = spn_terms_defaults();
    spn_error err = {0};
    spn_program *p;
    double *coefficients = malloc(count * sizeof *coefficients);
    size_t *starts = malloc((count + 1) * sizeof *starts);
    uint32_t *list = malloc(count * degree * sizeof *list);
    if (!coefficients || !starts || !list || spn_program_create(&p, &err) ||
        spn_program_add_variables(p, NULL, variables, NULL, kind, 0, 1, &err))
        die(&err);
    for (size_t t = 0; t < count; t++) {
        coefficients[t] = (double)spn_random_below(&random, 21) - 10;
        starts[t] = t * degree;
        for (size_t k = 0; k < degree; k++)
            list[t * degree + k] = spn_random_below(&random, (uint32_t)variables);
    }
    starts[count] = count * degree;
    terms.count = count;
    terms.coefficients = coefficients;
    terms.starts = starts;
    terms.variables = list;
    if (spn_program_add_objective(p, &terms, 0, &err))
        die(&err);
    free(coefficients);
    free(starts);
    free(list);
    return p;
}

static double round_of(const spn_program *p, double *accepted)
{
    spn_error err = {0};
    spn_solver_options o = spn_solver_defaults();
    spn_sampler *solver;
    spn_solver_result result;
    spn_stop stop;
    o.reads = 1;
    o.sweeps = SWEEPS;
    if (spn_solver_create(&solver, p, &o, &err))
        die(&err);
    const double started = processor_seconds();
    if (spn_sampler_run(&stop, solver, NULL, &err))
        die(&err);
    const double seconds = processor_seconds() - started;
    spn_solver_look(&result, solver);
    *accepted = (double)result.accepted / (double)result.proposals;
    spn_sampler_free(solver);
    return 1e9 * seconds / (double)result.proposals;
}

int main(void)
{
    static const char *const kinds[KINDS] = {"binary", "spin"};
    printf("{\"about\": \"ns per proposal, %d terms with each variable\",\n \"lines\": [\n",
           TERMS_OF_EACH);
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t degree = 3; degree <= 4; degree++) {
            const size_t variables = TERMS * degree / TERMS_OF_EACH;
            spn_program *pair[2] = {made((spn_variable_kind)kind, variables, 2),
                                    made((spn_variable_kind)kind, variables, degree)};
            double best[2] = {INFINITY, INFINITY}, accepted[2];
            for (int repeat = 0; repeat < REPEATS; repeat++)
                for (int k = 0; k < 2; k++)
                    best[k] = fmin(best[k], round_of(pair[k], &accepted[k]));
            printf(" {\"variables\": \"%zu %s\", \"degree\": %zu, \"terms\": %zu, \"ns\": %.1f, "
                   "\"accepted\": %.3f, \"ns_quadratic\": %.1f, \"accepted_quadratic\": %.3f, "
                   "\"ratio\": %.2f}%s\n",
                   variables, kinds[kind], degree, variables * TERMS_OF_EACH / degree, best[1],
                   accepted[1], best[0], accepted[0], best[1] / best[0],
                   kind + 1 == KINDS && degree == 4 ? "" : ",");
            fflush(stdout);
            spn_program_free(pair[0]);
            spn_program_free(pair[1]);
        }
    printf("]}\n");
    return 0;
}
