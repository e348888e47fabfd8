/* The internals of a chain, which create.c makes, chain.c runs and loop.c works on. */
#ifndef SPN_CHAIN_CHAIN_H
#define SPN_CHAIN_CHAIN_H

#include "chain/best.h"
#include "chain/health.h"
#include "chain/parts.h"
#include "chain/sharing.h"
#include "core/coupling.h"
#include "core/draws.h"
#include "core/energy.h"
#include "core/sampler.h"
#include "core/schedule.h"
#include <assert.h>
#include <spinney/chain.h>

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

typedef struct spn_sides spn_sides; /* chain/side_by_side.h */

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
    uint64_t uphill;          /* accepted moves that raised an energy, in the current block */
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
    bool bad_energy;    /* a NaN was seen, */
    size_t bad_replica; /* here */
    size_t bad_site;
    struct spn_waiting *waiting; /* NULL: every move is plain */
    spn_snapshot seen;           /* what the last look showed */
} spn_chain;

static inline spn_chain *spn_chain_of(const spn_sampler *sampler)
{
    assert(sampler->type == &spn_chain_type);
    return (spn_chain *)sampler;
}

/* Compute sums, caches, energies and the log of best states from the spins. */
spn_status spn_chain_attach(spn_chain *chain, spn_error *err);

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

/* Note a NaN, which ends the run. */
void spn_chain_bad_energy(spn_chain *chain, size_t replica, size_t site);

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

#endif
