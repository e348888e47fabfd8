/* A training as settings describe it. */
#ifndef SPN_EXPERIMENT_TRAIN_PLAN_H
#define SPN_EXPERIMENT_TRAIN_PLAN_H

#include "experiment/tasks.h"
#include <spinney/train.h>

typedef struct spn_train_plan {
    spn_values values;
    spn_default defaults[9]; /* of the preset; not to be moved */
    spn_train_options options;
} spn_train_plan;

/* Read settings. To be cleared with spn_train_options_clear(&out->options), also after an error. */
spn_status spn_train_plan_make(spn_train_plan *out, const spn_values *values, spn_error *err);

/* The data, from the store; their name is what the model records. */
spn_status spn_train_plan_data(spn_train_data *out, spn_train_plan *p, spn_task_store *store,
                               spn_error *err);

/* Check what only the data can tell: more samples than there are, a test part where there is one
   already. */
spn_status spn_train_plan_check(spn_train_plan *p, const spn_train_data *data, spn_error *err);

/* What the settings that are not given are. */
spn_status spn_train_plan_defaults(spn_record *out, const spn_train_plan *p, spn_error *err);

/* How much there is to do, in units of one sample in one proposal. steps: as in spn_task_run. */
spn_work spn_train_plan_work(const spn_train_plan *p, const spn_measures *measures, uint64_t steps);

#endif
