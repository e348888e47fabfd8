/* Records from inside: how they are built, chosen and written. */
#ifndef SPN_RECORD_RECORD_H
#define SPN_RECORD_RECORD_H

#include "base/json.h"
#include <spinney/lab/records.h>

/* Add copies of what is given, in place of what had the same name. Errors: MEMORY. */
spn_status spn_record_add_setting(spn_record *record, const char *name, const char *text,
                                  spn_error *err);
spn_status spn_record_add_result(spn_record *record, const char *name, double value,
                                 spn_error *err);
spn_status spn_record_add_text(spn_record *record, const char *name, const char *text,
                               spn_error *err);
spn_status spn_record_add_curve(spn_record *record, const char *name, size_t columns,
                                const char *const *names, size_t rows, const double *const *values,
                                spn_error *err);
/* One more note, as by printf. */
spn_status spn_record_add_note(spn_record *record, spn_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void spn_record_remove_setting(spn_record *record, const char *name);

/* How much a record holds; and back to that. */
typedef struct spn_record_size {
    size_t results, texts, curves, notes;
} spn_record_size;
spn_record_size spn_record_size_of(const spn_record *record);
void spn_record_cut(spn_record *record, const spn_record_size *size);

/* The text of a setting, of a result that is a word, or of what every record has; or NULL. */
const char *spn_record_any_text(char out[SPN_FIELD_TEXT], const spn_record *record,
                                const char *name);

/* The names in some records; clear frees the arrays. Errors: MEMORY. */
spn_status spn_record_names_of(spn_record_names *out, const spn_record *const *records,
                               size_t count, spn_error *err);
void spn_record_names_clear(spn_record_names *names);

/* A condition on a record: NAME OP VALUE with OP one of = != < <= > >=, such as "gamma<=3.2" or
   "data=mnist". The name is one of spn_record_number or spn_record_any_text. Two numbers are
   compared as numbers, all else as texts, with = and != only. *out: whether it holds; false if the
   record has no such name. Errors: ARGUMENT (no condition). */
spn_status spn_record_matches(bool *out, const spn_record *record, const char *condition,
                              spn_error *err);

/* Whether a figure shows spreads only, so that its x means nothing. */
bool spn_sweep_figure_is_spread(const spn_sweep_figure *figure);

/* ---- writing ---- */

typedef struct spn_records_writer spn_records_writer;

/* Append to the manifest of a folder or, with a part such as "shard-1-of-4", to
   manifest-PART.jsonl. A torn last line is removed. Errors: IO; ARGUMENT if another process is
   writing to the same manifest. */
spn_status spn_records_open(spn_records_writer **out, const char *folder, const char *part,
                            spn_error *err);

/* Append one line and sync it. After an error the manifest is as it was before, as far as the disk
   allows; a torn line does no harm. Not thread-safe. */
spn_status spn_records_append(spn_records_writer *writer, const spn_record *record, spn_error *err);

/* Accepts NULL. */
void spn_records_close(spn_records_writer *writer);

/* Put all runs of a folder into manifest.jsonl, in the order of the given keys, then the others,
   and remove the parts. Safe against kills and against another process that does the same. Does
   nothing, and returns OK, while another process has one of the manifests open. */
spn_status spn_records_merge(const char *folder, const uint64_t *keys, size_t count,
                             spn_error *err);

/* ---- one record as one line of JSON (docs/file-formats.md) ---- */

/* The line, with its newline; free *out. Errors: ARGUMENT (a text that is not UTF-8, a
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
