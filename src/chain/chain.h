/* The internals of a chain, which create.c makes, chain.c runs and loop.c works on. */
#ifndef SPN_CHAIN_CHAIN_H
#define SPN_CHAIN_CHAIN_H

#include "base/team.h"
#include "chain/health.h"
#include "chain/parts.h"
#include "core/coupling.h"
#include "core/draws.h"
#include "core/energy.h"
#include "core/sampler.h"
#include "core/schedule.h"

#include <assert.h>
#include <math.h>
#include <spinney/chain.h>
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

/* The best state of each replica, kept without copying N spins at every improvement: flips since
   the best are logged, and the next best replays the log. Amortised O(1) per accepted flip. */
typedef struct spn_best_states {
    size_t sites, replicas;
    size_t log_capacity;
    double *energy; /* one per replica */
    int8_t *spins;  /* replica a at a * sites */
    uint32_t *log;  /* replica a at a * log_capacity */
    size_t *logged; /* more than log_capacity: the log is incomplete, copy all */
} spn_best_states;

spn_status spn_best_init(spn_best_states *best, size_t replicas, size_t sites, spn_error *err);
void spn_best_clear(spn_best_states *best);

void spn_best_start(spn_best_states *best, const int8_t *spins, const double *energy);

/* The flips since replica a's best are not known: copy its next best whole. */
void spn_best_forget_flips(spn_best_states *best, size_t a);

void spn_best_replay(spn_best_states *best, size_t a, const int8_t *spins);

/* Replica a has flipped site, as part of a move. */
static inline void spn_best_note(spn_best_states *best, size_t a, size_t site)
{
    size_t logged = best->logged[a];
    assert(a < best->replicas && site < best->sites);
    if (logged < best->log_capacity)
        best->log[a * best->log_capacity + logged] = (uint32_t)site;
    best->logged[a] = logged + 1;
}

/* Replica a has flipped site and now has this energy. True if that is a new best. */
static inline bool spn_best_flip(spn_best_states *best, size_t a, size_t site, const int8_t *spins,
                                 double energy)
{
    spn_best_note(best, a, site);
    if (!(energy < best->energy[a]))
        return false;
    best->energy[a] = energy;
    spn_best_replay(best, a, spins);
    return true;
}

/* Whether to share work among threads (the energy changes of a step, or the replicas of a stretch):
   only while it pays. Costs are seconds per step. Shared or not, the
   results are the same, so the choice may depend on time. */
typedef struct spn_sharing {
    spn_team *team;    /* NULL until it is first needed */
    bool always;       /* for tests: always share */
    bool never;        /* no threads are available */
    bool on;           /* it pays now */
    double alone;      /* latest cost on one thread, */
    uint64_t known;    /* by this many steps */
    uint32_t untimed;  /* blocks of cheap steps that were not timed */
    double next_trial; /* when to try the other way */
    double pause;      /* until the next trial after one that failed */
    uint64_t shared;   /* steps that were shared out */
} spn_sharing;

/* Trials may take this share of the time; shared steps must take less than this share of the time
   of one thread; one thread makes this many steps before the first trial. */
static const double SPN_TRIAL_SHARE = 0.02, SPN_SHARING_GAIN = 0.9;
enum { SPN_SHARING_KNOWN = 64 };

/* Whether there is a team. Makes one if needed, with at most this many threads and items. */
bool spn_sharing_has_team(spn_sharing *s, unsigned threads, size_t items);

/* Note the seconds that these steps took on one thread. */
void spn_sharing_note_alone(spn_sharing *s, double seconds, uint64_t steps);

/* Sharing was slower and took these seconds: pause, longer each time in a row. */
void spn_sharing_give_up(spn_sharing *s, double seconds);

/* One block of steps: the random numbers of its proposals and the schedule values of its steps.
   Proposal j of stream a is at a * capacity + j. */
enum { SPN_LOOKAHEAD = 8 }; /* valid sites readable past the last */

typedef struct spn_block {
    size_t capacity; /* steps */
    uint32_t *site;
    uint32_t *replica;
    double *threshold;
    double *beta;
    double *gamma;
} spn_block;

typedef struct spn_sides spn_sides;

extern const spn_sampler_type spn_chain_type;

typedef struct spn_chain {
    spn_sampler base;
    const spn_energy *energy;
    spn_energy_slots slots;    /* every slot filled */
    spn_chain_options options; /* its schedules are the next two */
    spn_schedule *beta_schedule, *gamma_schedule;
    size_t sites, replicas;
    uint32_t *proposed;  /* the list options.proposed, or NULL */
    size_t choices;      /* its length, or `sites`: what a proposal chooses from */
    uint64_t list_sum;   /* its checksum, or 0 */
    bool picks_replica;  /* a step is one proposal of a random replica */
    bool two_stage;      /* the kernel tests the coupling first */
    size_t streams;      /* of proposals: one per replica, or one for all */
    size_t first_stream; /* 0, unless this is a view of one replica */

    /* state */
    bool fresh;       /* the caches depend on the spins alone */
    uint64_t redraws; /* by spn_chain_redraw */
    int8_t *spins;
    int16_t *sums;  /* s_i; with a centre, only valid after spn_centre_sums */
    int8_t *centre; /* what the replicas are coupled to; NULL: each other */
    double *energies;
    uint64_t *accepted;
    uint64_t *proposals;
    uint64_t accepted_total;
    uint64_t uphill;          /* accepted moves that raised an energy, in the current block, */
    uint64_t downhill;        /* and those that lowered it */
    uint64_t improved_step;   /* steps done when a best energy last fell */
    size_t at_target;         /* replicas at or below the target energy */
    uint64_t first_hit;       /* steps done when one first was, or SPN_NO_HIT */
    double first_hit_seconds; /* running time until then */
    spn_best_states best;
    unsigned char *caches; /* replica a at a * cache_stride */
    size_t cache_stride;
    double beta, gamma; /* of the last step */
    double largest;     /* size of an energy, at the ends of blocks */
    uint64_t compared;  /* step of the last comparison of energies with those of their states */
    spn_parts parts;
    spn_health_log health;

    /* work space */
    spn_coupling coupling;
    bool gamma_varies;
    int interrupt;       /* check the run before making another step */
    size_t target_count; /* replicas at the target that end the run; SIZE_MAX: none do */
    uint64_t scope;      /* accepted moves at which a scoping schedule changes; UINT64_MAX: never */
    spn_block block;
    spn_draw_function *draw;
    spn_sharing sharing;
    spn_sides *sides;   /* NULL: replicas never run side by side */
    double *trial;      /* shared steps: the energy change of each replica, */
    uint8_t *has_trial; /* and whether it was computed */
    bool bad_energy;    /* a NaN, -infinity or wrong change was seen, */
    size_t bad_replica; /* here */
    size_t bad_site;
    double bad_change[2];        /* or what delta said and what the change was, if they differ */
    struct spn_waiting *waiting; /* NULL: every move is plain, or */
    struct spn_levels *levels;   /* NULL: a flip */
    spn_snapshot seen;           /* what the last look showed */
} spn_chain;

static inline spn_chain *spn_chain_of(const spn_sampler *sampler)
{
    assert(sampler->type == &spn_chain_type);
    return (spn_chain *)sampler;
}

/* Compute sums, caches, energies and the log of best states from the spins. */
spn_status spn_chain_attach(spn_chain *chain, spn_error *err);

/* Note the size of an energy, if it is finite: states drawn at beta 0 may be forbidden. */
static inline void spn_chain_note_size(spn_chain *chain, double energy)
{
    const double size = energy < 0 ? -energy : energy;
    chain->largest = size > chain->largest && size < INFINITY ? size : chain->largest;
}

/* The number of accepted moves at which a scoping schedule changes next; UINT64_MAX: never. */
uint64_t spn_chain_next_scope(const spn_chain *chain);

/* Functions of the chain's type that are not in chain.c. */
spn_status spn_chain_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err);
spn_health spn_chain_health(const spn_sampler *sampler);
void spn_chain_look(spn_progress *out, const spn_sampler *sampler);
void spn_chain_destroy(spn_sampler *sampler);

/* Recompute the caches of an energy with `refresh` from the spins alone. */
void spn_chain_refresh(spn_chain *chain);

/* Compare the energies of the replicas and of their best states with those of their spins, computed
   anew. Errors: ENERGY. */
spn_status spn_chain_check(const spn_sampler *sampler, spn_error *err);

/* Whether the loop's running values equal those computed from scratch; for asserts. O(y N). */
bool spn_chain_is_consistent(const spn_chain *chain);

/* How the coupling enters the steps of a block. */
typedef enum spn_gamma_use {
    SPN_GAMMA_NONE,
    SPN_GAMMA_TABLE,
    SPN_GAMMA_VARIES,
    SPN_GAMMA_CENTRE /* a field gamma c_i at site i, for any schedule of gamma */
} spn_gamma_use;

spn_gamma_use spn_chain_gamma_use(const spn_chain *chain);

/* Note a NaN or -infinity, which ends the run. */
void spn_chain_bad_energy(spn_chain *chain, size_t replica, size_t site);

/* After a flip: end the run if its change is not what delta said. */
void spn_chain_compare_change(spn_chain *chain, size_t replica, size_t site, double before,
                              double said);

/* Do up to count steps (at most block.capacity) with the numbers of the block. Returns how many:
   fewer if the target was reached, a stop was asked for, a scoping schedule is due, or the energy
   was NaN. The second runs on one thread. */
size_t spn_loop_run(spn_chain *chain, size_t count);
size_t spn_loop_alone(spn_chain *chain, size_t count);

static inline int8_t *spn_chain_spins(const spn_chain *chain, size_t replica)
{
    return chain->spins + replica * chain->sites;
}

static inline void *spn_chain_cache(const spn_chain *chain, size_t replica)
{
    return chain->caches + replica * chain->cache_stride;
}

/* ---- order.c: which replicas propose which sites, step by step ---- */

/* Whether a step is one proposal of a random replica; otherwise each replica proposes in turn. */
bool spn_order_picks_replica(spn_order order);

/* Whether sites are random; otherwise the site follows from the step. */
bool spn_order_draws_sites(spn_order order);

/* Errors: ARGUMENT (an unknown order, or too many replicas and choices for it). */
spn_status spn_order_check(spn_order order, size_t replicas, size_t choices, spn_error *err);

/* Fill the block with the sites, replicas and thresholds of the next count steps. */
void spn_order_fill(spn_chain *chain, size_t count);

/* Count the proposals of the first `steps` steps of the block. */
void spn_order_count(spn_chain *chain, size_t steps);

/* The replica that proposes in a step, if the order picks one. */
size_t spn_order_replica(const spn_chain *chain, uint64_t step);

/* Count the proposals of any number of next steps, without a block. */
void spn_order_count_all(spn_chain *chain, size_t steps);

/* ---- centre.c ---- */

/* Start the centre, if the chain has one: copy the given one or make a first draw. Errors: ARGUMENT
   (a given value is no spin), MEMORY. */
spn_status spn_centre_begin(spn_chain *chain, spn_error *err);

/* The steps until the next draw; UINT64_MAX if there is none. */
uint64_t spn_centre_left(const spn_chain *chain);

/* Whether a draw is due now. */
bool spn_centre_is_due(const spn_chain *chain);

/* Draw the centre from its law given the replicas, at the gamma of the last step. The random
   numbers depend only on the step. O(y N). */
void spn_centre_draw(spn_chain *chain);

/* The same with draw `number` of a stream; each draw takes N/2 blocks or slightly more. */
void spn_centre_draw_from(spn_chain *chain, spn_stream stream, uint64_t number);

/* Update the sums, which the steps of a chain with a centre do not keep. O(y N). */
void spn_centre_sums(const spn_chain *chain);

/* ---- side_by_side.c ---- */

enum { SPN_STRETCH = 4096 };

/* Make the views of a chain that can use them: with a centre, threads, and several replicas that
   all propose in a step. Without memory there are none, and the chain runs on one thread. Memory: y
   blocks of numbers and, if the chain has a target, a copy of its state. */
void spn_sides_make(spn_chain *chain);
void spn_sides_free(spn_sides *sides);

/* Whether making the next steps, at most `count`, side by side is faster. */
bool spn_sides_pay(spn_chain *chain, size_t count);

/* Make at most count steps; returns how many. 0: some replicas reached the target, and the chain is
   unchanged; spn_sides_pay is then false until one thread has passed that point. */
size_t spn_sides_run(spn_chain *chain, size_t count);

/* Whether to time the next block on one thread: a thread's clock costs as much as many steps. */
bool spn_sides_time_alone(spn_chain *chain);

/* Note the seconds that these steps took on one thread. */
void spn_sides_note_alone(spn_chain *chain, double seconds, size_t steps);

#endif
