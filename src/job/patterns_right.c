#include "job/energy_settings.h"

#include <math.h>

/* Whether most units have a stability of 0 or more. */
static bool committee_is_right(const spn_instance *instance, const int8_t *weights,
                               const int8_t *row, int label)
{
    const size_t inputs = instance->sites / instance->units;
    size_t right = 0;
    for (size_t unit = 0; unit < instance->units; unit++) {
        const int8_t *own = row + (instance->tree ? unit * inputs : 0);
        int64_t sum = 0;
        for (size_t i = 0; i < inputs; i++)
            sum += own[i] * weights[unit * inputs + i];
        right += sum * label >= 0;
    }
    return 2 * right > instance->units;
}

static size_t committee_patterns_right(const spn_instance *instance, const int8_t *weights)
{
    const spn_problem *patterns = instance->problem;
    const size_t inputs = patterns->sites;
    size_t right = 0;
    for (size_t mu = 0; mu < patterns->count; mu++)
        right += committee_is_right(instance, weights, patterns->rows + mu * inputs,
                                    patterns->labels[mu]);
    return right;
}

size_t spn_patterns_right(const spn_instance *instance, const int8_t *weights)
{
    if (instance->units)
        return committee_patterns_right(instance, weights);
    const spn_problem *patterns = instance->problem;
    const size_t sites = patterns->sites, count = patterns->count;
    const int8_t *rows = patterns->rows, *labels = patterns->labels;
    const int16_t *values = patterns->values;
    const bool within = spn_instance_is_symmetric(instance);
    const double one = sqrt((double)sites) * (values ? SPN_VALUE_ONE : 1);
    size_t right = 0;
    for (size_t mu = 0; mu < count; mu++) {
        int32_t sum = 0;
        for (size_t i = 0; i < sites; i++)
            sum += (values ? values[mu * sites + i] : rows[mu * sites + i]) * weights[i];
        const double stability = (double)(sum * labels[mu]) / one;
        right += within ? fabs(stability) <= instance->kappa : stability >= instance->kappa;
    }
    return right;
}
