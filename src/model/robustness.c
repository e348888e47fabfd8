/* Accuracy under flipped weights. */
#include <spinney/robustness.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/try.h"
#include "data/dataset.h"
#include <math.h>
#include <spinney/random.h>
#include <spinney/statistics.h>
#include <string.h>

const spn_names spn_flip_mode_names =
    SPN_NAME_LIST("way to flip", [SPN_FLIP_INDEPENDENT] = "independent", [SPN_FLIP_EXACT] = "exact",
                  [SPN_FLIP_DRAWS] = "draws");

/* correct: right predictions of each trial; trial t is of replica t % replicas. Replicas are
   strata of equal weight, each with its own mean and variance. */
static void summarise(spn_robustness *out, const size_t *correct, size_t trials, size_t replicas,
                      size_t samples)
{
    double mean = 0, variance = 0;
    for (size_t a = 0; a < replicas; a++) {
        double n = 0, sum = 0, squares = 0;
        for (size_t t = a; t < trials; t += replicas, n++)
            sum += (double)correct[t];
        const double centre = sum / n;
        for (size_t t = a; t < trials; t += replicas)
            squares += ((double)correct[t] - centre) * ((double)correct[t] - centre);
        mean += centre;
        variance += n > 1 ? squares / (n - 1) / n : 0;
    }
    /* with one trial each there was one way to flip, and nothing is uncertain */
    const double half =
        trials > replicas ? spn_student_quantile(trials - replicas) * sqrt(variance) : 0;
    const double whole = (double)replicas * (double)samples;
    out->mean = mean / whole;
    out->low = (mean - half) / whole;
    out->high = (mean + half) / whole;
}

/* One step of SplitMix64 (doi:10.1145/2714064.2660195). */
static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

static uint64_t key_of(uint64_t seed, double p)
{
    uint64_t bits;
    memcpy(&bits, &p, sizeof bits);
    return mix(mix(seed) ^ bits);
}

static void flip_independent(int8_t *weights, size_t count, double p, spn_random *random)
{
    for (size_t i = 0; i < count; i++)
        if (spn_random_uniform(random) < p)
            weights[i] = (int8_t)-weights[i];
}

/* Floyd's choice of `flips` sites without repetition (doi:10.1145/30401.315746). A site is taken
   if it differs from the original. */
static void flip_exact(int8_t *weights, const int8_t *original, size_t count, size_t flips,
                       spn_random *random)
{
    for (size_t j = count - flips; j < count; j++) {
        size_t site = spn_random_below(random, (uint32_t)(j + 1));
        if (weights[site] != original[site])
            site = j;
        weights[site] = (int8_t)-weights[site];
    }
}

static void flip_draws(int8_t *weights, size_t count, size_t draws, spn_random *random)
{
    for (size_t j = 0; j < draws; j++) {
        const size_t site = spn_random_below(random, (uint32_t)count);
        weights[site] = (int8_t)-weights[site];
    }
}

typedef struct measurement {
    const spn_flip_target *target;
    spn_flip_mode mode;
    double p;
    size_t first, count; /* weights of each member that may be flipped */
    size_t sites;        /* N: of all members */
    size_t flips;        /* round(p N), halves up: for SPN_FLIP_EXACT and SPN_FLIP_DRAWS */
    uint64_t key;
} measurement;

/* Right predictions of a trial. all: room for the weights of the replica, then twice for those
   that may be flipped: flipped and original. */
static spn_status run_trial(size_t *out, const measurement *m, size_t trial, int8_t *all,
                            spn_error *err)
{
    const spn_flip_target *target = m->target;
    const size_t replica = trial % target->replicas, apart = target->sites / target->members;
    int8_t *chosen = all + target->sites, *before = chosen + m->sites;
    spn_random random =
        spn_random_make(m->key, (uint32_t)trial, (uint32_t)replica, SPN_PURPOSE_USER);
    memcpy(all, target->weights + replica * target->sites, target->sites);
    for (size_t v = 0; v < target->members; v++)
        memcpy(before + v * m->count, all + v * apart + m->first, m->count);
    memcpy(chosen, before, m->sites);
    if (m->mode == SPN_FLIP_EXACT)
        flip_exact(chosen, before, m->sites, m->flips, &random);
    else if (m->mode == SPN_FLIP_DRAWS)
        flip_draws(chosen, m->sites, m->flips, &random);
    else
        flip_independent(chosen, m->sites, m->p, &random);
    for (size_t v = 0; v < target->members; v++)
        memcpy(all + v * apart + m->first, chosen + v * m->count, m->count);
    return target->correct(out, target->context, all, err);
}

/* Each count has its own place, so the order of threads does not matter. */
static spn_status run_trials(size_t *correct, const measurement *m, size_t trials, int8_t *scratch,
                             unsigned threads, spn_error *err)
{
    spn_status status = SPN_OK;
    spn_error first = {0};
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (unsigned w = 0; w < threads; w++) {
        spn_error error = {0};
        spn_status failed = SPN_OK;
        int8_t *own = scratch + w * (m->target->sites + 2 * m->sites);
        for (size_t t = w; t < trials && !failed; t += threads)
            failed = run_trial(correct + t, m, t, own, &error);
        if (failed) {
#pragma omp critical
            {
                status = failed;
                first = error;
            }
        }
    }
    if (status && err)
        *err = first;
    return status;
}

static spn_status check(const spn_flip_target *target, double p,
                        const spn_robustness_options *options, spn_error *err)
{
    const size_t replicas = target->replicas;
    if (!(p >= 0 && p <= 1))
        return spn_refuse(err, "the share of flipped weights is 0 to 1, not %g", p);
    if (replicas < 1 || replicas > 65535)
        return spn_refuse(err, "replicas are 1 to 65535, not %zu", replicas);
    if (options->trials < 2 * replicas || options->trials > UINT32_MAX)
        return spn_refuse(err, "the trials are spread over %zu replicas: %zu to %u, not %zu",
                          replicas, 2 * replicas, UINT32_MAX, options->trials);
    if (!spn_flip_mode_name(options->mode))
        return spn_refuse(err, "there is no way of flipping number %d", (int)options->mode);
    if (target->samples == 0 || target->sites > UINT32_MAX)
        return spn_refuse(err, "robustness: no data, or more than %u weights", UINT32_MAX);
    const size_t members = target->members, apart = members ? target->sites / members : 0;
    if (members < 1 || target->sites % members != 0)
        return spn_refuse(err, "robustness: %zu weights are no %zu members of equal size",
                          target->sites, members);
    if (options->first > apart || options->count > apart - options->first ||
        (options->first > 0 && options->count == 0))
        return spn_refuse(err,
                          "robustness: there are no %zu weights to flip from number %zu on: a "
                          "classifier has %zu",
                          options->count, options->first, apart);
    return SPN_OK;
}

static spn_status measure(spn_robustness *out, const measurement *m, size_t trials,
                          unsigned threads, spn_error *err)
{
    const spn_flip_target *target = m->target;
    size_t *correct = spn_alloc(trials, sizeof *correct);
    int8_t *scratch = spn_alloc(threads, target->sites + 2 * m->sites);
    const spn_status status = correct && scratch
                                  ? run_trials(correct, m, trials, scratch, threads, err)
                                  : spn_no_memory(err, "%zu trials of robustness", trials);
    if (!status)
        summarise(out, correct, trials, target->replicas, target->samples);
    SPN_FREE_ALL(correct, scratch);
    return status;
}

/* Whether all trials of a replica flip the same weights: none, or all. */
static bool is_one_way(const measurement *m)
{
    if (m->mode == SPN_FLIP_INDEPENDENT)
        return m->p == 0 || m->p == 1;
    return m->flips == 0 || (m->mode == SPN_FLIP_EXACT && m->flips == m->sites);
}

spn_status spn_robustness_of_sized(spn_robustness *out, size_t size,
                                   const spn_flip_target *given_target, double p,
                                   const spn_robustness_options *given, spn_error *err)
{
    spn_robustness_options options = spn_robustness_defaults();
    spn_flip_target target = spn_flip_target_defaults();
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_robustness_defaults", err));
    SPN_TRY(spn_sized_take(&target, sizeof target, given_target, "spn_flip_target_defaults", err));
    SPN_TRY(check(&target, p, &options, err));
    measurement m = {.target = &target,
                     .mode = options.mode,
                     .p = p,
                     .first = options.first,
                     .count = options.count ? options.count : target.sites / target.members,
                     .key = key_of(options.seed, p)};
    m.sites = target.members * m.count;
    m.flips = (size_t)llround(p * (double)m.sites);
    const size_t trials = is_one_way(&m) ? target.replicas : options.trials;
    const unsigned wanted = options.threads > 1 ? options.threads : 1;
    spn_robustness own = {.p = p, .trials = options.trials};
    SPN_TRY(measure(&own, &m, trials, wanted < trials ? wanted : (unsigned)trials, err));
    spn_sized_give(out, size, &own, sizeof own);
    return SPN_OK;
}

/* context: the model, whose weights are replaced, and the data. */
static spn_status softmax_correct(size_t *out, const void *context, const int8_t *weights,
                                  spn_error *err)
{
    const void *const *target = context;
    spn_softmax_model flipped = *(const spn_softmax_model *)target[0];
    flipped.weights = weights;
    return spn_softmax_correct(out, &flipped, target[1], err);
}

spn_status spn_robustness_measure_sized(spn_robustness *out, size_t size,
                                        const spn_softmax_model *model, size_t replicas,
                                        const spn_dataset *data, double p,
                                        const spn_robustness_options *options, spn_error *err)
{
    spn_softmax_model own = spn_softmax_model_defaults();
    SPN_TRY(spn_sized_take(&own, sizeof own, model, "spn_softmax_model_defaults", err));
    const void *const context[] = {&own, data};
    spn_flip_target target = spn_flip_target_defaults();
    target.context = context;
    target.correct = softmax_correct;
    target.weights = own.weights;
    target.replicas = replicas;
    target.members = own.votes > 1 ? own.votes : 1;
    target.sites = target.members * spn_softmax_model_sites(&own);
    target.samples = data->samples;
    return spn_robustness_of_sized(out, size, &target, p, options, err);
}
