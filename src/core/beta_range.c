/* The range of beta that suits an energy. */
#include "core/beta_range.h"
#include <spinney/beta_range.h>

#include "base/memory.h"
#include "base/number.h"
#include "core/energy.h"
#include "core/numeric.h"
#include "core/pause.h"
#include <assert.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

enum {
    STATES = 4,
    CHANGES_PER_SITE = 32,
    CHANGES_PER_PAUSE = 64,
    SAMPLE = 65536,     /* most changes of a state in each sample */
    FIRST_LANE = 0xFF00 /* streams of starts, beyond those of replicas */
};

typedef struct sample {
    double *sizes;
    size_t count, room;
} sample;

typedef struct meter {
    const spn_energy *energy;
    spn_energy_slots slots;
    size_t sites;
    int8_t *spins;
    void *cache;
    sample hot, cold;
    spn_random random;
    uint64_t changes;
    bool bad;     /* a change was NaN */
    bool stopped; /* enough changes */
} meter;

static void add(sample *to, double size)
{
    assert(!(size < 0));
    if (to->count < to->room && isfinite(size))
        to->sizes[to->count++] = size;
}

static double change_at(meter *m, size_t site)
{
    const double change = m->slots.delta(m->energy, m->cache, m->spins, site);
    m->changes++;
    m->bad = m->bad || isnan(change);
    m->stopped = m->changes % CHANGES_PER_PAUSE == 0 ? spn_pause_now() : m->stopped;
    return change;
}

/* Site k of count: all sites in order if count allows it, else random ones. */
static size_t site_at(meter *m, size_t k, size_t count)
{
    return count >= m->sites ? k % m->sites : spn_random_below(&m->random, (uint32_t)m->sites);
}

/* Sizes of changes of a random state, or of uphill changes of a descended state. */
static void sample_state(meter *m, size_t count, bool descended)
{
    for (size_t k = 0; k < count && !m->bad && !m->stopped; k++) {
        const double change = change_at(m, site_at(m, k, count));
        if (!descended)
            add(&m->hot, fabs(change));
        else if (change > 0)
            add(&m->cold, change);
    }
}

/* Flip each site that lowers the energy, in turn, until none does or the changes are used up. */
static void descend(meter *m, uint64_t most)
{
    size_t site = spn_random_below(&m->random, (uint32_t)m->sites), idle = 0;
    for (uint64_t k = 0; k < most && idle < m->sites && !m->bad && !m->stopped; k++) {
        idle++;
        if (change_at(m, site) < 0) {
            m->spins[site] = (int8_t)-m->spins[site];
            m->bad = m->bad || !(m->slots.commit(m->energy, m->cache, m->spins, site) > -INFINITY);
            idle = 0;
        }
        site = site + 1 < m->sites ? site + 1 : 0;
    }
}

/* Sort, and drop rounding errors, relative to the largest of both samples. */
static void tidy(sample *s, double largest)
{
    const double least = largest * 0x1p-30;
    size_t small = 0;
    if (s->count)
        qsort(s->sizes, s->count, sizeof *s->sizes, spn_number_compare);
    while (small < s->count && !(s->sizes[small] > least))
        small++;
    s->count -= small;
    memmove(s->sizes, s->sizes + small, s->count * sizeof *s->sizes);
}

static double largest_of(const sample *s)
{
    double largest = 0;
    for (size_t k = 0; k < s->count; k++)
        largest = fmax(largest, s->sizes[k]);
    return largest;
}

/* Share of the sample, weighted by size, that is accepted at beta = b / unit. */
static double accepted_share(const sample *s, double b, double unit)
{
    double sum = 0, all = 0;
    for (size_t k = 0; k < s->count; k++) {
        const double size = s->sizes[k] / unit;
        sum += size * spn_exp(-fmin(b * size, 700));
        all += size;
    }
    return sum / all;
}

/* The beta that accepts this share. Units of 1/median make only ratios of changes matter. */
static double solve_share(const sample *s, double share)
{
    enum { HALVINGS = 60 };
    const double unit = s->sizes[s->count / 2];
    assert(s->count > 0 && unit > 0 && share > 0 && share < 1);
    double low = 0, high = 1;
    while (accepted_share(s, high, unit) > share && high < 0x1p40)
        high *= 2;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (low + high) / 2;
        if (accepted_share(s, middle, unit) > share)
            low = middle;
        else
            high = middle;
    }
    return high / unit;
}

static void conclude(spn_beta_range *out, meter *m, const spn_beta_range_options *o)
{
    const double largest = fmax(largest_of(&m->hot), largest_of(&m->cold));
    tidy(&m->hot, largest);
    tidy(&m->cold, largest);
    const sample *cold = m->cold.count ? &m->cold : &m->hot;
    const sample *hot = m->hot.count ? &m->hot : &m->cold;
    assert(m->hot.count <= m->hot.room && m->cold.count <= m->cold.room);
    out->start = out->end = 1;
    out->changes = m->changes;
    if (hot->count == 0)
        return;
    out->typical = hot->sizes[hot->count / 2];
    out->smallest = cold->sizes[0];
    out->start = solve_share(hot, o->hot);
    out->end = fmax(solve_share(cold, o->cold), out->start);
    assert(out->smallest > 0 && out->smallest <= cold->sizes[cold->count - 1]); /* sorted */
}

void spn_beta_range_of(double *first, double *last, double *hot, size_t hot_count, double *cold,
                       size_t cold_count)
{
    const spn_beta_range_options o = spn_beta_range_defaults();
    meter m = {.hot = {.sizes = hot, .count = hot_count, .room = hot_count},
               .cold = {.sizes = cold, .count = cold_count, .room = cold_count}};
    spn_beta_range found = {0};
    conclude(&found, &m, &o);
    *first = found.start;
    *last = found.end;
}

static spn_status check(const spn_energy *energy, const spn_beta_range_options *o, spn_error *err)
{
    SPN_REFUSE_IF(energy->sites == 0 || energy->sites > UINT32_MAX, err,
                  "an energy has 1 to 2^32-1 spins, not %zu", energy->sites);
    SPN_REFUSE_IF(!(o->hot < 1 && o->cold > 0 && o->hot > o->cold), err,
                  "the acceptances at the start and at the end are %g and %g; they must be "
                  "below 1, above 0, and the first the larger",
                  o->hot, o->cold);
    SPN_REFUSE_IF(o->changes && o->changes < 4, err, "changes: at least 4");
    return SPN_OK;
}

/* A quarter of the changes of a state for each sample, the rest for the descent. */
static spn_status measure_state(meter *m, uint64_t r, uint64_t changes,
                                const spn_beta_range_options *o, spn_error *err)
{
    const uint64_t most = m->sites < SAMPLE ? m->sites : SAMPLE;
    const size_t count = (size_t)(changes / 4 < most ? changes / 4 : most);
    assert(count > 0 && 2 * count < changes); /* the rest is for the descent */
    m->random =
        spn_random_make(o->seed, (uint32_t)o->run, (uint32_t)(FIRST_LANE + r), SPN_PURPOSE_START);
    spn_random_spins(&m->random, m->spins, m->sites);
    double value = m->slots.attach(m->energy, m->cache, m->spins);
    if (value == INFINITY) {
        spn_energy_leave_infinity(&value, m->energy, m->spins, &m->random);
        (void)m->slots.attach(m->energy, m->cache, m->spins);
    }
    if (value == INFINITY) /* the chain will say so */
        return SPN_OK;
    m->bad = !(value > -INFINITY);
    sample_state(m, count, false);
    descend(m, changes - 2 * count);
    sample_state(m, count, true);
    if (!m->bad)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ENERGY,
                    "the energy '%s' has a change that is not a number, or -infinity",
                    m->slots.name);
}

static spn_status too_small(const spn_beta_range *found, const char *name, spn_error *err)
{
    char text[SPN_NUMBER_TEXT];
    spn_number_text(text, found->smallest);
    return spn_fail(err, SPN_ERROR_ENERGY,
                    "the energy '%s' has changes of %s, too small for a finite beta; multiply it "
                    "by a power of ten",
                    name, text);
}

static spn_status allocate(meter *m, size_t room, spn_error *err)
{
    m->spins = spn_alloc(m->sites, 1);
    m->cache = spn_alloc((spn_energy_cache_size(m->energy) + 63) / 64 * 64, 1);
    m->hot = (sample){.sizes = spn_alloc(room, sizeof(double)), .room = room};
    m->cold = (sample){.sizes = spn_alloc(room, sizeof(double)), .room = room};
    if (m->spins && m->cache && m->hot.sizes && m->cold.sizes)
        return SPN_OK;
    return spn_no_memory(err, "the range of beta");
}

spn_status spn_beta_range_measure_sized(spn_beta_range *out, size_t size, const spn_energy *energy,
                                        const spn_beta_range_options *given, spn_error *err)
{
    spn_beta_range_options o = spn_beta_range_defaults();
    spn_beta_range found = {0};
    SPN_TRY(spn_sized_take(&o, sizeof o, given, "spn_beta_range_defaults", err));
    SPN_TRY(check(energy, &o, err));
    meter m = {.energy = energy, .slots = spn_energy_resolve(energy), .sites = energy->sites};
    const uint64_t most = CHANGES_PER_SITE * (uint64_t)m.sites;
    const uint64_t changes = o.changes && o.changes < most ? o.changes : most < 4 ? 4 : most;
    const uint64_t passes = changes / m.sites; /* a state needs eight */
    const uint64_t states = passes / 8 < 1 ? 1 : passes / 8 < STATES ? passes / 8 : STATES;
    spn_status status;
    SPN_TRY_OR(cleanup, allocate(&m, STATES * (m.sites < SAMPLE ? m.sites : SAMPLE), err));
    for (uint64_t r = 0; r < states && !m.stopped; r++)
        SPN_TRY_OR(cleanup, measure_state(&m, r, changes / states, &o, err));
    conclude(&found, &m, &o);
    if (!isfinite(found.end)) {
        status = too_small(&found, m.slots.name, err);
        goto cleanup;
    }
    found.random_states = states;
    spn_sized_give(out, size, &found, sizeof found);
cleanup:
    SPN_FREE_ALL(m.spins, m.cache, m.hot.sizes, m.cold.sizes);
    return status;
}
