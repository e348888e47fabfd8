/* How far a run is, over all parts of its work. */
#ifndef SPN_JOB_PROGRESS_H
#define SPN_JOB_PROGRESS_H

#include <spinney/lab/task.h>

typedef struct spn_meter {
    const spn_run *run;
    double total, past; /* work, in the unit of the task: of all parts; of those that are done */
} spn_meter;

static inline spn_meter spn_meter_start(const spn_run *run, double total)
{
    return (spn_meter){.run = run, .total = total};
}

/* A share, 0 to 1, of the part under way is done; progress has the rest of what there is to tell.
 */
static inline void spn_meter_put(const spn_meter *meter, double work, double share,
                                 spn_progress progress)
{
    progress.share = meter->total > 0 ? (meter->past + work * share) / meter->total : 0;
    if (meter->run->progress)
        meter->run->progress(meter->run->context, &progress);
}

/* The same without more to tell. */
static inline void spn_meter_show(const spn_meter *meter, double work, double share)
{
    spn_meter_put(meter, work, share, (spn_progress){0});
}

/* The part under way is done. */
static inline void spn_meter_pass(spn_meter *meter, double work)
{
    spn_meter_show(meter, work, 1);
    meter->past += work;
}

#endif
