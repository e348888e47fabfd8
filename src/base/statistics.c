/* Means and their intervals. */
#include "base/memory.h"
#include <spinney/statistics.h>

#include <math.h>
#include <stdbool.h>

static const double PI = 3.14159265358979323846;
static const double NORMAL_QUANTILE = 1.959963984540054; /* 0.975 */

/* Expansion of Cornish and Fisher about the normal quantile (Abramowitz & Stegun 26.7.5); the
   error is of order 1 / n^5. */
static double student_of_many(double n)
{
    const double x = NORMAL_QUANTILE, x2 = x * x;
    const double g1 = (x2 + 1) * x / 4, g2 = ((5 * x2 + 16) * x2 + 3) * x / 96;
    const double g3 = (((3 * x2 + 19) * x2 + 17) * x2 - 15) * x / 384;
    const double g4 = ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) * x / 92160;
    return x + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

/* P(|T| < sqrt(n) tan(angle)) as a finite sum (Abramowitz & Stegun 26.7.3, 26.7.4), and its
   derivative by the angle; n is at least 2. */
static double student_within(double *slope, size_t n, double angle)
{
    const double c = cos(angle);
    const bool odd = n % 2 == 1;
    double term = odd ? c : 1, sum = term;
    for (size_t k = odd ? 3 : 2; k + 2 <= n; k += 2) {
        term *= (double)(k - 1) / (double)k * c * c;
        sum += term;
    }
    const double inside = sin(angle) * sum;
    *slope = (double)(n - 1) * term * c;
    if (!odd)
        return inside;
    *slope *= 2 / PI;
    return 2 / PI * (angle + inside);
}

double spn_student_quantile(size_t degrees)
{
    enum { MANY = 1000 };
    if (degrees > MANY)
        return student_of_many((double)degrees);
    if (degrees <= 1)
        return tan(0.475 * PI);
    /* the slope falls with the angle, so Newton's steps from 0 never pass the solution; they end
       when rounding stops progress */
    double angle = 0, next = 0;
    do {
        double slope;
        angle = next;
        next += (0.95 - student_within(&slope, degrees, angle)) / slope;
    } while (next > angle);
    return sqrt((double)degrees) * tan(angle);
}

static spn_summary summarise(const double *values, size_t count)
{
    spn_summary out = {.mean = NAN,
                       .deviation = NAN,
                       .half = NAN,
                       .least = NAN,
                       .most = NAN,
                       .low = NAN,
                       .high = NAN};
    double sum = 0, squares = 0;
    for (size_t k = 0; k < count; k++) {
        if (isnan(values[k]))
            continue;
        out.count++;
        sum += values[k];
        out.least = fmin(out.least, values[k]);
        out.most = fmax(out.most, values[k]);
    }
    if (out.count == 0)
        return out;
    /* the mean of equal values is exact, and they have no spread */
    out.mean = out.least == out.most ? out.least : sum / (double)out.count;
    for (size_t k = 0; k < count; k++)
        if (!isnan(values[k]))
            squares += (values[k] - out.mean) * (values[k] - out.mean);
    if (out.count < 2)
        return out;
    out.deviation = sqrt(squares / (double)(out.count - 1));
    out.half = spn_student_quantile(out.count - 1) * out.deviation / sqrt((double)out.count);
    out.low = out.mean - out.half;
    out.high = out.mean + out.half;
    return out;
}

void spn_summarise_sized(spn_summary *out, size_t size, const double *values, size_t count)
{
    const spn_summary own = summarise(values, count);
    spn_sized_give(out, size, &own, sizeof own);
}

/* Trials of 0 or 1 with the variance of these shares. */
static double trials_of(const spn_summary *s)
{
    const double n = (double)s->count, one = s->mean * (1 - s->mean);
    const double squares = s->count > 1 ? s->deviation * s->deviation * (n - 1) : 0;
    return one > 0 ? n * (n + 1) * one / (squares + one) : n;
}

static spn_summary summarise_shares(const double *values, size_t count)
{
    const double z = NORMAL_QUANTILE;
    spn_summary out = summarise(values, count);
    if (out.count == 0 || out.least < 0 || out.most > 1)
        return out;
    const double n = out.trials = trials_of(&out), p = out.mean;
    const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double reach = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    out.low = p > 0 ? fmax(centre - reach, 0) : 0; /* exact at 0 and 1, despite rounding */
    out.high = p < 1 ? fmin(centre + reach, 1) : 1;
    out.half = (out.high - out.low) / 2;
    return out;
}

void spn_summarise_shares_sized(spn_summary *out, size_t size, const double *values, size_t count)
{
    const spn_summary own = summarise_shares(values, count);
    spn_sized_give(out, size, &own, sizeof own);
}
