/* Philox4x32-10, one block at a time: the plain reference of the block fills in core/draws_*.c. */
#ifndef SPN_BASE_PHILOX_H
#define SPN_BASE_PHILOX_H

#include <stdint.h>

enum { SPN_PHILOX_ROUNDS = 10 };
static const uint32_t SPN_PHILOX_M0 = 0xD2511F53u, SPN_PHILOX_M1 = 0xCD9E8D57u;
static const uint32_t SPN_PHILOX_W0 = 0x9E3779B9u, SPN_PHILOX_W1 = 0xBB67AE85u;

static inline void spn_philox(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < SPN_PHILOX_ROUNDS; round++) {
        uint64_t p0 = (uint64_t)SPN_PHILOX_M0 * c0, p1 = (uint64_t)SPN_PHILOX_M1 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += SPN_PHILOX_W0;
        k1 += SPN_PHILOX_W1;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

#endif
