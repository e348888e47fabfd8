/* Dense regions: the planted landscapes P7 and P15a of docs/theory.md and the mass of their balls,
   the counts of minima near minima, and bad input. */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static double mass(const spn_landscape *l, size_t y, double beta, double gamma,
                   const spn_planted *p)
{
    double out = 0;
    spn_error err = {0};
    assert_ok(spn_dense_mass(&out, l, y, beta, gamma, p->ball, p->ball_count, &err), err);
    return out;
}

static void test_p7(void **state)
{
    (void)state;
    static const uint32_t codewords[8] = {0, 30, 45, 51, 75, 85, 102, 120};
    static const double gammas[3] = {.2, .5, 1};
    static const double masses[2][3] = {{.320217399092, .484590908636, .636545200770},
                                        {.212852850473, .535976709341, .724530339392}};
    spn_planted *p = planted_p7();
    spn_landscape *l = landscape_of(p);
    assert_int_equal(p->codeword_count, 8);
    assert_memory_equal(p->codewords, codewords, sizeof codewords);
    assert_int_equal(p->ball_count, 8);
    assert_int_equal(p->minima_count, 15);
    assert_int_equal(l->minima_count, 15);
    assert_memory_equal(l->minima, p->minima, 15 * sizeof *p->minima);
    for (size_t y = 2; y <= 3; y++)
        for (size_t g = 0; g < 3; g++)
            assert_digits(mass(l, y, INFINITY, gammas[g], p), masses[y - 2][g], 12);
    assert_near(mass(l, 3, INFINITY, INFINITY, p), 8.0 / 15, 1e-15);
    spn_landscape_free(l);
    spn_planted_free(p);
}

static void test_p15a(void **state)
{
    (void)state;
    static const double gammas[7] = {0, .3, .6, .8, 1, 2, 4};
    static const double masses[2][7] = {
        {.0394517592, .3061285386, .8920104940, .8251874140, .6905457044, .3690800830, .3408510863},
        {.0005298524, .6518977337, .9931532214, .9977594891, .9876871731, .4265526114,
         .3414229901}};
    spn_planted *p = planted_p15a();
    spn_landscape *l = landscape_of(p);
    assert_int_equal(p->ball_count, 16);
    assert_int_equal(l->minima_count, 47);
    for (size_t g = 0; g < 7; g++) {
        assert_near(mass(l, 3, INFINITY, gammas[g], p), masses[0][g], 0.5001e-10);
        assert_near(mass(l, 7, INFINITY, gammas[g], p), masses[1][g], 0.5001e-10);
    }
    assert_near(mass(l, 3, INFINITY, 0, p), pow(16.0 / 47, 3), 1e-15);
    assert_near(mass(l, 3, INFINITY, 50, p), 16.0 / 47, 1e-12);
    assert_near(mass(l, 7, INFINITY, INFINITY, p), 16.0 / 47, 1e-15);
    spn_landscape_free(l);
    spn_planted_free(p);
}

static void test_p15a_finite_beta(void **state)
{
    (void)state;
    static const struct {
        size_t y;
        double beta, gamma, energy, mass, marginal, overlap, zero;
    } rows[2] = {{3, 4, .6, .06509312996, .7395335843, .8427600563, .7792173087, .8290637714},
                 {5, 3, .5, .1502477833, .4790153627, .8550870167, .7351013025, .4952117623}};
    spn_planted *p = planted_p15a();
    spn_landscape *l = landscape_of(p);
    for (size_t r = 0; r < 2; r++) {
        spn_law *law = NULL;
        spn_error err = {0};
        assert_ok(
            spn_law_create(&law, l, rows[r].y, rows[r].beta, rows[r].gamma, SPN_LAW_AUTO, &err),
            err);
        assert_digits(law->mean_energy / (double)rows[r].y, rows[r].energy, 10);
        assert_digits(law->overlap, rows[r].overlap, 10);
        assert_digits(law->prob_minimum, rows[r].zero, 10);
        assert_digits(spn_law_mass(law, p->ball, p->ball_count), rows[r].marginal, 10);
        assert_digits(mass(l, rows[r].y, rows[r].beta, rows[r].gamma, p), rows[r].mass, 10);
        spn_law_free(law);
    }
    spn_landscape_free(l);
    spn_planted_free(p);
}

/* The mass of D^y by the sum over all replicated states. */
static void test_mass_by_definition(void **state)
{
    (void)state;
    const uint32_t set[3] = {1, 6, 13};
    const double betas[3] = {0.7, 300, INFINITY}, gammas[3] = {0, 0.4, 100};
    double law[4096];
    spn_landscape *l = landscape_random(4, 3, 21);
    spn_error err = {0};
    for (size_t i = 0; i < 9; i++) {
        const double beta = betas[i / 3], gamma = gammas[i % 3];
        double expected = 0, actual = 0;
        replicated_law(law, l, 3, beta, gamma);
        for (size_t j = 0; j < 27; j++)
            expected += law[set[j % 3] | set[j / 3 % 3] << 4 | set[j / 9] << 8];
        assert_ok(spn_dense_mass(&actual, l, 3, beta, gamma, set, 3, &err), err);
        assert_near(actual, expected, 1e-12);
    }
    double empty = 1;
    assert_ok(spn_dense_mass(&empty, l, 3, 1, 1, set, 0, &err), err);
    assert_true(empty == 0);
    spn_landscape_free(l);
}

static void test_density_counts(void **state)
{
    (void)state;
    spn_planted *p = planted_p7();
    spn_landscape *l = landscape_of(p);
    spn_density *d = NULL;
    spn_error err = {0};
    size_t exactly, at_least;
    assert_ok(spn_density_create(&d, l, &err), err);
    assert_int_equal(d->count, 15);
    /* minimum 0 is the centre: itself, the ball at 1, the other codewords at 4 */
    const uint32_t centre[8] = {1, 8, 8, 8, 15, 15, 15, 15};
    assert_memory_equal(d->within, centre, sizeof centre);
    assert_int_equal(d->nearest[0], 1);
    for (size_t j = 0; j < d->count; j++) {
        const bool codeword = __builtin_popcount(l->minima[j]) == 4;
        assert_int_equal(spn_density_isolated(d, j, 2), codeword);
        assert_int_equal(spn_density_isolated(d, j, 3), false); /* the ball reaches to 3 */
        assert_int_equal(d->within[j * 8 + 7], 15);
    }
    spn_density_balls(d, 1, 8, &exactly, &at_least);
    assert_int_equal(exactly, 1);
    assert_int_equal(at_least, 1);
    spn_density_balls(d, 1, 1, &exactly, &at_least);
    assert_int_equal(exactly, 7);
    assert_int_equal(at_least, 15);
    spn_density_balls(d, 99, 15, &exactly, NULL);
    assert_int_equal(exactly, 15);
    spn_density_free(d);
    spn_landscape_free(l);
    spn_planted_free(p);
}

/* The energy is the distance to the nearest minimum, against all pairs. */
static void test_planted_energy(void **state)
{
    (void)state;
    spn_planted *p = planted_p15a();
    for (size_t k = 0; k < p->states; k += 7) {
        int nearest = 99;
        for (size_t j = 0; j < p->minima_count; j++) {
            const int distance = __builtin_popcountll(k ^ p->minima[j]);
            nearest = distance < nearest ? distance : nearest;
        }
        assert_true(p->energy[k] == nearest);
    }
    spn_planted_free(p);
}

/* The bound of Proposition 3.5 holds on P15a, where the isolated minima are far enough. */
static void test_dense_bound(void **state)
{
    (void)state;
    spn_planted *p = planted_p15a();
    spn_landscape *l = landscape_of(p);
    for (size_t y = 2; y <= 9; y++)
        for (double gamma = 0.5; gamma <= 8; gamma *= 2) {
            const double q = mass(l, y, INFINITY, gamma, p);
            const double bound = spn_dense_log_bound(16, 47, y, gamma, 1);
            assert_true(log(q) - log1p(-fmin(q, 1 - 1e-16)) >= bound);
        }
    spn_landscape_free(l);
    spn_planted_free(p);
}

static void plant_fails(const char *const *rows, size_t count, size_t radius, const char *part)
{
    spn_planted *p = NULL;
    spn_error err = {0};
    assert_int_equal(spn_planted_create(&p, rows, count, radius, &err), SPN_ERROR_ARGUMENT);
    assert_null(p);
    if (!strstr(err.text, part))
        fail_msg("expected \"%s\" in \"%s\"", part, err.text);
}

static void test_bad_codes(void **state)
{
    (void)state;
    plant_fails((const char *const[]){"1100", "0110", "1010"}, 3, 1, "generator 3 depends");
    plant_fails((const char *const[]){"1100", "0000"}, 2, 1, "generator 2 depends");
    plant_fails((const char *const[]){"1100", "110"}, 2, 1, "generator 2 has 3 bits, expected 4");
    plant_fails((const char *const[]){"1100", "01x0"}, 2, 1, "generator 2: character 3");
    plant_fails((const char *const[]){"1100"}, 1, 5, "radius must be 0 to 4, not 5");
    plant_fails((const char *const[]){""}, 1, 0, "1 to 24 bits, not 0");
    plant_fails((const char *const[]){"1111111111111111111111111"}, 1, 1, "1 to 24 bits, not 25");
    plant_fails(NULL, 0, 1, "1 to 24 bits");
    const char *many[40];
    for (size_t j = 0; j < 40; j++)
        many[j] = j % 2 ? "10" : "01";
    plant_fails(many, 40, 1, "generator 3 depends");
}

static void test_bad_sets(void **state)
{
    (void)state;
    spn_landscape *l = landscape_a();
    spn_error err = {0};
    double out;
    const uint32_t twice[2] = {3, 3}, far[1] = {8};
    assert_int_equal(spn_dense_mass(&out, l, 2, 1, 1, twice, 2, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "state 3 is named twice");
    assert_int_equal(spn_dense_mass(&out, l, 2, 1, 1, far, 1, &err), SPN_ERROR_ARGUMENT);
    assert_string_equal(err.text, "state 8 is out of range, expected 0 to 7");
    spn_landscape_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_p7),
        cmocka_unit_test(test_p15a),
        cmocka_unit_test(test_p15a_finite_beta),
        cmocka_unit_test(test_mass_by_definition),
        cmocka_unit_test(test_density_counts),
        cmocka_unit_test(test_planted_energy),
        cmocka_unit_test(test_dense_bound),
        cmocka_unit_test(test_bad_codes),
        cmocka_unit_test(test_bad_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
