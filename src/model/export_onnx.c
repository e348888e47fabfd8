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
#include "model/onnx.h"

#include <stdlib.h>

/* Without the bias, which is in the offsets. */
static void add_weights(spn_bytes *graph, const spn_model *model, size_t columns,
                        const int8_t *weights, const spn_export_numbers *numbers)
{
    const size_t row = spn_model_row(model);
    const uint64_t type = numbers->added ? SPN_ONNX_INT16 : SPN_ONNX_INT8;
    spn_bytes content = {0};
    for (size_t j = 0; j < model->classes * columns; j++)
        spn_onnx_put(&content, type,
                     numbers->added ? numbers->added[j] : weights[j / columns * row + j % columns]);
    spn_onnx_tensor(graph, "weights", type, model->classes, columns, &content);
}

static void add_sums(spn_bytes *graph, const char *x)
{
    spn_onnx_cast(graph, "signs", "weights", SPN_ONNX_DOUBLE);
    spn_onnx_gemm(graph, "sums", x, "signs", NULL);
}

static void add_encoded_nodes(spn_bytes *graph)
{
    spn_onnx_compare(graph, "bits", true, SPN_ONNX_DOUBLE);
    add_sums(graph, "bits");
    spn_onnx_node(graph, "Mul", "twice", "sums", "two", NULL);
    spn_onnx_node(graph, "Sub", "scores", "twice", "offset", NULL);
    spn_onnx_node(graph, "Mul", "logits", "scores", "unit", NULL);
    spn_onnx_label(graph);
}

static void add_nodes(spn_bytes *graph, const spn_model *model, bool integers)
{
    const char *x = "stored";
    if (model->preprocess.kind == SPN_PREPROCESS_BINARY) {
        x = "bits";
        spn_onnx_compare(graph, x, false, SPN_ONNX_DOUBLE);
    } else {
        spn_onnx_cast(graph, x, "features", SPN_ONNX_DOUBLE);
    }
    if (!integers) {
        spn_onnx_node(graph, "Mul", "steps", x, "step", NULL);
        x = "steps";
    }
    add_sums(graph, x);
    if (integers)
        spn_onnx_node(graph, "Mul", "products", "sums", "unit", NULL);
    spn_onnx_node(graph, "Sub", "logits", integers ? "products" : "sums", "offset", NULL);
    spn_onnx_label(graph);
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
        spn_onnx_put(&offsets, SPN_ONNX_DOUBLE, offset);
    }
    spn_onnx_thermometer(graph, model);
    spn_onnx_tensor(graph, "offset", SPN_ONNX_DOUBLE, model->classes, 0, &offsets);
    spn_onnx_scalar(graph, "two", SPN_ONNX_DOUBLE, 2);
    spn_onnx_scalar(graph, "unit", SPN_ONNX_DOUBLE, numbers->unit);
}

static void add_constants(spn_bytes *graph, const spn_model *model,
                          const spn_export_numbers *numbers)
{
    spn_onnx_reals(graph, "offset", SPN_ONNX_DOUBLE, numbers->offset, model->classes);
    if (numbers->integers)
        spn_onnx_scalar(graph, "unit", SPN_ONNX_DOUBLE, numbers->unit);
    else
        spn_onnx_reals(graph, "step", SPN_ONNX_DOUBLE, numbers->step, model->features);
    if (model->preprocess.kind == SPN_PREPROCESS_BINARY)
        spn_onnx_scalar(graph, "threshold", SPN_ONNX_DOUBLE, model->preprocess.threshold);
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
    return unit < most && (double)network->units + output < most ? SPN_ONNX_FLOAT : SPN_ONNX_DOUBLE;
}

static void add_network_nodes(spn_bytes *graph, const spn_model *model, uint64_t type)
{
    if (spn_export_bits(model))
        spn_onnx_compare(graph, "inputs", spn_export_thermometer(model), type);
    else
        spn_onnx_cast(graph, "inputs", "features", type);
    spn_onnx_cast(graph, "hidden_signs", "hidden", type);
    spn_onnx_gemm(graph, "sums", "inputs", "hidden_signs", model->hidden_bias ? "unit_bias" : NULL);
    spn_onnx_node(graph, "Greater", "positive", "sums", "below_zero", NULL);
    spn_onnx_node(graph, "Where", "units", "positive", "plus", "minus");
    spn_onnx_cast(graph, "output_signs", "outputs", type);
    spn_onnx_gemm(graph, "sums_of_units", "units", "output_signs",
                  model->bias ? "class_bias" : NULL);
    spn_onnx_cast(graph, "scores", "sums_of_units", SPN_ONNX_DOUBLE);
    spn_onnx_node(graph, "Mul", "logits", "scores", "unit", NULL);
    spn_onnx_label(graph);
}

static void add_signs(spn_bytes *graph, const char *name, const int8_t *weights, size_t rows,
                      size_t columns)
{
    spn_bytes content = {0};
    spn_bytes_put(&content, weights, rows * columns);
    spn_onnx_tensor(graph, name, SPN_ONNX_INT8, rows, columns, &content);
}

static void add_biases(spn_bytes *graph, const char *name, uint64_t type, const long long *values,
                       size_t count)
{
    spn_bytes content = {0};
    for (size_t j = 0; j < count; j++)
        spn_onnx_put(&content, type, (double)values[j]);
    spn_onnx_tensor(graph, name, type, count, 0, &content);
}

static void add_network_constants(spn_bytes *graph, const spn_model *model,
                                  const spn_export_network *network, uint64_t type)
{
    add_signs(graph, "hidden", network->hidden, network->units, network->inputs);
    add_signs(graph, "outputs", network->outputs, network->classes, network->units);
    if (model->hidden_bias)
        add_biases(graph, "unit_bias", type, network->unit_bias, network->units);
    if (model->bias)
        add_biases(graph, "class_bias", type, network->class_bias, network->classes);
    spn_onnx_scalar(graph, "below_zero", type, -0.5); /* sums are whole, so 0 or more is above it */
    spn_onnx_scalar(graph, "plus", type, 1);
    spn_onnx_scalar(graph, "minus", type, -1);
    spn_onnx_scalar(graph, "unit", SPN_ONNX_DOUBLE, model->logit_scale);
    if (spn_export_thermometer(model))
        spn_onnx_thermometer(graph, model);
    else if (spn_export_binary(model))
        spn_onnx_scalar(graph, "threshold", SPN_ONNX_DOUBLE, model->preprocess.threshold);
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
        return spn_onnx_write(stream, model, &graph, input, err);
    free(graph.data);
    return status;
}
