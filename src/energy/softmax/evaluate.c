/* The scores of a classifier on any data. Networks have exact integer logits (network_evaluate.c),
   and so have bytes with one scale for all features, by fast dot products; everything else is
   computed in double precision. The classifiers of a vote are scored as if each had classes of its
   own, whose logits are added. */
#include "energy/softmax/softmax.h"

#include "base/memory.h"
#include "base/try.h"
#include "energy/network/evaluate.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PART = SPN_NETWORK_PART };

/* A model made ready: weights padded for the dot products, or as doubles. */
typedef struct scorer {
    const spn_softmax_model *model;
    const spn_dataset *data;
    double *logits;              /* PART * K */
    spn_network_scorer *network; /* NULL for a linear classifier, whose are the following: */
    int64_t *whole_logits;       /* PART * K: of a network */
    const spn_softmax_kernels *kernels;
    bool integers;
    size_t rows;    /* K times the votes */
    double unit;    /* of an integer logit */
    double *offset; /* K: what is subtracted */
    bool bits;      /* logits are logit_scale * (2 product + whole) */
    int64_t *whole; /* K: the bias less the sum of the weights */
    int8_t *room;   /* for a row of weights that come as bits */
    int8_t *padded; /* of integers: weights by row, padded_features apart */
    size_t padded_features;
    double *real;      /* of others: weights over scale, times the logit scale */
    double *sums;      /* rows * PART: products of reals; or */
    int32_t *products; /* PART * rows */
    uint8_t *inputs;   /* PART * features: of data with copies, as whole rows */
    /* What is counted on the way. */
    double weight;                     /* of all samples */
    int power;                         /* by which those of samples are scaled */
    size_t *label, *prediction, *both; /* K: of that label, so predicted, both at once */
} scorer;

static void scorer_free(scorer *s)
{
    spn_network_scorer_free(s->network);
    SPN_FREE_ALL(s->whole_logits, s->offset, s->whole, s->room, s->padded, s->real, s->products,
                 s->sums, s->inputs, s->logits, s->label);
}

void spn_signs_unpack(int8_t *out, const uint8_t *bits, size_t first, size_t count)
{
    for (size_t j = 0; j < count; j++)
        out[j] = (int8_t)((bits[(first + j) / 8] >> (first + j) % 8 & 1) * 2 - 1);
}

const int8_t *spn_softmax_weights(int8_t *room, const spn_softmax_model *m, size_t vote,
                                  size_t first, size_t count)
{
    const size_t sites = spn_softmax_model_sites(m);
    assert(first + count <= sites);
    if (m->weights)
        return m->weights + vote * sites + first;
    spn_signs_unpack(room, m->packed + vote * ((sites + 7) / 8), first, count);
    return room;
}

/* The weights of row r, which are of class r mod K. */
static void take_row(scorer *s, size_t r)
{
    const spn_softmax_model *model = s->model;
    const size_t features = model->features, row = features + model->bias, k = r % model->classes;
    const spn_scaling *scaling = model->scaling;
    const int8_t *weights = spn_softmax_weights(s->room, model, r / model->classes, k * row, row);
    double bias = 0;
    if (s->integers)
        memcpy(s->padded + r * s->padded_features, weights, features);
    for (size_t i = 0; i < features; i++) {
        const double real = weights[i] * (model->logit_scale / scaling->scale[i]);
        s->offset[k] += real * scaling->shift[i];
        if (!s->integers)
            s->real[r * features + i] = real;
    }
    for (size_t i = features; i < row; i++)
        bias += weights[i];
    s->offset[k] -= model->logit_scale * bias;
    s->whole[k] += (int64_t)bias;
    for (size_t i = 0; i < features; i++)
        s->whole[k] -= weights[i];
}

static bool linear_make(scorer *s)
{
    const spn_softmax_model *model = s->model;
    const size_t features = model->features, classes = model->classes;
    const spn_scaling *scaling = model->scaling;
    s->kernels = spn_softmax_select(spn_cpu_isa());
    s->rows = classes * (model->votes > 1 ? model->votes : 1);
    s->integers = s->data->bytes != NULL && features < INT32_MAX / 255;
    for (size_t i = 1; i < features; i++)
        s->integers = s->integers && scaling->scale[i] == scaling->scale[0];
    s->bits = model->bits && s->integers && features + model->bias < INT32_MAX / 4;
    s->unit = model->logit_scale / scaling->scale[0];
    s->padded_features = (features / 32 + 1) * 32;
    s->offset = spn_alloc(classes, sizeof *s->offset);
    s->whole = spn_alloc(classes, sizeof *s->whole);
    s->room = spn_alloc(features + model->bias, 1);
    if (s->integers)
        s->padded = spn_alloc(s->rows, s->padded_features);
    else
        s->real = spn_alloc(s->rows, features * sizeof *s->real);
    s->products = spn_alloc(PART * s->rows, sizeof *s->products);
    s->sums = spn_alloc(PART * s->rows, sizeof *s->sums);
    if (s->data->copies)
        s->inputs = spn_alloc(PART, features);
    if (!s->offset || !s->whole || !s->room ||
        !(s->integers ? s->padded != NULL : s->real != NULL) || !s->products || !s->sums ||
        (s->data->copies && !s->inputs))
        return false;
    for (size_t r = 0; r < s->rows; r++)
        take_row(s, r);
    return true;
}

/* To be freed with scorer_free, also after an error. */
static spn_status scorer_make(scorer *s, const spn_softmax_model *model, const spn_dataset *data,
                              spn_error *err)
{
    *s = (scorer){.model = model, .data = data};
    const size_t classes = model->classes;
    s->logits = spn_alloc(PART * classes, sizeof *s->logits);
    s->label = spn_alloc(3 * classes, sizeof *s->label);
    if (model->hidden)
        s->whole_logits = spn_alloc(PART * classes, sizeof *s->whole_logits);
    if (!s->logits || !s->label || (model->hidden ? !s->whole_logits : !linear_make(s)))
        return spn_no_memory(err, "the scores");
    s->prediction = s->label + classes;
    s->both = s->prediction + classes;
    return model->hidden ? spn_network_scorer_make(&s->network, model, data, spn_cpu_isa(), err)
                         : SPN_OK;
}

/* The products of row r with some samples, side by side: copies are many, but have one value. */
static void real_dots(const scorer *s, size_t first, size_t count, size_t r)
{
    const spn_dataset *data = s->data;
    const size_t columns = spn_dataset_stored(data), copies = data->copies ? data->copies : 1;
    const double *weights = s->real + r * data->features;
    double total[PART] = {0}, x[PART];
    assert(count <= PART);
    for (size_t c = 0; c < columns; c++) {
        for (size_t n = 0; n < count; n++)
            x[n] = spn_dataset_cell(data, first + n, c * copies);
        for (size_t j = 0; j < copies; j++, weights++)
            for (size_t n = 0; n < count; n++)
                total[n] += *weights * x[n];
    }
    memcpy(s->sums + r * PART, total, sizeof total);
}

/* Logit k of sample n of a part, of a linear classifier or a vote of them. */
static double linear_logit(const scorer *s, size_t n, size_t k)
{
    int64_t products = 0;
    double sum = 0;
    assert(k < s->model->classes && s->rows % s->model->classes == 0);
    for (size_t r = k; r < s->rows; r += s->model->classes) {
        if (s->integers)
            products += s->products[n * s->rows + r];
        else
            sum += s->sums[r * PART + n];
    }
    if (s->bits)
        return s->model->logit_scale * (double)(2 * products + s->whole[k]);
    return (s->integers ? s->unit * (double)products : sum) - s->offset[k];
}

/* The products of weights and inputs, which are bytes. */
static void multiply(const scorer *s, size_t first, size_t count)
{
    const size_t features = s->model->features;
    const uint8_t *rows = s->inputs;
    for (size_t n = 0; s->inputs && n < count; n++)
        spn_dataset_row_bytes(s->inputs + n * features, s->data, first + n);
    if (!rows)
        rows = s->data->bytes + first * features;
    s->kernels->dots(s->products, rows, count, features, s->padded, s->padded_features, s->rows);
}

/* The logits of samples first .. first+count-1, K each. */
static void score_part(const scorer *s, size_t first, size_t count)
{
    const size_t classes = s->model->classes;
    assert(count <= PART && first + count <= s->data->samples);
    if (s->network)
        spn_network_scorer_logits(s->network, s->whole_logits, first, count);
    else if (s->integers)
        multiply(s, first, count);
    for (size_t r = 0; !s->network && !s->integers && r < s->rows; r++)
        real_dots(s, first, count, r);
    for (size_t n = 0; n < count; n++)
        for (size_t k = 0; k < classes; k++) {
            const size_t at = n * classes + k;
            s->logits[at] = s->network ? s->model->logit_scale * (double)s->whole_logits[at]
                                       : linear_logit(s, n, k);
        }
}

static uint32_t largest(const double *z, uint32_t classes)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < classes; k++) {
        if (z[k] > z[best])
            best = k;
    }
    return best;
}

static spn_status check(const spn_softmax_model *model, const spn_dataset *data, spn_error *err)
{
    if (!model->hidden &&
        (data->features != model->features || model->scaling->features != model->features))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "softmax: the model has %zu features, its scaling %zu, the data %zu",
                        model->features, model->scaling->features, data->features);
    if (model->features == 0 || model->classes == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "softmax: the model is empty");
    SPN_REFUSE_IF(!model->weights && !model->packed, err, "softmax: the model has no weights");
    for (size_t n = 0; data->labels && n < data->samples; n++) {
        if (data->labels[n] >= model->classes)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "softmax: sample %zu has label %u, the model has classes 0 to %u", n,
                            (unsigned)data->labels[n], (unsigned)(model->classes - 1));
    }
    return spn_dataset_check_filled(data, err);
}

spn_status spn_softmax_correct(size_t *out, const spn_softmax_model *given, const spn_dataset *data,
                               spn_error *err)
{
    scorer s;
    size_t correct = 0;
    spn_softmax_model own = spn_softmax_model_defaults();
    const spn_softmax_model *model = &own;
    SPN_TRY(spn_sized_take(&own, sizeof own, given, "spn_softmax_model_defaults", err));
    SPN_TRY(check(model, data, err));
    if (!data->labels)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "softmax: data without labels have no accuracy");
    spn_status status;
    SPN_TRY_OR(cleanup, scorer_make(&s, model, data, err));
    for (size_t first = 0; first < data->samples; first += PART) {
        const size_t left = data->samples - first, count = left < PART ? left : PART;
        score_part(&s, first, count);
        for (size_t n = 0; n < count; n++)
            correct +=
                largest(s.logits + n * model->classes, model->classes) == data->labels[first + n];
    }
    *out = correct;
cleanup:
    scorer_free(&s);
    return status;
}

/* log sum_k e^(z_k) - z_label, total being the sum of e^(z_k - z_predicted). Small logits are added
   in the order that the figures in records were made with; of large ones the difference comes
   first, or the logarithm would be lost in it. */
static double cross_entropy(const double *z, uint32_t predicted, uint32_t label, double total)
{
    const double small = 0x1p20;
    if (fabs(z[predicted]) < small)
        return log(total) + z[predicted] - z[label];
    return log(total) + (z[predicted] - z[label]);
}

/* The scores that are made of these counts. */
static void score_classes(spn_softmax_scores *out, const scorer *s)
{
    size_t present = 0, named = 0, most = 0;
    double recall = 0, f1 = 0;
    for (uint32_t k = 0; k < s->model->classes; k++) {
        const size_t either = s->label[k] + s->prediction[k];
        present += s->label[k] > 0;
        named += either > 0;
        most = s->label[k] > most ? s->label[k] : most;
        recall += s->label[k] ? (double)s->both[k] / (double)s->label[k] : 0;
        f1 += either ? 2 * (double)s->both[k] / (double)either : 0;
    }
    out->balanced_accuracy = recall / (double)present;
    out->macro_f1 = f1 / (double)named;
    out->majority_accuracy = (double)most / (double)s->data->samples;
}

/* Loss and details of sample n with logits z. */
static void note(spn_softmax_scores *out, scorer *s, const spn_softmax_details *details, size_t n,
                 const double *z)
{
    const uint32_t classes = s->model->classes, predicted = largest(z, classes);
    double total = 0;
    for (uint32_t k = 0; k < classes; k++)
        total += exp(z[k] - z[predicted]);
    if (details->predictions)
        details->predictions[n] = predicted;
    for (uint32_t k = 0; details->probabilities && k < classes; k++)
        details->probabilities[n * classes + k] = exp(z[k] - z[predicted]) / total;
    if (!s->data->labels)
        return;
    const uint32_t label = s->data->labels[n];
    assert(label < classes && !(total < 1)); /* the largest has the term 1 */
    double weight = details->class_weights ? details->class_weights[label] : 1;
    if (s->data->weights)
        weight = spn_dataset_scaled_weight(s->data, n, details->class_weights, s->power);
    out->loss += weight * cross_entropy(z, predicted, label, total);
    out->correct += label == predicted;
    s->weight += weight;
    s->label[label]++;
    s->prediction[predicted]++;
    s->both[label] += label == predicted;
    if (details->confusion)
        details->confusion[(size_t)label * classes + predicted]++;
}

spn_status spn_softmax_evaluate_sized(spn_softmax_scores *out, size_t size,
                                      const spn_softmax_model *given, const spn_dataset *data,
                                      const spn_softmax_details *wanted, spn_error *err)
{
    scorer s;
    spn_softmax_scores scores = {0};
    spn_softmax_model own = spn_softmax_model_defaults();
    spn_softmax_details asked = spn_softmax_details_defaults();
    const spn_softmax_model *model = &own;
    const spn_softmax_details *details = &asked;
    spn_status status;
    SPN_TRY(spn_sized_take(&own, sizeof own, given, "spn_softmax_model_defaults", err));
    SPN_TRY(spn_sized_take(&asked, sizeof asked, wanted, "spn_softmax_details_defaults", err));
    spn_dataset view = *data; /* without its labels if they are ignored */
    if (details->ignore_labels)
        view.labels = NULL;
    data = &view;
    SPN_TRY(check(model, data, err));
    SPN_TRY_OR(cleanup, scorer_make(&s, model, data, err));
    if (data->weights && data->labels)
        s.power = spn_dataset_weight_power(data, details->class_weights);
    if (details->confusion)
        memset(details->confusion, 0,
               (size_t)model->classes * model->classes * sizeof *details->confusion);
    for (size_t first = 0; first < data->samples; first += PART) {
        const size_t left = data->samples - first, count = left < PART ? left : PART;
        score_part(&s, first, count);
        for (size_t n = 0; n < count; n++)
            note(&scores, &s, details, first + n, s.logits + n * model->classes);
    }
    scores.loss = data->labels ? scores.loss / s.weight : NAN;
    scores.accuracy = data->labels ? (double)scores.correct / (double)data->samples : NAN;
    score_classes(&scores, &s);
    if (!data->labels)
        scores.balanced_accuracy = scores.macro_f1 = scores.majority_accuracy = NAN;
    spn_sized_give(out, size, &scores, sizeof scores);
cleanup:
    scorer_free(&s);
    return status;
}
