/* Problem files: graphs in every format, patterns, tables, states. What was read is written and
   read again as the same. */
#include "check.h"
#include "targets.h"

#include "base/number.h"
#include "data/problem.h"

#include <math.h>
#include <spinney/energies.h>
#include <stdio.h>

/* Larger problems are not written. */
enum { MOST_SITES = 4096 };

static void check_edges(const spn_problem *p)
{
    require(isfinite(p->offset));
    for (size_t e = 0; e < p->count; e++) {
        const spn_edge *edge = &p->edges[e];
        require(edge->i < p->sites && edge->j < p->sites);
        require(isfinite(edge->weight));
        require(p->kind != SPN_PROBLEM_CUT || edge->i != edge->j);
    }
}

static void check_problem(const spn_problem *p)
{
    const size_t sites = p->sites, count = p->count;
    require(sites > 0);
    for (size_t k = 0; p->rows && k < sites * count; k++)
        require(p->rows[k] == 1 || p->rows[k] == -1);
    for (size_t k = 0; p->labels && k < count; k++)
        require(p->labels[k] == 1 || p->labels[k] == -1);
    for (size_t k = 0; p->energies && k < count; k++)
        require(isfinite(p->energies[k]) && count == (size_t)1 << sites);
    for (size_t i = 0; spn_problem_name(p, 0) && i < sites; i++)
        require(spn_problem_name(p, i)[0] != '\0');
    if (p->edges)
        check_edges(p);
}

/* An energy of what was read: made, or refused with a text. Few spins, to be quick. */
static void check_energy(const spn_problem *p)
{
    spn_energy *energy;
    spn_error err = {0};
    int8_t spins[64];
    const bool cut = p->kind == SPN_PROBLEM_CUT;
    if (p->sites > sizeof spins)
        return;
    memset(spins, 1, sizeof spins);
    spn_status status = spn_energy_create(&energy, cut ? "maxcut" : "qubo", p, &err);
    require((status == SPN_OK) == (energy != NULL));
    check_error(status, &err, NULL);
    require(status || isfinite(spn_energy_value(energy, spins)));
    spn_energy_free(energy);
}

/* ---- writing ---- */

static void write_edges(FILE *stream, const spn_problem *p)
{
    spn_print(stream, "# offset %.17g\n", p->offset);
    fprintf(stream, "%zu %zu\n", p->sites, p->count);
    for (size_t e = 0; e < p->count; e++) {
        const spn_edge *edge = &p->edges[e];
        spn_print(stream, "%u %u %.17g\n", edge->i + 1, edge->j + 1, edge->weight);
    }
}

static void write_rows(FILE *stream, const spn_problem *p)
{
    const size_t sites = p->sites;
    const int8_t *labels = p->labels, *row = p->rows;
    for (size_t m = 0; m < p->count; m++, row += sites) {
        for (size_t i = 0; i < sites; i++)
            fputs(labels ? (row[i] > 0 ? "1," : "-1,") : row[i] > 0 ? "+" : "-", stream);
        fputs(!labels ? "\n" : labels[m] > 0 ? "1\n" : "-1\n", stream);
    }
}

static void write_energies(FILE *stream, const spn_problem *p)
{
    for (size_t k = 0; k < p->count; k++)
        spn_print(stream, "%.17g\n", p->energies[k]);
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return (a == NULL) == (b == NULL) && (!a || size == 0 || memcmp(a, b, size) == 0);
}

static bool same_edges(const spn_problem *a, const spn_problem *b)
{
    for (size_t e = 0; a->edges && e < a->count; e++) {
        const spn_edge *x = &a->edges[e], *y = &b->edges[e];
        if (x->i != y->i || x->j != y->j || x->weight != y->weight)
            return false;
    }
    return a->offset == b->offset;
}

static bool same_problem(const spn_problem *a, const spn_problem *b)
{
    const size_t sites = a->sites, count = a->count;
    return sites == b->sites && count == b->count && same_bytes(a->rows, b->rows, sites * count) &&
           same_bytes(a->labels, b->labels, count) &&
           same_bytes(a->energies, b->energies, count * sizeof(double)) && same_edges(a, b);
}

static void read_again(const spn_problem *p)
{
    char *text;
    size_t size;
    spn_problem *again;
    spn_error err = {0};
    spn_problem_options options = spn_problem_options_defaults();
    FILE *stream = p->sites <= MOST_SITES ? open_memstream(&text, &size) : NULL;
    if (!stream)
        return;
    if (p->rows)
        write_rows(stream, p);
    else if (p->energies)
        write_energies(stream, p);
    else
        write_edges(stream, p);
    require(fclose(stream) == 0);
    if (p->edges || p->count == 0)
        options.format = SPN_GRAPH_RUDY;
    const spn_source source = {"again", (uint8_t *)text, size, NULL};
    require(spn_problem_parse(&again, p->kind, &source, &options, &err) == SPN_OK);
    require(same_problem(p, again));
    spn_problem_free(again);
    free(text);
}

/* ---- targets ---- */

static void fuzz_problem(spn_problem_kind kind, spn_graph_format format, const uint8_t *data,
                         size_t size)
{
    spn_source source = copy_of(data, size);
    spn_problem_options options = spn_problem_options_defaults();
    spn_problem *problem;
    spn_error err = {0};
    options.format = format;
    spn_status status = spn_problem_parse(&problem, kind, &source, &options, &err);
    require((status == SPN_OK) == (problem != NULL));
    check_error(status, &err, INPUT);
    if (problem) {
        check_problem(problem);
        read_again(problem);
    }
    if (problem && (kind == SPN_PROBLEM_COUPLINGS || kind == SPN_PROBLEM_CUT))
        check_energy(problem);
    spn_problem_free(problem);
    spn_source_unload(&source);
}

void spn_fuzz_graph(const uint8_t *data, size_t size)
{
    if (size > 0)
        fuzz_problem(data[0] & 1 ? SPN_PROBLEM_CUT : SPN_PROBLEM_COUPLINGS,
                     (spn_graph_format)(data[0] / 2 % (SPN_GRAPH_DENSE + 1)), data + 1, size - 1);
}

void spn_fuzz_problem(const uint8_t *data, size_t size)
{
    if (size > 0)
        fuzz_problem(data[0] % 2 ? SPN_PROBLEM_TABLE : SPN_PROBLEM_PATTERNS, SPN_GRAPH_AUTO,
                     data + 1, size - 1);
}

void spn_fuzz_states(const uint8_t *data, size_t size)
{
    fuzz_problem(SPN_PROBLEM_STATES, SPN_GRAPH_AUTO, data, size);
}
