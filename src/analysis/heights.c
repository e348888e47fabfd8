/* Heights by union-find. The level rises; when it reaches the pass between two valleys, they join,
   and the climb out of the shallower one is known. Each valley's root is its lowest state. Passes
   are states (a table of values: E, or G) or moves (the two-stage kernel). */
#include "analysis/common.h"
#include "analysis/sort.h"
#include "base/memory.h"
#include "core/kernel.h"
#include "core/pause.h"

#include <assert.h>
#include <math.h>
#include <spinney/spectrum.h>
#include <stdlib.h>

typedef struct flood {
    const double *value; /* of every state */
    const double
        *coupling; /* with moves as passes: H; then energy is beta U, and value beta U - H */
    const double *energy;
    size_t bits, states;
    double minimum, tolerance;
    uint32_t *parent;
    spn_heights heights;
} flood;

static const uint32_t DRY = UINT32_MAX; /* not yet reached by the level */

static uint32_t find(uint32_t *parent, uint32_t x)
{
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

/* The valleys of x and z meet at a level. m = max(level - min_a - min_b) + E_min, and d* is the
   climb from the shallower valley where that is not one of the deepest. */
static void join(flood *f, uint32_t x, uint32_t z, double level)
{
    const uint32_t a = find(f->parent, x), b = find(f->parent, z);
    if (a == b)
        return;
    const bool a_lower = f->value[a] <= f->value[b];
    const uint32_t low = a_lower ? a : b, high = a_lower ? b : a;
    const double climb = level - f->value[high];
    f->heights.m = fmax(f->heights.m, climb - f->value[low] + f->minimum);
    if (f->value[high] > f->minimum + f->tolerance)
        f->heights.d_star = fmax(f->heights.d_star, climb);
    f->parent[high] = low;
}

static double state_key(const void *context, uint32_t state)
{
    return ((const flood *)context)->value[state];
}

/* Whether the work is to end; asked now and then. */
static bool stops(size_t n)
{
    enum { PIECE = 1 << 14 };
    return n % PIECE == 0 && spn_pause_now();
}

/* Passes are states. */
static bool flood_states(flood *f)
{
    uint32_t *order = spn_sort_items(f->states, state_key, f);
    f->parent = spn_alloc(f->states, sizeof *f->parent);
    for (size_t k = 0; order && f->parent && k < f->states; k++)
        f->parent[k] = DRY;
    for (size_t n = 0; order && f->parent && n < f->states && !stops(n); n++) {
        const uint32_t x = order[n];
        f->parent[x] = x;
        for (size_t j = 0; j < f->bits; j++) {
            const uint32_t z = x ^ 1u << j;
            if (f->parent[z] != DRY)
                join(f, x, z, f->value[x]);
        }
    }
    const bool done = order && f->parent;
    free(order);
    free(f->parent);
    return done;
}

/* Move number j 2^(bits-1) + p flips bit j of the p-th state that has it clear. */
static uint32_t move_from(const flood *f, uint32_t move, uint32_t *bit)
{
    const uint32_t half = (uint32_t)(f->states / 2);
    assert(half > 0); /* without bits there are no moves */
    const uint32_t j = move / half, p = move % half;
    *bit = 1u << j;
    return (p & ~(*bit - 1)) << 1 | (p & (*bit - 1));
}

static double move_key(const void *context, uint32_t move)
{
    const flood *f = context;
    uint32_t bit;
    const uint32_t x = move_from(f, move, &bit), z = x | bit;
    const double u = f->energy[x] > f->energy[z] ? f->energy[x] : f->energy[z];
    return u - (f->coupling[x] < f->coupling[z] ? f->coupling[x] : f->coupling[z]);
}

/* Passes are moves. */
static bool flood_moves(flood *f)
{
    const size_t moves = f->bits * (f->states / 2);
    uint32_t *order = spn_sort_items(moves, move_key, f);
    f->parent = spn_alloc(f->states, sizeof *f->parent);
    for (size_t k = 0; f->parent && k < f->states; k++)
        f->parent[k] = (uint32_t)k;
    for (size_t n = 0; order && f->parent && n < moves && !stops(n); n++) {
        uint32_t bit;
        const uint32_t x = move_from(f, order[n], &bit);
        join(f, x, x | bit, move_key(f, order[n]));
    }
    const bool done = order && f->parent;
    free(order);
    free(f->parent);
    return done;
}

static spn_status find_heights(spn_heights *out, const spn_landscape *landscape, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    flood f = {.value = landscape->energy,
               .bits = landscape->sites,
               .states = landscape->states,
               .minimum = landscape->minimum,
               .tolerance = landscape->tolerance};
    if (!flood_states(&f))
        return spn_exact_no_memory(err, "the heights", 12 * f.states);
    *out = f.heights;
    return SPN_OK;
}

spn_status spn_landscape_heights_sized(spn_heights *out, size_t size,
                                       const spn_landscape *landscape, spn_error *err)
{
    spn_heights own;
    const spn_status status = find_heights(&own, landscape, err);
    if (!status)
        spn_sized_give(out, size, &own, sizeof own);
    return status;
}

/* Fill beta U and H into the arrays, and G = beta U - H, and find its minimum. */
static void fill(flood *f, double *energy, double *coupling, double *value,
                 const spn_landscape *landscape, size_t replicas, double beta, double gamma)
{
    spn_replicated_energy(energy, landscape, replicas);
    spn_replicated_coupling(coupling, landscape->sites, replicas, gamma);
    f->minimum = INFINITY;
    for (size_t k = 0; k < f->states; k++) {
        energy[k] *= beta;
        value[k] = energy[k] - coupling[k];
        f->minimum = fmin(f->minimum, value[k]);
    }
    f->energy = energy;
    f->coupling = coupling;
    f->value = value;
}

spn_status spn_replicated_height(double *out, const spn_landscape *landscape, size_t replicas,
                                 spn_kernel kernel, double beta, double gamma, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    const size_t bits = landscape->sites * replicas;
    spn_status status = spn_exact_check(replicas, beta, gamma, false, false, err);
    if (status == SPN_OK)
        status = spn_exact_check_bits(landscape->sites, replicas, 28 + 4 * bits, "a height", err);
    if (status != SPN_OK)
        return status;
    flood f = {.bits = bits, .states = (size_t)1 << bits};
    double *energy = spn_alloc(f.states, sizeof *energy);
    double *coupling = spn_alloc(f.states, sizeof *coupling);
    double *value = spn_alloc(f.states, sizeof *value);
    bool done = energy && coupling && value;
    if (done) {
        fill(&f, energy, coupling, value, landscape, replicas, beta, gamma);
        done = spn_kernel_traits_of(kernel)->two_stage ? flood_moves(&f) : flood_states(&f);
    }
    if (done)
        *out = f.heights.m;
    else
        status = spn_exact_no_memory(err, "a height", (28 + 4 * bits) * f.states);
    free(energy);
    free(coupling);
    free(value);
    return status;
}
