/* Landscapes and laws: the reference values of docs/theory.md, both ways of computing a law against
   each other, limits, extreme parameters, and bad input. */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/sampler.h>
#include <stdlib.h>
#include <string.h>

static spn_law *law_of(const spn_landscape *l, size_t y, double beta, double gamma,
                       spn_law_method method)
{
    spn_law *out = NULL;
    spn_error err = {0};
    assert_ok(spn_law_create(&out, l, y, beta, gamma, method, &err), err);
    return out;
}

static void test_landscapes(void **state)
{
    (void)state;
    spn_landscape *a = landscape_a(), *b = landscape_b();
    assert_int_equal(a->minima_count, 2);
    assert_int_equal(a->minima[0], 2);
    assert_int_equal(a->minima[1], 7);
    assert_int_equal(b->minima_count, 2);
    assert_int_equal(b->minima[0], 14);
    assert_int_equal(b->minima[1], 22);
    assert_true(a->step == 1 && b->step == 2);
    assert_true(a->minimum == 0 && b->maximum == 7);
    assert_memory_equal(a->energy, INSTANCE_A, sizeof INSTANCE_A);
    assert_memory_equal(b->energy, INSTANCE_B, sizeof INSTANCE_B);
    spn_landscape_free(a);
    spn_landscape_free(b);
}

/* More than one block, with and without deltas, against the table. */
static void test_enumeration_of_blocks(void **state)
{
    (void)state;
    enum { SITES = 14, STATES = 1 << SITES };
    double *values = malloc(STATES * sizeof *values);
    for (size_t k = 0; k < STATES; k++)
        values[k] = (double)(k * 2654435761u % 1009) - 200.5;
    for (int fast = 0; fast < 2; fast++) {
        spn_energy *energy = table_energy(values, SITES, fast);
        spn_landscape *l = NULL;
        spn_error err = {0};
        assert_ok(spn_landscape_create(&l, energy, 0, &err), err);
        spn_energy_free(energy);
        assert_memory_equal(l->energy, values, STATES * sizeof *values);
        assert_true(l->minimum == -200.5 && l->step == 1);
        assert_true(spn_landscape_is_minimum(l, l->minima[0]));
        spn_landscape_free(l);
    }
    free(values);
}

typedef struct reference {
    double log_z_marginal, log_z, log_gamma, phi0, p0, qbar0, max_q, energy, overlap, zero;
    double mu0_minima, kappa1, max_q_infinity;
    int digits_qbar0, digits_kappa1;
} reference;

static const reference REFERENCE_A = {3.19353753744,
                                      5.27297907912,
                                      4.87957012511,
                                      1.23923986491,
                                      0.0611454791971,
                                      0.00276090971689,
                                      0.150740562951,
                                      0.969140290735,
                                      0.366948069227,
                                      0.428095463261,
                                      0.0793059873288,
                                      4.087886697,
                                      0.352119038596,
                                      12,
                                      10};
static const reference REFERENCE_B = {3.9131351394,
                                      7.3788710422,
                                      8.13261687518,
                                      0.870981019279,
                                      0.00356386729956,
                                      1.45334044783e-7,
                                      0.174779344891,
                                      1.59613629145,
                                      0.514554390354,
                                      0.496364370379,
                                      0.00729966560039,
                                      47.88557538,
                                      0.352119038596,
                                      12,
                                      10};

static void check_reference(const spn_landscape *l, const reference *r, spn_law_method method)
{
    spn_law *law = law_of(l, 2, 1, 0.5, method);
    assert_digits(law->log_z_marginal, r->log_z_marginal, 11);
    assert_digits(law->log_z, r->log_z, 11);
    assert_digits(law->log_gamma, r->log_gamma, 12);
    assert_digits(law->phi[0], r->phi0, 12);
    assert_digits(law->centre[0], r->p0, 12);
    assert_digits(law->max_probability, r->max_q, 12);
    assert_digits(law->mean_energy, r->energy, 12);
    assert_digits(law->overlap, r->overlap, 12);
    assert_digits(law->prob_minimum, r->zero, 12);
    spn_law_free(law);
    law = law_of(l, 2, INFINITY, 0.5, method);
    assert_digits(law->max_probability, r->max_q_infinity, 12);
    assert_near(law->prob_minimum, 1, 1e-14);
    spn_law_free(law);
}

static void check_constants(const spn_landscape *l, const reference *r)
{
    spn_constants c;
    spn_error err = {0};
    assert_ok(spn_constants_compute(&c, l, 2, 1, 0.5, &err), err);
    assert_digits(c.mu0_minima, r->mu0_minima, 12);
    assert_digits(c.kappa1, r->kappa1, r->digits_kappa1);
    assert_near(c.log_gamma, r->log_gamma, 1e-11);
    assert_true(c.B == l->step);
    assert_near(c.B_prime, 0.4337808304830271, 1e-15);
}

static void test_reference_values(void **state)
{
    (void)state;
    const reference *references[2] = {&REFERENCE_A, &REFERENCE_B};
    spn_landscape *l[2] = {landscape_a(), landscape_b()};
    for (size_t n = 0; n < 2; n++) {
        check_reference(l[n], references[n], SPN_LAW_ENUMERATE);
        check_reference(l[n], references[n], SPN_LAW_TRANSFORM);
        check_constants(l[n], references[n]);
        const size_t states = l[n]->states * l[n]->states;
        double *q = malloc(states * sizeof *q);
        replicated_law(q, l[n], 2, 1, 0.5);
        assert_digits(q[0], references[n]->qbar0, references[n]->digits_qbar0);
        double total = 0, top = 0;
        for (size_t k = 0; k < states; k++) {
            total += q[k];
            top = fmax(top, q[k]);
        }
        assert_near(total, 1, 1e-14);
        assert_digits(top, references[n]->max_q, 12);
        free(q);
        spn_landscape_free(l[n]);
    }
}

static void test_distance_to_limit(void **state)
{
    (void)state;
    const struct {
        double beta, distance;
        int digits;
    } rows[] = {
        {1, .201378, 6}, {2, .0850002, 6}, {4, .011782, 5}, {8, 2.15643e-4, 6}, {16, 7.234e-8, 4}};
    spn_landscape *l = landscape_a();
    double limit[64], law[64];
    replicated_law(limit, l, 2, INFINITY, 0.5);
    for (size_t r = 0; r < 5; r++) {
        replicated_law(law, l, 2, rows[r].beta, 0.5);
        double distance = 0;
        for (size_t k = 0; k < 64; k++)
            distance = fmax(distance, fabs(law[k] - limit[k]));
        assert_digits(distance, rows[r].distance, rows[r].digits);
    }
    spn_landscape_free(l);
}

static void test_aligned_minima(void **state)
{
    (void)state;
    const double rows[3][3] = {{2, 1, .798124657143}, {4, 2, .995632369373}, {8, 4, .999998536894}};
    spn_landscape *l = landscape_a();
    for (size_t r = 0; r < 3; r++)
        for (int method = SPN_LAW_ENUMERATE; method <= SPN_LAW_TRANSFORM; method++) {
            spn_law *law = law_of(l, 2, rows[r][0], rows[r][1], (spn_law_method)method);
            assert_digits(law->aligned_minimum, rows[r][2], 12);
            spn_law_free(law);
        }
    spn_landscape_free(l);
}

static void assert_same_law(const spn_law *a, const spn_law *b, size_t states)
{
    const double scale = 1 + fabs(a->log_z); /* log weights of this size round */
    const double close = 1e-12 + 1e-15 * scale;
    assert_near(a->log_z, b->log_z, 1e-13 * scale);
    assert_near(a->log_z_marginal, b->log_z_marginal, 1e-13 * scale);
    assert_near(a->mean_energy, b->mean_energy, 1e-11 * (1 + fabs(a->mean_energy)));
    assert_near(a->overlap, b->overlap, 10 * close);
    assert_near(a->prob_minimum, b->prob_minimum, close);
    assert_near(a->max_probability, b->max_probability, close);
    assert_near(a->entropy, b->entropy, 1e-11 * scale);
    assert_near(a->centre_entropy, b->centre_entropy, 100 * close);
    for (size_t k = 0; k < states; k++) {
        assert_near(a->phi[k], b->phi[k], 1e-13 * scale);
        assert_near(a->centre[k], b->centre[k], close);
        assert_near(a->marginal[k], b->marginal[k], close);
    }
}

static void test_enumeration_equals_transform(void **state)
{
    (void)state;
    const double betas[] = {0, 0.3, 2, 40, 3000, INFINITY};
    const double gammas[] = {0, 1e-5, 0.009, 0.011, 0.6, 5, 90, 2000};
    const size_t shapes[][2] = {{1, 1}, {1, 5}, {4, 1}, {4, 3}, {6, 2}, {2, 6}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t i = 0; i < sizeof betas / sizeof *betas; i++)
            for (size_t j = 0; j < sizeof gammas / sizeof *gammas; j++) {
                spn_landscape *l = landscape_random(shapes[s][0], s % 2 ? 4 : 1, 11 + s);
                const size_t y = shapes[s][1];
                spn_law *a = law_of(l, y, betas[i], gammas[j], SPN_LAW_ENUMERATE);
                spn_law *b = law_of(l, y, betas[i], gammas[j], SPN_LAW_TRANSFORM);
                assert_same_law(a, b, l->states);
                spn_law_free(a);
                spn_law_free(b);
                spn_landscape_free(l);
            }
}

/* The same on a landscape large enough for the blocked passes and the parallel loops. */
static void test_large_transform(void **state)
{
    (void)state;
    spn_landscape *l = landscape_random(15, 40, 3);
    spn_law *law = law_of(l, 4, 0.5, 0.3, SPN_LAW_TRANSFORM);
    spn_law *far = law_of(l, 4, 0.5, 25, SPN_LAW_TRANSFORM);
    for (size_t s = 0; s < l->states; s += 4567) {
        double sum = 0;
        for (size_t t = 0; t < l->states; t++)
            sum +=
                exp(-0.5 * l->energy[t] + 0.3 * (15.0 - 2.0 * (double)__builtin_popcountll(s ^ t)));
        assert_near(law->phi[s], log(sum), 1e-12);
        assert_near(far->phi[s], 25 * 15 - 0.5 * l->energy[s], 1e-8);
    }
    double total = 0;
    for (size_t k = 0; k < l->states; k++)
        total += law->marginal[k];
    assert_near(total, 1, 1e-12);
    spn_law_free(law);
    spn_law_free(far);
    spn_landscape_free(l);
}

/* A constant added to E changes Z by its factor, and no probability. */
static void test_minimum_not_zero(void **state)
{
    (void)state;
    double values[8];
    for (size_t k = 0; k < 8; k++)
        values[k] = INSTANCE_A[k] + 10;
    spn_landscape *l = landscape_of_values(values, 3), *a = landscape_a();
    for (int method = SPN_LAW_ENUMERATE; method <= SPN_LAW_TRANSFORM; method++) {
        spn_law *shifted = law_of(l, 2, 1, 0.5, (spn_law_method)method);
        spn_law *plain = law_of(a, 2, 1, 0.5, (spn_law_method)method);
        assert_near(shifted->log_z, plain->log_z - 20, 1e-12);
        assert_near(shifted->phi[0], plain->phi[0] - 10, 1e-12);
        assert_near(shifted->mean_energy, plain->mean_energy + 20, 1e-12);
        assert_near(shifted->max_probability, plain->max_probability, 1e-14);
        assert_near(shifted->prob_minimum, plain->prob_minimum, 1e-14);
        assert_near(shifted->entropy, plain->entropy, 1e-12);
        spn_law_free(shifted);
        spn_law_free(plain);
    }
    spn_landscape_free(l);
    spn_landscape_free(a);
}

static void assert_fails(spn_status actual, spn_status expected, const spn_error *err,
                         const char *part)
{
    assert_int_equal(actual, expected);
    if (!strstr(err->text, part))
        fail_msg("expected \"%s\" in \"%s\"", part, err->text);
    assert_null(strchr(err->text, '\n'));
}

static void test_bad_input(void **state)
{
    (void)state;
    double values[8] = {0, 1, NAN, 0, 0, 0, 0, 0};
    spn_energy *energy = table_energy(values, 3, false);
    spn_landscape *l = NULL;
    spn_error err = {0};
    assert_fails(spn_landscape_create(&l, energy, 0, &err), SPN_ERROR_ENERGY, &err,
                 "NaN at state 2");
    values[2] = INFINITY;
    assert_fails(spn_landscape_create(&l, energy, 0, &err), SPN_ERROR_ENERGY, &err, "infinite");
    spn_energy_free(energy);
    energy = table_energy(values, 30, false);
    assert_fails(spn_landscape_create(&l, energy, 0, &err), SPN_ERROR_ARGUMENT, &err,
                 "N may be up to 24");
    spn_energy_free(energy);
    assert_null(l);

    l = landscape_b();
    spn_law *law = NULL;
    const spn_law_method way = SPN_LAW_AUTO;
    assert_fails(spn_law_create(&law, l, 0, 1, 1, way, &err), SPN_ERROR_ARGUMENT, &err,
                 "replicas must be 1 to 255, not 0");
    assert_fails(spn_law_create(&law, l, 2, -1, 1, way, &err), SPN_ERROR_ARGUMENT, &err,
                 "beta must be 0 or more, not -1");
    assert_fails(spn_law_create(&law, l, 2, NAN, 1, way, &err), SPN_ERROR_ARGUMENT, &err, "beta");
    assert_fails(spn_law_create(&law, l, 2, 1, -0.5, way, &err), SPN_ERROR_ARGUMENT, &err,
                 "gamma must be finite and 0 or more, not -0.5");
    assert_fails(spn_law_create(&law, l, 2, 1, INFINITY, way, &err), SPN_ERROR_ARGUMENT, &err,
                 "gamma");
    assert_fails(spn_law_create(&law, l, 5, 1, 1, SPN_LAW_ENUMERATE, &err), SPN_ERROR_ARGUMENT,
                 &err, "N may be up to 4");
    assert_null(law);
    spn_landscape_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_landscapes),
        cmocka_unit_test(test_enumeration_of_blocks),
        cmocka_unit_test(test_reference_values),
        cmocka_unit_test(test_distance_to_limit),
        cmocka_unit_test(test_aligned_minima),
        cmocka_unit_test(test_enumeration_equals_transform),
        cmocka_unit_test(test_large_transform),
        cmocka_unit_test(test_minimum_not_zero),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
