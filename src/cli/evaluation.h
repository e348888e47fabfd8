/* What `spinney eval` measures, as text and as JSON. */
#ifndef SPN_CLI_EVALUATION_H
#define SPN_CLI_EVALUATION_H

#include "cli/model.h"
#include <spinney/robustness.h>

/* The scores of one classifier. */
typedef struct cli_score {
    spn_softmax_scores scores;
    uint64_t *confusion; /* K*K */
} cli_score;

typedef struct cli_evaluation {
    const cli_values *values;
    cli_model model;
    spn_dataset *data;
    char data_name[256]; /* such as "digits (test)" */
    cli_score *replicas; /* one each */
    cli_score centre;
    size_t flip_count; /* points of the robustness curve */
    double *flip_p;
    spn_robustness *flips;
    spn_robustness_options flip_options;
    cli_pick flipped; /* the weights that were flipped */
    double flip_seconds;
} cli_evaluation;

/* Both print on stdout and return an exit status. */
int cli_evaluation_text(const cli_evaluation *e);
int cli_evaluation_json(const cli_evaluation *e);

/* The robustness curve as a file; returns an exit status. */
int cli_evaluation_plot(const cli_evaluation *e, const char *path);

#endif
