#ifndef SPN_TASK_TEMPER_TEMPER_H
#define SPN_TASK_TEMPER_TEMPER_H

#include "task/ensemble.h"
#include "task/teacher.h"

#include <spinney/ladder.h>

typedef struct spn_temper_plan {
    spn_ensemble_plan each;
    const char *beta, *gamma, *rungs, *ladder;
    uint64_t scans, rounds, clusters, keep;
    double scan_sweeps;
    int method;
    /* Made from these, without the chain. If the energy decides beta_last, this is a
       placeholder. */
    spn_ladder_options options;
    double *fractions; /* owned; those of the options */
} spn_temper_plan;

extern const spn_setting spn_temper_settings[];

/* See spn_task. */
spn_status spn_temper_make_plan(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err);
void spn_temper_clear(void *plan);

/* Proposals of all walkers in this many steps of each (0: in all rounds). An estimate if the
   rounds choose the rungs. */
double spn_temper_proposals(const spn_temper_plan *plan, uint64_t steps);

/* The run and its results. */
typedef struct spn_tempered {
    const spn_temper_plan *plan;
    spn_ensemble run;
    const char *log_z_kind;
    spn_ladder_rung first, last;
    spn_ladder_progress progress;
    double energy; /* of a replica on the last rung */
    double barrier, rung_count, round_trips, restarts, jumps, scans_done, steps_done, proposals;
    spn_teacher_found learnt; /* if a walker is on the last rung */
    spn_curve_rows rungs;
} spn_tempered;

extern const spn_quantity spn_temper_results[];

/* Read the results of the ladder. Errors: MEMORY. */
spn_status spn_tempered_take(spn_tempered *t, spn_error *err);

/* Note the rungs, log Z, and poor health with its remedy. */
spn_status spn_tempered_note(spn_record *out, const spn_tempered *t, spn_error *err);

#endif
