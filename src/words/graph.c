/* The graph of a quadratic energy as words need it: terms by powers of two. */
#include "base/memory.h"
#include "words/words.h"
#include <assert.h>
#include <math.h>

static uint32_t size_of(int64_t x)
{
    return (uint32_t)(x < 0 ? -x : x);
}

static unsigned bits_of(uint32_t x)
{
    return x ? 32 - (unsigned)__builtin_clz(x) : 0;
}

/* The terms of a site, its field last: coupling and the site at the other end. */
static size_t terms_of(const spn_sparse_terms *terms, size_t i)
{
    return terms->first[i + 1] - terms->first[i] + 1;
}

static int32_t term_of(const spn_sparse_terms *terms, size_t i, size_t k, int64_t divisor,
                       uint64_t *site)
{
    const size_t e = terms->first[i] + k;
    const bool is_field = e == terms->first[i + 1];
    *site = is_field ? terms->sites : terms->site[e];
    return (int32_t)((is_field ? terms->field[i] : terms->coupling[e]) / divisor);
}

/* Write the terms that count 2^plane; returns how many. */
static uint32_t put_plane(spn_word_term *out, const spn_sparse_terms *terms, size_t i,
                          int64_t divisor, unsigned plane)
{
    uint32_t count = 0;
    for (size_t k = 0; k < terms_of(terms, i); k++) {
        uint64_t site;
        const int32_t size = term_of(terms, i, k, divisor, &site);
        if (size_of(size) >> plane & 1)
            out[count++] = (spn_word_term){.sign = size < 0 ? UINT64_MAX : 0, .site = site};
    }
    return count;
}

/* Sizes before anything is allocated: false if a site's terms are too large. */
static bool measure(spn_word_graph *graph, const spn_sparse_terms *terms, int64_t divisor,
                    size_t *term_count)
{
    uint64_t pairs = 0, fields = 0;
    *term_count = 0;
    for (size_t i = 0; i < terms->sites; i++) {
        uint64_t reach = 0, site;
        for (size_t k = 0; k < terms_of(terms, i); k++) {
            const uint32_t size = size_of(term_of(terms, i, k, divisor, &site));
            reach += size;
            *term_count += (size_t)__builtin_popcount(size);
            *(site == terms->sites ? &fields : &pairs) += size;
        }
        if (reach > SPN_WORD_REACH)
            return false;
        graph->odd = graph->odd || reach % 2;
        graph->reach = (int)reach > graph->reach ? (int)reach : graph->reach;
    }
    graph->range = (pairs / 2 + fields) / (graph->odd ? 1 : 2) + 1;
    return *term_count < UINT32_MAX && graph->range < 1u << 29;
}

static void fill(spn_word_graph *graph, const spn_sparse_terms *terms, int64_t divisor)
{
    uint32_t term = 0, run = 0;
    for (size_t i = 0; i < terms->sites; i++) {
        spn_word_site *s = &graph->site[i];
        uint32_t reach = 0;
        *s = (spn_word_site){.term = term, .run = run};
        for (unsigned plane = 0; plane < SPN_WORD_PLANES; plane++) {
            const uint32_t count = put_plane(graph->terms + term, terms, i, divisor, plane);
            if (count == 0)
                continue;
            graph->runs[run++] = (spn_word_run){.count = count, .plane = plane};
            term += count;
            reach += count << plane;
            s->runs++;
        }
        s->reach = (uint16_t)reach;
        s->planes = (uint16_t)(bits_of(reach / 2) + 1);
        s->zero = (uint16_t)(1u << (s->planes - 1));
        assert(s->planes <= SPN_WORD_PLANES && reach <= SPN_WORD_REACH);
    }
}

static bool allocate(spn_word_graph *graph, size_t terms)
{
    graph->site = spn_alloc(graph->sites, sizeof *graph->site);
    graph->runs = spn_alloc(terms, sizeof *graph->runs);
    graph->terms = spn_alloc(terms, sizeof *graph->terms);
    return graph->site && graph->runs && graph->terms;
}

/* Whether a count exceeds the grain of the largest energy, as moves uphill are counted. */
static bool has_no_grain(const spn_word_graph *graph)
{
    const double count = spn_word_count(graph);
    return count > 2 * 0x1p-30 * (fabs(graph->constant) + count * (double)graph->range);
}

spn_word_graph *spn_word_graph_make(const spn_energy *energy)
{
    spn_sparse_terms terms = {0};
    size_t count;
    if (!energy->slots->terms || !energy->slots->terms(energy, &terms))
        return NULL;
    const int64_t divisor = spn_sparse_terms_divisor(&terms);
    spn_word_graph *graph = spn_alloc(1, sizeof *graph);
    if (graph) {
        *graph = (spn_word_graph){.energy = energy,
                                  .sites = terms.sites,
                                  .constant = terms.constant,
                                  .per_unit = 1 / terms.unit,
                                  .quantum = 2 * (double)divisor};
        if (measure(graph, &terms, divisor, &count) && has_no_grain(graph) &&
            allocate(graph, count)) {
            fill(graph, &terms, divisor);
        } else {
            spn_word_graph_free(graph);
            graph = NULL;
        }
    }
    spn_sparse_terms_clear(&terms);
    return graph;
}

void spn_word_graph_free(spn_word_graph *graph)
{
    if (graph)
        SPN_FREE_ALL(graph->site, graph->runs, graph->terms, graph);
}
