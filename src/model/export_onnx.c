/* A classifier as an ONNX graph (onnx.ai, IR version 7, opset 13), in double precision:
     features -> Cast -> [Greater -> Cast] -> [Mul] -> Gemm -> [Mul] -> Sub -> logits
     logits -> ArgMax -> label
   With a thermometer every input takes its feature and compares it with its threshold, and the sums
   of bits are whole numbers until the last step, Gather, Greater and Cast coming first, then Gemm,
   Mul by 2, Sub, Mul. The weights are int8, or int16 where they are sums over copies of features,
   and cast in the graph, so that the file stays small. */
#include "model/export.h"

#include "model/protobuf.h"

#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of onnx.proto. */
enum { IR_VERSION = 7, OPSET = 13 };
enum { FLOAT = 1, UINT8 = 2, INT8 = 3, INT16 = 5, INT64 = 7, DOUBLE = 11 };
enum { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_PRODUCER_VERSION = 3, MODEL_GRAPH = 7 };
enum { MODEL_OPSET = 8, MODEL_METADATA = 14, OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_CONSTANT = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OPERATOR = 4, NODE_ATTRIBUTE = 5 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INTEGER = 3, ATTRIBUTE_TYPE = 20, TYPE_INTEGER = 2 };
enum { TENSOR_DIMENSION = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2 };
enum { SHAPE_DIMENSION = 1, DIMENSION_VALUE = 1, DIMENSION_NAME = 2 };

/* ---- nodes ---- */

/* A node whose output is called like the node; second may be NULL. It is added by finish_node. */
static spn_protobuf start_node(const char *operation, const char *name, const char *first,
                               const char *second)
{
    spn_protobuf node = {0};
    spn_message_text(&node, NODE_INPUT, first);
    if (second)
        spn_message_text(&node, NODE_INPUT, second);
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

static void add_node(spn_protobuf *graph, const char *operation, const char *name,
                     const char *first, const char *second)
{
    spn_protobuf node = start_node(operation, name, first, second);
    spn_message_add(graph, GRAPH_NODE, &node);
}

static void add_cast(spn_protobuf *graph, const char *name, const char *input)
{
    spn_protobuf node = start_node("Cast", name, input, NULL);
    add_attribute(&node, "to", DOUBLE);
    spn_message_add(graph, GRAPH_NODE, &node);
}

/* ---- tensors ---- */

static void add_tensor(spn_protobuf *graph, const char *name, unsigned type, const size_t *shape,
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

/* Raw data is little-endian. */
static void add_reals(spn_protobuf *graph, const char *name, const double *values, size_t count,
                      bool scalar)
{
    uint8_t *bytes = malloc(8 * count);
    if (!bytes) {
        graph->failed = true;
        return;
    }
    for (size_t j = 0; j < count; j++) {
        uint64_t bits;
        memcpy(&bits, &values[j], sizeof bits);
        for (size_t b = 0; b < 8; b++)
            bytes[8 * j + b] = (uint8_t)(bits >> 8 * b);
    }
    add_tensor(graph, name, DOUBLE, &count, scalar ? 0 : 1, bytes, 8 * count);
    free(bytes);
}

/* Without the bias, which is in the offsets. added: NULL, or what takes the place of the weights.
 */
static void add_weights(spn_protobuf *graph, const size_t shape[2], const int8_t *weights,
                        size_t row, const int16_t *added)
{
    const size_t count = shape[0] * shape[1], size = added ? 2 : 1;
    uint8_t *bytes = malloc(count * size);
    if (!bytes) {
        graph->failed = true;
        return;
    }
    for (size_t j = 0; j < count; j++) {
        const int value = added ? added[j] : weights[j / shape[1] * row + j % shape[1]];
        for (size_t b = 0; b < size; b++)
            bytes[size * j + b] = (uint8_t)((unsigned)value >> 8 * b);
    }
    add_tensor(graph, "weights", added ? INT16 : INT8, shape, 2, bytes, count * size);
    free(bytes);
}

/* An input or output of N samples; columns 0 for one number per sample. */
static void add_value(spn_protobuf *graph, unsigned field, const char *name, unsigned type,
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

/* ---- the graph ---- */

static void add_gather(spn_protobuf *graph, const char *name, const char *input,
                       const char *indices)
{
    spn_protobuf node = start_node("Gather", name, input, indices);
    add_attribute(&node, "axis", 1);
    spn_message_add(graph, GRAPH_NODE, &node);
}

static void add_gemm(spn_protobuf *graph, const char *x)
{
    add_cast(graph, "signs", "weights");
    spn_protobuf gemm = start_node("Gemm", "sums", x, "signs");
    add_attribute(&gemm, "transB", 1);
    spn_message_add(graph, GRAPH_NODE, &gemm);
}

static void add_label(spn_protobuf *graph)
{
    spn_protobuf largest = start_node("ArgMax", "label", "logits", NULL);
    add_attribute(&largest, "axis", 1);
    add_attribute(&largest, "keepdims", 0);
    add_attribute(&largest, "select_last_index", 0);
    spn_message_add(graph, GRAPH_NODE, &largest);
}

static void add_encoded_nodes(spn_protobuf *graph)
{
    add_cast(graph, "stored", "features");
    add_gather(graph, "gathered", "stored", "feature");
    add_node(graph, "Greater", "above", "gathered", "threshold");
    add_cast(graph, "bits", "above");
    add_gemm(graph, "bits");
    add_node(graph, "Mul", "twice", "sums", "two");
    add_node(graph, "Sub", "scores", "twice", "offset");
    add_node(graph, "Mul", "logits", "scores", "unit");
    add_label(graph);
}

static void add_nodes(spn_protobuf *graph, const spn_model *model, bool integers)
{
    const char *x = "stored";
    add_cast(graph, x, "features");
    if (model->preprocess.kind == SPN_PREPROCESS_BINARY) {
        add_node(graph, "Greater", "above", x, "threshold");
        add_cast(graph, "bits", "above");
        x = "bits";
    }
    if (!integers) {
        add_node(graph, "Mul", "steps", x, "step");
        x = "steps";
    }
    add_gemm(graph, x);
    if (integers)
        add_node(graph, "Mul", "products", "sums", "unit");
    add_node(graph, "Sub", "logits", integers ? "products" : "sums", "offset");
    add_label(graph);
}

/* The constants of an encoding: of every input its feature and its threshold, and of every class
   the sum of its weights less its bias. */
static void add_encoding(spn_protobuf *graph, const spn_model *model, const int8_t *weights,
                         const spn_export_numbers *numbers)
{
    const size_t *start = spn_encoding_starts(model->encoding);
    const size_t inputs = spn_encoding_inputs(model->encoding), row = spn_model_row(model);
    const double two = 2;
    uint8_t *indices = calloc(inputs, 8);
    double *offset = malloc(model->classes * sizeof *offset);
    graph->failed = graph->failed || !indices || !offset;
    for (size_t i = 0; indices && i < model->features; i++)
        for (size_t j = start[i]; j < start[i + 1]; j++)
            for (size_t b = 0; b < 8; b++)
                indices[8 * j + b] = (uint8_t)((uint64_t)i >> 8 * b);
    for (size_t k = 0; offset && k < model->classes; k++) {
        offset[k] = (double)numbers->whole_offset[k];
        for (size_t j = 0; j < inputs; j++)
            offset[k] += weights[k * row + j];
    }
    if (indices && offset) {
        add_tensor(graph, "feature", INT64, &inputs, 1, indices, 8 * inputs);
        add_reals(graph, "threshold", spn_encoding_thresholds(model->encoding), inputs, false);
        add_reals(graph, "offset", offset, model->classes, false);
        add_reals(graph, "two", &two, 1, true);
        add_reals(graph, "unit", &numbers->unit, 1, true);
    }
    free(indices);
    free(offset);
}

static void add_constants(spn_protobuf *graph, const spn_model *model,
                          const spn_export_numbers *numbers)
{
    add_reals(graph, "offset", numbers->offset, model->classes, false);
    if (numbers->integers)
        add_reals(graph, "unit", &numbers->unit, 1, true);
    else
        add_reals(graph, "step", numbers->step, model->features, false);
    if (model->preprocess.kind == SPN_PREPROCESS_BINARY)
        add_reals(graph, "threshold", &model->preprocess.threshold, 1, true);
}

static spn_protobuf make_graph(const spn_model *model, const int8_t *weights,
                               const spn_export_numbers *numbers, spn_export_input input)
{
    static const unsigned types[] = {
        [SPN_INPUT_FLOAT] = FLOAT, [SPN_INPUT_DOUBLE] = DOUBLE, [SPN_INPUT_UINT8] = UINT8};
    const bool bits = spn_export_thermometer(model);
    const size_t shape[] = {model->classes, bits ? model->scaling->features : model->features};
    spn_protobuf graph = {0};
    if (bits)
        add_encoded_nodes(&graph);
    else
        add_nodes(&graph, model, numbers->integers);
    spn_message_text(&graph, GRAPH_NAME, "spinney");
    add_weights(&graph, shape, weights, spn_model_row(model), numbers->added);
    if (bits)
        add_encoding(&graph, model, weights, numbers);
    else
        add_constants(&graph, model, numbers);
    add_value(&graph, GRAPH_INPUT, "features", types[input], model->features);
    add_value(&graph, GRAPH_OUTPUT, "label", INT64, 0);
    add_value(&graph, GRAPH_OUTPUT, "logits", DOUBLE, model->classes);
    return graph;
}

/* The class names, one per line. */
static void add_metadata(spn_protobuf *out, const spn_model *model)
{
    char *names;
    size_t size;
    FILE *stream = open_memstream(&names, &size);
    if (!stream) {
        out->failed = true;
        return;
    }
    for (uint32_t k = 0; k < model->classes; k++)
        fprintf(stream, "%s%s", k ? "\n" : "", model->class_names[k]);
    fclose(stream);
    spn_protobuf entry = {0};
    spn_message_text(&entry, 1, "classes");
    spn_message_text(&entry, 2, names);
    spn_message_add(out, MODEL_METADATA, &entry);
    free(names);
}

spn_status spn_export_onnx(FILE *stream, const spn_model *model, const int8_t *weights,
                           spn_export_input input, spn_error *err)
{
    spn_export_numbers numbers;
    spn_protobuf out = {0}, opset = {0};
    if (spn_export_numbers_make(&numbers, model, weights)) {
        spn_protobuf graph = make_graph(model, weights, &numbers, input);
        spn_message_number(&out, MODEL_IR, IR_VERSION);
        spn_message_text(&out, MODEL_PRODUCER, "spinney");
        spn_message_text(&out, MODEL_PRODUCER_VERSION, SPN_VERSION);
        spn_message_add(&out, MODEL_GRAPH, &graph);
        spn_message_text(&opset, OPSET_DOMAIN, "");
        spn_message_number(&opset, OPSET_VERSION, OPSET);
        spn_message_add(&out, MODEL_OPSET, &opset);
        add_metadata(&out, model);
    } else {
        out.failed = true;
    }
    spn_export_numbers_free(&numbers);
    if (!out.failed)
        fwrite(out.data, 1, out.size, stream);
    free(out.data);
    return out.failed ? spn_fail(err, SPN_ERROR_MEMORY, "out of memory for an export") : SPN_OK;
}
