/* Generalisation against its definition: all patterns one by one, and the law of large numbers. */
#include "support/test.h"

#include <math.h>
#include <spinney/generalisation.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

/* The label by its definition. */
static int label_of(const spn_generalisation_options *o, const int8_t *weights, const int8_t *row)
{
    const size_t inputs = o->sites / o->units;
    int votes = 0;
    for (size_t unit = 0; unit < o->units; unit++) {
        int sum = 0;
        for (size_t i = 0; i < inputs; i++)
            sum += weights[unit * inputs + i] * row[o->tree ? unit * inputs + i : i];
        votes += sum >= 0 ? 1 : -1;
    }
    return votes > 0 ? 1 : -1;
}

typedef struct expected {
    double mean, vote, each[3];
} expected;

static expected by_definition(const spn_generalisation_options *o, const int8_t *states)
{
    const size_t inputs = o->tree ? o->sites : o->sites / o->units, all = (size_t)1 << inputs;
    expected out = {0};
    for (size_t number = 0; number < all; number++) {
        int8_t row[16];
        int votes = 0;
        for (size_t i = 0; i < inputs; i++)
            row[i] = number >> i & 1 ? 1 : -1;
        const int right = label_of(o, o->teacher, row);
        for (size_t k = 0; k < 3; k++) {
            const int said = label_of(o, states + k * o->sites, row);
            votes += said;
            out.each[k] += said == right;
            out.mean += said == right;
        }
        out.vote += (votes >= 0 ? 1 : -1) == right;
    }
    out.mean /= 3 * (double)all;
    out.vote /= (double)all;
    for (size_t k = 0; k < 3; k++)
        out.each[k] /= (double)all;
    return out;
}

static const struct {
    size_t sites, units;
    bool tree;
} shapes[] = {{9, 1, false}, {12, 1, true},  {9, 3, true},
              {10, 5, true}, {30, 3, false}, {40, 5, false}};

/* Small: all patterns, exactly; and the same probabilities from a sample, within 5 standard errors
   (false alarms below 1e-6 each). */
static void agrees_with_the_definition(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        int8_t teacher[40], states[120];
        double each[3];
        spn_error err = {0};
        spn_generalisation found;
        spn_generalisation_options o = spn_generalisation_defaults();
        spn_random r = spn_random_make(k, 0, 0, SPN_PURPOSE_USER);
        o.sites = shapes[k].sites;
        o.units = shapes[k].units;
        o.tree = shapes[k].tree;
        o.teacher = teacher;
        spn_random_spins(&r, teacher, o.sites);
        spn_random_spins(&r, states, 3 * o.sites);
        memcpy(states, teacher, o.sites / 2 + 1);
        const expected exact = by_definition(&o, states);
        assert_ok(spn_generalisation_measure(&found, each, states, 3, &o, &err), err);
        assert_true(found.exact && found.standard_error == 0);
        assert_near(found.mean, exact.mean, 1e-12);
        assert_near(found.vote, exact.vote, 1e-12);
        for (size_t a = 0; a < 3; a++)
            assert_near(each[a], exact.each[a], 1e-12);
        o.patterns = 255; /* fewer than there are */
        assert_ok(spn_generalisation_measure(&found, each, states, 3, &o, &err), err);
        assert_true(!found.exact && found.patterns == 255 && found.standard_error > 0);
        assert_near(found.mean, exact.mean, 5 * found.standard_error);
        assert_near(found.vote, exact.vote, 5 * sqrt(0.25 / 255));
    }
}

/* A large perceptron: 1 - acos(overlap)/pi, up to 1/sqrt(N); more words than one. */
static void large_perceptrons_follow_their_overlap(void **state)
{
    (void)state;
    enum { SITES = 4001 };
    int8_t teacher[SITES], student[SITES];
    spn_error err = {0};
    spn_generalisation found;
    spn_generalisation_options o = spn_generalisation_defaults();
    spn_random r = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, teacher, SITES);
    memcpy(student, teacher, SITES);
    for (size_t i = 0; i < SITES; i++)
        if (spn_random_below(&r, 5) == 0)
            student[i] = (int8_t)-student[i];
    o.sites = SITES;
    o.teacher = teacher;
    double overlap;
    assert_ok(spn_teacher_overlap(&overlap, student, &o, &err), err);
    assert_ok(spn_generalisation_measure(&found, NULL, student, 1, &o, &err), err);
    assert_near(found.mean, 1 - acos(overlap) / acos(-1), 5 * found.standard_error + 0.002);
    assert_near(found.standard_error, sqrt(found.mean * (1 - found.mean) / 16383), 1e-12);
    assert_true(found.vote == found.mean);
    assert_ok(spn_generalisation_measure(&found, NULL, teacher, 1, &o, &err), err);
    assert_true(found.mean == 1 && found.standard_error == 0 && !found.exact);
}

/* Units in another order are the same network: overlap 1, but only where the order is free. */
static void units_are_matched(void **state)
{
    (void)state;
    enum { UNITS = 5, INPUTS = 31, SITES = UNITS * INPUTS };
    int8_t teacher[SITES], student[SITES];
    double overlap;
    spn_error err = {0};
    spn_generalisation found;
    spn_generalisation_options o = spn_generalisation_defaults();
    spn_random r = spn_random_make(2, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&r, teacher, SITES);
    for (size_t unit = 0; unit < UNITS; unit++)
        memcpy(student + unit * INPUTS, teacher + (unit + 2) % UNITS * INPUTS, INPUTS);
    o.sites = SITES;
    o.units = UNITS;
    o.teacher = teacher;
    assert_ok(spn_teacher_overlap(&overlap, student, &o, &err), err);
    assert_true(overlap == 1);
    assert_ok(spn_generalisation_measure(&found, NULL, student, 1, &o, &err), err);
    assert_true(found.mean == 1);
    student[0] = (int8_t)-student[0];
    assert_ok(spn_teacher_overlap(&overlap, student, &o, &err), err);
    assert_near(overlap, 1 - 2.0 / SITES, 1e-12);
    o.tree = true;
    assert_ok(spn_teacher_overlap(&overlap, student, &o, &err), err);
    assert_true(overlap < 0.5);
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    const int8_t spins[4] = {1, 1, 1, 1};
    double overlap;
    spn_error err = {0};
    spn_generalisation found;
    spn_generalisation_options o = spn_generalisation_defaults();
    o.sites = 4;
    assert_int_equal(spn_generalisation_measure(&found, NULL, spins, 1, &o, &err),
                     SPN_ERROR_ARGUMENT);
    o.teacher = spins;
    assert_int_equal(spn_generalisation_measure(&found, NULL, spins, 0, &o, &err),
                     SPN_ERROR_ARGUMENT);
    o.units = 3;
    assert_int_equal(spn_teacher_overlap(&overlap, spins, &o, &err), SPN_ERROR_ARGUMENT);
    o.units = 2;
    assert_int_equal(spn_teacher_overlap(&overlap, spins, &o, &err), SPN_ERROR_ARGUMENT);
    o.size = 0;
    assert_int_equal(spn_teacher_overlap(&overlap, spins, &o, &err), SPN_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_definition),
        cmocka_unit_test(large_perceptrons_follow_their_overlap),
        cmocka_unit_test(units_are_matched),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
