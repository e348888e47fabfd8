/* Philox by vectors: parallel blocks, each word in its own 64-bit lane, so that a 32 x 32 -> 64
   bit product is one instruction and nothing is shuffled. The high halves of the lanes hold
   garbage that no step reads. The including file defines `vector`, parallel 64-bit words;
   vector_multiply (of the low words); and vector_xor3. */
#ifndef SPN_CORE_PHILOX_VECTOR_H
#define SPN_CORE_PHILOX_VECTOR_H

#include "base/philox.h"

enum { VECTORS = 4 };

typedef struct philox_lanes {
    vector c0, c1, c2, c3;
} philox_lanes;

static inline vector vector_all(uint64_t word)
{
    return word - (vector){0};
}

/* One round of `count` vectors. */
static inline void philox_round(philox_lanes *lanes, int count, uint32_t key0, uint32_t key1)
{
    const vector m0 = vector_all(SPN_PHILOX_M0), m1 = vector_all(SPN_PHILOX_M1);
    const vector k0 = vector_all(key0), k1 = vector_all(key1);
    for (int v = 0; v < count; v++) {
        philox_lanes *c = &lanes[v];
        const vector p0 = vector_multiply(m0, c->c0), p1 = vector_multiply(m1, c->c2);
        c->c0 = vector_xor3(p1 >> 32, c->c1, k0);
        c->c2 = vector_xor3(p0 >> 32, c->c3, k1);
        c->c1 = p1;
        c->c3 = p0;
    }
}

#endif
