/* Models in memory: what a model must be, its replicas and their majority. */
#include "model/model_format.h"

#include <math.h>
#include <stdlib.h>

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
    if (!m->scaling || m->scaling->features != m->features)
        return spn_fail(err, status, "%s: the scaling has %zu features, the model %zu", name,
                        m->scaling ? m->scaling->features : 0, m->features);
    for (size_t i = 0; i < m->features; i++)
        if (!isfinite(m->scaling->shift[i]) || !isfinite(m->scaling->scale[i]) ||
            m->scaling->scale[i] == 0)
            return spn_fail(err, status, "%s: feature %zu has shift %g and scale %g", name, i,
                            m->scaling->shift[i], m->scaling->scale[i]);
    return SPN_OK;
}

spn_status spn_model_check(const spn_model *m, spn_status status, const char *name, spn_error *err)
{
    spn_status failed = check_sizes(m, status, name, err);
    if (!failed)
        failed = check_scaling(m, status, name, err);
    if (failed)
        return failed;
    for (uint32_t k = 0; k < m->classes; k++)
        if (!m->class_names || !m->class_names[k] || !m->class_names[k][0])
            return spn_fail(err, status, "%s: class %u has no name", name, (unsigned)k);
    if (!m->weights)
        return spn_fail(err, status, "%s: the model has no weights", name);
    return SPN_OK;
}

const int8_t *spn_model_replica(const spn_model *model, size_t replica)
{
    return model->weights + replica * model->classes * model->features;
}

void spn_model_centre(const spn_model *model, int8_t *out)
{
    const size_t count = model->classes * model->features;
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
    for (uint32_t k = 0; model->class_names && k < model->classes; k++)
        free(model->class_names[k]);
    free(model->class_names);
    spn_scaling_free(model->scaling);
    free(model->weights);
    free(model->manifest);
    free(model);
}
