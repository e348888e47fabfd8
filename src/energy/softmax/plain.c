/* The plain path of softmax: logits and their log-sum-exp per sample, in double precision. For real
   features, and for bytes whose scaling makes flips change logits too much for floats. Logits are
   added to at each flip and recomputed every 4096 flips. So is, with many classes, their
   log-sum-exp, which is recomputed every 256 flips; with few it is recomputed at each. */
#include "energy/softmax/softmax.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { PART = 256, RENEW = 4096, RENEW_LSE = 256, FEW_CLASSES = 16 };

/* Up to here 1 + p(g-1) keeps 1e-10 of relative accuracy; beyond, the log-sum-exp is recomputed. */
static const double MILD = 8.0;

/* The head of a cache; then K arrays of logits and one of log-sum-exp, of stride doubles each. */
typedef struct plain_cache {
    double lse_sum, label_score;
    size_t flips;
    double reserved[5]; /* the arrays start at a multiple of 64 bytes */
} plain_cache;

size_t spn_softmax_plain_cache_size(const spn_softmax *problem)
{
    return sizeof(plain_cache) + (problem->classes + 1) * problem->stride * sizeof(double);
}

static double *logits_of(void *cache)
{
    return (double *)(void *)((char *)cache + sizeof(plain_cache));
}

static double *lse_of(const spn_softmax *p, void *cache)
{
    return logits_of(cache) + p->classes * p->stride;
}

static double value(const spn_softmax *p, const plain_cache *head)
{
    return (head->lse_sum - head->label_score) / p->total;
}

static void renew_lse(const spn_softmax *p, void *cache)
{
    plain_cache *head = cache;
    double *lse = lse_of(p, cache);
    p->kernels->real_lse(lse, logits_of(cache), p->stride, p->classes, p->samples);
    assert(p->samples <= p->stride && p->total > 0);
    head->lse_sum = 0;
    for (size_t n = 0; n < p->samples; n++)
        head->lse_sum += spn_softmax_weight(p, n) * lse[n];
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_softmax *p = (const spn_softmax *)self;
    plain_cache *head = cache;
    spn_softmax_logits(p, spins, 0, p->samples, p->stride, logits_of(cache));
    head->flips = 0;
    head->label_score = spn_softmax_label_score(p, spins);
    renew_lse(p, cache);
    return value(p, head);
}

/* The changes of the logit of samples first .. first+count-1 by a flip of a weight that is spin. */
static void changes(const spn_softmax *p, size_t feature, int spin, size_t first, size_t count,
                    double *out)
{
    assert(feature < p->features && first + count <= p->samples);
    const double slope = -2.0 * spin * p->slope[feature], origin = -2.0 * spin * p->origin[feature];
    if (p->values) {
        const double *x = p->values + p->column[feature] * p->stride + first;
        for (size_t n = 0; n < count; n++)
            out[n] = slope * x[n] - origin;
        return;
    }
    const uint8_t *column = p->bytes + p->column[feature] * p->stride;
    for (size_t n = 0; n < count; n++)
        out[n] = slope * spn_softmax_byte(column, first + n, p->kernels->lanes) - origin;
}

/* The change of log-sum-exp of one sample, whatever its size. */
static double wild_change(const spn_softmax *p, const double *logits, double lse, size_t k,
                          double change)
{
    double top = logits[k * p->stride] + change, total = 0;
    for (size_t c = 0; c < p->classes; c++)
        top = c == k ? top : fmax(top, logits[c * p->stride]);
    for (size_t c = 0; c < p->classes; c++)
        total += exp(logits[c * p->stride] + (c == k ? change : 0.0) - top);
    assert(k < p->classes && !(total < 1));
    /* cppcheck-suppress invalidFunctionArg ; the term of top is 1, so total is not 0 */
    return top + log(total) - lse;
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_softmax *p = (const spn_softmax *)self;
    const size_t k = site / p->features, feature = site % p->features;
    const double *logits = logits_of(cache), *lse = lse_of(p, cache);
    const bool mild = p->max_change[feature] <= MILD;
    assert(site < self->sites && spn_is_spin(spins[site]));
    double total = 0;
    for (size_t first = 0; first < p->samples; first += PART) {
        const size_t left = p->samples - first, count = left < PART ? left : PART;
        double change[PART];
        changes(p, feature, spins[site], first, count, change);
        if (mild)
            p->kernels->real_trial(change, logits + k * p->stride + first, lse + first, count);
        for (size_t n = 0; n < count; n++)
            total += spn_softmax_weight(p, first + n) *
                     (mild ? change[n]
                           : wild_change(p, logits + first + n, lse[first + n], k, change[n]));
    }
    return (total + 2.0 * spins[site] * p->label_sum[site]) / p->total;
}

/* Add to the log-sum-exp of some samples what a change of one logit each does. */
static void add_to_lse(const spn_softmax *p, void *cache, const double *logit, const double *change,
                       size_t first, size_t count)
{
    double *lse = lse_of(p, cache), of_lse[PART];
    assert(count <= PART && first + count <= p->samples);
    memcpy(of_lse, change, count * sizeof *of_lse);
    p->kernels->real_trial(of_lse, logit + first, lse + first, count);
    for (size_t n = 0; n < count; n++) {
        lse[first + n] += of_lse[n];
        ((plain_cache *)cache)->lse_sum += spn_softmax_weight(p, first + n) * of_lse[n];
    }
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_softmax *p = (const spn_softmax *)self;
    plain_cache *head = cache;
    const size_t feature = site % p->features;
    double *logit = logits_of(cache) + site / p->features * p->stride;
    assert(site < self->sites && spn_is_spin(spins[site]));
    if (++head->flips >= RENEW)
        return attach(self, cache, spins);
    const bool adds =
        p->classes > FEW_CLASSES && p->max_change[feature] <= MILD && head->flips % RENEW_LSE != 0;
    for (size_t first = 0; first < p->samples; first += PART) {
        const size_t left = p->samples - first, count = left < PART ? left : PART;
        double change[PART];
        changes(p, feature, -spins[site], first, count, change);
        if (adds)
            add_to_lse(p, cache, logit, change, first, count);
        for (size_t n = 0; n < count; n++)
            logit[first + n] += change[n];
    }
    head->label_score += 2.0 * spins[site] * p->label_sum[site];
    if (!adds)
        renew_lse(p, cache);
    return value(p, head);
}

/* Logits, their log-sum-exp and the sums of both. */
static bool visit(const spn_energy *self, void *cache, spn_archive *archive)
{
    spn_archive_move(archive, cache, self->cache_size);
    return true;
}

const spn_energy_slots spn_softmax_plain_ops = {
    "softmax",         spn_softmax_reference, attach, delta, commit, .destroy = spn_softmax_destroy,
    .refresh = attach, .visit = visit};
