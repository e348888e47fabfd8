/* States in a changed world, against all ways to change k variables and against the laws of sums
   under noise. Each test fails by chance at most once in 10^6 seeds. */
#include "support/test.h"

#include <math.h>
#include <spinney/energies.h>
#include <spinney/program.h>
#include <spinney/random.h>
#include <string.h>

enum { BINARIES = 4, SPINS = 2, INTEGERS = 2, N = BINARIES + SPINS + INTEGERS };

static void add(spn_program *p, const double *coefficients, const uint32_t *variables, size_t count,
                spn_sense sense, double right, double weight)
{
    spn_error err = {0};
    spn_terms terms = spn_terms_defaults();
    terms.count = count;
    terms.coefficients = coefficients;
    terms.variables = variables;
    assert_ok(spn_program_add_constraint(p, NULL, &terms, sense, right, weight, &err), err);
}

/* Binary 0 to 3 (3 is fixed to 1), spins 4 and 5, integers 6 (0 to 2) and 7 (-1 to 0). */
static spn_program *mixed(void)
{
    static const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const size_t starts[] = {0, 1, 3, 6, 8};
    static const uint32_t list[] = {0, 1, 4, 2, 5, 6, 6, 7};
    spn_program *p;
    spn_error err = {0};
    spn_terms terms = spn_terms_defaults();
    assert_ok(spn_program_create(&p, &err), err);
    assert_ok(spn_program_add_variables(p, NULL, BINARIES, NULL, SPN_VARIABLE_BINARY, 0, 1, &err),
              err);
    assert_ok(spn_program_add_variables(p, NULL, SPINS, NULL, SPN_VARIABLE_SPIN, 0, 0, &err), err);
    assert_ok(spn_program_add_variables(p, NULL, 1, NULL, SPN_VARIABLE_INTEGER, 0, 2, &err), err);
    assert_ok(spn_program_add_variables(p, NULL, 1, NULL, SPN_VARIABLE_INTEGER, -1, 0, &err), err);
    assert_ok(spn_program_fix(p, 3, 1, &err), err);
    terms.count = 4;
    terms.coefficients = (const double[]){3, -2, 5, 1.5};
    terms.starts = starts;
    terms.variables = list;
    assert_ok(spn_program_add_objective(p, &terms, 7, &err), err);
    add(p, (const double[]){2, 3, 1, 1, 1, -2, 1, 4}, all, N, SPN_SENSE_AT_MOST, 6, INFINITY);
    add(p, (const double[]){1, 1, 1}, all, 3, SPN_SENSE_AT_LEAST, 2, 2.5);
    return p;
}

static const int32_t STATE[N] = {1, 0, 1, 1, 1, -1, 1, 0};

/* ---- changes ---- */

/* Exact moments of one figure over all outcomes of one draw. */
typedef struct moments {
    double mean, squares, low, high;
} moments;

static void count(moments *m, double value, double chance)
{
    m->mean += chance * value;
    m->squares += chance * value * value;
    m->low = fmin(m->low, value);
    m->high = fmax(m->high, value);
}

/* Bernstein's inequality: a mean of n draws is farther off with chance `alarm` at most. */
static double reach(const moments *m, double n, double alarm)
{
    const double log_alarm = log(2 / alarm), range = (m->high - m->low) * log_alarm / (3 * n);
    const double variance = m->squares - m->mean * m->mean;
    return range + sqrt(range * range + 2 * fmax(0, variance) * log_alarm / n) + 1e-9;
}

typedef struct expected {
    moments objective, feasible, violation;
} expected;

/* Every way to change `left` of the variables from i on; integers have one or two. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as there are variables */
static void enumerate(expected *out, const spn_program *p, int32_t *values, size_t i, size_t left,
                      double chance)
{
    spn_error err = {0};
    if (left == 0) {
        spn_score score;
        assert_ok(spn_program_score(&score, NULL, p, values, &err), err);
        count(&out->objective, score.objective, chance);
        count(&out->feasible, score.feasible, chance);
        count(&out->violation, score.violation, chance);
        return;
    }
    if (i == N)
        return;
    enumerate(out, p, values, i + 1, left, chance);
    spn_variable v;
    spn_program_variable(&v, p, i);
    if (v.is_fixed)
        return;
    const int32_t before = values[i], step = v.kind == SPN_VARIABLE_SPIN ? 2 : 1;
    const bool up = before + step <= v.high, down = before - step >= v.low;
    for (int32_t way = -1; way <= 1; way += 2) {
        if (way > 0 ? !up : !down)
            continue;
        values[i] = before + way * step;
        enumerate(out, p, values, i + 1, left - 1, up && down ? chance / 2 : chance);
    }
    values[i] = before;
}

static double choose(size_t n, size_t k)
{
    double ways = 1;
    for (size_t j = 0; j < k; j++)
        ways = ways * (double)(n - j) / (double)(j + 1);
    return ways;
}

static void changes_are_those_of_all_subsets(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = mixed();
    for (size_t k = 1; k <= N - 1; k++) {
        int32_t values[N];
        const moments none = {0, 0, INFINITY, -INFINITY};
        expected law = {none, none, none};
        spn_shake shake = spn_shake_defaults();
        spn_robust robust;
        memcpy(values, STATE, sizeof values);
        enumerate(&law, p, values, 0, k, 1 / choose(N - 1, k));
        shake.changes = k;
        shake.draws = (uint32_t)spn_test_samples(64000);
        shake.seed = 5 + k;
        assert_ok(spn_program_robust(&robust, p, 1, STATE, &shake, &err), err);
        const double n = shake.draws, alarm = SPN_FALSE_ALARM / (3.0 * (N - 1));
        assert_near(robust.objective, law.objective.mean, reach(&law.objective, n, alarm));
        assert_near(robust.feasible, law.feasible.mean, reach(&law.feasible, n, alarm));
        assert_near(robust.violation, law.violation.mean, reach(&law.violation, n, alarm));
        const double deviation =
            sqrt(law.objective.squares - law.objective.mean * law.objective.mean);
        assert_near(robust.objective_error * sqrt(n), deviation, 0.1 * deviation);
        if (spn_test_samples(64000) == 64000)
            assert_true(reach(&law.objective, n, alarm) < 0.3);
    }
    spn_program_free(p);
}

/* ---- noise ---- */

static double normal_share(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

/* The objective is normal around its value, and a constraint's sum around its. The chance of 5.5
   deviations is 4e-8. */
static void noise_has_the_law_of_its_sums(void **state)
{
    (void)state;
    enum { FAR = 11 };
    const double far = FAR / 2.0, x = 0.2;
    spn_error err = {0};
    spn_program *p = mixed();
    spn_shake shake = spn_shake_defaults();
    spn_robust robust;
    shake.noise = x;
    shake.draws = (uint32_t)spn_test_samples(64000);
    assert_ok(spn_program_robust(&robust, p, 1, STATE, &shake, &err), err);
    const double n = shake.draws;
    /* 7 + 3 (x0) - 2 (x1 s4: 0) + 5 (x2 s5 i6: -1) + 1.5 (i6 i7: 0); the soft constraint holds */
    const double spread = x * sqrt(9 + 25);
    assert_near(robust.objective, 5, far * spread / sqrt(n));
    assert_near(robust.objective_error, spread / sqrt(n), far * spread / n);
    /* 2 x0 + x2 + x3 + s4 - 2 s5 + i6 = 8 > 6 */
    const double above = x * sqrt(4 + 1 + 1 + 1 + 4 + 1), share = normal_share(-2 / above);
    assert_near(robust.feasible, share, far * sqrt(share * (1 - share) / n) + far / n);
    const double mean =
        2 * normal_share(2 / above) + above * exp(-2 / (above * above)) / sqrt(2 * acos(-1));
    assert_near(robust.violation, mean, far * above / sqrt(n));
    spn_program_free(p);
}

/* Equations and counts stay; the weight of a soft constraint does not. */
static void what_was_not_measured_has_no_noise(void **state)
{
    (void)state;
    static const uint32_t all[] = {0, 1, 2};
    static const int32_t values[] = {1, 1, 0};
    spn_error err = {0};
    spn_program *p;
    spn_shake shake = spn_shake_defaults();
    spn_robust robust;
    assert_ok(spn_program_create(&p, &err), err);
    assert_ok(spn_program_add_variables(p, NULL, 3, NULL, SPN_VARIABLE_BINARY, 0, 1, &err), err);
    add(p, (const double[]){1, 1, -1}, all, 3, SPN_SENSE_AT_MOST, 2, INFINITY);
    add(p, (const double[]){2, 3, 5}, all, 3, SPN_SENSE_EQUAL, 5, INFINITY);
    shake.noise = 0.5;
    assert_ok(spn_program_robust(&robust, p, 1, values, &shake, &err), err);
    assert_true(robust.feasible == 1 && robust.feasible_error == 0 && robust.violation == 0);
    assert_true(robust.objective == 0);
    add(p, NULL, all, 3, SPN_SENSE_AT_LEAST, 3, 4);
    assert_ok(spn_program_robust(&robust, p, 1, values, &shake, &err), err);
    assert_near(robust.objective, 4, 6 * 0.5 * 4 / sqrt(shake.draws));
    assert_near(robust.objective_error, 0.5 * 4 / sqrt(shake.draws), 0.02);
    spn_program_free(p);
}

/* ---- draws ---- */

/* A state's figures do not depend on which others are scored with it. */
static void states_meet_the_same_worlds(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_program *p = mixed();
    int32_t values[3 * N];
    spn_robust all[3], own;
    spn_shake shake = spn_shake_defaults();
    for (size_t s = 0; s < 3; s++)
        memcpy(values + s * N, STATE, sizeof STATE);
    values[N] = 0;
    shake.changes = 2;
    shake.noise = 0.1;
    shake.draws = 50;
    assert_ok(spn_program_robust(all, p, 3, values, &shake, &err), err);
    assert_memory_equal(&all[0], &all[2], sizeof all[0]);
    assert_true(all[0].objective != all[1].objective);
    assert_ok(spn_program_robust(&own, p, 1, values + N, &shake, &err), err);
    assert_memory_equal(&own, &all[1], sizeof own);
    shake.seed = 2;
    assert_ok(spn_program_robust(&own, p, 1, values + N, &shake, &err), err);
    assert_true(own.objective != all[1].objective);
    spn_program_free(p);
}

static void refused(const spn_program *p, spn_shake shake, const char *text)
{
    spn_error err = {0};
    spn_robust robust;
    assert_int_equal(spn_program_robust(&robust, p, 1, STATE, &shake, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, text);
}

static double nothing(const int8_t *spins, size_t sites, void *context)
{
    (void)spins;
    (void)sites;
    (void)context;
    return 0;
}

static void what_cannot_be_shaken_is_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_energy *energy;
    spn_program *p = mixed();
    spn_shake shake = spn_shake_defaults();
    refused(p, shake, "changes and noise are both 0: give one of them");
    shake.changes = N;
    refused(p, shake, "8 changes: only 7 of the 8 variables can change");
    shake.noise = -1;
    refused(p, shake, "noise: -1 is not 0 or more");
    shake.noise = NAN;
    refused(p, shake, "noise: nan is not 0 or more");
    shake.noise = 0.1;
    shake.draws = 1;
    refused(p, shake, "draws: 1 is below 2");
    shake = spn_shake_defaults();
    shake.noise = 0.1;
    assert_ok(spn_callback_create(&energy, 2, nothing, NULL, NULL, &err), err);
    assert_ok(spn_program_add_energy(p, energy, &err), err);
    refused(p, shake,
            "noise: the problem has an energy, whose coefficients are its own; give changes");
    spn_program_free(p);
    spn_energy_free(energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_those_of_all_subsets),
        cmocka_unit_test(noise_has_the_law_of_its_sums),
        cmocka_unit_test(what_was_not_measured_has_no_noise),
        cmocka_unit_test(states_meet_the_same_worlds),
        cmocka_unit_test(what_cannot_be_shaken_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
