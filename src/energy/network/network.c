/* The energy network: making the problem. */
#include "energy/network/network.h"

#include "base/memory.h"
#include "base/try.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond STEEPEST, shares that matter are no floats; beyond STEEP, the rounding of shares near 1
   matters in the others. */
static const double STEEPEST = 16, STEEP = 0.3;

static const spn_network_loops *loops_of(spn_isa isa)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX512)
        return spn_cpu_packs_bytes() ? &spn_network_loops_packing : &spn_network_loops_avx512;
    if (isa >= SPN_ISA_AVX2)
        return &spn_network_loops_avx2;
#endif
    (void)isa;
    return &spn_network_loops_portable;
}

void spn_network_destroy(spn_energy *self)
{
    spn_network *p = (spn_network *)self;
    if (!p)
        return;
    SPN_FREE_ALL(p->bits, p->rows, p->bytes, p->input_sum, p->all_ones, p->parts,
                 p->position_weight, p->narrow, p->drift, p->weight, p->table.means,
                 p->table.middle, p->power, p);
}

/* ---- sizes ---- */

size_t spn_network_sites(size_t inputs, size_t classes, const spn_network_options *options)
{
    const double row = (double)inputs + (double)options->hidden_bias;
    const double output_row = (double)options->hidden + (double)options->bias;
    const double sites = (double)options->hidden * row + (double)classes * output_row;
    return sites > UINT32_MAX ? 0
                              : options->hidden * (inputs + options->hidden_bias) +
                                    classes * (options->hidden + options->bias);
}

/* Bytes of a record before its shares, and of all of it: lines, or equal parts of one. */
static size_t shares_at(size_t classes)
{
    return (2 * classes + 3) / 4 * 4;
}

static size_t record_of(size_t classes)
{
    const size_t needed = shares_at(classes) + 4 * classes;
    return needed <= 16 ? 16 : needed <= 32 ? 32 : (needed + 63) / 64 * 64;
}

void spn_network_memory(uint64_t *shared, uint64_t *each, size_t samples, size_t inputs,
                        size_t classes, const spn_network_options *options)
{
    const uint64_t positions = (uint64_t)samples + 32 * classes; /* half a word of padding each */
    const uint64_t words = positions / 64 + 1, hidden = options->hidden;
    const uint64_t row_words = (inputs + 63) / 64;
    *shared = (words * inputs + positions * row_words) * 8;
    *each = options->faults > 0
                ? positions * (2 * hidden + 4 * classes + 22)
                : positions * (2 * hidden + record_of(classes) + 8 + 4) + 3 * 8 * words * hidden;
}

/* ---- checks ---- */

static spn_status check_options(const spn_network_options *o, spn_error *err)
{
    if (o->hidden < 1 || o->hidden > SPN_MOST_HIDDEN)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "network: 1 to %d hidden units, not %zu",
                        SPN_MOST_HIDDEN, o->hidden);
    if (o->bias > SPN_NETWORK_MOST_SUM / 2 || o->hidden_bias > SPN_NETWORK_MOST_SUM / 2)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "network: a bias has at most %d weights",
                        SPN_NETWORK_MOST_SUM / 2);
    if (!(o->logit_scale > 0) || o->logit_scale > STEEPEST)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: the logit scale is %g, expected more than 0, up to %g",
                        o->logit_scale, STEEPEST);
    if (!(o->faults >= 0) || o->faults > SPN_MOST_FAULTS)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: the share of faults is %g, expected 0 to %g", o->faults,
                        SPN_MOST_FAULTS);
    if (o->faults > 0 && o->fault_model.rows)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: units expect faults of weights, not of rows, whose mean is the "
                        "unit's sign times 1-2p");
    if (!(o->margin >= 0) || o->margin > fmin(SPN_MOST_MARGIN, SPN_SMOOTH_ONE * o->logit_scale) ||
        (o->margin > 0 && o->faults == 0))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: the margin is %g, expected 0 to %g, and 0 without faults",
                        o->margin, fmin(SPN_MOST_MARGIN, SPN_SMOOTH_ONE * o->logit_scale));
    if (o->faults > 0 && o->logit_scale > SPN_MOST_FAULTY_SCALE)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: the logit scale is %g, expected at most %g for units that expect "
                        "faults",
                        o->logit_scale, SPN_MOST_FAULTY_SCALE);
    return SPN_OK;
}

/* By how much a unit's sum moves under faults, for each 1 among its inputs. */
static double drift_of(const spn_network_options *o)
{
    const spn_fault_moments faults = spn_fault_moments_of(&o->fault_model, o->faults);
    return faults.drift / faults.keep;
}

static spn_status check_data(const spn_dataset *train, const spn_network_options *o, spn_error *err)
{
    if (!train->samples || !train->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "network: the training set is empty");
    if (!train->bytes)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: inputs are bits or bytes, not real numbers: make them binary or "
                        "use a thermometer");
    if (!train->labels || train->classes < 2)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: the training set needs labels of at least 2 classes");
    if (train->samples > UINT32_MAX / 64 || train->features > UINT32_MAX ||
        !spn_network_sites(train->features, train->classes, o))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "network: %zu samples of %zu inputs with %zu units are too many",
                        train->samples, train->features, o->hidden);
    const double moved = o->faults > 0 ? 1 + fabs(drift_of(o)) : 1;
    for (size_t n = 0; n < train->samples; n++) {
        size_t sum = o->hidden_bias;
        for (size_t i = 0; i < train->features; i++)
            sum += train->bytes[n * train->features + i];
        if (moved * (double)sum > SPN_NETWORK_MOST_SUM)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "network: the inputs of sample %zu add up to %zu, expected at most %d: "
                            "make them binary or use a thermometer",
                            n, sum, SPN_NETWORK_MOST_SUM);
        if (train->labels[n] >= train->classes)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "network: sample %zu has label %u, expected 0 to %u", n,
                            (unsigned)train->labels[n], (unsigned)(train->classes - 1));
    }
    return SPN_OK;
}

/* ---- positions ---- */

static spn_status make_parts(spn_network *p, const spn_dataset *train, const double *weights,
                             spn_error *err)
{
    size_t positions;
    p->parts = spn_class_parts(&p->part_count, &positions, train, true, weights);
    if (!p->parts)
        return spn_no_memory(err, "%u classes", (unsigned)p->classes);
    p->words = positions / SPN_NETWORK_WORD;
    for (size_t j = 0; j < p->part_count; j++) {
        const double weight = p->parts[j].weight;
        if (!(weight > 0) || !isfinite(weight))
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "network: class %u has weight %g, expected a positive number",
                            (unsigned)p->parts[j].label, weight);
        p->total += weight * (double)p->parts[j].samples;
        p->weighted |= weight != 1;
    }
    return SPN_OK;
}

/* Weights of samples, times those of their classes. */
static bool take_weights(spn_network *p, const spn_dataset *train, const double *class_weights,
                         const uint32_t *position)
{
    if (!train->weights)
        return true;
    p->position_weight = spn_alloc(SPN_NETWORK_WORD * p->words, sizeof *p->position_weight);
    if (!p->position_weight)
        return false;
    const int power = spn_dataset_weight_power(train, class_weights);
    p->total = 0;
    for (size_t n = 0; n < train->samples; n++) {
        const double weight = spn_dataset_scaled_weight(train, n, class_weights, power);
        p->position_weight[position[n]] = weight;
        p->total += weight;
    }
    return true;
}

/* ---- inputs ---- */

static bool all_bits(const spn_dataset *train)
{
    for (size_t j = 0; j < train->samples * train->features; j++) {
        if (train->bytes[j] > 1)
            return false;
    }
    return true;
}

static void store_bits(spn_network *p, const spn_dataset *train, const uint32_t *position)
{
    for (size_t n = 0; n < p->samples; n++) {
        const uint8_t *input = train->bytes + n * p->inputs;
        const size_t at = position[n];
        uint64_t *row = p->rows + at * p->row_words, *word = p->bits + at / SPN_NETWORK_WORD;
        const uint64_t bit = 1ull << at % SPN_NETWORK_WORD;
        for (size_t i = 0; i < p->inputs; i++) {
            if (input[i]) {
                row[i / 64] |= 1ull << i % 64;
                word[i * p->words] |= bit;
            }
        }
        word[p->inputs * p->words] |= bit;
        for (size_t w = 0; w < p->row_words; w++)
            p->input_sum[at] = (int16_t)(p->input_sum[at] + __builtin_popcountll(row[w]));
    }
}

static void store_bytes(spn_network *p, const spn_dataset *train, const uint32_t *position)
{
    const size_t positions = SPN_NETWORK_WORD * p->words;
    for (size_t n = 0; n < p->samples; n++) {
        for (size_t i = 0; i < p->inputs; i++)
            p->bytes[i * positions + position[n]] = train->bytes[n * p->inputs + i];
        p->bytes[p->inputs * positions + position[n]] = 1;
    }
}

static spn_status store(spn_network *p, const spn_dataset *train, const double *class_weights,
                        bool as_bytes, spn_error *err)
{
    uint32_t *position = spn_part_positions(p->parts, p->part_count, train);
    const bool bits = !as_bytes && all_bits(train);
    p->row_words = (p->inputs + 63) / 64;
    if (bits) {
        p->bits = spn_alloc(p->inputs + 1, p->words * sizeof *p->bits);
        p->rows = spn_alloc(SPN_NETWORK_WORD * p->words, p->row_words * sizeof *p->rows);
        p->input_sum = spn_alloc(SPN_NETWORK_WORD * p->words, sizeof *p->input_sum);
    } else {
        p->bytes = spn_alloc(p->inputs + 1, SPN_NETWORK_WORD * p->words);
    }
    p->all_ones = spn_alloc(p->words, sizeof *p->all_ones);
    const bool room = position && take_weights(p, train, class_weights, position) && p->all_ones &&
                      (bits ? p->bits && p->rows && p->input_sum : p->bytes != NULL);
    if (room)
        memset(p->all_ones, 0xff, p->words * sizeof *p->all_ones);
    if (room && bits)
        store_bits(p, train, position);
    else if (room)
        store_bytes(p, train, position);
    free(position);
    return room ? SPN_OK : spn_no_memory(err, "%zu x %zu inputs", p->samples, p->inputs);
}

/* ---- the law ---- */

/* Losses are integers in units so small that their sum just fits. */
static int fraction_bits(const spn_network *p)
{
    const double highest = 2 * p->logit_scale * (double)p->output_row + log((double)p->classes) + 1;
    const int needed = ilogb(highest * (double)p->samples) + 1;
    return needed > 61 - 40 ? 61 - needed : 40;
}

static spn_status make_law(spn_network *p, spn_error *err)
{
    const double s = p->logit_scale;
    p->power = spn_alloc(p->output_row + 1, sizeof *p->power);
    if (!p->power)
        return spn_no_memory(err, "%zu units", p->hidden);
    for (size_t d = 0; d <= p->output_row; d++)
        p->power[d] = exp(-2 * s * (double)d);
    p->law = (spn_network_law){.classes = p->classes,
                               .record = record_of(p->classes),
                               .shares_at = shares_at(p->classes),
                               .power = p->power,
                               .logit_scale = s,
                               .loss_scale = ldexp(1, fraction_bits(p))};
    assert(p->law.record % 16 == 0 && p->law.shares_at + 4 * p->classes <= p->law.record);
    p->steep = s > STEEP;
    p->gain[0] = exp(-2 * s);
    p->gain[1] = exp(2 * s);
    p->most_factors = (size_t)fmin(fmax(600 / (2 * s), 1), SPN_NETWORK_MOST_FACTORS);
    return SPN_OK;
}

/* ---- the whole ---- */

static spn_status build(spn_network *p, const spn_dataset *train, const spn_network_options *o,
                        bool as_bytes, spn_error *err)
{
    SPN_TRY(make_parts(p, train, o->class_weights, err));
    SPN_TRY(store(p, train, o->class_weights, as_bytes, err));
    SPN_TRY(make_law(p, err));
    p->base.cache_size = spn_network_cache_size(p);
    if (o->faults > 0 &&
        !spn_network_expect_faults(p, spn_fault_moments_of(&o->fault_model, o->faults)))
        return spn_no_memory(err, "%zu samples", p->samples);
    return SPN_OK;
}

spn_status spn_network_create_by(spn_energy **out, const spn_dataset *train,
                                 const spn_network_options *options, bool as_bytes, spn_isa isa,
                                 spn_error *err)
{
    spn_network_options o = spn_network_options_defaults();
    *out = NULL;
    spn_status status;
    SPN_TRY(spn_sized_take(&o, sizeof o, options, "spn_network_options_defaults", err));
    SPN_TRY(check_options(&o, err));
    if (train->copies) { /* which units see as any other inputs */
        spn_dataset *whole = NULL;
        SPN_TRY(spn_dataset_first(&whole, train, train->samples, err));
        status = spn_network_create_by(out, whole, &o, as_bytes, isa, err);
        spn_dataset_free(whole);
        return status;
    }
    SPN_TRY(check_data(train, &o, err));
    spn_network *p = spn_alloc(1, sizeof *p);
    if (!p)
        return spn_no_memory(err, "a network");
    *p = (spn_network){.base = {.slots = &spn_network_slots,
                                .sites = spn_network_sites(train->features, train->classes, &o)},
                       .loops = loops_of(isa),
                       .samples = train->samples,
                       .inputs = train->features,
                       .row = train->features + o.hidden_bias,
                       .hidden = o.hidden,
                       .output_row = o.hidden + o.bias,
                       .first_output = o.hidden * (train->features + o.hidden_bias),
                       .classes = train->classes,
                       .logit_scale = o.logit_scale,
                       .tied = o.tied > 0,
                       .margin = (int32_t)lrint(o.margin / o.logit_scale * SPN_SMOOTH_ONE)};
    status = build(p, train, &o, as_bytes, err);
    if (status)
        spn_network_destroy(&p->base);
    else
        *out = &p->base;
    return status;
}

spn_status spn_network_create(spn_energy **out, const spn_dataset *train,
                              const spn_network_options *options, spn_error *err)
{
    return spn_network_create_by(out, train, options, false, spn_cpu_isa(), err);
}
