/* Random problems: patterns with or without a planted solution, spin glasses, and the range of
   stabilities that a planting allows. */
#include "data/problem.h"

#include "base/memory.h"
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

/* ---- stabilities ---- */

/* Least integer of the parity of N with x/sqrt(N) >= kappa, or > kappa. */
static int64_t least_above(size_t sites, double kappa, bool ties_wrong)
{
    const double root = sqrt((double)sites);
    int64_t x = (int64_t)floor(kappa * root) - 3;
    x -= (x - (int64_t)sites) % 2 != 0;
    while (ties_wrong ? (double)x / root <= kappa : (double)x / root < kappa)
        x += 2;
    return x;
}

static spn_status refuse(size_t sites, double kappa, const char *why, spn_error *err)
{
    char text[SPN_NUMBER_TEXT], root[SPN_NUMBER_TEXT];
    spn_number_text(text, kappa);
    spn_print_text(root, sizeof root, "%.4g", sqrt((double)sites));
    return spn_refuse(err, "kappa %s %s of %zu spins, of which sqrt(N) is %s", text, why, sites,
                      root);
}

spn_status spn_stability_above(spn_stability *out, size_t sites, double kappa, bool ties_wrong,
                               spn_error *err)
{
    const int64_t n = (int64_t)sites;
    assert(sites > 0);
    if (!(fabs(kappa) <= sqrt((double)sites)))
        return refuse(sites, kappa, "is beyond the stability of a pattern", err);
    *out = (spn_stability){.least = least_above(sites, kappa, ties_wrong), .most = n};
    if (out->least > n)
        return refuse(sites, kappa, "is more than the stability of a pattern can be", err);
    if (out->least <= -n)
        return refuse(sites, kappa, "is less than the stability of any pattern", err);
    return SPN_OK;
}

spn_status spn_stability_within(spn_stability *out, size_t sites, double kappa, spn_error *err)
{
    assert(sites > 0);
    if (!(kappa >= 0 && kappa <= sqrt((double)sites)))
        return refuse(sites, kappa, "is not between 0 and the largest stability of a pattern", err);
    const int64_t most = least_above(sites, kappa, true) - 2;
    *out = (spn_stability){.least = -most, .most = most};
    if (most < 0)
        return refuse(sites, kappa, "is below the least |stability| of a pattern", err);
    return SPN_OK;
}

/* ---- patterns ---- */

enum { GAUSSIAN_SITES = 65536, MOST_REDRAWS = 20000 };

static const double TWO_PI = 6.283185307179586;

/* Standard Gaussians by Box and Muller. The values are rounded, so libraries whose logarithms and
   sines differ in the last bit give the same values, except once in about 10^11. */
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

/* Draw count patterns, starting at mu. */
static void draw_rows(spn_problem *p, spn_random *random, size_t mu, size_t count)
{
    if (p->values)
        draw_gaussians(random, p->values + mu * p->sites, count * p->sites);
    else
        spn_random_spins(random, p->rows + mu * p->sites, count * p->sites);
}

/* <teacher, pattern>; for values, in their units. */
static int64_t teachers_sum(const spn_problem *p, size_t mu)
{
    const size_t first = mu * p->sites;
    int64_t sum = 0;
    for (size_t i = 0; i < p->sites; i++)
        sum += p->teacher[i] * (p->values ? p->values[first + i] : p->rows[first + i]);
    return sum;
}

/* Sums that a planting allows: least <= |sum| <= most. */
static spn_status find_allowed(spn_stability *out, const spn_random_patterns *o, spn_error *err)
{
    const double bound = o->kappa * sqrt((double)o->sites) * SPN_VALUE_ONE;
    const bool within = o->planting == SPN_PLANTING_WITHIN;
    spn_stability right = {0, 0};
    *out = (spn_stability){.most = INT64_MAX};
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
static bool redraw(spn_problem *p, size_t mu, spn_stability range, spn_random *random,
                   uint64_t *draws)
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

static size_t teachers_weights(const spn_random_patterns *o)
{
    return o->units > 1 && !o->tree ? o->units * o->sites : o->sites;
}

/* A committee's label is the sign of most of its units; a unit's sign is +1 at 0. */
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

static spn_status plant(spn_problem *p, const spn_random_patterns *o, spn_error *err)
{
    spn_stability range;
    uint64_t draws = MOST_REDRAWS + 1000 * (uint64_t)p->count;
    SPN_TRY(find_allowed(&range, o, err));
    const size_t weights = teachers_weights(o);
    SPN_NEED(p->teacher = spn_alloc(weights, 1), err, "a teacher");
    spn_random random = spn_random_make(o->seed, 0, SPN_STREAM_TEACHER, SPN_PURPOSE_INSTANCE);
    spn_random_spins(&random, p->teacher, weights);
    if (o->units > 1) {
        for (size_t mu = 0; mu < p->count; mu++)
            p->labels[mu] = committees_label(p, o, mu);
        return SPN_OK;
    }
    random = spn_random_make(o->seed, 0, SPN_STREAM_REDRAWN, SPN_PURPOSE_INSTANCE);
    for (size_t mu = 0; mu < p->count; mu++) {
        if (!redraw(p, mu, range, &random, &draws)) {
            char kappa[SPN_NUMBER_TEXT];
            spn_number_text(kappa, o->kappa);
            return spn_refuse(err,
                              "less than one random pattern in a thousand is right by kappa %s, "
                              "too few to plant a solution",
                              kappa);
        }
        if (o->planting == SPN_PLANTING_ABOVE)
            p->labels[mu] = teachers_sum(p, mu) >= 0 ? 1 : -1;
    }
    return SPN_OK;
}

static spn_status check_committee(const spn_random_patterns *o, spn_error *err)
{
    SPN_REFUSE_IF(o->units % 2 == 0, err,
                  "a committee needs an odd number of units, so that there is a majority, not %zu",
                  o->units);
    SPN_REFUSE_IF(o->tree ? o->sites % o->units != 0 : o->sites > UINT32_MAX / o->units, err,
                  "a committee of %zu units cannot have patterns of %zu inputs: a tree "
                  "shares them out evenly, and there are at most 2^32-1 spins",
                  o->units, o->sites);
    SPN_REFUSE_IF(o->gaussian || o->kappa != 0 || o->planting == SPN_PLANTING_WITHIN, err,
                  "a committee labels patterns of +1 and -1, without a threshold kappa");
    return SPN_OK;
}

static spn_status check(const spn_random_patterns *o, spn_error *err)
{
    SPN_REFUSE_IF(o->sites == 0 || o->count == 0, err,
                  "a random perceptron needs at least one spin and one pattern");
    SPN_REFUSE_IF(o->sites > UINT32_MAX || o->count > SIZE_MAX / sizeof(int16_t) / o->sites, err,
                  "a random perceptron of %zu x %zu is too large", o->sites, o->count);
    SPN_REFUSE_IF(o->gaussian && o->sites > GAUSSIAN_SITES, err,
                  "Gaussian patterns have at most %d spins, not %zu", GAUSSIAN_SITES, o->sites);
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
    SPN_TRY(spn_sized_take(&o, sizeof o, given, "spn_random_patterns_defaults", err));
    SPN_TRY(check(&o, err));
    spn_problem *p = alloc_patterns(&o);
    SPN_NEED(p, err, "%zu patterns of %zu spins", o.count, o.sites);
    spn_random random = spn_random_make(o.seed, 0, SPN_STREAM_PATTERNS, SPN_PURPOSE_INSTANCE);
    draw_rows(p, &random, 0, p->count);
    random = spn_random_make(o.seed, 0, SPN_STREAM_LABELS, SPN_PURPOSE_INSTANCE);
    spn_random_spins(&random, p->labels, p->count);
    const spn_status status = o.planting == SPN_PLANTING_NONE ? SPN_OK : plant(p, &o, err);
    if (status)
        spn_problem_free(p);
    *out = status ? NULL : p;
    return status;
}

/* ---- texts and lattices ---- */

static const double MOST_PATTERNS = 1e12;

/* Copy a field up to a comma or the end. Returns the rest; NULL if the field is too long. */
static const char *take_field(char *out, size_t size, const char *text)
{
    const size_t length = strcspn(text, ",");
    if (length >= size)
        return NULL;
    memcpy(out, text, length);
    out[length] = 0;
    return text + length + (text[length] == ',');
}

/* P: a whole number; with a decimal point, P * N, rounded. */
static bool parse_patterns(size_t *out, const char *text, uint64_t sites)
{
    uint64_t whole;
    double share;
    if (!strchr(text, '.')) {
        *out = spn_whole_parse(&whole, text) && (double)whole <= MOST_PATTERNS ? (size_t)whole : 0;
    } else {
        share = spn_number_parse(&share, text) ? floor(share * (double)sites + 0.5) : 0;
        *out = share >= 1 && share <= MOST_PATTERNS ? (size_t)share : 0;
    }
    return *out > 0;
}

/* N,P or N,P,SEED. */
static bool parse_random(spn_random_text *out, const char *text)
{
    char field[3][64] = {"", "", ""};
    const size_t commas =
        (size_t)(strchr(text, ',') != NULL) + (strrchr(text, ',') != strchr(text, ','));
    const char *rest = text;
    uint64_t sites;
    for (size_t k = 0; k <= commas && rest; k++)
        rest = take_field(field[k], sizeof field[k], rest);
    out->seeded = commas == 2;
    if (!rest || *rest || commas == 0 || !spn_whole_parse(&sites, field[0]) || sites == 0 ||
        sites > UINT32_MAX || (out->seeded && !spn_whole_parse(&out->seed, field[2])))
        return false;
    out->sites = (size_t)sites;
    return parse_patterns(&out->count, field[1], sites);
}

spn_status spn_random_text_parse_sized(spn_random_text *out, size_t size, const char *text,
                                       spn_error *err)
{
    spn_random_text own = {0};
    SPN_REFUSE_IF(
        !parse_random(&own, text), err,
        "'%s' is not N,P or N,P,SEED with N and P at least 1, such as 1001,300 or 1001,0.3,1",
        text);
    spn_sized_give(out, size, &own, sizeof own);
    return SPN_OK;
}

spn_status spn_problem_random_lattice(spn_problem **out, size_t width, size_t height, uint64_t seed,
                                      spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(width < 3 || height < 3 || width > 16384 || height > 16384, err,
                  "a lattice has sides of 3 to 16384, not %zu x %zu", width, height);
    spn_problem *problem = spn_problem_alloc(SPN_PROBLEM_COUPLINGS);
    if (!problem || !(problem->edges = spn_alloc(2 * width * height, sizeof *problem->edges))) {
        spn_problem_free(problem);
        return spn_no_memory(err, "a lattice of %zu x %zu", width, height);
    }
    problem->sites = width * height;
    spn_random random = spn_random_make(seed, 0, SPN_STREAM_COUPLINGS, SPN_PURPOSE_INSTANCE);
    for (size_t r = 0; r < height; r++)
        for (size_t c = 0; c < width; c++) {
            uint32_t coin = spn_random_u32(&random);
            uint32_t here = (uint32_t)(r * width + c);
            uint32_t right = (uint32_t)(r * width + (c + 1) % width);
            uint32_t below = (uint32_t)((r + 1) % height * width + c);
            problem->edges[problem->count++] = (spn_edge){here, right, coin & 1 ? 1 : -1};
            problem->edges[problem->count++] = (spn_edge){here, below, coin & 2 ? 1 : -1};
        }
    *out = problem;
    return SPN_OK;
}
