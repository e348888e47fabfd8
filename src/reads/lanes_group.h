/* A group of lanes at work: what lanes.c runs and lanes_start.c puts at its start. */
#ifndef SPN_READS_LANES_GROUP_H
#define SPN_READS_LANES_GROUP_H

#include "chain/health.h"
#include "reads/lanes.h"

/* A group of reads at work. */
typedef struct spn_lane_group {
    spn_lanes lanes;
    const spn_lane_graph *graph;
    const spn_chain_options *options;
    spn_lane_plan *plan;
    const volatile sig_atomic_t *stop; /* may be NULL */
    size_t first, count;               /* reads; the lanes beyond rest */
    size_t width;                      /* lanes */
    spn_parts parts;                   /* as far as this group has come */
    double started;                    /* when */
    double seconds;                    /* for all its reads, where the run is stretched */
    uint64_t part_step;                /* steps before the current part, */
    double part_time;                  /* and when it began */
    uint64_t step;
    int8_t *start;        /* N spins */
    double *start_energy; /* without the constant; per lane, as is the next */
    uint64_t *accepted;
    uint64_t *best_spins; /* as lanes.spins */
    double beta[SPN_LANE_CHUNK];
    spn_slice slices[SPN_SLICES]; /* sums over the reads */
} spn_lane_group;

/* Allocate all arrays for the words of lanes; false where memory cannot be had. */
bool spn_lane_group_allocate(spn_lane_group *g);
void spn_lane_group_clear(spn_lane_group *g);

/* Put every lane where its chain would start. O((N + couplings) lanes). */
void spn_lane_group_start(spn_lane_group *g);

/* The energy of a lane so many quanta above its start. */
double spn_lane_energy(const spn_lane_group *g, size_t lane, int32_t quanta);

#endif
