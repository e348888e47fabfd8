/* Models: trained classifiers with one-bit weights, and everything needed to use them again. A
   model file holds a magic, its version, its sizes, a manifest, the preprocessing, the weights of
   every replica packed into bits, and a checksum over all of it; docs/file-formats.md gives the
   bytes. */
#ifndef SPINNEY_MODEL_H
#define SPINNEY_MODEL_H

#include <spinney/dataset.h>
#include <spinney/preprocess.h>
#include <spinney/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_model {
    uint32_t classes;          /* K */
    size_t features;           /* D */
    size_t replicas;           /* y */
    size_t width;              /* of an image, or 0 */
    size_t height;             /* */
    char **class_names;        /* K */
    double logit_scale;        /* logits are logit_scale * W x */
    spn_preprocess preprocess; /* how raw features became x, and */
    spn_scaling *scaling;      /* the numbers that came of it */
    int8_t *weights; /* -1 or +1; weight i of class k of replica a at (a * K + k) * D + i */
    char *manifest;  /* JSON text: settings, seed, version, data checksum, results */
} spn_model;

/* Write a model; the file appears whole or not at all. Errors: ARGUMENT, IO, MEMORY. */
SPN_API spn_status spn_model_write(const spn_model *model, const char *path, spn_error *err);

/* Read a model. Sizes are checked against the file before memory is taken, and a changed byte
   anywhere is detected. Errors: IO, INPUT (naming what is damaged), MEMORY. */
SPN_API spn_status spn_model_read(spn_model **out, const char *path, spn_error *err);

/* The same from memory, `name` standing for the file in errors. */
SPN_API spn_status spn_model_parse(spn_model **out, const uint8_t *data, size_t size,
                                   const char *name, spn_error *err);

/* The weights of a replica, K * D of them; of the majority of the replicas (ties: replica 0). */
SPN_API const int8_t *spn_model_replica(const spn_model *model, size_t replica);
SPN_API void spn_model_centre(const spn_model *model, int8_t *out);

/* The training loss of every replica, as the manifest records it, to be freed with free(); NULL
   where it does not say. */
SPN_API double *spn_model_train_losses(const spn_model *model);

/* Accepts NULL. */
SPN_API void spn_model_free(spn_model *model);

#ifdef __cplusplus
}
#endif
#endif
