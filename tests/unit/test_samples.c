/* Sets of states, against a plain list that is searched from its start. */
#include "support/scratch.h"
#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <spinney/samples.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reference ---- */

enum { MOST = 300, SITES = 131 }; /* two words and a few bits */

typedef struct plain {
    size_t distinct, sites;
    int8_t spins[MOST][SITES];
    double energy[MOST];
    uint64_t count[MOST], first[MOST];
} plain;

static void plain_add(plain *p, const int8_t *spins, double energy, uint64_t number)
{
    for (size_t k = 0; k < p->distinct; k++)
        if (memcmp(p->spins[k], spins, p->sites) == 0) {
            p->count[k]++;
            return;
        }
    memcpy(p->spins[p->distinct], spins, p->sites);
    p->energy[p->distinct] = energy;
    p->count[p->distinct] = 1;
    p->first[p->distinct++] = number;
}

/* The place of state k when all are in order. */
static size_t plain_place(const plain *p, size_t k)
{
    size_t place = 0;
    for (size_t l = 0; l < p->distinct; l++)
        place += p->energy[l] < p->energy[k] || (p->energy[l] == p->energy[k] && l < k);
    return place;
}

/* Each found state as often as it was found, in order; the entry at ceil(p n) - 1. */
static double plain_quantile(const plain *p, double share, size_t total)
{
    double all[MOST];
    size_t order[MOST], count = 0;
    for (size_t k = 0; k < p->distinct; k++)
        order[plain_place(p, k)] = k;
    for (size_t place = 0; place < p->distinct; place++)
        for (uint64_t c = 0; c < p->count[order[place]]; c++)
            all[count++] = p->energy[order[place]];
    assert_int_equal(count, total);
    const double index = ceil(share * (double)total) - 1;
    return all[index > 0 ? (size_t)index : 0];
}

static void compare(const spn_samples *s, const plain *p)
{
    int8_t spins[SITES];
    assert_int_equal(spn_samples_distinct(s), p->distinct);
    for (size_t k = 0; k < p->distinct; k++) {
        const size_t place = plain_place(p, k);
        assert_true(spn_samples_energy(s, place) == p->energy[k]);
        assert_int_equal(spn_samples_count(s, place), p->count[k]);
        assert_int_equal(spn_samples_first(s, place), p->first[k]);
        spn_samples_spins(s, place, spins);
        assert_memory_equal(spins, p->spins[k], p->sites);
    }
}

/* ---- tests ---- */

/* States of few kinds, so that many are met again; energies of few values, so that many are equal.
   The set is compared as it grows, sorted in between, and made of the arrays at once. */
static void check_against_plain(size_t sites, unsigned kinds)
{
    static plain p;
    static int8_t rows[MOST][SITES], packed[MOST * SITES];
    double energies[MOST];
    spn_error err = {0};
    spn_random random = spn_random_make(sites, 0, 0, SPN_PURPOSE_USER);
    spn_samples *s, *whole;
    p = (plain){.sites = sites};
    assert_ok(spn_samples_create(&s, sites, &err), err);
    for (size_t n = 0; n < MOST; n++) {
        const uint32_t kind = spn_random_below(&random, kinds);
        spn_random state = spn_random_make(kind, 1, 0, SPN_PURPOSE_USER);
        spn_random_spins(&state, rows[n], sites);
        uint32_t sum = 0;
        for (size_t i = 0; i < sites; i++)
            sum = sum * 3 + (rows[n][i] > 0);
        energies[n] = (double)(sum % 7) - 3;
        memcpy(packed + n * sites, rows[n], sites);
        plain_add(&p, rows[n], energies[n], n);
        assert_ok(spn_samples_add(s, rows[n], energies[n], 1, &err), err);
        if (n % 97 == 0 || n == MOST - 1) {
            spn_samples_sort(s);
            compare(s, &p);
        }
    }
    assert_int_equal(spn_samples_total(s), MOST);
    const double shares[] = {0, 1e-9, 0.01, 0.25, 1.0 / 3, 0.5, 0.75, 0.9, 1};
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        assert_true(spn_samples_quantile(s, shares[k]) == plain_quantile(&p, shares[k], MOST));
    assert_ok(spn_samples_of(&whole, sites, MOST, packed, energies, &err), err);
    compare(whole, &p);
    spn_samples_free(whole);
    spn_samples_free(s);
}

static void test_against_plain(void **state)
{
    (void)state;
    const size_t sites[] = {1, 2, 63, 64, 65, 128, SITES};
    for (size_t k = 0; k < sizeof sites / sizeof *sites; k++) {
        check_against_plain(sites[k], 5);
        check_against_plain(sites[k], 100000);
    }
}

/* States that differ in one spin are different, wherever it is. */
static void test_neighbours(void **state)
{
    (void)state;
    spn_error err = {0};
    int8_t spins[SITES];
    spn_samples *s;
    memset(spins, 1, sizeof spins);
    assert_ok(spn_samples_create(&s, SITES, &err), err);
    for (size_t i = 0; i < SITES; i++) {
        spins[i] = -1;
        assert_ok(spn_samples_add(s, spins, (double)i, 2, &err), err);
        spins[i] = 1;
    }
    assert_int_equal(spn_samples_distinct(s), SITES);
    assert_int_equal(spn_samples_total(s), 2 * SITES);
    assert_int_equal(spn_samples_count(s, 5), 2);
    spn_samples_free(s);
}

/* As many reads as somebody may ask for, of few spins; the counts are those of the numbers. */
static void test_many(void **state)
{
    (void)state;
    enum { BITS = 14, READS = 200000 };
    spn_error err = {0};
    static uint32_t counts[1 << BITS];
    int8_t spins[BITS];
    spn_samples *s;
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    assert_ok(spn_samples_create(&s, BITS, &err), err);
    for (size_t n = 0; n < READS; n++) {
        const uint32_t number = spn_random_below(&random, 1 << BITS);
        counts[number]++;
        for (size_t i = 0; i < BITS; i++)
            spins[i] = number >> i & 1 ? 1 : -1;
        assert_ok(spn_samples_add(s, spins, (double)number, 1, &err), err);
    }
    spn_samples_sort(s);
    size_t k = 0;
    for (uint32_t number = 0; number < 1 << BITS; number++) {
        if (counts[number] == 0)
            continue;
        assert_true(spn_samples_energy(s, k) == (double)number);
        assert_int_equal(spn_samples_count(s, k), counts[number]);
        k++;
    }
    assert_int_equal(spn_samples_distinct(s), k);
    spn_samples_free(s);
}

static void test_refused(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_samples *s;
    const int8_t good[] = {1, -1}, other[] = {-1, 1}, bad[] = {1, 0};
    const double energies[] = {0.5};
    assert_error(spn_samples_create(&s, 0, &err), &err, SPN_ERROR_ARGUMENT, "1 to 2^32-1", "0");
    assert_null(s);
    assert_ok(spn_samples_create(&s, 2, &err), err);
    assert_true(isnan(spn_samples_quantile(s, 0.5)));
    spn_samples_sort(s);
    assert_error(spn_samples_add(s, bad, 1, 1, &err), &err, SPN_ERROR_ARGUMENT, "0 at site 1", "");
    assert_error(spn_samples_add(s, good, NAN, 1, &err), &err, SPN_ERROR_ARGUMENT, "not a number",
                 "");
    assert_ok(spn_samples_add(s, good, 1, UINT64_MAX, &err), err);
    assert_ok(spn_samples_add(s, other, 0, 0, &err), err);
    spn_samples_sort(s);
    assert_int_equal(spn_samples_distinct(s), 2);
    assert_true(spn_samples_count(s, 0) == 0 && spn_samples_energy(s, 0) == 0);
    assert_true(spn_samples_quantile(s, 0) == 1 && spn_samples_quantile(s, 1) == 1);
    assert_error(spn_samples_add(s, good, 1, 1, &err), &err, SPN_ERROR_ARGUMENT, "2^64-1", "");
    assert_true(isnan(spn_samples_quantile(s, -0.1)) && isnan(spn_samples_quantile(s, 1.1)) &&
                isnan(spn_samples_quantile(s, NAN)));
    spn_samples_free(s);
    assert_error(spn_samples_of(&s, 2, 1, bad, energies, &err), &err, SPN_ERROR_ARGUMENT, "site 1",
                 "");
    assert_null(s);
    spn_samples_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_plain),
                                       cmocka_unit_test(test_neighbours),
                                       cmocka_unit_test(test_many), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
