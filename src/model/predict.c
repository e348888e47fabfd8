/* The classes of samples by a model. */
#include "model/model.h"

#include <assert.h>

size_t spn_model_best(const spn_model *model)
{
    size_t best = 0;
    for (size_t a = 1; model->train_losses && a < model->replicas; a++)
        if (model->train_losses[a] < model->train_losses[best])
            best = a;
    return best;
}

/* What the classifier sees of the samples: themselves, or a copy made binary or encoded, which
 *owned then is. */
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

static spn_status check(const spn_model *model, size_t votes, const spn_dataset *samples,
                        spn_error *err)
{
    if (samples->features != model->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the model is of %zu features, the samples of %zu",
                        model->features, samples->features);
    if (votes == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a vote needs at least one classifier");
    if (votes > 1 && model->hidden == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "networks vote, and this model is a linear one: choose a replica or the "
                        "centre");
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
    spn_status status = check(model, votes, samples, err);
    if (!status)
        status = prepare(&seen, &owned, model, samples, err);
    if (status)
        return status;
    spn_softmax_model classifier = spn_model_classifier(model, weights);
    classifier.votes = votes;
    spn_softmax_details details = spn_softmax_details_defaults();
    details.ignore_labels = true;
    details.predictions = classes;
    details.probabilities = probabilities;
    status = spn_softmax_evaluate(&scores, &classifier, seen, &details, err);
    spn_dataset_free(owned);
    return status;
}
