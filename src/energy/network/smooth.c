/* The energy network with units that expect faults: the cache, changes, accepted flips.

   A visit to unit j keeps, for each sample, the log odds of the classes that gain if the unit
   rises, with the unit's own part taken out. They and the sums determine the changes, so a change
   does not depend on how the state was reached. Only the running total does, in its last bits,
   until it is added up again (refresh). */
#include "base/memory.h"
#include "core/archive.h"
#include "core/numeric.h"
#include "energy/network/network.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t NO_UNIT = -1;

/* ---- the cache ---- */

typedef struct smooth_head {
    int64_t total;        /* of the losses, in 1 / change_scale */
    int64_t visited;      /* the unit of odds, rise and fall; or NO_UNIT */
    int64_t held;         /* the unit of mean */
    int64_t tried_change; /* of the flip of `tried` */
    uint64_t tried;       /* a site, or UINT64_MAX */
    int64_t normalised;   /* whether the normaliser is that of the logits */
    int64_t shared;       /* the class of share, if normalised */
} smooth_head;

typedef struct smooth_cache {
    smooth_head *head;
    int32_t *logits;            /* class k at k * positions, in 1 / SPN_SMOOTH_ONE of the scale */
    float *normaliser;          /* log of the sum of e^logit */
    float *share;               /* of class head->shared */
    int16_t *mean;              /* of unit head->held, as it is in the logits */
    spn_smooth_sample *samples; /* of unit head->visited */
    int32_t *rise, *fall;       /* */
    uint32_t *listed;           /* for an accepted flip */
    int16_t *sums;              /* unit j at j * positions */
} smooth_cache;

static smooth_cache lay_out(const spn_network *p, char **at)
{
    const size_t n = SPN_NETWORK_WORD * p->words;
    smooth_cache c;
    c.head = spn_network_take(at, sizeof *c.head);
    c.logits = spn_network_take(at, p->classes * n * sizeof *c.logits);
    c.normaliser = spn_network_take(at, n * sizeof *c.normaliser);
    c.share = spn_network_take(at, n * sizeof *c.share);
    c.mean = spn_network_take(at, n * sizeof *c.mean);
    c.samples = spn_network_take(at, n * sizeof *c.samples);
    c.rise = spn_network_take(at, n * sizeof *c.rise);
    c.fall = spn_network_take(at, n * sizeof *c.fall);
    c.listed = spn_network_take(at, (n + SPN_NETWORK_WORD) * sizeof *c.listed);
    c.sums = spn_network_take(at, p->hidden * n * sizeof *c.sums);
    return c;
}

static smooth_cache view(const spn_network *p, void *cache)
{
    char *at = cache;
    assert((uintptr_t)cache % 64 == 0);
    return lay_out(p, &at);
}

size_t spn_network_smooth_cache_size(const spn_network *p)
{
    char *const start = (char *)64, *at = start; /* only differences are used */
    lay_out(p, &at);
    return (size_t)(at - start);
}

static double value_of(const spn_network *p, int64_t total)
{
    return (double)total / ((double)p->change_scale * p->total);
}

/* h of a unit from its sums. */
static void means_of(const spn_network *p, int16_t *out, const int16_t *sums, size_t first,
                     size_t count)
{
    if (!p->bits)
        p->loops->smooth.means(out, sums, p->narrow + first, count);
    for (size_t j = 0; p->bits && j < count; j++)
        out[j] = p->table.means[p->table.middle[first + j] + (sums[j] >> 1)];
}

int spn_network_mean(int sum, float narrow)
{
    const int16_t one = (int16_t)sum;
    int16_t mean;
    spn_network_loops_portable.smooth.means(&mean, &one, &narrow, 1);
    return mean;
}

/* ---- the total ---- */

static int64_t add_losses(const spn_network *p, const int32_t *logits)
{
    int64_t total = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        total += p->loops->smooth.losses(
            logits + part->first, SPN_NETWORK_WORD * p->words, p->classes, part->label,
            p->weight ? p->weight + part->first : NULL, p->logit_scale / SPN_SMOOTH_ONE,
            p->change_scale, part->samples);
    }
    return total;
}

/* ---- visits ---- */

static const int8_t *outputs_of(const spn_network *p, const int8_t *spins, size_t unit)
{
    return spins + p->first_output + unit;
}

/* The sums of a unit from the places of a visit; their parity stays. */
static void take_sums(const spn_network *p, int16_t *sums, const spn_smooth_sample *samples)
{
    for (size_t n = 0; n < SPN_NETWORK_WORD * p->words; n++)
        sums[n] = (int16_t)(2 * (samples[n].place - p->table.middle[n]) + (sums[n] & 1));
}

/* Put what has changed in the unit last visited into the logits. */
static void leave(const spn_network *p, const smooth_cache *c, const int8_t *spins)
{
    const size_t n = SPN_NETWORK_WORD * p->words;
    const int64_t unit = c->head->visited;
    if (unit == NO_UNIT)
        return;
    const int8_t *output = outputs_of(p, spins, (size_t)unit);
    assert(c->head->held == unit);
    if (p->bits)
        take_sums(p, c->sums + (size_t)unit * n, c->samples);
    for (size_t first = 0; first < n; first += SPN_SMOOTH_SOME) {
        const size_t some = n - first < SPN_SMOOTH_SOME ? n - first : SPN_SMOOTH_SOME;
        int16_t fresh[SPN_SMOOTH_SOME];
        means_of(p, fresh, c->sums + (size_t)unit * n + first, first, some);
        for (uint32_t k = 0; k < p->classes; k++) {
            int32_t *logits = c->logits + k * n + first;
            for (size_t j = 0; j < some; j++)
                logits[j] += output[k * p->output_row] * (fresh[j] - c->mean[first + j]);
        }
        memcpy(c->mean + first, fresh, some * sizeof *fresh);
    }
    c->head->visited = NO_UNIT;
    c->head->normalised = false;
}

/* Make `mean` that of a unit. */
static void hold(const spn_network *p, const smooth_cache *c, size_t unit)
{
    const size_t n = SPN_NETWORK_WORD * p->words;
    if (c->head->held != (int64_t)unit)
        means_of(p, c->mean, c->sums + unit * n, 0, n);
    c->head->held = (int64_t)unit;
}

static spn_smooth_visit visit_of(const spn_network *p, const smooth_cache *c)
{
    return (spn_smooth_visit){.means = p->table.means,
                              .samples = c->samples,
                              .weight = p->weight,
                              .rise = c->rise,
                              .fall = c->fall,
                              .unit = (float)(p->logit_scale / SPN_SMOOTH_ONE),
                              .scale = p->change_scale,
                              .series = p->series};
}

static void visit(const spn_network *p, const smooth_cache *c, const int8_t *spins, size_t unit)
{
    const size_t n = SPN_NETWORK_WORD * p->words;
    const int8_t *output = outputs_of(p, spins, unit);
    if (c->head->visited == (int64_t)unit)
        return;
    leave(p, c, spins);
    hold(p, c, unit);
    const spn_smooth_visit v = visit_of(p, c);
    const int16_t *sums = c->sums + unit * n;
    for (size_t j = 0; p->bits && j < n; j++)
        c->samples[j].place = p->table.middle[j] + (sums[j] >> 1);
    p->loops->smooth.odds(c->samples, c->logits, n, p->classes, output, p->output_row, c->mean,
                          v.unit, n);
    for (size_t j = 0; p->bits && j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        p->loops->smooth.settle(&v, NULL, part->first, part->samples, 0,
                                output[part->label * p->output_row]);
    }
    c->head->visited = (int64_t)unit;
}

/* ---- hidden weights ---- */

/* The change of a flip of weight i, `spin`, of inputs that are not bits. */
static int64_t bytes_change(const spn_network *p, const smooth_cache *c, size_t unit, size_t i,
                            int spin, const int8_t *output)
{
    const size_t positions = SPN_NETWORK_WORD * p->words;
    const uint8_t *bytes = p->bytes + i * positions;
    const int16_t *sums = c->sums + unit * positions;
    int64_t total = 0;
    for (size_t k = 0; k < p->part_count; k++) {
        const spn_class_part *part = &p->parts[k];
        const size_t end = part->first + part->samples;
        for (size_t n = part->first; n < end; n += SPN_SMOOTH_SOME) {
            const size_t some = end - n < SPN_SMOOTH_SOME ? end - n : SPN_SMOOTH_SOME;
            int16_t turned[SPN_SMOOTH_SOME], from[SPN_SMOOTH_SOME], to[SPN_SMOOTH_SOME];
            for (size_t j = 0; j < some; j++)
                turned[j] = (int16_t)(sums[n + j] - 2 * spin * bytes[n + j]);
            p->loops->smooth.means(from, sums + n, p->narrow + n, some);
            p->loops->smooth.means(to, turned, p->narrow + n, some);
            total +=
                p->loops->smooth.turn(c->samples + n, from, to, p->weight ? p->weight + n : NULL,
                                      (float)(p->logit_scale / SPN_SMOOTH_ONE),
                                      output[part->label * p->output_row], p->change_scale, some);
        }
    }
    return total;
}

static int64_t hidden_change(const spn_network *p, const smooth_cache *c, const int8_t *spins,
                             size_t site, int spin)
{
    const size_t unit = site / p->row, i = site % p->row, column = i < p->inputs ? i : p->inputs;
    visit(p, c, spins, unit);
    return p->bits ? p->loops->smooth.sum(spin > 0 ? c->fall : c->rise, p->bits + column * p->words,
                                          p->words)
                   : bytes_change(p, c, unit, column, spin, outputs_of(p, spins, unit));
}

static void settle_hidden(const spn_network *p, const smooth_cache *c, const int8_t *spins,
                          size_t site, int spin)
{
    const size_t unit = site / p->row, i = site % p->row, column = i < p->inputs ? i : p->inputs;
    const size_t positions = SPN_NETWORK_WORD * p->words;
    const int8_t *output = outputs_of(p, spins, unit);
    const spn_smooth_visit v = visit_of(p, c);
    int16_t *sums = c->sums + unit * positions;
    for (size_t n = 0; !p->bits && n < positions; n++)
        sums[n] = (int16_t)(sums[n] - 2 * spin * p->bytes[column * positions + n]);
    for (int own = -1; p->bits && own <= 1; own += 2) {
        size_t count = 0;
        for (size_t j = 0; j < p->part_count; j++) {
            const spn_class_part *part = &p->parts[j];
            if (output[part->label * p->output_row] == own)
                count += p->loops->collect(
                    c->listed + count, p->all_ones, p->bits + column * p->words,
                    part->first / SPN_NETWORK_WORD, part->count / SPN_NETWORK_WORD);
        }
        p->loops->smooth.settle(&v, c->listed, 0, count, -spin, own);
    }
}

/* ---- output weights ---- */

/* Make `share` that of class k. */
static void share_out(const spn_network *p, const smooth_cache *c, size_t k)
{
    const size_t n = SPN_NETWORK_WORD * p->words;
    const float scale = (float)(p->logit_scale / SPN_SMOOTH_ONE);
    if (!c->head->normalised)
        p->loops->smooth.normalise(c->normaliser, c->logits, n, p->classes, scale, n);
    if (!c->head->normalised || c->head->shared != (int64_t)k)
        p->loops->smooth.shares(c->share, c->logits + k * n, c->normaliser, scale, n);
    c->head->normalised = true;
    c->head->shared = (int64_t)k;
}

/* The change if output weight `unit` of class k, `spin`, is flipped. */
static int64_t output_change(const spn_network *p, const smooth_cache *c, const int8_t *spins,
                             size_t site, int spin)
{
    const size_t k = (site - p->first_output) / p->output_row;
    const size_t unit = (site - p->first_output) % p->output_row;
    const float scale = (float)(p->logit_scale / SPN_SMOOTH_ONE);
    int64_t total = 0;
    leave(p, c, spins);
    if (unit < p->hidden)
        hold(p, c, unit);
    share_out(p, c, k);
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const size_t at = part->first;
        total += p->loops->smooth.output(c->share + at, unit < p->hidden ? c->mean + at : NULL,
                                         p->weight ? p->weight + at : NULL, scale, -2 * spin,
                                         part->label == k, p->change_scale, part->samples);
    }
    return total;
}

static void settle_output(const spn_network *p, const smooth_cache *c, size_t site, int spin)
{
    const size_t k = (site - p->first_output) / p->output_row, n = SPN_NETWORK_WORD * p->words;
    const bool constant = (site - p->first_output) % p->output_row >= p->hidden;
    for (size_t j = 0; j < n; j++)
        c->logits[k * n + j] -= 2 * spin * (constant ? SPN_SMOOTH_ONE : c->mean[j]);
    c->head->normalised = false;
}

/* ---- slots ---- */

/* The integer change of a flip; spin: of the site before it. */
static int64_t change_of(const spn_network *p, const smooth_cache *c, const int8_t *spins,
                         size_t site, int spin)
{
    if (c->head->tried != site) {
        c->head->tried_change = site < p->first_output ? hidden_change(p, c, spins, site, spin)
                                                       : output_change(p, c, spins, site, spin);
        c->head->tried = site;
    }
    return c->head->tried_change;
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_network *p = (const spn_network *)self;
    const smooth_cache c = view(p, cache);
    assert(site < p->base.sites && spn_is_spin(spins[site]));
    return value_of(p, change_of(p, &c, spins, site, spins[site]));
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_network *p = (const spn_network *)self;
    const smooth_cache c = view(p, cache);
    const int before = -spins[site];
    assert(site < p->base.sites && spn_is_spin(before));
    c.head->total += change_of(p, &c, spins, site, before);
    if (site < p->first_output)
        settle_hidden(p, &c, spins, site, before);
    else
        settle_output(p, &c, site, before);
    c.head->tried = UINT64_MAX;
    return value_of(p, c.head->total);
}

static double refresh(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_network *p = (const spn_network *)self;
    const smooth_cache c = view(p, cache);
    leave(p, &c, spins);
    c.head->tried = UINT64_MAX;
    c.head->total = add_losses(p, c.logits);
    return value_of(p, c.head->total);
}

/* All but the total depends on the spins alone. */
static bool keep(const spn_energy *self, void *cache, spn_archive *archive)
{
    const smooth_cache c = view((const spn_network *)self, cache);
    SPN_VISIT(archive, c.head->total);
    return true;
}

/* Add what a unit, or the constant ones, give to the logits. */
static void add_unit(const spn_network *p, const smooth_cache *c, const int8_t *spins, size_t unit)
{
    const size_t n = SPN_NETWORK_WORD * p->words;
    for (uint32_t k = 0; k < p->classes; k++) {
        const int output = outputs_of(p, spins, unit)[k * p->output_row];
        for (size_t j = 0; j < n; j++)
            c->logits[k * n + j] += output * (unit < p->hidden ? c->mean[j] : SPN_SMOOTH_ONE);
    }
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_network *p = (const spn_network *)self;
    memset(cache, 0, p->base.cache_size);
    const smooth_cache c = view(p, cache);
    c.head->visited = c.head->held = NO_UNIT;
    for (size_t j = 0; j < p->part_count; j++)
        for (size_t n = 0; n < p->parts[j].samples; n++)
            c.logits[p->parts[j].label * SPN_NETWORK_WORD * p->words + p->parts[j].first + n] =
                -p->margin;
    for (size_t j = 0; j < p->output_row; j++) {
        if (j < p->hidden) {
            spn_network_sums(p, spins + j * p->row, c.sums + j * SPN_NETWORK_WORD * p->words);
            hold(p, &c, j);
        }
        add_unit(p, &c, spins, j);
    }
    return refresh(self, cache, spins);
}

const spn_energy_slots spn_network_smooth_slots = {.name = "network",
                                                   .energy = spn_network_energy,
                                                   .attach = attach,
                                                   .delta = delta,
                                                   .commit = commit,
                                                   .destroy = spn_network_destroy,
                                                   .refresh = refresh,
                                                   .visit = keep};

/* ---- the problem ---- */

/* The sum of the inputs of a position and that of their squares, those of the bias included. */
static void inputs_at(double *sum, double *squares, const spn_network *p, size_t n)
{
    *sum = *squares = (double)(p->row - p->inputs) + (p->bits ? p->input_sum[n] : 0);
    for (size_t i = 0; !p->bits && i < p->inputs; i++) {
        const double x = p->bytes[i * SPN_NETWORK_WORD * p->words + n];
        *sum += x;
        *squares += p->tied ? x : x * x;
    }
}

/* The number of inputs of a position, and by how much faults move its sums: the same for all
   positions with as many inputs. */
static int inputs_of(const spn_network *p, size_t n)
{
    return p->input_sum[n] + (int)(p->row - p->inputs);
}

static int drift_of(const spn_network *p, size_t n)
{
    return p->drift ? p->drift[n] : 0;
}

/* Half of the least sum of a position, rounded down. Its row begins one step below; two more are
   read above. */
static int least_of(const spn_network *p, size_t n)
{
    return (drift_of(p, n) - inputs_of(p, n)) >> 1;
}

/* Where the least sums of rows stand, by numbers of inputs; 0: no row. Returns the length of all
   rows. */
static size_t place_rows(const spn_network *p, size_t *least)
{
    size_t length = 0;
    for (size_t n = 0; n < SPN_NETWORK_WORD * p->words; n++)
        if (!least[p->input_sum[n]]) {
            least[p->input_sum[n]] = length + 1;
            length += (size_t)inputs_of(p, n) + 4;
        }
    return length;
}

static void fill_row(const spn_network *p, spn_smooth_table *t, size_t n, size_t least)
{
    const int inputs = inputs_of(p, n), parity = (inputs + drift_of(p, n)) & 1;
    for (int step = -1; step <= inputs + 1; step++) {
        const int sum = 2 * (least_of(p, n) + step) + parity, most = SPN_NETWORK_MOST_SUM;
        int16_t *mean = t->means + least + step;
        *mean = (int16_t)spn_network_mean(sum < -most  ? -most
                                          : sum > most ? most
                                                       : sum,
                                          p->narrow[n]);
        if (step >= 0 && *mean - mean[-1] > t->steepest)
            t->steepest = *mean - mean[-1];
    }
}

static bool make_table(spn_network *p)
{
    const size_t positions = SPN_NETWORK_WORD * p->words;
    spn_smooth_table *t = &p->table;
    size_t *least = spn_alloc(SPN_NETWORK_MOST_SUM + 1, sizeof *least), last = 0;
    const size_t length = least ? place_rows(p, least) : 0;
    t->middle = spn_alloc(positions, sizeof *t->middle);
    t->means = length && length < INT32_MAX ? spn_alloc(length, sizeof *t->means) : NULL;
    for (size_t n = 0; t->means && t->middle && n < positions; n++) {
        const size_t at = least[p->input_sum[n]];
        if (at > last) /* rows are in the order of positions: it is new */
            fill_row(p, t, n, last = at);
        t->middle[n] = (int32_t)at - least_of(p, n);
    }
    free(least);
    return t->means && t->middle;
}

bool spn_network_expect_faults(spn_network *p, spn_fault_moments faults)
{
    const size_t positions = SPN_NETWORK_WORD * p->words;
    double heaviest = 1;
    p->narrow = spn_alloc(positions, sizeof *p->narrow);
    if (p->weighted || p->position_weight)
        p->weight = spn_alloc(positions, sizeof *p->weight);
    if (faults.drift != 0)
        p->drift = spn_alloc(positions, sizeof *p->drift);
    if (!p->narrow || ((p->weighted || p->position_weight) && !p->weight) ||
        (faults.drift != 0 && !p->drift))
        return false;
    for (size_t n = 0; n < positions; n++) {
        double sum, squares;
        inputs_at(&sum, &squares, p, n);
        const double sigma = sqrt(faults.variance * squares) / faults.keep;
        p->narrow[n] = sigma > 0 ? (float)(1 / (sqrt(2) * sigma)) : 0;
        if (p->drift)
            p->drift[n] = (int16_t)lrint(faults.drift / faults.keep * sum);
    }
    if (p->bits && !make_table(p))
        return false;
    p->series = 2 * p->logit_scale * p->table.steepest / SPN_SMOOTH_ONE <= SPN_SMOOTH_SERIES;
    for (size_t j = 0; p->weight && j < p->part_count; j++)
        for (size_t n = p->parts[j].first; n < p->parts[j].first + p->parts[j].samples; n++) {
            p->weight[n] = (float)(p->position_weight ? p->position_weight[n] : p->parts[j].weight);
            heaviest = fmax(heaviest, (double)p->weight[n]);
        }
    /* a change is at most 4 s, and 64 of them are added in 32 bits; a float has 24 bits */
    const int large = ilogb(4 * p->logit_scale * heaviest) + 1;
    p->change_scale = (float)ldexp(1, large < 0 ? 24 : 24 - large);
    p->base.slots = &spn_network_smooth_slots;
    p->base.accuracy = 0x1p-12;
    p->base.cache_size = spn_network_smooth_cache_size(p);
    return true;
}
