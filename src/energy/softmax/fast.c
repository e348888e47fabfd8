/* The fast path of softmax, for bytes. Per sample the cache holds e_k = 2^(t_k - ref) for every
   class, t_k the logit in powers of 2 and ref an integer, and S = sum_k e_k, all floats. A flip in
   class k multiplies e_k by g, so the energy change needs only the sum over samples of log(S + e_k
   (g-1)): one pass over three arrays.

   Nothing drifts. Accepted flips multiply e_k and add to S in place for one window of at most 64
   flips; then the exact integer logits are brought up to date, and e and S are computed from them.
   Powers of 2 scale floats exactly, so ref never shows in a result: after a rebuild the cache gives
   the same bits as after attach.

   Why the errors stay small. Let u = 2^-24, w the longest window, M the largest S of a sample in
   it. (1) Each flip adds at most 2uM to the error of S. A sum that has fallen below 2^-(fall+1) M
   is added up again from its e_k (the pass of the flip finds them), so the relative error of S is
   at most w 2^(fall+2) u: 2^-13 with w = 64 and fall = 3. The change of a sample, log(S + e_k(g-1))
   - log S, is then off by at most that times S/(S + e_k(g-1)) <= 1/g. For changes of logits beyond
   8, w and fall are smaller, 2^-18 instead of 2^-13. In particular S + e_k(g-1) stays positive. (2)
   e_k below 2^-126 is taken as 0. That is invisible as long as e_k g < 2^-25 S. Sums start near
   2^20; when one is below 2^LOWEST the window is closed; and it is closed too before a class can
   have climbed so far that an e_k taken as 0 would matter in the next trial (`class_climb`). (3)
   Sums are kept so low that the product of any two, after any flip, is a normal number.

   A trial writes nothing. An accepted flip is one more pass, over what the trial has just read: it
   changes e_k and S in place, and finds the sums that have fallen.

   Rounded features are the same with 16-bit columns, whose gains are computed; a move may flip
   several copies of a feature, or of two, as long as no logit changes by more than `limit`.

   If samples have weights, their logarithms are weighted one by one. If classes have weights, the
   samples of each stand in positions of their own, and the logarithms are added up by class and
   then weighted, in double precision; all else is the same. */
#include "core/numeric.h"
#include "energy/softmax/softmax.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const double LOG_2 = 6.93147180559945309417e-01;

static const double LOG2_E = 1.44269504088896340736;

enum { BIAS = 127, CENTRE = SPN_SOFTMAX_CENTRE, LOWEST = -24 };

/* The head of a cache. The rest of the cache is found by offsets, not pointers, so a cache may be
   copied. */
typedef struct fast_cache {
    spn_split_log logs;                   /* of the sums S */
    double label_score;                   /* the sum over samples of the label's logit */
    int64_t ref_sum;                      /* of ref, if no class has a weight; or */
    double weighted_refs;                 /* the sum of ref times weight */
    spn_split_log trial_logs;             /* of the sums after a flip of */
    spn_level_move trial;                 /* this move; count 0: none */
    uint32_t flips;                       /* in this window */
    uint8_t range[2];                     /* exponents of sums seen in this window */
    uint32_t flipped[SPN_SOFTMAX_WINDOW]; /* the sites, */
    int32_t change[SPN_SOFTMAX_WINDOW];   /* and the changes of the sums of their groups */
    /* What adding up sums again does to the sum of logarithms: the logarithm of a product of ratios
       of new sums to old ones, each near 1, of one class if classes have weights. */
    double ratio;
    size_t restored, last; /* how many sums, and the position of the last one */
} fast_cache;

/* Where the arrays of a cache are. */
typedef struct fast_view {
    fast_cache *head;
    double *class_climb;      /* K: bits that class k may have climbed in this window */
    double *offset;           /* K: of t_k, from the origins */
    const float **rows;       /* K: scratch */
    spn_column_list *columns; /* K: scratch */
    float *powers;            /* K arrays of stride */
    float *sums;
    int32_t *ref;
    uint8_t *peak;
    int32_t *logits32; /* K arrays of stride; this or */
    int64_t *logits64; /* that */
} fast_view;

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

static fast_view view_of(const spn_softmax *p, void *cache)
{
    char *at = cache;
    assert(cache);
    return lay_out(p, &at);
}

static float *powers_of(const spn_softmax *p, const fast_view *v, size_t k)
{
    assert(k < p->classes);
    return v->powers + k * p->stride;
}

static const uint8_t *column_of(const spn_softmax *p, size_t feature)
{
    assert(feature < p->features && p->column[feature] < p->columns);
    return p->bytes + p->column[feature] * p->stride;
}

static const uint64_t *nonzero_of(const spn_softmax *p, size_t feature)
{
    return p->nonzero + p->column[feature] * p->nonzero_step;
}

static const int16_t *wide_of(const spn_softmax *p, size_t feature)
{
    assert(p->wide && feature < p->features && p->column[feature] < p->columns);
    return p->wide + p->column[feature] * p->stride;
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

static float add_up(const spn_softmax *p, const fast_view *v, size_t position)
{
    float sum = 0;
    const float *powers = v->powers + position;
    for (size_t k = 0; k < p->classes; k++)
        sum += powers[k * p->stride];
    return sum;
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

/* The highest power of 2 that a sum may have, with the gain of one flip, in products of two. */
static int highest(const spn_softmax *p)
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
    const float low = ldexpf(1, LOWEST + 20), high = ldexpf(1, highest(p) - 12);
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

/* Positions of the block that starts at first, `most` but for the last block. */
static size_t length_of(const spn_softmax *p, size_t first, size_t most)
{
    const size_t left = p->stride - first;
    assert(first < p->stride);
    return left < most ? left : most;
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

/* The sum over positions of log(S + e(g-1)): of all at once, or of each part by its weight. */
static spn_split_log sum_logs(const spn_softmax *p, const spn_trial *trial)
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
    return sum_logs(p, &trial);
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

/* Start a new window: bring the logits up to date with the flips of the last one, then powers and
   sums. A block at a time, all classes of it, so that only logits, powers and columns come from
   memory. */
static void rebuild(const spn_softmax *p, const fast_view *v, const int8_t *spins)
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

static double value(const spn_softmax *p, const fast_cache *head)
{
    const double exponents = (double)(head->logs.exponent + head->ref_sum);
    return (head->logs.fraction + exponents * LOG_2 + head->weighted_refs * LOG_2 -
            head->label_score) /
           p->total;
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
    rebuild(p, v, spins);
    return value(p, v->head);
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = view_of(p, cache);
    memset(cache, 0, spn_softmax_fast_cache_size(p));
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_BLOCK) {
        for (size_t k = 0; k < p->classes; k++)
            logits_from_spins(p, &v, spins + k * p->features, k, first);
    }
    return start_from_logits(p, &v, spins);
}

/* The logits are exact integers, so a start from them is a start from the spins. */
static double refresh(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = view_of(p, cache);
    rebuild(p, &v, spins);
    return start_from_logits(p, &v, spins);
}

/* Positions first .. first+count-1 before a move. */
static spn_trial trial_of(const spn_softmax *p, const fast_view *v, const spn_level_move *move,
                          size_t first, size_t count)
{
    const size_t k = move->site[0] / p->features, feature = move->site[0] % p->features;
    assert(move->site[0] < p->base.sites && first + count <= p->stride);
    spn_trial trial = {.power = powers_of(p, v, k) + first, .sum = v->sums + first, .count = count};
    if (!p->wide) {
        assert(move->count == 1 && abs(move->change[0]) == 2);
        trial.column = column_of(p, feature) + first;
        trial.nonzero = nonzero_of(p, feature);
        trial.group = first / SPN_SOFTMAX_PAD;
        trial.gain = p->gains + feature * p->gain_step + (move->change[0] > 0);
        return trial;
    }
    double constant = 0;
    for (size_t c = 0; c < move->count; c++) {
        const size_t i = move->site[c] % p->features;
        assert(move->site[c] / p->features == k);
        trial.wide[c] = wide_of(p, i) + first;
        trial.rate[c] = (float)(move->change[c] * p->slope[i] * LOG2_E);
        constant -= move->change[c] * p->origin[i] * LOG2_E;
    }
    trial.constant = (float)constant;
    trial.weight = p->sample_weight ? p->float_weight + first : NULL;
    return trial;
}

/* The sum of log S after a move, kept for a commit. */
static void try_move(const spn_softmax *p, const fast_view *v, const spn_level_move *move)
{
    const spn_trial trial = trial_of(p, v, move, 0, p->stride);
    v->head->trial_logs = sum_logs(p, &trial);
    v->head->trial = *move;
}

/* What a move adds to the sum of the labels' logits. */
static double label_change(const spn_softmax *p, const spn_level_move *move)
{
    double sum = 0;
    for (size_t c = 0; c < move->count; c++)
        sum += move->change[c] * p->label_sum[move->site[c]];
    return sum;
}

static double level_delta(const spn_energy *self, void *cache, const spn_level_move *move)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = view_of(p, cache);
    try_move(p, &v, move);
    const spn_split_log after = v.head->trial_logs, before = v.head->logs;
    const double exponents = (double)(after.exponent - before.exponent);
    const double logs = after.fraction - before.fraction + exponents * LOG_2;
    return (logs - label_change(p, move)) / p->total;
}

/* The flip of a spin. */
static spn_level_move flip_of(size_t site, int spin)
{
    assert(spn_is_spin(spin));
    return (spn_level_move){.count = 1, .site = {site}, .change = {-2 * spin}};
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_level_move move = flip_of(site, spins[site]);
    return level_delta(self, cache, &move);
}

static void take_logarithm(const spn_softmax *p, fast_cache *head)
{
    head->logs.fraction += spn_softmax_weight(p, head->last) * spn_log(head->ratio);
    head->ratio = 1;
}

/* Add up again the sums that have lost too many bits; see (1) above. */
static void restore(const spn_softmax *p, const fast_view *v, const uint32_t *fallen, size_t count)
{
    enum { CHUNK = 256 };
    fast_cache *head = v->head;
    for (size_t j = 0; j < count; j++) {
        const size_t n = fallen[j];
        assert(n < p->stride);
        if (p->sample_weight || (p->class_weight && p->labels[n] != p->labels[head->last]))
            take_logarithm(p, head);
        const float fresh = add_up(p, v, n);
        assert(fresh > 0 && v->sums[n] > 0);
        head->ratio *= (double)fresh / (double)v->sums[n];
        v->sums[n] = fresh;
        head->last = n;
        if (++head->restored % CHUNK == 0)
            take_logarithm(p, head);
    }
}

/* Make a flip in a block, ask for the powers of the sums that have fallen, and return how many. */
static size_t flip_block(const spn_softmax *p, const fast_view *v, const spn_trial *trial,
                         size_t first, float *powers, uint32_t *fallen)
{
    const size_t count = (p->wide ? p->kernels->wide_flip : p->kernels->flip)(
        trial, powers + first, v->sums + first, v->peak + first, p->narrow ? 1 : 3, fallen,
        v->head->range);
    assert(count <= trial->count && trial->count <= SPN_SOFTMAX_FLIP);
    for (size_t j = 0; j < count; j++) {
        fallen[j] += (uint32_t)first;
        for (size_t k = 0; k < p->classes; k++)
            __builtin_prefetch(powers_of(p, v, k) + fallen[j], 0, 2);
    }
    return count;
}

/* Make a move, block by block. The sums that fell in one block are restored after the next: their
   powers come from memory far away, and are there by then. */
static void flip_powers(const spn_softmax *p, const fast_view *v, const spn_level_move *move)
{
    uint32_t fallen[2][SPN_SOFTMAX_FLIP];
    size_t count[2] = {0};
    v->head->ratio = 1;
    v->head->restored = v->head->last = 0;
    float *powers = powers_of(p, v, move->site[0] / p->features);
    int now = 0;
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_FLIP, now = 1 - now) {
        const spn_trial trial = trial_of(p, v, move, first, length_of(p, first, SPN_SOFTMAX_FLIP));
        count[now] = flip_block(p, v, &trial, first, powers, fallen[now]);
        restore(p, v, fallen[1 - now], count[1 - now]);
    }
    restore(p, v, fallen[1 - now], count[1 - now]);
    take_logarithm(p, v->head);
}

static bool window_is_full(const spn_softmax *p, const fast_view *v, size_t k)
{
    const fast_cache *head = v->head;
    const uint32_t longest = p->narrow ? SPN_SOFTMAX_WINDOW / 8 : SPN_SOFTMAX_WINDOW;
    const uint32_t next = p->wide ? 1 : 0; /* a move takes up to two places */
    return head->flips + next >= longest || v->class_climb[k] > 126 + LOWEST - 25 - p->widest ||
           head->range[0] < BIAS + LOWEST || head->range[1] >= BIAS + highest(p);
}

static bool same_move(const spn_level_move *a, const spn_level_move *b)
{
    bool same = a->count == b->count;
    for (size_t c = 0; same && c < a->count; c++)
        same = a->site[c] == b->site[c] && a->change[c] == b->change[c];
    return same;
}

/* The spins are those after the move. */
static double level_commit(const spn_energy *self, void *cache, const int8_t *spins,
                           const spn_level_move *move)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = view_of(p, cache);
    fast_cache *head = v.head;
    const size_t k = move->site[0] / p->features;
    assert(move->count <= 2 && k < p->classes);
    if (!same_move(&head->trial, move))
        try_move(p, &v, move);
    head->logs = head->trial_logs;
    head->label_score += label_change(p, move);
    head->trial.count = 0;
    for (size_t c = 0; c < move->count; c++) {
        const double times = abs(move->change[c]) / 2;
        assert(head->flips < SPN_SOFTMAX_WINDOW);
        head->flipped[head->flips] = (uint32_t)move->site[c];
        head->change[head->flips++] = move->change[c];
        v.class_climb[k] += times * p->max_change[move->site[c] % p->features] * LOG2_E + 1e-3;
    }
    flip_powers(p, &v, move);
    if (window_is_full(p, &v, k))
        rebuild(p, &v, spins);
    return value(p, head);
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_level_move move = flip_of(site, -spins[site]);
    return level_commit(self, cache, spins, &move);
}

/* Of rounded features: the copies of a feature, and the bias. */
static bool levels(const spn_energy *self, spn_level_groups *out)
{
    const spn_softmax *p = (const spn_softmax *)self;
    if (!p->wide)
        return false;
    const size_t whole = p->features == p->columns * p->copies; /* the bias, if any, is a group */
    *out = (spn_level_groups){.row = p->features,
                              .groups = p->column[p->features - 1] + whole,
                              .copies = p->copies,
                              .limit = p->limit,
                              .most = p->max_change,
                              .partner = p->partner,
                              .partners = p->partners};
    return true;
}

/* All but the scratch space, which has pointers. A trial that is not known is made again. */
static bool visit(const spn_energy *self, void *cache, spn_archive *archive)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = view_of(p, cache);
    fast_cache *head = v.head;
    char *scratch = (char *)v.rows, *rest = (char *)v.powers, *end = (char *)cache;
    end += spn_softmax_fast_cache_size(p);
    spn_archive_move(archive, cache, (size_t)(scratch - (char *)cache));
    spn_archive_move(archive, rest, (size_t)(end - rest));
    if (!spn_archive_reads(archive))
        return true;
    head->trial.count = 0;
    bool good = head->flips < SPN_SOFTMAX_WINDOW && head->last < p->stride;
    for (uint32_t f = 0; good && f < head->flips; f++)
        good = head->flipped[f] < self->sites;
    return good;
}

const spn_energy_slots spn_softmax_fast_ops = {"softmax",
                                               spn_softmax_reference,
                                               attach,
                                               delta,
                                               commit,
                                               .destroy = spn_softmax_destroy,
                                               .refresh = refresh,
                                               .visit = visit,
                                               .levels = levels,
                                               .level_delta = level_delta,
                                               .level_commit = level_commit};
