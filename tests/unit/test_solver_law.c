/* The law of the solver at fixed beta, gamma and weights: independent reads, each looked at once,
   against exp(-beta U + H_gamma) over all states in which the kept sets hold. Each test fails by
   chance once in 10^6 seeds. */
#include "problem/solver.h"
#include "support/test.h"

#include <spinney/sampler.h>
#include <stdlib.h>

enum { READS = 6000, MOST_BITS = 12, MOST_STATES = 1 << MOST_BITS };

typedef struct instance {
    spn_program *program;
    double beta, gamma, penalty;
    size_t replicas;
} instance;

static spn_program *empty(size_t binaries, size_t spins)
{
    spn_program *p;
    spn_error err = {0};
    assert_int_equal(spn_program_create(&p, &err), SPN_OK);
    assert_int_equal(
        spn_program_add_variables(p, NULL, binaries, NULL, SPN_VARIABLE_BINARY, 0, 1, &err),
        SPN_OK);
    assert_int_equal(spn_program_add_variables(p, NULL, spins, NULL, SPN_VARIABLE_SPIN, 0, 0, &err),
                     SPN_OK);
    return p;
}

/* A constraint over variables first, first + stride, ... with coefficients 1. */
static void constrain(spn_program *p, uint32_t first, uint32_t stride, size_t count,
                      spn_sense sense, double right)
{
    uint32_t list[MOST_BITS];
    spn_error err = {0};
    spn_terms terms = spn_terms_defaults();
    for (size_t k = 0; k < count; k++)
        list[k] = first + stride * (uint32_t)k;
    terms.count = count;
    terms.variables = list;
    assert_int_equal(spn_program_add_constraint(p, NULL, &terms, sense, right, INFINITY, &err),
                     SPN_OK);
}

/* Random terms of up to this degree with coefficients in halves. */
static void objective(spn_program *p, size_t count, size_t degree, uint64_t seed)
{
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_USER);
    spn_error err = {0};
    for (size_t t = 0; t < count; t++) {
        uint32_t list[8];
        const size_t starts[2] = {0, 1 + t % degree};
        const double coefficient = ((double)spn_random_below(&random, 9) - 4) / 2;
        for (size_t k = 0; k < starts[1]; k++)
            list[k] = spn_random_below(&random, (uint32_t)spn_program_variables(p));
        spn_terms terms = spn_terms_defaults();
        terms.count = 1;
        terms.coefficients = &coefficient;
        terms.starts = starts;
        terms.variables = list;
        assert_int_equal(spn_program_add_objective(p, &terms, 0, &err), SPN_OK);
    }
}

/* Log of the weight of a joint state, by definition; -INFINITY if a kept constraint is broken. */
static double log_weight(const instance *in, const spn_sampler *solver, size_t bits, size_t state)
{
    int32_t values[MOST_BITS];
    double violations[MOST_BITS], log = 0;
    for (size_t a = 0; a < in->replicas; a++) {
        spn_score score;
        spn_error err = {0};
        for (size_t i = 0; i < bits; i++) {
            spn_variable v;
            spn_program_variable(&v, in->program, i);
            values[i] = state >> (a * bits + i) & 1 ? v.high : v.low;
        }
        assert_int_equal(spn_program_score(&score, violations, in->program, values, &err), SPN_OK);
        double u = score.objective;
        for (size_t k = 0; k < spn_program_constraints(in->program); k++) {
            if (spn_solver_keeps(solver, k) && violations[k] > 0)
                return -INFINITY;
            spn_constraint c;
            spn_program_constraint(&c, in->program, k);
            u += c.weight < INFINITY ? 0 : in->penalty * violations[k];
        }
        log -= in->beta * u;
    }
    for (size_t i = 0; i < bits; i++) {
        int sum = 0;
        for (size_t a = 0; a < in->replicas; a++)
            sum += state >> (a * bits + i) & 1 ? 1 : -1;
        log += in->replicas > 1 ? spn_log_cosh(in->gamma * sum) : 0;
    }
    return log;
}

static size_t state_of(const spn_solver_read *read, size_t replicas, size_t bits)
{
    size_t state = 0;
    for (size_t a = 0; a < replicas; a++)
        for (size_t i = 0; i < bits; i++)
            state |= (size_t)(read->replica[a].spins[i] > 0) << (a * bits + i);
    return state;
}

/* Run all reads for a round, and compare their last states with the law. */
static void check_law(const instance *in)
{
    const size_t bits = spn_program_variables(in->program),
                 states = (size_t)1 << (bits * in->replicas);
    const size_t reads = spn_test_samples(READS);
    spn_solver_options o = spn_solver_defaults();
    spn_error err = {0};
    spn_sampler *solver;
    spn_schedule *beta, *gamma;
    assert_true(bits * in->replicas <= MOST_BITS);
    assert_int_equal(spn_schedule_constant(&beta, in->beta, &err), SPN_OK);
    assert_int_equal(spn_schedule_constant(&gamma, in->gamma, &err), SPN_OK);
    o.beta = beta;
    o.gamma = gamma;
    o.reads = reads;
    o.replicas = in->replicas;
    o.penalty = in->penalty;
    o.whole = true;
    o.sweeps = 1;
    assert_int_equal(spn_solver_create(&solver, in->program, &o, &err), SPN_OK);
    spn_until until = spn_until_defaults();
    until.steps = 250; /* it may have met its bound: that ends no call */
    spn_solver *own = spn_solver_of(solver);
    own->bound = -INFINITY;
    spn_stop stop;
    assert_int_equal(spn_sampler_run(&stop, solver, &until, &err), SPN_OK);
    assert_int_equal(stop, SPN_STOP_NONE);
    double *expected = calloc(states, sizeof *expected), total = 0;
    uint64_t *seen = calloc(states, sizeof *seen);
    assert_true(expected && seen);
    for (size_t k = 0; k < states; k++)
        total += expected[k] = exp(log_weight(in, solver, bits, k));
    for (size_t k = 0; k < states; k++)
        expected[k] /= total;
    for (size_t r = 0; r < reads; r++)
        seen[state_of(&own->read[r], in->replicas, bits)]++;
    assert_true(spn_pearson_test(seen, expected, states) > SPN_FALSE_ALARM);
    free(expected);
    free(seen);
    spn_sampler_free(solver);
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
}

/* A one-hot set, exactly 2 of 4, at most 1 of 3, and free bits: all kept. */
static void exchanges_obey_the_law(void **state)
{
    (void)state;
    instance in = {empty(11, 0), 0.6, 0, 1, 1};
    constrain(in.program, 0, 1, 3, SPN_SENSE_EQUAL, 1);
    constrain(in.program, 3, 1, 4, SPN_SENSE_EQUAL, 2);
    constrain(in.program, 7, 1, 3, SPN_SENSE_AT_MOST, 1);
    objective(in.program, 30, 2, 1);
    check_law(&in);
    spn_program_free(in.program);
}

static void exchanges_of_coupled_replicas_obey_the_law(void **state)
{
    (void)state;
    instance in = {empty(4, 0), 0.5, 0.4, 1, 3};
    constrain(in.program, 0, 1, 3, SPN_SENSE_EQUAL, 1);
    objective(in.program, 12, 2, 2);
    check_law(&in);
    spn_program_free(in.program);
}

/* Rows of a 3 x 3 assignment are kept, its columns paid for; swaps move two ones. */
static void swaps_obey_the_law(void **state)
{
    (void)state;
    instance in = {empty(10, 0), 0.5, 0, 1.5, 1};
    for (uint32_t k = 0; k < 3; k++)
        constrain(in.program, 3 * k, 1, 3, SPN_SENSE_EQUAL, 1);
    for (uint32_t k = 0; k < 3; k++)
        constrain(in.program, k, 3, 3, SPN_SENSE_EQUAL, 1);
    objective(in.program, 30, 2, 3);
    check_law(&in);
    spn_program_free(in.program);
}

/* The same with products of degree 3 and 4, which several bits of a move are in. */
static void swaps_in_products_obey_the_law(void **state)
{
    (void)state;
    instance in = {empty(10, 0), 0.5, 0, 1.5, 1};
    for (uint32_t k = 0; k < 3; k++)
        constrain(in.program, 3 * k, 1, 3, SPN_SENSE_EQUAL, 1);
    for (uint32_t k = 0; k < 3; k++)
        constrain(in.program, k, 3, 3, SPN_SENSE_AT_MOST, 1);
    objective(in.program, 60, 4, 4);
    check_law(&in);
    spn_program_free(in.program);
}

/* Overlapping constraints with coefficients, a polynomial one, a soft one; binaries and spins. */
static void penalties_obey_the_law(void **state)
{
    (void)state;
    instance in = {empty(6, 3), 0.7, 0, 0.8, 1};
    spn_error err = {0};
    const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7}, pairs[] = {0, 6, 1, 2, 3, 8};
    const size_t starts[] = {0, 2, 5, 6};
    spn_terms linear = spn_terms_defaults(), products = spn_terms_defaults();
    linear.count = 8;
    linear.variables = all;
    linear.coefficients = (const double[]){2, 3, -1, 4, 1, 1, 2, -3};
    products.count = 3;
    products.starts = starts;
    products.variables = pairs;
    products.coefficients = (const double[]){2, -1, 1};
    assert_int_equal(
        spn_program_add_constraint(in.program, NULL, &linear, SPN_SENSE_AT_MOST, 4, INFINITY, &err),
        SPN_OK);
    assert_int_equal(
        spn_program_add_constraint(in.program, NULL, &linear, SPN_SENSE_AT_LEAST, 1, 0.5, &err),
        SPN_OK);
    assert_int_equal(
        spn_program_add_constraint(in.program, NULL, &products, SPN_SENSE_EQUAL, 1, INFINITY, &err),
        SPN_OK);
    objective(in.program, 40, 4, 5);
    check_law(&in);
    spn_program_free(in.program);
}

static void penalties_of_coupled_replicas_obey_the_law(void **state)
{
    (void)state;
    instance in = {empty(4, 0), 0.7, 0.3, 0.8, 3};
    spn_error err = {0};
    const uint32_t all[] = {0, 1, 2, 3};
    spn_terms linear = spn_terms_defaults();
    linear.count = 4;
    linear.variables = all;
    linear.coefficients = (const double[]){2, 3, 1, 4};
    assert_int_equal(
        spn_program_add_constraint(in.program, NULL, &linear, SPN_SENSE_EQUAL, 5, INFINITY, &err),
        SPN_OK);
    objective(in.program, 20, 3, 6);
    check_law(&in);
    spn_program_free(in.program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_obey_the_law),
        cmocka_unit_test(exchanges_of_coupled_replicas_obey_the_law),
        cmocka_unit_test(swaps_obey_the_law),
        cmocka_unit_test(swaps_in_products_obey_the_law),
        cmocka_unit_test(penalties_obey_the_law),
        cmocka_unit_test(penalties_of_coupled_replicas_obey_the_law)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
