/* e^x of floats by +, - and * alone, the same bits on every instruction set. */
#ifndef SPN_ENERGY_EXPONENTIAL_H
#define SPN_ENERGY_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

/* For |x| <= 80, to 2e-7 of it: Taylor about the nearest multiple of log 2. */
static inline __attribute__((always_inline)) float spn_exp_float(float x)
{
    const float shift = 0x1.8p23f;
    const float shifted = x * 1.44269504f + shift, n = shifted - shift;
    const float r = (x - n * 0.693145752f) - n * 1.42860677e-06f;
    const float p =
        1 + r * (1 + r * (0.5f +
                          r * (1 / 6.0f + r * (1 / 24.0f + r * (1 / 120.0f + r * (1 / 720.0f))))));
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

#endif
