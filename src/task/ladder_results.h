/* What every ladder leaves, as groups of results, and what there is to say of it. */
#ifndef SPN_TASK_LADDER_RESULTS_H
#define SPN_TASK_LADDER_RESULTS_H

#include "task/chain_results.h"
#include "task/ladder_settings.h"

typedef struct spn_ladder_found {
    const char *stop, *log_z_kind, *health; /* words */
    double energy, overlap;                 /* of the last rung: means of a replica, and of pairs */
    double log_z, log_z_error, log_z_low, log_z_high, entropy, entropy_error, barrier, rung_count,
        round_trips, restarts, jumps, cluster, scans_done, steps_done, proposals, beta_start,
        beta_end;
    spn_hit_found hit;
    spn_curve_rows rungs;
} spn_ladder_found;

/* Groups: of a spn_ladder_found, with a spn_ladder_plan; and of its rungs. */
extern const spn_quantity spn_ladder_results[], spn_rung_results[];

/* Take all of it from a ladder. To be cleared, also after an error. Errors: MEMORY. */
spn_status spn_ladder_found_take(spn_ladder_found *out, const spn_ran *ladder, spn_error *err);
void spn_ladder_found_clear(spn_ladder_found *found);

/* Notes on the rungs, on log Z, and on the health if it is not good, with the remedy. */
spn_status spn_ladder_note(spn_record *out, const spn_sampler *ladder,
                           const spn_ladder_found *found, const spn_ladder_plan *plan,
                           spn_error *err);

#endif
