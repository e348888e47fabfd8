/* Networks for their exports: what can be exported, several that vote as one, biases as numbers. */
#include "model/export.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Networks see bits, or bytes as they are stored. */
static spn_status check_inputs(const spn_model *model, spn_error *err)
{
    const spn_scaling *scaling = model->scaling;
    bool plain = spn_export_thermometer(model) || model->preprocess.kind == SPN_PREPROCESS_NONE ||
                 model->preprocess.kind == SPN_PREPROCESS_BINARY;
    for (size_t i = 0; i < scaling->features; i++)
        plain = plain && scaling->shift[i] == 0 && scaling->scale[i] == 1;
    if (!plain)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the inputs of this network are scaled; an export takes a network of bits, "
                        "or of bytes as they are");
    if (model->encoding && !spn_export_thermometer(model))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "networks that see copies of features are not exported to C and ONNX; npy "
                        "and text hold their weights");
    return SPN_OK;
}

/* Add network a of those that vote. */
static void add_network(spn_export_network *out, const spn_model *model, const int8_t *weights,
                        size_t a)
{
    const size_t unit_row = out->inputs + model->hidden_bias, row = spn_model_row(model);
    for (size_t j = 0; j < model->hidden; j++) {
        const int8_t *unit = weights + j * unit_row;
        const size_t place = a * model->hidden + j;
        memcpy(out->hidden + place * out->inputs, unit, out->inputs);
        for (size_t i = out->inputs; i < unit_row; i++)
            out->unit_bias[place] += unit[i];
    }
    for (size_t k = 0; k < out->classes; k++) {
        const int8_t *output = weights + model->hidden * unit_row + k * row;
        memcpy(out->outputs + k * out->units + a * model->hidden, output, model->hidden);
        for (size_t j = model->hidden; j < row; j++)
            out->class_bias[k] += output[j];
    }
}

spn_status spn_export_network_make(spn_export_network *out, const spn_model *model,
                                   const int8_t *weights, size_t count, spn_error *err)
{
    *out = (spn_export_network){.inputs = model->scaling->features,
                                .units = count * model->hidden,
                                .classes = model->classes};
    const spn_status status = check_inputs(model, err);
    if (status)
        return status;
    out->hidden = spn_alloc(out->units, out->inputs);
    out->outputs = spn_alloc(out->classes, out->units);
    out->unit_bias = spn_alloc(out->units + SPN_EXPORT_BLOCK, sizeof *out->unit_bias);
    out->class_bias = spn_alloc(out->classes, sizeof *out->class_bias);
    if (!out->hidden || !out->outputs || !out->unit_bias || !out->class_bias)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for an export");
    for (size_t a = 0; a < count; a++)
        add_network(out, model, weights + a * spn_model_sites(model), a);
    return SPN_OK;
}

void spn_export_network_free(spn_export_network *network)
{
    free(network->hidden);
    free(network->outputs);
    free(network->unit_bias);
    free(network->class_bias);
}
