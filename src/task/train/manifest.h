/* What a model records of the training that it comes from. */
#ifndef SPN_TASK_TRAIN_MANIFEST_H
#define SPN_TASK_TRAIN_MANIFEST_H

#include <spinney/lab/job.h>

#include <spinney/train.h>

/* The manifest of a model: JSON text, to be freed. No byte of it depends on time, on threads, or on
   whether the run was killed and resumed in between. Errors: MEMORY. */
spn_status spn_train_manifest(char **out, const spn_job *job, const void *plan,
                              const spn_training *training, const spn_train_result *result,
                              spn_error *err);

/* The checksums of the sets, as lines that a checkpoint must agree with; to be freed. */
spn_status spn_train_content(char **out, const spn_training *training, spn_error *err);

#endif
