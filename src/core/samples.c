/* Sets of states: spins packed into bits, and a hash table to find them. */
#include <spinney/samples.h>

#include "base/memory.h"
#include "core/energy.h"
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

typedef struct sample {
    spn_found_state s;
    size_t row; /* place of its bits */
} sample;

struct spn_samples {
    size_t sites, words; /* 64-bit words of a row */
    size_t distinct;
    uint64_t total, additions;
    sample *samples;
    size_t sample_capacity;
    uint64_t *bits; /* row m at m * words; rows stay in place when samples are sorted */
    size_t bit_capacity;
    /* Open addressing: entry h holds 1 + the number of a row; 0: empty. The size is a power of
       two, and at most three quarters are in use. */
    size_t *table;
    size_t table_size;
    size_t *sample_of_row; /* inverse of samples[k].row */
    size_t row_capacity;
    uint64_t *packed; /* one row, for the state being added */
};

spn_status spn_samples_create(spn_samples **out, size_t sites, spn_error *err)
{
    enum { FIRST_TABLE = 64 };
    *out = NULL;
    SPN_REFUSE_IF(sites < 1 || sites > UINT32_MAX, err, "a state has 1 to 2^32-1 spins, not %zu",
                  sites);
    spn_samples *s = calloc(1, sizeof *s);
    SPN_NEED(s, err, "a set of states");
    s->sites = sites;
    s->words = (sites + 63) / 64;
    s->packed = spn_alloc(s->words, sizeof *s->packed);
    s->table_size = FIRST_TABLE;
    s->table = spn_alloc(s->table_size, sizeof *s->table);
    if (!s->packed || !s->table) {
        spn_samples_free(s);
        return spn_no_memory(err, "a set of states");
    }
    *out = s;
    return SPN_OK;
}

void spn_samples_free(spn_samples *samples)
{
    if (!samples)
        return;
    SPN_FREE_ALL(samples->samples, samples->bits, samples->table, samples->sample_of_row,
                 samples->packed, samples);
}

static const uint64_t *row_at(const spn_samples *s, size_t row)
{
    return s->bits + row * s->words;
}

static uint64_t hash_of(const spn_samples *s, const uint64_t *bits)
{
    return XXH3_64bits(bits, s->words * sizeof *bits);
}

/* Into s->packed; bit i is set iff spin i is +1. */
static spn_status pack(spn_samples *s, const int8_t *spins, spn_error *err)
{
    memset(s->packed, 0, s->words * sizeof *s->packed);
    for (size_t i = 0; i < s->sites; i++) {
        SPN_REFUSE_IF(spins[i] != 1 && spins[i] != -1, err,
                      "a state has %d at site %zu; spins are -1 or +1", spins[i], i);
        s->packed[i / 64] |= (uint64_t)(spins[i] > 0) << i % 64;
    }
    return SPN_OK;
}

/* The entry with these bits, or the empty one where they belong. */
static size_t find_entry(const spn_samples *s, const uint64_t *bits)
{
    const size_t mask = s->table_size - 1;
    assert((s->table_size & mask) == 0 && s->distinct < s->table_size); /* the search ends */
    size_t entry = (size_t)hash_of(s, bits) & mask;
    while (s->table[entry] &&
           memcmp(row_at(s, s->table[entry] - 1), bits, s->words * sizeof *bits) != 0)
        entry = (entry + 1) & mask;
    return entry;
}

/* Room in the table for one more state. */
static bool grow_table(spn_samples *s)
{
    if ((s->distinct + 1) * 4 <= s->table_size * 3)
        return true;
    size_t *grown =
        s->table_size <= SIZE_MAX / 2 ? spn_alloc(s->table_size * 2, sizeof *grown) : NULL;
    if (!grown)
        return false;
    free(s->table);
    s->table = grown;
    s->table_size *= 2;
    for (size_t row = 0; row < s->distinct; row++)
        s->table[find_entry(s, row_at(s, row))] = row + 1;
    assert((s->distinct + 1) * 4 <= s->table_size * 3);
    return true;
}

/* Room for one more state everywhere. */
static bool grow(spn_samples *s)
{
    const size_t needed = s->distinct + 1;
    return needed <= SIZE_MAX / s->words &&
           spn_grow(&s->samples, &s->sample_capacity, needed, sizeof *s->samples) &&
           spn_grow(&s->sample_of_row, &s->row_capacity, needed, sizeof *s->sample_of_row) &&
           spn_grow(&s->bits, &s->bit_capacity, needed * s->words, sizeof *s->bits) &&
           grow_table(s);
}

static spn_status insert(spn_samples *s, double energy, uint64_t count, spn_error *err)
{
    SPN_NEED(grow(s), err, "%zu distinct states of %zu spins", s->distinct + 1, s->sites);
    /* nothing is ever removed, so the next row and the next sample have the same number, sorted or
       not */
    const size_t row = s->distinct++;
    assert(s->distinct <= s->sample_capacity && s->distinct <= s->row_capacity);
    assert(s->distinct * s->words <= s->bit_capacity);
    memcpy(s->bits + row * s->words, s->packed, s->words * sizeof *s->packed);
    s->table[find_entry(s, s->packed)] = row + 1;
    s->samples[row] =
        (sample){{.energy = energy, .count = count, .first = s->additions}, .row = row};
    s->sample_of_row[row] = row;
    return SPN_OK;
}

spn_status spn_samples_add(spn_samples *s, const int8_t *spins, double energy, uint64_t count,
                           spn_error *err)
{
    SPN_REFUSE_IF(isnan(energy), err, "the energy of a state is not a number");
    SPN_REFUSE_IF(count > UINT64_MAX - s->total, err, "a set of states counts no more than 2^64-1");
    SPN_TRY(pack(s, spins, err));
    const size_t entry = find_entry(s, s->packed);
    if (s->table[entry])
        s->samples[s->sample_of_row[s->table[entry] - 1]].s.count += count;
    else
        SPN_TRY(insert(s, energy, count, err));
    s->total += count;
    s->additions++;
    return SPN_OK;
}

static double largest_energy(const spn_samples *s)
{
    double largest = 0;
    for (size_t k = 0; k < s->distinct; k++)
        if (isfinite(s->samples[k].s.energy))
            largest = fmax(largest, fabs(s->samples[k].s.energy));
    return largest;
}

spn_status spn_samples_recompute(spn_samples *s, const spn_energy *energy, spn_error *err)
{
    const double largest = largest_energy(s);
    spn_status status = SPN_OK;
    int8_t *spins = malloc(s->sites);
    if (!spins)
        return spn_no_memory(err, "a state of %zu spins", s->sites);
    assert(energy->sites == s->sites);
    for (size_t k = 0; !status && k < s->distinct; k++) {
        double *value = &s->samples[k].s.energy;
        spn_samples_spins(s, k, spins);
        status = spn_energy_check(value, energy, spins, *value, largest, 0, err);
    }
    free(spins);
    return status;
}

/* `first` differs for every sample, so the order does not depend on the sort. */
static int by_energy(const void *a, const void *b)
{
    const spn_found_state *x = &((const sample *)a)->s, *y = &((const sample *)b)->s;
    if (x->energy != y->energy)
        return x->energy < y->energy ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

void spn_samples_sort(spn_samples *s)
{
    if (s->distinct == 0)
        return;
    qsort(s->samples, s->distinct, sizeof *s->samples, by_energy);
    for (size_t k = 0; k < s->distinct; k++) {
        assert(s->samples[k].row < s->distinct);
        s->sample_of_row[s->samples[k].row] = k;
    }
}

size_t spn_samples_distinct(const spn_samples *samples)
{
    return samples->distinct;
}

uint64_t spn_samples_total(const spn_samples *samples)
{
    return samples->total;
}

spn_found_state spn_samples_at(const spn_samples *samples, size_t k)
{
    assert(k < samples->distinct);
    return samples->samples[k].s;
}

void spn_samples_spins(const spn_samples *samples, size_t k, int8_t *out)
{
    assert(k < samples->distinct);
    const uint64_t *bits = row_at(samples, samples->samples[k].row);
    for (size_t i = 0; i < samples->sites; i++)
        out[i] = bits[i / 64] >> i % 64 & 1 ? 1 : -1;
}

double spn_samples_quantile(const spn_samples *samples, double p)
{
    if (samples->distinct == 0 || !(p >= 0 && p <= 1))
        return NAN;
    const double wanted = p * (double)samples->total;
    uint64_t below = 0;
    for (size_t k = 0; k < samples->distinct; k++) {
        assert(k == 0 || samples->samples[k - 1].s.energy <= samples->samples[k].s.energy);
        below += samples->samples[k].s.count;
        if (below > 0 && (double)below >= wanted)
            return samples->samples[k].s.energy;
    }
    return samples->samples[samples->distinct - 1].s.energy;
}
