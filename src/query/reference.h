/* What a figure is compared with: a CSV file, in the folder's reference/ once the sweep runs. */
#ifndef SPN_QUERY_REFERENCE_H
#define SPN_QUERY_REFERENCE_H

#include "base/source.h"
#include <spinney/lab/records.h>

/* One row of it. */
typedef struct spn_reference_row {
    char *x, *by;            /* by: empty if the figure has none */
    double value, half;      /* half NaN: none printed */
    int digits, half_digits; /* after their points; -1: written with an exponent, or not at all */
    size_t line;
} spn_reference_row;

typedef struct spn_reference {
    size_t count;
    spn_reference_row *rows;
} spn_reference;

/* Read the rows that meet the figure's conditions and have a value. The file is CSV with a header;
   cells may be quoted, lines that start with # are passed over, columns of other names are allowed.
   Errors: IO, INPUT (file, line, and what was expected), MEMORY. */
spn_status spn_reference_read(spn_reference *out, const char *path, const spn_sweep_figure *request,
                              spn_error *err);
/* The same of a file that is in memory. */
spn_status spn_reference_parse(spn_reference *out, const spn_source *source,
                               const spn_sweep_figure *request, spn_error *err);

void spn_reference_clear(spn_reference *reference);

/* Whether a value is a share, 0 to 1, by its name: those called accuracy are. */
bool spn_is_share(const char *value);

#endif
