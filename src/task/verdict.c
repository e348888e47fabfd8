/* How far the best state of a problem is to be trusted, from the rounds that met it. */
#include "task/problem.h"

#include <math.h>

/* A run is enough if the upper limit of the chance of a better state is at most this. */
#define LEAST_CHANCE 0.25

double spn_share_missed(size_t trials, size_t met)
{
    const size_t rest = trials - trials / 2;
    double share = 1;
    for (size_t k = 0; k < met; k++)
        share *= k < rest ? (double)(rest - k) / (double)(trials - k) : 0;
    return share;
}

/* Wilson's 95% interval for the share of rounds that meet what `met` of `trials` did, and the
   chances that half as many rounds miss it at its ends. */
static void estimate(spn_verdict *out)
{
    const double z = 1.959963984540054, n = (double)out->trials, p = (double)out->met / n;
    const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double side = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    const double half = (double)(out->trials / 2);
    out->chance = spn_share_missed(out->trials, out->met);
    out->low = fmin(pow(fmax(0, 1 - middle - side), half), out->chance);
    out->high = fmax(pow(fmin(1, 1 - middle + side), half), out->chance);
}

static const char *health_of(const spn_solver_result *r, size_t trials, size_t met, bool is_enough,
                             const char *sampler)
{
    if (is_enough)
        return sampler;
    if (r->frozen == r->reads)
        return "constraints frozen";
    if (r->feasible == 0)
        return "no feasible state";
    return met == trials ? spn_health_name(SPN_HEALTH_SHORT)
           : met == 1    ? "found once"
                         : "reads disagree";
}

spn_verdict spn_verdict_of(const spn_solver_result *r, spn_health sampler, spn_stop stop,
                           bool is_proved)
{
    spn_verdict out = {.health = spn_health_name(is_proved ? SPN_HEALTH_GOOD : sampler),
                       .word = "proved best",
                       .chance = NAN,
                       .low = NAN,
                       .high = NAN};
    if (is_proved)
        return out;
    if (r->impossible != SIZE_MAX) {
        out.word = "proved infeasible";
        out.health = "no feasible state";
        return out;
    }
    out.word = "target met";
    if (stop == SPN_STOP_TARGET)
        return out;
    /* the best state may be of a round that was shorter or did not end */
    out.met = r->met > 0 ? r->met : 1;
    out.trials = r->trials > out.met ? r->trials : out.met;
    if (r->feasible > 0)
        estimate(&out);
    const bool is_enough = out.high <= LEAST_CHANCE;
    out.word = is_enough ? "met again and again" : "keep going";
    out.health = health_of(r, out.trials, out.met, is_enough, out.health);
    return out;
}
