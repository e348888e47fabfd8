/* The internals of the solver. solver.c makes and watches it, round.c runs reads, move.h proposes,
   adapt.c changes weights and times, hold.c holds bits, measure.c finds the range of beta, save.c
   saves. */
#ifndef SPN_PROBLEM_SOLVER_H
#define SPN_PROBLEM_SOLVER_H

#include "base/team.h"
#include "core/coupling.h"
#include "core/sampler.h"
#include "problem/presolve.h"
#include "problem/state.h"
#include <spinney/random.h>
#include <spinney/solver.h>

enum {
    SPN_EPOCHS = 64, /* of a round: weights are adapted at their ends */
    SPN_TICKS = 16,  /* of an epoch: beta and gamma are constant in each */
    SPN_WORDS = 256  /* random words made at once */
};

typedef struct spn_word_source {
    spn_stream stream;
    uint64_t block; /* of the next words */
    uint32_t used;
    uint32_t words[SPN_WORDS];
} spn_word_source;

/* What counts among states: feasible ones by their objective, others by their violation first. */
typedef struct spn_merit {
    double violation, objective; /* violation 0: feasible */
} spn_merit;

static inline bool spn_is_better(spn_merit a, spn_merit b)
{
    return a.violation != b.violation ? a.violation < b.violation : a.objective < b.objective;
}

typedef struct spn_ended {
    spn_merit best;
    uint64_t held; /* bits */
} spn_ended;

typedef struct spn_solver_read {
    spn_state *replica; /* y */
    int16_t *sums;      /* of each bit over the replicas; NULL for one replica */
    spn_price *price;   /* of each row */
    uint8_t *held;      /* of each bit: it stays as it is in this round */
    uint32_t *active;   /* the others */
    uint32_t actives;
    bool holds;        /* some bit */
    uint8_t *ends;     /* of each bit, its ends of rounds that held none: the last in bit 0 */
    uint8_t *violated; /* of each row: epochs in the second half of the round at whose end it was */
    spn_word_source random;
    spn_coupling coupling;
    double beta, gamma;
    size_t round; /* under way */
    spn_merit best, round_best;
    int8_t *best_spins;
    size_t pending;   /* the replica whose state is the best and not yet copied; y: none */
    spn_ended *ended; /* the rounds that did */
    size_t ended_room;
    uint64_t proposals, accepted, uphill;
    uint64_t epoch_uphill, epoch_proposals; /* when the epoch began */
    /* of the epoch, and from epoch to epoch of the last round */
    double sum, squares;
    uint64_t samples;
    double heat[SPN_EPOCHS]; /* deviation of beta U over the share of uphill moves */
    /* The way from the first beta to the last: where each epoch begins, and how much time each part
       of it gets. */
    double border[SPN_EPOCHS + 1], density[SPN_EPOCHS];
    spn_status status;
    spn_error error;
} spn_solver_read;

typedef struct spn_solver {
    spn_sampler base;
    const spn_program *program;
    spn_solver_options options;
    spn_presolved *presolved;
    spn_compiled *c;
    uint8_t
        *heavy; /* of each bit: 1, in a product or the energy; 2, in a product of a row; 3 both */
    bool has_objective, has_swaps, is_heavy; /* some bit is */
    uint8_t *gate;                           /* of each bit; NULL: there is none */
    bool is_priced;                          /* some limit */
    double beta_first, beta_last;
    double bound;     /* minimised */
    double *weight;   /* of each row, at first, and what they come from; five times the rows */
    uint64_t *length; /* sweeps of each round */
    size_t rounds, length_room; /* begun */
    uint64_t round_start;       /* step at which the current round began */
    double round_clock;         /* seconds then */
    bool is_last;               /* the current round uses up the time */
    spn_solver_read *read;
    spn_team *team;
    uint64_t block; /* steps that each read makes now */
} spn_solver;

extern const spn_sampler_type spn_solver_type;

static inline spn_solver *spn_solver_of(const spn_sampler *sampler)
{
    assert(sampler->type == &spn_solver_type);
    return (spn_solver *)sampler;
}

void spn_words_fill(spn_word_source *source);

static inline uint32_t spn_next_word(spn_word_source *source)
{
    if (source->used == SPN_WORDS)
        spn_words_fill(source);
    return source->words[source->used++];
}

/* 0 to bound - 1, without bias (Lemire). */
static inline uint32_t spn_next_below(spn_word_source *source, uint32_t bound)
{
    uint64_t product = (uint64_t)spn_next_word(source) * bound;
    if ((uint32_t)product < bound) {
        const uint32_t least = (0u - bound) % bound;
        while ((uint32_t)product < least)
            product = (uint64_t)spn_next_word(source) * bound;
    }
    return (uint32_t)(product >> 32);
}

static inline double spn_next_uniform(spn_word_source *source)
{
    return ((double)spn_next_word(source) + 0.5) * 0x1p-32;
}

/* Steps of a round of this many sweeps. */
uint64_t spn_round_steps(const spn_solver *solver, uint64_t sweeps);

/* Put a read at the start of a round: random states in which the kept sets hold. Errors: ENERGY. */
spn_status spn_read_start(const spn_solver *solver, spn_solver_read *read, spn_error *err);

/* Make `count` steps from step `from` of a round of `steps`. */
void spn_read_run(const spn_solver *solver, spn_solver_read *read, uint64_t from, uint64_t count,
                  uint64_t steps);

/* The round is over. Errors: MEMORY. */
spn_status spn_read_end(const spn_solver *solver, spn_solver_read *read, spn_error *err);

/* The sums of the replicas, from their spins. */
void spn_read_sum(const spn_solver *solver, spn_solver_read *read);

/* Copy the best state if it is not yet. */
void spn_read_keep(spn_solver_read *read, size_t replicas);

/* First weights of the rows, from the changes of the objective. */
void spn_first_weights(const spn_solver *solver, const spn_state *state, double *weight);

/* Find the gates: see hold.c. Errors: MEMORY. */
spn_status spn_find_gates(spn_solver *solver, spn_error *err);

/* At the start of a round: which bits it holds. If it does, each replica starts at the best state.
 */
void spn_hold(const spn_solver *solver, spn_solver_read *read);

/* The active bits, from those that are held. */
void spn_hold_list(const spn_solver *solver, spn_solver_read *read);

/* At the end of a round: note where it ended. */
void spn_hold_note(const spn_solver *solver, spn_solver_read *read);

/* What its violation costs at first. */
spn_price spn_first_price(const spn_solver *solver, size_t row);

/* After a tick in the second half of a round, after epoch e of a round, and after a round. */
void spn_adapt_tick(const spn_solver *solver, spn_solver_read *read);
void spn_adapt_epoch(const spn_solver *solver, spn_solver_read *read, size_t epoch);
void spn_adapt_round(const spn_solver *solver, spn_solver_read *read);

/* The range of beta of the changes that a read's moves make. It leaves the read to be started.
   Errors: MEMORY, ENERGY. */
spn_status spn_solver_measure(spn_solver *solver, spn_solver_read *read, spn_error *err);

/* The part of the way from the first to the last beta, 0 to 1, at this part of a round. */
double spn_read_way(const spn_solver_read *read, double share);

spn_status spn_solver_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err);
bool spn_solver_can_save(const spn_sampler *sampler);

spn_status spn_solver_read_init(const spn_solver *solver, spn_solver_read *read, size_t r,
                                spn_error *err);
void spn_solver_read_clear(const spn_solver *solver, spn_solver_read *read);

#endif
