
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "record/record.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static spn_status read_header(spn_result_curve *columns, char *line, const char *path,
                              spn_error *err)
{
    for (char *rest = line, *name; (name = strsep(&rest, ","));)
        SPN_NEED(spn_result_curve_add(columns, name), err, "%s", path);
    return SPN_OK;
}

static spn_status read_row(spn_result_curve *columns, size_t *capacity, const char *line,
                           const char *path, size_t number, spn_error *err)
{
    size_t room = *capacity;
    for (size_t c = 0; c < columns->columns; c++) {
        room = *capacity;
        if (!spn_grow(&columns->values[c], &room, columns->rows + 1, sizeof(double)))
            return spn_no_memory(err, "%s", path);
    }
    *capacity = room;
    for (size_t c = 0; c < columns->columns; c++) {
        const char *end = line + spn_number_scan_any(&columns->values[c][columns->rows], line);
        char expected = c + 1 < columns->columns ? ',' : 0;
        if (end == line || *end != expected)
            return spn_fail(err, SPN_ERROR_INPUT,
                            "%s: line %zu: column %zu (%s) is not a number, or the "
                            "row has not %zu columns",
                            path, number, c + 1, columns->names[c], columns->columns);
        line = end + 1;
    }
    columns->rows++;
    return SPN_OK;
}

static spn_status read_stream(spn_result_curve *columns, FILE *stream, const char *path,
                              spn_error *err)
{
    char *line = NULL;
    size_t size = 0, capacity = 0, number = 0;
    ssize_t length;
    spn_status status = SPN_OK;
    errno = 0;
    while (!status && (length = getline(&line, &size, stream)) > 0) {
        if (ferror(stream))
            break; /* a read error within the line */
        number++;
        const bool is_text = !memchr(line, 0, (size_t)length);
        if (line[length - 1] == '\n')
            line[--length] = 0;
        if (length > 0 && line[length - 1] == '\r') /* line ends of Windows */
            line[--length] = 0;
        if (!is_text)
            status = spn_fail(err, SPN_ERROR_INPUT, "%s: line %zu: a byte 0; expected text", path,
                              number);
        else if (strchr(line, '\r'))
            status = spn_fail(err, SPN_ERROR_INPUT,
                              "%s: line %zu: a carriage return that does not end the line", path,
                              number);
        else if (!columns->names)
            status = read_header(columns, line, path, err);
        else if (*line)
            status = read_row(columns, &capacity, line, path, number, err);
    }
    const int why = errno; /* without memory for a line, getline sets neither end nor error */
    free(line);
    errno = why;
    if (!status && (ferror(stream) || !feof(stream)))
        return spn_file_fail(path, "cannot be read", err);
    if (!status && columns->rows == 0)
        return spn_fail(err, SPN_ERROR_INPUT, "%s: no rows; expected a header and rows of numbers",
                        path);
    return status;
}

spn_status spn_trace_parse(spn_result_curve *out, FILE *stream, const char *name, spn_error *err)
{
    *out = (spn_result_curve){0};
    const spn_status status = read_stream(out, stream, name, err);
    if (status)
        spn_result_curve_clear(out);
    return status;
}

spn_status spn_trace_read(spn_result_curve *out, const char *path, spn_error *err)
{
    *out = (spn_result_curve){0};
    FILE *stream = fopen(path, "r");
    if (!stream)
        return spn_file_fail(path, "cannot be read", err);
    const spn_status status = spn_trace_parse(out, stream, path, err);
    fclose(stream);
    return status;
}

enum { FEWEST_ROWS = 500, MOST_ROWS = 1000, FIRST_EVERY = 64 };
enum { STEP, BETA, GAMMA, ACCEPTANCE, OVERLAP, ENERGIES };
enum { BEST = STEP + 1, READS_WIDTH = BEST + 2 }; /* of reads */

/* The seconds are last. */
static size_t width(const spn_trace_rows *rows)
{
    return rows->replicas ? ENERGIES + 2 * rows->replicas + 1 : READS_WIDTH;
}

spn_trace_rows spn_trace_rows_start(size_t replicas, uint64_t steps, uint64_t block, uint64_t every)
{
    spn_trace_rows rows = {.replicas = replicas, .every = every};
    assert(block >= 1);
    if (block == 1) {
        rows.thins = steps == 0 && every == 0;
        if (every > 0)
            return rows;
        rows.every = 1; /* a power of two, so that rows fall on the steps of checkpoints */
        while (steps > 0 && rows.every <= (steps / FEWEST_ROWS + 1) / 2)
            rows.every *= 2;
        rows.every = steps == 0 ? FIRST_EVERY : rows.every;
        return rows;
    }
    const uint64_t blocks = every ? every / block : steps / block / FEWEST_ROWS;
    rows.every = (blocks ? blocks : 1) * block;
    return rows;
}

/* Keep rows at multiples of twice the steps. The next row takes over the acceptance of a removed
   one, which counts from the row before. */
static void thin(spn_trace_rows *rows)
{
    const size_t size = width(rows);
    size_t kept = 0;
    double gone = NAN;
    rows->every *= 2;
    for (size_t k = 0; k < rows->count; k++) {
        double *row = rows->values + k * size;
        if ((uint64_t)row[STEP] % rows->every != 0) {
            gone = row[rows->replicas ? ACCEPTANCE : BEST];
            continue;
        }
        if (!isnan(gone) && rows->replicas)
            row[ACCEPTANCE] = (row[ACCEPTANCE] + gone) / 2;
        gone = NAN;
        memmove(rows->values + kept++ * size, row, size * sizeof *row);
    }
    rows->count = kept;
}

static void fill_state(spn_trace_rows *rows, double *row, const spn_snapshot *s)
{
    uint64_t proposals = 0, accepted = 0;
    for (size_t a = 0; a < s->replicas; a++) {
        proposals += s->proposals[a];
        accepted += s->accepted[a];
        row[ENERGIES + a] = s->energy[a];
        row[ENERGIES + s->replicas + a] = s->best_energy[a];
    }
    const uint64_t fresh = proposals - rows->proposals;
    row[BETA] = s->beta;
    row[GAMMA] = s->gamma;
    row[ACCEPTANCE] = fresh ? (double)(accepted - rows->accepted) / (double)fresh : 0;
    row[OVERLAP] = spn_snapshot_overlap(s);
    rows->proposals = proposals;
    rows->accepted = accepted;
}

static bool is_due(const spn_trace_rows *rows, uint64_t step)
{
    const double *last = rows->values;
    if (rows->replicas)
        return step % rows->every == 0;
    if (rows->count == 0)
        return true;
    last += (rows->count - 1) * width(rows);
    return step / rows->every > (uint64_t)last[STEP] / rows->every;
}

spn_status spn_trace_rows_add(spn_trace_rows *rows, const spn_progress *now, bool last,
                              spn_error *err)
{
    if (rows->thins && rows->count >= MOST_ROWS)
        thin(rows);
    const uint64_t step = now->state ? now->state->step : now->step;
    const size_t size = width(rows), used = rows->count * size;
    const bool there = used > 0 && rows->values[used - size + STEP] == (double)step;
    assert(rows->replicas == (now->state ? now->state->replicas : 0));
    const bool known = now->state || isfinite(now->best_energy); /* reads have none at the start */
    if (there || !known || (!last && !is_due(rows, step)))
        return SPN_OK;
    if (!spn_grow(&rows->values, &rows->capacity, used + size, sizeof(double)))
        return spn_no_memory(err, "a trace");
    double *row = rows->values + used;
    row[STEP] = (double)step;
    row[size - 1] = now->seconds;
    if (now->state)
        fill_state(rows, row, now->state);
    else
        row[BEST] = now->best_energy;
    rows->count++;
    return SPN_OK;
}

/* Numbers before the rows. */
enum { REPLICAS, ROWS, PROPOSALS, ACCEPTED, EVERY, HEAD };

spn_status spn_trace_rows_save(void **out, size_t *size, const spn_trace_rows *rows, spn_error *err)
{
    const uint64_t head[HEAD] = {rows->replicas, rows->count, rows->proposals, rows->accepted,
                                 rows->every};
    const size_t bytes = rows->count * width(rows) * sizeof(double);
    unsigned char *copy = malloc(sizeof head + bytes);
    SPN_NEED(copy, err, "a trace");
    memcpy(copy, head, sizeof head);
    if (bytes)
        memcpy(copy + sizeof head, rows->values, bytes);
    *out = copy;
    *size = sizeof head + bytes;
    return SPN_OK;
}

spn_status spn_trace_rows_load(spn_trace_rows *rows, const void *bytes, size_t size, spn_error *err)
{
    uint64_t head[HEAD];
    if (size < sizeof head) /* the run had no trace so far */
        return SPN_OK;
    memcpy(head, bytes, sizeof head);
    if (head[REPLICAS] != rows->replicas ||
        (size - sizeof head) / (width(rows) * sizeof(double)) != head[ROWS])
        return spn_fail(err, SPN_ERROR_INPUT, "this is not the trace of %zu replicas",
                        rows->replicas);
    const size_t count = (size_t)head[ROWS] * width(rows);
    if (!spn_grow(&rows->values, &rows->capacity, count, sizeof(double)))
        return spn_no_memory(err, "a trace");
    if (count)
        memcpy(rows->values, (const unsigned char *)bytes + sizeof head, count * sizeof(double));
    rows->count = (size_t)head[ROWS];
    rows->proposals = head[PROPOSALS];
    rows->accepted = head[ACCEPTED];
    if (rows->thins)
        rows->every = head[EVERY];
    return SPN_OK;
}

spn_status spn_trace_rows_write(const spn_trace_rows *rows, const char *path, spn_error *err)
{
    spn_file *file;
    SPN_TRY(spn_file_create(&file, path, err));
    FILE *stream = spn_file_stream(file);
    fputs(rows->replicas ? "step,beta,gamma,acceptance,overlap" : "step,best_energy", stream);
    for (size_t a = 1; a <= rows->replicas; a++)
        fprintf(stream, ",energy_%zu", a);
    for (size_t a = 1; a <= rows->replicas; a++)
        fprintf(stream, ",best_%zu", a);
    fputs(",seconds\n", stream);
    for (size_t k = 0; k < rows->count; k++) {
        const double *row = rows->values + k * width(rows);
        fprintf(stream, "%" PRIu64, (uint64_t)row[STEP]);
        for (size_t c = STEP + 1; c < width(rows); c++)
            spn_print(stream, ",%.17g", row[c]);
        fputc('\n', stream);
    }
    return spn_file_commit(file, err);
}

void spn_trace_rows_clear(spn_trace_rows *rows)
{
    free(rows->values);
    *rows = (spn_trace_rows){0};
}
