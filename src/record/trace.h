/* Traces from inside. */
#ifndef SPN_RECORD_TRACE_H
#define SPN_RECORD_TRACE_H

#include <spinney/lab/trace.h>
#include <stdint.h>
#include <stdio.h>

typedef struct spn_trace_row {
    uint64_t step;
    double beta, gamma, acceptance, overlap;
    const double *energy; /* one per replica */
    const double *best;
} spn_trace_row;

typedef struct spn_trace_writer spn_trace_writer;

/* Start a trace; its file appears when it is finished. */
spn_status spn_trace_create(spn_trace_writer **out, const char *path, size_t replicas,
                            spn_error *err);
void spn_trace_add(spn_trace_writer *writer, const spn_trace_row *row);

/* Finish, or throw away; both free the writer. discard accepts NULL. */
spn_status spn_trace_finish(spn_trace_writer *writer, spn_error *err);
void spn_trace_discard(spn_trace_writer *writer);

/* spn_trace_columns_read of a stream that is open; name: how errors call it. */
spn_status spn_trace_columns_parse(spn_trace_columns **out, FILE *stream, const char *name,
                                   spn_error *err);

#endif
