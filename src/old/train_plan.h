/* A training as settings describe it. */
#ifndef SPN_OLD_TRAIN_PLAN_H
#define SPN_OLD_TRAIN_PLAN_H

#include "old/tasks.h"
#include "old/training.h"

typedef struct spn_train_plan {
    xpn_values values;
    xpn_default defaults[9]; /* of the preset; not to be moved */
    xpn_train_options options;
} spn_train_plan;

/* Read settings. To be cleared with xpn_train_options_clear(&out->options), also after an error. */
spn_status spn_train_plan_make(spn_train_plan *out, const xpn_values *values, spn_error *err);

/* The data, from the store; their name is what the model records. */
spn_status spn_train_plan_data(xpn_train_data *out, spn_train_plan *p, xpn_task_store *store,
                               spn_error *err);

/* Check what only the data can tell: more samples than there are, a test part where there is one
   already. */
spn_status spn_train_plan_check(spn_train_plan *p, const xpn_train_data *data, spn_error *err);

/* What the settings that are not given are. */
spn_status spn_train_plan_defaults(spn_record *out, const spn_train_plan *p, spn_error *err);

/* How much there is to do, in units of one sample in one proposal. steps: as in xpn_task_run. */
xpn_work spn_train_plan_work(const spn_train_plan *p, const spn_measures *measures, uint64_t steps);

#endif
