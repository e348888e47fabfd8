/* A network as an ONNX graph:
     features -> Cast -> [[Gather ->] Greater -> Cast] -> Gemm -> Greater -> Where -> Gemm -> Cast
     -> Mul -> logits -> ArgMax -> label
   All sums are whole numbers that single precision holds, up to 2^24, so that they are exact in any
   order; beyond that they are in double precision. */
#include "model/onnx.h"

#include <stdlib.h>

/* The type that holds every sum. */
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

static void add_nodes(spn_protobuf *graph, const spn_model *model, uint64_t type)
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

static void add_biases(spn_protobuf *graph, const char *name, uint64_t type,
                       const long long *values, size_t count)
{
    double *reals = malloc(count * sizeof *reals);
    if (!reals) {
        graph->failed = true;
        return;
    }
    for (size_t j = 0; j < count; j++)
        reals[j] = (double)values[j];
    spn_onnx_reals(graph, name, type, reals, count, false);
    free(reals);
}

static void add_constants(spn_protobuf *graph, const spn_model *model,
                          const spn_export_network *network, uint64_t type)
{
    const size_t hidden[] = {network->units, network->inputs};
    const size_t outputs[] = {network->classes, network->units};
    /* sums are whole: 0 or more means above -1/2 */
    const double below_zero = -0.5, plus = 1, minus = -1;
    spn_onnx_tensor(graph, "hidden", SPN_ONNX_INT8, hidden, 2, network->hidden,
                    hidden[0] * hidden[1]);
    spn_onnx_tensor(graph, "outputs", SPN_ONNX_INT8, outputs, 2, network->outputs,
                    outputs[0] * outputs[1]);
    if (model->hidden_bias)
        add_biases(graph, "unit_bias", type, network->unit_bias, network->units);
    if (model->bias)
        add_biases(graph, "class_bias", type, network->class_bias, network->classes);
    spn_onnx_reals(graph, "below_zero", type, &below_zero, 1, true);
    spn_onnx_reals(graph, "plus", type, &plus, 1, true);
    spn_onnx_reals(graph, "minus", type, &minus, 1, true);
    spn_onnx_reals(graph, "unit", SPN_ONNX_DOUBLE, &model->logit_scale, 1, true);
    if (spn_export_thermometer(model))
        spn_onnx_thermometer(graph, model);
    else if (spn_export_binary(model))
        spn_onnx_reals(graph, "threshold", SPN_ONNX_DOUBLE, &model->preprocess.threshold, 1, true);
}

spn_status spn_onnx_network(spn_protobuf *graph, const spn_model *model, const int8_t *weights,
                            size_t count, spn_error *err)
{
    spn_export_network network;
    const spn_status status = spn_export_network_make(&network, model, weights, count, err);
    if (!status) {
        const uint64_t type = sum_type(model, &network);
        add_nodes(graph, model, type);
        add_constants(graph, model, &network, type);
    }
    spn_export_network_free(&network);
    return status;
}
