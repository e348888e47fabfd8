/* Words: many reads of an energy with integer couplings, one bit of a word for each. In sequential
   order all reads propose the same site, so the spins of 64 reads at a site are a word, local
   fields are counted by bit adders, and a proposal of 512 reads is some hundred operations of
   vectors.

   Each read draws a number u of 32 bits and accepts iff u < T, where T is 2^32 times the
   probability of its move, rounded. The digits of u come from a stream that depends on the seed,
   the word of the read's run (run / 64), the replica, the step and the digit. Everything that
   decides is an integer, so every version gives the same bits. words_body.h has vectors of any
   width; the tests have the same spin by spin (tests/unit/support/words_plain.c). */
#ifndef SPN_WORDS_WORDS_H
#define SPN_WORDS_WORDS_H

#include "base/machine.h"
#include "core/energy.h"
#include "core/kernel.h"
#include <spinney/random.h>

enum {
    SPN_WORD_BITS = 64,
    SPN_WORD_DIGITS = 32, /* of a random number */
    SPN_WORD_ROW = 8,     /* words of a group: 512 reads */
    SPN_WORD_PLANES = 10, /* digits of a site's cost */
    SPN_WORD_REACH = 510, /* largest sum of the sizes of all terms at a site */
    SPN_WORD_MOVES = 63,  /* digits of a number of moves */
    SPN_WORD_CELLS = 1024 /* costs with different acceptance */
};

/* ---- the energy ---- */

/* A term with the neighbour's spin: it resists a flip if both spins differ, or, with all bits of
   `sign` set, if they agree. A field is a term with the site after the last, whose spin is +1. */
typedef struct spn_word_term {
    uint64_t sign;
    uint64_t site;
} spn_word_term;

/* Terms of the same power of two at a site. */
typedef struct spn_word_run {
    uint32_t count;
    uint32_t plane; /* each counts 2^plane */
} spn_word_run;

/* The resisting terms add up to U, and all terms to the reach R; a flip costs 2 U - R quanta, which
   is 2 n + R mod 2 with n = U - ceil(R / 2). What is counted is n + zero, from 0 to 2^planes - 1.
 */
typedef struct spn_word_site {
    uint32_t term; /* the first */
    uint32_t run;  /* the first */
    uint16_t runs, reach;
    uint16_t planes, zero; /* zero = 2^(planes - 1) */
} spn_word_site;

typedef struct spn_word_graph {
    const spn_energy *energy;
    size_t sites;
    spn_word_site *site;
    spn_word_run *runs;
    spn_word_term *terms;
    double constant; /* part of every energy */
    double per_unit; /* 1 / the unit of the terms */
    double quantum;  /* in that unit */
    bool odd;        /* some reach is odd; else energies are counted in two quanta */
    int reach;       /* the largest */
    uint64_t range;  /* no two energies differ by more counts */
} spn_word_graph;

/* The graph of an energy; NULL if its terms are not small integers in some unit, or memory runs
   out. */
spn_word_graph *spn_word_graph_make(const spn_energy *energy);
void spn_word_graph_free(spn_word_graph *graph);

/* The energy of one count. */
static inline double spn_word_count(const spn_word_graph *graph)
{
    return graph->quantum * (graph->odd ? 1 : 2) / graph->per_unit;
}

/* ---- acceptance at one beta and gamma ---- */

typedef enum spn_word_coupling {
    SPN_WORD_ALONE,
    SPN_WORD_REPLICAS, /* a spin's class is the number of other replicas that agree with it */
    SPN_WORD_CENTRE    /* its class is 1 if it agrees with the centre, else 0 */
} spn_word_coupling;

typedef struct spn_word_cell {
    uint16_t level, class;
} spn_word_cell;

/* Acceptance by level and class. Level 0 holds all n below `first`, level g > 0 holds n = first + g
   - 1, and above the last level nothing is accepted. Class 0 likewise holds the classes below
   `class_first`. Cells are pairs of level and class, by level: those that are accepted always, and
   those with a probability between 0 and 1, whose digits are stored as masks. */
typedef struct spn_word_table {
    int first;
    size_t levels, classes;
    unsigned class_first;
    uint64_t *threshold;          /* of level * classes + class; 2^32: always */
    spn_word_cell *cell, *sure;   /* with digits; always accepted */
    uint32_t *cells_to, *sure_to; /* cells of the levels below this one; levels + 1 entries */
    uint64_t *digits;             /* of each cell, the highest first */
} spn_word_table;

typedef struct spn_word_law {
    spn_kernel kernel;
    spn_word_coupling coupling;
    size_t replicas;
    double beta, gamma;
} spn_word_law;

bool spn_word_table_allocate(spn_word_table *table);
void spn_word_table_clear(spn_word_table *table);

/* Fill a table for the sites of a parity (reach mod 2). O(reach classes). */
void spn_word_table_set(spn_word_table *table, const spn_word_graph *graph, int parity,
                        const spn_word_law *law);

/* Fill it for a draw of the centre, whose spin is `accepted` if it becomes +1; the class is the
   number of replicas at +1. */
void spn_word_table_set_centre(spn_word_table *table, size_t replicas, double gamma);

/* Whether the cells of a graph fit a table. */
bool spn_word_table_fits(const spn_word_graph *graph, spn_word_coupling coupling, size_t replicas);

/* ---- reads side by side ---- */

/* The row of a site, or of a step of the window, has `words` words for each replica, one after the
   other. */
typedef struct spn_words {
    const spn_word_graph *graph;
    const spn_word_table *table; /* of even sites and of odd ones */
    size_t words, replicas;
    spn_word_coupling coupling;
    spn_stream stream;      /* of replica 0; its run is the number of the first word */
    uint64_t *run_products; /* the first product of Philox, for each word */
    uint64_t *spins;        /* bit set: +1; a last row is all set */
    uint64_t *centre;       /* rows of `words`; NULL: none */
    uint64_t *best;         /* spins at the lowest energy */
    uint64_t *active;       /* reads that go on */
    /* Digits in two's complement: digit k of replica a at (k * replicas + a) * words. */
    size_t planes;
    uint64_t *energy;     /* if there is a target, negative iff it is reached */
    uint64_t *above;      /* the energy above the lowest */
    uint64_t *better_now; /* for whom it was a new lowest at the last step: it is 0 for them */
    uint64_t *improved;   /* for whom there was one in the window */
    uint64_t *moves;      /* accepted by all replicas: digit k at k * words */
    uint64_t *flips;      /* a row for each step of the window: who flipped, */
    uint64_t *better;     /* and for whom the energy was a new lowest */
    uint64_t *accepted, *uphill;    /* moves of all reads of a word since the last clearing */
    bool has_target, all_replicas;  /* a read ends when one replica is there, or all are at once */
    uint64_t *seen;                 /* reads some replica of which was there */
    uint64_t *hit;                  /* per read: steps done at that time, */
    uint64_t *ended;                /* and when the read ended */
    struct spn_word_device *device; /* that makes the steps (device/device.h); NULL: none */
} spn_words;

/* What every version has. */
typedef struct spn_word_version {
    size_t width; /* it makes so many words at once */
    /* `count` steps from step `first` with the tables; the first has row `row` of the window. */
    void (*steps)(spn_words *words, uint64_t first, size_t count, size_t row);
    /* Update the best states after a window of `count` steps that ended before step `end`, and
       count its moves. No site was proposed twice in it. */
    void (*close)(spn_words *words, uint64_t end, size_t count);
    /* Draw number `draw` of the centre. */
    void (*draw_centre)(spn_words *words, uint64_t draw, const spn_word_table *table);
} spn_word_version;

extern const spn_word_version spn_words_portable, spn_words_avx2, spn_words_avx512, spn_words_neon;

/* The fastest version for so many words. */
const spn_word_version *spn_words_select(spn_isa isa, size_t words);

/* The blocks of random words of a step, or of a site at a draw of the centre, start at this times
   its number. */
enum { SPN_WORD_BLOCKS = SPN_WORD_DIGITS / 2 };

/* The stream of replica a, and of draws of the centre. */
enum { SPN_WORD_CENTRE_STREAM = 0xFFFF };
static inline spn_stream spn_word_stream(const spn_words *words, size_t replica)
{
    spn_stream stream = words->stream;
    stream.lane += (uint32_t)replica; /* its low half is 0 */
    return stream;
}

/* After a step: reads that reached their target rest. Words w .. w+count-1. */
void spn_words_rest(spn_words *words, size_t w, size_t count, uint64_t step);

#endif
