/* Windows of the fast path of softmax: powers and sums from the exact integer logits. */
#include "energy/softmax/fast.h"

#include <math.h>

/* The next bytes of a cache, in whole lines. */
static void *take(char **at, size_t bytes)
{
    void *here = *at;
    *at += (bytes + 63) / 64 * 64;
    return here;
}

static fast_view lay_out(const spn_softmax *p, char **at)
{
    const size_t classes = p->classes, stride = p->stride;
    fast_view view = {.head = take(at, sizeof(fast_cache))};
    view.class_climb = take(at, classes * sizeof(double));
    view.offset = take(at, classes * sizeof(double));
    view.rows = take(at, classes * sizeof(float *));
    view.columns = take(at, classes * sizeof(spn_column_list));
    view.powers = take(at, classes * stride * sizeof(float));
    view.sums = take(at, stride * sizeof(float));
    view.ref = take(at, stride * sizeof(int32_t));
    view.peak = take(at, stride);
    if (p->factor)
        view.logits64 = take(at, classes * stride * sizeof(int64_t));
    else
        view.logits32 = take(at, classes * stride * sizeof(int32_t));
    return view;
}

size_t spn_softmax_fast_cache_size(const spn_softmax *problem)
{
    char *const start = (char *)64, *at = start; /* only differences are used */
    lay_out(problem, &at);
    return (size_t)(at - start);
}

fast_view spn_fast_view(const spn_softmax *p, void *cache)
{
    char *at = cache;
    assert(cache);
    return lay_out(p, &at);
}

/* Put one weight of class k, `times` times, into the columns to be added to its logits. Changes of
   the same rounded feature are added up: there are few. */
static void gather(const spn_softmax *p, spn_column_list *columns, size_t feature, int times)
{
    assert(p->wide || abs(times) <= 2);
    for (size_t c = 0; p->wide && c < columns->count; c++)
        if (columns->wide[c] == wide_of(p, feature)) {
            columns->times[c] += times;
            return;
        }
    assert(columns->count < SPN_SOFTMAX_WINDOW);
    if (p->wide)
        columns->wide[columns->count] = wide_of(p, feature);
    else {
        columns->column[columns->count] = column_of(p, feature);
        columns->nonzero[columns->count] = nonzero_of(p, feature);
    }
    columns->factor[columns->count] = p->factor ? p->factor[feature] : 1;
    columns->times[columns->count++] = times;
}

static void add_to_logits(const spn_softmax *p, const fast_view *v, size_t k,
                          const spn_column_list *columns, size_t first, size_t count)
{
    const size_t at = k * p->stride + first;
    assert(first % SPN_SOFTMAX_PAD == 0 && count % SPN_SOFTMAX_PAD == 0);
    assert(count <= SPN_SOFTMAX_BLOCK && first + count <= p->stride);
    if (p->wide)
        p->kernels->add_wide(v->logits64 + at, columns, first, count);
    else if (p->factor)
        p->kernels->add64(v->logits64 + at, columns, first, count);
    else
        p->kernels->add32(v->logits32 + at, columns, first, count);
}

/* The flips of class k in this window. */
static spn_column_list flips_of_class(const spn_softmax *p, const fast_cache *head, size_t k)
{
    spn_column_list columns;
    columns.count = 0;
    assert(head->flips <= SPN_SOFTMAX_WINDOW);
    for (size_t f = 0; f < head->flips; f++) {
        if (head->flipped[f] / p->features == k)
            gather(p, &columns, head->flipped[f] % p->features, head->change[f]);
    }
    return columns;
}

static void powers_from_logits(const spn_softmax *p, const fast_view *v, size_t k, size_t first,
                               size_t count)
{
    const size_t at = k * p->stride + first;
    float *power = powers_of(p, v, k) + first;
    if (p->factor)
        p->kernels->power64(power, v->logits64 + at, v->ref + first, p->unit, v->offset[k], count);
    else
        p->kernels->power32(power, v->logits32 + at, v->ref + first, p->unit, v->offset[k], count);
}

/* t_k of one position */
static double scaled_logit(const spn_softmax *p, const fast_view *v, size_t k, size_t position)
{
    const size_t at = k * p->stride + position;
    const double logit = p->factor ? (double)v->logits64[at] : (double)v->logits32[at];
    return p->unit * logit + v->offset[k];
}

/* Choose ref so that the largest e_k is near 2^CENTRE. */
static void choose_ref(const spn_softmax *p, const fast_view *v, size_t position)
{
    double top = scaled_logit(p, v, 0, position);
    for (size_t k = 1; k < p->classes; k++) {
        const double t = scaled_logit(p, v, k, position);
        top = t > top ? t : top;
    }
    assert(fabs(top) < 0x1p30);
    v->ref[position] = (int32_t)lrint(top) - CENTRE;
}

static int exponent_of(float normal)
{
    uint32_t bits;
    memcpy(&bits, &normal, sizeof bits);
    return (int)(bits >> 23) - BIAS;
}

static float two_to(int exponent)
{
    const uint32_t bits = (uint32_t)(exponent + BIAS) << 23;
    float power;
    assert(exponent > -BIAS && exponent <= BIAS);
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Move the powers of a position, all just taken from the logits, to a ref that brings their sum to
   about 2^CENTRE. Scaling is exact; only a power that was too small to be seen is recomputed. */
static void centre(const spn_softmax *p, const fast_view *v, size_t position)
{
    float *sum = v->sums + position;
    const bool usable = *sum >= 0x1p-100f && *sum <= 0x1p100f;
    const int up = usable ? CENTRE - exponent_of(*sum) : 0;
    if (usable)
        v->ref[position] -= up;
    else
        choose_ref(p, v, position);
    const float factor = two_to(up);
    for (size_t k = 0; k < p->classes; k++) {
        float *power = powers_of(p, v, k) + position;
        if (!usable || (*power == 0 && up > 0))
            powers_from_logits(p, v, k, position, 1);
        else
            *power *= factor;
    }
    *sum = add_up(p, v, position);
    assert(*sum > 0);
}

int spn_fast_highest(const spn_softmax *p)
{
    return 62 - (int)ceil(p->widest);
}

/* The end of the last sample. Padding before it, at the ends of parts, is treated like samples and
   made neutral last. */
static size_t end_of_samples(const spn_softmax *p)
{
    const spn_class_part *last = &p->parts[p->part_count - 1];
    assert(last->first + last->count == p->stride && last->samples <= last->count);
    return last->first + last->samples;
}

/* Padding that adds log 1 to everything. */
static void neutralise(const spn_softmax *p, const fast_view *v, size_t first, size_t count)
{
    float *sum = v->sums;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const size_t start = part->first + part->samples, end = part->first + part->count;
        for (size_t n = start > first ? start : first; n < end && n < first + count; n++) {
            for (size_t k = 0; k < p->classes; k++)
                powers_of(p, v, k)[n] = 0;
            sum[n] = 1;
        }
    }
}

/* The sums of a block from its powers; samples far from 1 are centred, the padding made neutral. */
static void sum_block(const spn_softmax *p, const fast_view *v, size_t first, size_t count)
{
    float *sum = v->sums;
    assert(((uintptr_t)(sum + first) | (uintptr_t)(v->powers + first)) % 64 == 0);
    p->kernels->sum(sum + first, v->rows, first, p->classes, count);
    const float low = ldexpf(1, LOWEST + 20), high = ldexpf(1, spn_fast_highest(p) - 12);
    const size_t end = end_of_samples(p);
    for (size_t n = first; n < first + count; n += 32) {
        int outside = 0;
        for (size_t j = 0; j < 32; j++)
            outside |= !(sum[n + j] >= low) | !(sum[n + j] <= high);
        for (size_t j = n; outside && j < n + 32 && j < end; j++) {
            if (!(sum[j] >= low && sum[j] <= high))
                centre(p, v, j);
        }
    }
    neutralise(p, v, first, count);
}

static double offset_of(const spn_softmax *p, const int8_t *spins, size_t k)
{
    double total = 0;
    for (size_t i = 0; i < p->features; i++)
        total += spins[k * p->features + i] * p->origin[i];
    return -total * LOG2_E;
}

static spn_split_log kernel_trial(const spn_softmax *p, const spn_trial *trial)
{
    return p->wide ? p->kernels->wide_trial(trial) : p->kernels->trial(trial);
}

spn_split_log spn_fast_sum_logs(const spn_softmax *p, const spn_trial *trial)
{
    if (!p->class_weight)
        return kernel_trial(p, trial);
    spn_split_log total = {0};
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const spn_trial some = {.power = trial->power + part->first,
                                .sum = trial->sum + part->first,
                                .column = trial->column + part->first,
                                .nonzero = trial->nonzero,
                                .group = trial->group + part->first / SPN_SOFTMAX_PAD,
                                .gain = trial->gain,
                                .count = part->count};
        const spn_split_log logs = p->kernels->trial(&some);
        total.fraction += part->weight * (logs.fraction + (double)logs.exponent * LOG_2);
    }
    return total;
}

/* The sum of log S, by a trial of a flip that changes nothing, and of a column without bytes. */
static spn_split_log logs_of_sums(const spn_softmax *p, const fast_view *v)
{
    spn_gain none;
    for (size_t j = 0; j < 16; j++)
        none.low[j] = none.high[j] = none.middle[j % 8] = none.top[j % 8] = 1;
    const spn_trial trial = {.power = v->powers,
                             .sum = v->sums,
                             .column = p->bytes,
                             .nonzero =
                                 p->nonzero ? p->nonzero + p->columns * p->nonzero_step : NULL,
                             .gain = &none,
                             .count = p->stride,
                             .wide = {p->wide, NULL},
                             .weight = p->sample_weight ? p->float_weight : NULL};
    /* cppcheck-suppress returnDanglingLifetime ; what comes back holds no pointer */
    return spn_fast_sum_logs(p, &trial);
}

static void sum_refs(const spn_softmax *p, const fast_view *v)
{
    fast_cache *head = v->head;
    head->ref_sum = 0;
    head->weighted_refs = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        int64_t refs = 0;
        for (size_t n = part->first; n < part->first + part->samples; n++)
            refs += v->ref[n];
        for (size_t n = 0; p->sample_weight && n < p->samples; n++)
            head->weighted_refs += p->sample_weight[n] * (v->ref[n] + CENTRE);
        if (p->sample_weight)
            continue;
        if (p->class_weight)
            head->weighted_refs += part->weight * (double)refs;
        else
            head->ref_sum = refs;
    }
}

/* Bring logits, powers and sums of a block up to date. */
static void rebuild_block(const spn_softmax *p, const fast_view *v, size_t first, size_t count)
{
    for (size_t k = 0; k < p->classes; k++) {
        if (v->class_climb[k] > 0) {
            add_to_logits(p, v, k, &v->columns[k], first, count);
            powers_from_logits(p, v, k, first, count);
        }
    }
    sum_block(p, v, first, count);
    p->kernels->start_peaks(v->sums + first, v->peak + first, v->head->range, count);
}

void spn_fast_rebuild(const spn_softmax *p, const fast_view *v, const int8_t *spins)
{
    fast_cache *head = v->head;
    head->range[0] = UINT8_MAX;
    head->range[1] = 0;
    for (size_t k = 0; k < p->classes; k++) {
        v->rows[k] = powers_of(p, v, k);
        v->columns[k] = flips_of_class(p, head, k);
        if (v->class_climb[k] > 0)
            v->offset[k] = offset_of(p, spins, k);
    }
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_BLOCK)
        rebuild_block(p, v, first, length_of(p, first, SPN_SOFTMAX_BLOCK));
    sum_refs(p, v);
    head->logs = logs_of_sums(p, v);
    assert(head->range[0] <= head->range[1] && isfinite(head->logs.fraction));
    head->label_score = spn_softmax_label_score(p, spins);
    head->flips = 0;
    memset(v->class_climb, 0, p->classes * sizeof *v->class_climb);
}

/* The logits of class k in the block that starts at first; they are 0 before. */
static void logits_from_spins(const spn_softmax *p, const fast_view *v, const int8_t *weights,
                              size_t k, size_t first)
{
    for (size_t i = 0; i < p->features;) {
        spn_column_list columns;
        for (columns.count = 0; columns.count < SPN_SOFTMAX_WINDOW && i < p->features; i++)
            gather(p, &columns, i, weights[i]);
        add_to_logits(p, v, k, &columns, first, length_of(p, first, SPN_SOFTMAX_BLOCK));
    }
}

/* Everything but the logits, from the logits. */
static double start_from_logits(const spn_softmax *p, const fast_view *v, const int8_t *spins)
{
    for (size_t k = 0; k < p->classes; k++) {
        v->class_climb[k] = 1; /* so that all are computed */
        v->offset[k] = offset_of(p, spins, k);
    }
    for (size_t n = 0; n < end_of_samples(p); n++)
        choose_ref(p, v, n);
    v->head->trial.count = 0;
    spn_fast_rebuild(p, v, spins);
    return fast_value(p, v->head);
}

double spn_fast_attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = spn_fast_view(p, cache);
    memset(cache, 0, spn_softmax_fast_cache_size(p));
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_BLOCK) {
        for (size_t k = 0; k < p->classes; k++)
            logits_from_spins(p, &v, spins + k * p->features, k, first);
    }
    return start_from_logits(p, &v, spins);
}

/* The logits are exact integers, so a start from them is a start from the spins. */
double spn_fast_refresh(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = spn_fast_view(p, cache);
    spn_fast_rebuild(p, &v, spins);
    return start_from_logits(p, &v, spins);
}
