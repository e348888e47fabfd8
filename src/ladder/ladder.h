/* The ladder from inside. ladder.c makes it and runs its scans and rounds; scan.c runs the walkers
   side by side; exchange.c swaps their points or moves them one by one; equi_energy.c lets them
   jump; estimate.c keeps the measurements, and computes log Z and its errors from them;
   adapt.c moves the rungs; save.c visits all fields; look.c is what users see. */
#ifndef SPN_LADDER_LADDER_H
#define SPN_LADDER_LADDER_H

#include "base/team.h"
#include "chain/chain.h"
#include "chain/jackknife.h"
#include "chain/point.h"
#include "ladder/equi_energy.h"

#include <assert.h>
#include <spinney/ladder.h>

/* ---- clusters.c: moves between the replicas of a chain ---- */

/* The graph of an energy; any number of chains may use it side by side. */
typedef struct spn_clusters spn_clusters;

/* Free with spn_clusters_free. Memory: 4 (N + 2 couplings) bytes. Errors: ARGUMENT (the energy has
   no graph of couplings), MEMORY. O(N + couplings). */
spn_status spn_clusters_create(spn_clusters **out, const spn_energy *energy, spn_error *err);

/* Make `count` moves, number `first` and following of this chain: each draws its pair of replicas
   and its site from the chain's stream of moves, at a place that the number tells. Best states,
   first hits and replicas at the target follow; a move is no proposal and counts as no step. To
   *changed is added how many sites changed hands. A chain of one replica is left alone. O(N) for
   each move, and O(degree) for each site of a cluster. Errors: MEMORY. */
spn_status spn_chain_clusters(uint64_t *changed, spn_chain *chain, const spn_clusters *clusters,
                              uint64_t first, uint32_t count, spn_error *err);

void spn_clusters_free(spn_clusters *clusters);

/* Of scans in a round, that errors come from. */
enum { SPN_LADDER_BLOCKS = SPN_JACKKNIFE_BLOCKS };

/* Random streams of purpose SPN_PURPOSE_MOVES: what takes the place of the replica in them. */
enum {
    SPN_STREAM_CLUSTERS, /* clusters that two replicas exchange */
    SPN_STREAM_RUNGS,    /* the walk of simulated tempering over the rungs */
    SPN_STREAM_JUMPS,    /* equi-energy jumps, */
    SPN_STREAM_STORE     /* and the states that a store keeps for them */
};

/* The end of the ladder that a walker comes from. */
typedef enum spn_ladder_side { SPN_FROM_NOWHERE, SPN_FROM_FIRST, SPN_FROM_LAST } spn_ladder_side;

/* What of a walker is saved as it is. */
typedef struct spn_walker_state {
    uint64_t rung; /* UINT64_MAX: it has none, the ladder having become shorter */
    uint64_t left; /* steps of the current scan still to be made */
    uint64_t side; /* spn_ladder_side, in this round */
    uint64_t restarts, round_trips;
    uint64_t hit;           /* the ladder's steps at the first hit, or SPN_NO_HIT; */
    uint64_t hit_proposals; /* and its proposals */
    double hit_seconds;
    /* Of the current scan: */
    uint64_t proposals, accepted, uphill, cluster_sites;
    /* and of the state at its end: U, H_gamma, the overlap, and log(weight at the next rung, or at
       the one before / weight here). */
    double energy, coupling, overlap;
    double up, down;
} spn_walker_state;

typedef struct spn_walker {
    spn_chain *chain;
    spn_walker_state s;
    spn_status status; /* of its part of the scan */
    spn_error error;
} spn_walker;

/* log sum exp, as numbers come in. */
typedef struct spn_log_sum {
    double most, sum; /* sum e^(x - most) */
} spn_log_sum;

/* What the scans of a block found on a rung. */
typedef struct spn_rung_tally {
    uint64_t count;
    double energy, coupling, overlap; /* sums */
    spn_log_sum up, down;             /* of e^(up/2), e^(down/2) */
} spn_rung_tally;

/* And all scans of the round. */
typedef struct spn_rung_total {
    uint64_t proposals, accepted, uphill;
    uint64_t pairs;                        /* of states here and on the next rung */
    double rejection;                      /* sum of 1 - the probability that they would swap */
    spn_jump_counts jumps;                 /* into the store of the rung before */
    uint64_t cluster_moves, cluster_sites; /* made, and sites that changed hands */
} spn_rung_total;

typedef struct spn_kept_state {
    uint64_t rung, scan;
} spn_kept_state;

typedef struct spn_ladder {
    spn_sampler base;
    const spn_energy *energy;
    spn_ladder_options options;
    spn_chain_options chain; /* of walker 0; given states and centre belong to the ladder or are
                                gone */
    int8_t *centre;          /* of chain.centre; NULL: none */
    bool keeps_fractions;    /* those given, whatever is rejected */
    size_t proposals_per_step;
    uint64_t total_scans, save_scans;
    uint64_t last_scans;  /* of the last round */
    uint64_t asked_scans; /* of it, by the options */
    bool adds_rounds;     /* as long as there is time for them */

    /* state */
    bool in_scan; /* a scan has begun and not ended */
    uint64_t scan;
    uint32_t round;
    uint64_t round_scan; /* scans done of the round */
    uint64_t proposals;  /* of whole scans */
    size_t rungs;
    double fraction[SPN_LADDER_MOST_RUNGS];
    double beta[SPN_LADDER_MOST_RUNGS], gamma[SPN_LADDER_MOST_RUNGS];
    size_t walker_at[SPN_LADDER_MOST_RUNGS]; /* while it simulates: the walkers with a rung */
    double weight[SPN_LADDER_MOST_RUNGS];    /* of simulated tempering */
    spn_rung_total totals[SPN_LADDER_MOST_RUNGS];
    spn_rung_tally *tallies; /* rung k, block b at k * SPN_LADDER_BLOCKS + b */
    size_t walkers;          /* those without a rung included */
    spn_walker *walker;      /* room for SPN_LADDER_MOST_RUNGS */
    size_t store_count;
    spn_store **stores; /* of equi-energy jumps: one for each rung but the last */
    size_t kept, kept_capacity;
    spn_kept_state *kept_states;
    size_t kept_energy_capacity, kept_spin_capacity;
    double *kept_energies; /* y for each */
    int8_t *kept_spins;    /* y N */

    /* work space */
    spn_clusters *clusters; /* NULL: none */
    spn_team *team;
    spn_snapshot seen; /* what the last look showed: the last rung, with */
    uint64_t *counts;  /* proposals and accepted flips of each replica, of all walkers, */
    double *best;      /* and its lowest energy so far */
    char words[128];
} spn_ladder;

extern const spn_sampler_type spn_ladder_type;

/* A sampler that is a ladder. */
static inline spn_ladder *spn_ladder_of(const spn_sampler *sampler)
{
    assert(sampler->type == &spn_ladder_type);
    return (spn_ladder *)sampler;
}

/* What the type of a ladder is made of, besides what ladder.c has. */
spn_status spn_ladder_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err);
spn_health spn_ladder_health(const spn_sampler *sampler);
void spn_ladder_show(spn_progress *out, const spn_sampler *sampler);

/* The length of a round; of all. */
uint64_t spn_ladder_round_length(const spn_ladder *ladder, uint32_t round);
uint64_t spn_ladder_count_scans(const spn_ladder *ladder);

static inline bool spn_ladder_is_last_round(const spn_ladder *ladder)
{
    return ladder->round + 1 == ladder->options.rounds;
}

/* Whether each walker changes its rung by itself, by the weights: then several may be on one rung,
   or none, and walker_at lists the walkers in their order. */
static inline bool spn_ladder_simulates(const spn_ladder *ladder)
{
    return ladder->options.method == SPN_LADDER_SIMULATED && spn_ladder_is_last_round(ladder);
}

/* Walker number ladder->walkers, at its start and without a rung. Errors: those of
   spn_chain_create. */
spn_status spn_ladder_add_walker(spn_ladder *ladder, spn_error *err);

/* Put walker w on rung k: its chain gets the point. */
void spn_ladder_assign(spn_ladder *ladder, size_t w, size_t k);

/* Points of the rungs from their fractions, and walkers to their points. Errors: ARGUMENT (a path
   that leads to no point). */
spn_status spn_ladder_set_points(spn_ladder *ladder, spn_error *err);

/* Walk until the scan is whole (ladder->in_scan is false then) or something stops it. Results do
   not depend on the number of threads. Errors: ENERGY. */
spn_status spn_ladder_walk(spn_ladder *ladder, spn_error *err);

/* Whether some walker is at the target that ends the run. */
bool spn_ladder_is_at_target(const spn_ladder *ladder);

/* Whether states on rungs k and k + 1 swap; log(u) <= this decides. At most 0. */
double spn_ladder_swap_log_chance(const spn_ladder *ladder, size_t k);

/* The swaps of a scan, and where walkers came from. */
void spn_ladder_exchange_swap(spn_ladder *ladder);
void spn_ladder_note_trips(spn_ladder *ladder);

/* Simulated tempering (exchange.c): the last round begins, with weights from what was measured, and
   a place in walker_at for each walker, whatever its rung. Errors: INPUT, if what was measured
   gives no log Z, which only a damaged saved state does. O(rungs blocks). */
spn_status spn_ladder_begin_simulated(spn_ladder *ladder, spn_error *err);

/* The places of walkers, from their rungs; false if a walker has no such rung, or there are not as
   many walkers as rungs. */
bool spn_ladder_place_simulated(spn_ladder *ladder);

/* Add how likely the walkers' states would have moved, from either side of each pair of rungs. */
void spn_ladder_note_simulated(spn_ladder *ladder);

/* The moves of a scan. */
void spn_ladder_exchange_simulated(spn_ladder *ladder);

/* Empty stores for the rungs and the length of this round; none where there are no jumps. Errors:
   ARGUMENT (too large), MEMORY. */
spn_status spn_ladder_begin_stores(spn_ladder *ladder, spn_error *err);
void spn_ladder_free_stores(spn_ladder *ladder);

/* The jumps of a scan, then its states to the stores. Errors: MEMORY, ENERGY. */
spn_status spn_ladder_exchange_equi_energy(spn_ladder *ladder, spn_error *err);

/* Forget what was measured; add the scan. Errors: MEMORY. */
void spn_ladder_clear_tallies(spn_ladder *ladder);
spn_status spn_ladder_add_scan(spn_ladder *ladder, spn_error *err);

/* The last round becomes longer: its blocks are joined in pairs. Returns its length; the other says
   which it would be. */
uint64_t spn_ladder_joined_length(uint64_t length);
uint64_t spn_ladder_join_blocks(spn_ladder *ladder, uint64_t length);

/* Room for `count` kept states; false without memory. */
bool spn_ladder_make_kept_room(spn_ladder *ladder, size_t count);

/* A round that is not the last has ended: move the rungs, choose their number. Errors: those of
   walkers. */
spn_status spn_ladder_adapt(spn_ladder *ladder, spn_error *err);

/* The mean rejection of rungs k and k + 1; 0 before the first scan. */
double spn_ladder_rejection(const spn_ladder *ladder, size_t k);

/* log Z of the first rung; of rung k + 1, given that of rung k. O(blocks), so that all rungs
   together take O(rungs blocks). */
spn_jackknife spn_ladder_log_z_first(const spn_ladder *ladder);
void spn_ladder_log_z_next(spn_jackknife *log_z, const spn_ladder *ladder, size_t k);

/* Fill the means, log Z and entropy of rung k, with their errors and intervals. */
void spn_ladder_estimate(spn_ladder_rung *out, const spn_ladder *ladder, size_t k,
                         const spn_jackknife *log_z);

/* Blocks of the current round that have scans. */
size_t spn_ladder_blocks(const spn_ladder *ladder);

#endif
