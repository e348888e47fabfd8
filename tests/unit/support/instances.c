#include "support/instances.h"

#include "support/test.h"

#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>

const double INSTANCE_A[8] = {2, 2, 0, 1, 2, 2, 1, 0};
const double INSTANCE_B[32] = {7, 6, 4, 4, 6, 6, 3, 2, 4, 5, 3, 2, 4, 4, 0, 3,
                               4, 5, 3, 2, 4, 4, 0, 3, 4, 4, 2, 4, 2, 5, 2, 4};

typedef struct listed {
    size_t sites;
    const double *values;
} listed;

static size_t state_of(const listed *table, const int8_t *spins)
{
    size_t k = 0;
    for (size_t i = 0; i < table->sites; i++)
        k |= (size_t)(spins[i] > 0) << i;
    return k;
}

static double table_value(const void *problem, const int8_t *spins)
{
    const listed *table = problem;
    return table->values[state_of(table, spins)];
}

static double table_attach(const void *problem, void *cache, const int8_t *spins)
{
    *(size_t *)cache = state_of(problem, spins);
    return table_value(problem, spins);
}

static double table_delta(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    (void)spins;
    const double *values = ((const listed *)problem)->values;
    const size_t k = *(const size_t *)cache;
    return values[k ^ (size_t)1 << site] - values[k];
}

static double table_commit(const void *problem, void *cache, const int8_t *spins, size_t site)
{
    (void)spins;
    return ((const listed *)problem)->values[*(size_t *)cache ^= (size_t)1 << site];
}

spn_energy *table_energy(const double *values, size_t sites, bool fast)
{
    spn_energy_ops ops = spn_energy_ops_defaults();
    ops.name = "table";
    ops.energy = table_value;
    ops.destroy = free;
    if (fast) {
        ops.attach = table_attach;
        ops.delta = table_delta;
        ops.commit = table_commit;
    }
    listed *made = malloc(sizeof *made);
    *made = (listed){sites, values};
    spn_energy *out = NULL;
    spn_error err = {0};
    assert_ok(spn_energy_define(&out, &ops, made, sites, fast ? sizeof(size_t) : 0, false, &err),
              err);
    return out;
}

spn_landscape *landscape_of_values(const double *values, size_t sites)
{
    spn_energy *energy = table_energy(values, sites, true);
    spn_landscape *out = NULL;
    spn_error err = {0};
    assert_ok(spn_landscape_create(&out, energy, 0, &err), err);
    spn_energy_free(energy);
    return out;
}

spn_landscape *landscape_a(void)
{
    return landscape_of_values(INSTANCE_A, A_SITES);
}

spn_landscape *landscape_b(void)
{
    return landscape_of_values(INSTANCE_B, B_SITES);
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
    spn_landscape *out = landscape_of_values(values, sites);
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
    return landscape_of_values(planted->energy, planted->sites);
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

void replicated_law(double *out, const spn_landscape *l, size_t y, double beta, double gamma)
{
    const size_t n = l->sites, states = (size_t)1 << (n * y);
    const double top = (double)n * spn_log_cosh(gamma * (double)y);
    double norm = 0;
    for (size_t k = 0; k < states; k++) {
        double above = 0, coupling = 0;
        for (size_t a = 0; a < y; a++)
            above += l->energy[k >> a * n & (l->states - 1)] - l->minimum;
        for (size_t i = 0; i < n; i++) {
            int sum = 0;
            for (size_t a = 0; a < y; a++)
                sum += k >> (a * n + i) & 1 ? 1 : -1;
            coupling += spn_log_cosh(gamma * sum);
        }
        out[k] = exp(coupling - top - (above > 0 ? beta * above : 0));
        norm += out[k];
    }
    for (size_t k = 0; k < states; k++)
        out[k] /= norm;
}
