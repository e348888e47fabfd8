/* log cosh and the coupling tables. */
#include "core/coupling.h"

#include "core/numeric.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

double spn_log_cosh(double x)
{
    const double ln2 = 0.693147180559945309417;
    double size = fabs(x);
    if (size >= 1)
        return size + log1p(exp(-2 * size)) - ln2;
    double s = sinh(size);
    return 0.5 * log1p(s * s);
}

void spn_coupling_set(spn_coupling *coupling, double gamma, size_t replicas)
{
    const int y = (int)replicas;
    assert(replicas >= 1 && replicas <= SPN_MAX_REPLICAS && isfinite(gamma) && gamma >= 0);
    coupling->gamma = gamma;
    coupling->replicas = replicas;
    for (int s = -y; s <= y; s++) {
        double here = spn_log_cosh(gamma * s);
        double *change = &coupling->change[2 * (s + SPN_MAX_REPLICAS)];
        change[0] = s < y ? spn_log_cosh(gamma * (s + 2)) - here : 0;
        change[1] = s > -y ? spn_log_cosh(gamma * (s - 2)) - here : 0;
    }
}

double spn_coupling_change(double gamma, int sum, int spin)
{
    assert(isfinite(gamma) && abs(sum) <= SPN_MAX_REPLICAS && (spin == 1 || spin == -1));
    /* log cosh a = |a| + log(1 + e^(-2|a|)) - ln 2; a quotient of numbers in [1, 2] is safe */
    double before = fabs(gamma * sum), after = fabs(gamma * (sum - 2 * spin));
    double tail_before = spn_exp(-fmin(2 * before, 700)),
           tail_after = spn_exp(-fmin(2 * after, 700));
    return (after - before) + spn_log((1 + tail_after) / (1 + tail_before));
}

static double most_between(double low, double high, int sum, int spin)
{
    const double rounding = 1e-9; /* far above that of the exact change */
    const double most =
        fmax(spn_coupling_change(low, sum, spin), spn_coupling_change(high, sum, spin));
    return most + rounding * (1 + fabs(most));
}

void spn_coupling_bound(spn_coupling *coupling, double low, double high, size_t replicas)
{
    const int y = (int)replicas;
    assert(replicas >= 1 && replicas <= SPN_MAX_REPLICAS && 0 <= low && low <= high);
    coupling->gamma = NAN; /* the table is for no single gamma */
    coupling->replicas = replicas;
    for (int s = -y; s <= y; s += 2)
        for (int up = 0; up < 2; up++)
            if (s != (up ? -y : y)) /* the spin is part of the sum */
                coupling->change[2 * (s + SPN_MAX_REPLICAS) + up] =
                    isinf(high) ? INFINITY : most_between(low, high, s, up ? 1 : -1);
}
