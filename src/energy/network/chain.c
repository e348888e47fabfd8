/* The energy network along a chain: the cache, changes, accepted flips.

   A flip of W_ji moves a_j by -2 W_ji x_i, and with inputs that are not negative the sign of unit j
   changes, from W_ji to -W_ji, for the samples whose sum is at the edge: 0 or 1 for bits and W_ji =
   +1, -2 or -1 for -1. Logit k of those moves by -2 s W_ji V_kj, so the normaliser is multiplied by
   e^-2s + (e^2s - e^-2s) P with P the shares of the classes that gain. */
#include "energy/network/network.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { SPARE = 64 }; /* SPARE: listed positions that may be read ahead */

static const uint64_t NONE = UINT64_MAX;

/* ---- the cache ---- */

static size_t positions_of(const spn_network *p)
{
    return SPN_NETWORK_WORD * p->words;
}

static spn_network_cache lay_out(const spn_network *p, char **at)
{
    const size_t positions = positions_of(p);
    spn_network_cache c = {0};
    c.tried = spn_network_take(at, sizeof *c.tried);
    c.total = spn_network_take(at, p->part_count * sizeof *c.total);
    c.listed_count = spn_network_take(at, p->part_count * sizeof *c.listed_count);
    c.step = spn_network_take(at, p->classes * sizeof *c.step);
    c.gaining = spn_network_take(at, p->classes * sizeof *c.gaining);
    c.listed = spn_network_take(at, (positions + SPARE) * sizeof *c.listed);
    c.state.losses = spn_network_take(at, positions * sizeof *c.state.losses);
    c.state.records = spn_network_take(at, positions * p->law.record);
    c.signs = spn_network_take(at, p->hidden * p->words * sizeof *c.signs);
    if (p->bits) {
        c.low = spn_network_take(at, p->hidden * p->words * sizeof *c.low);
        c.high = spn_network_take(at, p->hidden * p->words * sizeof *c.high);
    }
    c.sums = spn_network_take(at, p->hidden * positions * sizeof *c.sums);
    return c;
}

spn_network_cache spn_network_cache_view(const spn_network *p, void *cache)
{
    char *at = cache;
    assert((uintptr_t)cache % 64 == 0);
    return lay_out(p, &at);
}

size_t spn_network_cache_size(const spn_network *p)
{
    char *const start = (char *)64, *at = start; /* only differences are used */
    lay_out(p, &at);
    return (size_t)(at - start);
}

static double value(const spn_network *p, const spn_network_cache *c)
{
    double total = 0;
    if (p->position_weight)
        return spn_network_weighted_value(p, c);
    for (size_t j = 0; j < p->part_count; j++)
        total += p->parts[j].weight * (double)c->total[j];
    return total / (p->law.loss_scale * p->total);
}

/* ---- from the spins ---- */

/* Signs of a unit, and where its sums are at the edge. */
static void mark(const spn_network *p, const spn_network_cache *c, size_t unit)
{
    const int16_t *sums = c->sums + unit * positions_of(p);
    assert(unit < p->hidden && !c->low == !c->high);
    for (size_t w = 0; w < p->words; w++) {
        uint64_t sign = 0, low = 0, high = 0;
        for (size_t j = 0; j < SPN_NETWORK_WORD; j++) {
            const int16_t sum = sums[SPN_NETWORK_WORD * w + j];
            sign |= (uint64_t)(sum >= 0) << j;
            low |= (uint64_t)((sum | 1) == -1) << j;
            high |= (uint64_t)((sum & ~1) == 0) << j;
        }
        c->signs[unit * p->words + w] = sign;
        if (c->low) {
            c->low[unit * p->words + w] = low;
            c->high[unit * p->words + w] = high;
        }
    }
}

/* Add what a unit gives to the logits of all positions. */
static void add_unit(const spn_network *p, const spn_network_cache *c, const int8_t *spins,
                     size_t unit)
{
    const int8_t *output = spins + p->first_output + unit;
    const uint64_t *signs = c->signs + unit * p->words;
    for (size_t n = 0; n < positions_of(p); n++) {
        const int sign = signs[n / 64] >> n % 64 & 1 ? 1 : -1;
        int16_t *logits = spn_network_logits(&c->state, &p->law, n);
        for (uint32_t k = 0; k < p->classes; k++)
            logits[k] = (int16_t)(logits[k] + sign * output[k * p->output_row]);
    }
}

static void add_bias(const spn_network *p, const spn_network_cache *c, const int8_t *spins)
{
    for (uint32_t k = 0; k < p->classes; k++) {
        const int8_t *output = spins + p->first_output + k * p->output_row;
        int bias = 0;
        for (size_t j = p->hidden; j < p->output_row; j++)
            bias += output[j];
        for (size_t n = 0; n < positions_of(p); n++)
            spn_network_logits(&c->state, &p->law, n)[k] += (int16_t)bias;
    }
}

/* Bring shares and losses of all samples up to date with their logits. */
static void settle_all(const spn_network *p, const spn_network_cache *c)
{
    memset(c->step, 0, p->classes * sizeof *c->step);
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const spn_network_samples all = {
            .first = part->first, .count = part->samples, .label = part->label};
        c->total[j] += p->loops->settle(&c->state, &p->law, &all, c->step);
    }
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    const spn_network *p = (const spn_network *)self;
    memset(cache, 0, p->base.cache_size);
    const spn_network_cache c = spn_network_cache_view(p, cache);
    for (size_t j = 0; j < p->hidden; j++) {
        spn_network_sums(p, spins + j * p->row, c.sums + j * positions_of(p));
        mark(p, &c, j);
        add_unit(p, &c, spins, j);
    }
    add_bias(p, &c, spins);
    settle_all(p, &c);
    *c.tried = NONE;
    return value(p, &c);
}

/* ---- hidden weights ---- */

/* The column of the input of a weight. */
static size_t column_of(const spn_network *p, size_t weight)
{
    assert(weight < p->row);
    return weight < p->inputs ? weight : p->inputs;
}

/* Positions of a part whose sum changes its sign when an input's weight, `spin`, is flipped. */
static size_t collect_bytes(uint32_t *out, const int16_t *sums, const uint8_t *column, int spin,
                            const spn_class_part *part)
{
    const size_t first = part->first;
    size_t count = 0;
    for (size_t n = first; n < first + part->samples; n++) {
        const int before = sums[n], after = before - 2 * spin * column[n];
        out[count] = (uint32_t)n;
        count += (before >= 0) != (after >= 0);
    }
    return count;
}

/* List the positions whose unit changes its sign when its weight, `spin`, is flipped. */
static void list_changes(const spn_network *p, const spn_network_cache *c, size_t site, int spin)
{
    const size_t unit = site / p->row, column = column_of(p, site % p->row);
    uint32_t *next = c->listed;
    if (*c->tried == site)
        return;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        if (p->bits)
            c->listed_count[j] = p->loops->collect(
                next, (spin > 0 ? c->high : c->low) + unit * p->words, p->bits + column * p->words,
                part->first / SPN_NETWORK_WORD, part->count / SPN_NETWORK_WORD);
        else
            c->listed_count[j] = collect_bytes(next, c->sums + unit * positions_of(p),
                                               p->bytes + column * positions_of(p), spin, part);
        next += c->listed_count[j];
    }
    assert(next <= c->listed + p->samples);
    *c->tried = site;
}

/* What a change of the sign of a unit, which was `sign`, does to a sample: the classes whose logit
   gains, or those that do not, if these are fewer. */
static spn_network_factors factors_of(const spn_network *p, const spn_network_cache *c,
                                      const int8_t *output, int sign)
{
    size_t gaining = 0, others = 0;
    for (uint32_t k = 0; k < p->classes; k++) {
        if (output[k * p->output_row] == -sign)
            c->gaining[gaining++] = k;
        else
            c->gaining[p->classes - ++others] = k;
    }
    const bool few = gaining <= others || p->steep;
    assert(spn_is_spin(sign) && gaining + others == p->classes);
    return (spn_network_factors){.shares = c->state.records + p->law.shares_at,
                                 .record = p->law.record,
                                 .classes = few ? c->gaining : c->gaining + gaining,
                                 .class_count = few ? gaining : others,
                                 .base = p->gain[!few],
                                 .slope = p->gain[few] - p->gain[!few],
                                 .most = p->most_factors};
}

static double hidden_delta(const spn_network *p, const spn_network_cache *c, const int8_t *spins,
                           size_t site)
{
    const int sign = spins[site];
    const int8_t *output = spins + p->first_output + site / p->row;
    list_changes(p, c, site, sign);
    const spn_network_factors factors = factors_of(p, c, output, sign);
    if (p->position_weight)
        return spn_network_weighted_hidden(p, c, &factors, output, sign) / p->total;
    const uint32_t *listed = c->listed;
    double logs = 0, labels = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const size_t count = c->listed_count[j];
        labels += part->weight * (double)count * (sign * output[part->label * p->output_row]);
        if (p->weighted)
            logs += part->weight * p->loops->log_factors(&factors, listed, count);
        listed += count;
    }
    if (!p->weighted)
        logs = p->loops->log_factors(&factors, c->listed, (size_t)(listed - c->listed));
    return (logs + 2 * p->logit_scale * labels) / p->total;
}

/* Move the sums of a unit, before its weight's flip from `spin`. */
static void move_sums(const spn_network *p, const spn_network_cache *c, size_t site, int spin)
{
    const size_t unit = site / p->row, column = column_of(p, site % p->row);
    int16_t *sums = c->sums + unit * positions_of(p);
    if (p->bits) {
        p->loops->move(sums, p->bits + column * p->words, p->words, -2 * spin,
                       c->low + unit * p->words, c->high + unit * p->words);
        return;
    }
    const uint8_t *bytes = p->bytes + column * positions_of(p);
    for (size_t n = 0; n < positions_of(p); n++)
        sums[n] = (int16_t)(sums[n] - 2 * spin * bytes[n]);
}

static void commit_hidden(const spn_network *p, const spn_network_cache *c, const int8_t *spins,
                          size_t site)
{
    const int sign = -spins[site]; /* before the flip */
    const size_t unit = site / p->row;
    const int8_t *output = spins + p->first_output + unit;
    list_changes(p, c, site, sign);
    for (uint32_t k = 0; k < p->classes; k++)
        c->step[k] = (int16_t)(-2 * sign * output[k * p->output_row]);
    const uint32_t *listed = c->listed;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_network_samples some = {
            .listed = listed, .count = c->listed_count[j], .label = p->parts[j].label};
        c->total[j] += p->loops->settle(&c->state, &p->law, &some, c->step);
        assert(c->total[j] >= 0);
        listed += some.count;
    }
    for (const uint32_t *at = c->listed; at < listed; at++) {
        assert((c->signs[unit * p->words + *at / 64] >> *at % 64 & 1) == (sign > 0));
        c->signs[unit * p->words + *at / 64] ^= 1ull << *at % 64;
    }
    move_sums(p, c, site, sign);
}

/* ---- output weights ---- */

/* The sum of a unit's signs over the samples of a part. */
static int64_t sign_sum(const uint64_t *signs, const spn_class_part *part)
{
    int64_t ones = 0;
    for (size_t n = 0; n < part->samples; n += 64) {
        const size_t left = part->samples - n;
        const uint64_t there = left < 64 ? (1ull << left) - 1 : UINT64_MAX;
        ones += __builtin_popcountll(signs[(part->first + n) / 64] & there);
    }
    assert(ones <= (int64_t)part->samples);
    return 2 * ones - (int64_t)part->samples;
}

static double output_delta(const spn_network *p, const spn_network_cache *c, const int8_t *spins,
                           size_t site)
{
    const size_t k = (site - p->first_output) / p->output_row;
    const size_t unit = (site - p->first_output) % p->output_row;
    const int spin = spins[site];
    assert(k < p->classes && site >= p->first_output);
    const uint64_t *signs = unit < p->hidden ? c->signs + unit * p->words : p->all_ones;
    /* if the unit is -1, the logit moves by 2 s spin */
    const double gain[2] = {p->gain[spin > 0], p->gain[spin < 0]};
    const spn_network_factors factors = {.shares = c->state.records + p->law.shares_at,
                                         .record = p->law.record,
                                         .classes = c->gaining,
                                         .class_count = p->steep ? p->classes - 1 : 0,
                                         .most = p->most_factors};
    for (uint32_t j = 0; j + 1 < p->classes; j++)
        c->gaining[j] = j + (j >= k);
    if (p->position_weight)
        return spn_network_weighted_output(p, &factors, signs, (uint32_t)k, spin, gain) / p->total;
    double logs = 0, labels = 0;
    for (size_t j = 0; j < p->part_count; j++) {
        const spn_class_part *part = &p->parts[j];
        const size_t first = part->first;
        logs += part->weight *
                p->loops->log_outputs(&factors, signs, first, part->samples, (uint32_t)k, gain);
        if (part->label == k)
            labels = part->weight * spin * (double)sign_sum(signs, part);
    }
    return (logs + 2 * p->logit_scale * labels) / p->total;
}

static void commit_output(const spn_network *p, const spn_network_cache *c, const int8_t *spins,
                          size_t site)
{
    const size_t k = (site - p->first_output) / p->output_row;
    const size_t unit = (site - p->first_output) % p->output_row;
    const uint64_t *signs = unit < p->hidden ? c->signs + unit * p->words : p->all_ones;
    for (size_t n = 0; n < positions_of(p); n++) {
        const int sign = signs[n / 64] >> n % 64 & 1 ? 1 : -1;
        spn_network_logits(&c->state, &p->law, n)[k] += (int16_t)(2 * sign * spins[site]);
    }
    settle_all(p, c);
}

/* ---- slots ---- */

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_network *p = (const spn_network *)self;
    const spn_network_cache c = spn_network_cache_view(p, cache);
    assert(site < p->base.sites && spn_is_spin(spins[site]));
    return site < p->first_output ? hidden_delta(p, &c, spins, site)
                                  : output_delta(p, &c, spins, site);
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    const spn_network *p = (const spn_network *)self;
    const spn_network_cache c = spn_network_cache_view(p, cache);
    assert(site < p->base.sites && spn_is_spin(spins[site]));
    if (site < p->first_output)
        commit_hidden(p, &c, spins, site);
    else
        commit_output(p, &c, spins, site);
    *c.tried = NONE;
    return value(p, &c);
}

const spn_energy_slots spn_network_slots = {
    "network", spn_network_energy, attach, delta, commit, .destroy = spn_network_destroy};
