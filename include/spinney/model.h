/* Models: trained classifiers with one-bit weights, and everything needed to use them again. A
   model file holds a magic, its version, its sizes, a manifest, the preprocessing, the weights of
   every replica packed into bits, and a checksum over all of it; docs/file-formats.md gives the
   bytes. */
#ifndef SPINNEY_MODEL_H
#define SPINNEY_MODEL_H

#include <spinney/dataset.h>
#include <spinney/encoding.h>
#include <spinney/preprocess.h>
#include <spinney/softmax.h>
#include <spinney/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_model spn_model;

/* What to make a model of; start from spn_model_arrays_defaults(). Everything is copied. */
typedef struct spn_model_arrays {
    size_t size;                      /* of this struct */
    size_t classes;                   /* K, 2 to SPN_MAX_CLASSES */
    size_t features;                  /* D */
    size_t replicas;                  /* y (1) */
    size_t width, height;             /* of an image, width * height = D; 0: none */
    const char *const *class_names;   /* K; NULL: "0", "1", ... */
    const spn_preprocess *preprocess; /* how raw features became x; NULL: as they are */
    const spn_scaling *scaling;       /* the numbers that came of it; NULL: shift 0, scale 1 */
    double logit_scale;               /* logits are logit_scale * W x; positive (1) */
    /* -1 or +1; weight i of class k of replica a at (a * K + k) * (I + n) + i, I being the inputs
       of the encoding, or D without one */
    const int8_t *weights;
    const char *manifest;       /* JSON text of where it comes from; NULL: "{}" */
    const double *train_losses; /* of each replica, finite; NULL: not known */
    size_t bias;                /* n, weights of each class on the constant input 1, its last (0) */
    const spn_encoding *encoding; /* of the features, before the scaling; NULL: none */
    /* H hidden units (<spinney/network.h>), whose weights come first in each replica: weight i of
       unit j at j * (I + hidden_bias) + i, then weight j of the output of class k at k * (H + n) +
       j behind them. (0: none) */
    size_t hidden;
    size_t hidden_bias; /* weights of each unit on the constant input 1, its last (0) */
} spn_model_arrays;

static inline spn_model_arrays spn_model_arrays_defaults(void)
{
    spn_model_arrays a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.replicas = 1;
    a.logit_scale = 1;
    return a;
}

/* Make a model of arrays in memory. out: to be freed with spn_model_free; NULL on failure.
   Errors: ARGUMENT, naming what is out of its range; MEMORY. O(y K D). */
SPN_API spn_status spn_model_create(spn_model **out, const spn_model_arrays *arrays,
                                    spn_error *err);

/* What a model holds; arrays, texts and the scaling belong to the model. All O(1). */
SPN_API uint32_t spn_model_classes(const spn_model *model); /* K */
SPN_API size_t spn_model_features(const spn_model *model);  /* D */
SPN_API size_t spn_model_replicas(const spn_model *model);  /* y */
SPN_API size_t spn_model_width(const spn_model *model);     /* of an image, or 0 */
SPN_API size_t spn_model_height(const spn_model *model);    /* */
SPN_API double spn_model_logit_scale(const spn_model *model);
SPN_API size_t spn_model_bias(const spn_model *model);                  /* n */
SPN_API const spn_encoding *spn_model_encoding(const spn_model *model); /* NULL: none */
/* weights of one class: inputs, or hidden units, and bias */
SPN_API size_t spn_model_row(const spn_model *model);
SPN_API size_t spn_model_hidden(const spn_model *model);      /* H; 0: a linear classifier */
SPN_API size_t spn_model_hidden_bias(const spn_model *model); /* */
SPN_API size_t spn_model_sites(const spn_model *model);       /* weights of one replica */
SPN_API const char *const *spn_model_class_names(const spn_model *model); /* K */
SPN_API const spn_preprocess *spn_model_preprocess(const spn_model *model);
SPN_API const spn_scaling *spn_model_scaling(const spn_model *model);
/* JSON text: settings, seed, version, data checksum, results */
SPN_API const char *spn_model_manifest(const spn_model *model);
/* -1 or +1; replica a starts at a * sites; of a linear classifier, weight i of class k is its k *
   row
   + i */
SPN_API const int8_t *spn_model_weights(const spn_model *model);

/* Write a model; the file appears whole or not at all. Errors: ARGUMENT, IO, MEMORY. */
SPN_API spn_status spn_model_write(const spn_model *model, const char *path, spn_error *err);

/* Read a model. Sizes are checked against the file before memory is taken, and a changed byte
   anywhere is detected. Errors: IO, INPUT (naming what is damaged), MEMORY. */
SPN_API spn_status spn_model_read(spn_model **out, const char *path, spn_error *err);

/* The bytes of the file that spn_model_write writes, to be freed with spn_free. Errors: ARGUMENT,
   MEMORY. */
SPN_API spn_status spn_model_pack(uint8_t **out, size_t *size, const spn_model *model,
                                  spn_error *err);

/* Read a model from memory, `name` standing for the file in errors. */
SPN_API spn_status spn_model_parse(spn_model **out, const uint8_t *data, size_t size,
                                   const char *name, spn_error *err);

/* The weights of a replica, `sites` of them; of the majority of the replicas (ties: replica 0). */
SPN_API const int8_t *spn_model_replica(const spn_model *model, size_t replica);
SPN_API void spn_model_centre(const spn_model *model, int8_t *out);

/* Do to stored samples what has to be done before the classifier sees them: *dataset is replaced by
   one made binary or encoded, where the model asks for that, and left alone elsewhere. On failure
   it is unchanged. Errors: ARGUMENT (other features), MEMORY. */
SPN_API spn_status spn_model_prepare(spn_dataset **dataset, const spn_model *model, spn_error *err);

/* The classifier of given weights of a model, such as those of a replica, for
   spn_softmax_evaluate on samples that spn_model_prepare has prepared; all is borrowed. */
static inline spn_softmax_model spn_model_classifier(const spn_model *model, const int8_t *weights)
{
    spn_softmax_model classifier = spn_softmax_model_defaults();
    classifier.weights = weights;
    classifier.classes = spn_model_classes(model);
    classifier.features = spn_scaling_features(spn_model_scaling(model));
    classifier.bias = spn_model_bias(model);
    const spn_encoding *encoding = spn_model_encoding(model);
    classifier.bits = encoding && spn_encoding_copy_count(encoding) == 0;
    classifier.scaling = spn_model_scaling(model);
    classifier.logit_scale = spn_model_logit_scale(model);
    classifier.hidden = spn_model_hidden(model);
    classifier.hidden_bias = spn_model_hidden_bias(model);
    return classifier;
}

/* The class of each sample, and the probabilities of all classes, K for each; either may be NULL.
   samples: as they are read, with the features of the model; labels play no part.
   weights: `votes` classifiers of the model's shape, one after the other, whose logits are added;
   1: one, such as spn_model_replica gives. Only networks vote.
   Errors: ARGUMENT (other features, no votes or a vote of linear classifiers), those of
   spn_model_prepare and spn_softmax_evaluate, whose cost it has. */
SPN_API spn_status spn_model_predict(uint32_t *classes, double *probabilities,
                                     const spn_model *model, const int8_t *weights, size_t votes,
                                     const spn_dataset *samples, spn_error *err);

/* The replica of the lowest training loss, the first of equals; 0 where it is not known. */
SPN_API size_t spn_model_best(const spn_model *model);

/* The training loss of every replica, which belongs to the model; NULL where it is not known. */
SPN_API const double *spn_model_train_losses(const spn_model *model);

/* Give a model another manifest, which is copied. Errors: MEMORY. */
SPN_API spn_status spn_model_set_manifest(spn_model *model, const char *text, spn_error *err);

/* How the columns of the table that it was trained on became features, which belongs to the model;
   NULL where they were plain numbers without names. And give it others, which are copied; NULL:
   none. Errors: ARGUMENT where they do not make D features; MEMORY. */
SPN_API const spn_columns *spn_model_columns(const spn_model *model);
SPN_API spn_status spn_model_set_columns(spn_model *model, const spn_columns *columns,
                                         spn_error *err);

/* Accepts NULL. */
SPN_API void spn_model_free(spn_model *model);

#ifdef __cplusplus
}
#endif
#endif
