#include "chain/jackknife.h"

#include <math.h>
#include <spinney/statistics.h>

enum { WAVES = 8 };

void spn_jackknife_add(spn_jackknife *to, double factor, const spn_jackknife *what)
{
    to->all += factor * what->all;
    for (size_t b = 0; b < to->blocks; b++)
        to->without[b] += factor * what->without[b];
}

/* The sum of the squares, or cubes, of how far the estimates without a block are from their mean.
 */
static double moment(const spn_jackknife *e, bool cubes)
{
    const double n = (double)e->blocks;
    double mean = 0, sum = 0;
    for (size_t b = 0; b < e->blocks; b++)
        mean += e->without[b] / n;
    for (size_t b = 0; b < e->blocks; b++) {
        const double apart = e->without[b] - mean;
        sum += cubes ? apart * apart * apart : apart * apart;
    }
    return sum;
}

size_t spn_jackknife_degrees(const spn_jackknife *e)
{
    const size_t most = e->in_time ? WAVES : SPN_JACKKNIFE_BLOCKS;
    return e->blocks == 0 ? 0 : e->blocks - 1 < most ? e->blocks - 1 : most;
}

/* The mean square over the slowest waves, times blocks - 1: with all waves the sum of squares. */
static double squares_of_waves(const spn_jackknife *e)
{
    const double pi = 3.14159265358979323846, n = (double)e->blocks;
    const size_t waves = spn_jackknife_degrees(e);
    double squares = 0;
    for (size_t k = 1; k <= waves; k++) {
        double part = 0;
        for (size_t b = 0; b < e->blocks; b++)
            part += (e->without[b] - e->without[0]) * cos(pi * (double)k * ((double)b + 0.5) / n);
        squares += 2 / n * part * part;
    }
    return squares * (n - 1) / (double)waves;
}

double spn_jackknife_error(const spn_jackknife *e)
{
    const double n = (double)e->blocks;
    if (e->blocks < 2)
        return NAN;
    return sqrt((e->in_time ? squares_of_waves(e) : moment(e, false)) * (n - 1) / n);
}

void spn_jackknife_give(const spn_jackknife *e, double *value, double *error, double *low,
                        double *high)
{
    *value = e->blocks ? e->all : NAN;
    *error = spn_jackknife_error(e);
    if (!low || !high)
        return;
    const double half =
        e->blocks < 2 ? NAN : spn_student_quantile(spn_jackknife_degrees(e)) * *error;
    *low = *value - half;
    *high = *value + half;
}

/* The skewness of what each block adds to the estimate; the less without a block, the more it adds.
 */
static double skewness(const spn_jackknife *e)
{
    const double n = (double)e->blocks, squares = moment(e, false) / n;
    const double small_sample = e->blocks > 2 ? sqrt(n * (n - 1)) / (n - 2) : 0;
    return -moment(e, true) / n / (squares * sqrt(squares)) * small_sample;
}

/* The x at which Hall's g(x) = x + s (x^2/3 + 1/6) + s^2 x^3/27 is t. */
static double unskewed(double t, double s)
{
    return fabs(s) < 1e-6 ? t : 3 / s * (cbrt(1 + s * (t - s / 6)) - 1);
}

void spn_jackknife_give_skewed(const spn_jackknife *e, double *value, double *error, double *low,
                               double *high)
{
    spn_jackknife_give(e, value, error, low, high);
    if (!(*error > 0)) {
        *error = *low = *high = NAN;
        return;
    }
    const double t = spn_student_quantile(spn_jackknife_degrees(e));
    const double s = skewness(e) / sqrt((double)e->blocks);
    *low = *value - *error * unskewed(t, s);
    *high = *value - *error * unskewed(-t, s);
}
