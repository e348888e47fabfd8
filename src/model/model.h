#ifndef SPN_MODEL_MODEL_H
#define SPN_MODEL_MODEL_H

#include "base/memory.h"
#include "data/dataset.h"
#include <spinney/model.h>

struct spn_model {
    uint32_t classes;   /* K */
    size_t features;    /* D, of a sample */
    size_t bias;        /* n, weights of each class on the constant input 1 */
    size_t hidden;      /* H units between inputs and outputs, or 0 */
    size_t hidden_bias; /* weights of each unit on the constant input 1 */
    size_t replicas;    /* y */
    size_t width;       /* of an image, or 0 */
    size_t height;
    char **class_names;        /* K */
    double logit_scale;        /* logits are logit_scale * W x */
    spn_preprocess preprocess; /* how raw features became x */
    spn_scaling *scaling;      /* as fitted; of the encoded features, if there is an encoding */
    spn_encoding *encoding;    /* applied before the scaling; NULL: none */
    const uint8_t *packed; /* weights as bits, as in its file: spn_model_replica_bytes a replica */
    uint8_t *memory;       /* that holds them; more than them if the model was read */
    char *manifest;        /* JSON text: settings, seed, version, data checksum, results */
    double *train_losses;  /* y, finite; NULL: unknown */
    spn_columns *columns;  /* of the training table; NULL: plain numbers */
    spn_bytes strangers;   /* unknown sections of its file, unchanged */
};

/* Bytes of the packed weights of a replica. */
static inline size_t spn_model_replica_bytes(const spn_model *model)
{
    return (spn_model_sites(model) + 7) / 8;
}

#endif
