/* The task `eval` from inside: its plan, and the scores of a model on labelled data, which are its
   results. */
#ifndef SPN_TASK_EVAL_SCORES_H
#define SPN_TASK_EVAL_SCORES_H

#include "task/measure.h"
#include "task/sample_settings.h"

#include <spinney/model.h>

typedef struct spn_eval_plan {
    const char *model, *data, *labels, *test, *test_labels, *replica;
    int part, flip_layer;
    uint64_t seed, threads;
    spn_sample_settings samples;
    spn_flip_settings flip;
    /* What they make; the model and the samples belong to the inputs. */
    const spn_model *classifier;
    const spn_dataset *set;
    size_t best; /* the replica of lowest training loss; 0 if that is not known */
    const int8_t *flipped;
    size_t flipped_count; /* classifiers, one after the other */
    size_t flipped_votes; /* of each; 0: it is one replica */
    int8_t *centre;       /* the majority of the replicas */
    spn_flip_plan flips;
} spn_eval_plan;

/* Scores of one classifier, or their mean. */
typedef struct spn_eval_score_row {
    double loss, accuracy, balanced_accuracy, macro_f1;
    double train_loss; /* of a replica; NaN if it is not known */
} spn_eval_score_row;

typedef struct spn_eval_scores {
    bool complete; /* nothing stopped the scoring */
    spn_eval_score_row mean, best, centre, vote;
    double majority_accuracy, bits, bytes, vote_bits, vote_bytes, best_replica, samples;
    char summary[300];
    spn_curve_rows replicas;
    /* K*K each: of the centre, of the replicas, and of the vote; NULL: not counted */
    uint64_t *counts;
    spn_matrix confusion;
    spn_curve_rows confusions, flips;
} spn_eval_scores;

extern const spn_quantity spn_eval_results[];

/* Score the replicas, the centre and, of networks, the vote; with the run's details count the
   confusion too. The run's pauses and stop are heeded between two classifiers. out: zeroed, to be
   cleared, also after an error. Errors: ARGUMENT (data that a network does not take; the run is to
   stop), MEMORY. */
spn_status spn_eval_score(spn_eval_scores *out, const spn_eval_plan *plan, const spn_run *run,
                          spn_error *err);
void spn_eval_scores_clear(spn_eval_scores *scores);

#endif
