/* The graph of a quadratic energy in the units of lanes. */
#include "base/memory.h"
#include "reads/lanes.h"
#include <assert.h>
#include <math.h>

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
