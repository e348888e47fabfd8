/* Schedules: their values, their texts, and what they refuse. */
#include "support/schedules.h"
#include "support/test.h"

#include <math.h>
#include <spinney/schedule.h>
#include <string.h>

static double value(const spn_schedule *schedule, uint64_t t)
{
    return spn_schedule_value(schedule, t, 1000, 0, 3);
}

static void formulas_hold(void **state)
{
    (void)state;
    const spn_schedule *s = spn_test_constant(2.5);
    assert_true(value(s, 0) == 2.5 && value(s, 999) == 2.5);
    s = spn_test_linear(1, 3);
    assert_near(value(s, 0), 1, 0);
    assert_near(value(s, 250), 1.5, 1e-15);
    s = spn_test_quadratic(1, 3);
    assert_near(value(s, 500), 1.5, 1e-15);
    s = spn_test_exponential(100, 100000);
    assert_near(value(s, 0), 100, 1e-12);
    for (uint64_t t = 0; t <= 1000; t += 7)
        assert_near(value(s, t) / (100 * pow(1000, (double)t / 1000)), 1, 4e-15);
    s = spn_test_logarithmic(2, 0.5);
    assert_near(value(s, 10), log(6) / 2, 1e-15);
}

static void scoping_counts_accepted_moves(void **state)
{
    (void)state;
    const spn_schedule *s = spn_test_scoping(2, 0.1, 1000);
    assert_true(spn_schedule_value(s, 5, 0, 0, 3) == 2);
    assert_true(spn_schedule_value(s, 5, 0, 2999, 3) == 2);
    assert_near(spn_schedule_value(s, 5, 0, 3000, 3), 2.2, 1e-15);
    assert_near(spn_schedule_value(s, 5, 0, 30000, 3), 2 * pow(1.1, 10), 1e-14);
}

static void pieces_change_at_their_borders(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_piece pieces[] = {{0.5, 10}, {1, 5}, {3, 100}};
    spn_schedule *s;
    assert_ok(spn_schedule_pieces(&s, pieces, 3, &err), err);
    assert_int_equal(spn_schedule_length(s), 115);
    assert_true(value(s, 0) == 0.5 && value(s, 9) == 0.5 && value(s, 10) == 1);
    assert_true(value(s, 14) == 1 && value(s, 15) == 3 && value(s, 500) == 3);
    spn_schedule_free(s);
}

/* The slow schedule of Theorem 1 on reference instance A. */
static void theorem1_has_its_lengths(void **state)
{
    (void)state;
    spn_error err = {0};
    const spn_theorem1 constants = {1.5, 0.5, 1, 1, 0.1698, 1};
    const size_t n[] = {1, 2, 3, 5, 8, 10};
    const uint64_t lengths[] = {15, 68, 206, 1204, 10914, 41460};
    spn_schedule *s;
    assert_ok(spn_schedule_theorem1(&s, &constants, 10, &err), err);
    size_t count;
    const spn_piece *pieces = spn_schedule_get_pieces(s, &count);
    assert_int_equal(count, 10);
    for (size_t k = 0; k < 6; k++) {
        assert_int_equal(pieces[n[k] - 1].steps, lengths[k]);
        assert_near(pieces[n[k] - 1].value, 1.5 * log((double)n[k]) + 0.5 * (double)n[k], 1e-14);
    }
    spn_schedule_free(s);
    spn_theorem1 bad = constants;
    bad.alpha = 1;
    assert_int_equal(spn_schedule_theorem1(&s, &bad, 10, &err), SPN_ERROR_ARGUMENT);
    assert_int_equal(spn_schedule_theorem1(&s, &constants, 1000, &err), SPN_ERROR_ARGUMENT);
}

/* A block of values has the bits of the values one by one, wherever it starts and ends. */
static void filling_gives_the_same_bits(void **state)
{
    (void)state;
    const spn_piece pieces[] = {{0.5, 10}, {1, 60}, {3, 100}};
    const spn_schedule *schedules[] = {spn_test_constant(1),         spn_test_linear(0, 3),
                                       spn_test_quadratic(1, 2),     spn_test_exponential(0.1, 30),
                                       spn_test_logarithmic(1, 0.3), spn_test_scoping(1, 0.01, 10),
                                       spn_test_pieces(pieces, 3)};
    for (size_t s = 0; s < 7; s++)
        for (uint64_t first = 0; first < 200; first += 13)
            for (size_t count = 1; count < 300; count += 37) {
                double block[300];
                spn_schedule_fill(schedules[s], first, count, 1000, 500, 3, block);
                for (size_t j = 0; j < count; j++)
                    assert_true(block[j] ==
                                spn_schedule_value(schedules[s], first + j, 1000, 500, 3));
            }
}

static void texts_are_understood(void **state)
{
    (void)state;
    const struct {
        const char *range, *kind, *description;
    } good[] = {
        {"2", NULL, "constant 2"},
        {"0.1:10", NULL, "exponential 0.1 to 10"},
        {"0:1", NULL, "linear 0 to 1"},
        {"1:3", "quadratic", "quadratic 1 to 3"},
        {"10:1", "exponential", "exponential 10 to 1"},
        {"1", "logarithmic:m=2,C=0.1", "logarithmic (1/2) log(1 + 0.1 t)"},
        {"1", "pieces:0.5x100,1x200", "2 pieces, 0.5 to 1 over 300 steps"},
        {"1", "theorem1:alpha=1.5,b=.5,B=1,m=1,c=.1698,kappa=2.718281828459045,stages=3",
         "3 pieces, 0.5 to 3.14792 over 289 steps"},
        {"2", "scoping:factor=0.01", "scoping 2, times 1.01 every 1000 accepted moves a replica"},
        {"2", "scoping:every=5,factor=0.01",
         "scoping 2, times 1.01 every 5 accepted moves a replica"}};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        spn_error err = {0};
        spn_schedule *s;
        char text[160];
        assert_ok(spn_schedule_parse(&s, good[k].range, good[k].kind, &err), err);
        spn_schedule_describe(s, text, sizeof text);
        assert_string_equal(text, good[k].description);
        spn_schedule_free(s);
    }
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *range, *kind, *part;
    } bad[] = {{"x", NULL, "'x' is not a number or START:END"},
               {"1:", NULL, "'1:' is not"},
               {"1:2:3", NULL, "is not a number or START:END"},
               {"nan", NULL, "is not a number"},
               {"inf", NULL, "is not a number"},
               {"1:2", "constant", "constant takes one value"},
               {"1:2", "exponental", "'exponental' is not a schedule"},
               {"1:2", "linear:m=1", "linear takes no parameters"},
               {"1", "logarithmic:m=2", "logarithmic needs C=VALUE"},
               {"1", "logarithmic:m=2,D=1", "'D=1' is not one of KEY=VALUE with m, C"},
               {"1", "pieces:1x", "does not start with VALUExSTEPS"},
               {"1", "pieces:", "does not start with VALUExSTEPS"},
               {"1", "pieces:1x2.5", "STEPS a whole number"},
               {"1", "pieces:1x10,,2x10", "does not start with VALUExSTEPS"},
               {"1", "theorem1:alpha=2", "theorem1 needs b=VALUE"},
               {"1", "scoping", "scoping needs factor=VALUE"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        spn_error err = {0};
        spn_schedule *s;
        assert_int_equal(spn_schedule_parse(&s, bad[k].range, bad[k].kind, &err),
                         SPN_ERROR_ARGUMENT);
        if (!strstr(err.text, bad[k].part))
            fail_msg("'%s' does not say '%s'", err.text, bad[k].part);
    }
}

static void unusable_schedules_are_refused(void **state)
{
    (void)state;
    spn_piece falling[] = {{2, 10}, {1, 10}}, empty[] = {{2, 0}};
    const struct {
        const spn_schedule *schedule;
        bool is_beta;
        uint64_t steps;
        bool good;
    } cases[] = {{spn_test_constant(-1), true, 10, false},
                 {spn_test_constant(NAN), true, 10, false},
                 {spn_test_constant(0), true, 0, true},
                 {spn_test_linear(0, 1), true, 0, false},
                 {spn_test_linear(0, 1), true, 10, true},
                 {spn_test_linear(1, 0), true, 10, true},
                 {spn_test_exponential(0, 1), true, 10, false},
                 {spn_test_exponential(1e-200, 1e200), true, 10, false},
                 {spn_test_logarithmic(0, 1), true, 10, false},
                 {spn_test_logarithmic(1, -1), true, 10, false},
                 {spn_test_logarithmic(1, 1e280), true, 10, true},
                 {spn_test_logarithmic(1, 1e281), true, 10, false},
                 {spn_test_logarithmic(1e-281, 1), true, 10, false},
                 {spn_test_scoping(1, -0.5, 10), true, 10, false},
                 {spn_test_scoping(1, 0.5, 0), true, 10, false},
                 {spn_test_scoping(1, 0.5, 1ull << 63), true, 10, false},
                 {spn_test_pieces(falling, 2), true, 20, false},
                 {spn_test_pieces(falling, 2), false, 20, true},
                 {spn_test_pieces(empty, 1), true, 20, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        spn_error err = {0};
        spn_status status =
            spn_schedule_check(cases[k].schedule, "beta", cases[k].is_beta, cases[k].steps, &err);
        if ((status == SPN_OK) != cases[k].good)
            fail_msg("case %zu: status %d, %s", k, status, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_hold),
        cmocka_unit_test(scoping_counts_accepted_moves),
        cmocka_unit_test(pieces_change_at_their_borders),
        cmocka_unit_test(theorem1_has_its_lengths),
        cmocka_unit_test(filling_gives_the_same_bits),
        cmocka_unit_test(texts_are_understood),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(unusable_schedules_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
