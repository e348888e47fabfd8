/* Traces from inside. */
#ifndef SPN_RECORD_TRACE_H
#define SPN_RECORD_TRACE_H

#include <spinney/lab/trace.h>
#include <stdio.h>

/* spn_trace_columns_read of a stream that is open; name: how errors call it. */
spn_status spn_trace_columns_parse(spn_trace_columns **out, FILE *stream, const char *name,
                                   spn_error *err);

#endif
