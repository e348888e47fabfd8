/* Sweeps, records and reports for bindings of other languages: texts and plain numbers go in, texts
   come out, and you need no struct. The texts are the JSON and CSV that the program prints. Free
   them with spn_text_free or free; they are NULL after an error. */
#ifndef SPINNEY_LAB_FOLDER_CALL_H
#define SPINNEY_LAB_FOLDER_CALL_H

#include <spinney/lab/records.h>
#include <spinney/lab/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called about ten times a second, and at the end, with the progress of a sweep
   (spn_sweep_progress), in the thread that runs it. Return 0 to continue, anything else to stop;
   running jobs are then saved. */
typedef int spn_folder_watcher(void *context, size_t runs, size_t finished, double share,
                               double seconds, double seconds_left);

/* Run what is not finished yet of a sweep, into a folder (NULL: records/NAME). specification: the
   file that it was parsed from, or its name. threads: 0 for the machine's. watcher may be NULL.
   *out: as spn_sweep_outcome_json. Errors: those of spn_sweep_run. */
SPN_API spn_status spn_folder_sweep(char **out, const spn_sweep *sweep, const char *folder,
                                    const char *specification, unsigned threads,
                                    spn_folder_watcher *watcher, void *context, spn_error *err);

/* Read a folder or, if path is a file, the folders that this joint specification names. Free with
   spn_records_free. Errors: those of spn_records_read and spn_records_join. */
SPN_API spn_status spn_folder_read(spn_records **out, const char *path, spn_error *err);

/* The runs for which `where_count` conditions hold as JSON: summed up for each value of `by` or, as
   a list, each. columns, by: names with commas between them; NULL: the usual ones. Errors: ARGUMENT
   (the text starts with where, columns or by), MEMORY. */
SPN_API spn_status spn_folder_json(char **out, const spn_records *records, const char *const *where,
                                   size_t where_count, const char *columns, const char *by,
                                   bool list, spn_error *err);

/* The same runs as CSV, with a row for each run: with all it has (columns: NULL), or with some
   columns; or with a row for each row of a curve of it (curve: NULL for none). Errors: ARGUMENT
   (where, columns, curves), MEMORY. */
SPN_API spn_status spn_folder_csv(char **out, const spn_records *records, const char *const *where,
                                  size_t where_count, const char *columns, const char *curve,
                                  spn_error *err);

/* Conditions that may be mistakes, since no run meets them, as lines. Errors: as above. */
SPN_API spn_status spn_folder_doubts(char **out, const spn_records *records,
                                     const char *const *where, size_t where_count, spn_error *err);

/* The figures as a list in JSON: names, labels, and the points of each curve with intervals; of one
   that has nothing to show its name and why ("missing"). The conditions are added to those of the
   records' figures, for good. Errors: ARGUMENT (where), INPUT and IO (references), MEMORY. */
SPN_API spn_status spn_folder_figures(char **out, spn_records *records, const char *const *where,
                                      size_t where_count, spn_error *err);

/* Write the report: page and figures as in spn_report_options, either of which may be NULL; only
   `figure` if that is not NULL. Pictures need gnuplot. *out: {"lines": the outcome of each figure,
   "files": the files that were written, "pictures": whether they were drawn}. Errors: those of
   spn_report_write; ARGUMENT (where; figure: there is none such; no run is finished). */
SPN_API spn_status spn_folder_report(char **out, spn_records *records, const char *figure,
                                     const char *const *where, size_t where_count, const char *page,
                                     const char *figures, bool pictures, bool still,
                                     spn_error *err);

#ifdef __cplusplus
}
#endif
#endif
