/* Group runs, or rows of their curves, by equal values. */
#ifndef SPN_QUERY_QUERY_H
#define SPN_QUERY_QUERY_H

#include "base/source.h"
#include <spinney/lab/records.h>
#include <spinney/lab/view.h>

/* NaN if there is none. */
double spn_observation_number(spn_observation at, const char *name);

/* Whether a run has a setting, a result (even NaN) or a column of a curve of this name. */
bool spn_record_has(const spn_record *record, const char *name);

/* Group by the values of some names; equal numbers are one value. Axis values come in their order,
   others in order of first use; the order within a group stays. Cost: observations times names.
   Errors: MEMORY; then there is nothing to clear. */
spn_status spn_groups_make(spn_groups *out, const spn_observation *of, size_t count,
                           const char *const *names, size_t name_count, const spn_sweep *sweep,
                           spn_error *err);

/* The CSV file that a figure is compared with. It is in the folder's reference/ once the sweep
   runs. */

typedef struct spn_reference_row {
    char *x, *by;            /* by: empty if the figure has none */
    double value, half;      /* half is NaN if none is given */
    int digits, half_digits; /* decimals; -1: written with an exponent, or missing */
    size_t line;
} spn_reference_row;

typedef struct spn_reference {
    size_t count;
    spn_reference_row *rows;
} spn_reference;

/* Read the rows that meet the figure's conditions and have a value. The file is CSV with a header.
   Cells may be quoted, lines starting with # are skipped, other columns are allowed. Errors: IO,
   INPUT (file, line, and what was expected), MEMORY. */
spn_status spn_reference_read(spn_reference *out, const char *path, const spn_sweep_figure *request,
                              spn_error *err);
/* The same for a file in memory. */
spn_status spn_reference_parse(spn_reference *out, const spn_source *source,
                               const spn_sweep_figure *request, spn_error *err);

void spn_reference_clear(spn_reference *reference);

/* The number that is the whole text; NaN if it is none. */
double spn_reference_number(const char *text);

/* INPUT: a point of the figure has a second row. */
spn_status spn_reference_repeats(const spn_reference_row *row, const char *path,
                                 const spn_sweep_figure *request, spn_error *err);

/* Whether a name is among `count` names, which NULL may end before. */
bool spn_names_have(const char *const *names, size_t count, const char *name);

/* Whether a value is a share, 0 to 1, by its name: accuracies are. */
bool spn_is_share(const char *value);

#endif
