/* What the commands that use a model share: loading it, choosing a replica, reading samples for
   it. */
#ifndef SPN_CLI_MODEL_H
#define SPN_CLI_MODEL_H

#include "cli/options.h"
#include <jansson.h>
#include <spinney/model.h>
#include <spinney/softmax.h>

/* A model in use. */
typedef struct cli_model {
    const char *path;
    spn_model *model;
    int8_t *centre; /* the majority of the replicas */
    const double
        *train_loss; /* of each replica, which belong to the model; NULL where they are not known */
    size_t best;     /* the replica of lowest train loss; 0 where that is not known */
} cli_model;

/* Load the model; on failure print a message and return the exit status, else 0. */
int cli_model_load(cli_model *out, const cli_values *values, const char *path);
void cli_model_free(cli_model *model);

/* Weights chosen by --replica. */
typedef struct cli_pick {
    const int8_t *weights;
    size_t count;  /* classifiers, one after the other: 1, or all replicas */
    char name[96]; /* such as "replica 2, the best by its loss in training" */
    char key[32];  /* such as "replica 2" */
} cli_pick;

/* --replica: a number from 1, `best`, `centre` and, where `all` is true, `all`. */
int cli_model_pick(cli_pick *out, const cli_model *model, const cli_values *values, bool all);

/* The classifier of given weights of the model. */
spn_softmax_model cli_model_classifier(const cli_model *model, const int8_t *weights);

extern const char *const cli_formats[], *const cli_label_places[], *const cli_headers[];

/* The options that say how a file of samples is read, for a command's table. */
#define CLI_SAMPLE_OPTIONS                                                                         \
    CLI_WORD("format", "NAME", "auto", cli_formats, "of the file"),                                \
        CLI_WORD("label-column", "WHERE", "last", cli_label_places, "of CSV"),                     \
        CLI_WORD("header", "HOW", "auto", cli_headers, "whether CSV starts with a line of names")

/* What these options say. */
void cli_read_options(spn_read_options *out, const cli_values *values);

/* Read samples for the model, preprocessed as it expects.
   path: a file, or - for the standard input; labels_path: a second file, or NULL.
   labelled: labels are needed, and mapped onto the model's classes; otherwise they are passed over.
 */
int cli_model_read(spn_dataset **out, const cli_model *model, const cli_values *values,
                   const char *path, const char *labels_path, bool labelled);

/* The same for a part of a data set known by its name. */
int cli_model_open(spn_dataset **out, const cli_model *model, const cli_values *values,
                   const char *name, bool train_part);

/* Whether a data set is known by this name. */
bool cli_is_known_data(const char *name);

#endif
