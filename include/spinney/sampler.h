/* What all samplers share: how a proposal is accepted, what replicas are coupled to, why a run
   ended, and what an observer sees. */
#ifndef SPINNEY_SAMPLER_H
#define SPINNEY_SAMPLER_H

#include <signal.h>
#include <spinney/energy.h>
#include <spinney/schedule.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    SPN_MOVES_AUTO     /* plain, and waiting where that is possible while so few proposals are
                          accepted that it is faster, by a rule of the counts of the run alone */
} spn_moves;

/* Why a run ended. */
typedef enum spn_stop {
    SPN_STOP_NONE,     /* it has not */
    SPN_STOP_STEPS,    /* all steps done */
    SPN_STOP_TARGET,   /* the target energy was reached */
    SPN_STOP_PATIENCE, /* too many proposals without a new best energy */
    SPN_STOP_TIME,     /* the time budget is used up */
    SPN_STOP_REQUEST,  /* *options.stop became nonzero */
    SPN_STOP_FROZEN    /* options.stop_frozen, and the run is */
} spn_stop;

/* Whether a run was annealed, by the uphill moves that it accepted in each sixteenth of its way. */
typedef enum spn_health {
    SPN_HEALTH_GOOD,
    SPN_HEALTH_SHORT,        /* fewer than 4096 proposals: too short to tell */
    SPN_HEALTH_FROZEN_START, /* at most 1 proposal in 10^4 went uphill, in every sixteenth */
    SPN_HEALTH_FROZEN_MOST,  /* the same of the last ten sixteenths, or more */
    SPN_HEALTH_HOT_END /* beta rose to its end, and in the last sixteenth 1 in 20 went uphill */
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
} spn_snapshot;

/* Called between steps. Anything but SPN_OK ends the run, which then returns that status. */
typedef spn_status spn_observer(void *context, const spn_snapshot *snapshot, spn_error *err);

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

#ifdef __cplusplus
}
#endif
#endif
