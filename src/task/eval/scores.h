/* The plan of the task `eval`, and the scores of a model on labelled data. */
#ifndef SPN_TASK_EVAL_SCORES_H
#define SPN_TASK_EVAL_SCORES_H

#include "task/measure.h"
#include "task/sample_settings.h"

#include <spinney/model.h>

typedef struct spn_eval_plan {
    const char *model, *data, *labels, *test, *test_labels, *replica;
    int part, flip_layer; /* flip_layer: an spn_layers */
    bool certify;
    uint64_t seed, threads;
    spn_sample_settings samples;
    spn_flip_settings flip;
    /* Made from these. The inputs own the model and the samples. */
    const spn_model *classifier;
    const spn_dataset *set;
    const char *note; /* what was left out of the file; NULL: nothing */
    size_t best;      /* replica of lowest training loss; 0 if unknown */
    size_t
        chosen; /* the classifier of the summary: 0 the centre, from 1 a replica, else the vote */
    size_t flipped; /* the replicas whose weights flip, unless chosen is 0: from this one on */
    size_t flipped_count; /* number of classifiers, one after the other */
    size_t flipped_votes; /* replicas in each vote; 0: no vote */
    int8_t *centre;       /* majority of the replicas at each weight */
    spn_flip_plan flips;
} spn_eval_plan;

typedef struct spn_eval_score_row {
    double loss, accuracy, balanced_accuracy, macro_f1;
    double train_loss; /* of a replica; NaN if unknown */
} spn_eval_score_row;

typedef struct spn_eval_scores {
    const spn_eval_plan *plan;
    const spn_run *run;
    bool complete; /* false if the run was stopped */
    spn_eval_score_row mean, best, centre, vote;
    double majority_accuracy, bits, bytes, vote_bits, vote_bytes, best_replica, samples;
    char summary[300];
    double roc_auc; /* of the chosen classifier; NaN unless there are two classes */
    spn_curve_rows replicas;
    /* K*K each for the centre, the replicas and the vote; NULL: not counted */
    uint64_t *counts;
    double *probabilities; /* of two classes by the chosen classifier; NULL: not needed */
    spn_matrix confusion;
    spn_curve_rows classes, confusions, flips, certified;
} spn_eval_scores;

/* What is said of each class. */
typedef struct spn_class_row {
    double label, precision, recall, f1, samples;
} spn_class_row;

extern const spn_quantity spn_eval_results[], spn_certified_results[];

/* Score the replicas, the centre and, for networks, the vote; with details also count the
   confusion. Pauses and stops are checked between classifiers. out holds its plan and run;
   clear it, also after an error. Errors: ARGUMENT (the network does not take the data;
   stopped), MEMORY. */
spn_status spn_eval_score(spn_eval_scores *out, spn_error *err);
void spn_eval_scores_clear(spn_eval_scores *scores);

enum { SPN_CERTIFY_TRIALS = 100 };

/* Weights that may flip at once; with `certify`, its curve. out: free its rows. Errors: MEMORY. */
size_t spn_eval_flippable(const spn_eval_plan *plan);
spn_status spn_eval_certify(spn_curve_rows *out, spn_measuring *m, const spn_eval_plan *plan,
                            const spn_flip_target *target, spn_error *err);

#endif
