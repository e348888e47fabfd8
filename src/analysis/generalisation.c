/* Generalisation: states and teacher on fresh random patterns, as packed bits. */
#include <spinney/generalisation.h>

#include "base/memory.h"
#include "data/problem.h"

#include <assert.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>

typedef struct shape {
    size_t units, inputs; /* inputs of one unit */
    size_t words;         /* of one unit, 64 inputs each */
    size_t rows;          /* of a pattern: 1, or one per unit if a tree */
} shape;

static spn_status check(const spn_generalisation_options *o, spn_error *err)
{
    SPN_REFUSE_IF(o->sites == 0 || !o->teacher || o->patterns == 0, err,
                  "generalisation needs a teacher, its weights and fresh patterns");
    SPN_REFUSE_IF(o->units % 2 == 0 || o->sites % o->units != 0, err,
                  "generalisation of %zu units and %zu weights: units are odd, and share "
                  "the weights out evenly",
                  o->units, o->sites);
    return SPN_OK;
}

static shape shape_of(const spn_generalisation_options *o)
{
    const size_t inputs = o->sites / o->units;
    return (shape){o->units, inputs, (inputs + 63) / 64, o->tree ? o->units : 1};
}

static void pack(uint64_t *out, const int8_t *weights, shape s)
{
    for (size_t unit = 0; unit < s.units; unit++)
        for (size_t i = 0; i < s.inputs; i++)
            if (weights[unit * s.inputs + i] > 0)
                out[unit * s.words + i / 64] |= (uint64_t)1 << i % 64;
}

/* Bits beyond the inputs are 0. */
static void draw_pattern(uint64_t *out, shape s, spn_random *random)
{
    const uint64_t last = s.inputs % 64 ? ((uint64_t)1 << s.inputs % 64) - 1 : ~(uint64_t)0;
    for (size_t w = 0; w < s.rows * s.words; w++)
        out[w] = spn_random_u64(random) & (w % s.words == s.words - 1 ? last : ~(uint64_t)0);
}

/* Pattern `number`: bit i is input i. */
static void number_pattern(uint64_t *out, shape s, uint64_t number)
{
    assert(s.words == 1 && s.rows * s.inputs < 64);
    for (size_t row = 0; row < s.rows; row++)
        out[row] = number >> row * s.inputs & (((uint64_t)1 << s.inputs) - 1);
}

/* Whether the committee says +1. */
static bool output(const uint64_t *weights, const uint64_t *pattern, shape s)
{
    size_t positive = 0;
    for (size_t unit = 0; unit < s.units; unit++) {
        const uint64_t *own = weights + unit * s.words;
        const uint64_t *seen = pattern + (s.rows > 1 ? unit * s.words : 0);
        size_t differ = 0;
        for (size_t w = 0; w < s.words; w++)
            differ += (size_t)__builtin_popcountll(own[w] ^ seen[w]);
        positive += 2 * differ <= s.inputs;
    }
    return 2 * positive > s.units;
}

typedef struct tally {
    shape shape;
    size_t states;
    uint64_t *weights; /* the teacher's, then those of each state */
    uint64_t *pattern;
    uint64_t *agree;     /* the patterns on which each state agrees with the teacher */
    uint64_t votes;      /* the patterns on which the majority does */
    double sum, squares; /* over the patterns, of the number of states that agree */
} tally;

static void count_pattern(tally *t)
{
    const size_t stride = t->shape.units * t->shape.words;
    const bool label = output(t->weights, t->pattern, t->shape);
    size_t positive = 0, agree = 0;
    for (size_t k = 0; k < t->states; k++) {
        const bool said = output(t->weights + (k + 1) * stride, t->pattern, t->shape);
        positive += said;
        agree += said == label;
        t->agree[k] += said == label;
    }
    t->votes += (2 * positive >= t->states) == label;
    t->sum += (double)agree;
    t->squares += (double)agree * (double)agree;
}

/* The number of all patterns, or 0 if it exceeds `most`. */
static uint64_t all_patterns(shape s, size_t most)
{
    const size_t inputs = s.rows * s.inputs;
    return inputs < 63 && (uint64_t)1 << inputs <= most ? (uint64_t)1 << inputs : 0;
}

static void count_patterns(tally *t, spn_generalisation *out, const spn_generalisation_options *o)
{
    const uint64_t all = all_patterns(t->shape, o->patterns);
    spn_random random = spn_random_make(o->seed, 0, SPN_STREAM_FRESH, SPN_PURPOSE_INSTANCE);
    out->exact = all > 0;
    out->patterns = all ? (size_t)all : o->patterns;
    for (size_t k = 0; k < out->patterns; k++) {
        if (all)
            number_pattern(t->pattern, t->shape, k);
        else
            draw_pattern(t->pattern, t->shape, &random);
        count_pattern(t);
    }
}

static void summarise(spn_generalisation *out, double *each, const tally *t)
{
    const double patterns = (double)out->patterns, states = (double)t->states;
    const double mean = t->sum / patterns; /* of the number that agree */
    out->mean = mean / states;
    out->vote = (double)t->votes / patterns;
    out->standard_error =
        out->exact
            ? 0
            : sqrt(fmax(t->squares / patterns - mean * mean, 0) / fmax(patterns - 1, 1)) / states;
    for (size_t k = 0; each && k < t->states; k++)
        each[k] = (double)t->agree[k] / patterns;
}

spn_status spn_generalisation_measure_sized(spn_generalisation *out, size_t size, double *each,
                                            const int8_t *states, size_t count,
                                            const spn_generalisation_options *given, spn_error *err)
{
    spn_generalisation_options o = spn_generalisation_defaults();
    spn_generalisation own = {0};
    spn_status status = SPN_OK;
    SPN_TRY(spn_sized_take(&o, sizeof o, given, "spn_generalisation_defaults", err));
    SPN_TRY(check(&o, err));
    SPN_REFUSE_IF(count == 0, err, "generalisation needs a state");
    const shape s = shape_of(&o);
    const size_t stride = s.units * s.words;
    tally t = {.shape = s,
               .states = count,
               .weights = spn_alloc((count + 1) * stride, sizeof *t.weights),
               .pattern = spn_alloc(s.rows * s.words, sizeof *t.pattern),
               .agree = spn_alloc(count, sizeof *t.agree)};
    SPN_NEED_OR(cleanup, t.weights && t.pattern && t.agree, err, "fresh patterns");
    pack(t.weights, o.teacher, s);
    for (size_t k = 0; k < count; k++)
        pack(t.weights + (k + 1) * stride, states + k * o.sites, s);
    count_patterns(&t, &own, &o);
    summarise(&own, each, &t);
    spn_sized_give(out, size, &own, sizeof own);
cleanup:
    SPN_FREE_ALL(t.weights, t.pattern, t.agree);
    return status;
}

static int64_t product(const int8_t *a, const int8_t *b, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Take the largest product that is left, and remove its row and column. */
static int64_t take_largest(int64_t *products, size_t units)
{
    size_t best = 0;
    for (size_t k = 1; k < units * units; k++)
        if (products[k] > products[best])
            best = k;
    const int64_t largest = products[best];
    for (size_t k = 0; k < units; k++)
        products[best / units * units + k] = products[k * units + best % units] = INT64_MIN;
    return largest;
}

spn_status spn_teacher_overlap(double *out, const int8_t *state,
                               const spn_generalisation_options *given, spn_error *err)
{
    spn_generalisation_options o = spn_generalisation_defaults();
    SPN_TRY(spn_sized_take(&o, sizeof o, given, "spn_generalisation_defaults", err));
    SPN_TRY(check(&o, err));
    if (o.tree || o.units == 1) {
        *out = (double)product(state, o.teacher, o.sites) / (double)o.sites;
        return SPN_OK;
    }
    const size_t units = o.units, inputs = o.sites / units;
    int64_t sum = 0, *products = units > SIZE_MAX / units
                                     ? NULL
                                     : spn_alloc(units * units, sizeof *products);
    SPN_NEED(products, err, "the overlaps of %zu units", units);
    for (size_t k = 0; k < units * units; k++)
        products[k] = product(state + k / units * inputs, o.teacher + k % units * inputs, inputs);
    for (size_t k = 0; k < units; k++)
        sum += take_largest(products, units);
    free(products);
    *out = (double)sum / (double)o.sites;
    return SPN_OK;
}
