/* Models for use elsewhere: as C, as an array of NumPy, as text, as ONNX; and as pictures. */
#ifndef SPINNEY_EXPORT_H
#define SPINNEY_EXPORT_H

#include <spinney/model.h>
#include <stdbool.h>

SPN_BEGIN_C

typedef enum spn_export_format {
    SPN_EXPORT_C = 0, /* a C99 header: packed bits and inference without dependencies */
    SPN_EXPORT_NPY, /* int8, K by D; y by K by D for several classifiers; a second file for networks
                     */
    SPN_EXPORT_TEXT, /* a row of + and - for each unit and class, its name in a comment before it */
    SPN_EXPORT_ONNX  /* a graph of opset 13 */
} spn_export_format;

/* What the input of an ONNX graph is. */
typedef enum spn_export_input {
    SPN_INPUT_FLOAT = 0,
    SPN_INPUT_DOUBLE,
    SPN_INPUT_UINT8
} spn_export_input;

/* What the C header computes with. */
typedef enum spn_export_arithmetic {
    SPN_ARITHMETIC_AUTO = 0, /* int for encoded features, double for others */
    SPN_ARITHMETIC_INT,      /* only whole numbers: for bytes or encoded features */
    SPN_ARITHMETIC_FLOAT,
    SPN_ARITHMETIC_DOUBLE
} spn_export_arithmetic;

SPN_NAMES(spn_export_format)     /* "c", "npy", "text", "onnx" */
SPN_NAMES(spn_export_input)      /* "float", "double", "uint8" */
SPN_NAMES(spn_export_arithmetic) /* "auto", "int", "float", "double" */

/* Start from spn_export_defaults(). */
typedef struct spn_export_options {
    size_t size; /* of this struct */
    spn_export_format format;
    spn_export_input input; /* for ONNX */
    const char *name;       /* for C: prefix of every identifier; NULL: from the file's name */
    spn_export_arithmetic arithmetic; /* for C (AUTO) */
    uint32_t reserved;                /* 0 */
    /* For C and ONNX, not 0: the classifiers are networks that vote by the sum of their logits, as
       with spn_softmax_model.votes (0) */
    size_t vote;
} spn_export_options;

SPN_DEFAULTS(spn_export_options, spn_export_defaults, )

/* Write classifiers of a model to a file, which appears whole or not at all.
   weights: count classifiers of the model's shape, one after the other; C and ONNX take one, or
   those of a vote.

   The C header and the graph do what spn_softmax_evaluate does with stored features, preprocessing
   included; if logits are equal, the lowest class wins. In double precision the header repeats the
   arithmetic step by step, with integer sums for binarised features and for bytes with one scale.
   In whole numbers it gives the same classes for every sample; this works for encoded features, and
   for bytes with one scale if no two classes can come so close that rounding decides, and is
   otherwise refused. In floats, classes whose logits differ only by rounding may be exchanged. The
   graph computes in double precision: integer sums are exact, other sums may differ by rounding.
   npy and text hold all weights, those of the bias last. The thresholds of encoded features are in
   comments at the start of text; for npy they go to a second file, PATH.thresholds.csv: feature
   from 0, threshold.

   Networks compute in whole numbers, which are exact, so floats and doubles are refused in C; real
   features are compared with thresholds in double precision. C and ONNX give the classes of
   spn_softmax_evaluate for every sample. npy holds the hidden units, H by D + n, and a second file,
   PATH.outputs.npy, the outputs, K by H + m.
   Errors: ARGUMENT (several classifiers; a name that is not a C identifier; an arithmetic that is
   not possible; a vote of linear classifiers), IO, MEMORY. */
SPN_API spn_status spn_model_export(const spn_model *model, const int8_t *weights, size_t count,
                                    const spn_export_options *options, const char *path,
                                    spn_error *err);

/* The weights of a classifier as pictures, one for each class or hidden unit: images as they are,
   and a pixel that an encoding makes several inputs of shows the mean of their weights; other
   features as bars of cells that wrap. Light is +1, dark is -1.
   first, count: draw the hidden units first .. first + count - 1 of a network, from 0; 0 and 0:
   draw all units, or all classes of a linear classifier. text: half-block characters, as many
   pictures side by side as fit into `width` columns; free it with spn_free. colour: terminal
   colours instead of spaces for dark. png: a PNG file, `scale` (1 to 64) pixels per weight; below
   each unit are its weights to the classes, in their order. Errors: ARGUMENT, also for units of a
   linear classifier; MEMORY; IO. */
SPN_API spn_status spn_units_text(char **out, const spn_model *model, const int8_t *weights,
                                  size_t first, size_t count, size_t width, bool colour,
                                  spn_error *err);
SPN_API spn_status spn_units_png(const spn_model *model, const int8_t *weights, size_t first,
                                 size_t count, size_t scale, const char *path, spn_error *err);

SPN_END_C
#endif
