/* How records are built, selected and written. */
#ifndef SPN_RECORD_RECORD_H
#define SPN_RECORD_RECORD_H

#include "base/json.h"
#include <spinney/chain.h>
#include <spinney/lab/records.h>
#include <spinney/status.h>
#include <stdint.h>
#include <stdio.h>

/* Add copies, replacing any of the same name. Errors: MEMORY. */
spn_status spn_record_add_setting(spn_record *record, const char *name, const char *text,
                                  spn_error *err);
spn_status spn_record_add_result(spn_record *record, const char *name, double value,
                                 spn_error *err);
spn_status spn_record_add_text(spn_record *record, const char *name, const char *text,
                               spn_error *err);
spn_status spn_record_add_curve(spn_record *record, const char *name, size_t columns,
                                const char *const *names, size_t rows, const double *const *values,
                                spn_error *err);
/* As by printf. */
spn_status spn_record_add_note(spn_record *record, spn_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void spn_record_remove_setting(spn_record *record, const char *name);

/* Remove results, texts, curves and notes added after the copy `before` was made. */
void spn_record_cut(spn_record *record, const spn_record *before);

/* Add a column of zeros to a curve; NULL without memory. */
double *spn_result_curve_add(spn_result_curve *curve, const char *name);

/* Text of a setting, of a result that is a word, or of a field; or NULL. */
const char *spn_record_any_text(char out[SPN_FIELD_TEXT], const spn_record *record,
                                const char *name);

/* Names used in some records. Clear frees the arrays. Errors: MEMORY. */
spn_status spn_record_names_of(spn_record_names *out, const spn_record *const *records,
                               size_t count, spn_error *err);
void spn_record_names_clear(spn_record_names *names);

/* A condition NAME OP VALUE with OP one of = != < <= > >=, such as "gamma<=3.2" or "data=mnist".
   The name is one for spn_record_number or spn_record_any_text. Two numbers are compared as
   numbers, others as texts, with = and != only. *out is false if the record has no such name.
   Errors: ARGUMENT (not a condition). */
spn_status spn_record_matches(bool *out, const spn_record *record, const char *condition,
                              spn_error *err);

/* Whether a figure shows only spreads, so that x has no meaning. */
bool spn_sweep_figure_is_spread(const spn_sweep_figure *figure);

/* For a column of a curve, such as flips.p, the length of "flips."; else 0. Accepts NULL. */
size_t spn_curve_length(const char *name);

/* Whether a name or condition (NULL: none) is about a column of the curve of a figure's value, and
   whether a condition holds such a column fixed. */
bool spn_sweep_figure_has_row(const spn_sweep_figure *figure, const char *text);
bool spn_sweep_figure_holds_row(const spn_sweep_figure *figure);

/* Whether a condition fixes the value of this name: NAME=VALUE. */
bool spn_condition_fixes(const char *condition, const char *name);

typedef struct spn_records_writer spn_records_writer;

/* Append to the manifest of a folder or, with a part such as "shard-1-of-4", to
   manifest-PART.jsonl. A torn last line is removed. Errors: IO; ARGUMENT if another process writes
   to the same manifest. */
spn_status spn_records_open(spn_records_writer **out, const char *folder, const char *part,
                            spn_error *err);

/* Append one line and sync it. After an error the manifest is as before, as far as the disk
   allows; a torn line does no harm. Not thread-safe. */
spn_status spn_records_append(spn_records_writer *writer, const spn_record *record, spn_error *err);

/* Accepts NULL. */
void spn_records_close(spn_records_writer *writer);

/* Put all runs of a folder into manifest.jsonl, those of the given keys first and in their order,
   and remove the parts. Safe against kills and concurrent merges. Does nothing, and returns OK,
   while another process has a manifest open. */
spn_status spn_records_merge(const char *folder, const uint64_t *keys, size_t count,
                             spn_error *err);

/* The line with its newline; free *out. Errors: ARGUMENT (a text that is not UTF-8, a seed of 2^63
   or more), MEMORY. */
spn_status spn_record_line_write(char **out, size_t *size, const spn_record *record,
                                 spn_error *err);

/* As an object: a line without its checksum. */
void spn_record_put(spn_json *json, const spn_record *record);

/* Results, curves, notes, seeds and the time of a first hit, as members of an open object. */
void spn_record_put_found(spn_json *json, const spn_record *record);

/* For errors. */
typedef struct spn_line_place {
    const char *file;
    size_t line; /* from 1 */
} spn_line_place;

/* Read a line without its newline. Errors: INPUT, MEMORY; then *out is empty. */
spn_status spn_record_line_read(spn_record *out, const char *text, size_t size,
                                spn_line_place place, spn_error *err);

/* *out: whether two records differ at most in machine, finished and seconds. */
spn_status spn_record_same(bool *out, const spn_record *a, const spn_record *b, spn_error *err);

/* Limit for the settings, results, curves and columns of a curve, of one run and of all runs in
   view. Tasks have some hundred. */
enum { SPN_RECORD_MOST_NAMES = 1000 };

/* A saved state with the settings it belongs to, in a file that appears whole or not at all. See
   docs/file-formats.md. */

typedef struct spn_checkpoint {
    char *settings; /* lines "name value\n" */
    void *state;
    size_t state_size;
    uint64_t step;
} spn_checkpoint;

spn_status spn_checkpoint_write(const spn_checkpoint *checkpoint, const char *path, spn_error *err);

/* Sizes are checked before memory is taken, and a changed byte is detected. Clear out. Errors: IO,
   INPUT, MEMORY. */
spn_status spn_checkpoint_read(spn_checkpoint *out, const char *path, spn_error *err);

/* The same for a file in memory; name: for errors. */
spn_status spn_checkpoint_parse(spn_checkpoint *out, const char *bytes, size_t size,
                                const char *name, spn_error *err);

/* Steps done by a checkpoint, read from its head; 0 if there is none. */
uint64_t spn_checkpoint_step(const char *path);

/* INPUT, naming the first setting that differs, if the checkpoint has other settings. */
spn_status spn_checkpoint_match(const spn_checkpoint *checkpoint, const char *settings,
                                const char *path, spn_error *err);

void spn_checkpoint_clear(spn_checkpoint *checkpoint);

/* Traces: what happened during a run, row by row, as a CSV file. The columns are
     step, beta, gamma, acceptance, overlap, energy_1 .. energy_y, best_1 .. best_y, seconds
   where acceptance is the share of proposals accepted since the row before; of many reads, they are
     step, best_energy, seconds
   Numbers are written so that they read back exactly. */

/* Rows stay in memory and are saved in checkpoints, so that the trace is complete even after a
   kill. */
typedef struct spn_trace_rows {
    size_t replicas; /* 0: of many reads */
    uint64_t every;  /* steps between rows */
    bool thins;      /* doubles `every` and drops every other row when there are many */
    uint64_t proposals, accepted; /* up to the last row */
    size_t count, capacity;       /* rows; room, in numbers */
    double *values;               /* rows of 6 + 2 replicas numbers; of reads, of 3 */
} spn_trace_rows;

/* block: steps come in multiples of this. every: steps between rows, rounded down to blocks; 0:
   about 500 to 1000 rows, at powers of two if a block is one step, and fewer as the run grows if
   the number of steps is unknown (0). */
spn_trace_rows spn_trace_rows_start(size_t replicas, uint64_t steps, uint64_t block,
                                    uint64_t every);

/* Add a row if it is due or `last`, but none twice. Reads, which count the steps of all threads,
   are due once they have passed a multiple. Errors: MEMORY. */
spn_status spn_trace_rows_add(spn_trace_rows *rows, const spn_progress *now, bool last,
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
