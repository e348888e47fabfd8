/* What every unit test includes: cmocka, comparison of doubles, statistics with a stated
   false-alarm rate. */
#ifndef SPN_TEST_H
#define SPN_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first */
#include <cmocka.h>

/* Fail unless |actual - expected| <= tolerance (absolute). */
#define assert_near(actual, expected, tolerance)                                                   \
    spn_assert_near(actual, expected, tolerance, #actual, __FILE__, __LINE__)

/* Fail unless actual agrees with expected to `digits` significant digits. */
#define assert_digits(actual, expected, digits)                                                    \
    spn_assert_digits(actual, expected, digits, #actual, __FILE__, __LINE__)

/* Fail unless status is SPN_OK; print the text of err. */
#define assert_ok(status, err) spn_assert_ok((int)(status), (err).text, __FILE__, __LINE__)

void spn_assert_near(double actual, double expected, double tolerance, const char *what,
                     const char *file, int line);
void spn_assert_digits(double actual, double expected, int digits, const char *what,
                       const char *file, int line);
void spn_assert_ok(int status, const char *text, const char *file, int line);

/* strtod with a decimal point, whatever the locale. */
double spn_test_strtod(const char *text, char **end);

/* Every statistical test fails by chance with at most this probability. */
#define SPN_FALSE_ALARM 1e-6

/* Whether the sanitizers watch. They look for other faults than wrong numbers, so a test that
   repeats the same code may take fewer repeats for them; the plain build has them all. */
static inline bool spn_test_sanitized(void)
{
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}

/* How many samples, repeats or scans a test takes: a sixteenth of them under the sanitizers. */
static inline size_t spn_test_samples(size_t most)
{
    if (!spn_test_sanitized())
        return most;
    return most < 16 ? 1 : most / 16;
}

/* The least number of 95% confidence intervals out of a number of repeats that hold the true value:
   of 100 repeats 88. Fewer come up once in 2000 seeds; the seeds of a test are fixed. */
size_t spn_test_least_covered(size_t repeats);

/* Upper tail probability of the chi-square law. */
double spn_chi_square_tail(double statistic, double degrees);

/* Two-sided tail probability of a standard normal z. */
double spn_normal_tail(double z);

/* The tail probability of Pearson's statistic for observed counts against expected probabilities;
   cells with an expected count below 5 are merged. */
double spn_pearson_test(const uint64_t *observed, const double *expected, size_t cells);

#endif
