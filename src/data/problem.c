/* Problems from arrays and files, and what the readers share. */
#include "data/problem.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "data/graph/graph.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns with labels, CSV of +-1 values ---- */

static size_t count_fields(spn_span line)
{
    size_t fields = 1;
    for (size_t k = 0; k < line.size; k++)
        fields += line.text[k] == ',';
    return fields;
}

static bool read_spin(int8_t *out, spn_span token)
{
    double value;
    if (spn_number_read(&value, token) != SPN_NUMBER_FINITE || (value != 1 && value != -1))
        return false;
    *out = value > 0 ? 1 : -1;
    return true;
}

static spn_status read_pattern(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    int8_t *row = problem->rows + problem->count * problem->sites;
    for (size_t field = 0; field <= problem->sites; field++) {
        char shown[SPN_SHOWN];
        spn_span token = {"", 0};
        int8_t *target = field < problem->sites ? &row[field] : &problem->labels[problem->count];
        if (!spn_walk_token(&token, walk) || !read_spin(target, token))
            return spn_walk_fail(walk, err, "field %zu, '%s', is not +1 or -1", field + 1,
                                 spn_show(shown, token));
    }
    if (walk->line.size > 0)
        return spn_walk_fail(walk, err, "fields are separated by commas");
    problem->count++;
    return SPN_OK;
}

static spn_status read_patterns(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    size_t labels_capacity = 0;
    while (spn_walk_line(walk, err)) {
        const size_t fields = count_fields(walk->line);
        if (problem->count == 0) {
            if (fields < 2)
                return spn_walk_fail(walk, err,
                                     "one field: a pattern needs at least one value and, last, its "
                                     "label, separated by commas");
            problem->sites = fields - 1;
        }
        if (fields != problem->sites + 1)
            return spn_walk_fail(walk, err, "%zu fields, but the lines before have %zu", fields,
                                 problem->sites + 1);
        if (!spn_grow(&problem->rows, &walk->capacity, (problem->count + 1) * problem->sites, 1) ||
            !spn_grow(&problem->labels, &labels_capacity, problem->count + 1, 1))
            return spn_walk_no_memory(walk, err);
        SPN_TRY(read_pattern(walk, err));
    }
    if (problem->count == 0)
        return spn_source_fail(walk->source, err,
                               "no patterns; expected lines of +1 and -1 with the label last");
    return SPN_OK;
}

/* ---- tables of energies ---- */

static spn_status read_energy(spn_walk *walk, spn_span token, spn_error *err)
{
    spn_problem *problem = walk->problem;
    char shown[SPN_SHOWN];
    if (!spn_grow(&problem->energies, &walk->capacity, problem->count + 1, sizeof(double)))
        return spn_walk_no_memory(walk, err);
    double *energy = &problem->energies[problem->count++];
    if (spn_number_read(energy, token) != SPN_NUMBER_FINITE)
        return spn_walk_fail(walk, err, "'%s' is not a finite number", spn_show(shown, token));
    if (fabs(*energy) > SPN_MOST_ENERGY)
        return spn_walk_fail(walk, err, "'%s' is too large: energies are at most 1e300 in size",
                             spn_show(shown, token));
    return SPN_OK;
}

static spn_status read_table(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    spn_span token;
    while (spn_walk_line(walk, err))
        while (spn_walk_token(&token, walk))
            SPN_TRY(read_energy(walk, token, err));
    while (((size_t)1 << problem->sites) < problem->count)
        problem->sites++;
    if (problem->sites == 0 || (size_t)1 << problem->sites != problem->count)
        return spn_source_fail(walk->source, err,
                               "%zu energies; a table of N spins has 2^N of them, 2, 4, 8, ...",
                               problem->count);
    return SPN_OK;
}

enum { MAX_GIGABYTES = 16 };

const spn_names spn_problem_kind_names = SPN_NAME_LIST(
    "kind of problem", [SPN_PROBLEM_PATTERNS] = "patterns", [SPN_PROBLEM_COUPLINGS] = "couplings",
    [SPN_PROBLEM_CUT] = "cut", [SPN_PROBLEM_TABLE] = "table", [SPN_PROBLEM_STATES] = "states");

spn_problem *spn_problem_alloc(spn_problem_kind kind)
{
    spn_problem *problem = calloc(1, sizeof *problem);
    if (problem)
        problem->kind = kind;
    return problem;
}

void spn_problem_free(spn_problem *problem)
{
    if (!problem)
        return;
    if (!problem->borrowed) {
        SPN_FREE_ALL(problem->rows, problem->labels, problem->edges, problem->energies);
    }
    SPN_FREE_ALL(problem->values, problem->teacher);
    spn_list_free(problem->names, problem->sites);
    free(problem);
}

/* ---- from arrays ---- */

static spn_status check_spins(const int8_t *spins, size_t sites, size_t count, const char *what,
                              spn_error *err)
{
    for (size_t k = 0; k < sites * count; k++)
        SPN_REFUSE_IF(spins[k] != 1 && spins[k] != -1, err,
                      "%s %zu has %d at %zu; it must be -1 or +1", what, k / sites, spins[k],
                      k % sites);
    return SPN_OK;
}

static spn_status too_small(size_t e, double weight, spn_error *err)
{
    char value[SPN_NUMBER_TEXT], least[SPN_NUMBER_TEXT];
    spn_number_text(value, weight);
    spn_number_text(least, SPN_LEAST_WEIGHT);
    return spn_refuse(err,
                      "the weight of edge %zu is %s, too small to be kept exactly: it is 0 or at "
                      "least %s in size; multiply all by a power of ten",
                      e, value, least);
}

static spn_status check_edges(const spn_edge *edges, size_t sites, size_t count, bool cut,
                              spn_error *err)
{
    for (size_t e = 0; e < count; e++) {
        SPN_REFUSE_IF(edges[e].i >= sites || edges[e].j >= sites, err,
                      "edge %zu joins %u and %u, of %zu sites", e, (unsigned)edges[e].i,
                      (unsigned)edges[e].j, sites);
        SPN_REFUSE_IF(cut && edges[e].i == edges[e].j, err, "edge %zu joins site %u to itself", e,
                      (unsigned)edges[e].i);
        SPN_REFUSE_IF(!isfinite(edges[e].weight), err, "the weight of edge %zu is not finite", e);
        if (edges[e].weight != 0 && fabs(edges[e].weight) < SPN_LEAST_WEIGHT)
            return too_small(e, edges[e].weight, err);
    }
    return SPN_OK;
}

static spn_status check_energies(const double *energies, size_t sites, size_t count, spn_error *err)
{
    SPN_REFUSE_IF(sites < 1 || sites > SPN_TABLE_SITES || count != (size_t)1 << sites, err,
                  "a table has 1 to %d spins, not %zu", SPN_TABLE_SITES, sites);
    for (size_t k = 0; k < count; k++)
        SPN_REFUSE_IF(!(fabs(energies[k]) <= SPN_MOST_ENERGY), err,
                      "the energy of state %zu is not finite, or over 1e300 in size", k);
    return SPN_OK;
}

static bool is_graph(spn_problem_kind kind)
{
    return kind == SPN_PROBLEM_COUPLINGS || kind == SPN_PROBLEM_CUT;
}

static spn_status check_arrays(spn_problem_kind kind, size_t sites, size_t count,
                               const void *entries, const int8_t *labels, spn_error *err)
{
    const bool patterns = kind == SPN_PROBLEM_PATTERNS;
    SPN_REFUSE_IF(!spn_problem_kind_name(kind) || !entries || patterns != !!labels, err,
                  "a problem has a known kind and entries; patterns have labels, and "
                  "the other kinds none");
    if (kind == SPN_PROBLEM_TABLE)
        return check_energies(entries, sites, count, err);
    SPN_REFUSE_IF(sites == 0 || sites > UINT32_MAX || count == 0 || count > SIZE_MAX / sites, err,
                  "a problem of %zu spins and %zu entries; each is at least 1, and there "
                  "are at most 2^32-1 spins",
                  sites, count);
    if (is_graph(kind))
        return check_edges(entries, sites, count, kind == SPN_PROBLEM_CUT, err);
    SPN_TRY(check_spins(entries, sites, count, patterns ? "pattern" : "state", err));
    return patterns ? check_spins(labels, 1, count, "label", err) : SPN_OK;
}

/* Where a problem keeps its entries, and the size of each. */
static void **entries_of(spn_problem *problem, size_t *size)
{
    if (problem->kind == SPN_PROBLEM_TABLE) {
        *size = sizeof *problem->energies;
        return (void **)&problem->energies;
    }
    *size = is_graph(problem->kind) ? sizeof *problem->edges : problem->sites;
    return is_graph(problem->kind) ? (void **)&problem->edges : (void **)&problem->rows;
}

/* A copy, or the array itself if it is borrowed; nothing writes to it. */
static void *take(const void *array, size_t count, size_t size, bool borrow)
{
    void *copy = borrow ? (void *)(uintptr_t)array : spn_alloc(count, size);
    return copy && !borrow ? memcpy(copy, array, count * size) : copy;
}

spn_status spn_problem_create(spn_problem **out, spn_problem_kind kind, size_t sites, size_t count,
                              const void *entries, const int8_t *labels, bool borrow,
                              spn_error *err)
{
    *out = NULL;
    SPN_TRY(check_arrays(kind, sites, count, entries, labels, err));
    spn_problem *problem = spn_problem_alloc(kind);
    SPN_NEED(problem, err, "a problem of %zu entries", count);
    size_t size;
    problem->sites = sites;
    problem->count = count;
    problem->borrowed = borrow;
    void **kept = entries_of(problem, &size);
    *kept = take(entries, count, size, borrow);
    problem->labels = labels ? take(labels, count, 1, borrow) : NULL;
    if (!*kept || (labels && !problem->labels)) {
        spn_problem_free(problem);
        return spn_no_memory(err, "a problem of %zu entries", count);
    }
    *out = problem;
    return SPN_OK;
}

spn_status spn_problem_set_offset(spn_problem *problem, double offset, spn_error *err)
{
    SPN_REFUSE_IF(!is_graph(problem->kind) || !isfinite(offset), err,
                  "an offset is a finite number, for couplings or a cut graph");
    problem->offset = offset;
    return SPN_OK;
}

spn_status spn_problem_set_names(spn_problem *problem, const char *const *names, spn_error *err)
{
    for (size_t i = 0; i < problem->sites; i++)
        SPN_REFUSE_IF(!names[i] || !names[i][0], err, "spin %zu has an empty name", i);
    char **copies = spn_list_copy(names, problem->sites);
    SPN_NEED(copies, err, "names");
    spn_list_free(problem->names, problem->sites);
    problem->names = copies;
    return SPN_OK;
}

/* ---- from files ---- */

/* Comments of a graph may hold an offset and the kind of its variables. */
bool spn_walk_line(spn_walk *walk, spn_error *err)
{
    while (!walk->status && spn_lines_next(&walk->lines, &walk->whole)) {
        walk->line = walk->whole;
        if (!is_graph(walk->problem->kind) ? walk->line.text[0] != '#'
                                           : !spn_graph_comment(walk, &walk->status, err))
            return true;
    }
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool spn_walk_token(spn_span *out, spn_walk *walk)
{
    const char *text = walk->line.text, *end = text + walk->line.size;
    while (text < end && is_blank(*text))
        text++;
    if (text == end)
        return false;
    const char *start = text;
    while (text < end && !is_blank(*text) && *text != ',' && *text != walk->mark)
        text++;
    *out = (spn_span){start, (size_t)(text - start)};
    while (text < end && is_blank(*text))
        text++;
    if (text < end && (*text == ',' || *text == walk->mark))
        text++;
    walk->line = (spn_span){text, (size_t)(end - text)};
    return true;
}

spn_status spn_walk_fail(const spn_walk *walk, spn_error *err, const char *format, ...)
{
    char text[SPN_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return spn_source_fail(walk->source, err, "line %zu: %s", walk->lines.number, text);
}

spn_status spn_walk_no_memory(const spn_walk *walk, spn_error *err)
{
    return spn_no_memory(err, "%s", walk->source->name);
}

spn_status spn_problem_parse(spn_problem **out, spn_problem_kind kind, const spn_source *source,
                             const spn_problem_options *options, spn_error *err)
{
    static spn_problem_reader *const readers[] = {[SPN_PROBLEM_PATTERNS] = read_patterns,
                                                  [SPN_PROBLEM_COUPLINGS] = spn_read_graph,
                                                  [SPN_PROBLEM_CUT] = spn_read_graph,
                                                  [SPN_PROBLEM_TABLE] = read_table,
                                                  [SPN_PROBLEM_STATES] = spn_read_states};
    spn_problem *problem = spn_problem_alloc(kind);
    *out = NULL;
    SPN_NEED(problem, err, "%s", source->name);
    spn_walk walk = {.source = source,
                     .options = options,
                     .problem = problem,
                     .lines = spn_lines_of(source),
                     .mark = is_graph(kind) ? ';' : ','};
    const spn_status status = readers[kind](&walk, err);
    if (!status && walk.names.count > 0) {
        problem->names = walk.names.texts;
        walk.names.texts = NULL;
    }
    spn_texts_free(&walk.names);
    SPN_HAND_OVER(out, problem, spn_problem_free, status);
}

static spn_status check_options(spn_problem_kind kind, const spn_problem_options *options,
                                spn_error *err)
{
    SPN_REFUSE_IF(!spn_problem_kind_name(kind) || !spn_graph_format_name(options->format), err,
                  "there is no kind of problem %d or format %d", (int)kind, (int)options->format);
    SPN_REFUSE_IF(!isfinite(options->offset), err, "the offset is not a finite number");
    SPN_REFUSE_IF(!is_graph(kind) && (options->format != SPN_GRAPH_AUTO || options->offset != 0),
                  err, "a format and an offset go with couplings and cut graphs, not with %s",
                  spn_problem_kind_name(kind));
    return SPN_OK;
}

spn_status spn_problem_read_as(spn_problem **out, spn_problem_kind kind, const char *path,
                               const spn_problem_options *given, spn_error *err)
{
    spn_problem_options options = spn_problem_options_defaults();
    spn_source source;
    *out = NULL;
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_problem_options_defaults", err));
    SPN_TRY(check_options(kind, &options, err));
    const size_t most = options.max_bytes ? options.max_bytes : (size_t)MAX_GIGABYTES << 30;
    SPN_TRY(spn_source_load(&source, path, most, err));
    const spn_status status = spn_problem_parse(out, kind, &source, &options, err);
    spn_source_unload(&source);
    return status;
}

const char *spn_problem_file_name(spn_problem_kind kind)
{
    static const char *const names[] = {[SPN_PROBLEM_PATTERNS] = "patterns",
                                        [SPN_PROBLEM_COUPLINGS] = "graph",
                                        [SPN_PROBLEM_CUT] = "graph",
                                        [SPN_PROBLEM_TABLE] = "table",
                                        [SPN_PROBLEM_STATES] = "minima"};
    return names[kind];
}
