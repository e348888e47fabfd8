/* Models from inside. */
#ifndef SPN_MODEL_MODEL_H
#define SPN_MODEL_MODEL_H

#include "data/dataset.h"
#include <spinney/model.h>

/* A section of a file that this program does not know and may pass over; written again as it was.
 */
typedef struct spn_model_stranger {
    char *name;
    uint8_t *data;
    size_t size;
} spn_model_stranger;

struct spn_model {
    uint32_t classes;          /* K */
    size_t features;           /* D, of a sample */
    size_t bias;               /* n, weights of each class on the constant input 1 */
    size_t hidden;             /* H units between inputs and outputs, or 0 */
    size_t hidden_bias;        /* weights of each unit on the constant input 1 */
    size_t replicas;           /* y */
    size_t width;              /* of an image, or 0 */
    size_t height;             /* */
    char **class_names;        /* K */
    double logit_scale;        /* logits are logit_scale * W x */
    spn_preprocess preprocess; /* how raw features became x, and */
    spn_scaling *scaling;      /* as fitted; of the encoded features, if there is an encoding */
    spn_encoding *encoding;    /* of the features, before the scaling; NULL: none */
    int8_t *weights;      /* -1 or +1; weight i of class k of replica a at (a * K + k) * row + i */
    char *manifest;       /* JSON text: settings, seed, version, data checksum, results */
    double *train_losses; /* y, finite; NULL: not known */
    spn_columns *columns; /* of the table that it was trained on; NULL: plain numbers */
    spn_model_stranger *strangers;
    size_t stranger_count;
};

#endif
