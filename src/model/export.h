/* What the exports share. */
#ifndef SPN_MODEL_EXPORT_H
#define SPN_MODEL_EXPORT_H

#include "data/dataset.h"
#include "model/model.h"
#include <spinney/export.h>
#include <stdio.h>

/* The numbers of a linear classifier: logit k is
     encoded:  unit * (sum of w_kj b_j - whole_offset[k]) with bits b of -1 and +1,
     integers: unit * (sum of w_ki x_i) - offset[k], the sum being exact, and
     else:     (sum of w_ki step[i] x_i) - offset[k],
   in this order of operations, as spn_softmax_evaluate has it. Where the order of the logits is
   that of whole numbers for every sample of bytes, or of bits, these are factor * sum -
   whole_offset[k]. The weights w are those of one bit, or, for copies of features, their sums over
   the copies. */
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

/* The thermometer of a model; NULL: it has none. */
static inline const spn_encoding *spn_export_thermometer(const spn_model *model)
{
    return model->encoding && model->encoding->copies == 0 ? model->encoding : NULL;
}

/* False without memory. Free them in any case. */
bool spn_export_numbers_make(spn_export_numbers *out, const spn_model *model,
                             const int8_t *weights);
void spn_export_numbers_free(spn_export_numbers *numbers);

/* A network as it is exported. Networks that vote add up their logits, so they are one network with
   the hidden units of all of them. Sum j of an input x is unit_bias[j] + sum_i hidden[j * inputs +
   i] x_i; score k is class_bias[k] + sum_j outputs[k * units + j] times the sign of sum j, +1 at 0;
   logit k is the score times the logit scale. */
typedef struct spn_export_network {
    size_t inputs, units, classes;
    int8_t *hidden;
    int8_t *outputs;
    long long *unit_bias; /* and zeros after them, up to a multiple of SPN_EXPORT_BLOCK */
    long long *class_bias;
} spn_export_network;

enum { SPN_EXPORT_BLOCK = 4 };

/* Of `count` networks, one after the other. Free it in any case. Errors: MEMORY. */
spn_status spn_export_network_make(spn_export_network *out, const spn_model *model,
                                   const int8_t *weights, size_t count, spn_error *err);
void spn_export_network_free(spn_export_network *network);

/* What the inputs of a network are. */
static inline bool spn_export_binary(const spn_model *model)
{
    return model->preprocess.kind == SPN_PREPROCESS_BINARY && !model->encoding;
}
static inline bool spn_export_bits(const spn_model *model)
{
    return spn_export_binary(model) || spn_export_thermometer(model);
}

/* Write one format to a stream; errors of the stream are found by the caller. count: of networks,
   those that vote; 1 of linear classifiers. */
spn_status spn_export_c(FILE *stream, const spn_model *model, const int8_t *weights, size_t count,
                        const char *name, spn_export_arithmetic wanted, spn_error *err);
spn_status spn_export_onnx(FILE *stream, const spn_model *model, const int8_t *weights,
                           size_t count, spn_export_input input, spn_error *err);
void spn_export_text(FILE *stream, const spn_model *model, const int8_t *weights, size_t count);

/* The files of NPY: `stream` is that of PATH. Errors: those of other files. */
spn_status spn_export_npy(FILE *stream, const spn_model *model, const int8_t *weights, size_t count,
                          const char *path, spn_error *err);

#endif
