/* Chains that wait: instead of proposals that are nearly all rejected, the time until the next that
   may be accepted is drawn, and then which it is. The process is that of the plain chain, step by
   step; only other random numbers make it.

   The sites of a replica are kept in classes of equal change: the change of the energy, and the
   overlap of the spin with what it is coupled to. A class has a bound on the acceptance of its
   sites, and the bounds of all sites of a replica add up to its mass. With R the largest mass of a
   replica over N, every proposal is a candidate with probability R at most once, whatever its
   replica: the proposals until the next candidate are geometric. A candidate takes a site with
   probability bound / (N R), or none, and accepts it with probability rate / bound. So a proposal
   flips site i with probability rate_i / N, as it should; and as the geometric law has no memory,
   the wait may be drawn anew wherever the masses or the bounds change: after a flip, or where the
   schedules have moved on.

   Bounds hold over an interval of steps. beta and gamma are monotone in it, and each rate is
   monotone in each of them, so that the ends of the interval bound it (waiting_bounds.c).

   Masses are sums of whole numbers, so that they do not depend on the order of the flips. The order
   of the sites within a class does, and is saved with the chain. */
#ifndef SPN_CHAIN_WAITING_H
#define SPN_CHAIN_WAITING_H

#include "chain/chain.h"

enum {
    SPN_WAIT_NUMBERS = 64, /* random numbers made at once */
    SPN_WAIT_GROUPS = 8,   /* of overlaps, at most */
    SPN_WAIT_CHUNK = 1 << 20
};

/* What a saved chain holds, but for the order of the sites. */
typedef struct spn_waiting_clock {
    uint64_t on;          /* waiting; else plain until the rule says otherwise */
    uint64_t number;      /* random numbers used so far */
    uint64_t next;        /* the proposal that is the next candidate */
    uint64_t from, until; /* the steps that the bounds hold for; until = 0: none yet */
    uint64_t accepted;    /* when the current stretch began, for the rule, */
    uint64_t candidates;  /* and the numbers used then */
} spn_waiting_clock;

/* The changes in a class: of a gain in units, and of an overlap. */
typedef struct spn_wait_range {
    int64_t low, high;
} spn_wait_range;

typedef struct spn_wait_site {
    int32_t gain;   /* the energy's change in a flip, in units */
    uint32_t place; /* in the list of its class */
    uint32_t class;
} spn_wait_site;

/* The sites of a class. */
typedef struct spn_wait_list {
    uint32_t *sites;
    uint32_t count, room;
} spn_wait_list;

typedef struct spn_wait_edge {
    uint32_t site;
    int32_t change; /* 4 J: of the gain, where a spin of the pair is flipped */
} spn_wait_edge;

typedef struct spn_waiting {
    spn_waiting_clock clock;
    spn_sparse_terms graph;
    spn_wait_edge *edges; /* as those of the graph */

    /* the classes: of each level of the energy's change SPN groups of the overlap */
    unsigned shift;                             /* every change is a multiple of 2^shift units */
    size_t top, levels, groups, classes;        /* top: the level of the largest change */
    spn_wait_range overlaps[SPN_WAIT_GROUPS];   /* of each group */
    uint8_t group_of[2 * SPN_MAX_REPLICAS + 1]; /* of an overlap + SPN_MAX_REPLICAS */
    uint64_t *bound;                            /* of each class: probability times `one`, */
    uint64_t *sure;                             /* and what is accepted throughout the interval */
    uint64_t one;
    size_t middle;
    uint16_t *level_of; /* of a change >> shift, from the middle; NULL: too many */
    bool bounded;       /* bound and sure are those of the interval */

    /* the sites: replica a at a * sites, or at a * classes */
    bool built;
    spn_wait_site *site;
    size_t lists; /* of all replicas */
    spn_wait_list *list;
    uint64_t *mass; /* of each replica */
    bool no_memory;
    uint64_t counted; /* accepted moves by which schedules that count them go, in this call */

    bool has_numbers;      /* some were made, */
    uint64_t numbers_from; /* and these are the first of them */
    uint64_t choice[SPN_WAIT_NUMBERS];
    double wait[SPN_WAIT_NUMBERS]; /* exponential */
    uint64_t stretch;              /* steps between two looks of the rule */
    double enter, leave;           /* candidates in a proposal below, and above, which it changes */
} spn_waiting;

/* Make what options.moves asks for; chain->waiting stays NULL where the chain is always plain.
   Errors: ARGUMENT (WAITING where it cannot be), MEMORY. */
spn_status spn_waiting_create(spn_chain *chain, spn_error *err);
void spn_waiting_free(spn_waiting *waiting);

/* Whether the next steps are to be made by waiting. */
static inline bool spn_waiting_is_on(const spn_chain *chain)
{
    return chain->waiting && chain->waiting->clock.on;
}

/* The steps until the rule of SPN_MOVES_AUTO looks again; UINT64_MAX: never. And its look, where
   one is due now. */
uint64_t spn_waiting_left(const spn_chain *chain);
void spn_waiting_switch(spn_chain *chain);

/* Up to count steps, at most SPN_WAIT_CHUNK; returns how many were done: fewer where
   chain->interrupt was set, or memory ran out. Sets chain->beta and gamma, and counts proposals.
   Expected cost: that of a flip for each accepted move, whatever the number of steps; in random
   order of several replicas also the draw of a replica in each step. */
size_t spn_waiting_run(spn_chain *chain, size_t count);

/* The spins, or what they are coupled to, were changed from outside: build the classes again. */
void spn_waiting_forget(spn_chain *chain);

/* ---- for waiting*.c ---- */

/* Sort all sites into classes, each replica's in the order that is given, N sites for each, or in
   their own (NULL). O(y (N + couplings)). False: no memory. */
bool spn_waiting_build(spn_chain *chain, const uint32_t *order);

/* Make the bounds of the interval clock.from .. clock.until, and the masses. */
void spn_waiting_bound(spn_chain *chain);

/* Make room for `count` sites in a list, and for some more. False: no memory. */
bool spn_wait_list_grow(spn_wait_list *list, uint32_t count);

/* Where an interval ends that begins at step `from`. */
uint64_t spn_waiting_interval(const spn_chain *chain, uint64_t from);

/* The probability, times `one`, that a flip of this gain and overlap is accepted in a step. */
uint64_t spn_waiting_rate(const spn_chain *chain, uint64_t step, int64_t gain, int overlap);

/* The least and largest change of a level, in units. */
spn_wait_range spn_waiting_gains(const spn_waiting *w, size_t level);

/* The order of the sites, replica by replica, class by class: y N sites, for spn_waiting_build. */
void spn_waiting_order(const spn_chain *chain, uint32_t *out);

/* ---- classes ---- */

enum { SPN_WAIT_EXACT = 64, SPN_WAIT_PARTS = 16, SPN_WAIT_PARTS_LOG = 4, SPN_WAIT_EXACT_LOG = 6 };

/* Levels of sizes: one for each size below SPN_WAIT_EXACT, then SPN_WAIT_PARTS for each doubling.
 */
static inline size_t spn_wait_level(uint32_t size)
{
    if (size < SPN_WAIT_EXACT)
        return size;
    const unsigned e = 31 - (unsigned)__builtin_clz(size);
    return SPN_WAIT_EXACT + (e - SPN_WAIT_EXACT_LOG) * SPN_WAIT_PARTS +
           (size >> (e - SPN_WAIT_PARTS_LOG) & (SPN_WAIT_PARTS - 1));
}

/* What a spin is coupled to, times the spin. */
static inline int spn_wait_overlap(const spn_chain *chain, size_t a, size_t i)
{
    const int with = chain->centre ? chain->centre[i] : chain->sums[i];
    return with * chain->spins[a * chain->sites + i];
}

/* Levels of changes that are not negative come first: most sites of a cold chain are there. */
static inline size_t spn_wait_level_of(const spn_waiting *w, int32_t gain)
{
    return gain < 0 ? w->top + spn_wait_level((uint32_t)-gain >> w->shift)
                    : spn_wait_level((uint32_t)gain >> w->shift);
}

static inline size_t spn_wait_class(const spn_chain *chain, const spn_waiting *w, size_t a,
                                    size_t i, bool coupled)
{
    const int32_t gain = w->site[a * chain->sites + i].gain;
    const size_t level = w->level_of ? w->level_of[gain >> w->shift] : spn_wait_level_of(w, gain);
    if (!coupled)
        return level;
    return level * w->groups + w->group_of[SPN_MAX_REPLICAS + spn_wait_overlap(chain, a, i)];
}

#endif
