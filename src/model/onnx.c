/* Messages of onnx.proto. The encoding of Protocol Buffers is written by hand. */
#include "model/onnx.h"

#include "base/try.h"

#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* Seven bits per byte, lowest first; the top bit says that more follow. */
static void append_varint(spn_bytes *message, uint64_t value)
{
    uint8_t bytes[10];
    size_t count = 0;
    for (; value >= 128; value >>= 7)
        bytes[count++] = (uint8_t)(value | 128);
    bytes[count++] = (uint8_t)value;
    spn_bytes_put(message, bytes, count);
}

static void message_number(spn_bytes *message, unsigned field, uint64_t value)
{
    append_varint(message, (uint64_t)field << 3);
    append_varint(message, value);
}

static void message_bytes(spn_bytes *message, unsigned field, const void *data, size_t size)
{
    append_varint(message, (uint64_t)field << 3 | 2);
    append_varint(message, size);
    spn_bytes_put(message, data, size);
}

static void message_text(spn_bytes *message, unsigned field, const char *text)
{
    message_bytes(message, field, text, strlen(text));
}

/* Add the inner message and free it. */
static void message_add(spn_bytes *message, unsigned field, spn_bytes *inner)
{
    message_bytes(message, field, inner->data, inner->size);
    message->failed = message->failed || inner->failed;
    free(inner->data);
    *inner = (spn_bytes){0};
}

/* Numbers from onnx.proto. */
enum { IR_VERSION = 7, OPSET = 13 };
enum { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_PRODUCER_VERSION = 3, MODEL_GRAPH = 7 };
enum { MODEL_OPSET = 8, MODEL_METADATA = 14, OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_CONSTANT = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OPERATOR = 4, NODE_ATTRIBUTE = 5 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INTEGER = 3, ATTRIBUTE_TYPE = 20, TYPE_INTEGER = 2 };
enum { TENSOR_DIMENSION = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2 };
enum { SHAPE_DIMENSION = 1, DIMENSION_VALUE = 1, DIMENSION_NAME = 2 };

/* message_add adds it to the graph. */
static spn_bytes start_node(const char *operation, const char *name, const char *first,
                            const char *second, const char *third)
{
    spn_bytes node = {0};
    message_text(&node, NODE_INPUT, first);
    if (second)
        message_text(&node, NODE_INPUT, second);
    if (third)
        message_text(&node, NODE_INPUT, third);
    message_text(&node, NODE_OUTPUT, name);
    message_text(&node, NODE_NAME, name);
    message_text(&node, NODE_OPERATOR, operation);
    return node;
}

static void add_attribute(spn_bytes *node, const char *name, uint64_t value)
{
    spn_bytes attribute = {0};
    message_text(&attribute, ATTRIBUTE_NAME, name);
    message_number(&attribute, ATTRIBUTE_INTEGER, value);
    message_number(&attribute, ATTRIBUTE_TYPE, TYPE_INTEGER);
    message_add(node, NODE_ATTRIBUTE, &attribute);
}

void spn_onnx_node(spn_bytes *graph, const char *operation, const char *name, const char *first,
                   const char *second, const char *third)
{
    spn_bytes node = start_node(operation, name, first, second, third);
    message_add(graph, GRAPH_NODE, &node);
}

void spn_onnx_cast(spn_bytes *graph, const char *name, const char *input, uint64_t type)
{
    spn_bytes node = start_node("Cast", name, input, NULL, NULL);
    add_attribute(&node, "to", type);
    message_add(graph, GRAPH_NODE, &node);
}

void spn_onnx_gemm(spn_bytes *graph, const char *name, const char *x, const char *weights,
                   const char *added)
{
    spn_bytes gemm = start_node("Gemm", name, x, weights, added);
    add_attribute(&gemm, "transB", 1);
    message_add(graph, GRAPH_NODE, &gemm);
}

void spn_onnx_compare(spn_bytes *graph, const char *bits, bool gathered, uint64_t type)
{
    spn_onnx_cast(graph, "stored", "features", SPN_ONNX_DOUBLE);
    if (gathered) {
        spn_bytes gather = start_node("Gather", "gathered", "stored", "feature", NULL);
        add_attribute(&gather, "axis", 1);
        message_add(graph, GRAPH_NODE, &gather);
    }
    spn_onnx_node(graph, "Greater", "above", gathered ? "gathered" : "stored", "threshold", NULL);
    spn_onnx_cast(graph, bits, "above", type);
}

void spn_onnx_label(spn_bytes *graph)
{
    spn_bytes largest = start_node("ArgMax", "label", "logits", NULL, NULL);
    add_attribute(&largest, "axis", 1);
    add_attribute(&largest, "keepdims", 0);
    add_attribute(&largest, "select_last_index", 0);
    message_add(graph, GRAPH_NODE, &largest);
}

void spn_onnx_put(spn_bytes *content, uint64_t type, double value)
{
    static const uint8_t sizes[] = {
        [SPN_ONNX_FLOAT] = 4, [SPN_ONNX_UINT8] = 1, [SPN_ONNX_INT8] = 1,
        [SPN_ONNX_INT16] = 2, [SPN_ONNX_INT64] = 8, [SPN_ONNX_DOUBLE] = 8};
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    if (type == SPN_ONNX_DOUBLE)
        spn_bytes_real(content, value);
    else
        spn_bytes_number(content, type == SPN_ONNX_FLOAT ? bits : (uint64_t)(int64_t)value,
                         sizes[type]);
}

void spn_onnx_tensor(spn_bytes *graph, const char *name, uint64_t type, size_t rows, size_t columns,
                     spn_bytes *content)
{
    spn_bytes tensor = {0};
    if (rows > 0)
        message_number(&tensor, TENSOR_DIMENSION, rows);
    if (columns > 0)
        message_number(&tensor, TENSOR_DIMENSION, columns);
    message_number(&tensor, TENSOR_TYPE, type);
    message_text(&tensor, TENSOR_NAME, name);
    message_add(&tensor, TENSOR_RAW, content);
    message_add(graph, GRAPH_CONSTANT, &tensor);
}

void spn_onnx_reals(spn_bytes *graph, const char *name, uint64_t type, const double *values,
                    size_t count)
{
    spn_bytes content = {0};
    for (size_t j = 0; j < count; j++)
        spn_onnx_put(&content, type, values[j]);
    spn_onnx_tensor(graph, name, type, count, 0, &content);
}

void spn_onnx_scalar(spn_bytes *graph, const char *name, uint64_t type, double value)
{
    spn_bytes content = {0};
    spn_onnx_put(&content, type, value);
    spn_onnx_tensor(graph, name, type, 0, 0, &content);
}

void spn_onnx_thermometer(spn_bytes *graph, const spn_model *model)
{
    const spn_encoding *e = model->encoding;
    spn_bytes features = {0};
    for (size_t i = 0; i < model->features; i++)
        for (size_t j = e->start[i]; j < e->start[i + 1]; j++)
            spn_onnx_put(&features, SPN_ONNX_INT64, (double)i);
    spn_onnx_tensor(graph, "feature", SPN_ONNX_INT64, e->inputs, 0, &features);
    spn_onnx_reals(graph, "threshold", SPN_ONNX_DOUBLE, e->thresholds, e->inputs);
}

/* An input or output of N samples; columns 0: one number per sample. */
static void add_value(spn_bytes *graph, unsigned field, const char *name, uint64_t type,
                      size_t columns)
{
    spn_bytes samples = {0}, width = {0}, shape = {0}, tensor = {0}, kind = {0}, value = {0};
    message_text(&samples, DIMENSION_NAME, "N");
    message_add(&shape, SHAPE_DIMENSION, &samples);
    if (columns > 0) {
        message_number(&width, DIMENSION_VALUE, columns);
        message_add(&shape, SHAPE_DIMENSION, &width);
    }
    message_number(&tensor, TENSOR_ELEMENT, type);
    message_add(&tensor, TENSOR_SHAPE, &shape);
    message_add(&kind, TYPE_TENSOR, &tensor);
    message_text(&value, VALUE_NAME, name);
    message_add(&value, VALUE_TYPE, &kind);
    message_add(graph, field, &value);
}

/* Class names, one per line. */
static void add_metadata(spn_bytes *out, const spn_model *model)
{
    spn_bytes entry = {0}, names = {0};
    for (uint32_t k = 0; k < model->classes; k++) {
        spn_bytes_put(&names, "\n", k > 0);
        spn_bytes_put(&names, model->class_names[k], strlen(model->class_names[k]));
    }
    message_text(&entry, 1, "classes");
    message_add(&entry, 2, &names);
    message_add(out, MODEL_METADATA, &entry);
}

spn_status spn_onnx_write(FILE *stream, const spn_model *model, spn_bytes *graph,
                          spn_export_input input, spn_error *err)
{
    static const uint64_t types[] = {[SPN_INPUT_FLOAT] = SPN_ONNX_FLOAT,
                                     [SPN_INPUT_DOUBLE] = SPN_ONNX_DOUBLE,
                                     [SPN_INPUT_UINT8] = SPN_ONNX_UINT8};
    spn_bytes out = {0}, opset = {0};
    message_text(graph, GRAPH_NAME, "spinney");
    add_value(graph, GRAPH_INPUT, "features", types[input], model->features);
    add_value(graph, GRAPH_OUTPUT, "label", SPN_ONNX_INT64, 0);
    add_value(graph, GRAPH_OUTPUT, "logits", SPN_ONNX_DOUBLE, model->classes);
    message_number(&out, MODEL_IR, IR_VERSION);
    message_text(&out, MODEL_PRODUCER, "spinney");
    message_text(&out, MODEL_PRODUCER_VERSION, SPN_VERSION);
    message_add(&out, MODEL_GRAPH, graph);
    message_text(&opset, OPSET_DOMAIN, "");
    message_number(&opset, OPSET_VERSION, OPSET);
    message_add(&out, MODEL_OPSET, &opset);
    add_metadata(&out, model);
    if (!out.failed)
        fwrite(out.data, 1, out.size, stream);
    free(out.data);
    return out.failed ? spn_no_memory(err, "an export") : SPN_OK;
}
