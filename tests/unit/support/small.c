#include "support/small.h"

#include "support/test.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static spn_problem *from_text(size_t sites, size_t count, const char *rows, const char *labels)
{
    spn_problem *problem = calloc(1, sizeof *problem);
    problem->kind = SPN_PROBLEM_PATTERNS;
    problem->sites = sites;
    problem->count = count;
    problem->rows = malloc(sites * count);
    problem->labels = malloc(count);
    for (size_t k = 0; k < sites * count; k++)
        problem->rows[k] = rows[k] == '+' ? 1 : -1;
    for (size_t k = 0; k < count; k++)
        problem->labels[k] = labels[k] == '+' ? 1 : -1;
    return problem;
}

spn_problem *small_instance(char name)
{
    if (name == 'A')
        return from_text(3, 2, "--+-++", "-+");
    return from_text(5, 5,
                     "++-++-----"
                     "-+-+++++++"
                     "-+---",
                     "--+++");
}

const double *small_reference_energies(char name)
{
    static const double a[] = {2, 2, 0, 1, 2, 2, 1, 0};
    static const double b[] = {7, 6, 4, 4, 6, 6, 3, 2, 4, 5, 3, 2, 4, 4, 0, 3,
                               4, 5, 3, 2, 4, 4, 0, 3, 4, 4, 2, 4, 2, 5, 2, 4};
    return name == 'A' ? a : b;
}

void small_system_init(small_system *out, const spn_energy *energy, size_t replicas, double beta,
                       double gamma)
{
    *out = (small_system){.sites = spn_energy_sites(energy),
                          .replicas = replicas,
                          .beta = beta,
                          .gamma = gamma,
                          .states = (size_t)1 << (spn_energy_sites(energy) * replicas)};
    assert_true(out->states <= SMALL_MOST_STATES && spn_energy_sites(energy) <= 6);
    for (size_t k = 0; k < (size_t)1 << spn_energy_sites(energy); k++) {
        int8_t spins[8];
        for (size_t i = 0; i < spn_energy_sites(energy); i++)
            spins[i] = k >> i & 1 ? 1 : -1;
        out->energy[k] = spn_energy_value(energy, spins);
    }
}

size_t small_index(const small_system *system, const int8_t *spins)
{
    size_t index = 0;
    for (size_t bit = 0; bit < system->sites * system->replicas; bit++)
        index |= (size_t)(spins[bit] > 0) << bit;
    return index;
}

void small_spins(const small_system *system, size_t index, int8_t *spins)
{
    for (size_t bit = 0; bit < system->sites * system->replicas; bit++)
        spins[bit] = index >> bit & 1 ? 1 : -1;
}

static double total_energy(const small_system *system, size_t index)
{
    double total = 0;
    for (size_t a = 0; a < system->replicas; a++)
        total += system->energy[index >> (a * system->sites) & (((size_t)1 << system->sites) - 1)];
    return total;
}

/* H_gamma; at these sizes cosh does not overflow. */
static double coupling(const small_system *system, size_t index)
{
    double total = 0;
    for (size_t i = 0; i < system->sites; i++) {
        int sum = 0;
        for (size_t a = 0; a < system->replicas; a++)
            sum += index >> (a * system->sites + i) & 1 ? 1 : -1;
        total += log(cosh(system->gamma * sum));
    }
    return total;
}

void small_law(const small_system *system, double *out)
{
    double norm = 0;
    for (size_t k = 0; k < system->states; k++)
        norm += out[k] = exp(-system->beta * total_energy(system, k) + coupling(system, k));
    for (size_t k = 0; k < system->states; k++)
        out[k] /= norm;
}

static double acceptance(const small_system *system, spn_kernel kernel, size_t from, size_t to)
{
    double du = total_energy(system, to) - total_energy(system, from);
    double dh = coupling(system, to) - coupling(system, from);
    double cost = system->beta * du - dh;
    if (kernel == SPN_KERNEL_TWO_STAGE)
        return fmin(1, exp(dh)) * exp(-system->beta * fmax(du, 0));
    return kernel == SPN_KERNEL_ONE_STAGE ? fmin(1, exp(-cost)) : 1 / (1 + exp(cost));
}

/* A proposal of a replica from weight `share` on `from`, at one of the first `count` sites, all
   equally likely. */
static void spread(const small_system *system, spn_kernel kernel, size_t replica, size_t count,
                   double share, size_t from, double *out)
{
    double each = share / (double)count, stay = share;
    for (size_t i = 0; i < count; i++) {
        size_t to = from ^ (size_t)1 << (replica * system->sites + i);
        double move = each * acceptance(system, kernel, from, to);
        out[to] += move;
        stay -= move;
    }
    out[from] += stay;
}

void small_step(const small_system *system, spn_kernel kernel, spn_order order, size_t from,
                double *out)
{
    memset(out, 0, system->states * sizeof *out);
    if (order == SPN_ORDER_RANDOM) {
        for (size_t a = 0; a < system->replicas; a++)
            spread(system, kernel, a, system->sites, 1.0 / (double)system->replicas, from, out);
        return;
    }
    const size_t count =
        order == SPN_ORDER_SEQUENTIAL ? 1 : system->sites; /* it starts at site 0 */
    double now[SMALL_MOST_STATES] = {0};
    out[from] = 1;
    for (size_t a = 0; a < system->replicas; a++) {
        memcpy(now, out, system->states * sizeof *out);
        memset(out, 0, system->states * sizeof *out);
        for (size_t k = 0; k < system->states; k++)
            if (now[k] > 0)
                spread(system, kernel, a, count, now[k], k, out);
    }
}

double small_acceptance(const small_system *system, spn_kernel kernel)
{
    double law[SMALL_MOST_STATES], total = 0;
    small_law(system, law);
    for (size_t k = 0; k < system->states; k++)
        for (size_t bit = 0; bit < system->sites * system->replicas; bit++)
            total += law[k] * acceptance(system, kernel, k, k ^ (size_t)1 << bit);
    return total / (double)(system->sites * system->replicas);
}

spn_energy *small_graph(size_t sites, double scale)
{
    spn_error err = {0};
    spn_edge edges[] = {{0, 1, scale}, {1, 2, -2 * scale}, {2, 0, scale},
                        {1, 1, scale}, {2, 3, scale},      {3, 3, -scale}};
    spn_problem problem = {
        .kind = SPN_PROBLEM_COUPLINGS, .sites = sites, .count = sites == 3 ? 4 : 6, .edges = edges};
    spn_energy *energy;
    if (scale > 1) /* not all multiples of one number */
        edges[1].weight += 1;
    assert_ok(spn_energy_create(&energy, "ising", &problem, &err), err);
    return energy;
}
