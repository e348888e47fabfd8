/* Groups of reads in words: how one is made, and its start. */
#include "reads/word_group.h"

#include "base/memory.h"
#include "base/philox.h"
#include <math.h>
#include <string.h>

static bool allocate(spn_word_group *g)
{
    spn_words *w = &g->words;
    const size_t sites = w->graph->sites, row = w->words * sizeof(uint64_t), y = w->replicas;
    w->run_products = spn_alloc(1, row);
    w->spins = spn_alloc(sites + 1, y * row);
    w->centre = w->coupling == SPN_WORD_CENTRE ? spn_alloc(sites, row) : NULL;
    w->best = spn_alloc(sites, y * row);
    w->active = spn_alloc(1, row);
    w->energy = spn_alloc(w->planes, y * row);
    w->above = spn_alloc(w->planes, y * row);
    w->better_now = spn_alloc(1, y * row);
    w->improved = spn_alloc(1, y * row);
    w->moves = spn_alloc(SPN_WORD_MOVES, row);
    w->flips = spn_alloc(sites, y * row);
    w->better = spn_alloc(sites, y * row);
    w->seen = spn_alloc(1, row);
    w->accepted = spn_alloc(1, row);
    w->uphill = spn_alloc(1, row);
    w->hit = spn_alloc(g->lanes, sizeof *w->hit);
    w->ended = spn_alloc(g->lanes, sizeof *w->ended);
    g->spins = spn_alloc(sites, 1);
    g->start = spn_alloc(g->lanes, y * sizeof *g->start);
    g->origin = spn_alloc(g->lanes, y * sizeof *g->origin);
    return w->run_products && w->spins && (w->centre || w->coupling != SPN_WORD_CENTRE) &&
           w->best && w->active && w->energy && w->above && w->better_now && w->improved &&
           w->moves && w->accepted && w->uphill && w->flips && w->better && w->seen && w->hit &&
           w->ended && g->spins && g->start && g->origin && spn_word_table_allocate(&g->table[0]) &&
           spn_word_table_allocate(&g->table[1]) && spn_word_table_allocate(&g->centre_table);
}

/* The start of a replica of a lane, as the chain places it, into g->spins. */
static void take_start(spn_word_group *g, size_t a, size_t lane)
{
    const spn_chain_options *o = &g->side.options;
    const size_t sites = g->words.graph->sites, y = g->words.replicas;
    const size_t read = g->side.first + (lane > g->lane ? lane - g->lane : 0);
    const uint32_t run = g->words.stream.run * SPN_WORD_BITS + (uint32_t)lane;
    if (g->starts) {
        memcpy(g->spins, g->starts + (read % g->start_count * y + a) % g->start_count * sites,
               sites);
    } else if (o->start == SPN_START_GIVEN) {
        memcpy(g->spins, o->given + a * sites, sites);
    } else {
        const uint32_t replica = o->start == SPN_START_INDEPENDENT ? (uint32_t)a : 0;
        spn_random random = spn_random_make(o->seed, run, replica, SPN_PURPOSE_START);
        spn_random_spins(&random, g->spins, sites);
    }
}

/* The counts above the start at which the energy is 0 in words: one above the most that reach the
   target. */
static int32_t origin_of(const spn_word_group *g, size_t a, size_t lane)
{
    const spn_word_graph *graph = g->words.graph;
    if (!g->words.has_target)
        return 0;
    return 1 + (int32_t)spn_side_counts(g->start[a * g->lanes + lane], spn_word_count(graph),
                                        graph->constant, g->side.options.target_energy,
                                        (int64_t)graph->range + 1);
}

static void place(spn_word_group *g, size_t a, size_t lane)
{
    spn_words *w = &g->words;
    const uint64_t bit = 1ull << lane % SPN_WORD_BITS;
    const size_t at = a * w->words + lane / SPN_WORD_BITS, stride = w->replicas * w->words;
    take_start(g, a, lane);
    for (size_t i = 0; i < w->graph->sites; i++)
        w->spins[i * stride + at] |= g->spins[i] > 0 ? bit : 0;
    const double start = spn_energy_value(w->graph->energy, g->spins) - w->graph->constant;
    g->start[a * g->lanes + lane] = rint(start * w->graph->per_unit) / w->graph->per_unit;
    const int32_t origin = g->origin[a * g->lanes + lane] = origin_of(g, a, lane);
    for (size_t k = 0; k < w->planes; k++)
        w->energy[k * stride + at] |= -(int64_t)origin >> k & 1 ? bit : 0;
}

/* The first draw of the centre has the gamma of the first step. */
static void start_centre(spn_word_group *g)
{
    spn_words *w = &g->words;
    if (w->coupling != SPN_WORD_CENTRE)
        return;
    if (g->side.options.coupling == SPN_COUPLING_CENTRE) {
        spn_word_group_first_centre(g);
        return;
    }
    for (size_t i = 0; i < w->graph->sites; i++)
        memset(w->centre + i * w->words, g->side.options.centre[i] > 0 ? 0xFF : 0,
               w->words * sizeof *w->centre);
}

/* Put every lane at its start; w->spins and the digits are 0. */
static void start(spn_word_group *g)
{
    spn_words *w = &g->words;
    const size_t row = w->words * w->replicas;
    memset(w->spins + w->graph->sites * row, 0xFF, row * sizeof *w->spins);
    for (size_t k = 0; k < w->words; k++)
        w->run_products[k] = (uint64_t)SPN_PHILOX_M1 * (w->stream.run + (uint32_t)k);
    for (size_t lane = 0; lane < g->lanes; lane++)
        for (size_t a = 0; a < w->replicas; a++)
            place(g, a, lane);
    for (size_t lane = g->lane; lane < g->lane + g->side.count; lane++)
        w->active[lane / SPN_WORD_BITS] |= 1ull << lane % SPN_WORD_BITS;
    memcpy(w->best, w->spins, w->graph->sites * row * sizeof *w->best);
    start_centre(g);
    if (w->has_target)
        spn_words_rest(w, 0, w->words, UINT64_MAX); /* at step 0 */
}

spn_status spn_word_group_create(spn_word_group **out, const spn_word_graph *graph,
                                 const spn_word_version *version, const spn_chain_options *options,
                                 const spn_reads_options *reads, size_t first, size_t count,
                                 spn_error *err)
{
    const uint32_t run = options->run + (uint32_t)first;
    const size_t width = version->width * SPN_WORD_BITS;
    spn_word_group *g = spn_alloc(1, sizeof *g);
    spn_status status;
    *out = NULL;
    SPN_NEED(g, err, "%zu reads of %zu spins", count, graph->sites);
    g->version = version;
    g->starts = reads->starts;
    g->start_count = reads->start_count;
    g->lane = run % SPN_WORD_BITS;
    g->lanes = (g->lane + count + width - 1) / width * width;
    g->beta = g->gamma = NAN;
    g->words = (spn_words){
        .graph = graph,
        .table = g->table,
        .words = g->lanes / SPN_WORD_BITS,
        .replicas = options->replicas,
        .coupling = spn_word_coupling_of(options),
        .stream = spn_stream_make(options->seed, run / SPN_WORD_BITS, 0, SPN_PURPOSE_WORDS),
        .planes = 65 - (size_t)__builtin_clzll(2 * graph->range + 4),
        .has_target = options->target != SPN_TARGET_NONE,
        .all_replicas = options->target == SPN_TARGET_ALL};
    SPN_TRY_OR(failed, spn_side_init(&g->side, &spn_word_group_type, &spn_word_group_kind, options,
                                     first, count, graph->sites, err));
    if (g->side.options.centre_every == 0)
        g->side.options.centre_every = graph->sites;
    SPN_NEED_OR(failed, allocate(g), err, "%zu reads of %zu spins", count, graph->sites);
    start(g);
    *out = g;
    return SPN_OK;
failed:
    spn_sampler_free(&g->side.base);
    return status;
}

/* ---- another state ---- */

/* A row of 64 lanes of a replica at each site. */
static void pack(spn_words *w, const int8_t *spins, size_t a, size_t word, size_t lanes)
{
    const size_t sites = w->graph->sites, stride = w->replicas * sites;
    const int8_t *from = spins + word * SPN_WORD_BITS * stride + a * sites;
    for (size_t i = 0; i < sites; i++) {
        uint64_t bits = 0;
        for (size_t l = 0; l < lanes; l++)
            bits |= (uint64_t)(from[l * stride + i] > 0) << l;
        w->spins[(i * w->replicas + a) * w->words + word] = bits;
    }
}

/* Forget what was counted and the lowest energies. */
static void forget(spn_word_group *g)
{
    spn_words *w = &g->words;
    const size_t row = w->words * sizeof *w->active, all = w->replicas * row;
    memset(w->energy, 0, w->planes * all);
    memset(w->above, 0, w->planes * all);
    memset(w->better_now, 0, all);
    memset(w->improved, 0, all);
    memset(w->moves, 0, SPN_WORD_MOVES * row);
    memset(w->accepted, 0, row);
    memset(w->uphill, 0, row);
    memset(w->active, 0, row);
    memset(g->side.slices, 0, sizeof g->side.slices);
}

void spn_word_group_become(spn_word_group *g, const int8_t *spins, const double *energies,
                           size_t count, uint32_t word, uint64_t step, uint64_t end)
{
    spn_words *w = &g->words;
    const spn_word_graph *graph = w->graph;
    assert(!w->has_target && !w->device && w->coupling != SPN_WORD_CENTRE && g->lane == 0);
    assert(count <= g->lanes && g->side.parts.count == 1);
    forget(g);
    g->side.count = count;
    g->side.base.step = step;
    g->side.parts.steps[0] = end;
    w->stream.run = word;
    for (size_t k = 0; k < w->words; k++)
        w->run_products[k] = (uint64_t)SPN_PHILOX_M1 * (word + (uint32_t)k);
    for (size_t first = 0; first < count; first += SPN_WORD_BITS) {
        const size_t left = count - first, lanes = left < SPN_WORD_BITS ? left : SPN_WORD_BITS;
        w->active[first / SPN_WORD_BITS] = lanes < SPN_WORD_BITS ? (1ull << lanes) - 1 : UINT64_MAX;
        for (size_t a = 0; a < w->replicas; a++)
            pack(w, spins, a, first / SPN_WORD_BITS, lanes);
    }
    memcpy(w->best, w->spins, graph->sites * w->replicas * w->words * sizeof *w->best);
    for (size_t l = 0; l < count; l++)
        for (size_t a = 0; a < w->replicas; a++) {
            const double start = energies[l * w->replicas + a] - graph->constant;
            g->start[a * g->lanes + l] = rint(start * graph->per_unit) / graph->per_unit;
        }
}
