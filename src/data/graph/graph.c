/* Couplings and cut graphs: recognise the format, and what all readers share. */
#include "data/graph/graph.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- one coupling for each pair of spins ---- */

static uint32_t low(const spn_edge *edge)
{
    return edge->i < edge->j ? edge->i : edge->j;
}

static uint32_t high(const spn_edge *edge)
{
    return edge->i < edge->j ? edge->j : edge->i;
}

/* Stable counting sort of edges into `to` by one end. */
static void sort_by(spn_edge *to, const spn_edge *from, size_t count, size_t *starts, size_t sites,
                    uint32_t (*end)(const spn_edge *))
{
    for (size_t i = 0; i <= sites; i++)
        starts[i] = 0;
    for (size_t e = 0; e < count; e++)
        starts[end(&from[e]) + 1]++;
    for (size_t i = 0; i < sites; i++)
        starts[i + 1] += starts[i];
    for (size_t e = 0; e < count; e++)
        to[starts[end(&from[e])]++] = from[e];
}

/* The entries of a pair in a cut graph's matrix differ, or a diagonal entry is not 0. */
static spn_status not_symmetric(const spn_walk *walk, size_t i, size_t j, double upper,
                                double lower, spn_error *err)
{
    char one[SPN_NUMBER_TEXT], two[SPN_NUMBER_TEXT];
    spn_number_text(one, upper);
    spn_number_text(two, lower);
    return spn_source_fail(
        walk->source, err,
        "entry (%zu, %zu) is %s and (%zu, %zu) is %s; the matrix of a cut graph is symmetric",
        i + 1, j + 1, one, j + 1, i + 1, two);
}

static spn_status too_large(const spn_walk *walk, size_t i, size_t j, spn_error *err)
{
    return spn_source_fail(walk->source, err,
                           "the entries of %zu and %zu add up to no finite number", i + 1, j + 1);
}

/* Merge `count` edges that join the same two spins. */
static spn_status merge_pair(spn_edge *out, const spn_walk *walk, const spn_edge *same,
                             size_t count, spn_error *err)
{
    const uint32_t i = low(same), j = high(same);
    double upper = 0, lower = 0;
    for (size_t e = 0; e < count; e++) {
        if (same[e].i <= same[e].j)
            upper += same[e].weight;
        else
            lower += same[e].weight;
    }
    if (spn_graph_is_cut(walk) && upper != lower)
        return not_symmetric(walk, i, j, upper, lower, err);
    *out = (spn_edge){.i = i, .j = j, .weight = spn_graph_is_cut(walk) ? upper : upper + lower};
    return isfinite(out->weight) ? SPN_OK : too_large(walk, i, j, err);
}

static spn_status merge_sorted(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    spn_edge *edges = problem->edges;
    size_t kept = 0;
    for (size_t e = 0, next; e < problem->count; e = next) {
        for (next = e + 1; next < problem->count && low(&edges[next]) == low(&edges[e]) &&
                           high(&edges[next]) == high(&edges[e]);)
            next++;
        spn_edge merged;
        SPN_TRY(merge_pair(&merged, walk, &edges[e], next - e, err));
        edges[kept++] = merged;
    }
    problem->count = kept;
    return SPN_OK;
}

spn_status spn_graph_merge(spn_walk *walk, spn_error *err)
{
    spn_problem *problem = walk->problem;
    spn_edge *sorted = spn_alloc(problem->count, sizeof *sorted);
    size_t *starts = spn_alloc(problem->sites + 1, sizeof *starts);
    spn_status status = SPN_OK;
    if (!sorted || !starts) {
        status = spn_walk_no_memory(walk, err);
        goto cleanup;
    }
    sort_by(sorted, problem->edges, problem->count, starts, problem->sites, high);
    sort_by(problem->edges, sorted, problem->count, starts, problem->sites, low);
    status = merge_sorted(walk, err);
cleanup:
    SPN_FREE_ALL(sorted, starts);
    return status;
}

spn_status spn_graph_check_entry(const spn_walk *walk, const double *matrix, size_t i, size_t j,
                                 spn_error *err)
{
    const size_t n = walk->problem->sites;
    assert(i < n && j < n);
    if (!spn_graph_is_cut(walk))
        return SPN_OK;
    if (i == j && matrix[i * n + j] != 0)
        return spn_walk_fail(walk, err, "vertex %zu is joined to itself", i + 1);
    if (matrix[i * n + j] == matrix[j * n + i])
        return SPN_OK;
    return not_symmetric(walk, i, j, matrix[i * n + j], matrix[j * n + i], err);
}

spn_status spn_graph_add_matrix(spn_walk *walk, const double *matrix, spn_error *err)
{
    const size_t n = walk->problem->sites;
    const bool cut = spn_graph_is_cut(walk);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            const double here = matrix[i * n + j], there = matrix[j * n + i];
            const double weight = i == j || cut ? here : here + there;
            if (!isfinite(weight))
                return too_large(walk, i, j, err);
            if (weight != 0)
                SPN_TRY(spn_graph_add(walk, (uint32_t)i, (uint32_t)j, weight, 1, err));
        }
    return SPN_OK;
}

const spn_names spn_graph_format_names =
    SPN_NAME_LIST("graph format", [SPN_GRAPH_AUTO] = "auto", [SPN_GRAPH_RUDY] = "rudy",
                  [SPN_GRAPH_QBSOLV] = "qbsolv", [SPN_GRAPH_COO] = "coo",
                  [SPN_GRAPH_DENSE] = "dense", [SPN_GRAPH_MATRIX_MARKET] = "matrix-market");

/* ---- recognition ---- */

/* The word fills the line, or a blank follows it. */
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

/* The first line that is not a # comment. If it starts with c, and `p qubo` follows those that do,
   that line. */
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

/* The format by the name of a file, or AUTO. */
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
    if (spn_span_ends(name, ".gz"))
        name.size -= strlen(".gz");
    for (size_t k = 0; known[k].end; k++)
        if (spn_span_ends(name, known[k].end))
            return known[k].format;
    return SPN_GRAPH_AUTO;
}

spn_graph_format spn_graph_recognise(const spn_source *source, spn_problem_kind kind)
{
    const spn_span line = telling_line(source);
    const spn_graph_format named = format_of_name(source->name);
    const size_t tokens = count_tokens(line);
    if (spn_span_starts(line, "%%MatrixMarket"))
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

/* `offset 1.5`, `offset = 1.5` or `offset: 1.5`. Other sentences that start so are comments. */
static spn_status take_offset(spn_walk *walk, spn_span text, spn_error *err)
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
        return spn_walk_fail(walk, err, "the offset '%s' is not a finite number",
                             spn_show(shown, text));
    if (walk->has_offset)
        return spn_walk_fail(walk, err, "a second offset; one is enough");
    walk->has_offset = true;
    walk->problem->offset = value;
    return SPN_OK;
}

/* Read the offset, and the kind of variables as dimod writes it, `vartype=SPIN`. */
static spn_status take_comment(spn_walk *walk, spn_error *err)
{
    spn_span text = walk->line;
    while (text.size > 0 && (text.text[0] == '#' || text.text[0] == walk->comment))
        text = (spn_span){text.text + 1, text.size - 1};
    text = spn_trim(text);
    if (spn_span_starts(text, "vartype=spin"))
        walk->problem->variables = SPN_VARIABLES_SPIN;
    else if (spn_span_starts(text, "vartype=binary"))
        walk->problem->variables = SPN_VARIABLES_BINARY;
    const size_t size = strlen("offset");
    if (spn_span_starts(text, "offset") && text.size > size && strchr(" \t=:", text.text[size]))
        return take_offset(walk, text, err);
    return SPN_OK;
}

bool spn_graph_comment(spn_walk *walk, spn_status *status, spn_error *err)
{
    const spn_span line = walk->line;
    const bool own = walk->comment == 'c' ? first_word_is(line, "c")
                                          : walk->comment && line.text[0] == walk->comment;
    if (line.text[0] != '#' && !own)
        return false;
    *status = take_comment(walk, err);
    return true;
}

spn_status spn_graph_need_line(spn_walk *walk, const char *otherwise, spn_error *err)
{
    if (spn_walk_line(walk, err))
        return SPN_OK;
    return walk->status ? walk->status : spn_source_fail(walk->source, err, "%s", otherwise);
}

/* ---- tokens ---- */

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

bool spn_graph_whole(uint32_t *out, spn_walk *walk)
{
    spn_span token;
    return spn_walk_token(&token, walk) && spn_whole_read(out, token);
}

bool spn_graph_real(double *out, spn_walk *walk)
{
    spn_span token;
    return spn_walk_token(&token, walk) && spn_graph_number(out, token) == SPN_NUMBER_FINITE;
}

spn_number spn_graph_number(double *out, spn_span span)
{
    const spn_number number = spn_number_read(out, span);
    if (number == SPN_NUMBER_FINITE && spn_number_vanishes(*out, span))
        *out = span.text[0] == '-' ? -DBL_TRUE_MIN : DBL_TRUE_MIN;
    return number;
}

spn_status spn_graph_check_weight(const spn_walk *walk, double weight, spn_error *err)
{
    if (weight == 0 || fabs(weight) >= SPN_LEAST_WEIGHT)
        return SPN_OK;
    char value[SPN_NUMBER_TEXT], least[SPN_NUMBER_TEXT];
    spn_number_text(value, weight);
    spn_number_text(least, SPN_LEAST_WEIGHT);
    return spn_walk_fail(walk, err,
                         "%s%s is too small to be kept exactly: values other than 0 are at least "
                         "%s in size; multiply all by a power of ten, or write 0",
                         value, fabs(weight) == DBL_TRUE_MIN ? " or less" : "", least);
}

/* ---- entries ---- */

spn_status spn_graph_add(spn_walk *walk, uint32_t i, uint32_t j, double weight, unsigned shown,
                         spn_error *err)
{
    spn_problem *problem = walk->problem;
    if (i == j && spn_graph_is_cut(walk))
        return spn_walk_fail(walk, err, "vertex %u is joined to itself", i + shown);
    SPN_TRY(spn_graph_check_weight(walk, weight, err));
    if (!spn_grow(&problem->edges, &walk->capacity, problem->count + 1, sizeof *problem->edges))
        return spn_walk_no_memory(walk, err);
    problem->edges[problem->count++] = (spn_edge){.i = i, .j = j, .weight = weight};
    return SPN_OK;
}

size_t spn_graph_most_sites(const spn_walk *walk)
{
    const size_t size = walk->source->size;
    if (size > SPN_GRAPH_MOST_SITES)
        return SPN_GRAPH_MOST_SITES;
    return size > SPN_GRAPH_FREE_SITES ? size : SPN_GRAPH_FREE_SITES;
}

spn_status spn_graph_set_sites(spn_walk *walk, uint32_t sites, spn_error *err)
{
    if (sites == 0 || sites > spn_graph_most_sites(walk))
        return spn_walk_fail(
            walk, err, "the header says %u variables; 1 to %zu are possible in a file of %zu bytes",
            sites, spn_graph_most_sites(walk), walk->source->size);
    walk->problem->sites = sites;
    return SPN_OK;
}

/* ---- names ---- */

/* UTF-8, not empty, without control characters. */
static bool is_name(spn_span name)
{
    size_t at = 0, step = 1;
    while (at < name.size && step > 0) {
        const unsigned char c = (unsigned char)name.text[at];
        step = c < 0x20 || c == 0x7f ? 0 : spn_utf8_size(name.text + at, name.size - at);
        at += step;
    }
    return name.size > 0 && step > 0;
}

spn_status spn_graph_name(uint32_t *out, spn_walk *walk, spn_span name, spn_error *err)
{
    char shown[SPN_SHOWN];
    *out = spn_texts_find(&walk->names, name);
    if (*out != SPN_NO_TEXT)
        return SPN_OK;
    if (!is_name(name))
        return spn_walk_fail(walk, err,
                             "'%s' is no name: it is empty, not UTF-8 or has control characters",
                             spn_show(shown, name));
    if (walk->names.count == SPN_GRAPH_MOST_SITES)
        return spn_walk_fail(walk, err, "more than %d names", SPN_GRAPH_MOST_SITES);
    return spn_texts_add(out, &walk->names, name) ? SPN_OK : spn_walk_no_memory(walk, err);
}

/* ---- reading ---- */

/* Errors name a recognised format, in case the file has another. */
static spn_status name_format(spn_graph_format format, spn_status status, spn_error *err)
{
    if (!err || status != SPN_ERROR_INPUT)
        return status;
    const spn_error why = *err;
    return spn_fail(err, status, "%s (read as %s)", why.text, spn_graph_format_name(format));
}

spn_status spn_read_graph(spn_walk *walk, spn_error *err)
{
    static const struct {
        spn_problem_reader *read;
        char comment;
    } readers[] = {[SPN_GRAPH_RUDY] = {spn_read_rudy, 0},
                   [SPN_GRAPH_QBSOLV] = {spn_read_qbsolv, 'c'},
                   [SPN_GRAPH_COO] = {spn_read_coo, 0},
                   [SPN_GRAPH_MATRIX_MARKET] = {spn_read_matrix_market, '%'},
                   [SPN_GRAPH_DENSE] = {spn_read_dense, 0}};
    spn_problem *problem = walk->problem;
    const bool automatic = walk->options->format == SPN_GRAPH_AUTO;
    const spn_graph_format format =
        automatic ? spn_graph_recognise(walk->source, problem->kind) : walk->options->format;
    assert(format != SPN_GRAPH_AUTO && readers[format].read);
    walk->comment = readers[format].comment;
    const spn_status status = readers[format].read(walk, err);
    if (status)
        return automatic ? name_format(format, status, err) : status;
    problem->offset += walk->options->offset;
    if (!isfinite(problem->offset))
        return spn_source_fail(walk->source, err, "the offset is not a finite number");
    return SPN_OK;
}
