/* A linear classifier as an ONNX graph (onnx.ai), in double precision:
     features -> Cast -> [Greater -> Cast] -> [Mul] -> Gemm -> [Mul] -> Sub -> logits
     logits -> ArgMax -> label
   With a thermometer every input takes its feature and compares it with its threshold, and the sums
   of bits are whole numbers until the last step, Gather, Greater and Cast coming first, then Gemm,
   Mul by 2, Sub, Mul. The weights are int8, or int16 where they are sums over copies of features,
   and cast in the graph, so that the file stays small. */
#include "model/onnx.h"

#include <stdlib.h>

enum { GRAPH_NAME = 2 };

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
    spn_onnx_tensor(graph, "weights", added ? SPN_ONNX_INT16 : SPN_ONNX_INT8, shape, 2, bytes,
                    count * size);
    free(bytes);
}

static void add_sums(spn_protobuf *graph, const char *x)
{
    spn_onnx_cast(graph, "signs", "weights", SPN_ONNX_DOUBLE);
    spn_onnx_gemm(graph, "sums", x, "signs", NULL);
}

static void add_encoded_nodes(spn_protobuf *graph)
{
    spn_onnx_compare(graph, "bits", true, SPN_ONNX_DOUBLE);
    add_sums(graph, "bits");
    spn_onnx_node(graph, "Mul", "twice", "sums", "two", NULL);
    spn_onnx_node(graph, "Sub", "scores", "twice", "offset", NULL);
    spn_onnx_node(graph, "Mul", "logits", "scores", "unit", NULL);
    spn_onnx_label(graph);
}

static void add_nodes(spn_protobuf *graph, const spn_model *model, bool integers)
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

/* The constants of an encoding: of every input its feature and its threshold, and of every class
   the sum of its weights less its bias. */
static void add_encoding(spn_protobuf *graph, const spn_model *model, const int8_t *weights,
                         const spn_export_numbers *numbers)
{
    const size_t inputs = model->encoding->inputs, row = spn_model_row(model);
    const double two = 2;
    double *offset = malloc(model->classes * sizeof *offset);
    if (!offset) {
        graph->failed = true;
        return;
    }
    for (size_t k = 0; k < model->classes; k++) {
        offset[k] = (double)numbers->whole_offset[k];
        for (size_t j = 0; j < inputs; j++)
            offset[k] += weights[k * row + j];
    }
    spn_onnx_thermometer(graph, model);
    spn_onnx_reals(graph, "offset", SPN_ONNX_DOUBLE, offset, model->classes, false);
    spn_onnx_reals(graph, "two", SPN_ONNX_DOUBLE, &two, 1, true);
    spn_onnx_reals(graph, "unit", SPN_ONNX_DOUBLE, &numbers->unit, 1, true);
    free(offset);
}

static void add_constants(spn_protobuf *graph, const spn_model *model,
                          const spn_export_numbers *numbers)
{
    spn_onnx_reals(graph, "offset", SPN_ONNX_DOUBLE, numbers->offset, model->classes, false);
    if (numbers->integers)
        spn_onnx_reals(graph, "unit", SPN_ONNX_DOUBLE, &numbers->unit, 1, true);
    else
        spn_onnx_reals(graph, "step", SPN_ONNX_DOUBLE, numbers->step, model->features, false);
    if (model->preprocess.kind == SPN_PREPROCESS_BINARY)
        spn_onnx_reals(graph, "threshold", SPN_ONNX_DOUBLE, &model->preprocess.threshold, 1, true);
}

static void add_linear(spn_protobuf *graph, const spn_model *model, const int8_t *weights)
{
    spn_export_numbers numbers;
    const bool bits = spn_export_thermometer(model);
    const size_t shape[] = {model->classes, bits ? model->scaling->features : model->features};
    if (!spn_export_numbers_make(&numbers, model, weights)) {
        graph->failed = true;
    } else if (bits) {
        add_encoded_nodes(graph);
        add_weights(graph, shape, weights, spn_model_row(model), NULL);
        add_encoding(graph, model, weights, &numbers);
    } else {
        add_nodes(graph, model, numbers.integers);
        add_weights(graph, shape, weights, spn_model_row(model), numbers.added);
        add_constants(graph, model, &numbers);
    }
    spn_export_numbers_free(&numbers);
}

spn_status spn_export_onnx(FILE *stream, const spn_model *model, const int8_t *weights,
                           size_t count, spn_export_input input, spn_error *err)
{
    spn_protobuf graph = {0};
    if (model->hidden) {
        const spn_status status = spn_onnx_network(&graph, model, weights, count, err);
        if (status) {
            free(graph.data);
            return status;
        }
    } else {
        add_linear(&graph, model, weights);
    }
    spn_message_text(&graph, GRAPH_NAME, "spinney");
    spn_onnx_ends(&graph, model, input);
    return spn_onnx_write(stream, model, &graph, err);
}
