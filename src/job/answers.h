/* Solutions of a problem with constraints, as users see them: the distinct best states of the
   reads, feasible ones first. */
#ifndef SPN_JOB_ANSWERS_H
#define SPN_JOB_ANSWERS_H

#include "base/json.h"

#include <spinney/lab/task.h>
#include <spinney/solver.h>

typedef struct spn_answer {
    spn_score score;
    uint64_t count;    /* reads whose best state it is */
    uint64_t first;    /* the first of them, from 0 */
    uint64_t distance; /* variables that have other values than in the best answer */
    spn_robust robust; /* if the answers were shaken */
} spn_answer;

/* A figure of spn_robust: its name, and where its mean and its standard error are. */
typedef struct spn_robust_figure {
    const char *name;
    size_t mean, error;
} spn_robust_figure;

enum { SPN_ROBUST_FIGURES = 3 };
extern const spn_robust_figure spn_robust_figures[SPN_ROBUST_FIGURES];

static inline double spn_robust_value(const spn_robust *robust, size_t at)
{
    return *(const double *)(const void *)((const char *)robust + at);
}

struct spn_answers {
    const spn_program *program; /* borrowed */
    size_t count, variables;
    uint64_t reads;
    bool is_shaken;     /* each answer has its robustness */
    bool is_by_robust;  /* and the most robust is first */
    spn_answer *answer; /* best first */
    int32_t *values;    /* of each answer, in the same order */
};

static inline const int32_t *spn_answer_values(const spn_answers *answers, size_t k)
{
    return answers->values + k * answers->variables;
}

/* The best states of all reads of a solver: feasible ones by objective, then others by violation
   and objective; equal ones by the reads that found them. Errors: MEMORY, ENERGY. */
spn_status spn_answers_collect(spn_answers **out, const spn_program *program,
                               const spn_sampler *solver, size_t reads, spn_error *err);

/* Measure the robustness of all answers. rank: put first, of the feasible ones, those that stay
   feasible most often, and of equal ones those with the best mean objective. A run that was stopped
   has none (<spinney/pause.h>). Errors: those of spn_program_robust. */
spn_status spn_answers_shake(spn_answers *answers, const spn_shake *shake, bool rank,
                             spn_error *err);

/* The violation of each constraint in answer k, soft ones included; free it. NULL without memory,
   or if there are no constraints. */
double *spn_answer_violations(const spn_answers *answers, size_t k);

/* At most `most` answers, as members of an open object: distinct, variables, and solutions. Errors:
   MEMORY. */
spn_status spn_answers_json(spn_json *json, const spn_answers *answers, size_t most,
                            spn_error *err);

/* Write all answers, best first. The file name decides the format: .csv, .json, or else lines
   "NAME VALUE" below a comment for each answer. Errors: IO, MEMORY, ARGUMENT (names that are not
   UTF-8). */
spn_status spn_answers_write(const spn_answers *answers, const char *path, spn_error *err);

/* Check that this file could be written. path may be NULL. Errors: IO; ARGUMENT for an ending of
   another format. */
spn_status spn_answers_try(const char *path, spn_error *err);

#endif
