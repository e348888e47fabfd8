/* The dense set D: balls and lists of states, how isolated the other minima are, the bound of
   Proposition 3.5 where its proof applies, and the gamma of the largest mass. */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static double mass(const spn_landscape *l, const spn_dense_set *d, size_t y, double beta,
                   double gamma)
{
    double out = 0;
    spn_error err = {0};
    assert_ok(spn_dense_mass(&out, l, y, beta, gamma, d->states, d->count, &err), err);
    return out;
}

/* The ball is the planted one, and the same set as a list is the same but for being a ball. */
static void test_ball_and_states(void **state)
{
    (void)state;
    spn_planted *p = planted_p7();
    spn_landscape *l = landscape_of(p);
    spn_dense_set *ball = NULL, *list = NULL;
    spn_error err = {0};
    assert_ok(spn_dense_set_ball(&ball, l, 0, 1, &err), err);
    assert_true(ball->is_ball && ball->center == 0 && ball->radius == 1);
    assert_int_equal(ball->count, p->ball_count);
    assert_memory_equal(ball->states, p->ball, p->ball_count * sizeof *p->ball);
    assert_int_equal(ball->minima, 8);
    assert_int_equal(ball->apart, 3); /* a codeword to the ball */
    assert_ok(spn_dense_set_states(&list, l, p->ball, p->ball_count, &err), err);
    assert_false(list->is_ball);
    assert_int_equal(list->minima, 8);
    assert_int_equal(list->apart, 3);
    assert_true(isnan(spn_dense_set_bound(list, l, 3, 4)));
    assert_true(spn_dense_set_bound(ball, l, 3, 4) > 0);
    spn_dense_set_free(ball);
    spn_dense_set_free(list);
    spn_landscape_free(l);
    spn_planted_free(p);
}

/* All minima inside: there is none outside to be isolated, and no bound. */
static void test_everything(void **state)
{
    (void)state;
    spn_landscape *l = landscape_a();
    spn_dense_set *all = NULL;
    spn_error err = {0};
    assert_ok(spn_dense_set_ball(&all, l, 5, 3, &err), err);
    assert_int_equal(all->count, 8);
    assert_int_equal(all->minima, 2);
    assert_int_equal(all->apart, 4);
    assert_true(isnan(spn_dense_set_bound(all, l, 2, 4)));
    assert_near(mass(l, all, 2, 1, 0.5), 1, 1e-14);
    spn_dense_set_free(all);
    spn_landscape_free(l);
}

static void test_bound(void **state)
{
    (void)state;
    spn_planted *p = planted_p15a();
    spn_landscape *l = landscape_of(p);
    spn_dense_set *d = NULL;
    spn_error err = {0};
    size_t said = 0, silent = 0;
    assert_ok(spn_dense_set_ball(&d, l, 0, 1, &err), err);
    for (size_t y = 2; y <= 9; y++)
        for (double gamma = 0.125; gamma <= 8; gamma *= 2) {
            const double bound = spn_dense_set_bound(d, l, y, gamma);
            const double B_prime = log(cosh(gamma * (double)y) / cosh(gamma * ((double)y - 2)));
            const bool applies = (double)d->apart * B_prime >= (double)y * log(47);
            assert_true((isnan(bound) != 0) == !applies);
            *(applies ? &said : &silent) += 1;
            if (applies)
                assert_true(bound <= mass(l, d, y, INFINITY, gamma) * (1 + 1e-12));
        }
    assert_true(said > 0 && silent > 0);
    spn_dense_set_free(d);
    spn_landscape_free(l);
    spn_planted_free(p);
}

/* The values of docs/theory.md, from many values and from an interval. */
static void test_best_gamma(void **state)
{
    (void)state;
    static const double gammas[7] = {0, .3, .6, .8, 1, 2, 4};
    spn_planted *p = planted_p15a();
    spn_landscape *l = landscape_of(p);
    spn_dense_set *d = NULL;
    spn_error err = {0};
    double gamma, best;
    bool refined = false;
    assert_ok(spn_dense_set_ball(&d, l, 0, 1, &err), err);
    assert_ok(spn_dense_set_best_gamma(&gamma, &best, &refined, d, l, 3, INFINITY, gammas, 7, &err),
              err);
    assert_true(refined);
    assert_near(gamma, .6133, 0.5e-4);
    assert_near(best, .892579, 0.5e-6);
    assert_true(best == mass(l, d, 3, INFINITY, gamma));
    const double interval[2] = {.3, .8};
    double again, mass_again;
    assert_ok(
        spn_dense_set_best_gamma(&again, &mass_again, NULL, d, l, 3, INFINITY, interval, 2, &err),
        err);
    assert_true(again == gamma && mass_again == best); /* the neighbours of .6 */
    /* the best at an end is left as it is */
    assert_ok(spn_dense_set_best_gamma(&gamma, &best, &refined, d, l, 3, INFINITY, gammas, 3, &err),
              err);
    assert_true(!refined && gamma == .6);
    spn_dense_set_free(d);
    spn_landscape_free(l);
    spn_planted_free(p);
}

static void test_bad_sets(void **state)
{
    (void)state;
    spn_landscape *l = landscape_a();
    spn_dense_set *d = NULL;
    spn_error err = {0};
    const uint32_t twice[3] = {7, 2, 7}, beyond[1] = {8};
    assert_int_equal(spn_dense_set_states(&d, l, twice, 3, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "state 7 is named twice"));
    assert_int_equal(spn_dense_set_states(&d, l, beyond, 1, &err), SPN_ERROR_ARGUMENT);
    assert_non_null(strstr(err.text, "state 8 is out of range, expected 0 to 7"));
    assert_int_equal(spn_dense_set_ball(&d, l, 8, 1, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_dense_set_ball(&d, l, 0, 4, &err), SPN_ERROR_ARGUMENT);
    assert_null(d);
    assert_ok(spn_dense_set_ball(&d, l, 2, 1, &err), err);
    const double infinite[3] = {0, 1, INFINITY}, negative[2] = {-1, 1};
    double gamma, best;
    assert_int_equal(spn_dense_set_best_gamma(&gamma, &best, NULL, d, l, 2, 1, infinite, 3, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_dense_set_best_gamma(&gamma, &best, NULL, d, l, 2, 1, negative, 2, &err),
                     SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_dense_set_best_gamma(&gamma, &best, NULL, d, l, 2, 1, infinite, 0, &err),
                     SPN_ERROR_ARGUMENT);
    spn_dense_set_free(d);
    spn_landscape_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_and_states), cmocka_unit_test(test_everything),
        cmocka_unit_test(test_bound),           cmocka_unit_test(test_best_gamma),
        cmocka_unit_test(test_bad_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
