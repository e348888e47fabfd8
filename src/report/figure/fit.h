/* Curves that fall exponentially, and the guide of a figure: a line that a result gives. */
#ifndef SPN_REPORT_FIGURE_FIT_H
#define SPN_REPORT_FIGURE_FIT_H

#include "report/drawings.h"

/* Fit the curves where the figure asks for it, and add its guide as one more curve. Errors:
   ARGUMENT (no run has the guide, or it differs between runs), MEMORY. */
spn_status spn_figure_fit(spn_report_figure *inout, const spn_records *records, spn_error *err);

/* What came out, a row for each curve, as CSV: slope, last_slope, guide, c, C. */
bool spn_figure_fit_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* "slope of log psi: -1.00041, -1.00001 between the last two points"; empty where there is none. */
enum { SPN_FIT_TEXT = 240 };
const char *spn_curve_fit(char out[SPN_FIT_TEXT], const spn_report_figure *figure, size_t curve);

#endif
