/* Sweeps, records and reports for bindings of other languages, without structs: texts and numbers
   go in, texts come out. They are the JSON and CSV that the program prints. Free them with
   spn_text_free or free; they are NULL after an error. */
#ifndef SPINNEY_LAB_FOLDER_CALL_H
#define SPINNEY_LAB_FOLDER_CALL_H

#include <spinney/lab/records.h>
#include <spinney/lab/sweep.h>

SPN_BEGIN_C

/* Called about ten times a second and at the end, in the thread that runs the sweep, with its
   progress (spn_sweep_progress). Return 0 to continue; other values stop it, and running jobs are
   saved. */
typedef int spn_folder_watcher(void *context, size_t runs, size_t finished, double share,
                               double seconds, double seconds_left);

/* Run the unfinished part of a sweep, in a folder (NULL: records/NAME). specification: the file it
   was parsed from, or its name. threads: 0 for all cores. watcher may be NULL. *out: as from
   spn_sweep_outcome_json. Errors: those of spn_sweep_run. */
SPN_API spn_status spn_folder_sweep(char **out, const spn_sweep *sweep, const char *folder,
                                    const char *specification, unsigned threads,
                                    spn_folder_watcher *watcher, void *context, spn_error *err);

/* Read a folder or, if path is a file, the folders of this joint specification. Free with
   spn_records_free. Errors: those of spn_records_read and spn_records_join. */
SPN_API spn_status spn_folder_read(spn_records **out, const char *path, spn_error *err);

/* Runs that meet the conditions, as JSON: summarised for each value of `by` or, with list, one by
   one. columns, by: names separated by commas; NULL: the usual ones. Errors: ARGUMENT (the text
   starts with where, columns or by), MEMORY. */
SPN_API spn_status spn_folder_json(char **out, const spn_records *records, const char *const *where,
                                   size_t where_count, const char *columns, const char *by,
                                   bool list, spn_error *err);

/* The same runs as CSV. One row per run with all columns (NULL) or some; or one row per row of a
   curve (NULL: none). Errors: ARGUMENT (where, columns, curves), MEMORY. */
SPN_API spn_status spn_folder_csv(char **out, const spn_records *records, const char *const *where,
                                  size_t where_count, const char *columns, const char *curve,
                                  spn_error *err);

/* Conditions that may be mistakes because no run meets them, as lines. Errors: as above. */
SPN_API spn_status spn_folder_doubts(char **out, const spn_records *records,
                                     const char *const *where, size_t where_count, spn_error *err);

/* The figures as a JSON list: names, labels, and the points of each curve with intervals. A figure
   without data has its name and the reason ("missing"). The conditions stay added to the records'
   figures. Errors: ARGUMENT (where), INPUT and IO (references), MEMORY. */
SPN_API spn_status spn_folder_figures(char **out, spn_records *records, const char *const *where,
                                      size_t where_count, spn_error *err);

/* Write the report. page and figures are as in spn_report_options and may be NULL; figure: only
   this one, or NULL for all. Pictures need gnuplot. *out: {"lines": the outcome of each figure,
   "files": the files written, "pictures": whether they were drawn}. Errors: those of
   spn_report_write; ARGUMENT (where; figure: no such figure; no run is finished). */
SPN_API spn_status spn_folder_report(char **out, spn_records *records, const char *figure,
                                     const char *const *where, size_t where_count, const char *page,
                                     const char *figures, bool pictures, bool still,
                                     spn_error *err);

SPN_END_C
#endif
