/* The task exact, as its files share it: what its settings mean once they are read, and the parts
   of its work. */
#ifndef SPN_TASK_EXACT_EXACT_H
#define SPN_TASK_EXACT_EXACT_H

#include "job/energy_settings.h"

#include <spinney/density.h>
#include <spinney/joint.h>
#include <spinney/lab/task.h>
#include <spinney/theorems.h>

/* ---- the plan ---- */

#define SPN_EXACT_COUNT(...) +1 /* NOLINT(bugprone-macro-parentheses): a term of a sum */
enum { SPN_EXACT_KERNELS = SPN_KERNELS(SPN_EXACT_COUNT, ) };

/* The words of the setting gap, in their order. */
enum { SPN_EXACT_GAP_AUTO, SPN_EXACT_GAP_ALWAYS, SPN_EXACT_GAP_NEVER };

/* The words of the setting joint, in their order: none, and then the kinds of spn_joint_kind. */
enum { SPN_EXACT_JOINT_NONE };

/* The annealed chain: its schedules. */
typedef struct spn_exact_annealing {
    uint64_t start; /* the replicated state that it starts from */
    bool is_theorem1;
    spn_theorem1 theorem1; /* NAN: to be computed from the landscape */
    size_t theorem1_stages;
    spn_schedule *beta; /* unless it is theorem1 */
    bool fixed;         /* gamma is, */
    bool by_stages;     /* or grows from first at each piece of beta, */
    double first, growth;
    spn_schedule *growing; /* or is this */
} spn_exact_annealing;

/* The joint chain: a sampler over a ladder of beta. */
typedef struct spn_exact_joint {
    spn_joint_options options; /* its arrays are those below */
    double betas[SPN_JOINT_RUNGS], errors[SPN_JOINT_RUNGS], rings[SPN_JOINT_RUNGS];
} spn_exact_joint;

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
    double *gammas; /* owned: the values among which the best gamma is looked for */
    size_t gamma_count;
    spn_exact_annealing annealing; /* with a schedule */
    spn_exact_joint ladder_chain;  /* unless joint is none */
    char no_chain_text[160];
} spn_exact_plan;

extern const spn_setting spn_exact_settings[];

/* The task's functions of the same names: see spn_task. */
spn_status spn_exact_make_plan(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err);
void spn_exact_clear_plan(void *plan);
spn_cost spn_exact_cost(const void *plan, uint64_t steps);

/* The numbers of a text that a character joins: how many, 0 if it is not 1 to `most` numbers. */
size_t spn_exact_numbers(double *out, size_t most, const char *text, char joint);

/* Read the settings of the annealed chain, whose start is set, and of the joint chain. The former
   has to be cleared, also after an error. Errors: ARGUMENT, which names the setting; MEMORY. */
spn_status spn_exact_annealing_read(spn_exact_plan *plan, spn_error *err);
void spn_exact_annealing_clear(spn_exact_annealing *annealing);
spn_status spn_exact_joint_read(spn_exact_plan *plan, const spn_job *job, spn_error *err);

/* ---- the run ---- */

/* What each part of it needs. */
typedef struct spn_exact_run {
    const spn_exact_plan *plan;
    const spn_landscape *landscape;
    spn_dense_set *dense; /* NULL: none */
    double marginal;      /* its probability under the law of one replica */
    bool details;
    spn_record *out;
    spn_error *err;
} spn_exact_run;

/* The parts, in the order of the work: each computes its results, and adds them. */
spn_status spn_exact_landscape(spn_exact_run *r);
spn_status spn_exact_chains(spn_exact_run *r);
spn_status spn_exact_constants(spn_exact_run *r);
spn_status spn_exact_law(spn_exact_run *r);
spn_status spn_exact_dense(spn_exact_run *r);
spn_status spn_exact_minima(spn_exact_run *r);
spn_status spn_exact_joint_chain(spn_exact_run *r);
spn_status spn_exact_annealed(spn_exact_run *r);

/* The dense set, if the plan has one; to be freed by the caller. */
spn_status spn_exact_dense_set(spn_exact_run *r);

/* Add the results of a table, the numbers that are not finite as NaN. plan: as in spn_results_add.
 */
spn_status spn_exact_add(spn_exact_run *r, const spn_quantity *table, const void *found,
                         const void *plan);

/* ---- their results ---- */

extern const spn_quantity spn_exact_landscape_results[], spn_exact_law_results[],
    spn_exact_constants_results[], spn_exact_chain_results[], spn_exact_dense_results[],
    spn_exact_density_results[], spn_exact_minima_results[], spn_exact_joint_results[],
    spn_exact_annealing_results[];

/* What a result of the law, and of a dense set, needs. */
const char *spn_exact_law_needs(const void *plan);
const char *spn_exact_dense_needs(const void *plan);

#define SPN_EXACT_COLUMN(of, type, member, text, about)                                            \
    {                                                                                              \
        (of), SPN_QUANTITY_COLUMN, .at = offsetof(type, member), .label = (text), .help = (about)  \
    }
#define SPN_EXACT_DETAIL(of, type, member, text, about)                                            \
    {                                                                                              \
        (of), SPN_QUANTITY_COLUMN, SPN_QUANTITY_DETAIL, .at = offsetof(type, member),              \
                                                        .label = (text), .help = (about)           \
    }

#endif
