#ifndef SPN_TASK_EXACT_EXACT_H
#define SPN_TASK_EXACT_EXACT_H

#include "job/energy_settings.h"

#include <spinney/density.h>
#include <spinney/joint.h>
#include <spinney/lab/task.h>
#include <spinney/theorems.h>

#define SPN_EXACT_COUNT(...) +1 /* NOLINT(bugprone-macro-parentheses): a term of a sum */
enum { SPN_EXACT_KERNELS = SPN_KERNELS(SPN_EXACT_COUNT, ) };

/* Words of the setting `gap`, in order. */
enum { SPN_EXACT_GAP_AUTO, SPN_EXACT_GAP_ALWAYS, SPN_EXACT_GAP_NEVER };

/* Words of the setting `joint`, in order: none, then those of spn_joint_kind. */
enum { SPN_EXACT_JOINT_NONE };

typedef struct spn_exact_plan {
    spn_energy_settings energy;
    uint64_t replicas, dense_radius, steps, rungs, threads;
    double beta, gamma, exchanges;
    bool no_law, no_chain, density;
    int gap, joint;
    const char *kernel, *dense_center, *dense, *best_gamma, *schedule, *gamma_schedule, *start;
    const char *ladder, *weight_errors, *rings;
    /* Made from these: */
    bool kernels[SPN_EXACT_KERNELS];
    spn_kernel first;
    spn_instance instance;
    size_t sites; /* N */
    bool chains;  /* asked for, with few enough states and a finite beta */
    bool has_ball;
    uint64_t center;
    const spn_problem *dense_states;
    double *gammas; /* owned: values to search for the best gamma */
    size_t gamma_count;
    struct {            /* the annealed chain, if there is a schedule */
        uint64_t start; /* initial replicated state */
        bool is_theorem1;
        spn_theorem1 theorem1; /* NAN: computed from the landscape */
        size_t theorem1_stages;
        spn_schedule *beta; /* unless is_theorem1 */
        bool fixed;         /* gamma is constant, */
        bool by_stages;     /* or grows from first at each piece of beta, */
        double first, growth;
        spn_schedule *growing; /* or follows this schedule */
    } annealing;
    struct {                       /* the joint chain, unless joint is none */
        spn_joint_options options; /* points to the arrays below */
        double betas[SPN_JOINT_RUNGS], errors[SPN_JOINT_RUNGS], rings[SPN_JOINT_RUNGS];
    } ladder_chain;
    char no_chain_text[160];
} spn_exact_plan;

extern const spn_setting spn_exact_settings[];

/* Parse numbers separated by `joint`. Returns how many, or 0 unless there are 1 to `most`. */
size_t spn_exact_numbers(double *out, size_t most, const char *text, char joint);

/* Read the settings of the annealed chain and of the joint chain. Errors: ARGUMENT, MEMORY. */
spn_status spn_exact_annealing_read(spn_exact_plan *plan, spn_error *err);
spn_status spn_exact_joint_read(spn_exact_plan *plan, const spn_job *job, spn_error *err);

typedef struct spn_exact_run {
    const spn_exact_plan *plan;
    const spn_landscape *landscape;
    spn_dense_set *dense; /* NULL: none */
    double marginal;      /* probability of the dense set for one replica */
    bool details;
    spn_record *out;
    spn_error *err;
} spn_exact_run;

/* The parts, in the order they run. Each computes and adds its results. */
spn_status spn_exact_landscape(spn_exact_run *r);
spn_status spn_exact_chains(spn_exact_run *r);
spn_status spn_exact_constants(spn_exact_run *r);
spn_status spn_exact_law(spn_exact_run *r);
spn_status spn_exact_dense(spn_exact_run *r);
spn_status spn_exact_minima(spn_exact_run *r);
spn_status spn_exact_joint_chain(spn_exact_run *r);
spn_status spn_exact_annealed(spn_exact_run *r);

/* Make the dense set, if the plan has one. The caller frees it. */
spn_status spn_exact_dense_set(spn_exact_run *r);

/* Add the results of a table; numbers that are not finite become NaN. plan: as in
   spn_results_add. */
spn_status spn_exact_add(spn_exact_run *r, const spn_quantity *table, const void *found,
                         const void *plan);

extern const spn_quantity spn_exact_landscape_results[], spn_exact_law_results[],
    spn_exact_constants_results[], spn_exact_chain_results[], spn_exact_dense_results[],
    spn_exact_density_results[], spn_exact_minima_results[], spn_exact_joint_results[],
    spn_exact_annealing_results[];

/* Conditions of the results. */
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
