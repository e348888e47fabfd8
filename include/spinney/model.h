/* Models: trained classifiers with one-bit weights, and everything needed to use them again. A
   model file holds a magic, its version, its sizes, a manifest, the preprocessing, the weights of
   every replica packed into bits, and a checksum of it all; docs/file-formats.md gives the bytes.
 */
#ifndef SPINNEY_MODEL_H
#define SPINNEY_MODEL_H

#include <spinney/dataset.h>
#include <spinney/encoding.h>
#include <spinney/preprocess.h>
#include <spinney/softmax.h>
#include <spinney/status.h>
#include <stdint.h>

SPN_BEGIN_C

typedef struct spn_model spn_model;

/* What a model is made of; start from spn_model_arrays_defaults(). Everything is copied. */
typedef struct spn_model_arrays {
    size_t size;                      /* of this struct */
    size_t classes;                   /* K, 2 to SPN_MAX_CLASSES */
    size_t features;                  /* D */
    size_t replicas;                  /* y (1) */
    size_t width, height;             /* of an image, width * height = D; 0: none */
    const char *const *class_names;   /* K; NULL: "0", "1", ... */
    const spn_preprocess *preprocess; /* how raw features became x; NULL: as they are */
    const spn_scaling *scaling;       /* as fitted; NULL: shift 0, scale 1 */
    double logit_scale;               /* logits are logit_scale * W x; positive (1) */
    /* -1 or +1; weight i of class k of replica a at (a * K + k) * (I + n) + i, I being the inputs
       of the encoding, or D without one. spn_model_describe gives NULL: a model keeps one bit for
       each, see spn_model_unpack */
    const int8_t *weights;
    const char *manifest; /* JSON text: settings, seed, version, checksum, results; NULL: "{}" */
    const double *train_losses; /* of each replica, finite; NULL: not known */
    size_t bias; /* n: the last weights of each class are on the constant input 1 (0) */
    const spn_encoding *encoding; /* of the features, before the scaling; NULL: none */
    /* H hidden units (<spinney/network.h>); 0: a linear classifier. Their weights come first in
       each replica: weight i of unit j at j * (I + hidden_bias) + i. After them, weight j of the
       output of class k is at k * (H + n) + j */
    size_t hidden;
    size_t hidden_bias; /* the last weights of each unit are on the constant input 1 (0) */
    /* set by spn_model_describe: the weights as bits, as in spn_softmax_model; ceil(sites / 8)
       bytes for each replica */
    const uint8_t *packed;
} spn_model_arrays;

SPN_DEFAULTS(spn_model_arrays, spn_model_arrays_defaults, o.replicas = 1, o.logit_scale = 1)

/* Make a model from arrays in memory. out: free it with spn_model_free; NULL on failure.
   Errors: ARGUMENT, naming what is out of range; MEMORY. O(y K D). */
SPN_API spn_status spn_model_create(spn_model **out, const spn_model_arrays *arrays,
                                    spn_error *err);

/* The arrays of a model, which keeps them. O(1). out: out->size says how much of it to fill. */
SPN_API void spn_model_describe(spn_model_arrays *out, const spn_model *model);

static inline spn_model_arrays spn_model_about(const spn_model *model)
{
    spn_model_arrays arrays = spn_model_arrays_defaults();
    spn_model_describe(&arrays, model);
    return arrays;
}

/* Each of them alone. */
#define SPN_MODEL_GETTER(type, field)                                                              \
    static inline type spn_model_##field(const spn_model *model)                                   \
    {                                                                                              \
        return (type)spn_model_about(model).field;                                                 \
    }
SPN_MODEL_GETTER(uint32_t, classes)
SPN_MODEL_GETTER(size_t, features)
SPN_MODEL_GETTER(size_t, replicas)
SPN_MODEL_GETTER(size_t, width)
SPN_MODEL_GETTER(size_t, height)
SPN_MODEL_GETTER(const char *const *, class_names)
SPN_MODEL_GETTER(const spn_preprocess *, preprocess)
SPN_MODEL_GETTER(const spn_scaling *, scaling)
SPN_MODEL_GETTER(double, logit_scale)
SPN_MODEL_GETTER(const char *, manifest)
SPN_MODEL_GETTER(const double *, train_losses)
SPN_MODEL_GETTER(size_t, bias)
SPN_MODEL_GETTER(const spn_encoding *, encoding)
SPN_MODEL_GETTER(size_t, hidden)
SPN_MODEL_GETTER(size_t, hidden_bias)
#undef SPN_MODEL_GETTER

/* The weights of one class: on the inputs or the hidden units, and the bias. */
SPN_API size_t spn_model_row(const spn_model *model);

/* The number of weights of one replica. */
SPN_API size_t spn_model_sites(const spn_model *model);

/* The weights, -1 or +1, of `count` replicas from `first` on, one after the other. */
SPN_API void spn_model_unpack(int8_t *out, const spn_model *model, size_t first, size_t count);

/* Write a model; the file appears whole or not at all. Errors: ARGUMENT, IO, MEMORY. */
SPN_API spn_status spn_model_write(const spn_model *model, const char *path, spn_error *err);

/* Read a model. Sizes are checked against the file before memory is taken, and any changed byte is
   detected. Errors: IO, INPUT (naming what is damaged), MEMORY. */
SPN_API spn_status spn_model_read(spn_model **out, const char *path, spn_error *err);

/* The bytes that spn_model_write writes; free them with spn_free. Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_model_pack(uint8_t **out, size_t *size, const spn_model *model,
                                  spn_error *err);

/* Read a model from memory. name: what errors call it. */
SPN_API spn_status spn_model_parse(spn_model **out, const uint8_t *data, size_t size,
                                   const char *name, spn_error *err);

/* The majority of the replicas (ties: replica 0): `sites` weights. */
SPN_API void spn_model_centre(const spn_model *model, int8_t *out);

/* Prepare stored samples for the classifier: if the model makes them binary or encodes them,
   *dataset is replaced; otherwise, and on failure, it is unchanged. Errors: ARGUMENT (other
   features), MEMORY. */
SPN_API spn_status spn_model_prepare(spn_dataset **dataset, const spn_model *model, spn_error *err);

/* The classifier with these weights of a model's shape, such as its centre, for
   spn_softmax_evaluate on samples that spn_model_prepare has prepared; all is borrowed. */
static inline spn_softmax_model spn_model_classifier(const spn_model *model, const int8_t *weights)
{
    const spn_model_arrays a = spn_model_about(model);
    spn_softmax_model classifier = spn_softmax_model_defaults();
    classifier.weights = weights;
    classifier.classes = (uint32_t)a.classes;
    classifier.features = a.scaling->features;
    classifier.bias = a.bias;
    classifier.bits = a.encoding && a.encoding->copies == 0;
    classifier.scaling = a.scaling;
    classifier.logit_scale = a.logit_scale;
    classifier.hidden = a.hidden;
    classifier.hidden_bias = a.hidden_bias;
    return classifier;
}

/* The same with the bits of `count` of its replicas from `first` on, which vote if there are more
   than one (networks only). */
static inline spn_softmax_model spn_model_replica(const spn_model *model, size_t first,
                                                  size_t count)
{
    spn_softmax_model classifier = spn_model_classifier(model, NULL);
    classifier.packed = spn_model_about(model).packed + first * ((spn_model_sites(model) + 7) / 8);
    classifier.votes = count > 1 ? count : 0;
    return classifier;
}

/* The class of each sample, and K probabilities for each; either may be NULL.
   samples: as read, with the features of the model; labels are ignored.
   weights: `votes` classifiers of the model's shape, one after the other, whose logits are added;
   only networks can vote. One can be spn_model_unpack's.
   Errors: ARGUMENT (other features, no votes, or a vote of linear classifiers), and those of
   spn_model_prepare and spn_softmax_evaluate, whose cost it has. */
SPN_API spn_status spn_model_predict(uint32_t *classes, double *probabilities,
                                     const spn_model *model, const int8_t *weights, size_t votes,
                                     const spn_dataset *samples, spn_error *err);

/* The replica with the lowest training loss, the first of equals; 0 if losses are not known. */
SPN_API size_t spn_model_best(const spn_model *model);

/* Give a model another manifest, which is copied. Errors: MEMORY. */
SPN_API spn_status spn_model_set_manifest(spn_model *model, const char *text, spn_error *err);

/* How the columns of the training table became features, which belongs to the model; NULL for plain
   numbers without names. Give it others, which are copied; NULL: none. Errors: ARGUMENT if they do
   not make D features; MEMORY. */
SPN_API const spn_columns *spn_model_columns(const spn_model *model);
SPN_API spn_status spn_model_set_columns(spn_model *model, const spn_columns *columns,
                                         spn_error *err);

/* Accepts NULL. */
SPN_API void spn_model_free(spn_model *model);

SPN_END_C
#endif
