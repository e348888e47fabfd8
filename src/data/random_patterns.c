/* Random patterns: perceptron instances, with or without a planted solution. */
#include "data/problem.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"
#include "data/stability.h"

#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>

enum { GAUSSIAN_SITES = 65536, MOST_REDRAWS = 20000 };

static const double TWO_PI = 6.283185307179586;

/* Standard Gaussians by the transform of Box and Muller. Libraries whose logarithms and sines
   differ in the last bit give the same values, but once in some 10^11, since these are rounded. */
static void draw_gaussians(spn_random *random, int16_t *out, size_t count)
{
    for (size_t k = 0; k < count; k += 2) {
        const double radius = sqrt(-2 * log(spn_random_uniform(random)));
        const double angle = TWO_PI * spn_random_uniform(random);
        out[k] = (int16_t)lround(radius * cos(angle) * SPN_VALUE_ONE);
        if (k + 1 < count)
            out[k + 1] = (int16_t)lround(radius * sin(angle) * SPN_VALUE_ONE);
    }
}

/* Draw count patterns from mu on. */
static void draw_rows(spn_problem *p, spn_random *random, size_t mu, size_t count)
{
    if (p->values)
        draw_gaussians(random, p->values + mu * p->sites, count * p->sites);
    else
        spn_random_spins(random, p->rows + mu * p->sites, count * p->sites);
}

/* <teacher, pattern>; of values in their units. */
static int64_t teachers_sum(const spn_problem *p, size_t mu)
{
    const size_t first = mu * p->sites;
    int64_t sum = 0;
    for (size_t i = 0; i < p->sites; i++)
        sum += p->teacher[i] * (p->values ? p->values[first + i] : p->rows[first + i]);
    return sum;
}

/* The sums that a planting allows: least <= |sum| <= most. */
typedef struct allowed {
    int64_t least, most;
} allowed;

static spn_status find_allowed(allowed *out, const spn_random_patterns *o, spn_error *err)
{
    const double bound = o->kappa * sqrt((double)o->sites) * SPN_VALUE_ONE;
    const bool within = o->planting == SPN_PLANTING_WITHIN;
    spn_stability right = {0, 0};
    *out = (allowed){.most = INT64_MAX};
    if (o->planting == SPN_PLANTING_NONE || (!within && !(o->kappa > 0)))
        return SPN_OK;
    SPN_TRY(within ? spn_stability_within(&right, o->sites, o->kappa, err)
                   : spn_stability_above(&right, o->sites, o->kappa, true, err));
    if (within)
        out->most = o->gaussian ? (int64_t)floor(bound) : right.most;
    else
        out->least = o->gaussian ? (int64_t)floor(bound) + 1 : right.least;
    return SPN_OK;
}

/* Draw pattern mu again until the teacher's sum is allowed; draws: how many are left. */
static bool redraw(spn_problem *p, size_t mu, allowed range, spn_random *random, uint64_t *draws)
{
    int64_t sum = llabs(teachers_sum(p, mu));
    while (sum < range.least || sum > range.most) {
        if ((*draws)-- == 0)
            return false;
        draw_rows(p, random, mu, 1);
        sum = llabs(teachers_sum(p, mu));
    }
    return true;
}

/* The spins of the teacher. */
static size_t teachers_weights(const spn_random_patterns *o)
{
    return o->units > 1 && !o->tree ? o->units * o->sites : o->sites;
}

/* The label that a committee gives pattern mu: the sign that more of its units have; a unit's is +1
   at 0. */
static int8_t committees_label(const spn_problem *p, const spn_random_patterns *o, size_t mu)
{
    const size_t inputs = o->tree ? o->sites / o->units : o->sites;
    size_t positive = 0;
    for (size_t unit = 0; unit < o->units; unit++) {
        const int8_t *row = p->rows + mu * o->sites + (o->tree ? unit * inputs : 0);
        const int8_t *weights = p->teacher + unit * inputs;
        int64_t sum = 0;
        for (size_t i = 0; i < inputs; i++)
            sum += weights[i] * row[i];
        positive += sum >= 0;
    }
    return 2 * positive > o->units ? 1 : -1;
}

static void label_by_committee(spn_problem *p, const spn_random_patterns *o)
{
    for (size_t mu = 0; mu < p->count; mu++)
        p->labels[mu] = committees_label(p, o, mu);
}

static spn_status plant(spn_problem *p, const spn_random_patterns *o, spn_error *err)
{
    allowed range;
    uint64_t draws = MOST_REDRAWS + 1000 * (uint64_t)p->count;
    SPN_TRY(find_allowed(&range, o, err));
    const size_t weights = teachers_weights(o);
    if (!(p->teacher = spn_alloc(weights, 1)))
        return spn_no_memory(err, "a teacher");
    spn_random random = spn_random_make(o->seed, 0, SPN_STREAM_TEACHER, SPN_PURPOSE_INSTANCE);
    spn_random_spins(&random, p->teacher, weights);
    if (o->units > 1) {
        label_by_committee(p, o);
        return SPN_OK;
    }
    random = spn_random_make(o->seed, 0, SPN_STREAM_REDRAWN, SPN_PURPOSE_INSTANCE);
    for (size_t mu = 0; mu < p->count; mu++) {
        if (!redraw(p, mu, range, &random, &draws)) {
            char kappa[SPN_NUMBER_TEXT];
            spn_number_text(kappa, o->kappa);
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "less than one random pattern in a thousand is right by kappa %s, too "
                            "few to plant a solution",
                            kappa);
        }
        if (o->planting == SPN_PLANTING_ABOVE)
            p->labels[mu] = teachers_sum(p, mu) >= 0 ? 1 : -1;
    }
    return SPN_OK;
}

static spn_status check_committee(const spn_random_patterns *o, spn_error *err)
{
    if (o->units % 2 == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a committee needs an odd number of units, so that there is a majority, "
                        "not %zu",
                        o->units);
    if (o->tree ? o->sites % o->units != 0 : o->sites > UINT32_MAX / o->units)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a committee of %zu units cannot have patterns of %zu inputs: a tree "
                        "shares them out evenly, and there are at most 2^32-1 spins",
                        o->units, o->sites);
    if (o->gaussian || o->kappa != 0 || o->planting == SPN_PLANTING_WITHIN)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a committee labels patterns of +1 and -1, without a threshold kappa");
    return SPN_OK;
}

static spn_status check(const spn_random_patterns *o, spn_error *err)
{
    if (o->sites == 0 || o->count == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a random perceptron needs at least one spin and one pattern");
    if (o->sites > UINT32_MAX || o->count > SIZE_MAX / sizeof(int16_t) / o->sites)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a random perceptron of %zu x %zu is too large",
                        o->sites, o->count);
    if (o->gaussian && o->sites > GAUSSIAN_SITES)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "Gaussian patterns have at most %d spins, not %zu",
                        GAUSSIAN_SITES, o->sites);
    return o->units > 1 ? check_committee(o, err) : SPN_OK;
}

static spn_problem *alloc_patterns(const spn_random_patterns *o)
{
    spn_problem *p = spn_problem_alloc(SPN_PROBLEM_PATTERNS);
    if (!p)
        return NULL;
    p->sites = o->sites;
    p->count = o->count;
    p->labels = spn_alloc(o->count, 1);
    if (o->gaussian)
        p->values = spn_alloc(o->count * o->sites, sizeof *p->values);
    else
        p->rows = spn_alloc(o->count, o->sites);
    if (p->labels && (p->rows || p->values))
        return p;
    spn_problem_free(p);
    return NULL;
}

spn_status spn_problem_random_patterns_as(spn_problem **out, const spn_random_patterns *given,
                                          spn_error *err)
{
    spn_random_patterns o = spn_random_patterns_defaults();
    *out = NULL;
    spn_status status = spn_sized_take(&o, sizeof o, given, "spn_random_patterns_defaults", err);
    if (status || (status = check(&o, err)))
        return status;
    spn_problem *p = alloc_patterns(&o);
    if (!p)
        return spn_no_memory(err, "%zu patterns of %zu spins", o.count, o.sites);
    spn_random random = spn_random_make(o.seed, 0, SPN_STREAM_PATTERNS, SPN_PURPOSE_INSTANCE);
    draw_rows(p, &random, 0, p->count);
    random = spn_random_make(o.seed, 0, SPN_STREAM_LABELS, SPN_PURPOSE_INSTANCE);
    spn_random_spins(&random, p->labels, p->count);
    if (o.planting != SPN_PLANTING_NONE && (status = plant(p, &o, err))) {
        spn_problem_free(p);
        return status;
    }
    *out = p;
    return SPN_OK;
}
