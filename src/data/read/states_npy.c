/* Reader of states in NPY files: a plain matrix, or the records that `spinney anneal --out` writes,
   {energy, count, state}. Of records the header is compared word by word with what numpy writes. */
#include "data/read/states.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"
#include "data/read/npy_header.h"

#include <string.h>

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
        return spn_source_fail(source, err,
                               "an array of type %s and %zu dimensions; states are a matrix of "
                               "int8, a row for each: save it with .astype(numpy.int8)",
                               npy.descr, npy.rank);
    problem->count = npy.rank == 2 ? npy.shape[0] : 1;
    problem->sites = npy.shape[npy.rank - 1];
    if (!(problem->rows = spn_alloc(problem->count, problem->sites)))
        return spn_no_memory(err, "%s", source->name);
    for (size_t k = 0; k < problem->count * problem->sites; k++)
        problem->rows[k] = cell(&npy, npy.rank == 2 ? k / problem->sites : k,
                                npy.rank == 2 ? k % problem->sites : 0);
    return SPN_OK;
}

spn_status spn_read_states_npy(spn_problem *problem, const spn_source *source, spn_error *err)
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
