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

/* The run, and the results that every such task has. */
typedef struct spn_ensemble {
    const spn_ensemble_plan *plan;
    double started;
    spn_instance instance;
    spn_ran ran;
    spn_solutions *solutions;
    const char *stop, *health;
    double cut, best_energy;
    spn_hit_found hit;
} spn_ensemble;

/* Plan the instance and the chain. Errors: ARGUMENT, INPUT, IO, MEMORY. */
spn_status spn_ensemble_plan_make(spn_ensemble_plan *plan, const spn_job *job, spn_inputs *inputs,
                                  spn_error *err);

/* In units of about ten nanoseconds, as for anneal. */
spn_cost spn_ensemble_cost(const spn_ensemble_plan *plan, double proposals);

/* Results of a spn_ensemble: the cut, the first hit. */
extern const spn_quantity spn_cut_results[], spn_ensemble_hit_results[];

/* Check that the product can be written, and make the instance. Errors: IO, ARGUMENT, MEMORY. */
spn_status spn_ensemble_start(spn_ensemble *out, const spn_ensemble_plan *plan, const spn_job *job,
                              const spn_run *run, spn_error *err);

/* Measure the end of beta if the energy decides it, with at most a thirty-second of the proposals.
   Errors: ENERGY, MEMORY. */
spn_status spn_ensemble_find_cold(double *beta, const spn_ensemble *e, uint64_t seed,
                                  double proposals, spn_error *err);

/* Run the sampler for the rest of the time limit, if there is one. plan: that of the task. Errors:
   those of spn_sampler_job_run. */
spn_status spn_ensemble_run(spn_ensemble *e, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, double work, spn_error *err);

/* Fill the results, and create an empty set of solutions. Errors: MEMORY. */
spn_status spn_ensemble_take(spn_ensemble *e, double best_energy, uint64_t first_hit,
                             uint64_t first_hit_proposals, double first_hit_seconds,
                             spn_error *err);

/* Add each replica of a chain to the solutions. Errors: MEMORY. */
spn_status spn_ensemble_add(spn_ensemble *e, const int8_t *spins, const double *energies,
                            spn_error *err);

/* Sort the solutions, write and hand them over if asked, and free everything. Returns status (that
   of the run) unless writing fails. Errors: IO, MEMORY. */
spn_status spn_ensemble_finish(spn_ensemble *e, const spn_run *run, spn_status status,
                               spn_error *err);

#endif
