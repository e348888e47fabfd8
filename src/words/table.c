/* Probabilities as integers, and their digits as masks. */
#include "base/memory.h"
#include "core/coupling.h"
#include "words/words.h"
#include <math.h>
#include <string.h>

static const uint64_t ALWAYS = 1ull << SPN_WORD_DIGITS;

bool spn_word_table_allocate(spn_word_table *t)
{
    t->threshold = spn_alloc(SPN_WORD_CELLS, sizeof *t->threshold);
    t->cell = spn_alloc(SPN_WORD_CELLS, sizeof *t->cell);
    t->sure = spn_alloc(SPN_WORD_CELLS, sizeof *t->sure);
    t->cells_to = spn_alloc(SPN_WORD_CELLS + 1, sizeof *t->cells_to);
    t->sure_to = spn_alloc(SPN_WORD_CELLS + 1, sizeof *t->sure_to);
    t->digits = spn_alloc((size_t)SPN_WORD_CELLS * SPN_WORD_DIGITS, sizeof *t->digits);
    return t->threshold && t->cell && t->sure && t->cells_to && t->sure_to && t->digits;
}

void spn_word_table_clear(spn_word_table *t)
{
    SPN_FREE_ALL(t->threshold, t->cell, t->sure, t->cells_to, t->sure_to, t->digits);
}

static size_t classes_of(spn_word_coupling coupling, size_t replicas)
{
    return coupling == SPN_WORD_ALONE ? 1 : coupling == SPN_WORD_CENTRE ? 2 : replicas;
}

bool spn_word_table_fits(const spn_word_graph *graph, spn_word_coupling coupling, size_t replicas)
{
    const size_t classes = classes_of(coupling, replicas);
    return classes <= SPN_WORD_CELLS / ((size_t)graph->reach + 3) && replicas + 1 <= SPN_WORD_CELLS;
}

/* The share of 2^32, to the nearest whole number. */
static uint64_t threshold_of(spn_threshold kind, double cost)
{
    const double most = 60;
    if (kind == SPN_THRESHOLD_METROPOLIS && cost <= 0)
        return ALWAYS;
    cost = fmin(fmax(cost, -most), most);
    const double share =
        kind == SPN_THRESHOLD_METROPOLIS ? spn_exp(-cost) : 1 / (1 + spn_exp(cost));
    return (uint64_t)(share * 0x1p32 + 0.5);
}

/* The cost of leaving each class: minus the change of H. */
static void fill_costs(double *cost, const spn_word_law *law, size_t classes)
{
    const bool two_stage = spn_kernel_traits_of(law->kernel)->two_stage;
    const int y = (int)law->replicas;
    for (size_t m = 0; m < classes; m++) {
        double change = 0;
        if (law->coupling == SPN_WORD_CENTRE)
            change = m ? -2 * law->gamma : 2 * law->gamma;
        else if (law->coupling == SPN_WORD_REPLICAS)
            change = spn_coupling_change(law->gamma, 2 * (int)(m + 1) - y, 1);
        cost[m] = two_stage ? fmax(-change, 0) : -change;
    }
}

/* The costs without those that equal the first; returns how many are left. */
static size_t merge_classes(spn_word_table *t, double *cost, size_t classes)
{
    unsigned first = 1;
    while (first < classes && cost[first] == cost[0])
        first++;
    t->class_first = first;
    for (size_t m = first; m < classes; m++)
        cost[m - first + 1] = cost[m];
    return classes - first + 1;
}

/* The thresholds of a level for all classes; false if all are 0. */
static bool fill_level(uint64_t *row, const spn_word_law *law, double change, const double *cost,
                       size_t classes)
{
    const spn_kernel_traits *traits = spn_kernel_traits_of(law->kernel);
    uint64_t any = 0;
    for (size_t c = 0; c < classes; c++) {
        const double own = law->beta * (traits->two_stage ? fmax(change, 0) : change);
        any |= row[c] = threshold_of(traits->threshold, own + cost[c]);
    }
    return any != 0;
}

/* Sort all cells into those with digits and those always accepted. */
static void list_cells(spn_word_table *t)
{
    uint32_t cells = 0, sure = 0;
    for (size_t g = 0; g < t->levels; g++) {
        t->cells_to[g] = cells;
        t->sure_to[g] = sure;
        for (size_t c = 0; c < t->classes; c++) {
            const uint64_t threshold = t->threshold[g * t->classes + c];
            const spn_word_cell cell = {(uint16_t)g, (uint16_t)c};
            assert(threshold <= ALWAYS);
            if (threshold == ALWAYS)
                t->sure[sure++] = cell;
            if (threshold == ALWAYS || threshold == 0)
                continue;
            for (unsigned d = 0; d < SPN_WORD_DIGITS; d++)
                t->digits[cells * SPN_WORD_DIGITS + d] =
                    0 - (threshold >> (SPN_WORD_DIGITS - 1 - d) & 1);
            t->cell[cells++] = cell;
        }
    }
    t->cells_to[t->levels] = cells;
    t->sure_to[t->levels] = sure;
    assert(cells <= SPN_WORD_CELLS && sure <= SPN_WORD_CELLS);
}

/* From the largest gain to the largest loss: levels equal to the first join it, and the levels end
   before those that are never accepted. */
void spn_word_table_set(spn_word_table *t, const spn_word_graph *graph, int parity,
                        const spn_word_law *law)
{
    const double unit = graph->quantum / graph->per_unit;
    const int half = (graph->reach + 1) / 2;
    double cost[SPN_MAX_REPLICAS];
    size_t classes = classes_of(law->coupling, law->replicas);
    fill_costs(cost, law, classes);
    t->classes = classes = merge_classes(t, cost, classes);
    fill_level(t->threshold, law, unit * (parity - 2 * half), cost, classes);
    t->levels = 1;
    t->first = half + 1;
    for (int n = 1 - half; n <= half; n++) {
        uint64_t *row = t->threshold + t->levels * classes;
        assert((t->levels + 1) * classes <= SPN_WORD_CELLS);
        const bool any = fill_level(row, law, unit * (2 * n + parity), cost, classes);
        if (t->levels == 1 && memcmp(row, t->threshold, classes * sizeof *row) == 0)
            continue;
        t->first = t->levels == 1 ? n : t->first;
        if (!any)
            break;
        t->levels++;
    }
    list_cells(t);
}

void spn_word_table_set_centre(spn_word_table *t, size_t replicas, double gamma)
{
    const int y = (int)replicas;
    t->first = INT16_MAX;
    t->levels = 1;
    t->classes = replicas + 1;
    t->class_first = 1;
    for (int m = 0; m <= y; m++)
        t->threshold[m] = threshold_of(SPN_THRESHOLD_HEAT_BATH, -2 * gamma * (2 * m - y));
    list_cells(t);
}
