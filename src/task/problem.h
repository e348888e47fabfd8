/* A problem with constraints in the task anneal: settings, plan and results. */
#ifndef SPN_TASK_PROBLEM_H
#define SPN_TASK_PROBLEM_H

#include "job/answers.h"
#include "task/chain.h"

typedef struct spn_problem_settings {
    const char *rounds;
    int rank; /* a spn_rank */
    uint64_t changes, draws;
    double noise;
} spn_problem_settings;

typedef enum spn_rank { SPN_RANK_OBJECTIVE, SPN_RANK_ROBUST } spn_rank;

extern const spn_setting spn_problem_rows[];

typedef struct spn_problem_plan {
    const spn_program *program; /* NULL: an energy is annealed */
    spn_solver_options options; /* without seed and schedules */
    uint64_t *lengths;          /* owned; sweeps of each round; NULL: not given */
    bool shakes, ranks_robust;  /* whether robustness is measured, and solutions ranked by it */
    spn_shake shake;            /* without the seed */
} spn_problem_plan;

typedef struct spn_anneal_plan spn_anneal_plan;

/* Whether the job is about a problem with constraints; else its settings are refused. Errors:
   ARGUMENT. */
spn_status spn_problem_is_given(bool *out, const spn_job *job, spn_error *err);

/* Errors: ARGUMENT, INPUT, IO, MEMORY. Clear the plan also after an error. */
spn_status spn_problem_plan_make(spn_anneal_plan *plan, const spn_job *job, spn_inputs *inputs,
                                 spn_error *err);
void spn_problem_plan_clear(spn_problem_plan *plan);
spn_status spn_problem_resolve(spn_record *out, const spn_anneal_plan *plan, const spn_job *job,
                               spn_error *err);
spn_cost spn_problem_cost(const spn_anneal_plan *plan, uint64_t steps);

/* How far the best state is to be trusted, from `met` of `trials` rounds that came to one as good
 */
typedef struct spn_verdict {
    const char *health, *word;
    size_t trials, met;       /* 0: a proof or a target tells */
    double chance, low, high; /* that as many rounds again find a better one; NaN: not estimated */
} spn_verdict;

spn_verdict spn_verdict_of(const spn_solver_result *result, spn_health sampler, spn_stop stop,
                           bool is_proved);

/* The share of the halves of `trials` rounds that have none of the `met` ones. Its mean over runs
   of equal and independent rounds is the chance that the second half of a run finds a better state
   than the first half. */
double spn_share_missed(size_t trials, size_t met);

/* What a run found. */
typedef struct spn_solved {
    double objective, feasible, violation, violated, bound, gap;
    double found, feasible_reads, distinct, rounds, rounds_found, kept, penalised, known, merged,
        dropped;
    size_t impossible; /* a constraint that cannot hold; SIZE_MAX: none is known */
    spn_robust robust;
    char broken[256]; /* names of violated constraints */
    spn_verdict verdict;
    spn_curve_rows reads;
} spn_solved;

extern const spn_quantity spn_problem_results[];

typedef struct spn_annealed spn_annealed;
spn_status spn_problem_run(spn_annealed *a, spn_record *out, spn_outcome *outcome,
                           const spn_job *job, const spn_run *run, spn_error *err);
void spn_solved_clear(spn_solved *solved);

#endif
