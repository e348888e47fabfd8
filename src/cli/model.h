/* Shared by the commands that use a model: loading it, and choosing a replica. */
#ifndef SPN_CLI_MODEL_H
#define SPN_CLI_MODEL_H

#include "cli/options.h"
#include <spinney/model.h>

/* A model and the weights that --replica chooses. */
typedef struct cli_model {
    const char *path;
    spn_model *model;
    size_t first, count;      /* the replicas: one, or all */
    int8_t *weights;          /* theirs, or the centre's; NULL: not unpacked */
    bool vote;                /* they vote */
    size_t first_unit, units; /* hidden units to show, from 0 */
    char name[96];            /* such as "replica 2, the best by its loss in training" */
    char key[32];             /* such as "replica 2" */
} cli_model;

/* Choices besides a number, best and centre. */
enum { CLI_PICK_ALL = 1, CLI_PICK_VOTE = 2 };

/* Load the model of the first argument and choose by --replica: a number from 1, `best`, `centre`
   and, if allowed, `all` and (networks) `vote`. On failure print a message and return the exit
   status, else 0. Free it in any case. Unpacking makes `weights` of replicas. */
int cli_model_open(cli_model *out, const cli_values *values, unsigned allowed);
int cli_model_unpack(cli_model *model, const cli_values *values);
void cli_model_free(cli_model *model);

#endif
