/* Numbers as texts: what is read, what is refused, and that what is written reads back. Run once
   more under a locale with a decimal comma (tests/locale). */
#include "base/number.h"
#include "base/text.h"
#include "support/test.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

static void decimal_numbers_are_read(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0},
                {"-0.5", -0.5},
                {"+3", 3},
                {".25", 0.25},
                {"7.", 7},
                {"1e6", 1e6},
                {"1E-3", 1e-3},
                {"123456789012345678901234567890", 123456789012345678901234567890.0},
                {"0.1000000000000000055511151231257827", 0.1},
                {"2.2250738585072014e-308", 2.2250738585072014e-308},
                {"4.9406564584124654e-324", 4.9406564584124654e-324},
                {"1.7976931348623157e308", 1.7976931348623157e308},
                {"9007199254740993", 9007199254740992.0}, /* ties to even */
                {"9007199254740993.00000000000000001", 9007199254740994.0}};
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
        double value = NAN;
        assert_true(spn_number_parse(&value, good[k].text));
        if (value != good[k].value)
            fail_msg("'%s' is read as %a", good[k].text, value);
    }
}

static void others_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",    " 1",  "1 ",    "0x10", "0X1p3", "1,5",   "1e",
                                      "1e+", "e5",  ".",     "-",    "--1",   "1.2.3", "nan",
                                      "inf", "1_0", "1e999", "1d3",  "١"};
    double value;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        if (spn_number_parse(&value, bad[k]))
            fail_msg("'%s' is read as %g", bad[k], value);
}

/* The number ends where its grammar does. */
static void numbers_are_found_in_texts(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t used;
        double value;
    } cases[] = {{"0x100,1x100", 1, 0}, {"1x100", 1, 1},       {"1,5", 1, 1}, {"2.5:7", 3, 2.5},
                 {"3e5x", 3, 3e5},      {"3e", 1, 3},          {"3e-", 1, 3}, {"-4.", 3, -4},
                 {"abc", 0, 0},         {"1e400", 5, INFINITY}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double value = 0;
        const size_t used = spn_number_scan(&value, cases[k].text, strlen(cases[k].text));
        if (used != cases[k].used || value != cases[k].value)
            fail_msg("'%s': %zu characters, %g", cases[k].text, used, value);
    }
    double value;
    assert_int_equal(spn_number_scan_any(&value, "-inf,1"), 4);
    assert_true(value == -INFINITY);
    assert_int_equal(spn_number_scan_any(&value, "-nan"), 4);
    assert_true(isnan(value));
    assert_int_equal(spn_number_scan_any(&value, "Infinity"), 8);
    assert_int_equal(spn_number_scan_any(&value, "none"), 0);
}

static void whole_numbers_are_exact(void **state)
{
    (void)state;
    const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"0e9", 0},
                {"00012", 12},
                {"300000", 300000},
                {"3e5", 300000},
                {"3.0e5", 300000},
                {"1.5e1", 15},
                {"12300e-2", 123},
                {"1e18", 1000000000000000000u},
                {"9007199254740993", 9007199254740993u},
                {"9223372036854775807", INT64_MAX},
                {"9.223372036854775807e18", INT64_MAX}};
    static const char *const bad[] = {
        "",   "-1",    "1.5", "1e-1", "0x10", "1e19", "9223372036854775808", "18446744073709551616",
        "1 ", "1,000", "inf", "1e",   "0.5e0"};
    uint64_t value;
    for (size_t k = 0; k < sizeof good / sizeof good[0]; k++)
        if (!spn_whole_parse(&value, good[k].text) || value != good[k].value)
            fail_msg("'%s' is read as %llu", good[k].text, (unsigned long long)value);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        if (spn_whole_parse(&value, bad[k]))
            fail_msg("'%s' is read as %llu", bad[k], (unsigned long long)value);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    spn_random random = spn_random_make(7, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 200000; k++) {
        const uint64_t bits = spn_random_u64(&random);
        char text[SPN_NUMBER_TEXT];
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (k % 2)
            value = ldexp((double)(bits % 100000), -(int)(bits >> 60));
        if (!isfinite(value))
            continue;
        for (int brief = 0; brief < 2; brief++) {
            brief ? spn_number_short(text, value) : spn_number_text(text, value);
            if (!spn_number_parse(&back, text) || back != value)
                fail_msg("%a is written as '%s'", value, text);
        }
    }
}

/* As printf writes it: whole numbers in full, others with the least number of digits, from `least`
   on, that read back exactly. */
static void print_plainly(char out[SPN_NUMBER_TEXT], double value, int least)
{
    double back;
    if (least == 15 && value == floor(value) && fabs(value) < 1e15)
        spn_print_text(out, SPN_NUMBER_TEXT, "%.0f", value == 0 ? 0.0 : value);
    else
        for (int digits = least; digits <= 17; digits++) {
            spn_print_text(out, SPN_NUMBER_TEXT, "%.*g", digits, value);
            if (spn_number_parse(&back, out) && back == value)
                break;
        }
}

/* Numbers of few decimals, and their neighbours, which have many. */
static void few_digits_are_written_as_by_printf(void **state)
{
    (void)state;
    static const double units[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 3, 7};
    spn_random random = spn_random_make(9, 0, 0, SPN_PURPOSE_USER);
    for (size_t k = 0; k < 200000; k++) {
        const uint64_t bits = spn_random_u64(&random);
        char text[SPN_NUMBER_TEXT], plain[SPN_NUMBER_TEXT];
        double value = (double)(bits >> (1 + bits % 61)) / units[(bits >> 7) % 11];
        if (k % 5 == 0)
            value = nextafter(value, k % 2 ? INFINITY : -INFINITY);
        if (k % 3 == 0)
            value = -value;
        for (int brief = 0; brief < 2; brief++) {
            brief ? spn_number_short(text, value) : spn_number_text(text, value);
            print_plainly(plain, value, brief ? 6 : isnormal(value) || value == 0 ? 15 : 1);
            if (strcmp(text, plain) != 0)
                fail_msg("%a is written as '%s', not '%s'", value, text, plain);
        }
        spn_whole_text(text, bits);
        snprintf(plain, sizeof plain, "%" PRIu64, bits);
        assert_string_equal(text, plain);
    }
}

static void texts_have_points(void **state)
{
    (void)state;
    char text[SPN_NUMBER_TEXT], *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    spn_number_text(text, 0.1);
    assert_string_equal(text, "0.1");
    spn_number_text(text, 100000);
    assert_string_equal(text, "100000");
    spn_number_text(text, 1e20);
    assert_string_equal(text, "1e+20");
    spn_number_short(text, 1e6);
    assert_string_equal(text, "1e+06");
    spn_print_text(text, sizeof text, "%.3f|%g", 2.5, 1e-7);
    assert_string_equal(text, "2.500|1e-07");
    spn_print(stream, "%.17g", 0.5);
    fclose(stream);
    assert_string_equal(printed, "0.5");
    free(printed);
    assert_true(spn_number_round(0.1 + 0.2, 12) == 0.3);
}

static void pieces_of_texts_are_taken(void **state)
{
    (void)state;
    char out[4];
    spn_take_text(out, sizeof out, "0.1:3", 2);
    assert_string_equal(out, "0.");
    spn_take_text(out, sizeof out, "12", SIZE_MAX);
    assert_string_equal(out, "12");
    spn_take_text(out, sizeof out, "12345", 5);
    assert_string_equal(out, "123");
    spn_take_text(out, sizeof out, "12345", 0);
    assert_string_equal(out, "");
    spn_take_text(out, 1, "12345", 5);
    assert_string_equal(out, "");
}

/* Errors are texts for people, but they too are the same everywhere. */
static void errors_have_points(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_fail(&err, SPN_ERROR_ARGUMENT, "%g is not 2.5", 1.5);
    assert_string_equal(err.text, "1.5 is not 2.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_numbers_are_read),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(numbers_are_found_in_texts),
        cmocka_unit_test(whole_numbers_are_exact),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(few_digits_are_written_as_by_printf),
        cmocka_unit_test(texts_have_points),
        cmocka_unit_test(pieces_of_texts_are_taken),
        cmocka_unit_test(errors_have_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
