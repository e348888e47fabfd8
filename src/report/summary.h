/* Shared by figures of means and of first hits. */
#ifndef SPN_REPORT_SUMMARY_H
#define SPN_REPORT_SUMMARY_H

#include "report/figure/figure.h"
#include <spinney/lab/report.h>
#include <spinney/lab/view.h>

/* Curve of group k; groups come curve by curve. A new curve starts if `by` differs from the group
   before; it has room for a cell of each group. NULL without memory. */
spn_report_curve *spn_figure_curve(spn_report_figure *out, const spn_sweep_figure *request,
                                   const spn_groups *groups, size_t k);

/* Number of x or by; NaN for a word. A setting, such as energy, may have the name of a result. */
double spn_observation_place(spn_observation at, const char *name);

/* Add an empty cell at x to a curve with room for it; NULL without memory. */
spn_report_cell *spn_curve_add_cell(spn_report_curve *curve, double x, const char *x_text);

/* By x if all are numbers, because an axis may list them in another order. */
void spn_curve_sort(spn_report_curve *curve);

/* Whether a figure is about first hits; fill its curves. Errors: ARGUMENT (no run had a target, or
   meets the conditions, ...), MEMORY. */
bool spn_figure_is_of_hits(const spn_sweep_figure *request);
spn_status spn_figure_fill_hits(spn_report_figure *out, const spn_records *records, spn_error *err);

#endif
