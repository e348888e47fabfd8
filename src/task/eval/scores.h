/* The scores of a model on labelled data, as results of the task `eval`. */
#ifndef SPN_TASK_EVAL_SCORES_H
#define SPN_TASK_EVAL_SCORES_H

#include <spinney/lab/task.h>
#include <spinney/model.h>

/* What is scored; everything is borrowed. */
typedef struct spn_eval_subject {
    const spn_model *model;
    const spn_dataset *set;
    const int8_t *centre; /* the majority of the replicas */
    size_t best;        /* the replica of the lowest loss in training; 0 where that is not known */
    const spn_run *run; /* whose pauses and stop are heeded between two classifiers */
} spn_eval_subject;

/* Score replicas, best replica and centre, of networks also the vote, and add what that gave.
   with_details: each replica, the confusion and the line in words, too. Errors: ARGUMENT (data that
   a network does not take; the run is to stop), MEMORY. */
spn_status spn_eval_scores_add(spn_record *out, const spn_eval_subject *subject, bool with_details,
                               spn_error *err);

#endif
