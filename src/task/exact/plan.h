/* The task exact, as its files share it: what its settings mean once they are read. */
#ifndef SPN_TASK_EXACT_PLAN_H
#define SPN_TASK_EXACT_PLAN_H

#include "job/energy_settings.h"
#include "task/exact/annealing.h"
#include "task/exact/joint.h"
#include <spinney/lab/task.h>

#define SPN_EXACT_COUNT(...) +1
enum { SPN_EXACT_KERNELS = SPN_KERNELS(SPN_EXACT_COUNT, ) };

/* The words of the setting gap, in their order. */
enum { SPN_EXACT_GAP_AUTO, SPN_EXACT_GAP_ALWAYS, SPN_EXACT_GAP_NEVER };

typedef struct spn_exact_plan {
    spn_energy_settings energy;
    uint64_t replicas, dense_radius, steps, rungs, threads;
    double beta, gamma, exchanges;
    bool no_law, no_chain, density;
    int gap, joint;
    const char *kernel, *dense_center, *dense, *best_gamma, *schedule, *gamma_schedule, *start;
    const char *ladder, *weight_errors, *rings;
    /* What they mean. */
    bool kernels[SPN_EXACT_KERNELS];
    spn_kernel first;
    spn_instance instance;
    size_t sites; /* N */
    bool chains;  /* small enough, at a finite beta, and asked for */
    bool has_ball;
    uint64_t center;
    const spn_problem *dense_states;
    double *gammas; /* owned: where the best gamma is looked for */
    size_t gamma_count;
    spn_exact_annealing annealing;
    spn_exact_joint ladder_chain; /* where joint is not none */
    char no_chain_text[160];
} spn_exact_plan;

/* The task's tables. */
extern const spn_setting spn_exact_settings[];
extern const spn_quantity spn_exact_results[];

/* The task's functions of the same names: see spn_task. */
spn_status spn_exact_make_plan(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err);
void spn_exact_clear_plan(void *plan);
spn_cost spn_exact_cost(const void *plan, uint64_t steps);

#endif
