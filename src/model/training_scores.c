/* Results of a training: scores of every replica and of their centre, and the model. */
#include "base/memory.h"
#include "model/training.h"

#include <math.h>
#include <spinney/softmax.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A result, and what it points to. */
typedef struct result_memory {
    spn_train_result result;
    spn_train_score mean, centre, vote;
    spn_train_score *replica;
    const spn_train_score **pointers;
    double *losses; /* of the replicas, in training */
} result_memory;

/* A score is a struct of doubles: loss and accuracy on each set, `active`, then three more numbers
   on each set. */
enum { PARTS = sizeof(spn_train_score) / sizeof(double), ACTIVE = 6, SETS = 3 };
_Static_assert(PARTS == ACTIVE + 1 + 3 * SETS, "parts of a score");
_Static_assert(offsetof(spn_train_score, active) == ACTIVE * sizeof(double), "parts of a score");

/* Score one classifier, or a vote of several. */
static spn_status score(spn_train_score *out, const int8_t *weights, size_t votes,
                        const spn_training *t, spn_error *err)
{
    spn_softmax_model classifier = spn_softmax_model_defaults();
    classifier.weights = weights;
    classifier.classes = t->sets.train->classes;
    classifier.features = t->sets.train->features;
    classifier.scaling = t->sets.scaling;
    classifier.logit_scale = t->logit_scale;
    classifier.bias = t->bias;
    classifier.bits = t->sets.encoding && t->sets.encoding->copies == 0;
    classifier.hidden = t->hidden;
    classifier.hidden_bias = t->hidden_bias;
    classifier.votes = votes;
    spn_softmax_details details = spn_softmax_details_defaults();
    details.class_weights = t->class_weights;
    double part[PARTS];
    memcpy(part, out, sizeof part);
    for (size_t s = 0; s < SETS; s++) {
        const spn_dataset *set = spn_training_set(t, (spn_train_set)s);
        spn_softmax_scores scores = {.loss = NAN,
                                     .accuracy = NAN,
                                     .balanced_accuracy = NAN,
                                     .macro_f1 = NAN,
                                     .majority_accuracy = NAN};
        if (set)
            SPN_TRY(spn_softmax_evaluate(&scores, &classifier, set, &details, err));
        part[2 * s] = scores.loss;
        part[2 * s + 1] = scores.accuracy;
        part[ACTIVE + 1 + 3 * s] = scores.balanced_accuracy;
        part[ACTIVE + 2 + 3 * s] = scores.macro_f1;
        part[ACTIVE + 3 + 3 * s] = scores.majority_accuracy;
    }
    memcpy(out, part, sizeof part);
    return SPN_OK;
}

static spn_train_score mean_score(const spn_train_score *scores, size_t count)
{
    double sum[PARTS] = {0};
    spn_train_score mean;
    for (size_t a = 0; a < count; a++) {
        double part[PARTS];
        memcpy(part, &scores[a], sizeof part);
        for (size_t k = 0; k < PARTS; k++)
            sum[k] += part[k] / (double)count;
    }
    memcpy(&mean, sum, sizeof mean);
    return mean;
}

static spn_status score_replicas(result_memory *m, const spn_training *t,
                                 const spn_snapshot *snapshot, const int8_t *weights, size_t sites,
                                 spn_error *err)
{
    spn_train_result *result = &m->result;
    for (size_t a = 0; a < result->replicas; a++) {
        spn_train_score *one = &m->replica[a];
        SPN_TRY(score(one, weights + a * sites, 1, t, err));
        one->active = (double)snapshot->accepted[a];
        m->losses[a] = one->train_loss;
        m->pointers[a] = one;
        if (one->train_loss < m->replica[result->best].train_loss)
            result->best = a;
    }
    m->mean = mean_score(m->replica, result->replicas);
    return SPN_OK;
}

static spn_status score_centre(result_memory *m, const spn_training *t, const int8_t *weights,
                               size_t sites, spn_error *err)
{
    const size_t replicas = m->result.replicas;
    int16_t *sums = spn_alloc(sites, sizeof *sums);
    int8_t *centre = spn_alloc(sites, 1);
    spn_status status = SPN_OK;
    SPN_NEED_OR(cleanup, sums && centre, err, "the centre of the replicas");
    for (size_t k = 0; k < replicas * sites; k++)
        sums[k % sites] = (int16_t)(sums[k % sites] + weights[k]);
    const spn_snapshot state = {
        .replicas = replicas, .sites = sites, .spins = weights, .sums = sums};
    m->result.overlap = spn_snapshot_overlap(&state);
    spn_snapshot_centre(&state, centre);
    status = score(&m->centre, centre, 1, t, err);
    m->centre.active = NAN;
cleanup:
    SPN_FREE_ALL(sums, centre);
    return status;
}

static spn_status score_vote(result_memory *m, const spn_training *t, const int8_t *weights,
                             spn_error *err)
{
    if (!t->hidden)
        return SPN_OK;
    m->vote.active = NAN;
    m->result.vote = &m->vote;
    return score(&m->vote, weights, m->result.replicas, t, err);
}

static spn_status make_model(result_memory *m, const spn_training *t, const int8_t *weights,
                             spn_error *err)
{
    const spn_dataset *train = t->sets.train;
    spn_model_arrays arrays = spn_model_arrays_defaults();
    arrays.classes = train->classes;
    arrays.features = t->sets.encoding ? t->sets.encoding->features : train->features;
    arrays.replicas = m->result.replicas;
    arrays.width = t->sets.width;
    arrays.height = t->sets.height;
    arrays.bias = t->bias;
    arrays.hidden = t->hidden;
    arrays.hidden_bias = t->hidden_bias;
    arrays.encoding = t->sets.encoding;
    arrays.class_names = (const char *const *)train->class_names;
    arrays.preprocess = &t->sets.preprocess;
    arrays.scaling = t->sets.scaling;
    arrays.logit_scale = t->logit_scale;
    arrays.weights = weights;
    arrays.train_losses = m->losses;
    SPN_TRY(spn_model_create(&m->result.model, &arrays, err));
    return spn_model_set_columns(m->result.model, t->sets.columns, err);
}

/* The energy of always answering with the shares of the classes: their entropy, to which a margin
   adds what it costs if all classes are alike; with faults in a linear classifier, the share of
   the other classes than the most frequent. INFINITY without memory. */
static double energy_unlearnt(const spn_training *t)
{
    const spn_dataset *train = t->sets.train;
    const double classes = train->classes;
    double *counts = spn_alloc(train->classes, sizeof *counts);
    double sum = 0, entropy = 0, most = 0;
    if (!counts)
        return INFINITY;
    for (size_t n = 0; n < train->samples; n++) {
        const uint32_t label = train->labels[n];
        const double weight = (train->weights ? train->weights[n] : 1) *
                              (t->class_weights ? t->class_weights[label] : 1);
        counts[label] += weight;
        sum += weight;
    }
    for (uint32_t k = 0; k < train->classes; k++) {
        const double share = counts[k] / sum;
        entropy -= share > 0 ? share * log(share) : 0;
        most = fmax(most, share);
    }
    free(counts);
    if (t->faults > 0 && !t->hidden)
        return 1 - most;
    return entropy + log((1 + (classes - 1) * exp(t->margin)) / classes);
}

/* Whether what the energy fell by at the end counts, beside what was learnt. */
static bool still_falls(const spn_training *t, const spn_snapshot *snapshot)
{
    const double material = 1.0 / 500;
    double energy = 0;
    for (size_t a = 0; a < snapshot->replicas; a++)
        energy += snapshot->energy[a] / (double)snapshot->replicas;
    return snapshot->fall > material * fmax(0, energy_unlearnt(t) - energy);
}

static result_memory *allocate(size_t replicas)
{
    result_memory *m = spn_alloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->replica = spn_alloc(replicas, sizeof *m->replica);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): they are pointers */
    m->pointers = spn_alloc(replicas, sizeof *m->pointers);
    m->losses = spn_alloc(replicas, sizeof *m->losses);
    m->result.replicas = replicas;
    m->result.replica = m->pointers;
    m->result.mean = &m->mean;
    m->result.centre = &m->centre;
    if (m->replica && m->pointers && m->losses)
        return m;
    spn_train_result_free(&m->result);
    return NULL;
}

spn_status spn_training_finish(spn_train_result **out, const spn_training *training,
                               const spn_snapshot *snapshot, spn_stop stop, spn_error *err)
{
    *out = NULL;
    if (snapshot->sites != spn_energy_sites(training->energy))
        return spn_refuse(err, "a chain of %zu sites; the training has %zu", snapshot->sites,
                          spn_energy_sites(training->energy));
    result_memory *m = allocate(snapshot->replicas);
    SPN_NEED(m, err, "the scores");
    const bool tied = training->sets.tied != NULL;
    const size_t sites = tied ? spn_training_sites(training) : snapshot->sites;
    const int8_t *weights = stop == SPN_STOP_REQUEST ? snapshot->best_spins : snapshot->spins;
    int8_t *untied = NULL;
    m->result.stop = stop;
    m->result.steps = snapshot->step;
    m->result.still_falls = still_falls(training, snapshot);
    spn_status status;
    if (tied) {
        SPN_TRY_OR(failed, spn_training_untie(&untied, training, weights, snapshot->replicas, err));
        weights = untied;
    }
    SPN_TRY_OR(failed, score_replicas(m, training, snapshot, weights, sites, err));
    SPN_TRY_OR(failed, score_centre(m, training, weights, sites, err));
    SPN_TRY_OR(failed, score_vote(m, training, weights, err));
    SPN_TRY_OR(failed, make_model(m, training, weights, err));
    free(untied);
    *out = &m->result;
    return SPN_OK;
failed:
    free(untied);
    spn_train_result_free(&m->result);
    return status;
}

void spn_train_result_free(spn_train_result *result)
{
    if (!result)
        return;
    result_memory *m = (result_memory *)result; /* it is the first member */
    spn_model_free(result->model);
    SPN_FREE_ALL(m->replica, m->pointers, m->losses, m);
}
