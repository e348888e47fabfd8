/* Problems as energies: what is kept from flip to flip is the score of the problem, also in copied
   caches, for all kinds of variables, products, soft and hard constraints; the weight of
   violations; and the names of the spins. */
#include "support/scratch.h"

#include <spinney/program.h>
#include <spinney/random.h>
#include <stdlib.h>

enum { VARIABLES = 9, DEGREE = 5, PROBLEMS = 200, FLIPS = 400 };

static double draw(spn_random *random, bool real)
{
    const double whole = (double)spn_random_below(random, 9) - 4;
    return real ? whole + spn_random_uniform(random) : whole;
}

/* `count` random terms of up to five variables. */
static void add(spn_program *p, spn_random *random, size_t count, bool real, bool is_constraint)
{
    enum { MOST = 16 };
    double coefficients[MOST];
    uint32_t list[DEGREE * MOST];
    size_t starts[MOST + 1] = {0};
    spn_error err = {0};
    for (size_t t = 0; t < count; t++) {
        coefficients[t] = draw(random, real);
        starts[t + 1] = starts[t] + 1 + spn_random_below(random, DEGREE);
        for (size_t k = starts[t]; k < starts[t + 1]; k++)
            list[k] = spn_random_below(random, VARIABLES);
    }
    spn_terms terms = spn_terms_defaults();
    terms.count = count;
    terms.coefficients = coefficients;
    terms.starts = starts;
    terms.variables = list;
    const spn_sense sense = (spn_sense)spn_random_below(random, 3);
    const double weight = spn_random_below(random, 3) ? INFINITY : 2;
    const spn_status status =
        is_constraint
            ? spn_program_add_constraint(p, NULL, &terms, sense, draw(random, real), weight, &err)
            : spn_program_add_objective(p, &terms, 1, &err);
    assert_int_equal(status, SPN_OK);
}

static spn_program *made(spn_random *random, bool real)
{
    spn_program *p;
    spn_error err = {0};
    assert_int_equal(spn_program_create(&p, &err), SPN_OK);
    for (size_t kind = 0; kind < 3; kind++)
        assert_int_equal(spn_program_add_variables(p, NULL, VARIABLES / 3, NULL,
                                                   (spn_variable_kind)kind, -1, 3, &err),
                         SPN_OK);
    assert_int_equal(spn_program_fix(p, spn_random_below(random, VARIABLES), 1, &err), SPN_OK);
    spn_program_set_maximise(p, spn_random_below(random, 2));
    add(p, random, 16, real, false);
    for (size_t k = 0; k < 4; k++)
        add(p, random, 4, real, true);
    return p;
}

/* By the score of the values of a state. */
static double direct(const spn_program *p, const spn_energy *energy, const int8_t *spins,
                     double penalty)
{
    int32_t values[VARIABLES];
    spn_score score, again;
    spn_error err = {0};
    assert_int_equal(spn_program_energy_score(&score, values, energy, spins, &err), SPN_OK);
    assert_int_equal(spn_program_score(&again, NULL, p, values, &err), SPN_OK);
    assert_true(score.objective == again.objective);
    return (spn_program_maximises(p) ? -1 : 1) * score.objective + penalty * score.violation;
}

static void caches_follow_flips(void **state)
{
    (void)state;
    spn_random random = spn_random_make(5, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < PROBLEMS; k++) {
        const bool real = k % 2;
        spn_program *p = made(&random, real);
        spn_energy *energy;
        spn_error err = {0};
        double penalty = k % 3 ? 3 : 0;
        assert_int_equal(spn_program_energy_create(&energy, p, &penalty, &err), SPN_OK);
        assert_true(penalty > 0 && spn_energy_integral(energy) == !real);
        const size_t sites = spn_energy_sites(energy), size = spn_energy_cache_size(energy);
        int8_t *spins = calloc(sites, 1);
        void *cache[2] = {aligned_alloc(64, (size + 63) / 64 * 64),
                          aligned_alloc(64, (size + 63) / 64 * 64)};
        assert_true(spins && cache[0] && cache[1]);
        for (size_t i = 0; i < sites; i++)
            spins[i] = spn_random_below(&random, 2) ? 1 : -1;
        double value = spn_energy_attach(energy, cache[0], spins);
        for (size_t flip = 0; flip < FLIPS; flip++) {
            const size_t i = spn_random_below(&random, (uint32_t)sites);
            void *now = cache[flip / 50 % 2], *next = cache[(flip + 1) / 50 % 2];
            const double change = spn_energy_delta(energy, now, spins, i), before = value;
            spins[i] = (int8_t)-spins[i];
            value = spn_energy_commit(energy, now, spins, i);
            const double right = direct(p, energy, spins, penalty), slack = real ? 1e-9 * 200 : 0;
            assert_true(fabs(value - right) <= slack && fabs(value - before - change) <= slack);
            assert_true(fabs(spn_energy_value(energy, spins) - right) <= slack);
            if (next != now) /* a cache may be copied */
                memcpy(next, now, size);
            if (next != now)
                memset(now, 0xff, size);
        }
        free(cache[0]);
        free(cache[1]);
        free(spins);
        spn_energy_free(energy);
        spn_program_free(p);
    }
}

static void spins_are_named_and_priced(void **state)
{
    (void)state;
    spn_program *p;
    spn_energy *energy;
    spn_error err = {0};
    int32_t weight, values[3];
    double penalty = 0;
    const char *const names[] = {"a", "b"};
    const uint32_t list[] = {0, 2};
    const double coefficients[] = {-5, 2};
    spn_terms terms = spn_terms_defaults();
    terms.count = 2;
    terms.variables = list;
    terms.coefficients = coefficients;
    assert_int_equal(spn_program_create(&p, &err), SPN_OK);
    assert_int_equal(spn_program_add_variables(p, NULL, 2, names, SPN_VARIABLE_BINARY, 0, 1, &err),
                     SPN_OK);
    assert_int_equal(spn_program_add_variables(p, NULL, 1, NULL, SPN_VARIABLE_INTEGER, -1, 4, &err),
                     SPN_OK);
    assert_int_equal(spn_program_add_objective(p, &terms, 0, &err), SPN_OK);
    assert_int_equal(spn_program_fix(p, 1, 1, &err), SPN_OK);
    assert_int_equal(spn_program_energy_create(&energy, p, &penalty, &err), SPN_OK);
    assert_true(penalty == 5 && spn_energy_sites(energy) == 4);
    const struct {
        size_t variable;
        int32_t weight;
    } bits[] = {{0, 0}, {2, 1}, {2, 2}, {2, 2}};
    for (size_t i = 0; i < 4; i++)
        assert_true(spn_program_energy_variable(&weight, energy, i) == bits[i].variable &&
                    weight == bits[i].weight);
    spn_score score;
    assert_int_equal(
        spn_program_energy_score(&score, values, energy, (const int8_t[]){1, 1, -1, 1}, &err),
        SPN_OK);
    assert_true(values[0] == 1 && values[1] == 1 && values[2] == 2 && score.objective == -1);
    spn_energy_free(energy);
    penalty = -1;
    assert_error(spn_program_energy_create(&energy, p, &penalty, &err), &err, SPN_ERROR_ARGUMENT,
                 "penalty", "-1");
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(spn_program_fix(p, i, 1, &err), SPN_OK);
    penalty = 1;
    assert_error(spn_program_energy_create(&energy, p, &penalty, &err), &err, SPN_ERROR_ARGUMENT,
                 "fixed", "");
    assert_null(energy);
    spn_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(caches_follow_flips),
                                       cmocka_unit_test(spins_are_named_and_priced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
