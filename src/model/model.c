/* Models in memory: what a model must be, its replicas and their majority. */
#include "base/memory.h"
#include "model/model_format.h"
#include "model/model_sections.h"

#include <math.h>
#include <spinney/network.h>
#include <stdlib.h>
#include <string.h>

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
    const spn_model_sizes sizes = {m->classes, m->features, m->bias, m->hidden, m->hidden_bias};
    if (spn_model_sites_of(&sizes) == 0)
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
        return spn_fail(err, status, "%s: %zu features are no image of %zu by %zu", name,
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
    const size_t inputs = m->encoding ? spn_encoding_inputs(m->encoding) : m->features;
    if (!m->scaling || m->scaling->features != inputs)
        return spn_fail(err, status, "%s: the scaling has %zu features, the model %zu", name,
                        m->scaling ? m->scaling->features : 0, inputs);
    if (m->encoding &&
        (spn_encoding_features(m->encoding) != m->features || p->kind == SPN_PREPROCESS_BINARY))
        return spn_fail(err, status, "%s: the encoding does not fit the features", name);
    for (size_t i = 0; i < inputs; i++)
        if (!isfinite(m->scaling->shift[i]) || !isfinite(m->scaling->scale[i]) ||
            m->scaling->scale[i] == 0)
            return spn_fail(err, status, "%s: feature %zu has shift %g and scale %g", name, i,
                            m->scaling->shift[i], m->scaling->scale[i]);
    return SPN_OK;
}

/* The units of a hidden layer see bytes as they are. */
static spn_status check_hidden(const spn_model *m, spn_status status, const char *name,
                               spn_error *err)
{
    if (m->hidden == 0)
        return SPN_OK;
    if (m->encoding && spn_encoding_copy_count(m->encoding) > 0)
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
    spn_status failed = check_sizes(m, status, name, err);
    if (!failed)
        failed = check_scaling(m, status, name, err);
    if (!failed)
        failed = check_hidden(m, status, name, err);
    if (failed)
        return failed;
    for (uint32_t k = 0; k < m->classes; k++)
        if (!m->class_names || !m->class_names[k] || !m->class_names[k][0])
            return spn_fail(err, status, "%s: class %u has no name", name, (unsigned)k);
    if (!m->weights)
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
    if (a->classes < 2 || a->classes > SPN_MAX_CLASSES)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a model has 2 to %d classes, not %zu",
                        SPN_MAX_CLASSES, a->classes);
    const size_t inputs = a->encoding ? spn_encoding_inputs(a->encoding) : a->features;
    const size_t more = inputs > a->features ? inputs - a->features : 0;
    const spn_model sizes = {.classes = (uint32_t)a->classes,
                             .features = a->features,
                             .bias = a->bias + (a->hidden ? 0 : more),
                             .hidden = a->hidden,
                             .hidden_bias = a->hidden_bias + (a->hidden ? more : 0),
                             .replicas = a->replicas,
                             .width = a->width,
                             .height = a->height};
    spn_status status = check_sizes(&sizes, SPN_ERROR_ARGUMENT, "the arrays", err);
    if (status || !a->weights)
        return status ? status : spn_fail(err, SPN_ERROR_ARGUMENT, "the model has no weights");
    const spn_model_sizes counts = {a->classes, inputs, a->bias, a->hidden, a->hidden_bias};
    for (size_t i = 0; i < a->replicas * (size_t)spn_model_sites_of(&counts); i++)
        if (a->weights[i] != 1 && a->weights[i] != -1)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "weight %zu is %d; weights are -1 or +1", i,
                            a->weights[i]);
    return SPN_OK;
}

/* A copy of the scaling; without one, inputs as they are. */
static spn_status copy_scaling(spn_model *model, const spn_scaling *scaling, spn_error *err)
{
    const size_t inputs = model->encoding ? spn_encoding_inputs(model->encoding) : model->features;
    if (scaling)
        return spn_scaling_create(&model->scaling, scaling->features, scaling->shift,
                                  scaling->scale, err);
    double *numbers = spn_alloc(2 * inputs, sizeof *numbers);
    if (!numbers)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a model");
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
    if (spn_encoding_copy_count(encoding) > 0)
        return spn_encoding_copies(&model->encoding, spn_encoding_features(encoding),
                                   spn_encoding_copy_count(encoding), err);
    const size_t features = spn_encoding_features(encoding), *start = spn_encoding_starts(encoding);
    uint32_t *counts = spn_alloc(features, sizeof *counts);
    if (!counts)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a model");
    for (size_t i = 0; i < features; i++)
        counts[i] = (uint32_t)(start[i + 1] - start[i]);
    const spn_status status = spn_encoding_create(&model->encoding, features, counts,
                                                  spn_encoding_thresholds(encoding), err);
    free(counts);
    return status;
}

static spn_status fill_model(spn_model *model, const spn_model_arrays *a, spn_error *err)
{
    spn_status status = spn_class_names_copy(&model->class_names, a->class_names, a->classes, err);
    if (!status)
        status = copy_encoding(model, a->encoding, err);
    if (!status)
        status = copy_scaling(model, a->scaling, err);
    if (status)
        return status;
    const size_t sites = spn_model_sites(model);
    model->manifest = strdup(a->manifest ? a->manifest : "{}");
    model->weights = spn_alloc(a->replicas, sites);
    if (!model->manifest || !model->weights)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a model");
    memcpy(model->weights, a->weights, a->replicas * sites);
    if (a->train_losses && !(model->train_losses = spn_alloc(a->replicas, sizeof(double))))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a model");
    if (a->train_losses)
        memcpy(model->train_losses, a->train_losses, a->replicas * sizeof(double));
    return spn_model_check(model, SPN_ERROR_ARGUMENT, "the arrays", err);
}

spn_status spn_model_create(spn_model **out, const spn_model_arrays *arrays, spn_error *err)
{
    spn_model_arrays a = spn_model_arrays_defaults();
    *out = NULL;
    spn_status status = spn_sized_take(&a, sizeof a, arrays, "spn_model_arrays_defaults", err);
    if (!status)
        status = check_arrays(&a, err);
    if (status)
        return status;
    spn_model *model = spn_alloc(1, sizeof *model);
    if (!model)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a model");
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
    status = fill_model(model, &a, err);
    if (status) {
        spn_model_free(model);
        return status;
    }
    *out = model;
    return SPN_OK;
}

/* ---- what a model holds ---- */

uint32_t spn_model_classes(const spn_model *model)
{
    return model->classes;
}

size_t spn_model_features(const spn_model *model)
{
    return model->features;
}

size_t spn_model_replicas(const spn_model *model)
{
    return model->replicas;
}

size_t spn_model_width(const spn_model *model)
{
    return model->width;
}

size_t spn_model_height(const spn_model *model)
{
    return model->height;
}

double spn_model_logit_scale(const spn_model *model)
{
    return model->logit_scale;
}

size_t spn_model_bias(const spn_model *model)
{
    return model->bias;
}

const spn_encoding *spn_model_encoding(const spn_model *model)
{
    return model->encoding;
}

size_t spn_model_hidden(const spn_model *model)
{
    return model->hidden;
}

size_t spn_model_hidden_bias(const spn_model *model)
{
    return model->hidden_bias;
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

spn_status spn_model_prepare(spn_dataset **dataset, const spn_model *model, spn_error *err)
{
    if (!model->encoding)
        return spn_preprocess_apply(dataset, &model->preprocess, err);
    spn_dataset *encoded;
    const spn_status status = spn_encoding_apply(&encoded, model->encoding, *dataset, err);
    if (status)
        return status;
    spn_dataset_free(*dataset);
    *dataset = encoded;
    return SPN_OK;
}

const char *const *spn_model_class_names(const spn_model *model)
{
    return (const char *const *)model->class_names;
}

const spn_preprocess *spn_model_preprocess(const spn_model *model)
{
    return &model->preprocess;
}

const spn_scaling *spn_model_scaling(const spn_model *model)
{
    return model->scaling;
}

const char *spn_model_manifest(const spn_model *model)
{
    return model->manifest;
}

spn_status spn_model_set_manifest(spn_model *model, const char *text, spn_error *err)
{
    char *copy = strdup(text);
    if (!copy)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a manifest");
    free(model->manifest);
    model->manifest = copy;
    return SPN_OK;
}

const double *spn_model_train_losses(const spn_model *model)
{
    return model->train_losses;
}

const int8_t *spn_model_weights(const spn_model *model)
{
    return model->weights;
}

const int8_t *spn_model_replica(const spn_model *model, size_t replica)
{
    return model->weights + replica * spn_model_sites(model);
}

void spn_model_centre(const spn_model *model, int8_t *out)
{
    const size_t count = spn_model_sites(model);
    for (size_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (size_t a = 0; a < model->replicas; a++)
            sum += model->weights[a * count + i];
        out[i] = sum > 0 ? 1 : sum < 0 ? -1 : model->weights[i];
    }
}

void spn_model_free(spn_model *model)
{
    if (!model)
        return;
    spn_class_names_free(model->class_names, model->classes);
    spn_scaling_free(model->scaling);
    spn_columns_free(model->columns);
    spn_encoding_free(model->encoding);
    spn_model_strangers_free(model);
    free(model->weights);
    free(model->train_losses);
    free(model->manifest);
    free(model);
}
