/* Records in memory, for tests of what is made from them. */
#ifndef SPN_TEST_REPORTS_H
#define SPN_TEST_REPORTS_H

#include "report/figure/figure.h"
#include <stdio.h>

/* Records of a sweep without axes in a folder; free with spn_records_free. */
spn_records *spn_test_records(const char *folder);

/* Add a run with two settings, which may be NULL, and a result; the run, to add more to it. */
spn_record *spn_test_run(spn_records *records, const char *gamma, const char *replicas,
                         const char *result, double value);

/* A curve of two columns, p and accuracy. */
void spn_test_flips(spn_record *record, size_t rows, const double *p, const double *accuracy);

/* The values of an axis of the sweep, ended by NULL. */
void spn_test_axis(spn_records *records, const char *setting, const char *const *values);

/* The cell of a figure at x in the curve called so; fails where there is none. */
const spn_report_cell *spn_test_cell(const spn_report_figure *figure, const char *value,
                                     const char *x);

/* The text that a writer of figures makes; the caller frees. */
char *spn_test_written(bool (*write)(FILE *, const spn_report_figure *, const spn_grid *),
                       const spn_report_figure *figure);

#endif
