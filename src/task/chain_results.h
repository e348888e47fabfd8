/* Results that every chain has, as groups. */
#ifndef SPN_TASK_CHAIN_RESULTS_H
#define SPN_TASK_CHAIN_RESULTS_H

#include "job/run_sampler.h"
#include <spinney/lab/task.h>

typedef struct spn_hit_found {
    double solved;                    /* 1 or 0 */
    double steps, proposals, seconds; /* NaN without a hit */
} spn_hit_found;

typedef struct spn_chain_found {
    const char *stop, *health;
    double steps_done, proposals, beta_start, beta_end;
    spn_hit_found hit;
    spn_curve_rows overlaps; /* of each pair of replicas; owned */
} spn_chain_found;

double spn_hit_seconds(const void *hit);

/* Rows of a spn_hit_found, with the conditions for `solved`, the steps and the proposals. */
#define SPN_HIT_ROWS(solved_needs, steps_needs, proposals_needs)                                   \
    {"solved",                                                                                     \
     .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_SHARE,                                              \
     .label = "solved (share of runs)",                                                            \
     .at = offsetof(spn_hit_found, solved),                                                        \
     .needs = (solved_needs),                                                                      \
     .help = "1 if some replica reached the target during the run or, without a target, "          \
             "classified every pattern correctly; else 0"},                                        \
        {"first_hit_steps",                                                                        \
         .unit = "steps",                                                                          \
         .label = "steps to the first hit",                                                        \
         .at = offsetof(spn_hit_found, steps),                                                     \
         .needs = (steps_needs),                                                                   \
         .help = "steps until the first replica reached it; missing if none did, so means are "    \
                 "over the runs that did"},                                                        \
        {"first_hit_proposals", .label = "proposals to the first hit",                             \
         .at = offsetof(spn_hit_found, proposals), .needs = (proposals_needs),                     \
         .help = "proposals of all replicas in these steps; with reads, those until the first "    \
                 "hit if the reads ran one after the other"},                                      \
        {"first_hit_seconds",                                                                      \
         .flags = SPN_QUANTITY_CLOCK,                                                              \
         .unit = "s",                                                                              \
         .label = "time to the first hit",                                                         \
         .number = spn_hit_seconds,                                                                \
         .needs = (steps_needs),                                                                   \
         .help = "time of these steps"},                                                           \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* Groups for a spn_chain_found, its hit and its overlaps. The task adds the conditions of the last
   two. */
extern const spn_quantity spn_chain_results[], spn_hit_results[], spn_overlap_results[];

/* Read the results of a chain. step_proposals: proposals of all replicas in one step. overlaps:
   whether to compute them, in O(y^2 N / 64). Clear out, also after an error. Errors: MEMORY. */
spn_status spn_chain_found_take(spn_chain_found *out, const spn_ran *chain, size_t step_proposals,
                                bool overlaps, spn_error *err);
void spn_chain_found_clear(spn_chain_found *found);

#endif
