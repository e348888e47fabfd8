/* Curves measured after a run: accuracy under flips, and local energy profiles. */
#ifndef SPN_TASK_MEASURE_H
#define SPN_TASK_MEASURE_H

#include "job/run.h"
#include <spinney/lab/job.h>

#include <spinney/robustness.h>

typedef struct spn_flip_settings {
    const char *flip;
    uint64_t trials;
    int mode;
    const char *fault_model; /* NULL: flips */
} spn_flip_settings;

typedef struct spn_profile_settings {
    uint64_t walks, points;
    double reach;
} spn_profile_settings;

extern const spn_setting spn_flip_rows[], spn_profile_rows[];

/* Shares of weights to flip, as listed by the user. */
typedef struct spn_flip_plan {
    size_t count;
    double *shares;
    spn_robustness_options options;
} spn_flip_plan;

/* replicas: the trials are spread over them. Clear out, also after an error. Errors: ARGUMENT,
   MEMORY. */
spn_status spn_flip_plan_make(spn_flip_plan *out, const spn_flip_settings *settings,
                              const spn_job *job, size_t replicas, spn_error *err);
void spn_flip_plan_clear(spn_flip_plan *plan);

/* Settings of a profile without `profile-walks` are mistakes. Errors: ARGUMENT. */
spn_status spn_profile_settings_check(const spn_job *job, spn_error *err);

/* Leave settings of measurements out of the record if nothing is measured. */
void spn_measure_resolve(spn_record *out, const spn_job *job);

/* Columns of the two curves. The run holds spn_curve_rows; the plan holds spn_flip_plan or
   spn_profile_settings. */
extern const spn_quantity spn_flip_results[], spn_profile_results[];

typedef struct spn_measuring {
    const spn_job *job;
    spn_cost cost; /* of the whole run */
    spn_meter meter;
    bool stopped; /* out: the run was stopped and nothing was measured */
} spn_measuring;

/* plan: that of the job. */
static inline spn_measuring spn_measuring_start(const spn_job *job, const spn_run *run,
                                                const void *plan)
{
    const spn_cost cost = job->task->cost(plan, run->steps);
    return (spn_measuring){.job = job, .cost = cost, .meter = spn_meter_start(run, cost.work)};
}

/* A classifier on data as a flip target; both are borrowed. model.weights holds all replicas. */
typedef struct spn_flip_classifier {
    spn_softmax_model model;
    const spn_dataset *data;
} spn_flip_classifier;

spn_flip_target spn_flip_target_of(const spn_flip_classifier *classifier, size_t replicas);

/* A row of the curve of flips. */
typedef struct spn_flip_row {
    double p, accuracy, low, high;
} spn_flip_row;

/* Measure the accuracy at each share of flips. target NULL: no replica can be flipped, and
   accuracies are NaN. out: free its rows; NULL if there is nothing to measure or the run was
   stopped. Errors: those of the target; MEMORY. */
spn_status spn_measure_flips(spn_curve_rows *out, spn_measuring *m, const spn_flip_plan *plan,
                             const spn_flip_target *target, spn_error *err);

/* Measure the mean energy at each distance, over replicas and walks, with half the width of its
   confidence interval over the walks. out: as above. */
spn_status spn_measure_profile(spn_curve_rows *out, spn_measuring *m,
                               const spn_profile_settings *settings, const spn_energy *energy,
                               const int8_t *spins, size_t replicas, spn_error *err);

#endif
