/* The loops of softmax in plain C. */
#define SPN_LANES 1
#include "energy/softmax/body.h"

static inline uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void add32(int32_t *logits, const spn_column_list *columns, size_t first, size_t count)
{
    for (size_t c = 0; c < columns->count; c++) {
        const uint8_t *column = columns->column[c] + first;
        for (size_t p = 0; p < count; p += GROUP) {
            uint32_t x[GROUP];
            group_bytes(x, column + p);
            for (size_t j = 0; j < GROUP; j++)
                logits[p + j] += columns->times[c] * (int32_t)x[j];
        }
    }
}

static void power32(float *power, const int32_t *logits, const int32_t *ref, double unit,
                    double offset, size_t count)
{
    for (size_t p = 0; p < count; p++)
        power[p] = power_of_two(unit * (double)logits[p] + offset, ref[p]);
}

static void sum_powers(float *sum, const float *const *powers, size_t first, size_t classes,
                       size_t count)
{
    for (size_t p = 0; p < count; p += SPN_SOFTMAX_PAD) {
        float total[SPN_SOFTMAX_PAD] = {0};
        for (size_t k = 0; k < classes; k++) {
            const float *power = powers[k] + first + p;
            for (size_t j = 0; j < SPN_SOFTMAX_PAD; j++)
                total[j] += power[j];
        }
        memcpy(sum + p, total, sizeof total);
    }
}

static size_t settle(const float *sum, uint8_t *peak, unsigned fall, uint32_t *fallen,
                     uint8_t range[2], size_t count)
{
    enum { PART = 32 };
    size_t found = 0;
    uint8_t low[PART], high[PART];
    memset(low, range[0], sizeof low);
    memset(high, range[1], sizeof high);
    for (size_t p = 0; p < count; p += PART) {
        uint8_t depth[PART], deepest = 0;
        for (size_t j = 0; j < PART; j++) {
            const uint8_t exponent = (uint8_t)(float_bits(sum[p + j]) >> 23);
            const uint8_t top = peak[p + j] > exponent ? peak[p + j] : exponent;
            depth[j] = (uint8_t)(top - exponent);
            peak[p + j] = depth[j] > fall ? exponent : top;
            low[j] = exponent < low[j] ? exponent : low[j];
            high[j] = exponent > high[j] ? exponent : high[j];
            deepest = depth[j] > deepest ? depth[j] : deepest;
        }
        for (size_t j = 0; deepest > fall && j < PART; j++) {
            if (depth[j] > fall)
                fallen[found++] = (uint32_t)(p + j);
        }
    }
    for (size_t j = 0; j < PART; j++) {
        range[0] = low[j] < range[0] ? low[j] : range[0];
        range[1] = high[j] > range[1] ? high[j] : range[1];
    }
    return found;
}

/* What the change of logit multiplies a power by. */
static inline float gain_of(const spn_gain *gain, uint8_t x)
{
    return gain->high[x >> 4] * gain->low[x & 15];
}

/* A sum after a flip: the same bits in a trial and in the flip. */
static inline float sum_after(float sum, float power, float gain)
{
    return sum + power * (gain - 1.0f);
}

static spn_split_log run_trial(const spn_trial *trial)
{
    int64_t exponent = 0;
    float product = 1.0f;
    for (size_t p = 0; p < trial->count; p++) {
        const float gain = gain_of(trial->gain, trial->column[p]);
        const float sum = sum_after(trial->sum[p], trial->power[p], gain);
        const uint32_t bits = float_bits(product * sum);
        exponent += (int64_t)(bits >> 23) - 127;
        product = float_from_bits((bits & 0x7FFFFF) | 0x3F800000);
    }
    return log_of_lanes(&product, 1, exponent);
}

static size_t make_flip(const spn_trial *trial, float *powers, float *sums, uint8_t *peak,
                        unsigned fall, uint32_t *fallen, uint8_t range[2])
{
    for (size_t p = 0; p < trial->count; p++) {
        const float gain = gain_of(trial->gain, trial->column[p]);
        sums[p] = sum_after(sums[p], powers[p], gain);
        powers[p] *= gain;
    }
    return settle(sums, peak, fall, fallen, range, trial->count);
}

static inline float wide_gain(const spn_trial *trial, size_t p)
{
    float t = trial->rate[0] * (float)trial->wide[0][p] + trial->constant;
    if (trial->wide[1])
        t += trial->rate[1] * (float)trial->wide[1][p];
    return power_of_two((double)t, 0);
}

static spn_split_log wide_trial(const spn_trial *trial)
{
    const double log_2 = 6.93147180559945309417e-01;
    double fraction = 0, product = 1;
    int64_t exponent = 0;
    for (size_t p = 0; p < trial->count; p++) {
        const float sum = sum_after(trial->sum[p], trial->power[p], wide_gain(trial, p));
        if (trial->weight) {
            fraction +=
                (double)trial->weight[p] * (spn_log((double)sum) - SPN_SOFTMAX_CENTRE * log_2);
            continue;
        }
        const uint64_t bits = spn_bits(product * (double)sum);
        exponent += (int64_t)(bits >> 52) - 1023;
        product = spn_from_bits((bits & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000);
    }
    return (spn_split_log){fraction + spn_log(product), exponent};
}

static size_t wide_flip(const spn_trial *trial, float *powers, float *sums, uint8_t *peak,
                        unsigned fall, uint32_t *fallen, uint8_t range[2])
{
    for (size_t p = 0; p < trial->count; p++) {
        const float gain = wide_gain(trial, p);
        sums[p] = sum_after(sums[p], powers[p], gain);
        powers[p] *= gain;
    }
    return settle(sums, peak, fall, fallen, range, trial->count);
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

const spn_softmax_kernels spn_softmax_portable = SPN_SOFTMAX_KERNELS;
