/* What came of a training: scores of every replica, of their centre, and the model. */
#include "base/memory.h"
#include "old/training_inside.h"

#include <math.h>
#include <spinney/softmax.h>
#include <stdlib.h>
#include <string.h>

static spn_status evaluate(double *loss, double *accuracy, const spn_softmax_model *classifier,
                           const spn_dataset *part, spn_error *err)
{
    spn_softmax_scores scores = {.loss = NAN, .accuracy = NAN};
    spn_status status = part ? spn_softmax_evaluate(&scores, classifier, part, NULL, err) : SPN_OK;
    *loss = scores.loss;
    *accuracy = scores.accuracy;
    return status;
}

static spn_status score(xpn_train_score *out, const int8_t *weights, const spn_model *model,
                        const xpn_train_parts *parts, spn_error *err)
{
    const spn_softmax_model classifier = {.size = sizeof classifier,
                                          .weights = weights,
                                          .classes = model->classes,
                                          .features = model->features,
                                          .scaling = parts->scaling,
                                          .logit_scale = model->logit_scale};
    spn_status status =
        evaluate(&out->train_loss, &out->train_accuracy, &classifier, parts->train, err);
    if (!status)
        status = evaluate(&out->validation_loss, &out->validation_accuracy, &classifier,
                          parts->validation, err);
    if (!status)
        status = evaluate(&out->test_loss, &out->test_accuracy, &classifier, parts->test, err);
    return status;
}

static xpn_train_score mean_score(const xpn_train_score *scores, size_t count)
{
    xpn_train_score sum = {0};
    const double n = (double)count;
    for (size_t a = 0; a < count; a++) {
        sum.train_loss += scores[a].train_loss / n;
        sum.train_accuracy += scores[a].train_accuracy / n;
        sum.validation_loss += scores[a].validation_loss / n;
        sum.validation_accuracy += scores[a].validation_accuracy / n;
        sum.test_loss += scores[a].test_loss / n;
        sum.test_accuracy += scores[a].test_accuracy / n;
        sum.active += scores[a].active / n;
    }
    return sum;
}

/* A model without its manifest. */
static spn_status make_model(spn_model **out, const xpn_train_options *options,
                             const xpn_train_parts *parts, const int8_t *weights, spn_error *err)
{
    const spn_dataset *train = parts->train;
    spn_model_arrays arrays = spn_model_arrays_defaults();
    arrays.classes = train->classes;
    arrays.features = train->features;
    arrays.replicas = options->chain.replicas;
    arrays.width = train->width;
    arrays.height = train->height;
    arrays.class_names = spn_dataset_class_names(train);
    arrays.preprocess = &parts->preprocess;
    arrays.scaling = parts->scaling;
    arrays.logit_scale = parts->logit_scale;
    arrays.weights = weights;
    static const double unknown[SPN_MAX_REPLICAS];
    arrays.train_losses = unknown; /* filled with the scores */
    return spn_model_create(out, &arrays, err);
}

static spn_status score_replicas(xpn_train_result *result, const xpn_train_parts *parts,
                                 const spn_snapshot *snapshot, spn_error *err)
{
    const spn_model *model = result->model;
    for (size_t a = 0; a < result->replicas; a++) {
        xpn_train_score *one = &result->replica[a];
        spn_status status = score(one, spn_model_replica(model, a), model, parts, err);
        if (status)
            return status;
        one->active = (double)snapshot->accepted[a];
        if (result->model->train_losses)
            result->model->train_losses[a] = one->train_loss;
        if (one->train_loss < result->replica[result->best].train_loss)
            result->best = a;
    }
    result->mean = mean_score(result->replica, result->replicas);
    return SPN_OK;
}

/* The centre's scores, and the overlap. */
static spn_status score_centre(xpn_train_result *result, const xpn_train_parts *parts,
                               spn_error *err)
{
    const spn_model *model = result->model;
    const size_t sites = model->classes * model->features;
    int16_t *sums = spn_alloc(sites, sizeof *sums);
    int8_t *centre = spn_alloc(sites, 1);
    spn_status status = SPN_ERROR_MEMORY;
    if (sums && centre) {
        for (size_t k = 0; k < result->replicas * sites; k++)
            sums[k % sites] = (int16_t)(sums[k % sites] + model->weights[k]);
        const spn_snapshot state = {
            .replicas = result->replicas, .sites = sites, .spins = model->weights, .sums = sums};
        result->overlap = spn_snapshot_overlap(&state);
        spn_snapshot_centre(&state, centre);
        status = score(&result->centre, centre, model, parts, err);
        result->centre.active = NAN;
    } else {
        spn_fail(err, status, "out of memory for the centre of the replicas");
    }
    free(sums);
    free(centre);
    return status;
}

spn_status xpn_train_score_all(xpn_train_result *result, const xpn_train_options *options,
                               const xpn_train_parts *parts, const spn_snapshot *snapshot,
                               const char *settings, spn_error *err)
{
    const bool complete = result->stop == SPN_STOP_STEPS;
    result->replicas = snapshot->replicas;
    result->replica = spn_alloc(result->replicas, sizeof *result->replica);
    if (!result->replica)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the model");
    spn_status status = make_model(&result->model, options, parts,
                                   complete ? snapshot->spins : snapshot->best_spins, err);
    if (!status)
        status = score_replicas(result, parts, snapshot, err);
    if (!status)
        status = score_centre(result, parts, err);
    if (status)
        return status;
    free(result->model->manifest);
    result->model->manifest = xpn_train_manifest(result, options, parts, settings);
    if (!result->model->manifest)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the model");
    return SPN_OK;
}
