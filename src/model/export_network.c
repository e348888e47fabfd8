/* Networks for their exports: several that vote as one, biases as numbers. */
#include "model/export.h"

#include "base/memory.h"
#include "base/try.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
    assert(!model->encoding || spn_export_thermometer(model)); /* spn_model_check has seen to it */
    *out = (spn_export_network){.inputs = model->scaling->features,
                                .units = count * model->hidden,
                                .classes = model->classes};
    out->hidden = spn_alloc(out->units, out->inputs);
    out->outputs = spn_alloc(out->classes, out->units);
    out->unit_bias = spn_alloc(out->units + SPN_EXPORT_BLOCK, sizeof *out->unit_bias);
    out->class_bias = spn_alloc(out->classes, sizeof *out->class_bias);
    if (!out->hidden || !out->outputs || !out->unit_bias || !out->class_bias)
        return spn_no_memory(err, "an export");
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
