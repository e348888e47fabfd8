/* Pieces of ONNX graphs: nodes, constants, inputs and outputs, as messages of onnx.proto (IR
   version 7, opset 13). A failure to allocate is kept in the graph. */
#ifndef SPN_MODEL_ONNX_H
#define SPN_MODEL_ONNX_H

#include "model/export.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- messages of Protocol Buffers ---- */

/* A message being written. Start with {0}; free `data`. After a failed allocation nothing more is
   added. */
typedef struct spn_protobuf {
    uint8_t *data;
    size_t size, capacity;
    bool failed;
} spn_protobuf;

void spn_message_number(spn_protobuf *message, unsigned field, uint64_t value);
void spn_message_bytes(spn_protobuf *message, unsigned field, const void *data, size_t size);
void spn_message_text(spn_protobuf *message, unsigned field, const char *text);

/* Add the inner message and free it. */
void spn_message_add(spn_protobuf *message, unsigned field, spn_protobuf *inner);

/* ---- graphs ---- */

/* Types of elements. */
enum {
    SPN_ONNX_FLOAT = 1,
    SPN_ONNX_UINT8 = 2,
    SPN_ONNX_INT8 = 3,
    SPN_ONNX_INT16 = 5,
    SPN_ONNX_INT64 = 7,
    SPN_ONNX_DOUBLE = 11
};

/* A node whose output is called like the node; second and third may be NULL. */
void spn_onnx_node(spn_protobuf *graph, const char *operation, const char *name, const char *first,
                   const char *second, const char *third);
void spn_onnx_cast(spn_protobuf *graph, const char *name, const char *input, uint64_t type);
/* The product with the rows of `weights`, and `added` to it, which may be NULL. */
void spn_onnx_gemm(spn_protobuf *graph, const char *name, const char *x, const char *weights,
                   const char *added);
/* `bits`, numbers of the type, by comparing features with `threshold`; each input takes its feature
   first, as `feature` says, if they are `gathered`. */
void spn_onnx_compare(spn_protobuf *graph, const char *bits, bool gathered, uint64_t type);
/* `label`, the first of the largest `logits`. */
void spn_onnx_label(spn_protobuf *graph);

/* Constants: raw little-endian data; numbers, of which a scalar has no dimension, as SPN_ONNX_FLOAT
   or DOUBLE; the feature and the threshold of every input of the model's thermometer. */
void spn_onnx_tensor(spn_protobuf *graph, const char *name, uint64_t type, const size_t *shape,
                     size_t dimensions, const void *data, size_t size);
void spn_onnx_reals(spn_protobuf *graph, const char *name, uint64_t type, const double *values,
                    size_t count, bool scalar);
void spn_onnx_thermometer(spn_protobuf *graph, const spn_model *model);

/* `features` of the type, and the outputs `label` and `logits`. */
void spn_onnx_ends(spn_protobuf *graph, const spn_model *model, spn_export_input input);

/* Write a model of the graph, which is freed, with the class names in its metadata. Errors: MEMORY.
 */
spn_status spn_onnx_write(FILE *stream, const spn_model *model, spn_protobuf *graph,
                          spn_error *err);

/* The graph of a network, or of several that vote. Errors: as spn_export_network_make. */
spn_status spn_onnx_network(spn_protobuf *graph, const spn_model *model, const int8_t *weights,
                            size_t count, spn_error *err);

#endif
