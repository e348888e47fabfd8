/* Softmax in whole numbers on the processor: the plain reference of device/train.cl. */
#include "energy/softmax/whole.h"

#include "base/memory.h"
#include "base/try.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

#define WHOLE(name) whole_##name
#define FLOATS float
#define UINTS uint32_t
#define AS_FLOATS float_of
#define AS_UINTS bits_of
#define AS_INTS (int32_t)
#define TO_FLOATS (float)
#define FMA fmaf
#include "energy/softmax/whole_math.h"

/* The head of a cache; then K offsets, stride L, K * stride U, which are shifted, and depths. */
typedef struct whole_cache {
    int64_t loss;
    uint64_t flips;
} whole_cache;

static uint32_t *offsets_of(void *cache)
{
    return (uint32_t *)(void *)((char *)cache + sizeof(whole_cache));
}

static uint32_t *logs_of(const spn_whole *w, void *cache)
{
    return offsets_of(cache) + w->softmax->classes;
}

static uint32_t *logits_of(const spn_whole *w, void *cache, size_t k)
{
    return logs_of(w, cache) + (k + 1) * w->softmax->stride;
}

static uint8_t *depths_of(const spn_whole *w, void *cache)
{
    return (uint8_t *)logits_of(w, cache, w->softmax->classes);
}

static float share(const spn_whole *w, uint32_t distance)
{
    const float f = fmaf((float)distance, -w->bits, WHOLE_GUARD * w->bits);
    return whole_power(fmaxf(f, WHOLE_LOWEST));
}

static uint32_t in_steps(const spn_whole *w, float log)
{
    return (uint32_t)(int32_t)rintf(log * w->per_step);
}

/* ---- from scratch ---- */

/* L from any L within the guard of it. False: a class is too far. */
static bool renew_log(const spn_whole *w, void *cache, size_t n)
{
    const size_t classes = w->softmax->classes;
    uint32_t *log = logs_of(w, cache) + n, *offset = offsets_of(cache), least = UINT32_MAX;
    uint32_t most = 0;
    float sum = 0;
    for (size_t k = 0; k < classes; k++) {
        const uint32_t distance = *log - logits_of(w, cache, k)[n] + offset[k];
        least = distance < least ? distance : least;
        most = distance > most ? distance : most;
    }
    for (size_t k = 0; k < classes; k++) {
        const uint32_t distance = *log - logits_of(w, cache, k)[n] + offset[k] - least;
        sum += share(w, distance + WHOLE_GUARD);
    }
    *log += WHOLE_GUARD - least + in_steps(w, whole_log_sum(sum));
    depths_of(w, cache)[n] = 0;
    return most < WHOLE_FAR;
}

static double refresh(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_whole *w = (const spn_whole *)(const void *)self;
    const spn_softmax *p = w->softmax;
    whole_cache *head = cache;
    bool near = true;
    (void)spins;
    head->loss = 0;
    head->flips = 0;
    for (size_t n = 0; n < p->samples; n++) {
        const uint32_t y = p->labels[n];
        near = renew_log(w, cache, n) && near;
        const uint32_t distance =
            logs_of(w, cache)[n] - logits_of(w, cache, y)[n] + offsets_of(cache)[y];
        head->loss += (int64_t)distance - WHOLE_GUARD;
    }
    head->loss = near ? head->loss : SPN_WHOLE_FAR;
    return spn_whole_value(w, head->loss);
}

/* The weights +1 of a class, added up; ends: the lowest and the highest logit of each sample. */
static void attach_class(const spn_whole *w, void *cache, const int8_t *spins, size_t k,
                         int64_t (*ends)[2])
{
    const spn_softmax *p = w->softmax;
    const int8_t *weights = spins + k * p->features;
    uint32_t *offset = &offsets_of(cache)[k];
    int64_t whole_offset = 0;
    for (size_t i = 0; i < p->features; i++)
        whole_offset += weights[i] > 0 ? (int32_t)w->origin[i] : 0;
    *offset = (uint32_t)whole_offset;
    for (size_t n = 0; n < p->samples; n++) {
        int64_t sum = 0;
        for (size_t i = 0; i < p->features; i++)
            sum += weights[i] > 0 ? p->bytes[p->column[i] * p->stride + n] : 0;
        logits_of(w, cache, k)[n] = (uint32_t)sum << w->shift;
        const int64_t logit = (sum << w->shift) - whole_offset;
        ends[n][0] = k == 0 || logit < ends[n][0] ? logit : ends[n][0];
        ends[n][1] = k == 0 || logit > ends[n][1] ? logit : ends[n][1];
    }
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_whole *w = (const spn_whole *)(const void *)self;
    int64_t(*ends)[2] = spn_alloc(w->softmax->samples, sizeof *ends);
    bool near = ends != NULL;
    for (size_t k = 0; ends && k < w->softmax->classes; k++)
        attach_class(w, cache, spins, k, ends);
    for (size_t n = 0; ends && n < w->softmax->samples; n++) {
        logs_of(w, cache)[n] = (uint32_t)ends[n][1] + WHOLE_GUARD;
        near = near && ends[n][1] - ends[n][0] < WHOLE_FAR;
    }
    free(ends);
    return near ? refresh(self, cache, spins) : NAN;
}

/* ---- flips ---- */

/* A flip of a weight, rising or falling. */
typedef struct flip {
    size_t class;
    bool rises;
    const uint8_t *column;
    const float *gains;
    const uint32_t *logs, *logits;
    uint32_t offset;
    int64_t label; /* the change of the labels' logits */
} flip;

static flip flip_of(const spn_whole *w, void *cache, size_t site, bool rises)
{
    const spn_softmax *p = w->softmax;
    const size_t k = site / p->features, i = site % p->features;
    return (flip){.class = k,
                  .rises = rises,
                  .column = p->bytes + p->column[i] * p->stride,
                  .gains = w->gains + i * w->gain_step + (rises ? SPN_WHOLE_GAINS / 2 : 0),
                  .logs = logs_of(w, cache),
                  .logits = logits_of(w, cache, k),
                  .offset = offsets_of(cache)[k],
                  .label = rises ? w->label[site] : -w->label[site]};
}

/* What the sum of the exponentials of sample n is multiplied by. */
static float factor_at(const spn_whole *w, const flip *f, size_t n)
{
    const float p = share(w, f->logs[n] - f->logits[n] + f->offset);
    return fmaf(p, f->gains[f->column[n]], 1.0f);
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_whole *w = (const spn_whole *)(const void *)self;
    const flip f = flip_of(w, cache, site, spins[site] < 0);
    int64_t logs = 0;
    for (size_t first = 0; first < w->softmax->samples; first += WHOLE_ITEM) {
        float x[WHOLE_ITEM], exponent, f0;
        for (size_t j = 0; j < WHOLE_ITEM; j++)
            x[j] = first + j < w->softmax->samples ? factor_at(w, &f, first + j) : 1;
        for (size_t half = WHOLE_ITEM / 2; half > 0; half /= 2)
            for (size_t j = 0; j < half; j++)
                x[j] *= x[j + half];
        const float p = whole_log(x[0], &exponent, &f0);
        logs += (int64_t)exponent * (1 << WHOLE_FRACTION);
        logs += (int64_t)rintf(f0 * p * (float)(1 << WHOLE_FRACTION));
    }
    return fma((double)logs, w->bit, -((double)f.label * w->step)) / (double)w->softmax->samples;
}

/* The spins are those after the flip. */
static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_whole *w = (const spn_whole *)(const void *)self;
    const spn_softmax *p = w->softmax;
    const flip f = flip_of(w, cache, site, spins[site] > 0);
    const uint32_t origin = w->origin[site % p->features];
    uint32_t *logs = logs_of(w, cache), *logits = logits_of(w, cache, f.class);
    uint8_t *depths = depths_of(w, cache);
    whole_cache *head = cache;
    head->loss -= f.label;
    offsets_of(cache)[f.class] += f.rises ? origin : 0u - origin;
    for (size_t n = 0; n < p->samples; n++) {
        const float log = whole_log_sum(factor_at(w, &f, n));
        const uint32_t x = (uint32_t)f.column[n] << w->shift, before = logs[n];
        const int depth = depths[n] - (int)floorf(log * WHOLE_DEPTH);
        logs[n] += in_steps(w, log);
        logits[n] += f.rises ? x : 0u - x;
        depths[n] = (uint8_t)(depth > 0 ? depth : 0);
        if (depth > WHOLE_DEEPEST)
            renew_log(w, cache, n);
        head->loss += (int32_t)(logs[n] - before);
    }
    if (++head->flips == WHOLE_WINDOW)
        return refresh(self, cache, spins);
    return spn_whole_value(w, head->loss);
}

static double from_scratch(const spn_energy *self, const int8_t *spins)
{
    return spn_softmax_reference(&((const spn_whole *)(const void *)self)->softmax->base, spins);
}

static void destroy(spn_energy *self)
{
    spn_whole_free((spn_whole *)(void *)self);
}

static const spn_energy_slots slots = {"softmax",          from_scratch,      attach, delta, commit,
                                       .destroy = destroy, .refresh = refresh};

/* ---- creation ---- */

/* A flip beyond would need more than the factors of an item can hold. */
static const double MOST_CHANGE = 8;

/* As many steps to a byte as are of use, if a window cannot bring a class from WHOLE_FAR to 2^32.
 */
static bool choose_steps(spn_whole *w, double widest)
{
    const spn_softmax *p = w->softmax;
    const double unit = 2 * p->slope[0] * 1.44269504088896340736; /* of a byte, in powers of 2 */
    const double most = (WHOLE_WINDOW + 1) * (2 * widest / (2 * p->slope[0]) + 1);
    w->shift = 24;
    while (w->shift > 8 && (ldexp(most, (int)w->shift) > 0x1p32 - WHOLE_FAR ||
                            ldexp(unit, -(int)w->shift) < 0x1p-22))
        w->shift--;
    w->bits = (float)ldexp(unit, -(int)w->shift);
    w->per_step = (float)ldexp(1 / unit, (int)w->shift);
    w->step = ldexp(2 * p->slope[0], -(int)w->shift);
    w->bit = ldexp(0.69314718055994530942, -WHOLE_FRACTION);
    return w->shift > 8 && w->bits < 0x1p-16f;
}

static const char *refusal(spn_whole *w)
{
    const spn_softmax *p = w->softmax;
    double widest = 0;
    for (size_t i = 0; i < p->features; i++) {
        widest = fmax(widest, p->max_change[i]);
        if (p->slope[i] != p->slope[0] || !(p->slope[i] > 0))
            return "the features have different scales";
        if (!(fabs(p->origin[i]) < 1000 * p->slope[i]))
            return "the data are far from 0 once scaled";
    }
    if (p->class_weight || p->sample_weight || p->part_count != 1)
        return "samples have weights";
    if (widest > MOST_CHANGE)
        return "a flip changes a logit by more than 8";
    return choose_steps(w, widest) ? NULL : "bytes are worth too little or too much";
}

static void fill_gains(float *out, double slope, double origin)
{
    for (int sign = 0; sign < 2; sign++)
        for (int x = 0; x < SPN_WHOLE_GAINS / 2; x++) {
            const double change = (sign ? 2 : -2) * (slope * x - origin);
            *out++ = (float)(exp(fmin(fmax(change, -MOST_CHANGE), MOST_CHANGE)) - 1);
        }
}

static bool fill(spn_whole *w)
{
    const spn_softmax *p = w->softmax;
    bool same = true;
    for (size_t i = 0; i < p->features; i++)
        same = same && p->origin[i] == p->origin[0];
    w->gain_step = same ? 0 : SPN_WHOLE_GAINS;
    w->gains = spn_alloc(same ? 1 : p->features, SPN_WHOLE_GAINS * sizeof *w->gains);
    w->origin = spn_alloc(p->features, sizeof *w->origin);
    w->label = spn_alloc(p->classes, p->features * sizeof *w->label);
    if (!w->gains || !w->origin || !w->label)
        return false;
    for (size_t i = 0; i < p->features; i++) {
        const uint8_t *column = p->bytes + p->column[i] * p->stride;
        const int64_t origin = llrint(ldexp(p->origin[i] / p->slope[i], (int)w->shift));
        w->origin[i] = (uint32_t)origin;
        if (i == 0 || !same)
            fill_gains(w->gains + i * w->gain_step, p->slope[i], p->origin[i]);
        for (size_t n = 0; n < p->samples; n++)
            w->label[p->labels[n] * p->features + i] += ((int64_t)column[n] << w->shift) - origin;
    }
    return true;
}

spn_status spn_whole_create(spn_whole **out, const spn_dataset *train, const spn_scaling *scaling,
                            const spn_softmax_options *options, spn_error *err)
{
    spn_energy *softmax = NULL;
    *out = NULL;
    SPN_REFUSE_IF(options->faults != 0 || options->rounded, err,
                  "losses in whole numbers are of the cross-entropy of bytes");
    SPN_TRY(spn_softmax_create_by(&softmax, train, scaling, options, SPN_SOFTMAX_FAST,
                                  SPN_ISA_PORTABLE, err));
    spn_whole *w = spn_alloc(1, sizeof *w);
    if (!w) {
        spn_energy_free(softmax);
        return spn_no_memory(err, "the energy 'softmax'");
    }
    w->softmax = (spn_softmax *)(void *)softmax;
    const spn_softmax *p = w->softmax;
    const char *why = refusal(w);
    w->base =
        (spn_energy){.slots = &slots,
                     .sites = softmax->sites,
                     .accuracy = 0x1p-16,
                     .cache_size = sizeof(whole_cache) + p->stride +
                                   (p->classes + (p->classes + 1) * p->stride) * sizeof(uint32_t)};
    const spn_status status = why       ? spn_refuse(err, "no losses in whole numbers: %s", why)
                              : fill(w) ? SPN_OK
                                        : spn_no_memory(err, "tables");
    if (status)
        spn_whole_free(w);
    else
        *out = w;
    return status;
}

void spn_whole_free(spn_whole *w)
{
    if (!w)
        return;
    spn_energy_free(&w->softmax->base);
    SPN_FREE_ALL(w->origin, w->label, w->gains, w);
}
