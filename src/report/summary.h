/* What figures of means and figures of first hits share while they are summed up. */
#ifndef SPN_REPORT_SUMMARY_H
#define SPN_REPORT_SUMMARY_H

#include "report/figure/figure.h"
#include <spinney/lab/report.h>
#include <spinney/lab/view.h>

/* Add curves to a figure: room for more of them; one for a value of `by`, with room for its cells.
   NULL, and false, without memory. */
bool spn_figure_make_room(spn_report_figure *out, size_t curves);
spn_report_curve *spn_figure_add_curve(spn_report_figure *out, const spn_sweep_figure *request,
                                       const char *value, size_t cells);

/* Whether two groups are of one curve: they agree in `by`, which may be NULL. */
bool spn_groups_same_curve(const spn_group *a, const spn_group *b, const char *by);

/* The number of x or by; NaN if it is a word. A setting, such as energy, may be called as a
   result is. */
double spn_observation_place(spn_observation at, const char *name);

/* A cell without values, at x; it takes the text. */
spn_report_cell spn_cell_empty(double x, char *x_text);

/* By x, if all x are numbers: an axis may list them otherwise. */
void spn_curve_sort(spn_report_curve *curve);

/* Whether a figure is of first hits, and its curves: survival, and times to solution. Errors:
   ARGUMENT (no run searched, or meets the conditions, ...), MEMORY. */
bool spn_figure_is_of_hits(const spn_sweep_figure *request);
spn_status spn_figure_fill_hits(spn_report_figure *out, const spn_records *records, spn_error *err);

#endif
