/* Chains that wait. Most proposals of a cold chain are rejected, so the chain draws the time until
   the next one that may be accepted, and then which one it is. The process is that of the plain
   chain, step by step, with other random numbers.

   The sites of a replica are kept in classes of equal change: the change of the energy, and the
   overlap of the spin with what it is coupled to. A class has a bound on the acceptance of its
   sites; the bounds of all sites of a replica add up to its mass. With R the largest mass of a
   replica over N, every proposal is a candidate with probability R, whatever its replica, so the
   number of proposals until the next candidate is geometric. A candidate takes a site with
   probability bound / (N R), or none, and accepts it with probability rate / bound. So a proposal
   flips site i with probability rate_i / N, as it should. The geometric law has no memory, so the
   wait can be drawn again whenever the masses or the bounds change: after a flip, or when the
   schedules have moved on.

   Bounds hold over an interval of steps. beta and gamma are monotone in it, and each rate is
   monotone in each of them, so the ends of the interval bound it (waiting_bounds.c).

   Masses are sums of integers, so they do not depend on the order of the flips. The order of the
   sites within a class does, and is saved with the chain. */
#ifndef SPN_CHAIN_WAITING_H
#define SPN_CHAIN_WAITING_H

#include "chain/chain.h"

enum {
    SPN_WAIT_NUMBERS = 64, /* random numbers made at once */
    SPN_WAIT_GROUPS = 8,   /* of overlaps, at most */
    SPN_WAIT_CHUNK = 1 << 20
};

/* Saved with the chain, like the order of the sites. */
typedef struct spn_waiting_clock {
    uint64_t on;          /* waiting; otherwise plain until the rule switches */
    uint64_t number;      /* random numbers used so far */
    uint64_t next;        /* the next candidate, as the number of its proposal */
    uint64_t from, until; /* steps for which the bounds hold; until = 0: none */
    uint64_t accepted;    /* accepted moves when the stretch began, for the rule, */
    uint64_t candidates;  /* and random numbers used then */
} spn_waiting_clock;

/* The range of a class: gains in units, or overlaps. */
typedef struct spn_wait_range {
    int64_t low, high;
} spn_wait_range;

typedef struct spn_wait_site {
    int32_t gain;   /* the energy's change in a flip, in units */
    uint32_t place; /* in the list of its class */
    uint32_t class;
} spn_wait_site;

typedef struct spn_wait_list {
    uint32_t *sites;
    uint32_t count, room;
} spn_wait_list;

typedef struct spn_wait_edge {
    uint32_t site;
    int32_t change; /* of the gain if a spin of the pair flips: 4 J */
} spn_wait_edge;

typedef struct spn_waiting {
    spn_waiting_clock clock;
    spn_sparse_terms graph;
    spn_wait_edge *edges; /* in the order of the graph's */

    /* classes: each level of energy change has `groups` groups of overlaps */
    unsigned shift;                             /* every change is a multiple of 2^shift units */
    size_t top, levels, groups, classes;        /* top: the level of the largest change */
    spn_wait_range overlaps[SPN_WAIT_GROUPS];   /* of each group */
    uint8_t group_of[2 * SPN_MAX_REPLICAS + 1]; /* of an overlap + SPN_MAX_REPLICAS */
    uint64_t *bound;                            /* of each class: a probability times `one`, */
    uint64_t *sure;                             /* and what is always accepted in the interval */
    uint64_t one;
    size_t middle;
    uint16_t *level_of; /* of a change >> shift, from the middle; NULL: too many */
    bool bounded;       /* bound and sure belong to the interval */

    /* sites: replica a at a * sites, or at a * classes */
    bool built;
    spn_wait_site *site;
    size_t lists; /* of all replicas */
    spn_wait_list *list;
    uint64_t *mass; /* of each replica */
    bool no_memory;
    uint64_t counted; /* accepted moves that scoping schedules see in this call */

    bool has_numbers;      /* random numbers were made, */
    uint64_t numbers_from; /* from this one on */
    uint64_t choice[SPN_WAIT_NUMBERS];
    double wait[SPN_WAIT_NUMBERS]; /* exponential */
    uint64_t stretch;              /* steps between two looks of the rule */
    double enter, leave;           /* shares of candidates below and above which it switches */
} spn_waiting;

/* Make what options.moves asks for. chain->waiting stays NULL if the chain is always plain. Errors:
   ARGUMENT (WAITING is impossible), MEMORY. */
spn_status spn_waiting_create(spn_chain *chain, spn_error *err);
void spn_waiting_free(spn_waiting *waiting);

static inline bool spn_waiting_is_on(const spn_chain *chain)
{
    return chain->waiting && chain->waiting->clock.on;
}

/* The steps until the rule of SPN_MOVES_AUTO applies again (UINT64_MAX: never); and apply it if
   due. */
uint64_t spn_waiting_left(const spn_chain *chain);
void spn_waiting_switch(spn_chain *chain);

/* Up to count steps, at most SPN_WAIT_CHUNK. Returns how many: fewer if chain->interrupt was set or
   memory ran out. Sets chain->beta and gamma, and counts proposals. Expected cost: a flip for each
   accepted move, for any number of steps; with several replicas in random order also the draw of a
   replica in each step. */
size_t spn_waiting_run(spn_chain *chain, size_t count);

/* The spins, or what they are coupled to, changed from outside: rebuild the classes later. */
void spn_waiting_forget(spn_chain *chain);

/* ---- for waiting*.c ---- */

/* Sort all sites into classes, each replica's in the given order (N sites each) or by number
   (NULL). O(y (N + couplings)). False: no memory. */
bool spn_waiting_build(spn_chain *chain, const uint32_t *order);

/* Compute the bounds of the interval clock.from .. clock.until, and the masses. */
void spn_waiting_bound(spn_chain *chain);

/* Make room for at least `count` sites. False: no memory. */
bool spn_wait_list_grow(spn_wait_list *list, uint32_t count);

/* The end of an interval that begins at step `from`. */
uint64_t spn_waiting_interval(const spn_chain *chain, uint64_t from);

/* The probability, times `one`, that a flip of this gain and overlap is accepted in a step. */
uint64_t spn_waiting_rate(const spn_chain *chain, uint64_t step, int64_t gain, int overlap);

/* The least and largest change of a level, in units. */
spn_wait_range spn_waiting_gains(const spn_waiting *w, size_t level);

/* The order of the sites by replica and class, y N sites, for spn_waiting_build. */
void spn_waiting_order(const spn_chain *chain, uint32_t *out);

enum { SPN_WAIT_EXACT = 64, SPN_WAIT_PARTS = 16, SPN_WAIT_PARTS_LOG = 4, SPN_WAIT_EXACT_LOG = 6 };

/* Levels of sizes: one per size below SPN_WAIT_EXACT, then SPN_WAIT_PARTS per doubling. */
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

/* Nonnegative changes come first: most sites of a cold chain have them. */
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
