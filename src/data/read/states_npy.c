/* Reader of states in NPY files: a plain matrix, or the records that `spinney anneal --out` writes,
   {energy, count, state}. Of records the header is compared word by word with what numpy writes. */
#include "data/read/states.h"

#include "base/memory.h"
#include "base/try.h"
#include "data/read/npy_header.h"

#include <string.h>

/* ---- records ---- */

/* Where the header is being read. */
typedef struct cursor {
    const char *at, *end;
} cursor;

static bool pass(cursor *c, const char *text)
{
    const size_t size = strlen(text);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, text, size) != 0)
        return false;
    c->at += size;
    return true;
}

static bool pass_size(cursor *c, size_t *out)
{
    const char *start = c->at;
    for (*out = 0; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        if (*out > (SIZE_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (size_t)(*c->at - '0');
    }
    return c->at > start;
}

/* The header's dictionary; false if the file ends before it does. */
static bool find_header(cursor *out, const spn_source *source)
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
    *out = (cursor){(const char *)data + start, (const char *)data + start + length};
    return true;
}

static spn_status read_records(spn_problem *problem, const spn_source *source, cursor header,
                               spn_error *err)
{
    const size_t before = sizeof(double) + sizeof(int64_t); /* energy and count */
    size_t sites, count;
    if (!pass(&header, "{'descr': [('energy', '<f8'), ('count', '<i8'), ('state', '|i1', (") ||
        !pass_size(&header, &sites) || !pass(&header, ",))], 'fortran_order': False, 'shape': (") ||
        !pass_size(&header, &count) || !pass(&header, ",), }"))
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: records of other fields than energy (<f8), count (<i8) and state "
                        "(|i1); give the states alone, as a matrix of int8",
                        source->name);
    const uint8_t *cells = (const uint8_t *)header.end;
    const size_t room = source->size - (size_t)(cells - source->data);
    if (sites == 0 || count == 0 || sites > room || count > room / (before + sites) ||
        count * (before + sites) != room)
        return spn_fail(err, SPN_ERROR_INPUT,
                        "%s: byte %zu: the header says %zu states of %zu spins, and the file has "
                        "another size",
                        source->name, source->size, count, sites);
    if (!(problem->rows = spn_alloc(count, sites)))
        return spn_no_memory(err, "%s", source->name);
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
        return spn_fail(
            err, SPN_ERROR_INPUT,
            "%s: an array of type %s and %zu dimensions; states are a matrix of int8, a "
            "row for each: save it with .astype(numpy.int8)",
            source->name, npy.descr, npy.rank);
    problem->count = npy.rank == 2 ? npy.shape[0] : 1;
    problem->sites = npy.shape[npy.rank - 1];
    if (!(problem->rows = spn_alloc(problem->count, problem->sites)))
        return spn_no_memory(err, "%s", source->name);
    for (size_t k = 0; k < problem->count * problem->sites; k++)
        problem->rows[k] = cell(&npy, npy.rank == 2 ? k / problem->sites : k,
                                npy.rank == 2 ? k % problem->sites : 0);
    return SPN_OK;
}

/* Bytes of 1, 0 and -1 (as int8) to spins. */
static spn_status check_rows(const spn_problem *problem, const spn_source *source, spn_error *err)
{
    spn_state_values seen = {0};
    for (size_t k = 0; k < problem->count * problem->sites; k++) {
        const int8_t value = problem->rows[k];
        if (!spn_state_value(&problem->rows[k], value, &seen))
            return spn_fail(
                err, SPN_ERROR_INPUT,
                "%s: state %zu has %d at spin %zu (from 0); expected +1 or -1, or 0 or 1",
                source->name, k / problem->sites, value, k % problem->sites);
    }
    return spn_state_values_check(&seen, source->name, err);
}

spn_status spn_read_states_npy(spn_problem *problem, const spn_source *source, spn_error *err)
{
    cursor header;
    const bool records =
        find_header(&header, source) && pass(&(cursor){header.at, header.end}, "{'descr': [");
    SPN_TRY(records ? read_records(problem, source, header, err)
                    : read_matrix(problem, source, err));
    return check_rows(problem, source, err);
}
