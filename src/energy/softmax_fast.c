/* The fast path of softmax, for bytes. Per sample the cache holds e_k = 2^(t_k - ref) for every
   class, t_k the logit in powers of 2 and ref an integer, and S = sum_k e_k, all floats. A flip in
   class k multiplies e_k by g, so the energy change needs only the sum over samples of log(S + e_k
   (g-1)): one pass over three arrays.

   Nothing drifts. Accepted flips multiply e_k and add to S in place for one window of at most 32
   flips; then the exact integer logits are brought up to date, and e and S come anew from them.
   Powers of 2 scale floats exactly, so ref never shows in a result: after a rebuild the cache gives
   the same bits as after attach.

   Why the errors stay small. Let u = 2^-24, w the window, M the largest S of a sample in the
   window. (1) Each flip adds at most 2uM to the error of S. A sum that has fallen below 2^-(fall+1)
   M is added up again from its e_k (`settle` finds them), so the relative error of S is at most w
   2^(fall+2) u: 2^-13 with w = 32 and fall = 4. The change of a sample, log(S + e_k(g-1)) - log S,
   is then off by at most that times S/(S + e_k(g-1)) <= 1/g. For changes of logits beyond 8 w and
   fall are smaller. In particular S + e_k(g-1) stays positive. (2) e_k below 2^-126 is taken as 0.
   That is invisible as long as e_k g < 2^-25 S: S >= 2^-40, or the window is closed; and within a
   window no class may climb by more than 2^(126 - 40 - 25) together with the gain of the next
   trial, or it is closed too (`class_climb`). (3) S within 2^-40..2^40 and gains within e^-12..e^12
   keep all products of two factors normal. */
#include "core/numeric.h"
#include "energy/softmax.h"

#include <math.h>

enum { EXTREME = 40, BIAS = 127, HEAT_UNIT = 1024 };

typedef struct flip {
    uint32_t site;
    int32_t spin; /* after the flip */
} flip;

/* The head of a cache. The rest of the cache is found by offsets, not pointers, so a cache may be
   copied. */
typedef struct fast_cache {
    spn_log_sum logs;   /* of the sums S */
    double label_score; /* the sum over samples of the label's logit */
    int64_t ref_sum;    /* of ref */
    spn_log_sum trial_logs;
    size_t trial_site;    /* whose trial is stored, or NO_SITE */
    uint32_t flips;       /* in this window */
    uint32_t current_sum; /* which of the two arrays of sums is the current one */
    uint32_t heat;        /* share of accepted trials of late, times 16 HEAT_UNIT */
    uint8_t range[2];     /* exponents of sums seen in this window */
    flip flip[SPN_SOFTMAX_WINDOW];
} fast_cache;

static const size_t NO_SITE = SIZE_MAX;

static size_t lines(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Where the arrays of a cache are. */
typedef struct fast_view {
    fast_cache *head;
    uint32_t *slot;      /* K+1: which array of powers belongs to class k; the last is spare */
    double *class_climb; /* K: bits that class k may have climbed in this window */
    double *offset;      /* K: of t_k, from the origins */
    const float **rows;  /* K: scratch */
    float *powers;       /* K+1 arrays of stride */
    float *sums;         /* 2 arrays of stride */
    int32_t *ref;
    uint8_t *peak;
    int32_t *logits32; /* K arrays of stride; this or */
    int64_t *logits64; /* that */
} fast_view;

static size_t place(char *base, size_t *used, size_t bytes, void *out)
{
    void **slot = out;
    if (base)
        *slot = base + *used;
    *used += lines(bytes);
    return *used;
}

/* Lay the arrays out; with cache NULL only the size is computed. */
static size_t lay_out(const spn_softmax *p, void *cache, fast_view *view)
{
    const size_t classes = p->classes, stride = p->stride;
    char *base = cache;
    size_t used = 0;
    *view = (fast_view){0};
    place(base, &used, sizeof(fast_cache), &view->head);
    place(base, &used, (classes + 1) * sizeof(uint32_t), &view->slot);
    place(base, &used, classes * sizeof(double), &view->class_climb);
    place(base, &used, classes * sizeof(double), &view->offset);
    place(base, &used, classes * sizeof(float *), &view->rows);
    place(base, &used, (classes + 1) * stride * sizeof(float), &view->powers);
    place(base, &used, 2 * stride * sizeof(float), &view->sums);
    place(base, &used, stride * sizeof(int32_t), &view->ref);
    place(base, &used, stride, &view->peak);
    if (p->factor)
        return place(base, &used, classes * stride * sizeof(int64_t), &view->logits64);
    return place(base, &used, classes * stride * sizeof(int32_t), &view->logits32);
}

size_t spn_softmax_fast_cache_size(const spn_softmax *problem)
{
    fast_view view;
    return lay_out(problem, NULL, &view);
}

static float *powers_of(const spn_softmax *p, const fast_view *v, size_t k)
{
    return v->powers + v->slot[k] * p->stride;
}

static float *current_sum(const spn_softmax *p, const fast_view *v)
{
    return v->sums + v->head->current_sum * p->stride;
}

static const uint8_t *column_of(const spn_softmax *p, size_t feature)
{
    return p->bytes + feature * p->stride;
}

static void add_to_logits(const spn_softmax *p, const fast_view *v, size_t site, int32_t times,
                          size_t first, size_t count)
{
    const size_t k = site / p->features, feature = site % p->features;
    const uint8_t *column = column_of(p, feature) + first;
    const size_t at = k * p->stride + first;
    if (p->factor)
        p->kernels->add64(v->logits64 + at, column, times * p->factor[feature], count);
    else
        p->kernels->add32(v->logits32 + at, column, times, count);
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
    for (size_t k = 0; k < p->classes; k++)
        sum += powers_of(p, v, k)[position];
    return sum;
}

/* Choose ref so that the largest e_k is within 1/2..2, and take the powers of this position anew.
 */
static void centre(const spn_softmax *p, const fast_view *v, size_t position)
{
    double top = scaled_logit(p, v, 0, position);
    for (size_t k = 1; k < p->classes; k++)
        top = fmax(top, scaled_logit(p, v, k, position));
    v->ref[position] = (int32_t)lrint(top);
    for (size_t k = 0; k < p->classes; k++)
        powers_from_logits(p, v, k, position, 1);
    current_sum(p, v)[position] = add_up(p, v, position);
}

/* Powers of the classes marked (class_climb > 0) and all sums of a block, from the logits. */
static void rebuild_block(const spn_softmax *p, const fast_view *v, size_t first, size_t count)
{
    float *sum = current_sum(p, v);
    for (size_t k = 0; k < p->classes; k++) {
        if (v->class_climb[k] > 0)
            powers_from_logits(p, v, k, first, count);
    }
    p->kernels->sum(sum + first, v->rows, first, p->classes, count);
    for (size_t n = first; n < first + count && n < p->samples; n++) {
        if (!(sum[n] >= 0x1p-24f && sum[n] <= 0x1p24f))
            centre(p, v, n);
    }
    for (size_t n = p->samples > first ? p->samples : first; n < first + count; n++) {
        for (size_t k = 0; k < p->classes; k++)
            powers_of(p, v, k)[n] = 0; /* padding that adds log 1 to everything */
        sum[n] = 1;
    }
}

static double offset_of(const spn_softmax *p, const int8_t *spins, size_t k)
{
    double total = 0;
    for (size_t i = 0; i < p->features; i++)
        total += spins[k * p->features + i] * p->origin[i];
    return -total * 1.44269504088896340736;
}

/* The sum of log S, by a trial of a flip that changes nothing. */
static spn_log_sum logs_of_sums(const spn_softmax *p, const fast_view *v)
{
    spn_gain none;
    for (size_t j = 0; j < 16; j++)
        none.low[j] = none.high[j] = none.middle[j % 8] = none.top[j % 8] = 1;
    const spn_trial trial = {.power = v->powers,
                             .sum = current_sum(p, v),
                             .column = p->bytes,
                             .gain = &none,
                             .count = p->stride};
    return p->kernels->trial(&trial);
}

/* Start a new window: bring the logits up to date with the flips of the last one, then powers and
   sums. Costs about 12 trials, once in a window. */
static void rebuild(const spn_softmax *p, const fast_view *v, const int8_t *spins)
{
    fast_cache *head = v->head;
    uint32_t fallen[SPN_SOFTMAX_BLOCK];
    head->range[0] = UINT8_MAX;
    head->range[1] = 0;
    for (size_t k = 0; k < p->classes; k++) {
        v->rows[k] = powers_of(p, v, k);
        if (v->class_climb[k] > 0)
            v->offset[k] = offset_of(p, spins, k);
    }
    memset(v->peak, 0, p->stride);
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = p->stride - first;
        const size_t count = left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK;
        for (size_t f = 0; f < head->flips; f++)
            add_to_logits(p, v, head->flip[f].site, 2 * head->flip[f].spin, first, count);
        rebuild_block(p, v, first, count);
        p->kernels->settle(current_sum(p, v) + first, v->peak + first, UINT8_MAX, fallen,
                           head->range, count);
    }
    head->ref_sum = 0;
    for (size_t n = 0; n < p->samples; n++)
        head->ref_sum += v->ref[n];
    head->logs = logs_of_sums(p, v);
    head->label_score = spn_softmax_label_score(p, spins);
    head->flips = 0;
    memset(v->class_climb, 0, p->classes * sizeof *v->class_climb);
}

static double value(const spn_softmax *p, const fast_cache *head)
{
    const double exponents = (double)(head->logs.exponent + head->ref_sum);
    return (head->logs.fraction + exponents * 6.93147180559945309417e-01 - head->label_score) /
           (double)p->samples;
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_softmax *p = (const spn_softmax *)self;
    fast_view v;
    memset(cache, 0, lay_out(p, cache, &v));
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = p->stride - first;
        const size_t count = left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK;
        for (size_t site = 0; site < self->sites; site++)
            add_to_logits(p, &v, site, spins[site], first, count);
    }
    for (size_t k = 0; k <= p->classes; k++)
        v.slot[k] = (uint32_t)k;
    for (size_t k = 0; k < p->classes; k++) {
        v.class_climb[k] = 1; /* all are to be computed */
        v.offset[k] = offset_of(p, spins, k);
    }
    for (size_t n = 0; n < p->samples; n++)
        centre(p, &v, n);
    v.head->trial_site = NO_SITE;
    v.head->heat = 16 * HEAT_UNIT;
    rebuild(p, &v, spins);
    return value(p, v.head);
}

/* The sum of log S after a flip; with `store` the powers and sums after it are kept as well. */
static spn_log_sum try_flip(const spn_softmax *p, const fast_view *v, int spin, size_t site,
                            bool store)
{
    const size_t k = site / p->features, feature = site % p->features;
    const spn_trial trial = {.power = powers_of(p, v, k),
                             .sum = current_sum(p, v),
                             .column = column_of(p, feature),
                             .gain = p->gains + feature * p->gain_step + (spin < 0),
                             .new_power = powers_of(p, v, p->classes),
                             .new_sum = v->sums + (1 - v->head->current_sum) * p->stride,
                             .count = p->stride};
    if (!store)
        return p->kernels->trial(&trial);
    v->head->trial_site = site;
    return v->head->trial_logs = p->kernels->trial_store(&trial);
}

/* While many trials are accepted, it pays to keep what they compute. The results are the same. */
static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_softmax *p = (const spn_softmax *)self;
    fast_view v;
    lay_out(p, cache, &v);
    fast_cache *head = v.head;
    const bool store = head->heat > 16 * HEAT_UNIT / 6;
    head->heat -= head->heat / 16;
    const spn_log_sum after = try_flip(p, &v, spins[site], site, store);
    const double exponents = (double)(after.exponent - head->logs.exponent);
    const double logs =
        after.fraction - head->logs.fraction + exponents * 6.93147180559945309417e-01;
    return (logs + 2.0 * spins[site] * p->label_sum[site]) / (double)p->samples;
}

/* Add up again the sums that have lost too many bits; see (1) above. */
static void restore_fallen(const spn_softmax *p, const fast_view *v)
{
    const unsigned fall = p->narrow ? 1 : 4;
    float *sum = current_sum(p, v);
    uint32_t fallen[SPN_SOFTMAX_BLOCK];
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_BLOCK) {
        const size_t left = p->stride - first;
        const size_t count = left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK;
        const size_t found =
            p->kernels->settle(sum + first, v->peak + first, fall, fallen, v->head->range, count);
        for (size_t j = 0; j < found; j++) {
            const size_t n = first + fallen[j];
            const float fresh = add_up(p, v, n);
            v->head->logs.fraction += spn_log((double)fresh) - spn_log((double)sum[n]);
            sum[n] = fresh;
            v->peak[n] = (uint8_t)(ilogbf(fresh) + BIAS);
        }
    }
}

static bool window_is_full(const spn_softmax *p, const fast_view *v, size_t k)
{
    const fast_cache *head = v->head;
    const double most = 126 - EXTREME - 25 - p->widest;
    return head->flips >= (p->narrow ? SPN_SOFTMAX_WINDOW / 4u : SPN_SOFTMAX_WINDOW) ||
           v->class_climb[k] > most || head->range[0] < BIAS - EXTREME ||
           head->range[1] > BIAS + EXTREME - 1;
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_softmax *p = (const spn_softmax *)self;
    fast_view v;
    lay_out(p, cache, &v);
    fast_cache *head = v.head;
    const size_t k = site / p->features;
    if (head->trial_site != site)
        try_flip(p, &v, -spins[site], site, true);
    const uint32_t spare = v.slot[p->classes];
    v.slot[p->classes] = v.slot[k];
    v.slot[k] = spare;
    head->current_sum = 1 - head->current_sum;
    head->logs = head->trial_logs;
    head->label_score += 2.0 * spins[site] * p->label_sum[site];
    head->trial_site = NO_SITE;
    head->heat += HEAT_UNIT;
    head->flip[head->flips++] = (flip){(uint32_t)site, spins[site]};
    v.class_climb[k] += p->max_change[site % p->features] * 1.44269504088896340736 + 1e-3;
    restore_fallen(p, &v);
    if (window_is_full(p, &v, k))
        rebuild(p, &v, spins);
    return value(p, head);
}

const spn_energy_ops spn_softmax_fast_ops = {.name = "softmax",
                                             .energy = spn_softmax_reference,
                                             .attach = attach,
                                             .delta = delta,
                                             .commit = commit,
                                             .destroy = spn_softmax_destroy};
