/* Power laws and exponentials through the curves of a figure, and which of the two fits better. */
#ifndef SPN_REPORT_FIGURE_TRENDS_H
#define SPN_REPORT_FIGURE_TRENDS_H

#include "report/drawings.h"

/* A point to be fitted; error: of log y, NaN where it is not known. */
typedef struct spn_trend_point {
    double x, y, error;
} spn_trend_point;

/* A trend through points with y > 0 (and x > 0 for a power law; others are an error of the caller).
   Least squares of log y, weighted by 1/error^2 where all errors are known: then the 95% interval
   of the slope is +- 1.96 of its standard error, which is scaled by the root of the residual per
   degree of freedom where that is above 1. Without weights it is Student's, from three points on.
 */
spn_trend_fit spn_trend_through(const spn_trend_point *points, size_t count, spn_trend trend,
                                bool weighted);

/* Fit the curves by the trends that the figure asks for. The error of a point is what its interval
   tells; points that are bounds are left out. Errors: MEMORY. */
spn_status spn_figure_fit_trends(spn_report_figure *inout, spn_error *err);

/* The trend that fits better; SPN_TRENDS where one was fitted, or there are two points. *by: by how
   much its criterion is lower. */
spn_trend spn_trends_better(double *by, const spn_report_trends *trends);

/* A row for each trend of each curve, as CSV. */
bool spn_figure_trends_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* "grows as x^2.1 [1.9, 2.3]; ...; the power trend fits better (AIC lower by 3.1); 1 bound left
   out"; empty where there is none. */
enum { SPN_TRENDS_TEXT = 400 };
const char *spn_curve_trends(char out[SPN_TRENDS_TEXT], const spn_report_figure *figure,
                             size_t curve);

/* The word for a trend. */
const char *spn_trend_name(spn_trend trend);

#endif
