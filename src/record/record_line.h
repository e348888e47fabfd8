/* One record as one line of JSON. docs/file-formats.md gives its fields. */
#ifndef SPN_RECORD_RECORD_LINE_H
#define SPN_RECORD_RECORD_LINE_H

#include "base/json.h"
#include <spinney/lab/records.h>

/* The line, with its newline; *out is to be freed. Errors: ARGUMENT (a text that is not UTF-8, a
   seed of 2^63 or more), MEMORY. */
spn_status spn_record_line_write(char **out, size_t *size, const spn_record *record,
                                 spn_error *err);

/* The record as an object, as in a line but without its checksum. */
void spn_record_put(spn_json *json, const spn_record *record);

/* What a run found, as members of an open object: results, curves, notes, seeds, and the time of a
   first hit. */
void spn_record_put_found(spn_json *json, const spn_record *record);

/* Where a line stands, for errors. */
typedef struct spn_line_place {
    const char *file;
    size_t line; /* from 1 */
} spn_line_place;

/* Read a line, given without its newline. Errors: INPUT, MEMORY; then *out is empty. */
spn_status spn_record_line_read(spn_record *out, const char *text, size_t size,
                                spn_line_place place, spn_error *err);

/* *out: whether two records agree in all but machine, finished and seconds. */
spn_status spn_record_same(bool *out, const spn_record *a, const spn_record *b, spn_error *err);

/* The most settings, results, curves, and columns of a curve that a run has; and all runs together
   that are looked at. What makes them has some hundred. */
enum { SPN_RECORD_MOST_NAMES = 1000 };

#endif
