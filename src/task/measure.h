/* The curves that are measured after a run: accuracy under flips, and local energy profiles. Two
   groups of settings, and what measures them. */
#ifndef SPN_TASK_MEASURE_H
#define SPN_TASK_MEASURE_H

#include "job/progress.h"
#include <spinney/lab/job.h>

#include <spinney/robustness.h>

/* ---- settings ---- */

typedef struct spn_flip_settings {
    const char *flip;
    uint64_t trials;
    int mode;
} spn_flip_settings;

typedef struct spn_profile_settings {
    uint64_t walks, points;
    double reach;
} spn_profile_settings;

extern const spn_setting spn_flip_rows[], spn_profile_rows[];

/* The shares of weights to be flipped, in the order of their text. */
typedef struct spn_flip_plan {
    size_t count; /* 0: nothing is flipped */
    double *shares;
    spn_robustness_options options;
} spn_flip_plan;

/* To be cleared, also after an error. replicas: among which the trials are spread. Errors:
   ARGUMENT, MEMORY. */
spn_status spn_flip_plan_make(spn_flip_plan *out, const spn_flip_settings *settings,
                              const spn_job *job, size_t replicas, spn_error *err);
void spn_flip_plan_clear(spn_flip_plan *plan);

/* Settings that go with one that is not given are mistakes. Errors: ARGUMENT. */
spn_status spn_profile_settings_check(const spn_job *job, spn_error *err);

/* Leave out of the settings of a run what does not matter where nothing is measured. */
void spn_measure_resolve(spn_record *out, const spn_job *job);

/* Groups of results: the columns of the two curves. Their structs are spn_curve_rows in the run,
   and spn_flip_plan or spn_profile_settings in the plan. */
extern const spn_quantity spn_flip_results[], spn_profile_results[];

/* ---- measuring ---- */

/* A measurement under way. */
typedef struct spn_measuring {
    const spn_job *job;
    spn_meter *meter;
    bool stopped; /* out: the run was asked to stop, and nothing was measured */
} spn_measuring;

/* A classifier on data, both borrowed, as such a target; model.weights holds all replicas. */
typedef struct spn_flip_classifier {
    spn_softmax_model model;
    const spn_dataset *data;
} spn_flip_classifier;

spn_flip_target spn_flip_target_of(const spn_flip_classifier *classifier, size_t replicas);

/* Measure the accuracy of a target at each share of flips. NULL: no replica could be flipped; then
   accuracies are NaN. work: of all of it, in the meter's unit. out: rows to be freed; NULL if
   there is nothing to measure or the run was stopped. Errors: those of the target; MEMORY. */
spn_status spn_measure_flips(spn_curve_rows *out, spn_measuring *m, const spn_flip_plan *plan,
                             const spn_flip_target *target, double work, spn_error *err);

/* Measure the mean energy at each distance, over replicas and walks, with half the width of its
   confidence interval over all ways to walk away from these replicas. out: as above. */
spn_status spn_measure_profile(spn_curve_rows *out, spn_measuring *m,
                               const spn_profile_settings *settings, const spn_energy *energy,
                               const int8_t *spins, size_t replicas, double work, spn_error *err);

#endif
