/* Lanes: many reads of a quadratic energy side by side. In the sequential order all reads propose
   the same site, so the state of 64 reads at a site is a word of bits and a row of 64 small local
   fields, and a proposal of all of them is a few vector operations. Each read draws the very
   numbers of its own chain and makes the same decisions: its results are the chain's, bit for bit.

   A proposal is accepted iff its energy change is at most threshold(word)/beta. The threshold falls
   with the random word, so for each beta and each change there is one word up to which the move is
   accepted, the cut: acceptance is a comparison of integers (lanes_body.h). */
#ifndef SPN_READS_LANES_H
#define SPN_READS_LANES_H

#include "base/machine.h"
#include "chain/health.h"
#include "core/draws.h"
#include "core/energy.h"
#include "reads/reads.h"
#include <pthread.h>

enum {
    SPN_LANE_WORD = 64,  /* lanes in a word */
    SPN_LANE_WORDS = 4,  /* most words side by side */
    SPN_LANE_CUTS = 128, /* most changes at a site whose acceptance differs */
    SPN_LANE_CHUNK = 64, /* steps in one call: their counts of accepted moves fit a byte */
    SPN_LANE_FEWEST = 12 /* reads for which lanes pay */
};

typedef struct spn_lane_neighbour {
    uint32_t site;
    int32_t change; /* of its kept field when the spin becomes +1: the coupling */
} spn_lane_neighbour;

/* The energy in units in which all local fields are small. The local fields f at a site all have
   the parity p of their largest size, its reach; what is kept of them is (f + p) / 2, which fits a
   byte. Shared by all threads. */
typedef struct spn_lane_graph {
    const spn_energy *energy;
    size_t sites;
    double constant; /* part of every energy */
    double per_unit; /* 1 / the unit that the chain measures changes in */
    double quantum;  /* the flip of a spin -1 costs quantum * f such units */
    uint32_t *first; /* neighbours of i: first[i] .. first[i+1]-1 */
    spn_lane_neighbour *neighbours;
    int8_t *floor;  /* kept field when all spins are -1 */
    uint8_t *reach; /* the sum of all sizes at the site */
} spn_lane_graph;

/* The graph of an energy, or NULL where its couplings are not small integers, or memory is short.
 */
spn_lane_graph *spn_lane_graph_make(const spn_energy *energy, spn_threshold threshold);
void spn_lane_graph_free(spn_lane_graph *graph);

/* Reads side by side. Row i of an array over sites starts at i * words (of 64 bits), or at
   i * 64 * words (of one element per lane). */
typedef struct spn_lanes {
    const spn_lane_graph *graph;
    size_t words;
    spn_threshold threshold;
    spn_stream stream;      /* of proposals; its run is lane 0's */
    uint64_t *run_products; /* the first product of Philox, which depends on the lane alone */
    int8_t *fields;
    uint64_t *spins;  /* bit set: +1 */
    uint64_t *active; /* lanes that are reads and have not reached their target */
    int32_t *energy;  /* since the start, in quanta, as are the next two */
    int32_t *best;
    int32_t *target; /* NULL: none */
    uint64_t *hit;   /* steps done when the target was reached */
    /* of the steps since the window began, a row for each: */
    uint64_t *flips;   /* who flipped */
    uint64_t *better;  /* whose energy was a new best */
    uint8_t *accepted; /* per lane, since it was last cleared */
    uint64_t uphill;   /* accepted moves of all lanes that raised an energy, since it was cleared */
    uint32_t *random;  /* the words of an even step and the next */
} spn_lanes;

/* Make `count` <= SPN_LANE_CHUNK steps from step `first` with their betas; the first is number
   `row` of the window. Every version gives the same bits. */
typedef void spn_lane_function(spn_lanes *lanes, uint64_t first, size_t count, size_t row,
                               const double *beta);

spn_lane_function spn_lanes_portable;
spn_lane_function spn_lanes_avx2;
spn_lane_function spn_lanes_avx512;

/* The fastest of an instruction set, or NULL where plain chains are faster. */
spn_lane_function *spn_lanes_select(spn_isa isa);

/* The graph of the energy if reads of such chains can be made in lanes; else NULL. */
spn_lane_graph *spn_lanes_prepare(const spn_energy *energy, const spn_chain_options *options,
                                  size_t reads);

/* How many reads to take side by side, so that all threads have some. */
size_t spn_lanes_width(const spn_lane_graph *graph, size_t reads, unsigned threads);

/* The parts of the run, for all groups of reads: where they are made as the run goes, the group
   that comes first to a part settles its length for all, so that all reads have the same. */
typedef struct spn_lane_plan {
    bool stretch;
    double (*clock)(void); /* spn_clock; tests put one of their own */
    pthread_mutex_t lock;  /* of what follows */
    spn_parts parts;       /* those that are settled */
} spn_lane_plan;

/* Errors: ARGUMENT, MEMORY. */
spn_status spn_lane_plan_init(spn_lane_plan *plan, const spn_chain_options *options,
                              spn_error *err);
void spn_lane_plan_clear(spn_lane_plan *plan);

/* Called now and then, with the share of the run that is done; as an observer. */
typedef spn_status spn_lane_observer(void *context, double share, spn_error *err);

/* Reads first .. first+count-1, count at most 64 * SPN_LANE_WORDS, of the chain `options`; flag:
   its stop. If the run is stretched, they have the seconds of `count` chains together. slices: the
   sums over these reads. Errors: MEMORY, the observer's. */
spn_status spn_lanes_run(spn_reads *out, spn_slice slices[SPN_SLICES], const spn_lane_graph *graph,
                         spn_lane_function *steps, spn_lane_plan *plan,
                         const spn_chain_options *options, const volatile sig_atomic_t *flag,
                         size_t first, size_t count, spn_lane_observer *observer, void *context,
                         spn_error *err);

#endif
