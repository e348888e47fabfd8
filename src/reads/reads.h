/* Reads from inside: their results, and the two ways to make them. */
#ifndef SPN_READS_READS_H
#define SPN_READS_READS_H

#include "chain/health.h"
#include "core/energy.h"
#include <spinney/reads.h>

typedef struct spn_read {
    double best_energy, energy;
    uint64_t accepted, proposals, steps, hit;
    spn_stop stop;
} spn_read;

struct spn_reads {
    size_t count, sites;
    spn_read *read;
    int8_t *best_spins;           /* read r at r * sites */
    spn_slice slices[SPN_SLICES]; /* sums over all reads */
    spn_health health;            /* the verdict on them */
    uint64_t *parts;              /* NULL: the reads differ */
    size_t part_count;
};

#endif
