/* The rows of a trace in memory. */
#include "record/trace_rows.h"
#include "record/trace.h"

#include "base/memory.h"
#include "base/try.h"
#include <assert.h>
#include <math.h>
#include <spinney/lab/trace.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_ROWS = 500, MOST_ROWS = 1000, FIRST_EVERY = 64 };
enum { STEP, BETA, GAMMA, ACCEPTANCE, OVERLAP, ENERGIES };

static size_t width(const spn_trace_rows *rows)
{
    return ENERGIES + 2 * rows->replicas;
}

/* A power of two: the looks at a chain are those of its checkpoints. */
static uint64_t usual_every(uint64_t steps)
{
    uint64_t power = 1;
    while (power <= (steps / FEWEST_ROWS + 1) / 2)
        power *= 2;
    return steps == 0 ? FIRST_EVERY : power;
}

spn_trace_rows spn_trace_rows_start(size_t replicas, uint64_t steps, uint64_t block, uint64_t every)
{
    spn_trace_rows rows = {.replicas = replicas, .every = every};
    assert(block >= 1);
    if (block == 1) {
        rows.every = every ? every : usual_every(steps);
        rows.thins = steps == 0 && every == 0;
        return rows;
    }
    const uint64_t blocks = every ? every / block : steps / block / FEWEST_ROWS;
    rows.every = (blocks ? blocks : 1) * block;
    return rows;
}

/* Keep the rows at multiples of twice the steps; the acceptance of a row that goes, which is since
   the row before it, is shared by the next. */
static void thin(spn_trace_rows *rows)
{
    const size_t size = width(rows);
    size_t kept = 0;
    double gone = NAN;
    rows->every *= 2;
    for (size_t k = 0; k < rows->count; k++) {
        double *row = rows->values + k * size;
        if ((uint64_t)row[STEP] % rows->every != 0) {
            gone = row[ACCEPTANCE];
            continue;
        }
        if (!isnan(gone))
            row[ACCEPTANCE] = (row[ACCEPTANCE] + gone) / 2;
        gone = NAN;
        memmove(rows->values + kept++ * size, row, size * sizeof *row);
    }
    rows->count = kept;
}

static void fill_row(spn_trace_rows *rows, double *row, const spn_snapshot *s)
{
    uint64_t proposals = 0, accepted = 0;
    for (size_t a = 0; a < s->replicas; a++) {
        proposals += s->proposals[a];
        accepted += s->accepted[a];
        row[ENERGIES + a] = s->energy[a];
        row[ENERGIES + s->replicas + a] = s->best_energy[a];
    }
    const uint64_t fresh = proposals - rows->proposals;
    row[STEP] = (double)s->step;
    row[BETA] = s->beta;
    row[GAMMA] = s->gamma;
    row[ACCEPTANCE] = fresh ? (double)(accepted - rows->accepted) / (double)fresh : 0;
    row[OVERLAP] = spn_snapshot_overlap(s);
    rows->proposals = proposals;
    rows->accepted = accepted;
}

spn_status spn_trace_rows_add(spn_trace_rows *rows, const spn_snapshot *snapshot, bool last,
                              spn_error *err)
{
    if (rows->thins && rows->count >= MOST_ROWS)
        thin(rows);
    const size_t size = width(rows), used = rows->count * size;
    const bool there = used > 0 && rows->values[used - size + STEP] == (double)snapshot->step;
    if (there || (snapshot->step % rows->every != 0 && !last))
        return SPN_OK;
    if (!spn_grow(&rows->values, &rows->capacity, used + size, sizeof(double)))
        return spn_no_memory(err, "a trace");
    fill_row(rows, rows->values + used, snapshot);
    rows->count++;
    return SPN_OK;
}

/* ---- over a kill ---- */

typedef struct kept_head {
    uint64_t replicas, rows, proposals, accepted, every;
} kept_head;

spn_status spn_trace_rows_save(void **out, size_t *size, const spn_trace_rows *rows, spn_error *err)
{
    const kept_head head = {rows->replicas, rows->count, rows->proposals, rows->accepted,
                            rows->every};
    const size_t bytes = rows->count * width(rows) * sizeof(double);
    unsigned char *copy = malloc(sizeof head + bytes);
    if (!copy)
        return spn_no_memory(err, "a trace");
    memcpy(copy, &head, sizeof head);
    if (bytes)
        memcpy(copy + sizeof head, rows->values, bytes);
    *out = copy;
    *size = sizeof head + bytes;
    return SPN_OK;
}

spn_status spn_trace_rows_load(spn_trace_rows *rows, const void *bytes, size_t size, spn_error *err)
{
    kept_head head = {0};
    if (size < sizeof head) /* the run had no trace so far */
        return SPN_OK;
    memcpy(&head, bytes, sizeof head);
    if (head.replicas != rows->replicas ||
        (size - sizeof head) / (width(rows) * sizeof(double)) != head.rows)
        return spn_fail(err, SPN_ERROR_INPUT, "this is not the trace of %zu replicas",
                        rows->replicas);
    const size_t count = (size_t)head.rows * width(rows);
    if (!spn_grow(&rows->values, &rows->capacity, count, sizeof(double)))
        return spn_no_memory(err, "a trace");
    if (count)
        memcpy(rows->values, (const unsigned char *)bytes + sizeof head, count * sizeof(double));
    rows->count = (size_t)head.rows;
    rows->proposals = head.proposals;
    rows->accepted = head.accepted;
    if (rows->thins)
        rows->every = head.every;
    return SPN_OK;
}

/* ---- the file ---- */

spn_status spn_trace_rows_write(const spn_trace_rows *rows, const char *path, spn_error *err)
{
    spn_trace_writer *writer;
    SPN_TRY(spn_trace_create(&writer, path, rows->replicas, err));
    for (size_t k = 0; k < rows->count; k++) {
        const double *row = rows->values + k * width(rows);
        const spn_trace_row line = {.step = (uint64_t)row[STEP],
                                    .beta = row[BETA],
                                    .gamma = row[GAMMA],
                                    .acceptance = row[ACCEPTANCE],
                                    .overlap = row[OVERLAP],
                                    .energy = row + ENERGIES,
                                    .best = row + ENERGIES + rows->replicas};
        spn_trace_add(writer, &line);
    }
    return spn_trace_finish(writer, err);
}

void spn_trace_rows_clear(spn_trace_rows *rows)
{
    free(rows->values);
    *rows = (spn_trace_rows){0};
}
