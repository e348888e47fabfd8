/* Shared by the exports. */
#ifndef SPN_MODEL_EXPORT_H
#define SPN_MODEL_EXPORT_H

#include "data/dataset.h"
#include "model/model.h"
#include <spinney/export.h>
#include <stdio.h>

/* Numbers of a linear classifier. Logit k is
     encoded:  unit * (sum of w_kj b_j - whole_offset[k]) with bits b of -1 and +1,
     integers: unit * (sum of w_ki x_i) - offset[k], with an exact sum, and
     else:     (sum of w_ki step[i] x_i) - offset[k],
   in this order of operations, as in spn_softmax_evaluate. If whole numbers give the same order of
   logits for every sample of bytes, or of bits, they are factor * sum - whole_offset[k]. The
   weights w are one-bit weights, or their sums over copies of features. */
typedef struct spn_export_numbers {
    bool integers;
    double unit;
    double *step;          /* D */
    int16_t *added;        /* K*D, sums over the copies; NULL: no copies */
    double *offset;        /* K */
    const char *not_whole; /* why there are no such whole numbers; NULL: there are */
    bool wide;             /* they need more than 32 bits */
    long long factor;
    long long *whole_offset; /* K */
} spn_export_numbers;

/* NULL: none. */
static inline const spn_encoding *spn_export_thermometer(const spn_model *model)
{
    return model->encoding && model->encoding->copies == 0 ? model->encoding : NULL;
}

/* Free out in any case. Errors: MEMORY. */
spn_status spn_export_numbers_make(spn_export_numbers *out, const spn_model *model,
                                   const int8_t *weights, spn_error *err);
void spn_export_numbers_free(spn_export_numbers *numbers);

/* A network for export. Voting networks add up their logits, so they are one network with all
   their hidden units. Sum j of an input x is unit_bias[j] + sum_i hidden[j * inputs + i] x_i;
   score k is class_bias[k] + sum_j outputs[k * units + j] times the sign of sum j, +1 at 0; logit
   k is the score times the logit scale. */
typedef struct spn_export_network {
    size_t inputs, units, classes;
    int8_t *hidden;
    int8_t *outputs;
    long long *unit_bias; /* padded by zeros to a multiple of SPN_EXPORT_BLOCK */
    long long *class_bias;
} spn_export_network;

enum { SPN_EXPORT_BLOCK = 4 };

/* From `count` networks, one after the other. Free out in any case. Errors: MEMORY. */
spn_status spn_export_network_make(spn_export_network *out, const spn_model *model,
                                   const int8_t *weights, size_t count, spn_error *err);
void spn_export_network_free(spn_export_network *network);

/* Kinds of inputs of a network. */
static inline bool spn_export_binary(const spn_model *model)
{
    return model->preprocess.kind == SPN_PREPROCESS_BINARY && !model->encoding;
}
static inline bool spn_export_bits(const spn_model *model)
{
    return spn_export_binary(model) || spn_export_thermometer(model);
}

/* Write one format to a stream; the caller checks the stream. count: networks that vote; 1 for
   linear classifiers. */
spn_status spn_export_c(FILE *stream, const spn_model *model, const int8_t *weights, size_t count,
                        const char *name, spn_export_arithmetic wanted, spn_error *err);
spn_status spn_export_onnx(FILE *stream, const spn_model *model, const int8_t *weights,
                           size_t count, spn_export_input input, spn_error *err);
/* An inference function for one type of features. */
typedef struct spn_c_variant {
    const char *suffix, *type, *what;
    const char *threshold; /* what a feature is compared with; @ stands for the name */
} spn_c_variant;
enum { SPN_C_BYTES, SPN_C_WHOLES, SPN_C_REALS };

/* A header while it is written. */
typedef struct spn_c_header {
    FILE *stream;
    const char *name; /* prefix of every identifier */
    const spn_model *model;
    const int8_t *weights;
    const spn_export_numbers *numbers; /* of a linear classifier */
    const spn_export_network *network; /* or of a network, */
    size_t networks;                   /* of this many that vote */
    size_t words, blocks, unit_words;  /* of inputs, of units, and of units in words */
    spn_export_arithmetic arithmetic;
    bool reals;        /* has functions for real features */
    const char *score; /* its C type */
    spn_c_variant variants[3];
} spn_c_header;

/* Write a text: @ stands for the name and, with a variant, which may be NULL, ~ for the suffix, $
   for the type, ` for the threshold. */
void spn_c_code(const spn_c_header *h, const spn_c_variant *v, const char *text);

/* Start of the comment about the functions. */
void spn_c_about(const spn_c_header *h, bool wholes, bool reals);

/* An array NAME_what of numbers. */
void spn_c_wholes(const spn_c_header *h, const char *type, const char *what,
                  const long long *values, size_t count);

/* The function NAME_class. */
void spn_c_classes(const spn_c_header *h);

/* A whole threshold that whole numbers exceed exactly if they exceed the given one. */
long long spn_c_whole(double threshold);

/* Thresholds of the model's thermometer: NAME_start, NAME_threshold for reals, and NAME_whole for
   whole features. Errors: MEMORY. */
spn_status spn_c_thresholds(const spn_c_header *h, spn_error *err);

/* A literal. */
void spn_c_string(FILE *stream, const char *text);

/* For a model of a table: the function NAME_feature, the names of its features if they have some;
   and NAME_row, the columns as a struct, with NAME_encode and NAME_predict_row, which calls the
   variant. Other models get nothing. */
bool spn_c_has_table(const spn_c_header *h);
void spn_c_features(const spn_c_header *h);
void spn_c_table(const spn_c_header *h, const spn_c_variant *v);

/* Header of a network, or of several that vote. */
spn_status spn_export_c_network(spn_c_header *h, size_t count, spn_export_arithmetic wanted,
                                spn_error *err);

#endif
