/* The energy softmax: making the problem, and choosing how it is computed. */
#include "energy/softmax/softmax.h"

#include "base/memory.h"
#include "base/try.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fast path takes changes of a logit up to this size, and is `narrow` beyond the second. */
static const double WIDEST = 12.0, WIDE = 8.0, STEEPEST = 80.0;

const spn_softmax_kernels *spn_softmax_select(spn_isa isa)
{
#if defined(__x86_64__)
    if (isa >= SPN_ISA_AVX512)
        return &spn_softmax_avx512;
    if (isa >= SPN_ISA_AVX2)
        return &spn_softmax_avx2;
#endif
    (void)isa;
    return &spn_softmax_portable;
}

void spn_softmax_destroy(spn_energy *self)
{
    spn_softmax *p = (spn_softmax *)self;
    if (!p)
        return;
    SPN_FREE_ALL(p->bytes, p->values, p->wide, p->float_weight, p->partner, p->column, p->nonzero,
                 p->labels, p->slope, p->origin, p->label_sum, p->max_change, p->gains, p->factor,
                 p->class_weight, p->sample_weight, p->parts, p);
}

static spn_status check_data(const spn_dataset *train, const spn_scaling *scaling, size_t bias,
                             spn_error *err)
{
    if (!train->samples || !train->features || (!train->bytes && !train->values))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "softmax: the training set is empty");
    if (!train->labels || train->classes < 2)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "softmax: the training set needs labels of at least 2 classes");
    if (scaling->features != train->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "softmax: the scaling has %zu features, the training set %zu",
                        scaling->features, train->features);
    if (train->features > UINT32_MAX / train->classes || train->samples > UINT32_MAX / 64 ||
        bias > UINT32_MAX / train->classes - train->features)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "softmax: %zu x %zu with %u classes is too large",
                        train->samples, train->features, (unsigned)train->classes);
    for (size_t n = 0; n < train->samples; n++) {
        if (train->labels[n] >= train->classes)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "softmax: sample %zu has label %u, expected 0 to %u", n,
                            (unsigned)train->labels[n], (unsigned)(train->classes - 1));
    }
    return SPN_OK;
}

static spn_status check_scaling(const spn_scaling *scaling, double logit_scale, spn_error *err)
{
    if (!(logit_scale > 0) || !isfinite(logit_scale))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "softmax: the logit scale is %g, expected a positive number", logit_scale);
    for (size_t i = 0; i < scaling->features; i++) {
        if (!isfinite(scaling->shift[i]) || !isfinite(scaling->scale[i]) || scaling->scale[i] == 0)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "softmax: the scaling of feature %zu is not finite or has scale 0", i);
    }
    return SPN_OK;
}

/* ---- weights of classes and samples ---- */

spn_status spn_softmax_balance(double *out, const spn_dataset *train, spn_error *err)
{
    if (!train->labels)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "softmax: data without labels have no classes");
    size_t *count = spn_class_counts(train), present = 0;
    if (!count)
        return spn_no_memory(err, "%u classes", (unsigned)train->classes);
    for (uint32_t k = 0; k < train->classes; k++)
        present += count[k] > 0;
    for (uint32_t k = 0; k < train->classes; k++)
        out[k] = count[k] ? (double)train->samples / ((double)present * (double)count[k]) : 1;
    free(count);
    return SPN_OK;
}

static spn_status take_weights(spn_softmax *p, const spn_dataset *train, const double *weights,
                               spn_error *err)
{
    p->total = (double)train->samples;
    if (!weights)
        return SPN_OK;
    p->class_weight = spn_alloc(p->classes, sizeof *p->class_weight);
    if (!p->class_weight)
        return spn_no_memory(err, "%u classes", (unsigned)p->classes);
    memcpy(p->class_weight, weights, p->classes * sizeof *weights);
    p->total = 0;
    for (size_t n = 0; n < train->samples; n++) {
        const double weight = weights[train->labels[n]];
        if (!(weight > 0) || !isfinite(weight))
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "softmax: class %u has weight %g, expected a positive number",
                            (unsigned)train->labels[n], weight);
        p->total += weight;
    }
    return SPN_OK;
}

/* Weights of samples, times those of their classes; positions are then in their order. Rounded
   features take weights as floats. */
static spn_status take_sample_weights(spn_softmax *p, const spn_dataset *train, bool rounded,
                                      spn_error *err)
{
    if (!train->weights && !(rounded && p->class_weight))
        return SPN_OK;
    p->sample_weight = spn_alloc(train->samples, sizeof *p->sample_weight);
    if (!p->sample_weight)
        return spn_no_memory(err, "%zu weights", train->samples);
    const int power = train->weights ? spn_dataset_weight_power(train, p->class_weight) : 0;
    p->total = 0;
    for (size_t n = 0; n < train->samples; n++) {
        const double weight = train->weights
                                  ? spn_dataset_scaled_weight(train, n, p->class_weight, power)
                                  : p->class_weight[train->labels[n]];
        p->sample_weight[n] = rounded ? (double)fmaxf((float)weight, FLT_MIN) : weight;
        p->total += p->sample_weight[n];
    }
    return SPN_OK;
}

/* ---- columns ---- */

static bool allocate(spn_softmax *p, const spn_dataset *train, bool rounded)
{
    const size_t of_data = spn_dataset_stored(train);
    p->columns = of_data + (p->features > train->features);
    p->column = spn_alloc(p->features, sizeof *p->column);
    /* vector code may read three bytes past the last column */
    p->nonzero_step = p->stride / SPN_SOFTMAX_PAD / 64 + 2;
    if (rounded) {
        p->wide = spn_alloc(p->columns, p->stride * sizeof *p->wide);
        p->float_weight = spn_alloc(p->stride, sizeof *p->float_weight);
    } else if (train->bytes) {
        p->bytes = spn_alloc(p->columns * p->stride + SPN_SOFTMAX_PAD, 1);
        p->nonzero = spn_alloc(p->columns + 1, p->nonzero_step * sizeof *p->nonzero);
    } else {
        p->values = spn_alloc(p->columns, p->stride * sizeof(double));
    }
    p->labels = spn_alloc(p->stride, sizeof *p->labels);
    for (size_t i = 0; p->column && i < p->features; i++)
        p->column[i] = i < train->features ? spn_dataset_stored_at(train, i) : of_data;
    return ((p->bytes && p->nonzero) || p->values || (p->wide && p->float_weight)) && p->column &&
           p->labels;
}

static bool allocate_numbers(spn_softmax *p)
{
    const size_t features = p->features;
    p->slope = spn_alloc(features, sizeof *p->slope);
    p->origin = spn_alloc(features, sizeof *p->origin);
    p->max_change = spn_alloc(features, sizeof *p->max_change);
    p->label_sum = spn_alloc(p->classes, features * sizeof *p->label_sum);
    return p->slope && p->origin && p->max_change && p->label_sum;
}

/* Transpose in tiles, so that reads and writes both stay within a few cache lines. The column of
   the bias stays zero. */
static void copy_columns(spn_softmax *p, const spn_dataset *train, const uint32_t *position)
{
    enum { TILE = 64 };
    const size_t lanes = p->kernels->lanes, columns = spn_dataset_stored(train);
    for (size_t tile = 0; tile < p->samples; tile += TILE) {
        const size_t end = tile + TILE < p->samples ? tile + TILE : p->samples;
        for (size_t i = 0; i < columns; i++) {
            for (size_t n = tile; n < end; n++) {
                const size_t at = position[n], group = at / (4 * lanes) * (4 * lanes);
                const size_t within = at - group;
                if (p->values)
                    p->values[i * p->stride + at] = train->values[n * columns + i];
                else
                    p->bytes[i * p->stride + group + 4 * (within % lanes) + within / lanes] =
                        train->bytes[n * columns + i];
            }
        }
    }
    for (size_t n = 0; n < p->samples; n++)
        p->labels[position[n]] = train->labels[n];
}

/* Mark the groups of positions that have a byte other than 0. */
static void mark_nonzero(spn_softmax *p)
{
    static const uint8_t blank[SPN_SOFTMAX_PAD];
    assert(p->stride % SPN_SOFTMAX_PAD == 0 && p->nonzero_step * 64 * SPN_SOFTMAX_PAD > p->stride);
    for (size_t i = 0; i < p->columns; i++) {
        uint64_t *row = p->nonzero + i * p->nonzero_step;
        for (size_t group = 0; group < p->stride / SPN_SOFTMAX_PAD; group++) {
            const uint8_t *bytes = p->bytes + i * p->stride + group * SPN_SOFTMAX_PAD;
            if (memcmp(bytes, blank, sizeof blank) != 0)
                row[group / 64] |= (uint64_t)1 << group % 64;
        }
    }
}

static spn_status store(spn_softmax *p, const spn_dataset *train, spn_error *err)
{
    uint32_t *position = NULL;
    const bool room = allocate(p, train, false) &&
                      (position = spn_part_positions(p->parts, p->part_count, train));
    if (room)
        copy_columns(p, train, position);
    if (room && p->bytes)
        mark_nonzero(p);
    free(position);
    return room ? SPN_OK : spn_no_memory(err, "%zu x %zu features", p->samples, p->features);
}

static bool all_equal(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (values[i] != values[0])
            return false;
    }
    return true;
}

/* The bias adds W s for any slope; with that of the features integer logits stay small. */
static void set_slopes(spn_softmax *p, const spn_scaling *scaling, double logit_scale)
{
    const size_t features = scaling->features;
    for (size_t i = 0; i < features; i++) {
        p->slope[i] = logit_scale / scaling->scale[i];
        p->origin[i] = p->slope[i] * scaling->shift[i];
    }
    const double slope = all_equal(p->slope, features) ? p->slope[0] : 0;
    for (size_t i = features; i < p->features; i++) {
        p->slope[i] = slope;
        p->origin[i] = -logit_scale;
    }
}

/* What sample n adds to label sums, and how far its logits can go; NaN if a feature is not
   finite. */
static double measure_sample(spn_softmax *p, const spn_dataset *train, size_t n, spn_error *err)
{
    double *sum = p->label_sum + train->labels[n] * p->features, reach = 0;
    double weight = p->class_weight ? p->class_weight[train->labels[n]] : 1;
    if (p->sample_weight)
        weight = p->sample_weight[n];
    for (size_t i = 0; i < p->features; i++) {
        const double x = i < train->features ? spn_dataset_cell(train, n, i) : 0;
        const double part = p->slope[i] * x - p->origin[i];
        sum[i] += weight * part;
        reach += fabs(part);
        p->max_change[i] = fmax(p->max_change[i], 2 * fabs(part));
        if (!isfinite(part)) {
            char shown[SPN_FEATURE_SHOWN];
            spn_fail(err, SPN_ERROR_ARGUMENT,
                     "softmax: %s of sample %zu is not finite once scaled; rescale it",
                     spn_dataset_feature_shown(shown, train, i), n + 1);
            return NAN;
        }
    }
    return reach;
}

/* Beyond, differences of logits lose the digits that are promised. */
static spn_status check_reach(double reach, spn_error *err)
{
    if (!(reach > 1e8))
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "softmax: logits reach %g, expected at most 1e8: check the scaling", reach);
}

/* Label sums and the largest changes. */
static spn_status measure(spn_softmax *p, const spn_dataset *train, spn_error *err)
{
    double highest = 0;
    for (size_t n = 0; n < p->samples; n++) {
        const double reach = measure_sample(p, train, n, err);
        if (isnan(reach))
            return SPN_ERROR_ARGUMENT;
        highest = fmax(highest, reach);
    }
    for (size_t i = 0; i < p->features; i++) {
        p->widest = fmax(p->widest, p->max_change[i]);
        p->reach += fabs(p->slope[i]) * (train->bytes ? 255 : 0) + fabs(p->origin[i]);
    }
    return check_reach(fmax(highest, p->reach), err);
}

/* ---- tables of the fast path ---- */

/* The entries of bytes that do not occur must be finite floats all the same. */
static float gain_entry(double exponent)
{
    return (float)exp(fmax(-STEEPEST, fmin(exponent, STEEPEST)));
}

static void fill_gain(spn_gain *gain, double slope, double origin, double sign)
{
    for (int j = 0; j < 16; j++) {
        gain->low[j] = gain_entry(sign * slope * j);
        gain->high[j] = gain_entry(sign * (slope * 16 * j - origin));
    }
    for (int j = 0; j < 8; j++) {
        gain->middle[j] = gain_entry(sign * slope * 8 * j);
        gain->top[j] = gain_entry(sign * (slope * 64 * (j % 4) - origin));
    }
}

/* Of all features together, or of each. */
static bool prepare_gains(spn_softmax *p, bool together)
{
    const size_t kinds = together ? 1 : p->features;
    p->gain_step = together ? 0 : 2;
    p->gains = spn_alloc(kinds, 2 * sizeof *p->gains);
    for (size_t i = 0; p->gains && i < kinds; i++) {
        fill_gain(&p->gains[2 * i], p->slope[i], p->origin[i], -2);
        fill_gain(&p->gains[2 * i + 1], p->slope[i], p->origin[i], 2);
    }
    return p->gains != NULL;
}

/* Gains, and integer logits: with one slope for all features they are sums of W x; else each slope
   is rounded to a multiple of a power of 2 so small that sums stay below 2^50. */
static bool prepare_fast(spn_softmax *p)
{
    const double log2_e = 1.44269504088896340736;
    p->narrow = p->widest > WIDE;
    p->limit = fmax(p->widest, WIDE); /* of moves, which may change several spins */
    p->widest = (p->wide ? p->limit : p->widest) * log2_e;
    if (!p->wide) {
        const bool one_slope = all_equal(p->slope, p->features);
        const bool small = p->features < (1 << 24) / 255 && p->reach * log2_e < 0x1p20;
        if (!prepare_gains(p, one_slope && all_equal(p->origin, p->features)))
            return false;
        p->unit = p->slope[0] * log2_e;
        if (one_slope && small)
            return true;
    }
    p->factor = spn_alloc(p->features, sizeof *p->factor);
    if (!p->factor)
        return false;
    const int digits = 49 - ilogb(p->reach);
    assert(p->reach > 0 && p->reach <= 1e8);
    for (size_t i = 0; i < p->features; i++)
        p->factor[i] = llrint(ldexp(p->slope[i], digits));
    p->unit = ldexp(log2_e, -digits);
    return true;
}

/* The factors of a gain must be floats, for every byte up to the largest that occurs in its
   feature: others are never looked up. */
static bool fast_is_possible(const spn_softmax *p, const spn_dataset *train)
{
    double steepest = 0;
    const size_t columns = spn_dataset_stored(train);
    for (size_t i = 0; train->bytes && i < train->features; i++) {
        uint8_t largest = 0;
        for (size_t n = 0; n < train->samples; n++) {
            const uint8_t byte = train->bytes[n * columns + spn_dataset_stored_at(train, i)];
            largest = byte > largest ? byte : largest;
        }
        steepest = fmax(steepest, 2 * (fabs(p->slope[i]) * largest + fabs(p->origin[i])));
    }
    for (size_t i = train->features; i < p->features; i++)
        steepest = fmax(steepest, 2 * (fabs(p->slope[i]) + fabs(p->origin[i])));
    return train->bytes && !train->weights && p->widest <= WIDEST && steepest < STEEPEST;
}

/* ---- the whole ---- */

static void finish(spn_softmax *p, bool fast)
{
    p->base.slots = fast ? &spn_softmax_fast_ops : &spn_softmax_plain_ops;
    p->base.sites = p->classes * p->features;
    p->base.accuracy = 0x1p-12; /* twice what the sums of a sample may be off, see fast.c */
    p->base.cache_size = fast ? spn_softmax_fast_cache_size(p) : spn_softmax_plain_cache_size(p);
}

static spn_status build_rounded(spn_softmax *p, const spn_dataset *train, spn_error *err)
{
    double highest;
    p->parts = spn_class_parts(&p->part_count, &p->stride, train, false, NULL);
    if (!p->parts || !allocate(p, train, true))
        return spn_no_memory(err, "%zu x %zu features", p->samples, p->features);
    free(p->class_weight); /* part of the weights of samples */
    p->class_weight = NULL;
    SPN_TRY(spn_softmax_round(p, train, &highest, err));
    SPN_TRY(check_reach(fmax(highest, p->reach), err));
    for (size_t i = 0; i < p->features; i++)
        p->widest = fmax(p->widest, p->max_change[i]);
    if (!prepare_fast(p) || !spn_softmax_find_partners(p))
        return spn_no_memory(err, "tables");
    finish(p, true);
    return SPN_OK;
}

static spn_status build(spn_softmax *p, const spn_dataset *train, const spn_scaling *scaling,
                        const spn_softmax_options *options, int path, spn_error *err)
{
    if (!allocate_numbers(p))
        return spn_no_memory(err, "%zu features", p->features);
    set_slopes(p, scaling, options->logit_scale);
    const bool rounded =
        options->rounded && path != SPN_SOFTMAX_PLAIN && spn_softmax_widest(p, train) <= WIDEST;
    SPN_TRY(take_weights(p, train, options->class_weights, err));
    SPN_TRY(take_sample_weights(p, train, rounded, err));
    if (rounded)
        return build_rounded(p, train, err);
    SPN_TRY(measure(p, train, err));
    const bool fast = path != SPN_SOFTMAX_PLAIN && fast_is_possible(p, train);
    if (path == SPN_SOFTMAX_FAST && !fast)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "softmax: these data have no fast path");
    p->parts = spn_class_parts(&p->part_count, &p->stride, train, fast && p->class_weight,
                               p->class_weight);
    if (!p->parts || (fast && !prepare_fast(p)))
        return spn_no_memory(err, "tables");
    SPN_TRY(store(p, train, err));
    finish(p, fast);
    return SPN_OK;
}

spn_status spn_softmax_create_by(spn_energy **out, const spn_dataset *train,
                                 const spn_scaling *scaling, const spn_softmax_options *options,
                                 int path, spn_isa isa, spn_error *err)
{
    *out = NULL;
    SPN_TRY(check_data(train, scaling, options->bias, err));
    SPN_TRY(spn_dataset_check_filled(train, err));
    SPN_TRY(check_scaling(scaling, options->logit_scale, err));
    if (options->faults != 0)
        return spn_faulty_create_by(out, train, scaling, options, isa, err);
    spn_softmax *p = spn_alloc(1, sizeof *p);
    if (!p)
        return spn_no_memory(err, "the energy 'softmax'");
    p->kernels = spn_softmax_select(isa);
    p->samples = train->samples;
    p->features = train->features + options->bias;
    p->classes = train->classes;
    p->copies = train->copies ? train->copies : 1;
    spn_status status = build(p, train, scaling, options, path, err);
    assert(status || (p->stride >= p->samples && p->stride % SPN_SOFTMAX_PAD == 0));
    if (status)
        spn_softmax_destroy(&p->base);
    else
        *out = &p->base;
    return status;
}

spn_status spn_softmax_create_as(spn_energy **out, const spn_dataset *train,
                                 const spn_scaling *scaling, const spn_softmax_options *given,
                                 spn_error *err)
{
    spn_softmax_options options = spn_softmax_options_defaults();
    *out = NULL;
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_softmax_options_defaults", err));
    return spn_softmax_create_by(out, train, scaling, &options, SPN_SOFTMAX_AUTO, spn_cpu_isa(),
                                 err);
}
