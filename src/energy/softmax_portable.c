/* The loops of softmax in plain C. */
#define SPN_LANES 1
#include "energy/softmax_body.h"

/* One body for both, so that both give the same bits. */
static inline spn_log_sum run_trial(const spn_trial *trial, int store)
{
    const float *high = trial->gain->high, *low = trial->gain->low;
    int64_t exponent = 0;
    float product = 1.0f;
    for (size_t p = 0; p < trial->count; p++) {
        const uint8_t x = trial->column[p];
        const float power = trial->power[p], gain = high[x >> 4] * low[x & 15];
        const float sum = trial->sum[p] + power * (gain - 1.0f);
        if (store) {
            trial->new_power[p] = power * gain;
            trial->new_sum[p] = sum;
        }
        const uint32_t bits = float_bits(product * sum);
        exponent += (int64_t)(bits >> 23) - 127;
        product = float_from_bits((bits & 0x7FFFFF) | 0x3F800000);
    }
    return log_of_lanes(&product, 1, exponent);
}

static spn_log_sum run_trial_only(const spn_trial *trial)
{
    return run_trial(trial, 0);
}

static spn_log_sum run_trial_store(const spn_trial *trial)
{
    return run_trial(trial, 1);
}

static void dots(int32_t *out, const uint8_t *rows, size_t count, size_t features,
                 const int8_t *weights, size_t padded_features, size_t classes)
{
    for (size_t n = 0; n < count; n++) {
        const uint8_t *row = rows + n * features;
        for (size_t k = 0; k < classes; k++) {
            const int8_t *w = weights + k * padded_features;
            int32_t total = 0;
            for (size_t i = 0; i < features; i++)
                total += row[i] * w[i];
            out[n * classes + k] = total;
        }
    }
}

const spn_softmax_kernels spn_softmax_portable = {.lanes = SPN_LANES,
                                                  .trial = run_trial_only,
                                                  .trial_store = run_trial_store,
                                                  .add32 = add32,
                                                  .add64 = add64,
                                                  .power32 = power32,
                                                  .power64 = power64,
                                                  .sum = sum_powers,
                                                  .settle = settle,
                                                  .dots = dots,
                                                  .real_trial = real_trial,
                                                  .real_lse = real_lse};
