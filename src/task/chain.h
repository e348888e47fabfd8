/* Settings of the chain, shared by all tasks that anneal. */
#ifndef SPN_TASK_CHAIN_H
#define SPN_TASK_CHAIN_H

#include "job/inputs.h"
#include "job/run.h"
#include <spinney/beta_range.h>
#include <spinney/chain.h>
#include <spinney/lab/task.h>

typedef struct spn_chain_settings {
    uint64_t replicas, sweeps, seed, threads, patience, centre_every;
    double beta_start, beta_end, target, seconds;
    const char *gamma, *gamma_schedule, *beta, *schedule, *steps, *init;
    int kernel, order, target_by, coupling, moves;
    bool stop_frozen;
} spn_chain_settings;

/* All settings; those of tasks that run many chains in one sampler. */
extern const spn_setting spn_chain_rows[], spn_ensemble_rows[];

typedef struct spn_chain_plan {
    /* Without stop and observer. If the energy decides beta, its ends are placeholders until
       spn_chain_settle. */
    spn_chain_options options;
    spn_schedule *beta, *gamma; /* owned */
    struct { /* which ends of beta the energy decides, and by what acceptance rates */
        bool start, end;
        bool reheats; /* start from given states, cool: reverse annealing */
        double hot, cold;
        const char *kind; /* kind of the schedule; NULL: chosen from the ends */
    } choice;
    uint64_t *parts;      /* owned; NULL: none */
    double seconds;       /* time limit if the schedule is not stretched; 0: none */
    uint64_t usual_steps; /* steps; if the time decides, those of a run without a time limit */
    int8_t *states;       /* initial states of the replicas, from the file of `init`; NULL: none */
    const int8_t *starts; /* all states of that file; owned by the inputs, or `arranged` */
    int8_t *arranged;     /* owned; in the order of the energy's variables; NULL: none */
    size_t start_count;
    bool by_place; /* the variables have names, but the states do not */
} spn_chain_plan;

/* Share of the uphill changes of descended states that reverse annealing accepts at its start. */
#define SPN_BETA_REHEAT 0.01

/* Plan the chain of a job. sites: number of spins; owner: what has them, for error texts; problem:
   has their names, or NULL; proposed: proposals of each replica in a sweep. Clear out, also after
   an error. Errors: ARGUMENT, INPUT, IO, MEMORY. */
spn_status spn_chain_plan_make(spn_chain_plan *out, const spn_chain_settings *settings,
                               const spn_job *job, spn_inputs *inputs, size_t sites,
                               size_t proposed, const char *owner, const spn_problem *problem,
                               spn_error *err);

/* Set the range of beta, once known. blame: the setting to name in errors. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_chain_plan_set_beta(spn_chain_plan *plan, double start, double end,
                                   const char *blame, spn_error *err);

/* Read only the coupling. Errors: ARGUMENT. */
spn_status spn_chain_read_coupling(spn_chain_options *out, const spn_chain_settings *settings,
                                   const spn_job *job, spn_error *err);
void spn_chain_plan_clear(spn_chain_plan *plan);

/* Add the values of settings that were not given to a record. */
spn_status spn_chain_plan_resolve(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err);

/* Read beta and gamma. Errors: ARGUMENT, MEMORY. */
spn_status spn_chain_read_schedules(spn_chain_plan *out, const spn_job *job, spn_error *err);

/* Make a schedule of the plan's kind. Errors: ARGUMENT, MEMORY. */
spn_status spn_chain_make_beta(spn_schedule **out, double start, double end,
                               const spn_chain_plan *plan, spn_error *err);

/* Read steps, parts and stretch. Needs the schedules, order and replicas. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_chain_read_steps(spn_chain_plan *out, const spn_chain_settings *settings,
                                const spn_job *job, size_t proposed, spn_error *err);

/* Add the values of these settings to a record, if they were not given. */
spn_status spn_chain_resolve_beta(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err);
spn_status spn_chain_resolve_steps(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                   spn_error *err);

/* Proposals of all replicas in this many steps. */
double spn_chain_plan_proposals(const spn_chain_plan *plan, uint64_t steps);

/* Estimated share of the proposals that pass the coupling, so that the energy is computed. */
double spn_chain_plan_passes(const spn_chain_plan *plan);

/* Copy the options of a plan, and measure the range of beta if the energy decides it. The number
   of energy changes computed is a thirty-second of the proposals, at most 32 per spin. If the
   schedule is stretched, the time decides it, and the number of parts records the choice, so that
   given parts repeat it. Errors: ENERGY, MEMORY. */
spn_status spn_chain_settle(spn_chain_options *out, spn_beta_range *range,
                            const spn_chain_plan *plan, uint64_t seed, const spn_energy *energy,
                            spn_error *err);
/* Free what spn_chain_settle made, also after an error; options of zeros are fine. */
void spn_chain_unsettle(spn_chain_options *options, const spn_chain_plan *plan);

/* Energy changes to compute for the range of beta, for a run of this many proposals. */
uint64_t spn_beta_changes(double proposals);

/* The line of a checkpoint that keeps the time of a run that was fitted into it, as a stretched
   schedule is: it cannot go on for more, as others can, whose line is empty. */
void spn_chain_time_line(char *out, size_t size, bool is_fitted, double seconds);

/* Create and run the chain. Free the sampler of out, also after an error. Errors: those of
   spn_chain_create and spn_sampler_job_run. */
spn_status spn_chain_job_run(spn_ran *out, spn_outcome *outcome, const spn_sampler_job *how,
                             const spn_chain_plan *plan, const spn_chain_options *settled,
                             const spn_energy *energy, spn_error *err);

/* What results about a target need of a plan, for SPN_NEEDS. */
#define SPN_TARGET_NEEDED "a target, such as `target 0`"

/* If a time limit decided the steps, add them to the settings, so that the run can be repeated.
   Errors: MEMORY. */
spn_status spn_chain_job_record_steps(spn_record *out, const spn_ran *chain, spn_error *err);

/* The same for given parts. Does nothing if the record has steps already. Errors: MEMORY. */
spn_status spn_chain_job_steps(spn_record *out, const uint64_t *parts, size_t count,
                               spn_error *err);

/* Note the schedules and why they were chosen, poor health, and how to repeat a run whose steps a
   time limit decided. Errors: MEMORY. */
spn_status spn_chain_job_note(spn_record *out, const spn_chain_plan *plan,
                              const spn_chain_options *options, const spn_beta_range *range,
                              spn_error *err);

/* Results that every chain has, as groups. */

typedef struct spn_hit_found {
    double solved;                    /* 1 or 0 */
    double steps, proposals, seconds; /* NaN without a hit */
} spn_hit_found;

typedef struct spn_chain_found {
    const char *stop, *health;
    double steps_done, proposals, beta_start, beta_end;
    spn_hit_found hit;
    spn_curve_rows overlaps; /* of each pair of replicas; owned */
} spn_chain_found;

/* Rows of a spn_hit_found, with the conditions for `solved`, the steps and the proposals. */
#define SPN_HIT_ROWS(solved_needs, steps_needs, proposals_needs)                                   \
    {"solved",                                                                                     \
     .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_SHARE,                                              \
     .label = "solved (share of runs)",                                                            \
     .at = offsetof(spn_hit_found, solved),                                                        \
     .needs = (solved_needs),                                                                      \
     .help = "1 if some replica reached the target during the run or, without a target, "          \
             "classified every pattern correctly; else 0"},                                        \
        {"first_hit_steps",                                                                        \
         .unit = "steps",                                                                          \
         .label = "steps to the first hit",                                                        \
         .at = offsetof(spn_hit_found, steps),                                                     \
         .needs = (steps_needs),                                                                   \
         .help = "steps until the first replica reached it; missing if none did, so means are "    \
                 "over the runs that did"},                                                        \
        {"first_hit_proposals", .label = "proposals to the first hit",                             \
         .at = offsetof(spn_hit_found, proposals), .needs = (proposals_needs),                     \
         .help = "proposals of all replicas in these steps; with reads, those until the first "    \
                 "hit if the reads ran one after the other"},                                      \
        {"first_hit_seconds",                                                                      \
         .flags = SPN_QUANTITY_CLOCK,                                                              \
         .unit = "s",                                                                              \
         .label = "time to the first hit",                                                         \
         .at = offsetof(spn_hit_found, seconds),                                                   \
         .needs = (steps_needs),                                                                   \
         .help = "time of these steps"},                                                           \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Groups for a spn_chain_found (of a run, or of a training), its hit and its overlaps. The task
   adds the conditions of the last two. */
extern const spn_quantity spn_chain_results[], spn_train_chain_results[], spn_hit_results[],
    spn_overlap_results[];

/* Read the results of a chain. step_proposals: proposals of all replicas in one step. overlaps:
   whether to compute them, in O(y^2 N / 64). Clear out, also after an error. Errors: MEMORY. */
spn_status spn_chain_found_take(spn_chain_found *out, const spn_ran *chain, size_t step_proposals,
                                bool overlaps, spn_error *err);
void spn_chain_found_clear(spn_chain_found *found);

#endif
