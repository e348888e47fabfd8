/* The fast path of softmax, for bytes. Per sample the cache holds e_k = 2^(t_k - ref) for every
   class, t_k the logit in powers of 2 and ref an integer, and S = sum_k e_k, all floats. A flip in
   class k multiplies e_k by g, so the energy change needs only the sum over samples of log(S + e_k
   (g-1)): one pass over three arrays.

   Nothing drifts. Accepted flips multiply e_k and add to S in place for one window of at most 64
   flips; then the exact integer logits are brought up to date, and e and S come anew from them.
   Powers of 2 scale floats exactly, so ref never shows in a result: after a rebuild the cache gives
   the same bits as after attach.

   Why the errors stay small. Let u = 2^-24, w the longest window, M the largest S of a sample in
   it. (1) Each flip adds at most 2uM to the error of S. A sum that has fallen below 2^-(fall+1) M
   is added up again from its e_k (`settle` finds them), so the relative error of S is at most w
   2^(fall+2) u: 2^-13 with w = 64 and fall = 3. The change of a sample, log(S + e_k(g-1)) - log S,
   is then off by at most that times S/(S + e_k(g-1)) <= 1/g. For changes of logits beyond 8, w and
   fall are smaller, 2^-18 instead of 2^-13. In particular S + e_k(g-1) stays positive. (2) e_k
   below 2^-126 is taken as 0. That is invisible as long as e_k g < 2^-25 S. Sums start near 2^20;
   when one is below 2^LOWEST the window is closed; and it is closed too before a class can have
   climbed so far that an e_k taken as 0 would matter in the next trial (`class_climb`).
   (3) Sums are kept so low that the product of any two, after any flip, is a normal number.

   Where classes have weights, the samples of each stand in positions of their own, and the
   logarithms are added up by class and then weighted, in double precision; all else is the same. */
#include "core/numeric.h"
#include "energy/softmax.h"

#include <assert.h>
#include <math.h>

static const double LOG_2 = 6.93147180559945309417e-01;

enum { BIAS = 127, CENTRE = 18, LOWEST = -24, HEAT_UNIT = 1024 };

typedef struct flip {
    uint32_t site;
    int32_t spin; /* after the flip */
} flip;

/* The head of a cache. The rest of the cache is found by offsets, not pointers, so a cache may be
   copied. */
typedef struct fast_cache {
    spn_log_sum logs;     /* of the sums S */
    double label_score;   /* the sum over samples of the label's logit */
    int64_t ref_sum;      /* of ref, where no class has a weight; or */
    double weighted_refs; /* the sum of ref times weight */
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

static fast_view view_of(const spn_softmax *p, void *cache)
{
    fast_view view;
    assert(cache);
    lay_out(p, cache, &view);
    return view;
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

/* Put one weight of class k, `times` times, into the columns to be added to its logits. */
static void gather(const spn_softmax *p, spn_column_list *columns, size_t feature, int times)
{
    columns->column[columns->count] = column_of(p, feature);
    columns->factor[columns->count] = p->factor ? p->factor[feature] : 1;
    columns->times[columns->count++] = (int8_t)times;
}

static void add_to_logits(const spn_softmax *p, const fast_view *v, size_t k,
                          const spn_column_list *columns, size_t first, size_t count)
{
    const size_t at = k * p->stride + first;
    if (p->factor)
        p->kernels->add64(v->logits64 + at, columns, first, count);
    else
        p->kernels->add32(v->logits32 + at, columns, first, count);
}

/* The flips of class k in this window. */
static spn_column_list flips_of_class(const spn_softmax *p, const fast_cache *head, size_t k)
{
    spn_column_list columns;
    columns.count = 0;
    for (size_t f = 0; f < head->flips; f++) {
        if (head->flip[f].site / p->features == k)
            gather(p, &columns, head->flip[f].site % p->features, 2 * head->flip[f].spin);
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
        sum += powers[v->slot[k] * p->stride];
    return sum;
}

/* Choose ref anew so that the largest e_k is near 2^CENTRE. */
static void choose_ref(const spn_softmax *p, const fast_view *v, size_t position)
{
    double top = scaled_logit(p, v, 0, position);
    for (size_t k = 1; k < p->classes; k++) {
        const double t = scaled_logit(p, v, k, position);
        top = t > top ? t : top;
    }
    v->ref[position] = (int32_t)lrint(top) - CENTRE;
}

/* Move the powers of a position, all just taken from the logits, to a ref that brings their sum to
   about 2^CENTRE. Scaling is exact; only a power that was too small to be seen is taken anew. */
static void centre(const spn_softmax *p, const fast_view *v, size_t position)
{
    float *sum = current_sum(p, v) + position;
    const bool usable = *sum >= 0x1p-100f && *sum <= 0x1p100f;
    const int up = usable ? CENTRE - ilogbf(*sum) : 0;
    if (usable)
        v->ref[position] -= up;
    else
        choose_ref(p, v, position);
    const float factor = ldexpf(1, up);
    for (size_t k = 0; k < p->classes; k++) {
        float *power = powers_of(p, v, k) + position;
        if (!usable || (*power == 0 && up > 0))
            powers_from_logits(p, v, k, position, 1);
        else
            *power *= factor;
    }
    *sum = add_up(p, v, position);
}

/* The highest power of 2 that a sum may have, with the gain of one flip, in products of two. */
static int highest(const spn_softmax *p)
{
    return 62 - (int)ceil(p->widest);
}

/* Behind the last sample. Positions before it that hold none, at the ends of parts, are worked on
   as if they did, and made neutral last. */
static size_t end_of_samples(const spn_softmax *p)
{
    const spn_softmax_part *last = &p->parts[p->part_count - 1];
    return last->first + last->samples;
}

/* Padding that adds log 1 to everything. */
static void neutralise(const spn_softmax *p, const fast_view *v, size_t first, size_t count)
{
    float *sum = current_sum(p, v);
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_softmax_part *part = &p->parts[j];
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
    float *sum = current_sum(p, v);
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

static size_t block_length(const spn_softmax *p, size_t first)
{
    const size_t left = p->stride - first;
    return left < SPN_SOFTMAX_BLOCK ? left : SPN_SOFTMAX_BLOCK;
}

/* Bring logits and powers of class k up to date. */
static void rebuild_class(const spn_softmax *p, const fast_view *v, size_t k)
{
    const spn_column_list columns = flips_of_class(p, v->head, k);
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_BLOCK) {
        const size_t count = block_length(p, first);
        add_to_logits(p, v, k, &columns, first, count);
        powers_from_logits(p, v, k, first, count);
    }
}

static double offset_of(const spn_softmax *p, const int8_t *spins, size_t k)
{
    double total = 0;
    for (size_t i = 0; i < p->features; i++)
        total += spins[k * p->features + i] * p->origin[i];
    return -total * 1.44269504088896340736;
}

/* The sum over positions of log(S + e(g-1)): of all at once, or of each part by its weight. */
static spn_log_sum sum_logs(const spn_softmax *p, const spn_trial *trial, bool store)
{
    spn_log_sum (*const kernel)(const spn_trial *) =
        store ? p->kernels->trial_store : p->kernels->trial;
    if (!p->class_weight)
        return kernel(trial);
    spn_log_sum total = {0};
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_softmax_part *part = &p->parts[j];
        const size_t first = part->first;
        const spn_trial some = {.power = trial->power + first,
                                .sum = trial->sum + first,
                                .column = trial->column + first,
                                .gain = trial->gain,
                                .new_power = store ? trial->new_power + first : NULL,
                                .new_sum = store ? trial->new_sum + first : NULL,
                                .count = part->count};
        const spn_log_sum logs = kernel(&some);
        total.fraction += part->weight * (logs.fraction + (double)logs.exponent * LOG_2);
    }
    return total;
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
    /* cppcheck-suppress returnDanglingLifetime ; what comes back holds no pointer */
    return sum_logs(p, &trial, false);
}

static void sum_refs(const spn_softmax *p, const fast_view *v)
{
    fast_cache *head = v->head;
    head->ref_sum = 0;
    head->weighted_refs = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_softmax_part *part = &p->parts[j];
        int64_t refs = 0;
        for (size_t n = part->first; n < part->first + part->samples; n++)
            refs += v->ref[n];
        if (p->class_weight)
            head->weighted_refs += part->weight * (double)refs;
        else
            head->ref_sum = refs;
    }
}

/* Start a new window: bring the logits up to date with the flips of the last one, then powers and
   sums. Costs about 40 trials, once in a window. */
static void rebuild(const spn_softmax *p, const fast_view *v, const int8_t *spins)
{
    fast_cache *head = v->head;
    uint32_t *fallen = (uint32_t *)(void *)powers_of(p, v, p->classes);
    head->range[0] = UINT8_MAX;
    head->range[1] = 0;
    for (size_t k = 0; k < p->classes; k++) {
        v->rows[k] = powers_of(p, v, k);
        if (v->class_climb[k] > 0) {
            v->offset[k] = offset_of(p, spins, k);
            rebuild_class(p, v, k);
        }
    }
    memset(v->peak, 0, p->stride);
    for (size_t first = 0; first < p->stride; first += SPN_SOFTMAX_BLOCK) {
        const size_t count = block_length(p, first);
        sum_block(p, v, first, count);
    }
    p->kernels->settle(current_sum(p, v), v->peak, UINT8_MAX, fallen, head->range, p->stride);
    sum_refs(p, v);
    head->logs = logs_of_sums(p, v);
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
        add_to_logits(p, v, k, &columns, first, block_length(p, first));
    }
}

/* Everything but the logits, from the logits. */
static double start_from_logits(const spn_softmax *p, const fast_view *v, const int8_t *spins)
{
    for (size_t k = 0; k < p->classes; k++) {
        v->class_climb[k] = 1; /* all are to be computed */
        v->offset[k] = offset_of(p, spins, k);
    }
    for (size_t n = 0; n < end_of_samples(p); n++)
        choose_ref(p, v, n);
    v->head->trial_site = NO_SITE;
    v->head->heat = 16 * HEAT_UNIT;
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
    for (size_t k = 0; k <= p->classes; k++)
        v.slot[k] = (uint32_t)k;
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

/* The sum of log S after a flip; with `store` the powers and sums after it are kept as well. */
static spn_log_sum try_flip(const spn_softmax *p, const fast_view *v, int spin, size_t site,
                            bool store)
{
    const size_t k = site / p->features, feature = site % p->features;
    assert(site < p->base.sites && spn_is_spin(spin) && v->head->current_sum <= 1);
    const spn_trial trial = {.power = powers_of(p, v, k),
                             .sum = current_sum(p, v),
                             .column = column_of(p, feature),
                             .gain = p->gains + feature * p->gain_step + (spin < 0),
                             .new_power = powers_of(p, v, p->classes),
                             .new_sum = v->sums + (1 - v->head->current_sum) * p->stride,
                             .count = p->stride};
    if (!store)
        /* cppcheck-suppress returnDanglingLifetime ; what comes back holds no pointer */
        return sum_logs(p, &trial, false);
    v->head->trial_site = site;
    return v->head->trial_logs = sum_logs(p, &trial, true);
}

/* While many trials are accepted, it pays to keep what they compute. The results are the same. */
static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = view_of(p, cache);
    fast_cache *head = v.head;
    const bool store = head->heat > 16 * HEAT_UNIT / 4;
    head->heat -= head->heat / 16;
    const spn_log_sum after = try_flip(p, &v, spins[site], site, store);
    const double exponents = (double)(after.exponent - head->logs.exponent);
    const double logs = after.fraction - head->logs.fraction + exponents * LOG_2;
    return (logs + 2.0 * spins[site] * p->label_sum[site]) / p->total;
}

/* Add up again the sums that have lost too many bits; see (1) above. The list of them goes to the
   spare powers, which hold nothing between a commit and the next trial. */
static void restore_fallen(const spn_softmax *p, const fast_view *v)
{
    enum { AHEAD = 8, CHUNK = 256 };
    float *sum = current_sum(p, v);
    uint32_t *fallen = (uint32_t *)(void *)powers_of(p, v, p->classes);
    const size_t found =
        p->kernels->settle(sum, v->peak, p->narrow ? 1 : 3, fallen, v->head->range, p->stride);
    double ratio = 1; /* of new sums to old ones, each near 1 */
    for (size_t j = 0; j < found; j++) {
        for (size_t k = 0; j + AHEAD < found && k < p->classes; k++)
            __builtin_prefetch(powers_of(p, v, k) + fallen[j + AHEAD]);
        const size_t n = fallen[j];
        assert(n < p->stride);
        const float fresh = add_up(p, v, n);
        ratio *= (double)fresh / (double)sum[n];
        sum[n] = fresh;
        const bool last_of_class =
            p->class_weight && j + 1 < found && p->labels[fallen[j + 1]] != p->labels[n];
        if (j % CHUNK == CHUNK - 1 || j + 1 == found || last_of_class) {
            v->head->logs.fraction += spn_softmax_weight(p, n) * spn_log(ratio);
            ratio = 1;
        }
    }
}

static bool window_is_full(const spn_softmax *p, const fast_view *v, size_t k)
{
    const fast_cache *head = v->head;
    const uint32_t longest = p->narrow ? SPN_SOFTMAX_WINDOW / 8 : SPN_SOFTMAX_WINDOW;
    return head->flips >= longest || v->class_climb[k] > 126 + LOWEST - 25 - p->widest ||
           head->range[0] < BIAS + LOWEST || head->range[1] >= BIAS + highest(p);
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const fast_view v = view_of(p, cache);
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
    assert(head->flips < SPN_SOFTMAX_WINDOW);
    head->flip[head->flips++] = (flip){(uint32_t)site, spins[site]};
    v.class_climb[k] += p->max_change[site % p->features] * 1.44269504088896340736 + 1e-3;
    restore_fallen(p, &v);
    if (window_is_full(p, &v, k))
        rebuild(p, &v, spins);
    return value(p, head);
}

const spn_energy_slots spn_softmax_fast_ops = {.name = "softmax",
                                               .energy = spn_softmax_reference,
                                               .attach = attach,
                                               .delta = delta,
                                               .commit = commit,
                                               .destroy = spn_softmax_destroy,
                                               .refresh = refresh};
