/* The least number of flipped weights that change the class of a sample. */
#include <spinney/robustness.h>

#include "base/memory.h"
#include "data/dataset.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An input of a sample, or a constant 1 of the bias, and where its weights are in a row. */
typedef struct input {
    double size; /* |x| */
    bool negative;
    uint32_t at;
} input;

typedef struct certifier {
    const spn_softmax_model *model;
    const spn_dataset *data;
    spn_layers layers;
    size_t votes, units; /* units: of all votes */
    bool whole;          /* inputs of a linear classifier are whole numbers */
    input *inputs;       /* of a sample, the largest first, without zeros */
    size_t count;
    /* Of a network: */
    int8_t *columns; /* weight of input i of unit j of all votes at i * units + j */
    int32_t *sums;   /* of the units */
    int8_t *signs;
    uint32_t *cost; /* flips that turn a unit; more than `most` of them are not told apart */
    uint32_t *sorted;
} certifier;

static void certifier_free(certifier *c)
{
    SPN_FREE_ALL(c->inputs, c->columns, c->sums, c->signs, c->cost, c->sorted);
}

/* ---- the inputs of a sample ---- */

static int by_size(const void *a, const void *b)
{
    const input *p = a, *q = b;
    return p->size < q->size ? 1 : p->size > q->size ? -1 : p->at < q->at ? -1 : p->at > q->at;
}

/* bias: constant inputs of 1. */
static void take_inputs(certifier *c, size_t n, size_t bias)
{
    const spn_scaling *scaling = c->model->scaling;
    c->count = 0;
    for (size_t i = 0; i < c->model->features + bias; i++) {
        double x = 1;
        if (i < c->model->features)
            x = (spn_dataset_cell(c->data, n, i) - scaling->shift[i]) / scaling->scale[i];
        if (x != 0)
            c->inputs[c->count++] = (input){fabs(x), x < 0, (uint32_t)i};
    }
    qsort(c->inputs, c->count, sizeof *c->inputs, by_size);
}

/* ---- linear classifiers ---- */

/* Flips until class k beats `own`. */
static uint32_t linear_flips(const certifier *c, uint32_t own, uint32_t k)
{
    const size_t row = c->model->features + c->model->bias;
    const int8_t *mine = c->model->weights + own * row, *other = c->model->weights + k * row;
    double lead = 0, sum = 0;
    uint32_t flips = 0;
    for (size_t j = 0; j < c->count; j++) {
        const input *x = &c->inputs[j];
        lead += (mine[x->at] - other[x->at]) * (x->negative ? -x->size : x->size);
        sum += 2 * x->size;
    }
    const double rounding = c->whole ? 0 : 0x1p-36 * sum;
    for (size_t j = 0; j < c->count; j++) {
        const input *x = &c->inputs[j];
        for (int turn = 0; turn < 2; turn++) {
            const int helps = turn ? -other[x->at] : mine[x->at]; /* the lead, if x is positive */
            if (helps != (x->negative ? -1 : 1))
                continue;
            lead -= 2 * x->size;
            flips++;
            if (k < own ? lead <= rounding : lead < rounding)
                return flips;
        }
    }
    return SPN_NEVER;
}

static uint32_t certify_linear(certifier *c, size_t n, uint32_t own)
{
    uint32_t least = SPN_NEVER;
    take_inputs(c, n, c->model->bias);
    for (uint32_t k = 0; k < c->model->classes; k++) {
        const uint32_t flips = k == own ? SPN_NEVER : linear_flips(c, own, k);
        least = flips < least ? flips : least;
    }
    return least;
}

/* ---- networks ---- */

static const int8_t *outputs_of(const certifier *c, size_t vote, uint32_t k)
{
    const spn_softmax_model *m = c->model;
    return m->weights + vote * spn_softmax_model_sites(m) +
           m->hidden * (m->features + m->hidden_bias) + k * (m->hidden + m->bias);
}

static void take_columns(certifier *c)
{
    const spn_softmax_model *m = c->model;
    const size_t row = m->features + m->hidden_bias;
    for (size_t u = 0; u < c->units; u++) {
        const int8_t *weights =
            m->weights + u / m->hidden * spn_softmax_model_sites(m) + u % m->hidden * row;
        for (size_t i = 0; i < row; i++)
            c->columns[i * c->units + u] = weights[i];
    }
}

/* Flips that turn unit u; most + 1 if there are more, or none do. */
static uint32_t turning_flips(const certifier *c, size_t u, uint32_t most)
{
    const int sign = c->signs[u];
    double sum = c->sums[u];
    uint32_t flips = 0;
    for (size_t j = 0; j < c->count && flips < most; j++) {
        if (c->columns[c->inputs[j].at * c->units + u] != sign)
            continue;
        sum -= 2 * sign * c->inputs[j].size;
        flips++;
        if (sign > 0 ? sum < 0 : sum >= 0)
            return flips;
    }
    return most + 1;
}

static void find_units(certifier *c)
{
    const uint32_t most = c->layers == SPN_LAYERS_HIDDEN ? SPN_NEVER - 1 : 1;
    memset(c->sums, 0, c->units * sizeof *c->sums);
    for (size_t j = 0; j < c->count; j++) {
        const int8_t *column = c->columns + c->inputs[j].at * c->units;
        const int32_t x = (int32_t)c->inputs[j].size;
        for (size_t u = 0; u < c->units; u++)
            c->sums[u] += x * column[u];
    }
    for (size_t u = 0; u < c->units; u++) {
        c->signs[u] = c->sums[u] >= 0 ? 1 : -1;
        c->cost[u] = c->layers == SPN_LAYERS_OUTPUT ? most + 1 : turning_flips(c, u, most);
    }
}

static int by_value(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

/* How the lead of a class over another can be lowered. */
typedef struct leads {
    int64_t lead;
    size_t full, even, bias; /* units with a lead of 2, of 0; weights of the bias in favour */
    size_t quick;            /* units with a lead of 2 that one flip turns */
} leads;

/* Also puts the costs of units with a lead of 2 into c->sorted. */
static leads count_leads(const certifier *c, uint32_t own, uint32_t k)
{
    const spn_softmax_model *m = c->model;
    leads found = {0};
    for (size_t v = 0; v < c->votes; v++) {
        const int8_t *mine = outputs_of(c, v, own), *other = outputs_of(c, v, k);
        for (size_t j = 0; j < m->hidden; j++) {
            const size_t u = v * m->hidden + j;
            const int lead = c->signs[u] * (mine[j] - other[j]);
            found.lead += lead;
            found.even += lead == 0;
            found.quick += lead == 2 && c->cost[u] == 1;
            if (lead == 2)
                c->sorted[found.full++] = c->cost[u];
        }
        for (size_t j = m->hidden; j < m->hidden + m->bias; j++) {
            found.lead += mine[j] - other[j];
            found.bias += (size_t)((mine[j] > 0) + (other[j] < 0));
        }
    }
    return found;
}

/* The cheapest units that together give `needed`, 4 each. */
static uint32_t hidden_flips(const certifier *c, const leads *l, size_t needed)
{
    const size_t turned = (needed + 3) / 4;
    uint64_t flips = 0;
    if (turned > l->full)
        return SPN_NEVER;
    qsort(c->sorted, l->full, sizeof *c->sorted, by_value);
    for (size_t j = 0; j < turned; j++)
        flips += c->sorted[j];
    return flips < SPN_NEVER ? (uint32_t)flips : SPN_NEVER;
}

/* Flips until class k beats `own`. All leads are even. */
static uint32_t network_flips(const certifier *c, uint32_t own, uint32_t k)
{
    const leads l = count_leads(c, own, k);
    assert(l.lead >= 0 && l.lead % 2 == 0 && (k > own || l.lead > 0));
    const size_t needed = (size_t)l.lead + (k > own ? 2 : 0);
    if (c->layers == SPN_LAYERS_HIDDEN)
        return hidden_flips(c, &l, needed);
    const size_t by_four = (needed + 3) / 4, quick = by_four < l.quick ? by_four : l.quick;
    const size_t rest = needed > 4 * quick ? (needed - 4 * quick) / 2 : 0;
    return rest <= 2 * (l.full - quick) + l.even + l.bias ? (uint32_t)(quick + rest) : SPN_NEVER;
}

static uint32_t certify_network(certifier *c, size_t n, uint32_t own)
{
    uint32_t least = SPN_NEVER;
    take_inputs(c, n, c->model->hidden_bias);
    find_units(c);
    for (uint32_t k = 0; k < c->model->classes; k++) {
        const uint32_t flips = k == own ? SPN_NEVER : network_flips(c, own, k);
        least = flips < least ? flips : least;
    }
    return least;
}

/* ---- all samples ---- */

static bool is_identity(const spn_scaling *scaling)
{
    for (size_t i = 0; i < scaling->features; i++)
        if (scaling->shift[i] != 0 || scaling->scale[i] != 1)
            return false;
    return true;
}

static spn_status make(certifier *c, spn_error *err)
{
    const spn_softmax_model *m = c->model;
    const size_t bias = m->hidden ? m->hidden_bias : m->bias;
    SPN_REFUSE_IF(!m->weights, err, "certificates: weights are needed, one byte each");
    if (!m->hidden && (c->votes > 1 || c->layers == SPN_LAYERS_HIDDEN))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "certificates: a linear classifier has no votes and no hidden weights");
    c->whole = m->bits || (c->data->bytes && is_identity(m->scaling));
    c->inputs = spn_alloc(m->features + bias, sizeof *c->inputs);
    if (c->units) {
        c->columns = spn_alloc(m->features + bias, c->units);
        c->sums = spn_alloc(c->units, sizeof *c->sums);
        c->signs = spn_alloc(c->units, 1);
        c->cost = spn_alloc(c->units, sizeof *c->cost);
        c->sorted = spn_alloc(c->units, sizeof *c->sorted);
    }
    if (!c->inputs ||
        (c->units && (!c->columns || !c->sums || !c->signs || !c->cost || !c->sorted)))
        return spn_no_memory(err, "certificates");
    if (c->units)
        take_columns(c);
    return SPN_OK;
}

spn_status spn_certify(uint32_t *out, uint32_t *classes, const spn_softmax_model *given,
                       const spn_dataset *data, spn_layers layers, spn_error *err)
{
    spn_softmax_model model = spn_softmax_model_defaults();
    spn_softmax_details details = spn_softmax_details_defaults();
    spn_softmax_scores scores;
    spn_status status;
    SPN_TRY(spn_sized_take(&model, sizeof model, given, "spn_softmax_model_defaults", err));
    certifier c = {.model = &model,
                   .data = data,
                   .layers = layers,
                   .votes = model.votes > 1 ? model.votes : 1};
    c.units = c.votes * model.hidden;
    details.ignore_labels = true;
    details.predictions = out; /* until they are replaced */
    SPN_TRY(spn_softmax_evaluate(&scores, &model, data, &details, err));
    if (classes)
        memcpy(classes, out, data->samples * sizeof *classes);
    SPN_TRY_OR(cleanup, make(&c, err));
    for (size_t n = 0; n < data->samples; n++)
        out[n] = model.hidden ? certify_network(&c, n, out[n]) : certify_linear(&c, n, out[n]);
cleanup:
    certifier_free(&c);
    return status;
}
