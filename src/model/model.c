/* Models in memory: checks, accessors and predictions. */
#include "base/memory.h"
#include "energy/softmax/softmax.h"
#include "model/model_format.h"

#include <assert.h>
#include <math.h>
#include <spinney/network.h>
#include <stdlib.h>
#include <string.h>

/* Weights of a replica, as spn_model_head_sites counts them. */
static size_t sites_of(const spn_model *m, size_t inputs)
{
    const spn_model_head head = {.version =
                                     m->hidden ? SPN_MODEL_VERSION : SPN_MODEL_LINEAR_VERSION,
                                 .classes = m->classes,
                                 .features = inputs,
                                 .bias = m->bias,
                                 .hidden = m->hidden,
                                 .hidden_bias = m->hidden_bias};
    return (size_t)spn_model_head_sites(&head);
}

static spn_status check_sizes(const spn_model *m, spn_status status, const char *name,
                              spn_error *err)
{
    if (m->classes < 2 || m->classes > SPN_MAX_CLASSES)
        return spn_fail(err, status, "%s: a model has 2 to %d classes, not %u", name,
                        SPN_MAX_CLASSES, (unsigned)m->classes);
    if (m->features < 1 || m->features > UINT32_MAX / m->classes)
        return spn_fail(err, status, "%s: a model of %u classes has 1 to %u features, not %zu",
                        name, (unsigned)m->classes, (unsigned)(UINT32_MAX / m->classes),
                        m->features);
    if (m->bias > UINT32_MAX / m->classes - m->features)
        return spn_fail(err, status, "%s: %zu features and a bias of %zu are too many", name,
                        m->features, m->bias);
    if (sites_of(m, m->features) == 0)
        return spn_fail(err, status,
                        "%s: a network of %zu features, %zu hidden units, which may be 1 to %d, "
                        "and their bias of %zu is too large",
                        name, m->features, m->hidden, SPN_MOST_HIDDEN, m->hidden_bias);
    if (m->replicas < 1 || m->replicas > SPN_MODEL_MOST_REPLICAS)
        return spn_fail(err, status, "%s: a model has 1 to %d replicas, not %zu", name,
                        SPN_MODEL_MOST_REPLICAS, m->replicas);
    const bool no_image = m->width == 0 && m->height == 0;
    if (!no_image &&
        (m->width == 0 || m->features % m->width != 0 || m->features / m->width != m->height))
        return spn_fail(err, status, "%s: %zu features are not an image of %zu by %zu", name,
                        m->features, m->width, m->height);
    return SPN_OK;
}

static spn_status check_scaling(const spn_model *m, spn_status status, const char *name,
                                spn_error *err)
{
    const spn_preprocess *p = &m->preprocess;
    if (!(m->logit_scale > 0) || !isfinite(m->logit_scale))
        return spn_fail(err, status, "%s: the logit scale %g is not positive and finite", name,
                        m->logit_scale);
    if ((unsigned)p->kind > SPN_PREPROCESS_BINARY)
        return spn_fail(err, status, "%s: there is no preprocessing number %u", name,
                        (unsigned)p->kind);
    if (!isfinite(p->shift) || !isfinite(p->scale) || !isfinite(p->threshold))
        return spn_fail(err, status, "%s: a constant of the preprocessing is not finite", name);
    const size_t inputs = m->encoding ? m->encoding->inputs : m->features;
    if (!m->scaling || m->scaling->features != inputs)
        return spn_fail(err, status, "%s: the scaling has %zu features, the model %zu", name,
                        m->scaling ? m->scaling->features : 0, inputs);
    if (m->encoding && (m->encoding->features != m->features || p->kind == SPN_PREPROCESS_BINARY))
        return spn_fail(err, status, "%s: the encoding does not fit the features", name);
    for (size_t i = 0; i < inputs; i++)
        if (!isfinite(m->scaling->shift[i]) || !isfinite(m->scaling->scale[i]) ||
            m->scaling->scale[i] == 0)
            return spn_fail(err, status, "%s: feature %zu has shift %g and scale %g", name, i,
                            m->scaling->shift[i], m->scaling->scale[i]);
    return SPN_OK;
}

/* Hidden units see bytes unchanged. */
static spn_status check_hidden(const spn_model *m, spn_status status, const char *name,
                               spn_error *err)
{
    if (m->hidden == 0)
        return SPN_OK;
    if (m->encoding && m->encoding->copies > 0)
        return spn_fail(err, status, "%s: a network has no copies of features", name);
    if (m->preprocess.kind != SPN_PREPROCESS_NONE && m->preprocess.kind != SPN_PREPROCESS_BINARY)
        return spn_fail(err, status,
                        "%s: the features of a network are as they are, or made binary, not scaled "
                        "by preprocessing '%s'",
                        name, spn_preprocess_kind_name(m->preprocess.kind));
    for (size_t i = 0; i < m->scaling->features; i++)
        if (m->scaling->shift[i] != 0 || m->scaling->scale[i] != 1)
            return spn_fail(err, status,
                            "%s: feature %zu of a network has shift %g and scale %g, not 0 and 1",
                            name, i, m->scaling->shift[i], m->scaling->scale[i]);
    return SPN_OK;
}

spn_status spn_model_check(const spn_model *m, spn_status status, const char *name, spn_error *err)
{
    SPN_TRY(check_sizes(m, status, name, err));
    SPN_TRY(check_scaling(m, status, name, err));
    SPN_TRY(check_hidden(m, status, name, err));
    for (uint32_t k = 0; k < m->classes; k++)
        if (!m->class_names || !m->class_names[k] || !m->class_names[k][0])
            return spn_fail(err, status, "%s: class %u has no name", name, (unsigned)k);
    if (!m->packed)
        return spn_fail(err, status, "%s: the model has no weights", name);
    for (size_t a = 0; m->train_losses && a < m->replicas; a++)
        if (!isfinite(m->train_losses[a]))
            return spn_fail(err, status, "%s: the training loss of replica %zu is not finite", name,
                            a + 1);
    return SPN_OK;
}

/* ---- from arrays ---- */

static spn_status check_arrays(const spn_model_arrays *a, spn_error *err)
{
    SPN_REFUSE_IF(a->classes < 2 || a->classes > SPN_MAX_CLASSES, err,
                  "a model has 2 to %d classes, not %zu", SPN_MAX_CLASSES, a->classes);
    const size_t inputs = a->encoding ? a->encoding->inputs : a->features;
    const size_t more = inputs > a->features ? inputs - a->features : 0;
    spn_model sizes = {.classes = (uint32_t)a->classes,
                       .features = a->features,
                       .bias = a->bias + (a->hidden ? 0 : more),
                       .hidden = a->hidden,
                       .hidden_bias = a->hidden_bias + (a->hidden ? more : 0),
                       .replicas = a->replicas,
                       .width = a->width,
                       .height = a->height};
    SPN_TRY(check_sizes(&sizes, SPN_ERROR_ARGUMENT, "the arrays", err));
    SPN_REFUSE_IF(!a->weights, err, "the model has no weights");
    sizes.bias = a->bias;
    sizes.hidden_bias = a->hidden_bias;
    const size_t count = a->replicas * sites_of(&sizes, inputs);
    for (size_t i = 0; i < count; i++)
        SPN_REFUSE_IF(a->weights[i] != 1 && a->weights[i] != -1, err,
                      "weight %zu is %d; weights are -1 or +1", i, a->weights[i]);
    return SPN_OK;
}

static void pack(uint8_t *out, const int8_t *weights, size_t sites, size_t replicas)
{
    for (size_t a = 0; a < replicas; a++, out += (sites + 7) / 8, weights += sites)
        for (size_t i = 0; i < sites; i++)
            out[i / 8] |= (uint8_t)((weights[i] > 0) << i % 8);
}

/* Copy the scaling; without one, inputs are unchanged. */
static spn_status copy_scaling(spn_model *model, const spn_scaling *scaling, spn_error *err)
{
    const size_t inputs = model->encoding ? model->encoding->inputs : model->features;
    if (scaling)
        return spn_scaling_create(&model->scaling, scaling->features, scaling->shift,
                                  scaling->scale, err);
    double *numbers = spn_alloc(2 * inputs, sizeof *numbers);
    SPN_NEED(numbers, err, "a model");
    for (size_t i = 0; i < inputs; i++)
        numbers[inputs + i] = 1;
    spn_status status = spn_scaling_create(&model->scaling, inputs, numbers, numbers + inputs, err);
    free(numbers);
    return status;
}

static spn_status copy_encoding(spn_model *model, const spn_encoding *encoding, spn_error *err)
{
    if (!encoding)
        return SPN_OK;
    if (encoding->copies > 0)
        return spn_encoding_copies(&model->encoding, encoding->features, encoding->copies, err);
    const size_t features = encoding->features, *start = encoding->start;
    uint32_t *counts = spn_alloc(features, sizeof *counts);
    SPN_NEED(counts, err, "a model");
    for (size_t i = 0; i < features; i++)
        counts[i] = (uint32_t)(start[i + 1] - start[i]);
    const spn_status status =
        spn_encoding_create(&model->encoding, features, counts, encoding->thresholds, err);
    free(counts);
    return status;
}

static spn_status fill_model(spn_model *model, const spn_model_arrays *a, spn_error *err)
{
    SPN_TRY(spn_class_names_copy(&model->class_names, a->class_names, a->classes, err));
    SPN_TRY(copy_encoding(model, a->encoding, err));
    SPN_TRY(copy_scaling(model, a->scaling, err));
    const size_t sites = spn_model_sites(model);
    model->manifest = strdup(a->manifest ? a->manifest : "{}");
    model->packed = model->memory = spn_alloc(a->replicas, spn_model_replica_bytes(model));
    SPN_NEED(model->manifest && model->packed, err, "a model");
    pack(model->memory, a->weights, sites, a->replicas);
    if (a->train_losses && !(model->train_losses = spn_alloc(a->replicas, sizeof(double))))
        return spn_no_memory(err, "a model");
    if (a->train_losses)
        memcpy(model->train_losses, a->train_losses, a->replicas * sizeof(double));
    return spn_model_check(model, SPN_ERROR_ARGUMENT, "the arrays", err);
}

spn_status spn_model_create(spn_model **out, const spn_model_arrays *arrays, spn_error *err)
{
    spn_model_arrays a = spn_model_arrays_defaults();
    *out = NULL;
    SPN_TRY(spn_sized_take(&a, sizeof a, arrays, "spn_model_arrays_defaults", err));
    SPN_TRY(check_arrays(&a, err));
    spn_model *model = spn_alloc(1, sizeof *model);
    SPN_NEED(model, err, "a model");
    const spn_preprocess none = {.kind = SPN_PREPROCESS_NONE, .scale = 1};
    *model = (spn_model){.classes = (uint32_t)a.classes,
                         .features = a.features,
                         .bias = a.bias,
                         .hidden = a.hidden,
                         .hidden_bias = a.hidden_bias,
                         .replicas = a.replicas,
                         .width = a.width,
                         .height = a.height,
                         .logit_scale = a.logit_scale,
                         .preprocess = a.preprocess ? *a.preprocess : none};
    SPN_HAND_OVER(out, model, spn_model_free, fill_model(model, &a, err));
}

/* ---- what a model holds ---- */

void spn_model_describe(spn_model_arrays *out, const spn_model *model)
{
    const spn_model_arrays own = {.size = out->size,
                                  .classes = model->classes,
                                  .features = model->features,
                                  .replicas = model->replicas,
                                  .width = model->width,
                                  .height = model->height,
                                  .class_names = (const char *const *)model->class_names,
                                  .preprocess = &model->preprocess,
                                  .scaling = model->scaling,
                                  .logit_scale = model->logit_scale,
                                  .packed = model->packed,
                                  .manifest = model->manifest,
                                  .train_losses = model->train_losses,
                                  .bias = model->bias,
                                  .encoding = model->encoding,
                                  .hidden = model->hidden,
                                  .hidden_bias = model->hidden_bias};
    spn_sized_give(out, out->size, &own, sizeof own);
}

size_t spn_model_row(const spn_model *model)
{
    return (model->hidden ? model->hidden : model->scaling->features) + model->bias;
}

size_t spn_model_sites(const spn_model *model)
{
    const size_t unit = model->scaling->features + model->hidden_bias;
    return model->hidden * unit + model->classes * spn_model_row(model);
}

const spn_columns *spn_model_columns(const spn_model *model)
{
    return model->columns;
}

spn_status spn_model_set_columns(spn_model *model, const spn_columns *columns, spn_error *err)
{
    spn_columns *copy = NULL;
    SPN_REFUSE_IF(columns && columns->features != model->features, err,
                  "the columns make %zu features, and the model has %zu", columns->features,
                  model->features);
    if (columns)
        SPN_TRY(spn_columns_copy(&copy, columns, NULL, err));
    spn_columns_free(model->columns);
    model->columns = copy;
    return SPN_OK;
}

spn_status spn_model_set_manifest(spn_model *model, const char *text, spn_error *err)
{
    char *copy = strdup(text);
    SPN_NEED(copy, err, "a manifest");
    free(model->manifest);
    model->manifest = copy;
    return SPN_OK;
}

void spn_model_unpack(int8_t *out, const spn_model *model, size_t first, size_t count)
{
    const size_t sites = spn_model_sites(model), bytes = spn_model_replica_bytes(model);
    assert(first + count <= model->replicas);
    for (size_t a = first; a < first + count; a++, out += sites)
        spn_signs_unpack(out, model->packed + a * bytes, 0, sites);
}

void spn_model_centre(const spn_model *model, int8_t *out)
{
    const size_t sites = spn_model_sites(model), bytes = spn_model_replica_bytes(model);
    for (size_t i = 0; i < sites; i++) {
        const uint8_t *at = model->packed + i / 8;
        size_t ups = 0;
        for (size_t a = 0; a < model->replicas; a++)
            ups += at[a * bytes] >> i % 8 & 1;
        const bool tie = 2 * ups == model->replicas;
        out[i] = (tie ? *at >> i % 8 & 1 : 2 * ups > model->replicas) ? 1 : -1;
    }
}

void spn_model_free(spn_model *model)
{
    if (!model)
        return;
    spn_list_free(model->class_names, model->classes);
    spn_scaling_free(model->scaling);
    spn_columns_free(model->columns);
    spn_encoding_free(model->encoding);
    SPN_FREE_ALL(model->strangers.data, model->memory, model->train_losses, model->manifest, model);
}

/* ---- predictions ---- */

size_t spn_model_best(const spn_model *model)
{
    size_t best = 0;
    for (size_t a = 1; model->train_losses && a < model->replicas; a++)
        if (model->train_losses[a] < model->train_losses[best])
            best = a;
    return best;
}

/* The samples as the classifier sees them: themselves, or a binary or encoded copy in *owned. */
static spn_status prepare(const spn_dataset **out, spn_dataset **owned, const spn_model *model,
                          const spn_dataset *samples, spn_error *err)
{
    spn_status status = SPN_OK;
    *owned = NULL;
    if (model->encoding)
        status = spn_encoding_apply(owned, model->encoding, samples, err);
    else if (model->preprocess.kind == SPN_PREPROCESS_BINARY)
        status = spn_dataset_binarise(owned, samples, model->preprocess.threshold, err);
    *out = *owned ? *owned : samples;
    return status;
}

spn_status spn_model_prepare(spn_dataset **dataset, const spn_model *model, spn_error *err)
{
    const spn_dataset *seen;
    spn_dataset *owned;
    SPN_TRY(prepare(&seen, &owned, model, *dataset, err));
    if (owned) {
        spn_dataset_free(*dataset);
        *dataset = owned;
    }
    return SPN_OK;
}

spn_status spn_model_predict(uint32_t *classes, double *probabilities, const spn_model *model,
                             const int8_t *weights, size_t votes, const spn_dataset *samples,
                             spn_error *err)
{
    const spn_dataset *seen;
    spn_dataset *owned = NULL;
    spn_softmax_scores scores;
    assert(model && weights && samples);
    SPN_REFUSE_IF(samples->features != model->features, err,
                  "the model has %zu features, the samples %zu", model->features,
                  samples->features);
    SPN_REFUSE_IF(votes == 0, err, "a vote needs at least one classifier");
    SPN_REFUSE_IF(votes > 1 && model->hidden == 0, err,
                  "only networks vote, and this model is linear: choose a replica or the centre");
    SPN_TRY(prepare(&seen, &owned, model, samples, err));
    spn_softmax_model classifier = spn_model_classifier(model, weights);
    classifier.votes = votes;
    spn_softmax_details details = spn_softmax_details_defaults();
    details.ignore_labels = true;
    details.predictions = classes;
    details.probabilities = probabilities;
    const spn_status status = spn_softmax_evaluate(&scores, &classifier, seen, &details, err);
    spn_dataset_free(owned);
    return status;
}
