/* Traces from inside. */
#ifndef SPN_RECORD_TRACE_H
#define SPN_RECORD_TRACE_H

#include <spinney/chain.h>
#include <spinney/lab/trace.h>
#include <stdio.h>

/* The rows in memory, so that they can be kept over a kill in a checkpoint and the trace is whole
   however the run came to its end. */
typedef struct spn_trace_rows {
    size_t replicas;
    uint64_t every;               /* steps between rows */
    bool thins;                   /* it doubles, and every other row goes, when there are many */
    uint64_t proposals, accepted; /* up to the last row */
    size_t count, capacity;       /* rows; numbers that there is room for */
    double *values;               /* rows of 5 + 2 replicas numbers, as in a trace */
} spn_trace_rows;

/* No rows yet. block: steps come in multiples of this. every: steps between rows, rounded down to
   blocks; 0: for about 500 to 1000 rows, by a power of two if a block is one step, and growing with
   the run if the number of steps is not known (0). */
spn_trace_rows spn_trace_rows_start(size_t replicas, uint64_t steps, uint64_t block,
                                    uint64_t every);

/* Add a row if it is time to, or in any case if `last`, but none twice. Errors: MEMORY. */
spn_status spn_trace_rows_add(spn_trace_rows *rows, const spn_snapshot *snapshot, bool last,
                              spn_error *err);

/* All rows as bytes, to be freed; and back. Bytes of no rows at all leave the rows as they are.
   Errors: MEMORY, INPUT. */
spn_status spn_trace_rows_save(void **out, size_t *size, const spn_trace_rows *rows,
                               spn_error *err);
spn_status spn_trace_rows_load(spn_trace_rows *rows, const void *bytes, size_t size,
                               spn_error *err);

/* Write the trace as CSV. */
spn_status spn_trace_rows_write(const spn_trace_rows *rows, const char *path, spn_error *err);

void spn_trace_rows_clear(spn_trace_rows *rows);

/* spn_trace_columns_read of a stream that is open; name: how errors call it. */
spn_status spn_trace_columns_parse(spn_trace_columns **out, FILE *stream, const char *name,
                                   spn_error *err);

#endif
