/* Thresholds of stabilities, as integers. */
#include "data/stability.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>

/* The least integer of the parity of N with x/sqrt(N) >= kappa, or > kappa. */
static int64_t least_above(size_t sites, double kappa, bool ties_wrong)
{
    const double root = sqrt((double)sites);
    int64_t x = (int64_t)floor(kappa * root) - 3;
    x -= (x - (int64_t)sites) % 2 != 0;
    while (ties_wrong ? (double)x / root <= kappa : (double)x / root < kappa)
        x += 2;
    return x;
}

static spn_status refuse(size_t sites, double kappa, const char *why, spn_error *err)
{
    char text[SPN_NUMBER_TEXT], root[SPN_NUMBER_TEXT];
    spn_number_text(text, kappa);
    spn_print_text(root, sizeof root, "%.4g", sqrt((double)sites));
    return spn_fail(err, SPN_ERROR_ARGUMENT, "kappa %s %s of %zu spins, of which sqrt(N) is %s",
                    text, why, sites, root);
}

spn_status spn_stability_above(spn_stability *out, size_t sites, double kappa, bool ties_wrong,
                               spn_error *err)
{
    const int64_t n = (int64_t)sites;
    assert(sites > 0);
    if (!(fabs(kappa) <= sqrt((double)sites)))
        return refuse(sites, kappa, "is beyond the stability of a pattern", err);
    *out = (spn_stability){.least = least_above(sites, kappa, ties_wrong), .most = n};
    if (out->least > n)
        return refuse(sites, kappa, "is more than the stability of a pattern can be", err);
    if (out->least <= -n)
        return refuse(sites, kappa, "is less than the stability of any pattern", err);
    return SPN_OK;
}

spn_status spn_stability_within(spn_stability *out, size_t sites, double kappa, spn_error *err)
{
    assert(sites > 0);
    if (!(kappa >= 0 && kappa <= sqrt((double)sites)))
        return refuse(sites, kappa, "is not between 0 and the largest stability of a pattern", err);
    const int64_t most = least_above(sites, kappa, true) - 2;
    *out = (spn_stability){.least = -most, .most = most};
    if (most < 0)
        return refuse(sites, kappa, "is below the least |stability| of a pattern", err);
    return SPN_OK;
}
