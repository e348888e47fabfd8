/* Heights and convergence: m, d*, M_t and Theorem 1's schedules with the values of docs/theory.md,
   and heights against their definition. */
#include "analysis/operator.h"
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/sampler.h>
#include <spinney/spectrum.h>
#include <stdlib.h>
#include <string.h>

static const spn_kernel KERNELS[3] = {SPN_KERNEL_TWO_STAGE, SPN_KERNEL_ONE_STAGE,
                                      SPN_KERNEL_HEAT_BATH};

static spn_heights heights_of(const spn_landscape *l)
{
    spn_heights out;
    spn_error err = {0};
    assert_ok(spn_landscape_heights(&out, l, &err), err);
    return out;
}

static double replicated_height(const spn_landscape *l, size_t y, spn_kernel kernel, double beta,
                                double gamma)
{
    double out = -1;
    spn_error err = {0};
    assert_ok(spn_replicated_height(&out, l, y, kernel, beta, gamma, &err), err);
    return out;
}

static void test_reference_heights(void **state)
{
    (void)state;
    spn_landscape *a = landscape_a(), *b = landscape_b();
    spn_planted *p7 = planted_p7(), *p15 = planted_p15a();
    spn_landscape *l7 = landscape_of(p7), *l15 = landscape_of(p15);
    assert_true(heights_of(a).m == 1 && heights_of(a).d_star == 0);
    assert_true(heights_of(b).m == 2 && heights_of(b).d_star == 1);
    assert_true(heights_of(l7).m == 1);
    assert_true(heights_of(l15).m == 3);
    assert_digits(replicated_height(a, 2, KERNELS[0], 4, 2), 10.61437645, 10);
    assert_digits(replicated_height(a, 2, KERNELS[1], 4, 2), 7.307188226, 10);
    assert_digits(replicated_height(b, 2, KERNELS[0], 4, 2), 14.61437645, 10);
    assert_digits(replicated_height(b, 2, KERNELS[1], 4, 2), 11.30718823, 10);
    spn_landscape_free(a);
    spn_landscape_free(b);
    spn_landscape_free(l7);
    spn_landscape_free(l15);
    spn_planted_free(p7);
    spn_planted_free(p15);
}

/* m of U is the same for every y; with gamma = 0, M = beta m for all kernels. */
static void test_height_of_replicas(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        spn_landscape *l = landscape_random(3, seed % 2 ? 6 : 1, 60 + seed);
        const double m = heights_of(l).m;
        for (size_t y = 1; y <= 4; y++)
            for (size_t k = 0; k < 3; k++)
                assert_near(replicated_height(l, y, KERNELS[k], 1.5, 0), 1.5 * m, 1e-12);
        assert_true(heights_of(l).d_star <= m);
        spn_landscape_free(l);
    }
}

/* Lowest passes between all pairs by Floyd and Warshall, from the heights of single moves. */
static void passes(double *pass, size_t n)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                pass[i * n + j] = fmin(pass[i * n + j], fmax(pass[i * n + k], pass[k * n + j]));
}

/* The height of values given the heights of moves, by its definition over all pairs. */
static double height_by_pairs(const double *pass, const double *value, size_t n, double *climb)
{
    double minimum = INFINITY, m = 0;
    *climb = 0;
    for (size_t k = 0; k < n; k++)
        minimum = fmin(minimum, value[k]);
    for (size_t i = 0; i < n; i++) {
        double lowest = INFINITY;
        for (size_t j = 0; j < n; j++) {
            m = fmax(m, pass[i * n + j] - value[i] - value[j] + minimum);
            if (value[j] <= minimum)
                lowest = fmin(lowest, pass[i * n + j]);
        }
        *climb = fmax(*climb, lowest - value[i]);
    }
    return m;
}

static void test_heights_by_definition(void **state)
{
    (void)state;
    enum { STATES = 64 };
    static double pass[STATES * STATES], value[STATES], energy[STATES], coupling[STATES];
    const double beta = 1.7, gamma = 0.8;
    for (uint64_t seed = 0; seed < 10; seed++) {
        spn_landscape *l = landscape_random(3, seed % 2 ? 7 : 1, 80 + seed);
        spn_landscape *single = landscape_random(6, seed % 2 ? 7 : 1, 90 + seed);
        for (int kind = 0; kind < 3; kind++) { /* S1, S2 on two replicas; E on six sites */
            for (size_t x = 0; x < STATES; x++) {
                energy[x] = beta * (l->energy[x & 7] + l->energy[x >> 3]);
                coupling[x] =
                    (3 - __builtin_popcountll((x ^ x >> 3) & 7)) * spn_log_cosh(2 * gamma);
                value[x] = kind == 2 ? single->energy[x] : energy[x] - coupling[x];
            }
            for (size_t x = 0; x < STATES; x++)
                for (size_t z = 0; z < STATES; z++) {
                    const int distance = __builtin_popcountll(x ^ z);
                    double height = fmax(value[x], value[z]);
                    if (kind == 0 && distance == 1)
                        height = fmax(energy[x], energy[z]) - fmin(coupling[x], coupling[z]);
                    pass[x * STATES + z] = distance <= 1 ? height : INFINITY;
                }
            passes(pass, STATES);
            double climb;
            const double m = height_by_pairs(pass, value, STATES, &climb);
            if (kind == 2) {
                assert_near(heights_of(single).m, m, 1e-12);
                assert_near(heights_of(single).d_star, climb, 1e-12);
            } else {
                assert_near(replicated_height(l, 2, KERNELS[kind], beta, gamma), m, 1e-12);
            }
        }
        spn_landscape_free(l);
        spn_landscape_free(single);
    }
}

/* Theorem 1's slow schedule: T_n = ceil(e^(m beta_n) (log kappa + b)/c). */
static void slow_schedule(spn_piece *out, size_t stages)
{
    const double alpha = 1.5, b = 0.5, log_kappa = 1, c = 0.1698, m = 1, B = 1;
    for (size_t n = 1; n <= stages; n++) {
        const double beta = alpha / B * log((double)n) + b / B * (double)n;
        out[n - 1].value = beta;
        out[n - 1].steps = (uint64_t)ceil(exp(m * beta) * (log_kappa + b) / c);
    }
}

/* `exact` is from 128-bit arithmetic; docs/theory.md prints the same to 5e-12 absolute. */
static void test_slow_schedule(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        uint64_t steps;
        double exact, printed;
    } rows[] = {{1, 15, .030922119844608, .03092211984},
                {2, 68, .0088701305691917, .008870130569},
                {3, 206, .0020408831870988, .002040883187},
                {5, 1204, 1.0442139043781e-4, 1.044213904e-4},
                {8, 10914, 1.5585665961174e-6, 1.558566781e-6},
                {10, 41460, 1.6623043934142e-7, 1.662316085e-7}};
    spn_piece pieces[10];
    spn_stage stages[10];
    double law[64], target[64], condition[10], margin, total = 0;
    spn_landscape *a = landscape_a();
    spn_error err = {0};
    slow_schedule(pieces, 10);
    const spn_annealing annealing = {
        .size = sizeof annealing, 2, SPN_KERNEL_TWO_STAGE, pieces, 10, 0.5, NULL, 18};
    assert_ok(spn_annealing_converge(stages, law, a, &annealing, &err), err);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        assert_int_equal(pieces[rows[r].n - 1].steps, rows[r].steps);
        assert_near(stages[rows[r].n - 1].epsilon, rows[r].exact, 5e-14);
        assert_near(stages[rows[r].n - 1].epsilon, rows[r].printed, 5e-12);
    }
    replicated_law(target, a, 2, pieces[9].value, 0.5);
    double worst = 0, variation = 0;
    for (size_t k = 0; k < 64; k++) {
        total += law[k];
        worst = fmax(worst, fabs(law[k] - target[k]));
        variation += 0.5 * fabs(law[k] - target[k]);
    }
    assert_near(total, 1, 1e-12);
    assert_near(stages[9].epsilon, worst, 1e-15);
    assert_near(stages[9].total_variation, variation, 1e-15);
    /* each stage falls by at least b, since T_n was rounded up */
    const spn_condition c = {
        .size = sizeof c, .beta = pieces, .stages = 10, .m = 1, .c = 0.1698, .log_kappa = 1};
    assert_ok(spn_condition_evaluate(condition, &margin, &c, &err), err);
    assert_true(margin >= 0.5);
    assert_true(condition[9] <= -5);
    spn_landscape_free(a);
}

static void test_fast_schedule(void **state)
{
    (void)state;
    enum { STAGES = 60 };
    spn_piece pieces[STAGES];
    spn_stage stages[STAGES];
    double condition[STAGES], margin, climbs[STAGES], gammas[STAGES];
    spn_landscape *a = landscape_a();
    spn_error err = {0};
    for (size_t k = 1; k <= STAGES; k++) {
        const double beta = 0.5 * (double)k;
        pieces[k - 1] = (spn_piece){beta, (uint64_t)ceil(exp(beta / 2))};
        gammas[k - 1] = 0.5;
        climbs[k - 1] = beta;
    }
    spn_annealing annealing = {
        .size = sizeof annealing, 2, SPN_KERNEL_TWO_STAGE, pieces, STAGES, 0.5, NULL, 18};
    assert_ok(spn_annealing_converge(stages, NULL, a, &annealing, &err), err);
    assert_digits(stages[9].epsilon, .2133628182, 10);
    assert_digits(stages[19].epsilon, .2054192536, 10);
    assert_digits(stages[59].epsilon, .2045900739, 10);
    /* gamma per stage, all the same, is the same */
    const double before = stages[19].epsilon;
    annealing.gammas = gammas;
    annealing.gamma = 99;
    assert_ok(spn_annealing_converge(stages, NULL, a, &annealing, &err), err);
    assert_true(stages[19].epsilon == before);
    /* the condition rises, in both forms */
    spn_condition c = {
        .size = sizeof c, .beta = pieces, .stages = STAGES, .m = 1, .c = 0.1698, .log_kappa = 1};
    assert_ok(spn_condition_evaluate(condition, &margin, &c, &err), err);
    assert_true(margin < 0 && condition[STAGES - 1] > condition[STAGES / 2]);
    const double last = condition[STAGES - 1];
    c.climbs = climbs;
    c.m = 99;
    assert_ok(spn_condition_evaluate(condition, NULL, &c, &err), err);
    assert_near(condition[STAGES - 1], last, 1e-12);
    spn_landscape_free(a);
}

/* Repeated squaring against steps, on a chain that mixes and on one that hardly moves. More than
   128 states are squared by several threads. */
static void test_squaring(void **state)
{
    (void)state;
    enum { STATES = 256 };
    spn_landscape *l = landscape_random(4, 4, 12);
    for (double beta = 0.5; beta < 20; beta *= 6) {
        spn_operator *op = NULL;
        spn_error err = {0};
        assert_ok(spn_operator_create(&op, l, 2, SPN_KERNEL_ONE_STAGE, beta, 0.4, &err), err);
        double *laws[4];
        for (size_t k = 0; k < 4; k++) {
            laws[k] = calloc(STATES, sizeof **laws);
            laws[k][5] = 1;
        }
        spn_operator_step_by_step(op, 3001, &laws[0], &laws[1]);
        assert_true(spn_operator_by_squaring(op, 3001, &laws[2], &laws[3]));
        for (size_t k = 0; k < STATES; k++)
            assert_near(laws[0][k], laws[2][k], 1e-13);
        for (size_t k = 0; k < 4; k++)
            free(laws[k]);
        spn_operator_free(op);
    }
    spn_landscape_free(l);
}

static void test_bad_input(void **state)
{
    (void)state;
    spn_landscape *b = landscape_b();
    spn_piece piece = {1, 3};
    spn_stage stage;
    spn_error err = {0};
    double out;
    spn_annealing annealing = {
        .size = sizeof annealing, 2, SPN_KERNEL_TWO_STAGE, &piece, 1, 0.5, NULL, 1024};
    assert_int_equal(spn_annealing_converge(&stage, NULL, b, &annealing, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "start state 1024 is out of range, expected 0 to 1023");
    annealing.start = 0;
    annealing.stages = 0;
    assert_int_equal(spn_annealing_converge(&stage, NULL, b, &annealing, &err), SPN_ERROR_ARGUMENT);
    annealing.stages = 1;
    piece.value = -1;
    assert_int_equal(spn_annealing_converge(&stage, NULL, b, &annealing, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "beta must be"));
    assert_int_equal(spn_replicated_height(&out, b, 6, SPN_KERNEL_TWO_STAGE, 1, 1, &err),
                     SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "N may be up to 3"));
    assert_int_equal(spn_replicated_height(&out, b, 0, SPN_KERNEL_TWO_STAGE, 1, 1, &err),
                     SPN_ERROR_ARGUMENT);
    spn_landscape_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_heights),
        cmocka_unit_test(test_height_of_replicas),
        cmocka_unit_test(test_heights_by_definition),
        cmocka_unit_test(test_slow_schedule),
        cmocka_unit_test(test_fast_schedule),
        cmocka_unit_test(test_squaring),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
