/* Accuracy under flipped weights. */
#include <spinney/robustness.h>

#include "base/memory.h"
#include "base/text.h"
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

/* ---- which cells a trial chooses: weights or, if rows fail, rows ---- */

static void choose_independent(int8_t *chosen, size_t cells, double p, spn_random *random)
{
    for (size_t c = 0; c < cells; c++)
        chosen[c] = spn_random_uniform(random) < p;
}

/* Floyd's choice of `count` cells without repetition (doi:10.1145/30401.315746). */
static void choose_exact(int8_t *chosen, size_t cells, size_t count, spn_random *random)
{
    for (size_t j = cells - count; j < cells; j++) {
        const size_t cell = spn_random_below(random, (uint32_t)(j + 1));
        chosen[chosen[cell] ? j : cell] = 1;
    }
}

static void choose_draws(int8_t *chosen, size_t cells, size_t draws, spn_random *random)
{
    for (size_t j = 0; j < draws; j++)
        chosen[spn_random_below(random, (uint32_t)cells)] ^= 1;
}

typedef struct measurement {
    const spn_flip_target *target;
    spn_fault_model faults;
    spn_flip_mode mode;
    double p;
    size_t first, count;     /* weights of each member that may be chosen */
    size_t first_cell, each; /* the cells of a member: the first, and how many */
    size_t cells;            /* N: of all members */
    size_t flips;            /* round(p N), halves up: for SPN_FLIP_EXACT and SPN_FLIP_DRAWS */
    uint64_t key;
} measurement;

/* Where row r of a member starts. */
static size_t row_start(const spn_flip_target *t, size_t r)
{
    return r < t->units ? r * t->unit_row : t->units * t->unit_row + (r - t->units) * t->row;
}

/* The row that starts at a weight of a member; SIZE_MAX: none. */
static size_t row_at(const spn_flip_target *t, size_t weight)
{
    const size_t outputs = t->units * t->unit_row;
    const size_t r =
        weight < outputs ? weight / t->unit_row : t->units + (weight - outputs) / t->row;
    return row_start(t, r) == weight ? r : SIZE_MAX;
}

/* Change the weights of a chosen cell of a member. */
static void strike(int8_t *member, const measurement *m, size_t cell, spn_random *random)
{
    const spn_fault_model *f = &m->faults;
    const size_t at = f->rows ? row_start(m->target, cell) : cell;
    const size_t end = f->rows ? row_start(m->target, cell + 1) : cell + 1;
    for (size_t i = at; i < end; i++) {
        const double share = member[i] > 0 ? f->fall : f->rise;
        if (share >= 1 || (share > 0 && spn_random_uniform(random) < share))
            member[i] = (int8_t)-member[i];
    }
}

/* Right predictions of a trial. all: room for the weights of the replica, then for a mark of each
   cell. */
static spn_status run_trial(size_t *out, const measurement *m, size_t trial, int8_t *all,
                            spn_error *err)
{
    const spn_flip_target *target = m->target;
    const size_t replica = trial % target->replicas, apart = target->sites / target->members;
    int8_t *chosen = all + target->sites;
    spn_random random =
        spn_random_make(m->key, (uint32_t)trial, (uint32_t)replica, SPN_PURPOSE_USER);
    memcpy(all, target->weights + replica * target->sites, target->sites);
    memset(chosen, 0, m->cells);
    if (m->mode == SPN_FLIP_EXACT)
        choose_exact(chosen, m->cells, m->flips, &random);
    else if (m->mode == SPN_FLIP_DRAWS)
        choose_draws(chosen, m->cells, m->flips, &random);
    else
        choose_independent(chosen, m->cells, m->p, &random);
    for (size_t c = 0; c < m->cells; c++)
        if (chosen[c])
            strike(all + c / m->each * apart, m, m->first_cell + c % m->each, &random);
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
        int8_t *own = scratch + w * (m->target->sites + m->cells);
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
    SPN_REFUSE_IF(!(p >= 0 && p <= 1), err, "the share of flipped weights is 0 to 1, not %g", p);
    SPN_REFUSE_IF(replicas < 1 || replicas > 65535, err, "replicas are 1 to 65535, not %zu",
                  replicas);
    SPN_REFUSE_IF(options->trials < 2 * replicas || options->trials > UINT32_MAX, err,
                  "the trials are spread over %zu replicas: %zu to %u, not %zu", replicas,
                  2 * replicas, UINT32_MAX, options->trials);
    SPN_REFUSE_IF(!spn_flip_mode_name(options->mode), err, "there is no way of flipping number %d",
                  (int)options->mode);
    SPN_REFUSE_IF(target->samples == 0 || target->sites > UINT32_MAX, err,
                  "robustness: no data, or more than %u weights", UINT32_MAX);
    const size_t members = target->members, apart = members ? target->sites / members : 0;
    SPN_REFUSE_IF(members < 1 || target->sites % members != 0, err,
                  "robustness: %zu weights are no %zu members of equal size", target->sites,
                  members);
    SPN_REFUSE_IF(options->first > apart || options->count > apart - options->first ||
                      (options->first > 0 && options->count == 0),
                  err,
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
    int8_t *scratch = spn_alloc(threads, target->sites + m->cells);
    const spn_status status = correct && scratch
                                  ? run_trials(correct, m, trials, scratch, threads, err)
                                  : spn_no_memory(err, "%zu trials of robustness", trials);
    if (!status)
        summarise(out, correct, trials, target->replicas, target->samples);
    SPN_FREE_ALL(correct, scratch);
    return status;
}

/* Whether all trials of a replica change the same weights. */
static bool is_one_way(const measurement *m)
{
    const spn_fault_model *f = &m->faults;
    const bool certain = (f->rise == 0 || f->rise == 1) && (f->fall == 0 || f->fall == 1);
    if (m->mode == SPN_FLIP_INDEPENDENT)
        return m->p == 0 || (m->p == 1 && certain);
    return m->flips == 0 || (m->mode == SPN_FLIP_EXACT && m->flips == m->cells && certain);
}

static bool is_share(double x)
{
    return x >= 0 && x <= 1;
}

/* Check the fault model, and count the cells that it may strike. */
static spn_status take_cells(measurement *m, spn_error *err)
{
    const spn_fault_model *f = &m->faults;
    m->first_cell = m->first;
    m->each = m->count;
    if (!is_share(f->rise) || !is_share(f->fall) || f->rows > 1)
        return spn_refuse(err, "robustness: a fault model has shares of 0 to 1, not %g and %g",
                          f->rise, f->fall);
    if (m->mode == SPN_FLIP_DRAWS && f->rise + f->fall < 2)
        return spn_refuse(err, "draws flip what they draw: use them with flips or rows");
    if (f->rows && !m->target->row)
        return spn_refuse(err, "robustness: these weights have no rows");
    if (f->rows) {
        const size_t end = row_at(m->target, m->first + m->count);
        m->first_cell = row_at(m->target, m->first);
        if (m->first_cell == SIZE_MAX || end == SIZE_MAX)
            return spn_refuse(err, "robustness: %zu weights from number %zu on are not whole rows",
                              m->count, m->first);
        m->each = end - m->first_cell;
    }
    m->cells = m->target->members * m->each;
    m->flips = (size_t)llround(m->p * (double)m->cells);
    return SPN_OK;
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
                     .faults = spn_fault_model_whole(options.faults),
                     .mode = options.mode,
                     .p = p,
                     .first = options.first,
                     .count = options.count ? options.count : target.sites / target.members,
                     .key = key_of(options.seed, p)};
    SPN_TRY(take_cells(&m, err));
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
    flipped.packed = NULL;
    return spn_softmax_correct(out, &flipped, target[1], err);
}

spn_status spn_robustness_measure_sized(spn_robustness *out, size_t size,
                                        const spn_softmax_model *model, size_t replicas,
                                        const spn_dataset *data, double p,
                                        const spn_robustness_options *options, spn_error *err)
{
    spn_softmax_model own = spn_softmax_model_defaults();
    SPN_TRY(spn_sized_take(&own, sizeof own, model, "spn_softmax_model_defaults", err));
    SPN_REFUSE_IF(!own.weights, err, "robustness: weights are needed, one byte each");
    const void *const context[] = {&own, data};
    spn_flip_target target = spn_flip_target_defaults();
    target.context = context;
    target.correct = softmax_correct;
    target.replicas = replicas;
    spn_flip_target_shape(&target, &own);
    target.samples = data->samples;
    return spn_robustness_of_sized(out, size, &target, p, options, err);
}
