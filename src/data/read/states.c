/* States: writing lines of + and -; reading lines of + and -, or of 0 and 1 (0 is -1); tables of
   numbers with commas or blanks between them, maybe with a header, as `spinney anneal --out`
   writes; arrays of numpy; JSON. */
#include "data/problem.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "data/read/npy_header.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- NPY ---- */

/* ---- records ---- */

/* Bytes of the header of records. */
enum { HEADER = 256 };

/* The dictionary of the header, cut off if it is long, and where it ends; false if the file ends
   before it does. */
static bool find_header(char out[HEADER], size_t *end, const spn_source *source)
{
    const uint8_t *data = source->data;
    if (source->size < 12 || (data[6] != 1 && data[6] != 2))
        return false;
    const size_t start = data[6] == 1 ? 10 : 12;
    size_t length = (size_t)data[8] | (size_t)data[9] << 8;
    if (data[6] == 2)
        length |= (size_t)data[10] << 16 | (size_t)data[11] << 24;
    if (length > source->size - start)
        return false;
    *end = start + length;
    spn_take_text(out, HEADER, (const char *)data + start, length);
    return true;
}

static spn_status read_records(spn_problem *problem, const spn_source *source, const char *header,
                               size_t start, spn_error *err)
{
    const size_t before = sizeof(double) + sizeof(int64_t); /* energy and count */
    char texts[2][20];
    int used = 0; /* characters read, if all words were found */
    uint64_t sites, count;
    if (sscanf(header,
               "{'descr': [('energy', '<f8'), ('count', '<i8'), ('state', '|i1', (%19[0-9],))], "
               "'fortran_order': False, 'shape': (%19[0-9],), }%n",
               texts[0], texts[1], &used) != 2 ||
        used == 0 || !spn_whole_parse(&sites, texts[0]) || !spn_whole_parse(&count, texts[1]))
        return spn_source_fail(source, err,
                               "records of other fields than energy (<f8), count (<i8) and state "
                               "(|i1); give the states alone, as a matrix of int8");
    const uint8_t *cells = source->data + start;
    const size_t room = source->size - start;
    if (sites == 0 || count == 0 || sites > room || count > room / (before + sites) ||
        count * (before + sites) != room)
        return spn_source_fail(
            source, err,
            "byte %zu: the header says %zu states of %zu spins, and the file has another size",
            source->size, (size_t)count, (size_t)sites);
    SPN_NEED(problem->rows = spn_alloc(count, sites), err, "%s", source->name);
    problem->count = count;
    problem->sites = sites;
    for (size_t k = 0; k < count; k++)
        memcpy(problem->rows + k * sites, cells + k * (before + sites) + before, sites);
    return SPN_OK;
}

/* ---- matrices ---- */

/* A number of any type; what is no small integer becomes one that no spin has. */
static int8_t cell(const spn_npy *npy, size_t n, size_t i)
{
    const double value = spn_npy_number(npy, spn_npy_place(npy, n, i));
    return value >= INT8_MIN && value <= INT8_MAX && value == (double)(int8_t)value ? (int8_t)value
                                                                                    : INT8_MAX;
}

static spn_status read_matrix(spn_problem *problem, const spn_source *source, spn_error *err)
{
    spn_npy npy;
    SPN_TRY(spn_npy_read(&npy, source, err));
    if (npy.kind == 'U' || npy.kind == 'S' || npy.rank > 2)
        return spn_source_fail(source, err,
                               "an array of type %s and %zu dimensions; states are a matrix of "
                               "int8, a row for each: save it with .astype(numpy.int8)",
                               npy.descr, npy.rank);
    problem->count = npy.rank == 2 ? npy.shape[0] : 1;
    problem->sites = npy.shape[npy.rank - 1];
    SPN_NEED(problem->rows = spn_alloc(problem->count, problem->sites), err, "%s", source->name);
    for (size_t k = 0; k < problem->count * problem->sites; k++)
        problem->rows[k] = cell(&npy, npy.rank == 2 ? k / problem->sites : k,
                                npy.rank == 2 ? k % problem->sites : 0);
    return SPN_OK;
}

/* The states of an NPY file: a matrix of int8 or uint8, a row for each, or an array of (energy,
   count, state). */
static spn_status read_npy(spn_problem *problem, const spn_source *source, spn_error *err)
{
    static const char record[] = "{'descr': [";
    char header[HEADER];
    size_t end;
    const bool records =
        find_header(header, &end, source) && strncmp(header, record, strlen(record)) == 0;
    SPN_TRY(records ? read_records(problem, source, header, end, err)
                    : read_matrix(problem, source, err));
    /* Bytes of 1, 0 and -1 (as int8) to spins. */
    unsigned seen = 0;
    for (size_t k = 0; k < problem->count * problem->sites; k++) {
        const int8_t value = problem->rows[k];
        if (!spn_state_value(&problem->rows[k], value, &seen))
            return spn_source_fail(
                source, err, "state %zu has %d at spin %zu (from 0); expected +1 or -1, or 0 or 1",
                k / problem->sites, value, k % problem->sites);
    }
    return spn_states_check(seen, source, err);
}

/* ---- the values ---- */

/* Which values were met: bits of `seen`. */
enum { ZERO = 1, MINUS = 2 };

spn_status spn_states_check(unsigned seen, const spn_source *source, spn_error *err)
{
    if (seen != (ZERO | MINUS))
        return SPN_OK;
    return spn_source_fail(source, err, "both 0 and -1; states are of 0 and 1, or of -1 and +1");
}

bool spn_state_value(int8_t *out, double value, unsigned *seen)
{
    if (value != 1 && value != 0 && value != -1)
        return false;
    *seen |= value == 0 ? ZERO : value < 0 ? MINUS : 0;
    *out = value > 0 ? 1 : -1;
    return true;
}

/* Make room for one more row of `sites` spins. */
static spn_status add_row(int8_t **row, spn_walk *walk, size_t sites, spn_error *err)
{
    spn_problem *problem = walk->problem;
    if (problem->count > 0 && sites != problem->sites)
        return spn_walk_fail(walk, err, "%zu spins, but the states before have %zu", sites,
                             problem->sites);
    problem->sites = sites;
    if (!spn_grow(&problem->rows, &walk->capacity, (problem->count + 1) * sites, 1))
        return spn_walk_no_memory(walk, err);
    *row = problem->rows + problem->count++ * sites;
    return SPN_OK;
}

/* ---- lines without separators ---- */

/* Whether something stands between the values. */
static bool has_separators(spn_span line)
{
    return memchr(line.text, ',', line.size) || memchr(line.text, ' ', line.size) ||
           memchr(line.text, '\t', line.size);
}

static spn_status read_line(spn_walk *walk, const char *signs, spn_error *err)
{
    const spn_span line = walk->line;
    int8_t *row = NULL;
    char shown[SPN_SHOWN];
    for (size_t i = 0; i < line.size; i++)
        if (line.text[i] != signs[0] && line.text[i] != signs[1])
            return spn_walk_fail(
                walk, err, "'%s' at column %zu; a state is a string of %c and %c, first spin first",
                spn_show(shown, (spn_span){line.text + i, 1}), i + 1, signs[0], signs[1]);
    SPN_TRY(add_row(&row, walk, line.size, err));
    assert(row);
    for (size_t i = 0; i < line.size; i++)
        row[i] = line.text[i] == signs[0] ? 1 : -1;
    return SPN_OK;
}

/* ---- tables ---- */

/* Columns of a table that come before the spins. */
enum { MOST_EXTRA = 2 };
static const char *const extra_columns[MOST_EXTRA] = {"energy", "count"};

static size_t count_tokens(const spn_walk *walk)
{
    spn_walk rest = *walk;
    spn_span token;
    size_t count = 0;
    while (spn_walk_token(&token, &rest))
        count++;
    return count;
}

spn_status spn_states_add_name(spn_walk *walk, spn_span name, spn_error *err)
{
    const uint32_t before = walk->names.count;
    char shown[SPN_SHOWN];
    uint32_t number;
    if (!spn_texts_add(&number, &walk->names, name))
        return spn_walk_no_memory(walk, err);
    if (walk->names.count == before)
        return spn_source_fail(walk->source, err, "the variable '%s' is there twice",
                               spn_show(shown, name));
    return SPN_OK;
}

/* A field in quotes, which are doubled within it; false if they are not closed. room: for its
 * bytes. */
static bool quoted_field(spn_span *out, const char **at, const char *end, char *room)
{
    const char *text = *at + 1;
    size_t size = 0;
    for (; text < end && (*text != '"' || (text + 1 < end && text[1] == '"')); text++) {
        text += *text == '"';
        room[size++] = *text;
    }
    if (text == end)
        return false;
    *out = (spn_span){room, size};
    *at = text + 1;
    return true;
}

/* A field of a header with commas: it may contain blanks, and in quotes commas and line ends. */
static bool comma_field(spn_span *out, spn_span *rest, char *room)
{
    const char *text = rest->text, *end = text + rest->size;
    if (text == end)
        return false;
    const bool quoted = *text == '"' && quoted_field(out, &text, end, room);
    const char *comma = memchr(text, ',', (size_t)(end - text));
    if (!quoted)
        *out = spn_trim((spn_span){text, (size_t)((comma ? comma : end) - text)});
    *rest = comma ? (spn_span){comma + 1, (size_t)(end - comma) - 1} : (spn_span){end, 0};
    return true;
}

static bool ends_in_quotes(spn_span text)
{
    bool open = false;
    for (size_t k = 0; k < text.size; k++)
        open ^= text.text[k] == '"';
    return open;
}

/* A name in quotes may contain line ends: the header ends with the line that closes them. */
static void take_whole_header(spn_walk *walk, spn_error *err)
{
    spn_walk rest = *walk;
    spn_span line = walk->line;
    bool open = ends_in_quotes(line);
    while (open && spn_walk_line(&rest, err)) {
        const char *end = line.text + line.size;
        line.size = (size_t)(rest.line.text + rest.line.size - line.text);
        open = !ends_in_quotes((spn_span){end, (size_t)(line.text + line.size - end)});
    }
    if (open)
        return;
    rest.line = line;
    *walk = rest;
}

/* The names in a header, after the extra columns. */
static spn_status read_names(spn_walk *walk, size_t extra, spn_error *err)
{
    const bool commas = memchr(walk->line.text, ',', walk->line.size);
    if (commas)
        take_whole_header(walk, err);
    spn_walk rest = *walk;
    spn_span name;
    spn_status status = SPN_OK;
    char *room = spn_alloc(walk->line.size, 1);
    SPN_NEED(room, err, "%s", walk->source->name);
    for (size_t k = 0;
         !status && (commas ? comma_field(&name, &rest.line, room) : spn_walk_token(&name, &rest));
         k++) {
        const bool guarded = name.size > 1 && name.text[0] == '\'' && /* from formulas */
                             strchr("=+-@\t\r", name.text[1]);
        if (k >= extra)
            status = spn_states_add_name(walk, (spn_span){name.text + guarded, name.size - guarded},
                                         err);
    }
    free(room);
    return status;
}

/* Whether the line is a header: its first field is no number. extra: the columns before the spins;
   0 without a header. */
static bool is_header(size_t *extra, const spn_walk *walk)
{
    spn_walk rest = *walk;
    spn_span token = {"", 0};
    double value;
    *extra = 0;
    if (!spn_walk_token(&token, &rest) || spn_number_read(&value, token) == SPN_NUMBER_FINITE)
        return false;
    while (*extra < MOST_EXTRA && spn_span_is(token, extra_columns[*extra])) {
        ++*extra;
        if (!spn_walk_token(&token, &rest))
            break;
    }
    return true;
}

static spn_status read_row(spn_walk *walk, size_t extra, unsigned *seen, spn_error *err)
{
    const size_t fields = count_tokens(walk);
    int8_t *row = NULL;
    if (fields <= extra)
        return spn_walk_fail(walk, err, "%zu fields; expected spins behind energy and count",
                             fields);
    SPN_TRY(add_row(&row, walk, fields - extra, err));
    assert(row);
    for (size_t field = 0; field < fields; field++) {
        char shown[SPN_SHOWN];
        spn_span token = {"", 0};
        double value;
        spn_walk_token(&token, walk);
        const bool number = spn_number_read(&value, token) == SPN_NUMBER_FINITE;
        if (!number || (field >= extra && !spn_state_value(&row[field - extra], value, seen)))
            return spn_walk_fail(walk, err, "field %zu, '%s', is not %s", field + 1,
                                 spn_show(shown, token),
                                 field < extra ? "a number" : "+1 or -1, or 0 or 1");
    }
    return SPN_OK;
}

static spn_status read_table(spn_walk *walk, spn_error *err)
{
    size_t extra;
    unsigned seen = 0;
    if (is_header(&extra, walk)) {
        SPN_TRY(read_names(walk, extra, err));
        if (!spn_walk_line(walk, err))
            return spn_source_fail(walk->source, err, "a header, but no states");
    }
    do
        SPN_TRY(read_row(walk, extra, &seen, err));
    while (spn_walk_line(walk, err));
    return spn_states_check(seen, walk->source, err);
}

/* ---- all ---- */

static spn_status read_any(spn_walk *walk, spn_error *err)
{
    const spn_source *source = walk->source;
    if (source->size >= 6 && memcmp(source->data, "\x93NUMPY", 6) == 0)
        return read_npy(walk->problem, source, err);
    if (!spn_walk_line(walk, err))
        return spn_source_fail(source, err, "no states; expected lines of + and -");
    const char first = walk->line.text[0];
    if (first == '{' || first == '[')
        return spn_read_states_json(walk, err);
    if (has_separators(walk->line))
        return read_table(walk, err);
    do
        SPN_TRY(read_line(walk, first == '0' || first == '1' ? "10" : "+-", err));
    while (spn_walk_line(walk, err));
    return SPN_OK;
}

spn_status spn_read_states(spn_walk *walk, spn_error *err)
{
    SPN_TRY(read_any(walk, err));
    if (walk->names.count == 0 || walk->names.count == walk->problem->sites)
        return SPN_OK;
    return spn_source_fail(walk->source, err, "%u names of variables, but states of %zu spins",
                           walk->names.count, walk->problem->sites);
}
