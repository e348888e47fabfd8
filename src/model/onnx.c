/* Messages of onnx.proto. */
#include "model/onnx.h"

#include "base/memory.h"
#include "base/try.h"

#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages of Protocol Buffers, written by hand ---- */

static void append(spn_protobuf *message, const void *data, size_t size)
{
    if (message->failed || size == 0)
        return;
    if (!spn_grow(&message->data, &message->capacity, message->size + size, 1)) {
        message->failed = true;
        return;
    }
    memcpy(message->data + message->size, data, size);
    message->size += size;
}

/* Seven bits to a byte, the lowest first; the top bit says that more follow. */
static void append_varint(spn_protobuf *message, uint64_t value)
{
    uint8_t bytes[10];
    size_t count = 0;
    for (; value >= 128; value >>= 7)
        bytes[count++] = (uint8_t)(value | 128);
    bytes[count++] = (uint8_t)value;
    append(message, bytes, count);
}

void spn_message_number(spn_protobuf *message, unsigned field, uint64_t value)
{
    append_varint(message, (uint64_t)field << 3);
    append_varint(message, value);
}

void spn_message_bytes(spn_protobuf *message, unsigned field, const void *data, size_t size)
{
    append_varint(message, (uint64_t)field << 3 | 2);
    append_varint(message, size);
    append(message, data, size);
}

void spn_message_text(spn_protobuf *message, unsigned field, const char *text)
{
    spn_message_bytes(message, field, text, strlen(text));
}

void spn_message_add(spn_protobuf *message, unsigned field, spn_protobuf *inner)
{
    spn_message_bytes(message, field, inner->data, inner->size);
    message->failed = message->failed || inner->failed;
    free(inner->data);
    *inner = (spn_protobuf){0};
}

/* ---- graphs ---- */

/* Numbers of onnx.proto. */
enum { IR_VERSION = 7, OPSET = 13 };
enum { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_PRODUCER_VERSION = 3, MODEL_GRAPH = 7 };
enum { MODEL_OPSET = 8, MODEL_METADATA = 14, OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum { GRAPH_NODE = 1, GRAPH_CONSTANT = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OPERATOR = 4, NODE_ATTRIBUTE = 5 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INTEGER = 3, ATTRIBUTE_TYPE = 20, TYPE_INTEGER = 2 };
enum { TENSOR_DIMENSION = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2 };
enum { SHAPE_DIMENSION = 1, DIMENSION_VALUE = 1, DIMENSION_NAME = 2 };

/* ---- nodes ---- */

/* It is added to the graph by spn_message_add. */
static spn_protobuf start_node(const char *operation, const char *name, const char *first,
                               const char *second, const char *third)
{
    spn_protobuf node = {0};
    spn_message_text(&node, NODE_INPUT, first);
    if (second)
        spn_message_text(&node, NODE_INPUT, second);
    if (third)
        spn_message_text(&node, NODE_INPUT, third);
    spn_message_text(&node, NODE_OUTPUT, name);
    spn_message_text(&node, NODE_NAME, name);
    spn_message_text(&node, NODE_OPERATOR, operation);
    return node;
}

static void add_attribute(spn_protobuf *node, const char *name, uint64_t value)
{
    spn_protobuf attribute = {0};
    spn_message_text(&attribute, ATTRIBUTE_NAME, name);
    spn_message_number(&attribute, ATTRIBUTE_INTEGER, value);
    spn_message_number(&attribute, ATTRIBUTE_TYPE, TYPE_INTEGER);
    spn_message_add(node, NODE_ATTRIBUTE, &attribute);
}

void spn_onnx_node(spn_protobuf *graph, const char *operation, const char *name, const char *first,
                   const char *second, const char *third)
{
    spn_protobuf node = start_node(operation, name, first, second, third);
    spn_message_add(graph, GRAPH_NODE, &node);
}

void spn_onnx_cast(spn_protobuf *graph, const char *name, const char *input, uint64_t type)
{
    spn_protobuf node = start_node("Cast", name, input, NULL, NULL);
    add_attribute(&node, "to", type);
    spn_message_add(graph, GRAPH_NODE, &node);
}

void spn_onnx_gemm(spn_protobuf *graph, const char *name, const char *x, const char *weights,
                   const char *added)
{
    spn_protobuf gemm = start_node("Gemm", name, x, weights, added);
    add_attribute(&gemm, "transB", 1);
    spn_message_add(graph, GRAPH_NODE, &gemm);
}

void spn_onnx_compare(spn_protobuf *graph, const char *bits, bool gathered, uint64_t type)
{
    spn_onnx_cast(graph, "stored", "features", SPN_ONNX_DOUBLE);
    if (gathered) {
        spn_protobuf gather = start_node("Gather", "gathered", "stored", "feature", NULL);
        add_attribute(&gather, "axis", 1);
        spn_message_add(graph, GRAPH_NODE, &gather);
    }
    spn_onnx_node(graph, "Greater", "above", gathered ? "gathered" : "stored", "threshold", NULL);
    spn_onnx_cast(graph, bits, "above", type);
}

void spn_onnx_label(spn_protobuf *graph)
{
    spn_protobuf largest = start_node("ArgMax", "label", "logits", NULL, NULL);
    add_attribute(&largest, "axis", 1);
    add_attribute(&largest, "keepdims", 0);
    add_attribute(&largest, "select_last_index", 0);
    spn_message_add(graph, GRAPH_NODE, &largest);
}

/* ---- constants ---- */

void spn_onnx_tensor(spn_protobuf *graph, const char *name, uint64_t type, const size_t *shape,
                     size_t dimensions, const void *data, size_t size)
{
    spn_protobuf tensor = {0};
    for (size_t j = 0; j < dimensions; j++)
        spn_message_number(&tensor, TENSOR_DIMENSION, shape[j]);
    spn_message_number(&tensor, TENSOR_TYPE, type);
    spn_message_text(&tensor, TENSOR_NAME, name);
    spn_message_bytes(&tensor, TENSOR_RAW, data, size);
    spn_message_add(graph, GRAPH_CONSTANT, &tensor);
}

static uint64_t bits_of(double value, bool single)
{
    uint64_t bits = 0;
    const float rounded = (float)value;
    if (single) {
        uint32_t half;
        memcpy(&half, &rounded, sizeof half);
        return half;
    }
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void spn_onnx_reals(spn_protobuf *graph, const char *name, uint64_t type, const double *values,
                    size_t count, bool scalar)
{
    const size_t size = type == SPN_ONNX_FLOAT ? 4 : 8;
    uint8_t *bytes = malloc(size * count);
    if (!bytes) {
        graph->failed = true;
        return;
    }
    for (size_t j = 0; j < count; j++) {
        const uint64_t bits = bits_of(values[j], type == SPN_ONNX_FLOAT);
        for (size_t b = 0; b < size; b++)
            bytes[size * j + b] = (uint8_t)(bits >> 8 * b);
    }
    spn_onnx_tensor(graph, name, type, &count, scalar ? 0 : 1, bytes, size * count);
    free(bytes);
}

void spn_onnx_thermometer(spn_protobuf *graph, const spn_model *model)
{
    const size_t *start = model->encoding->start;
    const size_t inputs = model->encoding->inputs;
    uint8_t *indices = calloc(inputs, 8);
    if (!indices) {
        graph->failed = true;
        return;
    }
    for (size_t i = 0; i < model->features; i++)
        for (size_t j = start[i]; j < start[i + 1]; j++)
            for (size_t b = 0; b < 8; b++)
                indices[8 * j + b] = (uint8_t)((uint64_t)i >> 8 * b);
    spn_onnx_tensor(graph, "feature", SPN_ONNX_INT64, &inputs, 1, indices, 8 * inputs);
    spn_onnx_reals(graph, "threshold", SPN_ONNX_DOUBLE, model->encoding->thresholds, inputs, false);
    free(indices);
}

/* ---- the whole ---- */

/* An input or output of N samples; columns 0 for one number per sample. */
static void add_value(spn_protobuf *graph, unsigned field, const char *name, uint64_t type,
                      size_t columns)
{
    spn_protobuf samples = {0}, width = {0}, shape = {0}, tensor = {0}, kind = {0}, value = {0};
    spn_message_text(&samples, DIMENSION_NAME, "N");
    spn_message_add(&shape, SHAPE_DIMENSION, &samples);
    if (columns > 0) {
        spn_message_number(&width, DIMENSION_VALUE, columns);
        spn_message_add(&shape, SHAPE_DIMENSION, &width);
    }
    spn_message_number(&tensor, TENSOR_ELEMENT, type);
    spn_message_add(&tensor, TENSOR_SHAPE, &shape);
    spn_message_add(&kind, TYPE_TENSOR, &tensor);
    spn_message_text(&value, VALUE_NAME, name);
    spn_message_add(&value, VALUE_TYPE, &kind);
    spn_message_add(graph, field, &value);
}

void spn_onnx_ends(spn_protobuf *graph, const spn_model *model, spn_export_input input)
{
    static const uint64_t types[] = {[SPN_INPUT_FLOAT] = SPN_ONNX_FLOAT,
                                     [SPN_INPUT_DOUBLE] = SPN_ONNX_DOUBLE,
                                     [SPN_INPUT_UINT8] = SPN_ONNX_UINT8};
    add_value(graph, GRAPH_INPUT, "features", types[input], model->features);
    add_value(graph, GRAPH_OUTPUT, "label", SPN_ONNX_INT64, 0);
    add_value(graph, GRAPH_OUTPUT, "logits", SPN_ONNX_DOUBLE, model->classes);
}

/* The class names, one per line. */
static void add_metadata(spn_protobuf *out, const spn_model *model)
{
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    for (uint32_t k = 0; stream && k < model->classes; k++)
        fprintf(stream, "%s%s", k ? "\n" : "", model->class_names[k]);
    char *names = spn_memory_stream_finish(&memory);
    if (!names) {
        out->failed = true;
        return;
    }
    spn_protobuf entry = {0};
    spn_message_text(&entry, 1, "classes");
    spn_message_text(&entry, 2, names);
    spn_message_add(out, MODEL_METADATA, &entry);
    free(names);
}

spn_status spn_onnx_write(FILE *stream, const spn_model *model, spn_protobuf *graph, spn_error *err)
{
    spn_protobuf out = {0}, opset = {0};
    spn_message_number(&out, MODEL_IR, IR_VERSION);
    spn_message_text(&out, MODEL_PRODUCER, "spinney");
    spn_message_text(&out, MODEL_PRODUCER_VERSION, SPN_VERSION);
    spn_message_add(&out, MODEL_GRAPH, graph);
    spn_message_text(&opset, OPSET_DOMAIN, "");
    spn_message_number(&opset, OPSET_VERSION, OPSET);
    spn_message_add(&out, MODEL_OPSET, &opset);
    add_metadata(&out, model);
    if (!out.failed)
        fwrite(out.data, 1, out.size, stream);
    free(out.data);
    return out.failed ? spn_no_memory(err, "an export") : SPN_OK;
}
