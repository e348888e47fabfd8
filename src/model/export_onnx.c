/* Classifiers as ONNX graphs (onnx.ai). A linear one, in double precision:
     features -> Cast -> [Greater -> Cast] -> [Mul] -> Gemm -> [Mul] -> Sub -> logits
     logits -> ArgMax -> label
   With a thermometer every input takes its feature and compares it with its threshold, by Gather,
   Greater and Cast; then come Gemm, Mul by 2, Sub, Mul, and sums of bits are whole numbers until
   the last step. Weights are int8, or int16 for sums over copies of features, and cast in the
   graph, so that the file stays small. A network:
     features -> Cast -> [[Gather ->] Greater -> Cast] -> Gemm -> Greater -> Where -> Gemm -> Cast
     -> Mul -> logits -> ArgMax -> label
   Its sums are whole numbers. Single precision holds them up to 2^24, so they are exact in any
   order; larger ones use double precision. */
#include "model/export.h"

#include "base/memory.h"

#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts of graphs, as messages of onnx.proto (IR version 7, opset 13); a graph remembers
   failed allocations ---- */

/* Element types. */
enum {
    ELEMENT_FLOAT = 1,
    ELEMENT_UINT8 = 2,
    ELEMENT_INT8 = 3,
    ELEMENT_INT16 = 5,
    ELEMENT_INT64 = 7,
    ELEMENT_DOUBLE = 11
};

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
enum { GRAPH_ANNOTATION = 14, ANNOTATION_TENSOR = 1, ANNOTATION_ENTRY = 2, ENTRY_KEY = 1 };
enum { ENTRY_VALUE = 2 };
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

/* A node; its output has its name. second and third may be NULL. */
static void add_node(spn_bytes *graph, const char *operation, const char *name, const char *first,
                     const char *second, const char *third)
{
    spn_bytes node = start_node(operation, name, first, second, third);
    message_add(graph, GRAPH_NODE, &node);
}

static void add_cast(spn_bytes *graph, const char *name, const char *input, uint64_t type)
{
    spn_bytes node = start_node("Cast", name, input, NULL, NULL);
    add_attribute(&node, "to", type);
    message_add(graph, GRAPH_NODE, &node);
}

/* Product with the rows of `weights`, plus `added`, which may be NULL. */
static void add_gemm(spn_bytes *graph, const char *name, const char *x, const char *weights,
                     const char *added)
{
    spn_bytes gemm = start_node("Gemm", name, x, weights, added);
    add_attribute(&gemm, "transB", 1);
    message_add(graph, GRAPH_NODE, &gemm);
}

/* Make `bits` of this type by comparing features with `threshold`; if `gathered`, each input first
   takes its feature by `feature`. */
static void add_compare(spn_bytes *graph, const char *bits, bool gathered, uint64_t type)
{
    add_cast(graph, "stored", "features", ELEMENT_DOUBLE);
    if (gathered) {
        spn_bytes gather = start_node("Gather", "gathered", "stored", "feature", NULL);
        add_attribute(&gather, "axis", 1);
        message_add(graph, GRAPH_NODE, &gather);
    }
    add_node(graph, "Greater", "above", gathered ? "gathered" : "stored", "threshold", NULL);
    add_cast(graph, bits, "above", type);
}

/* `label`, the first of the largest `logits`. */
static void add_label(spn_bytes *graph)
{
    spn_bytes largest = start_node("ArgMax", "label", "logits", NULL, NULL);
    add_attribute(&largest, "axis", 1);
    add_attribute(&largest, "keepdims", 0);
    add_attribute(&largest, "select_last_index", 0);
    message_add(graph, GRAPH_NODE, &largest);
}

/* Append a number to the content of a constant of this type. */
static void put_number(spn_bytes *content, uint64_t type, double value)
{
    static const uint8_t sizes[] = {[ELEMENT_FLOAT] = 4, [ELEMENT_UINT8] = 1, [ELEMENT_INT8] = 1,
                                    [ELEMENT_INT16] = 2, [ELEMENT_INT64] = 8, [ELEMENT_DOUBLE] = 8};
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    if (type == ELEMENT_DOUBLE)
        spn_bytes_real(content, value);
    else
        spn_bytes_number(content, type == ELEMENT_FLOAT ? bits : (uint64_t)(int64_t)value,
                         sizes[type]);
}

/* Constants: from a content, which is freed, rows by columns (columns 0: a list; both 0: a
   scalar); a list; a scalar; feature and threshold of every input of the thermometer. */
static void add_tensor(spn_bytes *graph, const char *name, uint64_t type, size_t rows,
                       size_t columns, spn_bytes *content)
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

/* Say that a tensor has only -1 and +1, in the words of QONNX and FINN; others ignore them. */
static void mark_bipolar(spn_bytes *graph, const char *name)
{
    spn_bytes entry = {0}, annotation = {0};
    message_text(&entry, ENTRY_KEY, "finn_datatype");
    message_text(&entry, ENTRY_VALUE, "BIPOLAR");
    message_text(&annotation, ANNOTATION_TENSOR, name);
    message_add(&annotation, ANNOTATION_ENTRY, &entry);
    message_add(graph, GRAPH_ANNOTATION, &annotation);
}

static void add_reals(spn_bytes *graph, const char *name, uint64_t type, const double *values,
                      size_t count)
{
    spn_bytes content = {0};
    for (size_t j = 0; j < count; j++)
        put_number(&content, type, values[j]);
    add_tensor(graph, name, type, count, 0, &content);
}

static void add_scalar(spn_bytes *graph, const char *name, uint64_t type, double value)
{
    spn_bytes content = {0};
    put_number(&content, type, value);
    add_tensor(graph, name, type, 0, 0, &content);
}

static void add_thermometer(spn_bytes *graph, const spn_model *model)
{
    const spn_encoding *e = model->encoding;
    spn_bytes features = {0};
    for (size_t i = 0; i < model->features; i++)
        for (size_t j = e->start[i]; j < e->start[i + 1]; j++)
            put_number(&features, ELEMENT_INT64, (double)i);
    add_tensor(graph, "feature", ELEMENT_INT64, e->inputs, 0, &features);
    add_reals(graph, "threshold", ELEMENT_DOUBLE, e->thresholds, e->inputs);
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

/* Write a model of the graph, which is freed, with `features` of the input's type, the outputs
   `label` and `logits`, and the class names as metadata. Errors: MEMORY. */
static spn_status write_graph(FILE *stream, const spn_model *model, spn_bytes *graph,
                              spn_export_input input, spn_error *err)
{
    static const uint64_t types[] = {[SPN_INPUT_FLOAT] = ELEMENT_FLOAT,
                                     [SPN_INPUT_DOUBLE] = ELEMENT_DOUBLE,
                                     [SPN_INPUT_UINT8] = ELEMENT_UINT8};
    spn_bytes out = {0}, opset = {0};
    message_text(graph, GRAPH_NAME, "spinney");
    add_value(graph, GRAPH_INPUT, "features", types[input], model->features);
    add_value(graph, GRAPH_OUTPUT, "label", ELEMENT_INT64, 0);
    add_value(graph, GRAPH_OUTPUT, "logits", ELEMENT_DOUBLE, model->classes);
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

/* ---- classifiers ---- */

/* Without the bias, which is in the offsets. */
static void add_weights(spn_bytes *graph, const spn_model *model, size_t columns,
                        const int8_t *weights, const spn_export_numbers *numbers)
{
    const size_t row = spn_model_row(model);
    const uint64_t type = numbers->added ? ELEMENT_INT16 : ELEMENT_INT8;
    spn_bytes content = {0};
    for (size_t j = 0; j < model->classes * columns; j++)
        put_number(&content, type,
                   numbers->added ? numbers->added[j] : weights[j / columns * row + j % columns]);
    add_tensor(graph, "weights", type, model->classes, columns, &content);
    for (size_t j = 0; j < 2 && !numbers->added; j++)
        mark_bipolar(graph, j ? "signs" : "weights");
}

static void add_sums(spn_bytes *graph, const char *x)
{
    add_cast(graph, "signs", "weights", ELEMENT_DOUBLE);
    add_gemm(graph, "sums", x, "signs", NULL);
}

static void add_encoded_nodes(spn_bytes *graph)
{
    add_compare(graph, "bits", true, ELEMENT_DOUBLE);
    add_sums(graph, "bits");
    add_node(graph, "Mul", "twice", "sums", "two", NULL);
    add_node(graph, "Sub", "scores", "twice", "offset", NULL);
    add_node(graph, "Mul", "logits", "scores", "unit", NULL);
    add_label(graph);
}

static void add_nodes(spn_bytes *graph, const spn_model *model, bool integers)
{
    const char *x = "stored";
    if (model->preprocess.kind == SPN_PREPROCESS_BINARY) {
        x = "bits";
        add_compare(graph, x, false, ELEMENT_DOUBLE);
    } else {
        add_cast(graph, x, "features", ELEMENT_DOUBLE);
    }
    if (!integers) {
        add_node(graph, "Mul", "steps", x, "step", NULL);
        x = "steps";
    }
    add_sums(graph, x);
    if (integers)
        add_node(graph, "Mul", "products", "sums", "unit", NULL);
    add_node(graph, "Sub", "logits", integers ? "products" : "sums", "offset", NULL);
    add_label(graph);
}

/* Constants of an encoding: feature and threshold of every input, and for every class the sum of
   its weights minus its bias. */
static void add_encoding(spn_bytes *graph, const spn_model *model, const int8_t *weights,
                         const spn_export_numbers *numbers)
{
    const size_t inputs = model->encoding->inputs, row = spn_model_row(model);
    spn_bytes offsets = {0};
    for (size_t k = 0; k < model->classes; k++) {
        double offset = (double)numbers->whole_offset[k];
        for (size_t j = 0; j < inputs; j++)
            offset += weights[k * row + j];
        put_number(&offsets, ELEMENT_DOUBLE, offset);
    }
    add_thermometer(graph, model);
    add_tensor(graph, "offset", ELEMENT_DOUBLE, model->classes, 0, &offsets);
    add_scalar(graph, "two", ELEMENT_DOUBLE, 2);
    add_scalar(graph, "unit", ELEMENT_DOUBLE, numbers->unit);
}

static void add_constants(spn_bytes *graph, const spn_model *model,
                          const spn_export_numbers *numbers)
{
    add_reals(graph, "offset", ELEMENT_DOUBLE, numbers->offset, model->classes);
    if (numbers->integers)
        add_scalar(graph, "unit", ELEMENT_DOUBLE, numbers->unit);
    else
        add_reals(graph, "step", ELEMENT_DOUBLE, numbers->step, model->features);
    if (model->preprocess.kind == SPN_PREPROCESS_BINARY)
        add_scalar(graph, "threshold", ELEMENT_DOUBLE, model->preprocess.threshold);
}

static spn_status add_linear(spn_bytes *graph, const spn_model *model, const int8_t *weights,
                             spn_error *err)
{
    spn_export_numbers numbers;
    const spn_status status = spn_export_numbers_make(&numbers, model, weights, err);
    if (!status && spn_export_thermometer(model)) {
        add_encoded_nodes(graph);
        add_weights(graph, model, model->scaling->features, weights, &numbers);
        add_encoding(graph, model, weights, &numbers);
    } else if (!status) {
        add_nodes(graph, model, numbers.integers);
        add_weights(graph, model, model->features, weights, &numbers);
        add_constants(graph, model, &numbers);
    }
    spn_export_numbers_free(&numbers);
    return status;
}

/* A type that holds every sum. */
static uint64_t sum_type(const spn_model *model, const spn_export_network *network)
{
    const double most = 1 << 24, largest = spn_export_bits(model) ? 1 : 255;
    const double unit = (double)network->inputs * largest + (double)model->hidden_bias;
    double output = 0;
    for (size_t k = 0; k < network->classes; k++) {
        const double bias = (double)llabs(network->class_bias[k]);
        output = bias > output ? bias : output;
    }
    return unit < most && (double)network->units + output < most ? ELEMENT_FLOAT : ELEMENT_DOUBLE;
}

static void add_network_nodes(spn_bytes *graph, const spn_model *model, uint64_t type)
{
    if (spn_export_bits(model))
        add_compare(graph, "inputs", spn_export_thermometer(model), type);
    else
        add_cast(graph, "inputs", "features", type);
    add_cast(graph, "hidden_signs", "hidden", type);
    add_gemm(graph, "sums", "inputs", "hidden_signs", model->hidden_bias ? "unit_bias" : NULL);
    add_node(graph, "Greater", "positive", "sums", "below_zero", NULL);
    add_node(graph, "Where", "units", "positive", "plus", "minus");
    add_cast(graph, "output_signs", "outputs", type);
    add_gemm(graph, "sums_of_units", "units", "output_signs", model->bias ? "class_bias" : NULL);
    add_cast(graph, "scores", "sums_of_units", ELEMENT_DOUBLE);
    add_node(graph, "Mul", "logits", "scores", "unit", NULL);
    add_label(graph);
}

static void add_signs(spn_bytes *graph, const char *name, const int8_t *weights, size_t rows,
                      size_t columns)
{
    spn_bytes content = {0};
    spn_bytes_put(&content, weights, rows * columns);
    add_tensor(graph, name, ELEMENT_INT8, rows, columns, &content);
}

static void add_biases(spn_bytes *graph, const char *name, uint64_t type, const long long *values,
                       size_t count)
{
    spn_bytes content = {0};
    for (size_t j = 0; j < count; j++)
        put_number(&content, type, (double)values[j]);
    add_tensor(graph, name, type, count, 0, &content);
}

static void add_network_constants(spn_bytes *graph, const spn_model *model,
                                  const spn_export_network *network, uint64_t type)
{
    add_signs(graph, "hidden", network->hidden, network->units, network->inputs);
    add_signs(graph, "outputs", network->outputs, network->classes, network->units);
    static const char *const bipolar[] = {"hidden", "hidden_signs", "units", "outputs",
                                          "output_signs"};
    for (size_t j = 0; j < sizeof bipolar / sizeof *bipolar; j++)
        mark_bipolar(graph, bipolar[j]);
    if (model->hidden_bias)
        add_biases(graph, "unit_bias", type, network->unit_bias, network->units);
    if (model->bias)
        add_biases(graph, "class_bias", type, network->class_bias, network->classes);
    add_scalar(graph, "below_zero", type, -0.5); /* sums are whole, so 0 or more is above it */
    add_scalar(graph, "plus", type, 1);
    add_scalar(graph, "minus", type, -1);
    add_scalar(graph, "unit", ELEMENT_DOUBLE, model->logit_scale);
    if (spn_export_thermometer(model))
        add_thermometer(graph, model);
    else if (spn_export_binary(model))
        add_scalar(graph, "threshold", ELEMENT_DOUBLE, model->preprocess.threshold);
}

static spn_status add_network(spn_bytes *graph, const spn_model *model, const int8_t *weights,
                              size_t count, spn_error *err)
{
    spn_export_network network;
    const spn_status status = spn_export_network_make(&network, model, weights, count, err);
    if (!status) {
        const uint64_t type = sum_type(model, &network);
        add_network_nodes(graph, model, type);
        add_network_constants(graph, model, &network, type);
    }
    spn_export_network_free(&network);
    return status;
}

spn_status spn_export_onnx(FILE *stream, const spn_model *model, const int8_t *weights,
                           size_t count, spn_export_input input, spn_error *err)
{
    spn_bytes graph = {0};
    const spn_status status = model->hidden ? add_network(&graph, model, weights, count, err)
                                            : add_linear(&graph, model, weights, err);
    if (!status)
        return write_graph(stream, model, &graph, input, err);
    free(graph.data);
    return status;
}
