/* The solver: known optima, the same results at any number of threads and after save and load,
   integers, products, energies, the presolve, and what is refused. */
#include "problem/solver.h"
#include "support/test.h"

#include <spinney/energies.h>
#include <stdlib.h>

static spn_program *made(size_t count, spn_variable_kind kind, int32_t low, int32_t high)
{
    spn_program *p;
    spn_error err = {0};
    assert_int_equal(spn_program_create(&p, &err), SPN_OK);
    assert_int_equal(spn_program_add_variables(p, NULL, count, NULL, kind, low, high, &err),
                     SPN_OK);
    return p;
}

static spn_terms linear(size_t count, const uint32_t *variables, const double *coefficients)
{
    spn_terms terms = spn_terms_defaults();
    terms.count = count;
    terms.variables = variables;
    terms.coefficients = coefficients;
    return terms;
}

/* A knapsack of random items, and its best value by dynamic programming. */
static spn_program *knapsack(size_t count, uint64_t seed, double *best)
{
    enum { MOST = 64, ROOM = 4096 };
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    uint32_t list[MOST];
    double weight[MOST], value[MOST], table[ROOM] = {0};
    size_t room = 0;
    for (uint32_t i = 0; i < count; i++) {
        list[i] = i;
        weight[i] = 5 + spn_random_below(&random, 56);
        value[i] = weight[i] + spn_random_below(&random, 15);
        room += (size_t)weight[i];
    }
    room /= 2;
    for (size_t i = 0; i < count; i++)
        for (size_t w = room; w >= (size_t)weight[i]; w--)
            table[w] = fmax(table[w], table[w - (size_t)weight[i]] + value[i]);
    *best = table[room];
    spn_program *p = made(count, SPN_VARIABLE_BINARY, 0, 1);
    const spn_terms values = linear(count, list, value), weights = linear(count, list, weight);
    assert_int_equal(spn_program_add_objective(p, &values, 0, &err), SPN_OK);
    spn_program_set_maximise(p, true);
    assert_int_equal(spn_program_add_constraint(p, "room", &weights, SPN_SENSE_AT_MOST,
                                                (double)room, INFINITY, &err),
                     SPN_OK);
    return p;
}

static spn_solution best_of(const spn_program *p, const spn_solver_options *o, int32_t *values)
{
    spn_sampler *solver;
    spn_error err = {0};
    spn_solution best = {0}, own;
    spn_stop stop;
    assert_int_equal(spn_solver_create(&solver, p, o, &err), SPN_OK);
    assert_int_equal(spn_sampler_run(&stop, solver, NULL, &err), SPN_OK);
    const double sign = spn_program_maximises(p) ? -1 : 1;
    size_t at = 0;
    for (size_t r = 0; r < o->reads; r++) {
        assert_int_equal(spn_solver_solution(&own, solver, r, values, &err), SPN_OK);
        if (r == 0 || own.score.violation < best.score.violation ||
            (own.score.violation <= best.score.violation &&
             sign * own.score.objective < sign * best.score.objective)) {
            best = own;
            at = r;
        }
    }
    assert_int_equal(spn_solver_solution(&own, solver, at, values, &err), SPN_OK);
    spn_sampler_free(solver);
    return best;
}

static void knapsacks_are_solved(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double best;
        int32_t values[64];
        spn_program *p = knapsack(12, seed, &best);
        spn_solver_options o = spn_solver_defaults();
        o.rounds = 8;
        const spn_solution found = best_of(p, &o, values);
        assert_true(found.score.feasible && found.score.objective == best);
        spn_program_free(p);
    }
}

/* Of 64 items the walk comes near the best value only if the room is priced. */
static void long_limits_are_priced(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double best;
        int32_t values[64];
        spn_program *p = knapsack(64, seed, &best);
        spn_solver_options o = spn_solver_defaults();
        o.sweeps = 400;
        o.rounds = 4;
        const spn_solution found = best_of(p, &o, values);
        assert_true(found.score.feasible && found.score.objective == best);
        spn_program_free(p);
    }
}

/* Short rounds come to the best value only if some search where the others differ. */
static void rounds_search_the_core(void **state)
{
    (void)state;
    size_t found = 0, holding = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        double best;
        spn_program *p = knapsack(64, seed, &best);
        spn_solver_options o = spn_solver_defaults();
        spn_error err = {0};
        spn_sampler *solver;
        spn_solver_result result;
        spn_stop stop;
        o.sweeps = 24;
        o.rounds = 16;
        o.reads = 1;
        assert_int_equal(spn_solver_create(&solver, p, &o, &err), SPN_OK);
        assert_int_equal(spn_sampler_run(&stop, solver, NULL, &err), SPN_OK);
        spn_solver_look(&result, solver);
        const spn_solver_read *read = &spn_solver_of(solver)->read[0];
        size_t own = 0;
        for (size_t k = 0; k < read->round; k++)
            own += read->ended[k].held > 0;
        assert_true(result.trials == 16 - own && result.met <= result.rounds_found);
        holding += own;
        found += -read->best.objective == best;
        spn_sampler_free(solver);
        spn_program_free(p);
    }
    assert_true(holding > 80 && found > 16);
}

enum { CORNERS = 40, COLOURS = 8, BITS = (CORNERS + 1) * COLOURS };

static void add_row(spn_program *p, size_t count, const uint32_t *list, const double *coefficients,
                    spn_sense sense, double right)
{
    spn_error err = {0};
    const spn_terms terms = linear(count, list, coefficients);
    assert_int_equal(spn_program_add_constraint(p, NULL, &terms, sense, right, INFINITY, &err),
                     SPN_OK);
}

/* As few of eight colours as possible for a graph that can do with three, and not with two. */
static spn_program *colouring(void)
{
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    spn_program *p = made(BITS, SPN_VARIABLE_BINARY, 0, 1);
    const uint32_t gates = CORNERS * COLOURS;
    const double limit[] = {1, 1, -1};
    uint32_t list[COLOURS];
    for (uint32_t c = 0; c < COLOURS; c++)
        list[c] = gates + c;
    const spn_terms used = linear(COLOURS, list, NULL);
    assert_int_equal(spn_program_add_objective(p, &used, 0, &err), SPN_OK);
    for (uint32_t i = 0; i < CORNERS; i++) {
        for (uint32_t c = 0; c < COLOURS; c++)
            list[c] = i * COLOURS + c;
        add_row(p, COLOURS, list, NULL, SPN_SENSE_EQUAL, 1);
        for (uint32_t j = 0; j < i; j++)
            for (uint32_t c = 0; i % 3 != j % 3 && c < COLOURS; c++) {
                if (c == 0 && i > 2 && spn_random_below(&random, 5) > 0)
                    break;
                add_row(p, 3, (uint32_t[]){i * COLOURS + c, j * COLOURS + c, gates + c}, limit,
                        SPN_SENSE_AT_MOST, 0);
            }
    }
    return p;
}

static spn_sampler *run_colouring(const spn_program *p, uint64_t steps)
{
    spn_solver_options o = spn_solver_defaults();
    spn_error err = {0};
    spn_sampler *solver;
    spn_stop stop;
    spn_until until = spn_until_defaults();
    o.sweeps = 100;
    o.rounds = 16;
    until.steps = steps;
    assert_int_equal(spn_solver_create(&solver, p, &o, &err), SPN_OK);
    assert_int_equal(spn_sampler_run(&stop, solver, &until, &err), SPN_OK);
    return solver;
}

/* Closing a colour takes all corners out of it at once; also after save and load in a round that
   holds the gates. */
static void gates_are_closed(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = colouring();
    spn_sampler *whole = run_colouring(p, 0), *part = run_colouring(p, 3 * 100 * BITS / 2);
    spn_sampler *rest = run_colouring(p, 1);
    int32_t values[BITS];
    spn_solution found, again;
    spn_stop stop;
    void *saved;
    size_t size, holding = 0;
    for (size_t r = 0; r < 4; r++)
        holding += spn_solver_of(part)->read[r].holds;
    assert_true(holding > 0);
    assert_int_equal(spn_sampler_save(&saved, &size, part, &err), SPN_OK);
    assert_int_equal(spn_sampler_load(rest, saved, size, &err), SPN_OK);
    assert_int_equal(spn_sampler_run(&stop, rest, NULL, &err), SPN_OK);
    for (size_t r = 0; r < 4; r++) {
        assert_int_equal(spn_solver_solution(&found, whole, r, values, &err), SPN_OK);
        assert_int_equal(spn_solver_solution(&again, rest, r, values, &err), SPN_OK);
        assert_true(found.score.feasible && found.score.objective == 3);
        assert_true(again.score.objective == 3 && again.found == found.found);
        assert_int_equal(spn_solver_of(whole)->read[r].accepted,
                         spn_solver_of(rest)->read[r].accepted);
    }
    spn_free(saved);
    spn_sampler_free(whole);
    spn_sampler_free(part);
    spn_sampler_free(rest);
    spn_program_free(p);
}

/* x + y = 7, 3 x - y >= 5, smallest x^2 y: by all pairs. */
static void integers_and_products_are_solved(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = made(2, SPN_VARIABLE_INTEGER, -4, 11);
    const uint32_t both[] = {0, 1}, cube[] = {0, 0, 1};
    const size_t starts[] = {0, 3};
    spn_terms objective = spn_terms_defaults();
    objective.count = 1;
    objective.starts = starts;
    objective.variables = cube;
    const spn_terms sum = linear(2, both, NULL);
    const spn_terms lean = linear(2, both, (const double[]){3, -1});
    assert_int_equal(spn_program_add_objective(p, &objective, 0, &err), SPN_OK);
    assert_int_equal(spn_program_add_constraint(p, NULL, &sum, SPN_SENSE_EQUAL, 7, INFINITY, &err),
                     SPN_OK);
    assert_int_equal(
        spn_program_add_constraint(p, NULL, &lean, SPN_SENSE_AT_LEAST, 5, INFINITY, &err), SPN_OK);
    double best = INFINITY;
    for (int x = -4; x <= 11; x++)
        for (int y = -4; y <= 11; y++)
            if (x + y == 7 && 3 * x - y >= 5)
                best = fmin(best, (double)(x * x * y));
    int32_t values[2];
    spn_solver_options o = spn_solver_defaults();
    const spn_solution found = best_of(p, &o, values);
    assert_true(found.score.feasible && found.score.objective == best);
    spn_program_free(p);
}

static double plus_of_spins(const int8_t *spins, size_t sites, void *context)
{
    double sum = 0;
    (void)context;
    for (size_t i = 0; i + 1 < sites; i++)
        sum += (double)(i + 1) * spins[i] * spins[i + 1];
    return sum;
}

/* An energy of six spins under "exactly 3 of 6", against all states. */
static void energies_are_solved(void **state)
{
    (void)state;
    enum { N = 6 };
    spn_error err = {0};
    spn_energy *energy;
    assert_int_equal(spn_callback_create(&energy, N, plus_of_spins, NULL, NULL, &err), SPN_OK);
    spn_program *p = made(N, SPN_VARIABLE_BINARY, 0, 1);
    const uint32_t list[] = {0, 1, 2, 3, 4, 5};
    const spn_terms all = linear(N, list, NULL);
    assert_int_equal(spn_program_add_energy(p, energy, &err), SPN_OK);
    assert_int_equal(spn_program_add_constraint(p, NULL, &all, SPN_SENSE_EQUAL, 3, INFINITY, &err),
                     SPN_OK);
    double best = INFINITY;
    for (unsigned s = 0; s < 1U << N; s++) {
        int8_t spins[N];
        for (unsigned i = 0; i < N; i++)
            spins[i] = s >> i & 1 ? 1 : -1;
        if (__builtin_popcount(s) == 3)
            best = fmin(best, plus_of_spins(spins, N, NULL));
    }
    int32_t values[N];
    spn_solver_options o = spn_solver_defaults();
    o.sweeps = 50;
    const spn_solution found = best_of(p, &o, values);
    assert_true(found.score.feasible && found.score.objective == best);
    spn_program_free(p);
    spn_energy_free(energy);
}

static void sudoku_is_solved_by_presolve(void **state)
{
    (void)state;
    const char *const clues =
        "530070000600195000098000060800060003400803001700020006060000280000419005"
        "000080079";
    const char *const answer =
        "534678912672195348198342567859761423426853791713924856961537284287419635"
        "345286179";
    spn_error err = {0};
    spn_program *p = made(729, SPN_VARIABLE_BINARY, 0, 1);
    for (uint32_t k = 0; k < 81; k++)
        if (clues[k] != '0')
            assert_int_equal(spn_program_fix(p, 9 * k + (uint32_t)(clues[k] - '1'), 1, &err),
                             SPN_OK);
    for (uint32_t kind = 0; kind < 4; kind++)
        for (uint32_t a = 0; a < 9; a++)
            for (uint32_t b = 0; b < 9; b++) {
                uint32_t list[9];
                for (uint32_t c = 0; c < 9; c++)
                    list[c] = kind == 0   ? 81 * a + 9 * b + c
                              : kind == 1 ? 81 * a + 9 * c + b
                              : kind == 2 ? 81 * c + 9 * a + b
                                          : 81 * (a / 3 * 3 + c / 3) + 9 * (a % 3 * 3 + c % 3) + b;
                const spn_terms one = linear(9, list, NULL);
                assert_int_equal(
                    spn_program_add_constraint(p, NULL, &one, SPN_SENSE_EQUAL, 1, INFINITY, &err),
                    SPN_OK);
            }
    int32_t *values = calloc(729, sizeof *values);
    assert_non_null(values);
    spn_solver_options o = spn_solver_defaults();
    const spn_solution found = best_of(p, &o, values);
    assert_true(found.score.feasible);
    spn_sampler *solver;
    spn_solver_result result;
    assert_int_equal(spn_solver_create(&solver, p, &o, &err), SPN_OK);
    spn_solver_look(&result, solver);
    assert_true(result.known == 729 - 30 && result.impossible == SIZE_MAX);
    spn_sampler_free(solver);
    for (size_t k = 0; k < 81; k++)
        assert_int_equal(values[9 * k + (size_t)(answer[k] - '1')], 1);
    free(values);
    spn_program_free(p);
}

/* Everything that matters, as one number. */
static void compare(const spn_sampler *a, const spn_sampler *b, const spn_program *p)
{
    spn_error err = {0};
    spn_solver_result left, right;
    spn_solver_look(&left, a);
    spn_solver_look(&right, b);
    assert_memory_equal(&left, &right, sizeof left);
    for (size_t r = 0; r < left.reads; r++) {
        int32_t values[2][64] = {{0}};
        spn_solution own[2];
        memset(own, 0, sizeof own);
        assert_int_equal(spn_solver_solution(&own[0], a, r, values[0], &err), SPN_OK);
        assert_int_equal(spn_solver_solution(&own[1], b, r, values[1], &err), SPN_OK);
        assert_memory_equal(values[0], values[1], sizeof values[0]);
        assert_true(own[0].score.objective == own[1].score.objective);
        for (size_t k = 0; k < spn_program_constraints(p); k++)
            assert_true(spn_solver_weight(a, r, k) == spn_solver_weight(b, r, k));
    }
}

/* A knapsack with real numbers, a set and products, in coupled replicas. */
static spn_program *mixed(void)
{
    double best;
    spn_error err = {0};
    spn_program *p = knapsack(40, 5, &best);
    const uint32_t list[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const size_t starts[] = {0, 3, 7};
    spn_terms products = spn_terms_defaults();
    products.count = 2;
    products.starts = starts;
    products.variables = list;
    products.coefficients = (const double[]){-30.3, 20.7};
    const spn_terms few = linear(8, list, NULL);
    assert_int_equal(spn_program_add_objective(p, &products, 0, &err), SPN_OK);
    assert_int_equal(spn_program_add_constraint(p, NULL, &few, SPN_SENSE_EQUAL, 3, INFINITY, &err),
                     SPN_OK);
    return p;
}

static spn_sampler *run_mixed(const spn_program *p, unsigned threads, uint64_t steps)
{
    static spn_schedule *gamma;
    spn_error err = {0};
    spn_sampler *solver;
    spn_stop stop;
    spn_solver_options o = spn_solver_defaults();
    if (!gamma)
        assert_int_equal(spn_schedule_linear(&gamma, 0.1, 0.8, &err), SPN_OK);
    o.threads = threads;
    o.replicas = 3;
    o.gamma = gamma;
    o.sweeps = 300;
    o.rounds = 7;
    assert_int_equal(spn_solver_create(&solver, p, &o, &err), SPN_OK);
    spn_until until = spn_until_defaults();
    until.steps = steps;
    assert_int_equal(spn_sampler_run(&stop, solver, &until, &err), SPN_OK);
    return solver;
}

static void threads_do_not_change_the_result(void **state)
{
    (void)state;
    spn_program *p = mixed();
    spn_sampler *one = run_mixed(p, 1, 0), *three = run_mixed(p, 3, 0);
    compare(one, three, p);
    spn_sampler_free(one);
    spn_sampler_free(three);
    spn_program_free(p);
}

static void saved_solvers_go_on_to_the_last_bit(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = mixed();
    spn_sampler *whole = run_mixed(p, 1, 0);
    for (uint64_t steps = 1; steps < 100000; steps = 3 * steps + 5000) {
        void *saved;
        size_t size;
        spn_stop stop;
        spn_sampler *part = run_mixed(p, 1, steps), *rest = run_mixed(p, 2, 17);
        assert_int_equal(spn_sampler_save(&saved, &size, part, &err), SPN_OK);
        assert_int_equal(spn_sampler_load(rest, saved, size, &err), SPN_OK);
        assert_int_equal(spn_sampler_run(&stop, rest, NULL, &err), SPN_OK);
        compare(whole, rest, p);
        assert_int_equal(spn_sampler_load(part, saved, size / 2, &err), SPN_ERROR_ARGUMENT);
        spn_free(saved);
        spn_sampler_free(part);
        spn_sampler_free(rest);
    }
    spn_sampler_free(whole);
    spn_program_free(p);
}

/* The lengths of the rounds repeat a run that was ruled by the clock. */
static void lengths_repeat_a_timed_run(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = mixed();
    spn_solver_options o = spn_solver_defaults();
    spn_sampler *timed, *again;
    spn_stop stop;
    size_t count;
    o.seconds = 0.05;
    assert_int_equal(spn_solver_create(&timed, p, &o, &err), SPN_OK);
    assert_int_equal(spn_sampler_run(&stop, timed, NULL, &err), SPN_OK);
    assert_int_equal(stop, SPN_STOP_TIME);
    o.lengths = spn_solver_rounds(timed, &count);
    o.rounds = count;
    assert_true(count >= 1);
    assert_int_equal(spn_solver_create(&again, p, &o, &err), SPN_OK);
    spn_progress progress;
    spn_sampler_look(&progress, timed);
    spn_until until = spn_until_defaults();
    until.steps = progress.step;
    assert_int_equal(spn_sampler_run(&stop, again, &until, &err), SPN_OK);
    compare(timed, again, p);
    spn_sampler_free(timed);
    spn_sampler_free(again);
    spn_program_free(p);
}

/* (sum of numbers times spins)^2, whose terms are as large as 10^14: a run ends at the target
   only if it has met it exactly, though what is kept from change to change is rounded. */
static void large_integers_meet_their_target(void **state)
{
    (void)state;
    enum { N = 40, TERMS = N * N };
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    static double coefficients[TERMS];
    static size_t starts[TERMS + 1];
    static uint32_t list[2 * TERMS];
    double numbers[N];
    spn_program *p = made(N, SPN_VARIABLE_SPIN, 0, 0);
    for (size_t i = 0; i < N; i++)
        numbers[i] = 1 + spn_random_below(&random, 10000000);
    for (size_t t = 0; t < TERMS; t++) {
        coefficients[t] = numbers[t / N] * numbers[t % N];
        list[2 * t] = (uint32_t)(t / N);
        list[2 * t + 1] = (uint32_t)(t % N);
        starts[t + 1] = 2 * (t + 1);
    }
    spn_terms terms = linear(TERMS, list, coefficients);
    terms.starts = starts;
    assert_ok(spn_program_add_objective(p, &terms, 0, &err), err);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        spn_solver_options o = spn_solver_defaults();
        spn_sampler *solver;
        spn_stop stop;
        spn_solution solution;
        int32_t values[N];
        double best = INFINITY;
        o.rounds = 60;
        o.seed = seed;
        o.has_target = true;
        o.target = 3;
        assert_ok(spn_solver_create(&solver, p, &o, &err), err);
        assert_ok(spn_sampler_run(&stop, solver, NULL, &err), err);
        for (size_t r = 0; r < o.reads; r++) {
            assert_ok(spn_solver_solution(&solution, solver, r, values, &err), err);
            best = fmin(best, solution.score.objective);
        }
        assert_true(best >= 0 && (best <= o.target) == (stop == SPN_STOP_TARGET));
        spn_sampler_free(solver);
    }
    spn_program_free(p);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    double best;
    spn_sampler *solver;
    spn_program *p = knapsack(5, 1, &best);
    spn_solver_options o = spn_solver_defaults();
    o.reads = 0;
    assert_int_equal(spn_solver_create(&solver, p, &o, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "reads"));
    o = spn_solver_defaults();
    o.replicas = 256;
    assert_int_equal(spn_solver_create(&solver, p, &o, &err), SPN_ERROR_ARGUMENT);
    o = spn_solver_defaults();
    o.penalty = NAN;
    assert_int_equal(spn_solver_create(&solver, p, &o, &err), SPN_ERROR_ARGUMENT);
    assert_null(solver);
    spn_program_free(p);
}

/* Where nothing moves any more, a read spends little of its time, and most where moves are rare. */
static void frozen_temperatures_get_little_time(void **state)
{
    (void)state;
    enum { NUMBERS = 40 };
    spn_random random = spn_random_make(11, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    uint32_t list[NUMBERS];
    double number[NUMBERS], half = 0;
    spn_sampler *sampler;
    spn_stop stop;
    for (uint32_t i = 0; i < NUMBERS; i++) {
        list[i] = i;
        number[i] = 1e6 + 1000 * (double)spn_random_below(&random, 9000);
        half += floor(number[i] / 2);
    }
    spn_program *p = made(NUMBERS, SPN_VARIABLE_BINARY, 0, 1);
    const spn_terms terms = linear(NUMBERS, list, number);
    assert_int_equal(spn_program_add_constraint(p, "half", &terms, SPN_SENSE_EQUAL, half + 1,
                                                INFINITY, &err), /* none has it: not a thousand */
                     SPN_OK);
    spn_solver_options o = spn_solver_defaults();
    o.reads = 1;
    o.rounds = 8;
    assert_int_equal(spn_solver_create(&sampler, p, &o, &err), SPN_OK);
    assert_int_equal(spn_sampler_run(&stop, sampler, NULL, &err), SPN_OK);
    const double *density = spn_solver_of(sampler)->read[0].density;
    double frozen = 0, most = 0;
    for (size_t e = 0; e < SPN_EPOCHS; e++) {
        frozen += e >= SPN_EPOCHS * 3 / 4 ? density[e] / (SPN_EPOCHS / 4) : 0;
        most = fmax(most, density[e]);
    }
    assert_true(frozen < 0.4);
    assert_true(most > 2);
    spn_sampler_free(sampler);
    spn_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(knapsacks_are_solved),
                                       cmocka_unit_test(long_limits_are_priced),
                                       cmocka_unit_test(rounds_search_the_core),
                                       cmocka_unit_test(gates_are_closed),
                                       cmocka_unit_test(integers_and_products_are_solved),
                                       cmocka_unit_test(energies_are_solved),
                                       cmocka_unit_test(sudoku_is_solved_by_presolve),
                                       cmocka_unit_test(threads_do_not_change_the_result),
                                       cmocka_unit_test(saved_solvers_go_on_to_the_last_bit),
                                       cmocka_unit_test(lengths_repeat_a_timed_run),
                                       cmocka_unit_test(large_integers_meet_their_target),
                                       cmocka_unit_test(frozen_temperatures_get_little_time),
                                       cmocka_unit_test(what_is_wrong_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
