#include "support/test.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every test can be run as in a program whose locale has a decimal comma. */
__attribute__((constructor)) static void choose_locale(void)
{
    const char *name = getenv("SPN_TEST_LOCALE");
    if (!name)
        return;
    if (!setlocale(LC_ALL, name) || !setlocale(LC_MESSAGES, "C") ||
        strcmp(localeconv()->decimal_point, ",") != 0) {
        fprintf(stderr, "the locale '%s' cannot be had, or has no decimal comma\n", name);
        exit(1);
    }
}

double spn_test_strtod(const char *text, char **end)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const double value = strtod_l(text, end, locale);
    freelocale(locale);
    return value;
}

void spn_assert_near(double actual, double expected, double tolerance, const char *what,
                     const char *file, int line)
{
    if (fabs(actual - expected) <= tolerance)
        return;
    print_error("%s = %.17g, expected %.17g within %g (difference %g)\n", what, actual, expected,
                tolerance, actual - expected);
    _fail(file, line);
}

void spn_assert_digits(double actual, double expected, int digits, const char *what,
                       const char *file, int line)
{
    double magnitude = expected == 0 ? 1.0 : pow(10.0, floor(log10(fabs(expected))) + 1);
    spn_assert_near(actual, expected, 0.5001 * magnitude * pow(10.0, -digits), what, file, line);
}

void spn_assert_ok(int status, const char *text, const char *file, int line)
{
    if (status == 0)
        return;
    print_error("status %d: %s\n", status, text);
    _fail(file, line);
}

/* The regularised upper incomplete gamma function, by its series or its continued fraction. */
static double upper_gamma(double a, double x)
{
    if (x <= 0)
        return 1.0;
    double scale = exp(-x + a * log(x) - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (double n = a + 1; fabs(term) > 1e-17 * fabs(sum); n++)
            sum += term *= x / n;
        return 1 - sum * scale;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 10000; i++) {
        double an = -i * (i - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return h * scale;
}

double spn_chi_square_tail(double statistic, double degrees)
{
    return upper_gamma(degrees / 2, statistic / 2);
}

double spn_normal_tail(double z)
{
    return erfc(fabs(z) / sqrt(2.0));
}

size_t spn_test_least_covered(size_t repeats)
{
    const double n = (double)repeats;
    return (size_t)ceil(0.95 * n - 3.25 * sqrt(0.95 * 0.05 * n));
}

double spn_pearson_test(const uint64_t *observed, const double *expected, size_t cells)
{
    double total = 0;
    for (size_t k = 0; k < cells; k++)
        total += (double)observed[k];
    double statistic = 0, rest_observed = 0, rest_expected = 0, degrees = -1;
    for (size_t k = 0; k < cells; k++) {
        rest_observed += (double)observed[k];
        rest_expected += total * expected[k];
        if (rest_expected < 5)
            continue;
        statistic += pow(rest_observed - rest_expected, 2) / rest_expected;
        degrees++;
        rest_observed = rest_expected = 0;
    }
    /* what is left of a last cell too small to count is its own small cell: count it as observed */
    if (rest_observed > 0 && rest_expected <= 0)
        return 0;
    return spn_chi_square_tail(statistic, degrees);
}
