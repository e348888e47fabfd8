/* Presolve and the bound, by all states of small random problems: every best state stays one, what
   was merged or dropped is so in all states that are left, nothing beats the bound, and the solver
   comes to the best value. */
#include "problem/solver.h"
#include "support/test.h"

#include <stdlib.h>

enum { VARIABLES = 8, MOST_STATES = 1 << (2 * VARIABLES), PROBLEMS = 1500 };

static spn_random random_of(uint64_t seed)
{
    return spn_random_make(seed, 0, 0, SPN_PURPOSE_USER);
}

static double draw(spn_random *random, int32_t low, int32_t high)
{
    return (double)low + spn_random_below(random, (uint32_t)(high - low) + 1);
}

/* Binary variables, spins, and integers of two and three values. */
static spn_program *made(uint64_t seed)
{
    spn_random random = random_of(seed);
    spn_error err = {0};
    spn_program *p;
    assert_int_equal(spn_program_create(&p, &err), SPN_OK);
    for (size_t i = 0; i < VARIABLES; i++) {
        const uint32_t which = spn_random_below(&random, 8);
        const spn_variable_kind kind = which < 5    ? SPN_VARIABLE_BINARY
                                       : which == 5 ? SPN_VARIABLE_SPIN
                                                    : SPN_VARIABLE_INTEGER;
        assert_int_equal(
            spn_program_add_variables(p, NULL, 1, NULL, kind, 3, which == 6 ? 4 : 5, &err), SPN_OK);
    }
    for (size_t t = 0; t < 10; t++) {
        uint32_t list[3];
        const size_t starts[2] = {0, 1 + t % 3};
        const double coefficient = draw(&random, -4, 4);
        spn_terms terms = spn_terms_defaults();
        for (size_t k = 0; k < starts[1]; k++)
            list[k] = spn_random_below(&random, VARIABLES);
        terms.count = 1;
        terms.coefficients = &coefficient;
        terms.starts = starts;
        terms.variables = list;
        assert_int_equal(spn_program_add_objective(p, &terms, 0, &err), SPN_OK);
    }
    spn_program_set_maximise(p, seed % 2);
    return p;
}

/* Up to four constraints of two variables, twice the same two, and one or two of several. The right
   side is mostly what one state has, so that few are impossible. */
static void constrain(spn_program *p, uint64_t seed, bool sets)
{
    spn_random random = random_of(seed + 1000000);
    int32_t state[VARIABLES];
    for (size_t i = 0; i < VARIABLES; i++) {
        spn_variable v;
        spn_program_variable(&v, p, i);
        state[i] = spn_random_below(&random, 2) ? v.high : v.low;
    }
    const size_t rows = 2 + spn_random_below(&random, 4);
    for (size_t k = 0; k < rows; k++) {
        uint32_t list[VARIABLES];
        double coefficients[VARIABLES], sum = 0;
        spn_terms terms = spn_terms_defaults();
        spn_error err = {0};
        const double one = draw(&random, 0, 1) ? 1 : -1;
        terms.count = k < 4 && !sets ? 2 : 3 + spn_random_below(&random, 3);
        for (size_t t = 0; t < terms.count; t++) {
            list[t] = (uint32_t)((t + 3 * (k - (!sets && k % 2))) % VARIABLES);
            coefficients[t] = sets ? 1 : t % 2 ? one : 1;
            sum += coefficients[t] * state[list[t]];
        }
        if (spn_random_below(&random, 2)) { /* in the other order */
            const uint32_t first = list[0];
            const double of_first = coefficients[0];
            list[0] = list[1], coefficients[0] = coefficients[1];
            list[1] = first, coefficients[1] = of_first;
        }
        terms.coefficients = coefficients;
        terms.variables = list;
        const spn_sense sense = (spn_sense)spn_random_below(&random, 3);
        sum += spn_random_below(&random, 16) ? 0 : draw(&random, -2, 2);
        assert_int_equal(spn_program_add_constraint(p, NULL, &terms, sense, sum, INFINITY, &err),
                         SPN_OK);
    }
}

typedef struct truth {
    double best; /* minimised; INFINITY: nothing is feasible */
    size_t states;
    int32_t (*values)[VARIABLES]; /* of all states */
    double *objective;            /* INFINITY: not feasible */
} truth;

static bool next_state(int32_t *values, const spn_program *p)
{
    for (size_t i = 0; i < VARIABLES; i++) {
        spn_variable v;
        spn_program_variable(&v, p, i);
        const int32_t step = v.kind == SPN_VARIABLE_SPIN ? 2 : 1;
        if (values[i] + step <= v.high) {
            values[i] += step;
            return true;
        }
        values[i] = v.low;
    }
    return false;
}

static void enumerate(truth *t, const spn_program *p)
{
    int32_t values[VARIABLES];
    for (size_t i = 0; i < VARIABLES; i++) {
        spn_variable v;
        spn_program_variable(&v, p, i);
        values[i] = v.low;
    }
    t->best = INFINITY;
    t->states = 0;
    do {
        spn_score score;
        spn_error err = {0};
        assert_int_equal(spn_program_score(&score, NULL, p, values, &err), SPN_OK);
        const double objective = spn_program_maximises(p) ? -score.objective : score.objective;
        t->objective[t->states] = score.feasible ? objective : INFINITY;
        memcpy(t->values[t->states++], values, sizeof values);
        t->best = score.feasible ? fmin(t->best, objective) : t->best;
    } while (next_state(values, p));
}

/* Whether a state has only what presolve leaves. */
static bool is_left(const spn_presolved *s, const int32_t *values)
{
    for (size_t i = 0; i < VARIABLES; i++) {
        const uint32_t root = s->root[i];
        if (values[i] < s->low[i] || values[i] > s->high[i])
            return false;
        const bool own = values[i] == s->high[i], roots = values[root] == s->high[root];
        if (root != i && own != (s->turned[i] ? !roots : roots))
            return false;
    }
    return true;
}

/* A dropped constraint holds in all states that are left. */
static void check_dropped(const truth *t, const spn_program *p, const spn_presolved *s)
{
    double violations[8];
    for (size_t k = 0; k < t->states; k++) {
        spn_score score;
        spn_error err = {0};
        if (!is_left(s, t->values[k]))
            continue;
        assert_int_equal(spn_program_score(&score, violations, p, t->values[k], &err), SPN_OK);
        for (size_t c = 0; c < spn_program_constraints(p); c++)
            assert_true(s->dropped[c] == SPN_NOT_DROPPED || violations[c] == 0);
    }
}

static void check_solver(const truth *t, const spn_program *p, bool plain)
{
    int32_t values[VARIABLES];
    spn_solver_options o = spn_solver_defaults();
    spn_solver_result result;
    spn_sampler *solver;
    spn_solution solution;
    spn_stop stop;
    spn_error err = {0};
    double best = INFINITY;
    o.rounds = 30;
    o.sweeps = 200;
    o.plain = plain;
    assert_int_equal(spn_solver_create(&solver, p, &o, &err), SPN_OK);
    assert_int_equal(spn_sampler_run(&stop, solver, NULL, &err), SPN_OK);
    spn_solver_look(&result, solver);
    const double sign = spn_program_maximises(p) ? -1 : 1;
    assert_true(sign * result.bound <= t->best);
    for (size_t r = 0; r < o.reads; r++) {
        assert_int_equal(spn_solver_solution(&solution, solver, r, values, &err), SPN_OK);
        best = solution.score.feasible ? fmin(best, sign * solution.score.objective) : best;
    }
    assert_true(best == t->best);
    spn_sampler_free(solver);
}

static void setup(truth *t)
{
    t->values = calloc(MOST_STATES, sizeof *t->values);
    t->objective = calloc(MOST_STATES, sizeof *t->objective);
    assert_true(t->values && t->objective);
}

static void presolve_keeps_all_best_states(void **state)
{
    (void)state;
    size_t merged = 0, turned = 0, known = 0, impossible = 0, by_merges = 0;
    truth t;
    setup(&t);
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        spn_presolved *s;
        spn_program *p = made(seed), *again;
        spn_error err = {0};
        constrain(p, seed, false);
        enumerate(&t, p);
        assert_int_equal(spn_presolve_make(&s, p, &err), SPN_OK);
        for (size_t k = 0; k < t.states; k++)
            assert_true(!(t.objective[k] < INFINITY) || t.objective[k] > t.best ||
                        is_left(s, t.values[k]));
        assert_true(s->impossible == SIZE_MAX || t.best == INFINITY);
        check_dropped(&t, p, s);
        const spn_status status = spn_program_presolve(&again, p, &err);
        assert_int_equal(status, s->impossible == SIZE_MAX ? SPN_OK : SPN_ERROR_ARGUMENT);
        if (seed % 10 == 0)
            check_solver(&t, p, false);
        if (!status) {
            const double best = t.best;
            enumerate(&t, again); /* fixed variables count as violations elsewhere */
            assert_true(t.best == best);
        }
        merged += s->merged;
        known += s->known;
        impossible += s->impossible != SIZE_MAX;
        for (size_t i = 0; i < VARIABLES; i++)
            turned += s->root[i] != i && s->turned[i];
        for (size_t c = 0; c < spn_program_constraints(p); c++)
            by_merges += s->dropped[c] == SPN_DROPPED_BY_MERGES;
        spn_presolved_free(s);
        spn_program_free(again);
        spn_program_free(p);
    }
    assert_true(merged - turned > 100 && turned > 100 && known > 100 && impossible > 10 &&
                by_merges > 100);
    free(t.values);
    free(t.objective);
}

static void nothing_beats_the_bound(void **state)
{
    (void)state;
    size_t met = 0;
    truth t;
    setup(&t);
    for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
        spn_error err = {0};
        spn_program *p = made(seed);
        constrain(p, seed, true);
        enumerate(&t, p);
        for (int keeps = 0; keeps <= 1; keeps++) {
            const spn_compile_options options = {.keeps_sets = keeps};
            spn_compiled *c;
            double bound;
            assert_int_equal(spn_compile(&c, p, &options, &err), SPN_OK);
            assert_int_equal(spn_compiled_bound(&bound, c, &err), SPN_OK);
            assert_true(bound <= t.best);
            met += bound == t.best;
            spn_compiled_free(c);
        }
        if (seed % 10 == 0)
            check_solver(&t, p, seed % 20 == 0);
        spn_program_free(p);
    }
    assert_true(met > 10);
    free(t.values);
    free(t.objective);
}

/* x = y = 1 - z = w, by an equation, two inequalities, and clauses; and a <= b <= c <= a. */
static void all_kinds_of_relations_merge(void **state)
{
    (void)state;
    static const struct {
        uint32_t i, j;
        double of_i, of_j, right;
        spn_sense sense;
    } rows[] = {{0, 1, 1, -1, 0, SPN_SENSE_EQUAL},      {1, 2, 1, 1, 1, SPN_SENSE_AT_MOST},
                {2, 1, -2, -2, -2, SPN_SENSE_AT_MOST},  {3, 2, 1, 1, 1, SPN_SENSE_AT_LEAST},
                {3, 2, -1, -1, -1, SPN_SENSE_AT_LEAST}, {5, 6, 1, -1, 0, SPN_SENSE_AT_MOST},
                {6, 7, 1, -1, 0, SPN_SENSE_AT_MOST},    {7, 5, 1, -1, 0, SPN_SENSE_AT_MOST}};
    spn_error err = {0};
    spn_program *p;
    spn_presolved *s;
    assert_int_equal(spn_program_create(&p, &err), SPN_OK);
    assert_int_equal(spn_program_add_variables(p, NULL, 8, NULL, SPN_VARIABLE_BINARY, 0, 1, &err),
                     SPN_OK);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const uint32_t list[] = {rows[k].i, rows[k].j};
        const double coefficients[] = {rows[k].of_i, rows[k].of_j};
        spn_terms terms = spn_terms_defaults();
        terms.count = 2;
        terms.coefficients = coefficients;
        terms.variables = list;
        assert_int_equal(spn_program_add_constraint(p, NULL, &terms, rows[k].sense, rows[k].right,
                                                    INFINITY, &err),
                         SPN_OK);
    }
    assert_int_equal(spn_presolve_make(&s, p, &err), SPN_OK);
    const uint32_t roots[] = {0, 0, 0, 0, 4, 5, 5, 5};
    const uint8_t turned[] = {0, 0, 1, 0, 0, 0, 0, 0};
    assert_memory_equal(s->root, roots, sizeof roots);
    assert_memory_equal(s->turned, turned, sizeof turned);
    assert_true(s->merged == 5 && s->drops == 8 && s->known == 0);
    spn_presolved_free(s);
    spn_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(presolve_keeps_all_best_states),
                                       cmocka_unit_test(nothing_beats_the_bound),
                                       cmocka_unit_test(all_kinds_of_relations_merge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
