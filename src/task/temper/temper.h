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

/* The run and its results. */
typedef struct spn_tempered {
    spn_ensemble run;
    const spn_temper_plan *plan;
    const char *log_z_kind;
    spn_ladder_rung first, last;
    spn_ladder_progress progress;
    double energy; /* of a replica on the last rung */
    double barrier, rung_count, round_trips, restarts, jumps, scans_done, steps_done, proposals;
    spn_teacher_found learnt; /* if a walker is on the last rung */
    spn_curve_rows rungs;
} spn_tempered;

extern const spn_quantity spn_temper_results[];

/* Of spn_ensemble_type: read the results of the ladder. Errors: MEMORY. */
spn_status spn_tempered_take(spn_ensemble *e, spn_error *err);

/* Note the rungs, log Z, and poor health with its remedy. */
spn_status spn_tempered_note(spn_record *out, const spn_ensemble *e, spn_error *err);

#endif
