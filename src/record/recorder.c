/* The trace of a run in a sweep. */
#include "record/recorder.h"

#include "base/memory.h"
#include <spinney/lab/trace.h>
#include <stdlib.h>
#include <string.h>

enum { STEP, BETA, GAMMA, ACCEPTANCE, OVERLAP, ENERGIES };

static size_t width(const spn_recorder *recorder)
{
    return ENERGIES + 2 * recorder->replicas;
}

spn_recorder spn_recorder_make(size_t replicas, uint64_t steps)
{
    /* a power of two: the looks of the chain at its observer are those of its checkpoints */
    uint64_t every = 1;
    while (every < steps / 500)
        every *= 2;
    return (spn_recorder){.replicas = replicas, .every = every};
}

static void fill_row(spn_recorder *recorder, double *row, const spn_snapshot *s)
{
    uint64_t proposals = 0, accepted = 0;
    for (size_t a = 0; a < s->replicas; a++) {
        proposals += s->proposals[a];
        accepted += s->accepted[a];
        row[ENERGIES + a] = s->energy[a];
        row[ENERGIES + s->replicas + a] = s->best_energy[a];
    }
    const uint64_t fresh = proposals - recorder->proposals;
    row[STEP] = (double)s->step;
    row[BETA] = s->beta;
    row[GAMMA] = s->gamma;
    row[ACCEPTANCE] = fresh ? (double)(accepted - recorder->accepted) / (double)fresh : 0;
    row[OVERLAP] = spn_snapshot_overlap(s);
    recorder->proposals = proposals;
    recorder->accepted = accepted;
}

spn_status spn_recorder_add(spn_recorder *recorder, const spn_snapshot *snapshot, bool last,
                            spn_error *err)
{
    const size_t size = width(recorder), used = recorder->rows * size;
    const bool there = used > 0 && recorder->values[used - size + STEP] == (double)snapshot->step;
    if (there || (snapshot->step % recorder->every != 0 && !last))
        return SPN_OK;
    if (!spn_grow(&recorder->values, &recorder->capacity, used + size, sizeof(double)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a trace");
    fill_row(recorder, recorder->values + used, snapshot);
    recorder->rows++;
    return SPN_OK;
}

/* ---- over a kill ---- */

typedef struct kept_head {
    uint64_t replicas, rows, proposals, accepted;
} kept_head;

static spn_status save(void *context, void **out, size_t *size, spn_error *err)
{
    const spn_recorder *r = context;
    const kept_head head = {r->replicas, r->rows, r->proposals, r->accepted};
    const size_t bytes = r->rows * width(r) * sizeof(double);
    unsigned char *copy = malloc(sizeof head + bytes);
    if (!copy)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a trace");
    memcpy(copy, &head, sizeof head);
    if (bytes)
        memcpy(copy + sizeof head, r->values, bytes);
    *out = copy;
    *size = sizeof head + bytes;
    return SPN_OK;
}

static spn_status load(void *context, const void *bytes, size_t size, spn_error *err)
{
    spn_recorder *r = context;
    kept_head head = {0};
    if (size < sizeof head) /* the run had no trace so far */
        return SPN_OK;
    memcpy(&head, bytes, sizeof head);
    if (head.replicas != r->replicas ||
        (size - sizeof head) / (width(r) * sizeof(double)) != head.rows)
        return spn_fail(err, SPN_ERROR_INPUT, "this is not the trace of %zu replicas", r->replicas);
    const size_t count = (size_t)head.rows * width(r);
    if (!spn_grow(&r->values, &r->capacity, count, sizeof(double)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a trace");
    if (count)
        memcpy(r->values, (const unsigned char *)bytes + sizeof head, count * sizeof(double));
    r->rows = (size_t)head.rows;
    r->proposals = head.proposals;
    r->accepted = head.accepted;
    return SPN_OK;
}

spn_keeper spn_recorder_keeper(spn_recorder *recorder)
{
    return (spn_keeper){.context = recorder, .save = save, .load = load};
}

/* ---- the file ---- */

spn_status spn_recorder_write(const spn_recorder *recorder, const char *path, spn_error *err)
{
    spn_trace_writer *writer;
    spn_status status = spn_trace_create(&writer, path, recorder->replicas, err);
    if (status)
        return status;
    for (size_t k = 0; k < recorder->rows; k++) {
        const double *row = recorder->values + k * width(recorder);
        const spn_trace_row line = {.step = (uint64_t)row[STEP],
                                    .beta = row[BETA],
                                    .gamma = row[GAMMA],
                                    .acceptance = row[ACCEPTANCE],
                                    .overlap = row[OVERLAP],
                                    .energy = row + ENERGIES,
                                    .best = row + ENERGIES + recorder->replicas};
        spn_trace_add(writer, &line);
    }
    return spn_trace_finish(writer, err);
}

void spn_recorder_clear(spn_recorder *recorder)
{
    free(recorder->values);
    *recorder = (spn_recorder){0};
}
