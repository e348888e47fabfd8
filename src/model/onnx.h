/* Parts of ONNX graphs: nodes, constants, inputs and outputs, as messages of onnx.proto (IR
   version 7, opset 13). The graph remembers failed allocations. */
#ifndef SPN_MODEL_ONNX_H
#define SPN_MODEL_ONNX_H

#include "base/memory.h"
#include "model/export.h"

/* Element types. */
enum {
    SPN_ONNX_FLOAT = 1,
    SPN_ONNX_UINT8 = 2,
    SPN_ONNX_INT8 = 3,
    SPN_ONNX_INT16 = 5,
    SPN_ONNX_INT64 = 7,
    SPN_ONNX_DOUBLE = 11
};

/* A node; its output has its name. second and third may be NULL. */
void spn_onnx_node(spn_bytes *graph, const char *operation, const char *name, const char *first,
                   const char *second, const char *third);
void spn_onnx_cast(spn_bytes *graph, const char *name, const char *input, uint64_t type);
/* Product with the rows of `weights`, plus `added`, which may be NULL. */
void spn_onnx_gemm(spn_bytes *graph, const char *name, const char *x, const char *weights,
                   const char *added);
/* Make `bits` of this type by comparing features with `threshold`; if `gathered`, each input first
   takes its feature by `feature`. */
void spn_onnx_compare(spn_bytes *graph, const char *bits, bool gathered, uint64_t type);
/* `label`, the first of the largest `logits`. */
void spn_onnx_label(spn_bytes *graph);

/* Append a number to the content of a constant of this type. */
void spn_onnx_put(spn_bytes *content, uint64_t type, double value);

/* Constants: from a content, which is freed, rows by columns (columns 0: a list; both 0: a
   scalar); a list; a scalar; feature and threshold of every input of the thermometer. */
void spn_onnx_tensor(spn_bytes *graph, const char *name, uint64_t type, size_t rows, size_t columns,
                     spn_bytes *content);
void spn_onnx_reals(spn_bytes *graph, const char *name, uint64_t type, const double *values,
                    size_t count);
void spn_onnx_scalar(spn_bytes *graph, const char *name, uint64_t type, double value);
void spn_onnx_thermometer(spn_bytes *graph, const spn_model *model);

/* Write a model of the graph, which is freed, with `features` of the input's type, the outputs
   `label` and `logits`, and the class names as metadata. Errors: MEMORY. */
spn_status spn_onnx_write(FILE *stream, const spn_model *model, spn_bytes *graph,
                          spn_export_input input, spn_error *err);

#endif
