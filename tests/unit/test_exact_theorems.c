/* Schedules cut into stages, the constants of Theorem 1's schedule, and what the theorems say of
   schedules that are slow enough, too fast, and whose gamma grows. */
#include "support/instances.h"
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/theorems.h>
#include <string.h>

/* Every step has the beta and gamma of its stage, and neighbouring stages differ. */
static void assert_cut(const spn_schedule *beta, const spn_schedule *gamma, uint64_t steps,
                       size_t expected)
{
    spn_stages *s = NULL;
    spn_error err = {0};
    assert_ok(spn_stages_create(&s, beta, gamma, steps, &err), err);
    assert_int_equal(s->count, expected);
    assert_int_equal(s->steps, steps);
    uint64_t t = 0;
    for (size_t n = 0; n < s->count; n++)
        for (uint64_t k = 0; k < s->beta[n].steps; k++, t++) {
            assert_true(s->beta[n].value == spn_schedule_value(beta, t, steps, 0, 1));
            assert_true(s->gamma[n] == spn_schedule_value(gamma, t, steps, 0, 1));
        }
    assert_int_equal(t, steps);
    bool changes = false;
    for (size_t n = 1; n < s->count; n++)
        changes = changes || s->gamma[n] != s->gamma[0];
    assert_int_equal(s->gamma_changes, changes);
    spn_stages_free(s);
}

static void test_cut(void **state)
{
    (void)state;
    const spn_schedule *beta = spn_test_pieces((const spn_piece[]){{1, 5}, {2, 9}}, 2);
    const spn_schedule *gamma = spn_test_pieces((const spn_piece[]){{0.5, 4}, {1, 4}}, 2);
    const spn_schedule *still = spn_test_constant(0.5), *linear = spn_test_linear(0, 4);
    assert_cut(beta, still, 14, 2);
    assert_cut(beta, gamma, 14, 3);
    assert_cut(beta, gamma, 4, 1);
    assert_cut(beta, still, 30, 2); /* the last piece stays */
    assert_cut(linear, still, 50, 50);
    assert_cut(still, linear, 50, 50);
    assert_cut(still, still, 1000000, 1);
}

static void cut_fails(const spn_schedule *beta, const spn_schedule *gamma, uint64_t steps,
                      const char *part)
{
    spn_stages *s = NULL;
    spn_error err = {0};
    assert_int_equal(spn_stages_create(&s, beta, gamma, steps, &err), SPN_ERROR_ARGUMENT);
    assert_null(s);
    if (!strstr(err.text, part))
        fail_msg("expected \"%s\" in \"%s\"", part, err.text);
}

static void test_bad_stages(void **state)
{
    (void)state;
    const spn_schedule *still = spn_test_constant(0.5), *linear = spn_test_linear(0, 4);
    const spn_schedule *scoping = spn_test_scoping(1, 0.1, 10);
    const spn_schedule *negative = spn_test_constant(-1);
    const spn_schedule *falling = spn_test_pieces((const spn_piece[]){{2, 3}, {1, 3}}, 2);
    spn_schedule *out;
    spn_error err = {0};
    cut_fails(still, scoping, 9, "gamma: scoping depends on what is accepted");
    cut_fails(linear, still, 100001, "more than 100000 stages");
    cut_fails(falling, still, 6, "must not decrease");
    cut_fails(still, negative, 6, "gamma");
    assert_int_equal(spn_stages_gamma(&out, linear, 0, 1, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_stages_gamma(&out, falling, 0, -1, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_stages_gamma(&out, falling, NAN, 1, &err), SPN_ERROR_ARGUMENT);
}

/* A gamma for each piece of beta, also where they are long. */
static void test_gamma_by_stages(void **state)
{
    (void)state;
    const spn_schedule *beta = spn_test_pieces((const spn_piece[]){{1, 7}, {2, 1}, {3, 20}}, 3);
    spn_schedule *gamma = NULL;
    spn_error err = {0};
    assert_ok(spn_stages_gamma(&gamma, beta, 0.5, 0.2, &err), err);
    assert_true(spn_schedule_value(gamma, 6, 28, 0, 1) == 0.5);
    assert_near(spn_schedule_value(gamma, 7, 28, 0, 1), 0.7, 1e-15);
    assert_near(spn_schedule_value(gamma, 27, 28, 0, 1), 0.9, 1e-15);
    assert_cut(beta, gamma, 28, 3);
    spn_schedule_free(gamma);
}

/* c by its definition at one stage: the rate times e^(beta m). */
static double constant_at(const spn_landscape *l, double beta, double gamma, double climb)
{
    spn_operator *op = NULL;
    spn_gap gap;
    spn_error err = {0};
    assert_ok(spn_operator_create(&op, l, 2, SPN_KERNEL_TWO_STAGE, beta, gamma, &err), err);
    assert_ok(spn_operator_gap(&gap, op, NULL, &err), err);
    spn_operator_free(op);
    return (1 - fmax(gap.lambda1, fabs(gap.lambda_min))) * exp(climb);
}

static void test_complete(void **state)
{
    (void)state;
    spn_landscape *l = landscape_a();
    spn_theorem1 k = {.alpha = 1.5, .b = 0.5, .B = NAN, .m = NAN, .c = NAN, .log_kappa = NAN};
    spn_schedule *s = NULL;
    spn_constants constants;
    spn_error err = {0};
    bool converged = false;
    assert_ok(spn_theorem1_complete(&k, &converged, l, 2, SPN_KERNEL_TWO_STAGE, 0.5, 10, &err),
              err);
    assert_true(converged && k.m == 1 && k.B == 1 && k.alpha == 1.5 && k.b == 0.5);
    assert_ok(spn_constants_compute(&constants, l, 2, 1, 0.5, &err), err);
    assert_true(k.log_kappa == fmax(1, constants.log_kappa1));
    assert_ok(spn_schedule_theorem1(&s, &k, 10, &err), err);
    double least = INFINITY;
    size_t count;
    const spn_piece *of = spn_schedule_get_pieces(s, &count);
    for (size_t n = 0; n < count; n++)
        least = fmin(least, constant_at(l, of[n].value, 0.5, of[n].value * k.m));
    assert_digits(k.c, least, 10);
    spn_schedule_free(s);
    const spn_theorem1 given = {.alpha = 1.5, .b = 0.5, .B = 3, .m = 2, .c = 0.1, .log_kappa = 1};
    k = given;
    assert_ok(spn_theorem1_complete(&k, NULL, l, 2, SPN_KERNEL_TWO_STAGE, 0.5, 10, &err), err);
    assert_true(k.B == 3 && k.m == 2 && k.c == 0.1 && k.log_kappa == 1);
    spn_landscape_free(l);
}

static void test_nothing_to_slow_for(void **state)
{
    (void)state;
    const double flat[2] = {3, 3};
    spn_landscape *l = NULL;
    spn_theorem1 k = {.alpha = 1.5, .b = 0.5, .B = NAN, .m = NAN, .c = NAN, .log_kappa = NAN};
    spn_error err = {0};
    l = landscape_of_values(flat, 1);
    assert_int_equal(spn_theorem1_complete(&k, NULL, l, 2, SPN_KERNEL_TWO_STAGE, 0.5, 10, &err),
                     SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "m=0 and B=0"));
    assert_true(isnan(k.c));
    spn_landscape_free(l);
}

/* The chain and its verdict; epsilon_n never above the bound of the proof. */
static spn_verdict *judge(spn_stage *out, const spn_landscape *l, const spn_stages *s)
{
    const spn_annealing a = {.size = sizeof a,
                             .replicas = 2,
                             .kernel = SPN_KERNEL_TWO_STAGE,
                             .beta = s->beta,
                             .gammas = s->gamma,
                             .stages = s->count,
                             .start = 18};
    spn_verdict *v = NULL;
    spn_error err = {0};
    assert_ok(spn_annealing_converge(out, NULL, l, &a, &err), err);
    assert_ok(spn_verdict_create(&v, l, &a, NAN, NAN, &err), err);
    assert_int_equal(v->stages, s->count);
    assert_true(v->converged && v->m == 1);
    for (size_t n = 0; n < s->count; n++)
        assert_true(log(out[n].epsilon) <= v->log_bound[n]);
    return v;
}

static void test_fast_and_slow(void **state)
{
    (void)state;
    enum { STAGES = 12 };
    spn_landscape *l = landscape_a();
    spn_error err = {0};
    for (int slow = 0; slow < 2; slow++) {
        spn_piece of[STAGES];
        for (size_t n = 0; n < STAGES; n++) {
            const double beta = 0.5 * (double)(n + 1);
            of[n] = (spn_piece){beta, (uint64_t)ceil(slow ? 12 * exp(beta) : exp(0.5 * beta))};
        }
        const spn_schedule *beta = spn_test_pieces(of, STAGES);
        const spn_schedule *gamma = spn_test_constant(0.5);
        spn_stages *s = NULL;
        spn_stage out[STAGES];
        assert_ok(spn_stages_create(&s, beta, gamma, spn_schedule_length(beta), &err), err);
        spn_verdict *v = judge(out, l, s);
        assert_int_equal(v->theorem, 1);
        assert_int_equal(v->met, slow);
        assert_int_equal(out[STAGES - 1].epsilon < 0.01, slow);
        /* the condition by its definition */
        double sum = 0;
        for (size_t n = 0; n < STAGES; n++) {
            sum += v->log_kappa - v->c * (double)of[n].steps * exp(-of[n].value);
            assert_near(v->condition[n], sum, 1e-12);
        }
        spn_verdict_free(v);
        spn_stages_free(s);
    }
    spn_landscape_free(l);
}

/* Theorem 2: the climbs are M of the replicated landscape, and c is taken with them. */
static void test_gamma_grows(void **state)
{
    (void)state;
    enum { STAGES = 6 };
    spn_landscape *l = landscape_a();
    spn_piece of[STAGES];
    for (size_t n = 0; n < STAGES; n++)
        of[n] = (spn_piece){0.5 * (double)(n + 1), 40};
    const spn_schedule *beta = spn_test_pieces(of, STAGES);
    spn_schedule *gamma = NULL;
    spn_stages *s = NULL;
    spn_stage out[STAGES];
    spn_error err = {0};
    assert_ok(spn_stages_gamma(&gamma, beta, 0.5, 0.3, &err), err);
    assert_ok(spn_stages_create(&s, beta, gamma, 40 * STAGES, &err), err);
    spn_verdict *v = judge(out, l, s);
    assert_int_equal(v->theorem, 2);
    double least = INFINITY, sum = 0, climb[STAGES];
    for (size_t n = 0; n < STAGES; n++) {
        assert_ok(spn_replicated_height(&climb[n], l, 2, SPN_KERNEL_TWO_STAGE, s->beta[n].value,
                                        s->gamma[n], &err),
                  err);
        least = fmin(least, constant_at(l, s->beta[n].value, s->gamma[n], climb[n]));
    }
    assert_digits(v->c, least, 10);
    for (size_t n = 0; n < STAGES; n++) {
        sum += v->log_kappa - v->c * 40 * exp(-climb[n]);
        assert_near(v->condition[n], sum, 1e-12);
    }
    spn_verdict_free(v);
    spn_stages_free(s);
    spn_schedule_free(gamma);
    spn_landscape_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_bad_stages),
        cmocka_unit_test(test_gamma_by_stages),
        cmocka_unit_test(test_complete),
        cmocka_unit_test(test_nothing_to_slow_for),
        cmocka_unit_test(test_fast_and_slow),
        cmocka_unit_test(test_gamma_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
