/* What the commands that use a model share: loading it, and choosing a replica. */
#ifndef SPN_CLI_MODEL_H
#define SPN_CLI_MODEL_H

#include "cli/options.h"
#include <spinney/model.h>
#include <spinney/softmax.h>

/* A model in use. */
typedef struct cli_model {
    const char *path;
    spn_model *model;
    int8_t *centre;           /* the majority of the replicas */
    const double *train_loss; /* of each replica, owned by the model; NULL if unknown */
    size_t best;              /* the replica of lowest training loss; 0 if unknown */
} cli_model;

/* Load the model; on failure print a message and return the exit status, else 0. */
int cli_model_load(cli_model *out, const cli_values *values, const char *path);
void cli_model_free(cli_model *model);

/* Weights chosen by --replica. */
typedef struct cli_pick {
    const int8_t *weights;
    size_t count;  /* classifiers, one after the other: 1, or all replicas */
    bool vote;     /* they vote */
    char name[96]; /* such as "replica 2, the best by its loss in training" */
    char key[32];  /* such as "replica 2" */
} cli_pick;

/* What else may be chosen. */
enum { CLI_PICK_ALL = 1, CLI_PICK_VOTE = 2 };

/* --replica: a number from 1, `best`, `centre` and, if allowed, `all` and (networks) `vote`. */
int cli_model_pick(cli_pick *out, const cli_model *model, const cli_values *values,
                   unsigned allowed);

#endif
