/* The chain of a job: run with the files, the progress and the stop that the job was given. */
#ifndef SPN_TASK_CHAIN_JOB_H
#define SPN_TASK_CHAIN_JOB_H

#include "job/progress.h"
#include "job/resumable.h"
#include "task/chain_ready.h"

/* Everything is borrowed. */
typedef struct spn_chain_job {
    const spn_job *job;
    const void *plan; /* of the task */
    const spn_run *run;
    const spn_chain_ready *chain;
    const spn_energy *energy;
    const char *content; /* lines that a checkpoint must agree with besides the settings */
    const spn_meter *meter;
    double work; /* of the chain, in the meter's unit */
} spn_chain_job;

/* Run it and fill the outcome; complete is false only where the stop ended it. out: the chain, to
   be cleared, also after an error. Errors: those of spn_resumable_run. */
spn_status spn_chain_job_run(spn_resumable *out, spn_outcome *outcome, const spn_chain_job *how,
                             spn_error *err);

/* The rows of what every chain leaves for the table of a task. */
#define SPN_CHAIN_QUANTITIES                                                                       \
    {.name = "stop",                                                                               \
     .kind = SPN_QUANTITY_TEXT,                                                                    \
     .help = "why the run ended: steps, target, patience, time, frozen or interrupted"},           \
        {.name = "steps_done", .unit = "steps", .label = "steps", .help = "steps done"},           \
        {.name = "proposals", .label = "proposals", .help = "proposals of all replicas"},          \
        {.name = "beta_start", .label = "beta at the start", .help = "first value of beta"},       \
        {.name = "beta_end",                                                                       \
         .label = "beta at the end",                                                               \
         .help = "value of beta after all steps; if their number is not known, that of the last "  \
                 "step"},                                                                          \
        {.name = "health",                                                                         \
         .kind = SPN_QUANTITY_TEXT,                                                                \
         .help = "health of the annealing: good, frozen from the start, frozen for most, hot at "  \
                 "the end, too short to tell"},                                                    \
        SPN_SECONDS_QUANTITY

/* The overlaps of pairs of replicas, a detail. */
#define SPN_OVERLAP_QUANTITIES                                                                     \
    {.help = "Each pair of replicas"},                                                             \
        {.name = "overlaps.first",                                                                 \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .flags = SPN_QUANTITY_DETAIL,                                                             \
         .help = "number of the first replica, from 1"},                                           \
        {.name = "overlaps.second",                                                                \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .flags = SPN_QUANTITY_DETAIL,                                                             \
         .help = "number of the second"},                                                          \
    {                                                                                              \
        .name = "overlaps.overlap", .kind = SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,     \
        .label = "overlap of two replicas", .help = "their scalar product at the end, over N"      \
    }

/* Those of runs that have a target; first_hit_seconds stands beside `seconds` in records. */
#define SPN_HIT_QUANTITIES                                                                         \
    {.name = "solved",                                                                             \
     .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_SHARE,                                              \
     .label = "solved (share of runs)",                                                            \
     .help = "1 if some replica reached the target during the run or, without a target, "          \
             "classified every pattern correctly; else 0"},                                        \
        {.name = "first_hit_steps",                                                                \
         .unit = "steps",                                                                          \
         .label = "steps to the first hit",                                                        \
         .help = "steps until the first replica reached it; missing if none did, so means are "    \
                 "over the runs that did"},                                                        \
        {.name = "first_hit_proposals",                                                            \
         .label = "proposals to the first hit",                                                    \
         .help = "proposals of all replicas in these steps; with reads, those until the first "    \
                 "hit if the reads ran one after the other"},                                      \
    {                                                                                              \
        .name = "first_hit_seconds", .flags = SPN_QUANTITY_CLOCK, .unit = "s",                     \
        .label = "time to the first hit", .help = "time of these steps"                            \
    }

/* Add what every chain leaves to a record: stop, steps_done, proposals, the range of beta, its
   health; and,
   where a time decided them, the steps, as a setting with which the run can be repeated. */
spn_status spn_chain_job_record(spn_record *out, const spn_resumable *chain, spn_error *err);

/* Add the curve `overlaps`: first, second, overlap of each pair; nothing for one replica. O(y^2 N /
   64). */
spn_status spn_chain_job_overlaps(spn_record *out, const spn_resumable *chain, spn_error *err);

/* Add solved, first_hit_steps, first_hit_proposals and first_hit_seconds, of the chain's target
   energy. proposals: of all replicas in one step. */
spn_status spn_chain_job_record_hit(spn_record *out, const spn_resumable *chain, size_t proposals,
                                    spn_error *err);

/* What the results of a target need where there is none; NULL: result is none of them. */
const char *spn_chain_job_missing(const char *result, const spn_chain_plan *chain);

/* The steps of parts that a time made, into the settings of a record that has none: with them in
   place of the time the run can be repeated. Errors: MEMORY. */
spn_status spn_chain_job_steps(spn_record *out, const uint64_t *parts, size_t count,
                               spn_error *err);

/* Notes on how beta and gamma go, on the health where it is not good, and on how to repeat a run
 * whose steps a time decided. */
spn_status spn_chain_job_note(spn_record *out, const spn_chain_ready *chain, spn_error *err);

#endif
