/* The loops of linear classifiers that expect faults, compiled once per instruction set. They use
   only +, -, * and / of floats, without contraction, and sums of integers: every set gives the same
   bits. */
#include "energy/exponential.h"
#include "energy/softmax/faulty.h"

enum { FAULTY_SOME = 256 }; /* positions at a time */

static inline __attribute__((always_inline)) float faulty_exp(float x)
{
    const float low = x < -80 ? -80 : x;
    return spn_exp_float(low > 80 ? 80 : low);
}

static void faulty_settle(float *share, float *loss, const int32_t *logits, size_t stride,
                          uint32_t classes, uint32_t label, const float *slope, size_t count)
{
    for (size_t first = 0; first < count; first += FAULTY_SOME) {
        const size_t some = count - first < FAULTY_SOME ? count - first : FAULTY_SOME;
        int32_t top[FAULTY_SOME];
        float others[FAULTY_SOME] = {0};
        memcpy(top, logits + first, some * sizeof *top);
        for (uint32_t k = 1; k < classes; k++)
            for (size_t n = 0; n < some; n++) {
                const int32_t z = logits[k * stride + first + n];
                top[n] = z > top[n] ? z : top[n];
            }
        for (uint32_t k = 0; k < classes; k++)
            for (size_t n = 0; n < some; n++) {
                const size_t at = k * stride + first + n;
                const float power = faulty_exp(slope[first + n] * (float)(logits[at] - top[n]));
                share[at] = power;
                others[n] += k == label ? 0 : power;
            }
        for (uint32_t k = 0; k < classes; k++)
            for (size_t n = 0; n < some; n++)
                if (k != label)
                    share[k * stride + first + n] /= others[n] + share[label * stride + first + n];
        for (size_t n = 0; n < some; n++) {
            float *own = &share[label * stride + first + n];
            loss[first + n] = others[n] / (others[n] + *own);
            *own /= others[n] + *own;
        }
    }
}

/* own is a constant where this is called, so that its loop has no branches. */
static inline __attribute__((always_inline)) int64_t
faulty_changes(const int16_t *inputs, int by, const float *share, const float *loss,
               const float *slope, const float *worth, bool own, size_t count)
{
    int64_t total = 0;
    for (size_t first = 0; first < count; first += FAULTY_SOME) {
        const size_t some = count - first < FAULTY_SOME ? count - first : FAULTY_SOME;
        float gain[FAULTY_SOME];
        int32_t change[FAULTY_SOME];
        for (size_t n = 0; n < some; n++)
            gain[n] = slope[first + n] * (float)(by * inputs[first + n]);
        for (size_t n = 0; n < some; n++)
            gain[n] = faulty_exp(gain[n]);
        for (size_t n = 0; n < some; n++) {
            const float g = gain[n], q = loss[first + n], a = share[first + n] * (g - 1);
            const float x = worth[first + n] * (own ? q * (1 - q) * (1 - g) / (q + (1 - q) * g)
                                                    : a * (1 - q) / (1 + a));
            const float half = x < 0 ? -0.5f : 0.5f;
            change[n] = (int32_t)(x + half);
        }
        for (size_t n = 0; n < some; n++)
            total += change[n];
    }
    return total;
}

static int64_t faulty_change(const int16_t *inputs, int by, const float *share, const float *loss,
                             const float *slope, const float *worth, bool own, size_t count)
{
    return own ? faulty_changes(inputs, by, share, loss, slope, worth, true, count)
               : faulty_changes(inputs, by, share, loss, slope, worth, false, count);
}

static int64_t faulty_sum(const float *loss, const float *worth, size_t count)
{
    const float half = 0.5f;
    int64_t total = 0;
    for (size_t n = 0; n < count; n++)
        total += (int32_t)(loss[n] * worth[n] + half);
    return total;
}
