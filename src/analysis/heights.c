/* Heights by union-find. The level rises; when it reaches the pass between two valleys, they join,
   and the climb out of the shallower one is known. Each valley's root is its lowest state. Passes
   are states (a table of values: E, or G) or moves (the two-stage kernel). */
#include "analysis/common.h"
#include "core/kernel.h"
#include "core/numeric.h"

#include <assert.h>
#include <spinney/spectrum.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS };

/* Keys are computed on demand, so only the item numbers are stored. */
typedef double item_key(const void *context, uint32_t item);

/* Whether the work must end. Asks only once every PIECE calls. */
static bool stops(size_t n)
{
    enum { PIECE = 1 << 14 };
    return n % PIECE == 0 && spn_pause_now();
}

/* The bits of a double, ordered as an unsigned integer; -0 as 0. */
static uint64_t ordered_bits(double x)
{
    const uint64_t bits = spn_bits(x + 0.0), sign = 1ull << 63;
    return (bits & sign) ? ~bits : bits | sign;
}

/* One pass over a digit. False if all items share it or the work must end: ignore `to` then. */
static bool pass(uint32_t *to, const uint32_t *from, size_t count, unsigned shift, item_key *key,
                 const void *context, size_t *places)
{
    memset(places, 0, DIGITS * sizeof *places);
    for (size_t n = 0; n < count && !stops(n); n++)
        places[ordered_bits(key(context, from[n])) >> shift & (DIGITS - 1)]++;
    size_t start = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = places[d];
        if (here == count)
            return false;
        places[d] = start;
        start += here;
    }
    for (size_t n = 0; n < count && !stops(n); n++)
        to[places[ordered_bits(key(context, from[n])) >> shift & (DIGITS - 1)]++] = from[n];
    return !spn_pause_stopped();
}

/* A new array of 0..count-1 by increasing key, equal keys by number; NULL without memory. A radix
   sort that skips the digits all keys share: small integers take one or two passes. O(count),
   8 * count bytes while it runs. */
static uint32_t *sort_items(size_t count, item_key *key, const void *context)
{
    if (spn_pause_now())
        return NULL; /* the memory is not worth its time */
    uint32_t *items = spn_alloc(count, sizeof *items), *other = spn_alloc(count, sizeof *other);
    size_t *places = spn_alloc(DIGITS, sizeof *places);
    if (!items || !other || !places) {
        free(items);
        items = NULL;
    }
    for (size_t n = 0; items && n < count; n++)
        items[n] = (uint32_t)n;
    for (unsigned shift = 0; items && shift < 64 && !spn_pause_now(); shift += DIGIT_BITS)
        if (pass(other, items, count, shift, key, context, places)) {
            uint32_t *swap = items;
            items = other;
            other = swap;
        }
    SPN_FREE_ALL(other, places);
    return items;
}

typedef struct flood {
    const double *value;    /* of every state: E, or beta U - H */
    const double *coupling; /* H, only if passes are moves */
    const double *energy;   /* beta U, likewise */
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

/* The valleys of x and z meet at a level. m = max(level - min_a - min_b) + E_min; d* is the climb
   out of the shallower valley, unless that one is among the deepest. */
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

static bool flood_states(flood *f)
{
    uint32_t *order = sort_items(f->states, state_key, f);
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
    SPN_FREE_ALL(order, f->parent);
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

static bool flood_moves(flood *f)
{
    const size_t moves = f->bits * (f->states / 2);
    uint32_t *order = sort_items(moves, move_key, f);
    f->parent = spn_alloc(f->states, sizeof *f->parent);
    for (size_t k = 0; f->parent && k < f->states; k++)
        f->parent[k] = (uint32_t)k;
    for (size_t n = 0; order && f->parent && n < moves && !stops(n); n++) {
        uint32_t bit;
        const uint32_t x = move_from(f, order[n], &bit);
        join(f, x, x | bit, move_key(f, order[n]));
    }
    const bool done = order && f->parent;
    SPN_FREE_ALL(order, f->parent);
    return done;
}

spn_status spn_landscape_heights_sized(spn_heights *out, size_t size,
                                       const spn_landscape *landscape, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    flood f = {.value = landscape->energy,
               .bits = landscape->sites,
               .states = landscape->states,
               .minimum = landscape->minimum,
               .tolerance = landscape->tolerance};
    SPN_EXACT_NEED(flood_states(&f), err, "the heights", 12 * f.states);
    spn_sized_give(out, size, &f.heights, sizeof f.heights);
    return SPN_OK;
}

/* Fill in beta U, H and G = beta U - H, and find the minimum of G. */
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
    spn_status status = SPN_OK;
    SPN_TRY(spn_exact_check(replicas, beta, gamma, false, false, err));
    SPN_TRY(spn_exact_check_bits(landscape->sites, replicas, 28 + 4 * bits, "a height", err));
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
    SPN_FREE_ALL(energy, coupling, value);
    return status;
}
