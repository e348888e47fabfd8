/* Samplers: how a proposal is accepted, what replicas are coupled to, why a run ended, and how any
   sampler is run, watched, saved and freed. */
#ifndef SPINNEY_SAMPLER_H
#define SPINNEY_SAMPLER_H

#include <signal.h>
#include <spinney/energy.h>
#include <spinney/schedule.h>

SPN_BEGIN_C

enum { SPN_MAX_REPLICAS = 255 };

/* The step of a first hit that never was. */
#define SPN_NO_HIT UINT64_MAX

/* How one proposal is accepted; all three leave exp(-beta U + H_gamma) invariant. dU and dH are the
   changes of the total energy and of the coupling. */
typedef enum spn_kernel {
    SPN_KERNEL_TWO_STAGE, /* min(1, e^dH) exp(-beta (dU)^+): the paper's; the coupling is tested
                             first, and no energy is computed when it rejects */
    SPN_KERNEL_ONE_STAGE, /* min(1, exp(-beta dU + dH)) */
    SPN_KERNEL_HEAT_BATH  /* 1 / (1 + exp(beta dU - dH)) */
} spn_kernel;

/* All kernels, as KERNEL(end of the value, end of the names of its exact results, word, ...). */
#define SPN_KERNELS(KERNEL, ...)                                                                   \
    KERNEL(TWO_STAGE, two_stage, "two-stage", __VA_ARGS__)                                         \
    KERNEL(ONE_STAGE, one_stage, "one-stage", __VA_ARGS__)                                         \
    KERNEL(HEAT_BATH, heat_bath, "heat-bath", __VA_ARGS__)

/* What one step is. */
typedef enum spn_order {
    SPN_ORDER_REPLICA_ROUND, /* each replica in turn proposes one random site: y proposals */
    SPN_ORDER_RANDOM,        /* one random replica proposes one random site: 1 proposal */
    SPN_ORDER_SEQUENTIAL     /* each replica in turn proposes site t mod N in step t: y proposals */
} spn_order;

typedef enum spn_start {
    SPN_START_SAME,        /* one random configuration, copied to every replica */
    SPN_START_INDEPENDENT, /* a random configuration for each */
    SPN_START_GIVEN        /* options.given */
} spn_start;

typedef enum spn_target {
    SPN_TARGET_NONE,
    SPN_TARGET_ANY, /* stop once some replica is at or below target_energy */
    SPN_TARGET_ALL  /* stop once all replicas are, at the same time */
} spn_target;

/* What the replicas are coupled to. */
typedef enum spn_coupling_kind {
    SPN_COUPLING_REPLICAS, /* each other: H_gamma = sum_i log cosh(gamma s_i) */
    SPN_COUPLING_CENTRE,   /* a configuration of its own, the centre: H_gamma = gamma sum_i c_i s_i;
                              the law is that of replicas and centre together, its marginal on the
                              replicas that of SPN_COUPLING_REPLICAS. Every options.centre_every
                              steps the centre is drawn from its law given the replicas */
    SPN_COUPLING_GIVEN     /* options.centre, which stays as it is; one replica feels it too */
} spn_coupling_kind;

/* How the steps are made; their law is the same. */
typedef enum spn_moves {
    SPN_MOVES_PLAIN,   /* proposal by proposal */
    SPN_MOVES_WAITING, /* from one proposal that may be accepted to the next: the cost is that of
                          accepted moves, whatever the number of steps. For ising, qubo and maxcut
                          whose couplings are small whole numbers of some unit; in replica-round and
                          random order */
    SPN_MOVES_AUTO,    /* plain, and waiting where that is possible while so few proposals are
                          accepted that it is faster, by a rule of the counts of the run alone */
    SPN_MOVES_LEVELS   /* a proposal flips several copies of a feature at once, or of two correlated
                          ones: softmax with rounded features. Otherwise plain */
} spn_moves;

/* Why a run ended. */
typedef enum spn_stop {
    SPN_STOP_NONE,     /* it has not */
    SPN_STOP_STEPS,    /* all steps done */
    SPN_STOP_TARGET,   /* the target energy was reached */
    SPN_STOP_PATIENCE, /* too many proposals without a new best energy */
    SPN_STOP_TIME,     /* the time budget is used up */
    SPN_STOP_REQUEST,  /* *stop became nonzero */
    SPN_STOP_FROZEN    /* options.stop_frozen, and the run is */
} spn_stop;

/* Whether a run was as it should be: the first that holds. A chain is judged by the uphill moves
   that it accepted in each sixteenth of its way, a ladder by its current round. A run that reached
   its target is good. */
typedef enum spn_health {
    SPN_HEALTH_GOOD,
    /* Chain: fewer than 4096 proposals. Ladder: fewer than two round trips of all walkers together
       (equi-energy: fewer than two jumps into some rung). Too short to tell. */
    SPN_HEALTH_SHORT,
    SPN_HEALTH_FROZEN_START, /* chain: at most 1 proposal in 10^4 went uphill, in every sixteenth */
    SPN_HEALTH_FROZEN_MOST,  /* chain: the same in the last ten sixteenths, or more */
    /* Chain: beta rose to its end, and in the last sixteenth 1 proposal in 20 went uphill. Ladder:
       it has a target, and on the last rung 1 proposal in 20 goes uphill. */
    SPN_HEALTH_HOT_END,
    SPN_HEALTH_BROKEN, /* ladder: some neighbours reject more than 19 of 20 swaps */
    /* Training, never a sampler by itself: the loss still fell at the end
       (spn_train_result.still_falls), or a time limit cut the schedule off. */
    SPN_HEALTH_FALLING
} spn_health;

/* The state of a chain, as an observer sees it; the arrays belong to the chain. */
typedef struct spn_snapshot {
    uint64_t step;      /* steps done */
    double beta, gamma; /* of the last step done (of the first, before it) */
    size_t replicas, sites;
    const int8_t *spins;       /* replica a starts at spins + a * sites */
    const int16_t *sums;       /* s_i */
    const double *energy;      /* one per replica, as are the next four */
    const double *best_energy; /* lowest so far */
    const int8_t *best_spins;  /* where it was; replica a at + a * sites */
    const uint64_t *accepted;
    const uint64_t *proposals;
    uint64_t first_hit; /* steps done when some replica was first at or below target_energy, be
                           target none or not; SPN_NO_HIT: none was */
    double first_hit_seconds; /* of running until then, to a block of steps */
    const int8_t *centre;     /* that the replicas are coupled to; NULL where it is each other */
    double fall; /* of the mean energy in the last eighth of a run that made all its steps, if more
                    than twice as many moves went down there as up, so that the run lagged behind
                    its schedules; else 0 */
} spn_snapshot;

/* ---- samplers ----
   A sampler evolves one or many groups of replicas under an energy: a chain, reads, a ladder or a
   population. Each is made by a function of its own header (spn_chain_create, ...), and then run,
   watched, saved and freed by the functions below. */

typedef struct spn_sampler spn_sampler;

/* How far a sampler is. */
typedef struct spn_progress {
    double share;       /* of the run, 0 to 1; 0 if its end is not known */
    uint64_t step;      /* steps done: of the chain, of one walker, of one copy; of all reads */
    uint64_t steps;     /* in all; 0: not known */
    uint64_t block;     /* steps come in multiples of this: 1, or the steps of a ladder's scan */
    uint64_t proposals; /* of all replicas so far */
    double best_energy; /* lowest so far */
    double seconds;     /* of running so far */
    /* The replicas that stand for the run: those of the chain; of a ladder those on the last rung,
       with its steps, the counts of all walkers and their best energies. NULL: none do. It belongs
       to the sampler, and stays valid until the next look. */
    const spn_snapshot *state;
    const char *words; /* what it does now, such as "round 2 of 5"; may be NULL */
    bool due;          /* a multiple of observe_every was passed, or it is the start or the end */
} spn_progress;

/* Called between blocks of steps, from the thread that runs the sampler. Anything but SPN_OK ends
   the run, which then returns that status. It may read the sampler and save it. */
typedef spn_status spn_observer(void *context, const spn_progress *progress, spn_error *err);

/* Until when a sampler runs, and who watches. Start from spn_until_defaults(). */
typedef struct spn_until {
    size_t size;    /* of this struct */
    uint64_t steps; /* at most this many more; a ladder completes its scan (0: no limit) */
    double seconds; /* wall clock of this call (0: no limit) */
    const volatile sig_atomic_t *stop; /* may be NULL; set it from a signal handler */
    spn_observer *observer;            /* may be NULL; it also sees the start and the end */
    void *context;
    uint64_t observe_every; /* steps (0: none are due) */
    uint64_t observe_also;  /* a second rhythm (0: none) */
    double observe_seconds; /* call it at the next block after this time, too (0: do not) */
} spn_until;

SPN_DEFAULTS(spn_until, spn_until_defaults, )

/* Run until a stop, which goes to *out; SPN_STOP_NONE if until->steps were made and there are more
   to come. until: NULL for the defaults: to the sampler's own end. The result is the same bit for
   bit for the same seed, however often the run was stopped and continued, and for any number of
   threads. Errors: ENERGY, MEMORY, ARGUMENT (it would never end), those of the observer. */
SPN_API spn_status spn_sampler_run(spn_stop *out, spn_sampler *sampler, const spn_until *until,
                                   spn_error *err);

/* How far it is now. */
SPN_API void spn_sampler_look_sized(spn_progress *out, size_t size, const spn_sampler *sampler);
static inline void spn_sampler_look(spn_progress *out, const spn_sampler *sampler)
{
    spn_sampler_look_sized(out, sizeof *out, sampler);
}

/* Whether the run so far was as it should be; the same however it was stopped and continued. */
SPN_API spn_health spn_sampler_health(const spn_sampler *sampler);

/* All of its state as bytes, which you free with spn_free. It can be saved between runs and by its
   observer. If the caches of an energy depend on how a state was reached and cannot be saved (it
   has `refresh`, and no `plain_cache`), only when spn_sampler_can_save says so: at the start, and
   about every SPN_SAVE_STEPS steps. Errors: ARGUMENT (not now), MEMORY. */
enum { SPN_SAVE_STEPS = 8192 };
SPN_API bool spn_sampler_can_save(const spn_sampler *sampler);
SPN_API spn_status spn_sampler_save(void **out, size_t *size, const spn_sampler *sampler,
                                    spn_error *err);

/* Put a saved state into a sampler made with the same energy and options: it goes on, to the last
   bit, as the saved one would have. After an error it is as it was, with its caches made from the
   spins alone; after MEMORY it can only be freed. Errors: ARGUMENT (the state of another), MEMORY,
   ENERGY. */
SPN_API spn_status spn_sampler_load(spn_sampler *sampler, const void *data, size_t size,
                                    spn_error *err);

/* Accepts NULL. */
SPN_API void spn_sampler_free(spn_sampler *sampler);

/* Proposals of all replicas in one step. */
SPN_API size_t spn_order_proposals(spn_order order, size_t replicas);

/* Names as on the command line, NULL past the last; and the value of a name. Errors: ARGUMENT, with
   the nearest name. */
SPN_NAMES(spn_kernel)
SPN_NAMES(spn_order)
SPN_NAMES(spn_start)
SPN_NAMES(spn_coupling_kind)
SPN_NAMES(spn_moves)
SPN_NAMES(spn_target)
SPN_NAMES(spn_stop)
SPN_NAMES(spn_health)

/* The coupling of the replicas is H_gamma = sum over sites of log cosh(gamma s_i), s_i being the
   sum of the y spins at site i. log cosh x for every finite x, without overflow and exact to a few
   ulp near 0. */
SPN_API double spn_log_cosh(double x);

SPN_END_C
#endif
