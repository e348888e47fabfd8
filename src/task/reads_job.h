/* The reads of a job: independent runs of its chain, over threads, and what they leave. */
#ifndef SPN_TASK_READS_JOB_H
#define SPN_TASK_READS_JOB_H

#include "job/progress.h"
#include "task/chain_ready.h"

#include <spinney/reads.h>
#include <spinney/samples.h>

/* Everything is borrowed. */
typedef struct spn_reads_job {
    const spn_run *run;
    spn_chain_ready
        *chain;           /* where it is to be stretched, it gets the steps that the time allows */
    const int8_t *starts; /* warm starts; NULL: none */
    size_t start_count;
    const spn_energy *energy;
    size_t reads;
    const spn_meter *meter;
    double work; /* of all reads, in the meter's unit */
} spn_reads_job;

/* Run them and fill the outcome; complete is false only where the stop ended them. out: to be freed
   with spn_sampler_free. Errors: those of spn_sampler_run; ARGUMENT where a trace is asked for,
   which is of one run. */
spn_status spn_reads_job_run(spn_sampler **out, spn_outcome *outcome, const spn_reads_job *how,
                             spn_error *err);

/* The rows of what reads leave for the table of a task, besides those of a chain. */
#define SPN_READS_QUANTITIES                                                                       \
    {.help = "Reads, where there are more than one"},                                              \
        {.name = "distinct",                                                                       \
         .label = "distinct best states",                                                          \
         .help = "distinct states among the reads' best"},                                         \
        {.name = "best_reads",                                                                     \
         .label = "reads that met the lowest energy",                                              \
         .help = "reads that found the lowest energy of all"},                                     \
        {.name = "hits",                                                                           \
         .label = "reads that reached the target",                                                 \
         .help = "with `target`: reads that reached it"},                                          \
        {.name = "success",                                                                        \
         .flags = SPN_QUANTITY_SHARE,                                                              \
         .label = "share of reads that reached the target",                                        \
         .help = "with `target`: share of the reads that reached it"},                             \
        {.name = "median_energy",                                                                  \
         .label = "median of the reads' lowest energies",                                          \
         .help = "energy that half of the reads reached"},                                         \
        {.name = "quantiles.p",                                                                    \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .flags = SPN_QUANTITY_DETAIL,                                                             \
         .label = "share of the reads",                                                            \
         .help = "share of the reads"},                                                            \
        {.name = "quantiles.energy",                                                               \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .flags = SPN_QUANTITY_DETAIL,                                                             \
         .label = "lowest energy met",                                                             \
         .help = "energy that this share of the reads reached"},                                   \
        SPN_READ_COLUMN("best_energy", "the lowest energy it found"),                              \
        SPN_READ_COLUMN("energy", "final energy of its lowest replica"),                           \
        SPN_READ_COLUMN("accepted", "accepted flips of all its replicas"),                         \
        SPN_READ_COLUMN("proposals", "proposals of all its replicas"),                             \
        SPN_READ_COLUMN("steps", "its steps"),                                                     \
        SPN_READ_COLUMN("hit", "with `target`: steps until it was reached")

#define SPN_READ_COLUMN(column, text)                                                              \
    {                                                                                              \
        .name = "reads." column, .kind = SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,        \
        .help = "of each read: " text                                                              \
    }

/* Add them to a record, with stop, steps_done, proposals, active and health, as for a
   chain. samples: the best states of the reads, sorted.
   Errors: MEMORY. */
spn_status spn_reads_job_record(spn_record *out, const spn_sampler *reads,
                                const spn_samples *samples, const spn_chain_ready *chain,
                                const spn_run *run, spn_error *err);

#endif
