/* Models from inside. */
#ifndef SPN_MODEL_MODEL_H
#define SPN_MODEL_MODEL_H

#include <spinney/model.h>

struct spn_model {
    uint32_t classes;          /* K */
    size_t features;           /* D */
    size_t replicas;           /* y */
    size_t width;              /* of an image, or 0 */
    size_t height;             /* */
    char **class_names;        /* K */
    double logit_scale;        /* logits are logit_scale * W x */
    spn_preprocess preprocess; /* how raw features became x, and */
    spn_scaling *scaling;      /* the numbers that came of it */
    int8_t *weights;      /* -1 or +1; weight i of class k of replica a at (a * K + k) * D + i */
    char *manifest;       /* JSON text: settings, seed, version, data checksum, results */
    double *train_losses; /* y, finite; NULL: not known */
};

#endif
