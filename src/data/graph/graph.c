/* Couplings and cut graphs: which format a file has, and what the readers of all of them share. */
#include "data/graph/graph.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static const char *const graph_format_names[] = {
    [SPN_GRAPH_AUTO] = "auto",     [SPN_GRAPH_RUDY] = "rudy",
    [SPN_GRAPH_QBSOLV] = "qbsolv", [SPN_GRAPH_COO] = "coo",
    [SPN_GRAPH_DENSE] = "dense",   [SPN_GRAPH_MATRIX_MARKET] = "matrix-market"};
const spn_names spn_graph_format_names = {
    "graph format", sizeof graph_format_names / sizeof *graph_format_names, graph_format_names};

/* ---- recognition ---- */

static bool starts_with(spn_span text, const char *start)
{
    const size_t size = strlen(start);
    return text.size >= size && strncasecmp(text.text, start, size) == 0;
}

/* A line of its own, or a word that a blank ends. */
static bool first_word_is(spn_span line, const char *word)
{
    const size_t size = strlen(word);
    return line.size >= size && memcmp(line.text, word, size) == 0 &&
           (line.size == size || line.text[size] == ' ' || line.text[size] == '\t');
}

/* `p qubo ...`, the first line of a .qubo file. */
static bool is_qubo_line(spn_span line)
{
    if (!first_word_is(line, "p"))
        return false;
    return first_word_is(spn_trim((spn_span){line.text + 1, line.size - 1}), "qubo");
}

/* The first line that is not a # comment. If it starts with c, and a line `p qubo` follows those
   that do, that line. */
static spn_span telling_line(const spn_source *source)
{
    spn_lines lines = spn_lines_of(source);
    spn_span first = {"", 0}, line;
    while (spn_lines_next(&lines, &line)) {
        if (line.text[0] == '#')
            continue;
        if (first.size == 0)
            first = line;
        if (!first_word_is(line, "c"))
            return is_qubo_line(line) ? line : first;
    }
    return first;
}

static size_t count_tokens(spn_span line)
{
    size_t count = 0;
    bool inside = false;
    for (size_t k = 0; k < line.size; k++) {
        const bool blank = line.text[k] == ' ' || line.text[k] == '\t';
        count += !blank && !inside;
        inside = !blank;
    }
    return count;
}

static bool ends_with(spn_span name, const char *end)
{
    const size_t size = strlen(end);
    return name.size > size && strncasecmp(name.text + name.size - size, end, size) == 0;
}

/* The format that a name says, or AUTO. */
static spn_graph_format format_of_name(const char *path)
{
    static const struct {
        const char *end;
        spn_graph_format format;
    } known[] = {{".csv", SPN_GRAPH_DENSE},   {".tsv", SPN_GRAPH_DENSE},
                 {".coo", SPN_GRAPH_COO},     {".rud", SPN_GRAPH_RUDY},
                 {".rudy", SPN_GRAPH_RUDY},   {".mtx", SPN_GRAPH_MATRIX_MARKET},
                 {".qubo", SPN_GRAPH_QBSOLV}, {NULL, SPN_GRAPH_AUTO}};
    spn_span name = {path, strlen(path)};
    if (ends_with(name, ".gz"))
        name.size -= strlen(".gz");
    for (size_t k = 0; known[k].end; k++)
        if (ends_with(name, known[k].end))
            return known[k].format;
    return SPN_GRAPH_AUTO;
}

spn_graph_format spn_graph_recognise(const spn_source *source, spn_problem_kind kind)
{
    const spn_span line = telling_line(source);
    const spn_graph_format named = format_of_name(source->name);
    const size_t tokens = count_tokens(line);
    if (starts_with(line, "%%MatrixMarket"))
        return SPN_GRAPH_MATRIX_MARKET;
    if (is_qubo_line(line))
        return SPN_GRAPH_QBSOLV;
    if (named != SPN_GRAPH_AUTO)
        return named;
    if (line.size > 0 && (memchr(line.text, ',', line.size) || memchr(line.text, ';', line.size)))
        return SPN_GRAPH_DENSE;
    if (tokens == 0)
        return kind == SPN_PROBLEM_CUT ? SPN_GRAPH_RUDY : SPN_GRAPH_COO;
    return tokens == 2 ? SPN_GRAPH_RUDY : tokens == 3 ? SPN_GRAPH_COO : SPN_GRAPH_DENSE;
}

/* ---- comments ---- */

static bool is_comment(const spn_graph *graph)
{
    const spn_span line = graph->walk->line;
    if (line.text[0] == '#')
        return true;
    return graph->comment == 'c' ? first_word_is(line, "c")
                                 : graph->comment && line.text[0] == graph->comment;
}

/* `offset 1.5`, `offset = 1.5` or `offset: 1.5`. Other sentences that start so are comments. */
static spn_status take_offset(spn_graph *graph, spn_span text, spn_error *err)
{
    char shown[SPN_SHOWN];
    double value;
    text = spn_trim((spn_span){text.text + strlen("offset"), text.size - strlen("offset")});
    const bool assigned = text.size > 0 && (text.text[0] == '=' || text.text[0] == ':');
    if (assigned)
        text = spn_trim((spn_span){text.text + 1, text.size - 1});
    const spn_number number = spn_number_read(&value, text);
    if (number == SPN_NUMBER_NONE && !assigned)
        return SPN_OK;
    if (number != SPN_NUMBER_FINITE)
        return spn_walk_fail(graph->walk, err, "the offset '%s' is not a finite number",
                             spn_show(shown, text));
    if (graph->has_offset)
        return spn_walk_fail(graph->walk, err, "a second offset; one is enough");
    graph->has_offset = true;
    graph->problem->offset = value;
    return SPN_OK;
}

/* What a comment says beyond the comment: the offset, and the kind of the variables as dimod writes
   it, `vartype=SPIN`. */
static spn_status take_comment(spn_graph *graph, spn_error *err)
{
    spn_span text = graph->walk->line;
    while (text.size > 0 && (text.text[0] == '#' || text.text[0] == graph->comment))
        text = (spn_span){text.text + 1, text.size - 1};
    text = spn_trim(text);
    if (starts_with(text, "vartype=spin"))
        graph->problem->variables = SPN_VARIABLES_SPIN;
    else if (starts_with(text, "vartype=binary"))
        graph->problem->variables = SPN_VARIABLES_BINARY;
    const size_t size = strlen("offset");
    if (starts_with(text, "offset") && text.size > size && strchr(" \t=:", text.text[size]))
        return take_offset(graph, text, err);
    return SPN_OK;
}

bool spn_graph_line(spn_graph *graph, spn_status *status, spn_error *err)
{
    *status = SPN_OK;
    while (spn_lines_next(&graph->walk->lines, &graph->walk->line)) {
        if (!is_comment(graph))
            return true;
        if ((*status = take_comment(graph, err)))
            return false;
    }
    return false;
}

/* ---- tokens ---- */

static bool is_mark(char c)
{
    return c == ',' || c == ';';
}

bool spn_graph_token(spn_span *out, spn_graph *graph)
{
    const char *text = graph->walk->line.text, *end = text + graph->walk->line.size;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    if (text == end)
        return false;
    const char *start = text;
    while (text < end && *text != ' ' && *text != '\t' && !is_mark(*text))
        text++;
    *out = (spn_span){start, (size_t)(text - start)};
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    if (text < end && is_mark(*text))
        text++;
    graph->walk->line = (spn_span){text, (size_t)(end - text)};
    return true;
}

bool spn_whole_read(uint32_t *out, spn_span token)
{
    uint64_t value = 0;
    for (size_t k = 0; k < token.size; k++) {
        if (token.text[k] < '0' || token.text[k] > '9')
            return false;
        value = value * 10 + (uint64_t)(token.text[k] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *out = (uint32_t)value;
    return token.size > 0;
}

bool spn_graph_whole(uint32_t *out, spn_graph *graph)
{
    spn_span token;
    return spn_graph_token(&token, graph) && spn_whole_read(out, token);
}

bool spn_graph_real(double *out, spn_graph *graph)
{
    spn_span token;
    return spn_graph_token(&token, graph) && spn_graph_number(out, token) == SPN_NUMBER_FINITE;
}

/* Whether a number has another digit than 0 before its exponent. */
static bool has_digits(spn_span number)
{
    for (size_t k = 0; k < number.size && number.text[k] != 'e' && number.text[k] != 'E'; k++)
        if (number.text[k] >= '1' && number.text[k] <= '9')
            return true;
    return false;
}

spn_number spn_graph_number(double *out, spn_span span)
{
    const spn_number number = spn_number_read(out, span);
    if (number == SPN_NUMBER_FINITE && *out == 0 && has_digits(span))
        *out = span.text[0] == '-' ? -DBL_TRUE_MIN : DBL_TRUE_MIN;
    return number;
}

spn_status spn_graph_check_weight(const spn_graph *graph, double weight, spn_error *err)
{
    if (weight == 0 || fabs(weight) >= SPN_LEAST_WEIGHT)
        return SPN_OK;
    char value[SPN_NUMBER_TEXT], least[SPN_NUMBER_TEXT];
    spn_number_text(value, weight);
    spn_number_text(least, SPN_LEAST_WEIGHT);
    return spn_walk_fail(graph->walk, err,
                         "%s%s is too small to be kept exactly: values other than 0 are at least "
                         "%s in size; multiply all by a power of ten, or write 0",
                         value, fabs(weight) == DBL_TRUE_MIN ? " or less" : "", least);
}

/* ---- entries ---- */

spn_status spn_graph_add(spn_graph *graph, uint32_t i, uint32_t j, double weight, unsigned shown,
                         spn_error *err)
{
    spn_problem *problem = graph->problem;
    if (i == j && spn_graph_is_cut(graph))
        return spn_walk_fail(graph->walk, err, "vertex %u is joined to itself", i + shown);
    SPN_TRY(spn_graph_check_weight(graph, weight, err));
    if (!spn_grow(&problem->edges, &graph->capacity, problem->count + 1, sizeof *problem->edges))
        return spn_walk_no_memory(graph->walk, err);
    problem->edges[problem->count++] = (spn_edge){.i = i, .j = j, .weight = weight};
    return SPN_OK;
}

size_t spn_graph_most_sites(const spn_graph *graph)
{
    const size_t size = graph->walk->source->size;
    if (size > SPN_GRAPH_MOST_SITES)
        return SPN_GRAPH_MOST_SITES;
    return size > SPN_GRAPH_FREE_SITES ? size : SPN_GRAPH_FREE_SITES;
}

spn_status spn_graph_set_sites(spn_graph *graph, uint32_t sites, spn_error *err)
{
    if (sites == 0 || sites > spn_graph_most_sites(graph))
        return spn_walk_fail(graph->walk, err,
                             "the header says %u variables; 1 to %zu are possible in a file of %zu "
                             "bytes",
                             sites, spn_graph_most_sites(graph), graph->walk->source->size);
    graph->problem->sites = sites;
    return SPN_OK;
}

/* ---- reading ---- */

/* Errors of a file whose format was recognised name the format, in case it is another. */
static spn_status name_format(spn_graph_format format, spn_status status, spn_error *err)
{
    if (!err || status != SPN_ERROR_INPUT)
        return status;
    const spn_error why = *err;
    return spn_fail(err, status, "%s (read as %s)", why.text, spn_graph_format_name(format));
}

spn_status spn_read_graph(spn_problem *problem, spn_walk *walk, const spn_problem_options *options,
                          spn_error *err)
{
    static const struct {
        spn_graph_reader *read;
        char comment;
    } readers[] = {[SPN_GRAPH_RUDY] = {spn_read_rudy, 0},
                   [SPN_GRAPH_QBSOLV] = {spn_read_qbsolv, 'c'},
                   [SPN_GRAPH_COO] = {spn_read_coo, 0},
                   [SPN_GRAPH_MATRIX_MARKET] = {spn_read_matrix_market, '%'},
                   [SPN_GRAPH_DENSE] = {spn_read_dense, 0}};
    const bool automatic = options->format == SPN_GRAPH_AUTO;
    const spn_graph_format format =
        automatic ? spn_graph_recognise(walk->source, problem->kind) : options->format;
    assert(format != SPN_GRAPH_AUTO && readers[format].read);
    spn_graph graph = {.problem = problem, .walk = walk, .comment = readers[format].comment};
    spn_status status = readers[format].read(&graph, err);
    if (status)
        return automatic ? name_format(format, status, err) : status;
    problem->offset += options->offset;
    if (!isfinite(problem->offset))
        return spn_fail(err, SPN_ERROR_INPUT, "%s: the offset is not a finite number",
                        walk->source->name);
    return SPN_OK;
}
