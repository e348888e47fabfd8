/* Traces: what happened during a run, row by row, as a CSV file. The columns are
     step, beta, gamma, acceptance, overlap, energy_1 .. energy_y, best_1 .. best_y
   where acceptance is the share of proposals accepted since the row before. Numbers are written so
   that they read back exactly. */
#ifndef SPINNEY_LAB_TRACE_H
#define SPINNEY_LAB_TRACE_H

#include <spinney/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A trace, or any CSV file of numbers with a header line, read back: columns by name. */
typedef struct spn_trace_columns {
    size_t columns, rows;
    char **names;
    double **values; /* column c is values[c][0..rows-1] */
} spn_trace_columns;

SPN_API spn_status spn_trace_columns_read(spn_trace_columns **out, const char *path,
                                          spn_error *err);

/* The number of a column, or SIZE_MAX. */
SPN_API size_t spn_trace_columns_find(const spn_trace_columns *columns, const char *name);
SPN_API void spn_trace_columns_free(spn_trace_columns *columns);

#ifdef __cplusplus
}
#endif
#endif
