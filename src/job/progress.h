/* Progress of a run over all parts of its work. */
#ifndef SPN_JOB_PROGRESS_H
#define SPN_JOB_PROGRESS_H

#include <spinney/lab/task.h>

typedef struct spn_meter {
    const spn_run *run;
    double total, past; /* in the unit of the task: all parts; parts done */
} spn_meter;

static inline spn_meter spn_meter_start(const spn_run *run, double total)
{
    return (spn_meter){.run = run, .total = total};
}

/* Report that a share, 0 to 1, of the current part is done. */
static inline void spn_meter_put(const spn_meter *meter, double work, double share,
                                 spn_progress progress)
{
    progress.share = meter->total > 0 ? (meter->past + work * share) / meter->total : 0;
    if (meter->run->progress)
        meter->run->progress(meter->run->context, &progress);
}

static inline void spn_meter_show(const spn_meter *meter, double work, double share)
{
    spn_meter_put(meter, work, share, (spn_progress){0});
}

/* The current part is done. */
static inline void spn_meter_pass(spn_meter *meter, double work)
{
    spn_meter_show(meter, work, 1);
    meter->past += work;
}

#endif
