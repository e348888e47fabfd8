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

/* The rows of these curves for the table of a task; of: what is flipped. */
#define SPN_FLIP_QUANTITIES(of)                                                                    \
    {.help = "Robustness"},                                                                        \
        {.name = "flips.p",                                                                        \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .label = "share of weights flipped",                                                      \
         .help = "share of the weights flipped"},                                                  \
        {.name = "flips.accuracy",                                                                 \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .label = "accuracy",                                                                      \
         .help = "the accuracy " of ", averaged over them and the trials"},                        \
        {.name = "flips.low",                                                                      \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .help = "lower end of its 95% confidence interval over all flips, by Student's t"},       \
    {                                                                                              \
        .name = "flips.high", .kind = SPN_QUANTITY_COLUMN, .help = "upper end"                     \
    }
#define SPN_PROFILE_QUANTITIES                                                                     \
    {.help = "Local energy profile"},                                                              \
        {.name = "profile.distance",                                                               \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .label = "distance",                                                                      \
         .help = "number of spins flipped"},                                                       \
        {.name = "profile.share",                                                                  \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .label = "distance over N",                                                               \
         .help = "share of the spins flipped"},                                                    \
        {.name = "profile.energy",                                                                 \
         .kind = SPN_QUANTITY_COLUMN,                                                              \
         .label = "energy",                                                                        \
         .help = "mean energy at that distance, over replicas and walks"},                         \
    {                                                                                              \
        .name = "profile.half", .kind = SPN_QUANTITY_COLUMN,                                       \
        .help = "half the width of its 95% confidence interval, by Student's t"                    \
    }

/* What a column of these curves needs that is not measured; NULL: it is. */
const char *spn_measure_missing(const char *result, bool flips, bool profile);

/* ---- measuring ---- */

/* A measurement under way. */
typedef struct spn_measuring {
    const spn_job *job;
    spn_meter *meter;
    bool stopped; /* out: the run was told to stop, and nothing was added */
} spn_measuring;

/* A classifier on data, both borrowed, as such a target; model.weights holds all replicas. */
typedef struct spn_flip_classifier {
    spn_softmax_model model;
    const spn_dataset *data;
} spn_flip_classifier;

spn_flip_target spn_flip_target_of(const spn_flip_classifier *classifier, size_t replicas);

/* Add the curve `flips` of a target to a record: columns p, accuracy, low, high. NULL: no replica
   that could be flipped; then accuracies are NaN. work: of all of it, in the meter's unit. */
spn_status spn_measure_flips(spn_record *out, spn_measuring *m, const spn_flip_plan *plan,
                             const spn_flip_target *target, double work, spn_error *err);

/* Add the curve `profile`: columns distance, share, energy, half: the mean over replicas and walks,
   and half its 95% interval over all ways to walk away from these replicas. */
spn_status spn_measure_profile(spn_record *out, spn_measuring *m,
                               const spn_profile_settings *settings, const spn_energy *energy,
                               const int8_t *spins, size_t replicas, double work, spn_error *err);

#endif
