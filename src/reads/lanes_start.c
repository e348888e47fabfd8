/* The graph of a quadratic energy in the units of lanes, and the start of a group of lanes. */
#include "reads/lanes.h"

#include "base/memory.h"
#include "base/philox.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- the graph ---- */

/* The largest reach of a site for which a stored field fits a byte, and so do the places of its
   cuts (lanes_body.h). */
enum { MOST_REACH = 254, MOST_REACH_HEAT_BATH = 127 };

static int64_t size_of(int64_t x)
{
    return x < 0 ? -x : x;
}

/* False if a site's terms are too large. */
static bool fill(spn_lane_graph *graph, const spn_sparse_terms *terms, int64_t divisor,
                 int64_t most)
{
    for (size_t i = 0; i < terms->sites; i++) {
        int64_t floor = terms->field[i] / divisor, reach = size_of(floor);
        for (size_t e = terms->first[i]; e < terms->first[i + 1]; e++) {
            const int64_t coupling = terms->coupling[e] / divisor;
            reach += size_of(coupling);
            floor -= coupling;
            graph->neighbours[e] = (spn_lane_neighbour){
                .site = terms->site[e], .change = reach <= most ? (int32_t)coupling : 0};
        }
        if (reach > most)
            return false;
        assert((floor + reach) % 2 == 0 && size_of(floor) <= reach);
        graph->floor[i] = (int8_t)((floor + reach % 2) / 2);
        graph->reach[i] = (uint8_t)reach;
    }
    return true;
}

/* Whether the chain counts every flip that raises the energy as uphill, as lanes do: a quantum
   exceeds the grain of the largest energy. */
static bool has_no_grain(const spn_lane_graph *graph)
{
    const double quantum = graph->quantum / graph->per_unit;
    double largest = fabs(graph->constant);
    for (size_t i = 0; i < graph->sites; i++)
        largest += quantum * graph->reach[i];
    return quantum > 2 * spn_energy_grain(largest);
}

static bool allocate(spn_lane_graph *graph, size_t sites, size_t edges)
{
    graph->neighbours = spn_alloc(edges, sizeof *graph->neighbours);
    graph->floor = spn_alloc(sites, sizeof *graph->floor);
    graph->reach = spn_alloc(sites, sizeof *graph->reach);
    return graph->neighbours && graph->floor && graph->reach;
}

spn_lane_graph *spn_lane_graph_make(const spn_energy *energy, spn_threshold threshold)
{
    const int64_t most = threshold == SPN_THRESHOLD_METROPOLIS ? MOST_REACH : MOST_REACH_HEAT_BATH;
    spn_sparse_terms terms = {0};
    if (!energy->slots->terms || !energy->slots->terms(energy, &terms))
        return NULL;
    const int64_t divisor = spn_sparse_terms_divisor(&terms);
    assert(divisor > 0 && terms.sites == energy->sites);
    spn_lane_graph *graph = spn_alloc(1, sizeof *graph);
    if (graph) {
        *graph = (spn_lane_graph){.energy = energy,
                                  .sites = terms.sites,
                                  .constant = terms.constant,
                                  .per_unit = 1 / terms.unit,
                                  .quantum = 2 * (double)divisor};
        if (!allocate(graph, terms.sites, terms.first[terms.sites]) ||
            !fill(graph, &terms, divisor, most) || !has_no_grain(graph)) {
            spn_lane_graph_free(graph);
            graph = NULL;
        } else {
            graph->first = terms.first;
            terms.first = NULL;
        }
    }
    spn_sparse_terms_clear(&terms);
    return graph;
}

void spn_lane_graph_free(spn_lane_graph *graph)
{
    if (!graph)
        return;
    SPN_FREE_ALL(graph->first, graph->neighbours, graph->floor, graph->reach, graph);
}

void spn_lane_group_clear(spn_lane_group *g)
{
    spn_lanes *lanes = &g->lanes;
    SPN_FREE_ALL(lanes->run_products, lanes->fields, lanes->spins, lanes->active, lanes->energy,
                 lanes->best, lanes->target, lanes->hit, lanes->flips, lanes->better,
                 lanes->accepted, lanes->random, g->start, g->start_energy, g->accepted,
                 g->best_spins);
    spn_parts_clear(&g->side.parts);
}

bool spn_lane_group_allocate(spn_lane_group *g)
{
    spn_lanes *lanes = &g->lanes;
    const size_t sites = g->graph->sites, words = lanes->words, width = g->width;
    const bool has_target = g->side.options.target != SPN_TARGET_NONE;
    assert(sites > 0 && words > 0 && width == words * SPN_LANE_WORD);
    lanes->run_products = spn_alloc(width, sizeof *lanes->run_products);
    lanes->fields = spn_alloc(sites, width);
    lanes->spins = spn_alloc(sites, words * sizeof *lanes->spins);
    lanes->active = spn_alloc(words, sizeof *lanes->active);
    lanes->energy = spn_alloc(width, sizeof *lanes->energy);
    lanes->best = spn_alloc(width, sizeof *lanes->best);
    lanes->target = has_target ? spn_alloc(width, sizeof *lanes->target) : NULL;
    lanes->hit = spn_alloc(width, sizeof *lanes->hit);
    lanes->flips = spn_alloc(sites, words * sizeof *lanes->flips);
    lanes->better = spn_alloc(sites, words * sizeof *lanes->better);
    lanes->accepted = spn_alloc(width, sizeof *lanes->accepted);
    lanes->random = spn_alloc(2 * width, sizeof *lanes->random);
    g->start = spn_alloc(sites, 1);
    g->start_energy = spn_alloc(width, sizeof *g->start_energy);
    g->accepted = spn_alloc(width, sizeof *g->accepted);
    g->best_spins = spn_alloc(sites, words * sizeof *g->best_spins);
    return lanes->run_products && lanes->fields && lanes->spins && lanes->active && lanes->energy &&
           lanes->best && (lanes->target || !has_target) && lanes->hit && lanes->flips &&
           lanes->better && lanes->accepted && lanes->random && g->start && g->start_energy &&
           g->accepted && g->best_spins;
}

double spn_lane_energy(const spn_lane_group *g, size_t lane, int32_t quanta)
{
    return spn_side_energy(g->start_energy[lane], g->graph->quantum / g->graph->per_unit,
                           g->graph->constant, quanta);
}

/* The most quanta at which the energy is at or below the target. */
static int32_t target_quanta(const spn_lane_group *g, size_t lane)
{
    return (int32_t)spn_side_counts(g->start_energy[lane], g->graph->quantum / g->graph->per_unit,
                                    g->graph->constant, g->side.options.target_energy, 1 << 30);
}

static void place_lane(spn_lane_group *g, size_t lane)
{
    const size_t sites = g->graph->sites, words = g->lanes.words;
    assert(lane < g->width);
    spn_side_start(&g->side, lane, g->start);
    for (size_t i = 0; i < sites; i++)
        g->lanes.spins[i * words + lane / SPN_LANE_WORD] |= (uint64_t)(g->start[i] > 0)
                                                            << lane % SPN_LANE_WORD;
    const double start = spn_energy_value(g->graph->energy, g->start) - g->graph->constant;
    g->start_energy[lane] = rint(start * g->graph->per_unit) / g->graph->per_unit;
    if (!g->lanes.target)
        return;
    g->lanes.target[lane] = target_quanta(g, lane);
    if (spn_lane_energy(g, lane, 0) <= g->side.options.target_energy)
        g->lanes.active[lane / SPN_LANE_WORD] &= ~(1ull << lane % SPN_LANE_WORD);
}

/* Start from the fields with all spins down, and add the spins that are up. */
void spn_lane_group_fill_fields(spn_lane_group *g)
{
    const spn_lane_graph *graph = g->graph;
    for (size_t i = 0; i < graph->sites; i++)
        memset(g->lanes.fields + i * g->width, graph->floor[i], g->width);
    for (size_t i = 0; i < graph->sites; i++)
        for (size_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
            const spn_lane_neighbour *n = &graph->neighbours[e];
            int8_t *field = g->lanes.fields + n->site * g->width;
            for (size_t l = 0; l < g->width; l++) {
                const uint64_t word = g->lanes.spins[i * g->lanes.words + l / SPN_LANE_WORD];
                field[l] = (int8_t)(field[l] + n->change * (int)(word >> l % SPN_LANE_WORD & 1));
            }
        }
}

void spn_lane_group_start(spn_lane_group *g)
{
    const size_t sites = g->graph->sites, words = g->lanes.words;
    for (size_t word = 0; word < words; word++) {
        const size_t reads = g->side.count - word * SPN_LANE_WORD;
        g->lanes.active[word] = reads < SPN_LANE_WORD ? (1ull << reads) - 1 : UINT64_MAX;
    }
    const uint32_t run = g->lanes.stream.run;
    for (size_t l = 0; l < g->width; l++)
        g->lanes.run_products[l] = (uint64_t)SPN_PHILOX_M1 * (run + (uint32_t)l);
    for (size_t l = 0; l < g->width; l++)
        place_lane(g, l);
    spn_lane_group_fill_fields(g);
    memcpy(g->best_spins, g->lanes.spins, sites * words * sizeof *g->best_spins);
}
