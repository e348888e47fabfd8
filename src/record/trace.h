/* Traces: what happened during a run, row by row, as a CSV file. The columns are
     step, beta, gamma, acceptance, overlap, energy_1 .. energy_y, best_1 .. best_y
   where acceptance is the share of proposals accepted since the row before. Numbers are written so
   that they read back exactly. */
#ifndef SPN_RECORD_TRACE_H
#define SPN_RECORD_TRACE_H

#include <spinney/chain.h>
#include <spinney/lab/records.h>
#include <stdio.h>

/* Rows stay in memory and are saved in checkpoints, so that the trace is complete even after a
   kill. */
typedef struct spn_trace_rows {
    size_t replicas;
    uint64_t every; /* steps between rows */
    bool thins;     /* doubles `every` and drops every other row when there are many */
    uint64_t proposals, accepted; /* up to the last row */
    size_t count, capacity;       /* rows; room, in numbers */
    double *values;               /* rows of 5 + 2 replicas numbers */
} spn_trace_rows;

/* block: steps come in multiples of this. every: steps between rows, rounded down to blocks; 0:
   about 500 to 1000 rows, at powers of two if a block is one step, and fewer as the run grows if
   the number of steps is unknown (0). */
spn_trace_rows spn_trace_rows_start(size_t replicas, uint64_t steps, uint64_t block,
                                    uint64_t every);

/* Add a row if it is due or `last`, but none twice. Errors: MEMORY. */
spn_status spn_trace_rows_add(spn_trace_rows *rows, const spn_snapshot *snapshot, bool last,
                              spn_error *err);

/* Save all rows as bytes, to be freed; load them. Zero bytes leave the rows unchanged. Errors:
   MEMORY, INPUT. */
spn_status spn_trace_rows_save(void **out, size_t *size, const spn_trace_rows *rows,
                               spn_error *err);
spn_status spn_trace_rows_load(spn_trace_rows *rows, const void *bytes, size_t size,
                               spn_error *err);

spn_status spn_trace_rows_write(const spn_trace_rows *rows, const char *path, spn_error *err);

void spn_trace_rows_clear(spn_trace_rows *rows);

/* spn_trace_read from an open stream; name: for errors. */
spn_status spn_trace_parse(spn_result_curve *out, FILE *stream, const char *name, spn_error *err);

#endif
