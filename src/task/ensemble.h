/* Shared by the tasks `temper` and `population`: many chains of one energy in one sampler. */
#ifndef SPN_TASK_ENSEMBLE_H
#define SPN_TASK_ENSEMBLE_H

#include "job/solutions.h"
#include "task/chain.h"

/* The plan of such a task starts with this. */
typedef struct spn_ensemble_plan {
    spn_energy_settings energy;
    spn_chain_settings settings; /* only those of spn_ensemble_rows */
    /* Made from these: */
    spn_instance instance;
    spn_chain_options chain; /* options of each walker or group */
    double cold; /* share of uphill changes accepted at the cold end, from descended states; 0: beta
                    is given */
} spn_ensemble_plan;

/* Default of `cold`. Annealing ends at 1e-5, which a run passes once. Here frozen rungs cost as
   much as the others, and walkers seldom come back from them (docs/tempering.md). */
#define SPN_ENSEMBLE_COLD 1e-4

/* The run, and the results that every such task has; the struct of a task's run starts with this.
 */
typedef struct spn_ensemble {
    const spn_ensemble_plan *plan;
    spn_instance instance;
    double beta_cold; /* if the energy decides it: the cold end */
    spn_ran ran;
    spn_solutions *solutions;
    const char *stop, *health;
    double cut, best_energy;
    double feasible, objective; /* of a problem: among the states */
    spn_hit_found hit;
} spn_ensemble;

/* What differs between such tasks. Errors: those of samplers; MEMORY. */
typedef struct spn_ensemble_type {
    const spn_quantity *results;
    /* Create the sampler: ran.sampler. */
    spn_status (*make)(spn_ensemble *e, const spn_job *job, const spn_run *run, spn_error *err);
    /* Read its results, and call spn_ensemble_take, unless there is nothing yet. */
    spn_status (*take)(spn_ensemble *e, spn_error *err);
    spn_status (*note)(spn_record *out, const spn_ensemble *e, spn_error *err);
    /* Add its states by spn_ensemble_add. */
    spn_status (*collect)(spn_ensemble *e, spn_error *err);
} spn_ensemble_type;

/* Plan the instance and the chain. Errors: ARGUMENT, INPUT, IO, MEMORY. */
spn_status spn_ensemble_plan_make(spn_ensemble_plan *plan, const spn_job *job, spn_inputs *inputs,
                                  spn_error *err);

/* In units of about ten nanoseconds, as for anneal. */
spn_cost spn_ensemble_cost(const spn_ensemble_plan *plan, double proposals);

/* Results of a spn_ensemble: the cut, the states of a problem, the first hit. */
extern const spn_quantity spn_cut_results[], spn_problem_state_results[],
    spn_ensemble_hit_results[];

/* Make the instance, measure the cold end if the energy decides it, run the sampler for the rest
   of the time limit, record the results, and write the states. e: zeros; cleared but for what the
   task added. plan: that of the task. Errors: IO, ARGUMENT, ENERGY, MEMORY. */
spn_status spn_ensemble_run(spn_ensemble *e, const spn_ensemble_type *type, spn_record *out,
                            spn_outcome *outcome, const void *plan, const spn_job *job,
                            const spn_run *run, spn_error *err);

/* Fill the results, and create an empty set of solutions. Errors: MEMORY. */
spn_status spn_ensemble_take(spn_ensemble *e, double best_energy, uint64_t first_hit,
                             uint64_t first_hit_proposals, double first_hit_seconds,
                             spn_error *err);

/* Add each replica of a chain to the solutions. Errors: MEMORY. */
spn_status spn_ensemble_add(spn_ensemble *e, const int8_t *spins, const double *energies,
                            spn_error *err);

#endif
