#include "support/instances.h"

#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>

const double INSTANCE_A[8] = {2, 2, 0, 1, 2, 2, 1, 0};
const double INSTANCE_B[32] = {7, 6, 4, 4, 6, 6, 3, 2, 4, 5, 3, 2, 4, 4, 0, 3,
                               4, 5, 3, 2, 4, 4, 0, 3, 4, 4, 2, 4, 2, 5, 2, 4};

static size_t state_of(const int8_t *spins, size_t sites)
{
    size_t k = 0;
    for (size_t i = 0; i < sites; i++)
        k |= (size_t)(spins[i] > 0) << i;
    return k;
}

static double table_value(const spn_energy *self, const int8_t *spins)
{
    return ((const table_energy *)self)->values[state_of(spins, self->sites)];
}

static double table_attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    *(size_t *)cache = state_of(spins, self->sites);
    return table_value(self, spins);
}

static double table_delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    (void)spins;
    const double *values = ((const table_energy *)self)->values;
    const size_t k = *(const size_t *)cache;
    return values[k ^ (size_t)1 << site] - values[k];
}

static double table_commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    (void)spins;
    return ((const table_energy *)self)->values[*(size_t *)cache ^= (size_t)1 << site];
}

table_energy table_energy_make(const double *values, size_t sites, bool fast)
{
    static const spn_energy_slots slow_ops = {.name = "table", .energy = table_value};
    static const spn_energy_slots fast_ops = {.name = "table",
                                              .energy = table_value,
                                              .attach = table_attach,
                                              .delta = table_delta,
                                              .commit = table_commit};
    return (table_energy){.base = {.slots = fast ? &fast_ops : &slow_ops,
                                   .sites = sites,
                                   .cache_size = fast ? sizeof(size_t) : 0},
                          .values = values};
}

static spn_landscape *enumerate(const double *values, size_t sites)
{
    const table_energy energy = table_energy_make(values, sites, true);
    spn_landscape *out = NULL;
    spn_error err = {0};
    assert_ok(spn_landscape_create(&out, &energy.base, 0, &err), err);
    return out;
}

spn_landscape *landscape_a(void)
{
    return enumerate(INSTANCE_A, A_SITES);
}

spn_landscape *landscape_b(void)
{
    return enumerate(INSTANCE_B, B_SITES);
}

spn_landscape *landscape_random(size_t sites, double scale, uint64_t seed)
{
    const size_t states = (size_t)1 << sites;
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_USER);
    double *values = malloc(states * sizeof *values);
    for (size_t k = 0; k < states; k++) {
        values[k] = scale * spn_random_uniform(&random);
        if (scale > 1)
            values[k] = floor(values[k]);
    }
    spn_landscape *out = enumerate(values, sites);
    free(values);
    return out;
}

static spn_planted *plant(const char *const *generators, size_t count)
{
    spn_planted *out = NULL;
    spn_error err = {0};
    assert_ok(spn_planted_create(&out, generators, count, 1, &err), err);
    return out;
}

spn_planted *planted_p7(void)
{
    static const char *const rows[] = {"0111100", "1011010", "1101001"}; /* 30, 45, 75 */
    return plant(rows, 3);
}

spn_planted *planted_p15a(void)
{
    char text[5][16];
    const char *rows[5];
    for (size_t b = 0; b < 5; b++) {
        for (size_t j = 1; j <= 15; j++)
            text[b][j - 1] = b == 4 || (j >> b & 1) ? '1' : '0';
        text[b][15] = 0;
        rows[b] = text[b];
    }
    return plant(rows, 5);
}

spn_landscape *landscape_of(const spn_planted *planted)
{
    return enumerate(planted->energy, planted->sites);
}

spn_operator *operator_of(const spn_landscape *l, size_t y, int kernel, double beta, double gamma)
{
    spn_operator *out = NULL;
    spn_error err = {0};
    assert_ok(spn_operator_create(&out, l, y, (spn_kernel)kernel, beta, gamma, &err), err);
    return out;
}

spn_gap gap_of(const spn_landscape *l, size_t y, int kernel, double beta, double gamma)
{
    spn_operator *op = operator_of(l, y, kernel, beta, gamma);
    spn_gap gap;
    spn_error err = {0};
    assert_ok(spn_operator_gap(&gap, op, NULL, &err), err);
    spn_operator_free(op);
    return gap;
}
