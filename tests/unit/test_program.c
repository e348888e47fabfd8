/* Problems in memory: names, terms and constraints as they are kept, values by definition,
   exactness of integers, and what is refused. */
#include "support/test.h"

#include <spinney/energies.h>
#include <spinney/program.h>
#include <spinney/random.h>

static spn_program *with(size_t count, spn_variable_kind kind, int32_t low, int32_t high)
{
    spn_program *p;
    spn_error err = {0};
    assert_int_equal(spn_program_create(&p, &err), SPN_OK);
    assert_int_equal(spn_program_add_variables(p, NULL, count, NULL, kind, low, high, &err),
                     SPN_OK);
    return p;
}

static spn_terms rows(size_t count, const double *coefficients, const size_t *starts,
                      const uint32_t *variables)
{
    spn_terms terms = spn_terms_defaults();
    terms.count = count;
    terms.coefficients = coefficients;
    terms.starts = starts;
    terms.variables = variables;
    return terms;
}

static void names_are_found_and_unique(void **state)
{
    (void)state;
    spn_error err = {0};
    const char *const own[] = {"rain", "sun", "rain"};
    spn_program *p = with(3, SPN_VARIABLE_BINARY, 0, 1);
    size_t first = 9;
    assert_int_equal(
        spn_program_add_variables(p, &first, 2, own, SPN_VARIABLE_INTEGER, -3, 7, &err), SPN_OK);
    assert_int_equal(first, 3);
    assert_int_equal(spn_program_find(p, "sun"), 4);
    assert_int_equal(spn_program_find(p, "x2"), 2);
    assert_true(spn_program_find(p, "snow") == SPN_NO_VARIABLE);
    assert_int_equal(spn_program_add_variables(p, NULL, 1, own, SPN_VARIABLE_SPIN, 0, 0, &err),
                     SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "two variables are called rain: each needs a name of its own");
    const char *const more[] = {"hail", "hail"};
    assert_int_equal(spn_program_add_variables(p, NULL, 2, more, SPN_VARIABLE_SPIN, 0, 0, &err),
                     SPN_ERROR_ARGUMENT);
    assert_true(spn_program_find(p, "hail") == SPN_NO_VARIABLE);
    assert_int_equal(spn_program_variables(p), 5);
    spn_variable v;
    spn_program_variable(&v, p, 4);
    assert_string_equal(v.name, "sun");
    assert_int_equal(v.low, -3);
    assert_int_equal(v.high, 7);
    assert_false(v.is_fixed);
    spn_program_free(p);
}

static void powers_are_reduced(void **state)
{
    (void)state;
    spn_error err = {0};
    const size_t starts[] = {0, 3, 7};
    const uint32_t list[] = {1, 0, 1, 3, 2, 3, 3};
    spn_program *p = with(2, SPN_VARIABLE_BINARY, 0, 1);
    assert_int_equal(spn_program_add_variables(p, NULL, 2, NULL, SPN_VARIABLE_SPIN, 0, 0, &err),
                     SPN_OK);
    const spn_terms given = rows(2, (const double[]){2, 3}, starts, list);
    assert_int_equal(spn_program_add_objective(p, &given, 1, &err), SPN_OK);
    spn_terms kept;
    double constant;
    spn_program_objective(&kept, &constant, p);
    assert_int_equal(kept.count, 2);
    assert_int_equal(kept.starts[1], 2);
    assert_int_equal(kept.starts[2], 4);
    const uint32_t expected[] = {0, 1, 2, 3};
    assert_memory_equal(kept.variables, expected, sizeof expected);
    assert_true(constant == 1);
    spn_program_free(p);
}

static void objective_of_any_degree_by_definition(void **state)
{
    (void)state;
    enum { N = 9, TERMS = 60 };
    spn_error err = {0};
    spn_random random = spn_random_make(3, 0, 0, SPN_PURPOSE_USER);
    spn_program *p = with(N / 3, SPN_VARIABLE_BINARY, 0, 1);
    assert_int_equal(spn_program_add_variables(p, NULL, N / 3, NULL, SPN_VARIABLE_SPIN, 0, 0, &err),
                     SPN_OK);
    assert_int_equal(
        spn_program_add_variables(p, NULL, N / 3, NULL, SPN_VARIABLE_INTEGER, -2, 3, &err), SPN_OK);
    size_t starts[TERMS + 1] = {0};
    uint32_t list[TERMS * 5];
    double coefficients[TERMS];
    for (size_t t = 0; t < TERMS; t++) {
        coefficients[t] = (double)spn_random_below(&random, 41) - 20;
        starts[t + 1] = starts[t] + t % 5;
        for (size_t k = starts[t]; k < starts[t + 1]; k++)
            list[k] = spn_random_below(&random, N);
    }
    const spn_terms terms = rows(TERMS, coefficients, starts, list);
    assert_int_equal(spn_program_add_objective(p, &terms, -4, &err), SPN_OK);
    for (int trial = 0; trial < 50; trial++) {
        int32_t values[N];
        double sum = -4;
        for (size_t i = 0; i < N; i++)
            values[i] = i < 3   ? (int32_t)spn_random_below(&random, 2)
                        : i < 6 ? 2 * (int32_t)spn_random_below(&random, 2) - 1
                                : (int32_t)spn_random_below(&random, 6) - 2;
        for (size_t t = 0; t < TERMS; t++) {
            double product = coefficients[t];
            for (size_t k = starts[t]; k < starts[t + 1]; k++)
                product *= values[list[k]];
            sum += product;
        }
        spn_score score;
        assert_int_equal(spn_program_score(&score, NULL, p, values, &err), SPN_OK);
        assert_true(score.objective == sum && score.feasible);
    }
    spn_program_free(p);
}

static void constraints_by_definition(void **state)
{
    (void)state;
    spn_error err = {0};
    const uint32_t list[] = {0, 1, 2, 0, 2};
    const size_t starts[] = {0, 1, 2, 3, 5};
    const size_t firsts[] = {0, 3, 4};
    const spn_sense senses[] = {SPN_SENSE_AT_MOST, SPN_SENSE_AT_LEAST};
    const char *const names[] = {"few", "both"};
    spn_program *p = with(3, SPN_VARIABLE_BINARY, 0, 1);
    const spn_terms terms = rows(4, NULL, starts, list);
    assert_int_equal(spn_program_add_constraints(p, 2, names, &terms, firsts, senses,
                                                 (const double[]){1, 1},
                                                 (const double[]){INFINITY, 2.5}, &err),
                     SPN_OK);
    const int32_t all[] = {1, 1, 1}, none[] = {0, 0, 0};
    double violations[2];
    spn_score score;
    assert_int_equal(spn_program_score(&score, violations, p, all, &err), SPN_OK);
    assert_true(violations[0] == 2 && violations[1] == 0);
    assert_true(!score.feasible && score.violation == 2 && score.violated == 1);
    spn_program_set_maximise(p, true);
    assert_int_equal(spn_program_score(&score, violations, p, none, &err), SPN_OK);
    assert_true(score.feasible && score.soft == 2.5 && score.objective == -2.5);
    spn_constraint c;
    spn_program_constraint(&c, p, 1);
    assert_string_equal(c.name, "both");
    assert_int_equal(c.terms.count, 1);
    assert_int_equal(c.terms.starts[1] - c.terms.starts[0], 2);
    assert_int_equal(c.terms.variables[c.terms.starts[0] + 1], 2);
    assert_int_equal(spn_program_fix(p, 1, 1, &err), SPN_OK);
    assert_int_equal(spn_program_score(&score, NULL, p, none, &err), SPN_OK);
    assert_true(!score.feasible && score.violation == 1 && score.violated == 0);
    spn_program_free(p);
}

/* 2^53 and 1 are both in the sum, which no sum of doubles holds. */
static void integers_are_exact(void **state)
{
    (void)state;
    spn_error err = {0};
    const uint32_t list[] = {0, 1, 2};
    spn_program *p = with(3, SPN_VARIABLE_BINARY, 0, 1);
    const spn_terms terms = rows(3, (const double[]){0x1p53, 1, -0x1p53}, NULL, list);
    assert_int_equal(spn_program_add_objective(p, &terms, 0, &err), SPN_OK);
    assert_int_equal(
        spn_program_add_constraint(p, NULL, &terms, SPN_SENSE_EQUAL, 0, INFINITY, &err), SPN_OK);
    spn_score score;
    const int32_t all[] = {1, 1, 1};
    assert_int_equal(spn_program_score(&score, NULL, p, all, &err), SPN_OK);
    assert_true(score.objective == 1 && score.violation == 1);
    spn_program_free(p);
}

/* 0.1 + 0.2 is not 0.3 in doubles: that is rounding, not a violation. */
static void rounding_is_no_violation(void **state)
{
    (void)state;
    spn_error err = {0};
    const uint32_t list[] = {0, 1};
    spn_program *p = with(2, SPN_VARIABLE_BINARY, 0, 1);
    const spn_terms terms = rows(2, (const double[]){0.1, 0.2}, NULL, list);
    assert_int_equal(
        spn_program_add_constraint(p, NULL, &terms, SPN_SENSE_AT_MOST, 0.3, INFINITY, &err),
        SPN_OK);
    assert_int_equal(
        spn_program_add_constraint(p, NULL, &terms, SPN_SENSE_AT_MOST, 0.2999, INFINITY, &err),
        SPN_OK);
    spn_score score;
    double violations[2];
    assert_int_equal(spn_program_score(&score, violations, p, (const int32_t[]){1, 1}, &err),
                     SPN_OK);
    assert_true(violations[0] == 0 && violations[1] > 0.9e-4 && score.violated == 1);
    spn_program_free(p);
}

static double plus_of_spins(const int8_t *spins, size_t sites, void *context)
{
    double sum = 0;
    (void)context;
    for (size_t i = 0; i < sites; i++)
        sum += (double)(i + 1) * spins[i];
    return sum;
}

static void an_energy_is_added(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    assert_int_equal(spn_callback_create(&energy, 2, plus_of_spins, NULL, NULL, &err), SPN_OK);
    spn_program *p = with(3, SPN_VARIABLE_BINARY, 0, 1);
    assert_int_equal(spn_program_add_energy(p, energy, &err), SPN_OK);
    assert_int_equal(spn_program_add_energy(p, energy, &err), SPN_ERROR_ARGUMENT);
    spn_score score;
    assert_int_equal(spn_program_score(&score, NULL, p, (const int32_t[]){0, 1, 1}, &err), SPN_OK);
    assert_true(score.objective == 1);
    spn_program_free(p);
    spn_energy_free(energy);
}

static void refused(spn_status status, const spn_error *err, const char *text)
{
    assert_int_equal(status, SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err->text, text));
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = with(2, SPN_VARIABLE_INTEGER, -(1 << 30), 1 << 30);
    const size_t starts[] = {0, 3};
    const spn_terms large = rows(1, NULL, starts, (const uint32_t[]){0, 1, 0});
    const spn_terms unknown = rows(1, NULL, NULL, (const uint32_t[]){7});
    refused(spn_program_add_objective(p, &large, 0, &err), &err, "2^62");
    refused(spn_program_add_objective(p, &unknown, 0, &err), &err, "variable 7");
    refused(spn_program_add_constraint(p, "bad", &large, SPN_SENSE_EQUAL, 0, INFINITY, &err), &err,
            "of bad");
    assert_int_equal(spn_program_constraints(p), 0);
    const spn_terms one = rows(1, NULL, NULL, (const uint32_t[]){1});
    refused(spn_program_add_constraint(p, "c", &one, SPN_SENSE_EQUAL, 0, 0, &err), &err, "weight");
    refused(spn_program_add_constraint(p, "c", &one, SPN_SENSE_EQUAL, NAN, 1, &err), &err, "right");
    assert_int_equal(spn_program_add_constraint(p, "c", &one, SPN_SENSE_EQUAL, 0, 1, &err), SPN_OK);
    refused(spn_program_add_constraint(p, "c", &one, SPN_SENSE_EQUAL, 0, 1, &err), &err,
            "two constraints are called c");
    refused(spn_program_fix(p, 2, 0, &err), &err, "no variable 2");
    const char *const spin[] = {"spin"}, *const wide[] = {"wide"};
    refused(spn_program_add_variables(p, NULL, 1, wide, SPN_VARIABLE_INTEGER, 0, INT32_MAX, &err),
            &err, "bounds");
    assert_int_equal(spn_program_add_variables(p, NULL, 1, spin, SPN_VARIABLE_SPIN, 0, 0, &err),
                     SPN_OK);
    refused(spn_program_fix(p, 2, 0, &err), &err, "-1 or +1");
    spn_score score;
    refused(spn_program_score(&score, NULL, p, (const int32_t[]){0, 0, 0}, &err), &err,
            "spin is 0");
    spn_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_found_and_unique),
                                       cmocka_unit_test(powers_are_reduced),
                                       cmocka_unit_test(objective_of_any_degree_by_definition),
                                       cmocka_unit_test(constraints_by_definition),
                                       cmocka_unit_test(integers_are_exact),
                                       cmocka_unit_test(rounding_is_no_violation),
                                       cmocka_unit_test(an_energy_is_added),
                                       cmocka_unit_test(what_is_wrong_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
