/* Lanes: many reads of a quadratic energy side by side. In sequential order all reads propose the
   same site, so the state of 64 reads at a site is a word of bits and a row of 64 small local
   fields, and a proposal of all of them is a few vector operations. Each read draws the numbers of
   its own chain and makes the same decisions, so its results are the chain's, bit for bit.

   A proposal is accepted iff its energy change is at most threshold(word)/beta. The threshold falls
   with the random word, so for each beta and each change there is a largest word that is accepted,
   the cut. Acceptance is then a comparison of integers (lanes_body.h). */
#ifndef SPN_READS_LANES_H
#define SPN_READS_LANES_H

#include "base/machine.h"
#include "core/draws.h"
#include "core/energy.h"
#include "reads/side.h"

enum {
    SPN_LANE_WORD = 64,   /* lanes in a word */
    SPN_LANE_WORDS = 4,   /* most words side by side */
    SPN_LANE_CUTS = 128,  /* most changes at a site with different acceptance */
    SPN_LANE_CHUNK = 64,  /* steps per call: their accepted moves fit a byte */
    SPN_LANE_FEWEST = 12, /* fewest reads for which lanes pay */
    SPN_LANE_MOST = SPN_LANE_WORDS * SPN_LANE_WORD /* reads in a group */
};

typedef struct spn_lane_neighbour {
    uint32_t site;
    int32_t change; /* of its stored field when the spin becomes +1: the coupling */
} spn_lane_neighbour;

/* The energy in units in which all local fields are small. The local fields f at a site have the
   parity p of their largest size, the reach. What is stored is (f + p) / 2, which fits a byte.
   Shared by all threads. */
typedef struct spn_lane_graph {
    const spn_energy *energy;
    size_t sites;
    double constant; /* part of every energy */
    double per_unit; /* 1 / the unit that the chain measures changes in */
    double quantum;  /* the flip of a spin -1 costs quantum * f such units */
    uint32_t *first; /* neighbours of i: first[i] .. first[i+1]-1 */
    spn_lane_neighbour *neighbours;
    int8_t *floor;  /* stored field when all spins are -1 */
    uint8_t *reach; /* the sum of all sizes at the site */
} spn_lane_graph;

/* The graph of an energy; NULL if its couplings are not small integers or memory runs out. */
spn_lane_graph *spn_lane_graph_make(const spn_energy *energy, spn_threshold threshold);
void spn_lane_graph_free(spn_lane_graph *graph);

/* Reads side by side. Row i of an array over sites starts at i * words (of 64 bits), or at
   i * 64 * words (of one element per lane). */
typedef struct spn_lanes {
    const spn_lane_graph *graph;
    size_t words;
    spn_threshold threshold;
    spn_stream stream;      /* of proposals; its run is lane 0's */
    uint64_t *run_products; /* the first product of Philox, which depends only on the lane */
    int8_t *fields;
    uint64_t *spins;  /* bit set: +1 */
    uint64_t *active; /* lanes of reads that have not reached their target */
    int32_t *energy;  /* since the start, in quanta, like the next two */
    int32_t *best;
    int32_t *target; /* NULL: none */
    uint64_t *hit;   /* steps done when the target was reached */
    /* A row for each step of the window: */
    uint64_t *flips;   /* who flipped */
    uint64_t *better;  /* whose energy was a new best */
    uint8_t *accepted; /* per lane, since the last clearing */
    uint64_t uphill;   /* accepted uphill moves of all lanes, since the last clearing */
    uint32_t *random;  /* the words of an even step and the next */
} spn_lanes;

/* Make `count` <= SPN_LANE_CHUNK steps from step `first` with these betas; the first has row `row`
   of the window. Every version gives the same bits. */
typedef void spn_lane_function(spn_lanes *lanes, uint64_t first, size_t count, size_t row,
                               const double *beta);

spn_lane_function spn_lanes_portable;
spn_lane_function spn_lanes_avx2;
spn_lane_function spn_lanes_avx512;

/* The fastest version for an instruction set; NULL if plain chains are faster. */
spn_lane_function *spn_lanes_select(spn_isa isa);

/* Whether chains of these options can run side by side, whatever the energy. */
bool spn_lanes_fit(const spn_chain_options *options);

/* The graph of the energy if reads of such chains can run in lanes; else NULL. */
spn_lane_graph *spn_lanes_prepare(const spn_energy *energy, const spn_chain_options *options,
                                  size_t reads);

/* How many reads to run side by side, so that all threads have work. */
size_t spn_lanes_width(const spn_lane_graph *graph, size_t reads, unsigned threads);

/* A group of reads side by side: a sampler whose steps are those of each of its reads. */
typedef struct spn_lane_group {
    spn_side side;
    spn_lanes lanes;
    const spn_lane_graph *graph;
    spn_lane_function *steps;
    size_t width;         /* lanes; those past the reads rest */
    int8_t *start;        /* N spins of some lane */
    double *start_energy; /* without the constant; per lane, like the next */
    uint64_t *accepted;
    uint64_t *best_spins; /* as lanes.spins */
    double beta[SPN_LANE_CHUNK];
} spn_lane_group;

/* Reads first .. first+count-1, count at most SPN_LANE_MOST, of the chain `options`, at their
   start. Borrows the graph and what the options point to. A stretched group has the seconds of
   `count` chains. Errors: MEMORY. */
spn_status spn_lane_group_create(spn_lane_group **out, const spn_lane_graph *graph,
                                 spn_lane_function *steps, const spn_chain_options *options,
                                 size_t first, size_t count, spn_error *err);

/* ---- lanes_start.c ---- */

/* Allocate all arrays; false without memory. */
bool spn_lane_group_allocate(spn_lane_group *g);
void spn_lane_group_clear(spn_lane_group *g);

/* Put every lane of a new group at the start of its chain. O((N + couplings) lanes). */
void spn_lane_group_start(spn_lane_group *g);

/* Compute the stored fields from the spins. O((N + couplings) lanes). */
void spn_lane_group_fill_fields(spn_lane_group *g);

/* The energy of a lane at this many quanta above its start. */
double spn_lane_energy(const spn_lane_group *g, size_t lane, int32_t quanta);

#endif
