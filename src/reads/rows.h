/* Rows: many reads of a dense quadratic energy with couplings of any size, in sequential order. A
   read's local fields are doubles in the units of the energy (energy/quadratic.c): integers below
   2^53, so that every sum is exact in whatever order it is made. Each read draws the numbers of its
   own chain and makes the same decisions, so its results are the chain's, bit for bit.

   Sites stand in tiles of 64. All reads make their proposals in a tile one read after the other,
   eight sites at a look. A flip changes the fields of its own tile at once, a row of 64 couplings.
   Those of another tile follow when the reads come there: by then each has many flips to add, and
   the couplings of 64 sites with 64 others are in cache for all reads. On sparse graphs chains are
   as fast. */
#ifndef SPN_READS_ROWS_H
#define SPN_READS_ROWS_H

#include "core/draws.h"
#include "core/energy.h"
#include "reads/side.h"

enum {
    SPN_ROW_TILE = 64,  /* sites; also the steps whose random numbers are drawn at once */
    SPN_ROW_FEWEST = 2, /* fewest reads for which rows are used */
    SPN_ROW_MOST = 256, /* reads in a group */
    SPN_ROW_MARGIN = 8  /* numbers before and after an array that vectors may read */
};

/* The energy in its units; shared by all threads. The local field of a site is f = 2 h + 2 sum J s,
   and a flip of s costs -s f. */
typedef struct spn_row_graph {
    const spn_energy *energy;
    size_t sites, tiles;
    double unit, constant, offset;
    double *field;  /* 2 h */
    double *matrix; /* 4 J: of tile t and site i at (t tiles 64 + i) 64 */
} spn_row_graph;

/* The graph of an energy; NULL if it is not quadratic or not dense, if its sums are not exact, or
   if memory runs out. */
spn_row_graph *spn_row_graph_make(const spn_energy *energy);
void spn_row_graph_free(spn_row_graph *graph);

/* What is kept of each read besides its spins. */
typedef struct spn_row_read {
    double units, energy; /* in units without the constant, and the energy of that */
    double best;          /* lowest energy; */
    uint64_t best_site;   /* whose flip led to it, */
    uint64_t improved;    /* if it was in this window */
    uint64_t accepted, uphill;
    uint64_t rests; /* it has reached its target, */
    uint64_t hit;   /* after so many steps */
    uint64_t drawn; /* its thresholds are of steps from 64 times this on; UINT64_MAX: none are */
} spn_row_read;

/* Reads side by side. */
typedef struct spn_rows {
    const spn_row_graph *graph;
    size_t reads;
    spn_threshold kind;
    spn_draw_function *draw;
    spn_stream stream; /* of proposals; its run is read 0's */
    double target;     /* -infinity: none */
    double *fields;    /* of tile t and read r: 64 numbers at (t reads + r) 64 */
    uint64_t *spins;   /* of tile t and read r at t reads + r, like flips; bit set: +1 */
    uint64_t *flips;   /* since the read came to the tile */
    double *threshold; /* of read r: 64 numbers at MARGIN + 64 r */
    spn_row_read *read;
} spn_rows;

/* Make `count` steps from step `first`, which go through sites in ascending order. beta: the least
   positive number was added to each; it has margins. Every version gives the same bits. */
typedef void spn_row_function(spn_rows *rows, uint64_t first, size_t count, const double *beta);

spn_row_function spn_rows_portable;
spn_row_function spn_rows_avx2;
spn_row_function spn_rows_avx512;

spn_row_function *spn_rows_select(spn_isa isa);

/* A group of reads side by side: a sampler whose steps are those of each of its reads. */
typedef struct spn_row_group {
    spn_side side;
    spn_rows rows;
    spn_row_function *steps;
    int8_t *start;        /* N spins of some read */
    uint64_t *best_spins; /* as rows.spins */
    double *beta;         /* of a window, with margins */
} spn_row_group;

/* How many reads to run side by side, so that all threads have work. */
size_t spn_rows_width(const spn_row_graph *graph, size_t reads, unsigned threads);

/* Reads first .. first+count-1, count at most SPN_ROW_MOST, of the chain `options`, at their start.
   Borrows the graph and what the options point to. Errors: MEMORY. */
spn_status spn_row_group_create(spn_row_group **out, const spn_row_graph *graph,
                                spn_row_function *steps, const spn_chain_options *options,
                                size_t first, size_t count, spn_error *err);

#endif
