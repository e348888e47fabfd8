/* The CSV file that a figure is compared with. It is in the folder's reference/ once the sweep
   runs. */
#ifndef SPN_QUERY_REFERENCE_H
#define SPN_QUERY_REFERENCE_H

#include "base/source.h"
#include <spinney/lab/records.h>

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

/* Whether a value is a share, 0 to 1, by its name: accuracies are. */
bool spn_is_share(const char *value);

#endif
