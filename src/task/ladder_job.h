/* The ladder of a job: run with the files, the progress and the stop that the job was given, and
   what it leaves. */
#ifndef SPN_TASK_LADDER_JOB_H
#define SPN_TASK_LADDER_JOB_H

#include "job/progress.h"
#include "job/resumable_ladder.h"
#include "task/ladder_settings.h"

#include <spinney/beta_range.h>

/* Everything is borrowed. */
typedef struct spn_ladder_job {
    const spn_job *job;
    const void *plan; /* of the task */
    const spn_run *run;
    const spn_ladder_plan *ladder;
    const spn_energy *energy;
    const char *content; /* lines that a checkpoint must agree with besides the settings */
    const spn_meter *meter;
    double work; /* of the ladder, in the meter's unit */
} spn_ladder_job;

/* Find the cold end of beta where the energy decides on it, run the ladder and fill the outcome;
   steps are those of one walker; complete is false only where the stop ended it. out: the ladder,
   to be cleared, also after an error. Errors: those of spn_beta_range_measure and of
   spn_resumable_ladder_run. */
spn_status spn_ladder_job_run(spn_resumable_ladder *out, spn_outcome *outcome,
                              const spn_ladder_job *how, spn_error *err);

/* The rows of what every ladder leaves for the table of a task. */
#define SPN_LADDER_QUANTITIES                                                                      \
    {.name = "log_z",                                                                              \
     .flags = SPN_QUANTITY_MAIN,                                                                   \
     .label = "log Z of the last rung",                                                            \
     .help = "logarithm of the sum of exp(-beta U + H_gamma) over all states of the replicas, at " \
             "the last rung"},                                                                     \
        {.name = "log_z_error",                                                                    \
         .label = "standard error of log Z",                                                       \
         .help = "its standard error, from blocks of scans"},                                      \
        {.name = "log_z_low",                                                                      \
         .label = "95% interval of log Z, low",                                                    \
         .help = "lower end of its 95% confidence interval"},                                      \
        {.name = "log_z_high", .label = "95% interval of log Z, high", .help = "upper end"},       \
        {.name = "log_z_kind",                                                                     \
         .kind = SPN_QUANTITY_TEXT,                                                                \
         .label = "absolute, or less that of the first rung",                                      \
         .help =                                                                                   \
             "absolute if the first rung has beta 0; else relative to log Z of the first rung"},   \
        {.name = "entropy",                                                                        \
         .label = "entropy of the last rung",                                                      \
         .help = "entropy of the distribution of the last rung in nats: log Z + beta <U> - "       \
                 "<H_gamma>; relative if log Z is"},                                               \
        {.name = "entropy_error",                                                                  \
         .label = "standard error of the entropy",                                                 \
         .help = "its standard error"},                                                            \
        {.name = "barrier",                                                                        \
         .flags = SPN_QUANTITY_MAIN,                                                               \
         .label = "barrier: rejections, summed over the pairs",                                    \
         .help = "rejection rates of the swaps, summed over the pairs of neighbours; about 1 + "   \
                 "twice this many rungs are right"},                                               \
        {.name = "rung_count", .label = "rungs", .help = "rungs of the last round"},               \
        {.name = "round_trips",                                                                    \
         .flags = SPN_QUANTITY_MAIN,                                                               \
         .label = "round trips",                                                                   \
         .help = "round trips of walkers from the first rung to the last and back, in the last "   \
                 "round"},                                                                         \
        {.name = "restarts",                                                                       \
         .label = "arrivals from the first rung at the last",                                      \
         .help = "trips from the first rung to the last, in the last round"},                      \
        {.name = "jumps",                                                                          \
         .label = "equi-energy jumps",                                                             \
         .help = "equi-energy: jumps to stored states, in the last round"},                        \
        {.name = "cluster",                                                                        \
         .label = "mean cluster on the last rung",                                                 \
         .help = "clusters: mean number of spins moved by an exchange on the last rung"},          \
        {.name = "scans_done", .label = "scans", .help = "scans done, in all rounds"},             \
        {.name = "stop",                                                                           \
         .kind = SPN_QUANTITY_TEXT,                                                                \
         .help = "why the run ended: steps, target, time or interrupted"},                         \
        {.name = "steps_done",                                                                     \
         .unit = "steps",                                                                          \
         .label = "steps of a walker",                                                             \
         .help = "steps done by each walker"},                                                     \
        {.name = "proposals",                                                                      \
         .label = "proposals",                                                                     \
         .help = "proposals of all walkers and replicas; a draw at beta 0 counts as the scan it "  \
                 "replaces"},                                                                      \
        {.name = "beta_start",                                                                     \
         .label = "beta of the first rung",                                                        \
         .help = "beta of the first rung"},                                                        \
        {.name = "beta_end", .label = "beta of the last rung", .help = "of the last rung"},        \
        {.name = "health",                                                                         \
         .kind = SPN_QUANTITY_TEXT,                                                                \
         .help = "health of the ladder: good, broken, too short to tell, hot at the end"},         \
        SPN_SECONDS_QUANTITY

#define SPN_RUNG_COLUMN(column, ...)                                                               \
    {                                                                                              \
        .name = "rungs." column, .kind = SPN_QUANTITY_COLUMN, __VA_ARGS__                          \
    }

/* The curve `rungs`. */
#define SPN_RUNG_QUANTITIES                                                                        \
    {.help = "Each rung, in the last round"},                                                      \
        SPN_RUNG_COLUMN("rung", .label = "rung", .help = "its number, from 1"),                    \
        SPN_RUNG_COLUMN("beta", .label = "inverse temperature β", .help = "beta"),                 \
        SPN_RUNG_COLUMN("gamma", .label = "coupling γ", .help = "gamma"),                          \
        SPN_RUNG_COLUMN("energy", .label = "mean energy of a replica",                             \
                        .help = "mean energy of a replica"),                                       \
        SPN_RUNG_COLUMN("energy_error", .help = "its standard error"),                             \
        SPN_RUNG_COLUMN("overlap", .label = "mean overlap of the replicas",                        \
                        .help = "scalar product of two replicas over N, averaged over all pairs"), \
        SPN_RUNG_COLUMN("log_z", .label = "log Z", .help = "log Z up to this rung"),               \
        SPN_RUNG_COLUMN("log_z_error", .help = "its standard error"),                              \
        SPN_RUNG_COLUMN("entropy", .label = "entropy (nats)",                                      \
                        .help = "entropy of its distribution"),                                    \
        SPN_RUNG_COLUMN(                                                                           \
            "acceptance", .label = "accepted share of the proposals",                              \
            .help = "acceptance rate of the proposals; none at beta 0, where states are drawn"),   \
        SPN_RUNG_COLUMN("rejection", .label = "rejected share of the swaps with the next rung",    \
                        .help = "rejection rate of the swaps with the next rung"),                 \
        SPN_RUNG_COLUMN("visits", .label = "scans that ended here",                                \
                        .help = "scans of walkers that ended on this rung"),                       \
        SPN_RUNG_COLUMN("jumps", .label = "jumps into this rung",                                  \
                        .help = "equi-energy: jumps to states stored by the previous rung"),       \
        SPN_RUNG_COLUMN("cluster", .label = "mean sites of an exchanged cluster",                  \
                        .help = "mean number of sites changed by a cluster exchange")

/* Add both to a record, as far as the plan has them; and, with the target's energy known to the
   ladder, solved, first_hit_steps, first_hit_proposals and first_hit_seconds. Errors: MEMORY. */
spn_status spn_ladder_job_record(spn_record *out, const spn_resumable_ladder *run,
                                 const spn_ladder_plan *plan, spn_error *err);
spn_status spn_ladder_job_record_hit(spn_record *out, const spn_resumable_ladder *run,
                                     spn_error *err);

/* What a result of these needs that the plan has not; NULL: it is there, or is none of them. */
const char *spn_ladder_job_missing(const char *result, const spn_ladder_plan *plan);

/* Notes on the rungs, on log Z, and on the health where it is not good, with the remedy. */
spn_status spn_ladder_job_note(spn_record *out, const spn_resumable_ladder *run,
                               const spn_ladder_plan *plan, spn_error *err);

#endif
