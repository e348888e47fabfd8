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
    require(isfinite(spn_problem_offset(p)));
    for (size_t e = 0; e < spn_problem_count(p); e++) {
        const spn_edge *edge = &spn_problem_edges(p)[e];
        require(edge->i < spn_problem_sites(p) && edge->j < spn_problem_sites(p));
        require(isfinite(edge->weight));
        require(spn_problem_kind_of(p) != SPN_PROBLEM_CUT || edge->i != edge->j);
    }
}

static void check_problem(const spn_problem *p)
{
    const size_t sites = spn_problem_sites(p), count = spn_problem_count(p);
    require(sites > 0);
    for (size_t k = 0; spn_problem_rows(p) && k < sites * count; k++)
        require(spn_problem_rows(p)[k] == 1 || spn_problem_rows(p)[k] == -1);
    for (size_t k = 0; spn_problem_labels(p) && k < count; k++)
        require(spn_problem_labels(p)[k] == 1 || spn_problem_labels(p)[k] == -1);
    for (size_t k = 0; spn_problem_energies(p) && k < count; k++)
        require(isfinite(spn_problem_energies(p)[k]) && count == (size_t)1 << sites);
    for (size_t i = 0; spn_problem_name(p, 0) && i < sites; i++)
        require(spn_problem_name(p, i)[0] != '\0');
    if (spn_problem_edges(p))
        check_edges(p);
}

/* An energy of what was read: made, or refused with a text. Few spins, to be quick. */
static void check_energy(const spn_problem *p)
{
    spn_energy *energy;
    spn_error err = {0};
    int8_t spins[64];
    const bool cut = spn_problem_kind_of(p) == SPN_PROBLEM_CUT;
    if (spn_problem_sites(p) > sizeof spins)
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
    spn_print(stream, "# offset %.17g\n", spn_problem_offset(p));
    fprintf(stream, "%zu %zu\n", spn_problem_sites(p), spn_problem_count(p));
    for (size_t e = 0; e < spn_problem_count(p); e++) {
        const spn_edge *edge = &spn_problem_edges(p)[e];
        spn_print(stream, "%u %u %.17g\n", edge->i + 1, edge->j + 1, edge->weight);
    }
}

static void write_rows(FILE *stream, const spn_problem *p)
{
    const size_t sites = spn_problem_sites(p);
    const int8_t *labels = spn_problem_labels(p), *row = spn_problem_rows(p);
    for (size_t m = 0; m < spn_problem_count(p); m++, row += sites) {
        for (size_t i = 0; i < sites; i++)
            fputs(labels ? (row[i] > 0 ? "1," : "-1,") : row[i] > 0 ? "+" : "-", stream);
        fputs(!labels ? "\n" : labels[m] > 0 ? "1\n" : "-1\n", stream);
    }
}

static void write_energies(FILE *stream, const spn_problem *p)
{
    for (size_t k = 0; k < spn_problem_count(p); k++)
        spn_print(stream, "%.17g\n", spn_problem_energies(p)[k]);
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return (a == NULL) == (b == NULL) && (!a || size == 0 || memcmp(a, b, size) == 0);
}

static bool same_edges(const spn_problem *a, const spn_problem *b)
{
    for (size_t e = 0; spn_problem_edges(a) && e < spn_problem_count(a); e++) {
        const spn_edge *x = &spn_problem_edges(a)[e], *y = &spn_problem_edges(b)[e];
        if (x->i != y->i || x->j != y->j || x->weight != y->weight)
            return false;
    }
    return spn_problem_offset(a) == spn_problem_offset(b);
}

static bool same_problem(const spn_problem *a, const spn_problem *b)
{
    const size_t sites = spn_problem_sites(a), count = spn_problem_count(a);
    return sites == spn_problem_sites(b) && count == spn_problem_count(b) &&
           same_bytes(spn_problem_rows(a), spn_problem_rows(b), sites * count) &&
           same_bytes(spn_problem_labels(a), spn_problem_labels(b), count) &&
           same_bytes(spn_problem_energies(a), spn_problem_energies(b), count * sizeof(double)) &&
           same_edges(a, b);
}

static void read_again(const spn_problem *p)
{
    char *text;
    size_t size;
    spn_problem *again;
    spn_error err = {0};
    spn_problem_options options = spn_problem_options_defaults();
    FILE *stream = spn_problem_sites(p) <= MOST_SITES ? open_memstream(&text, &size) : NULL;
    if (!stream)
        return;
    if (spn_problem_rows(p))
        write_rows(stream, p);
    else if (spn_problem_energies(p))
        write_energies(stream, p);
    else
        write_edges(stream, p);
    require(fclose(stream) == 0);
    if (spn_problem_edges(p) || spn_problem_count(p) == 0)
        options.format = SPN_GRAPH_RUDY;
    const spn_source source = {"again", (uint8_t *)text, size, NULL};
    require(spn_problem_parse(&again, spn_problem_kind_of(p), &source, &options, &err) == SPN_OK);
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
