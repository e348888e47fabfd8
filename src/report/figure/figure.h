/* What the figures, tables and the page of a report share: texts, numbers, colours, and the cells
   of a figure as a grid. */
#ifndef SPN_REPORT_FIGURE_FIGURE_H
#define SPN_REPORT_FIGURE_FIGURE_H

#include "base/json.h"
#include <spinney/lab/histogram.h>
#include <spinney/lab/report.h>
#include <spinney/lab/view.h>
#include <stdio.h>

/* ---- what a figure shows ---- */

/* A run that searched: what it cost until it was solved. */
typedef struct spn_hit {
    double cost;   /* until the first hit; if there was none, of all of the run */
    bool hit;      /* no: the run is censored at its cost */
    double whole;  /* the cost of the run's whole length; NaN: it ended at its hit */
    size_t length; /* the number of its length, */
    size_t unit;   /* and of what is drawn together for intervals: runs of one instance */
} spn_hit;

/* The cost of solving with a probability of 99%. */
typedef struct spn_tts_estimate {
    double tts, low, high; /* infinite: no run was solved, and low is what it is at least */
    size_t length;         /* where it is least, */
    double cut;            /* the cost after which a run is given up there, */
    size_t runs, hits;     /* the runs of that length, and those solved before the cut */
    double share;          /* of the runs that is solved before it */
} spn_tts_estimate;

/* A length of the runs of a point. */
typedef struct spn_report_length {
    char *text; /* "sweeps = 1000"; empty if there is one length */
    spn_tts_estimate estimate;
    bool best;
} spn_report_length;

/* One point of a figure: the summary over runs, and what it is compared with. */
typedef struct spn_report_cell {
    double x;               /* NaN if the setting is not a number */
    char *x_text;           /* as in the settings */
    spn_summary ours, also; /* count 0: the reference alone has this point */
    bool has_reference;
    double reference, reference_half;            /* half NaN: the reference printed none */
    int reference_digits, reference_half_digits; /* after their points, as they were written; -1:
                                                    written with an exponent, or not at all */
    double
        joint; /* half the width of the joint 95% interval: sqrt(ours^2 + reference^2); where the
                  reference printed none, it counts as one run of our own deviation. NaN: unknown */
    double difference; /* (ours - reference) / joint; NaN if joint is 0 or unknown */
    /* Of a time to solution: the lengths of runs that it is the least of. Its mean is NaN if no
       run was solved; then low is what it is at least. */
    size_t length_count;
    spn_report_length *lengths;
} spn_report_cell;

/* Trends that are fitted to curves of positive values. */
typedef enum spn_trend { SPN_TREND_POWER, SPN_TREND_EXPONENTIAL, SPN_TRENDS } spn_trend;

/* value = factor x^slope, or factor e^(slope x): a line through the logarithms. */
typedef struct spn_trend_fit {
    bool done; /* there are two points or more */
    double factor, slope;
    double low, high; /* the 95% interval of the slope; NaN if there is none */
    double residual;  /* the sum of squares, of weighted points in units of their errors */
    double aic;       /* Akaike's information criterion, up to what both share */
} spn_trend_fit;

/* The trends of a curve. */
typedef struct spn_report_trends {
    size_t points, bounds; /* that are fitted, and left out since they are bounds */
    bool weighted;         /* by the intervals of the points */
    spn_trend_fit of[SPN_TRENDS];
} spn_report_trends;

/* An exponential through a curve of positive values. */
typedef struct spn_report_fit {
    bool done;         /* there are two such points or more */
    double slope;      /* of log value against x, least squares */
    double last_slope; /* between the last two points */
    double c, C;       /* least and largest value e^(x guide); NaN without a guide */
} spn_report_fit;

typedef struct spn_report_curve {
    char *name;  /* such as "replicas = 3"; the label if there is no `by` */
    char *value; /* "3"; empty if there is no `by` */
    size_t count;
    spn_report_cell *cells; /* by x */
    size_t value_count;     /* all its values, if a histogram is drawn */
    double *values;
    size_t hit_count; /* all its runs, if their first hits are drawn */
    spn_hit *hits;
    spn_report_fit fit;
    spn_report_trends trends;
    bool is_guide; /* it has no runs */
} spn_report_curve;

typedef struct spn_report_figure {
    const spn_sweep_figure *request;
    const spn_sweep *sweep; /* of the records, borrowed like the request */
    size_t count;
    spn_report_curve *curves;
    bool x_measured, by_measured; /* no setting, but a result or a column of a curve */
    double guide;                 /* its value; NaN if there is none */
    size_t unsearched;            /* of first hits: runs left out, since they had no target */
    size_t compared, within;      /* cells with a difference, and those with |difference| <= 1 */
} spn_report_figure;

/* Sum up one figure. A value that is a column of a curve, flips.accuracy, needs an x or by that is
   one too: flips.p. Points are sorted by x if all x are numbers, curves as the sweep lists them.
   A reference's points are matched to ours to six digits; those that we do not have are kept, as
   far as `where` allows and there is such a curve. Errors: ARGUMENT (no run has such a setting or
   result, or meets the conditions), INPUT, IO (the reference), MEMORY. */
spn_status spn_report_figure_make(spn_report_figure *out, const spn_records *records,
                                  const spn_sweep_figure *request, spn_error *err);
void spn_report_figure_clear(spn_report_figure *figure);

/* ---- texts ---- */

/* The title, or if there is none what is drawn: "test accuracy against gamma". */
enum { SPN_TITLE = 400 };
const char *spn_figure_title(char out[SPN_TITLE], const spn_sweep_figure *request);

/* Of x and of `by` (NULL: there is none): as given, or in words. out: room for these. */
enum { SPN_LABEL = 160 };
const char *spn_figure_x_label(char out[SPN_LABEL], const spn_sweep_figure *request);
const char *spn_figure_by_label(char out[SPN_LABEL], const spn_sweep_figure *request);
const char *spn_figure_reference_name(const spn_sweep_figure *request);

/* How many of a text's bytes fit into `most` without a character cut in two. */
int spn_fit(const char *text, size_t most);

/* The label of the values, with its unit: "test accuracy (%)". */
const char *spn_figure_label(char out[SPN_LABEL], const spn_sweep_figure *request);

/* The second result of a table, with its unit; there is one. */
const char *spn_figure_also_label(char out[SPN_LABEL], const spn_sweep_figure *request);

/* Shares called accuracy are shown in percent everywhere: 100, else 1. */
double spn_value_factor(const char *name);

/* "10 runs", "3 to 10 runs": the runs of each point. */
enum { SPN_RUNS_TEXT = 64 };
const char *spn_figure_runs(char out[SPN_RUNS_TEXT], const spn_report_figure *figure);

/* Whether every point has one run, and so no interval. */
bool spn_figure_is_single(const spn_report_figure *figure);

/* "14 of 16 within the joint 95% interval of the paper"; empty if nothing was compared. */
enum { SPN_VERDICT = 160 };
const char *spn_figure_verdict(char out[SPN_VERDICT], const spn_report_figure *figure);

/* "2 points at 0 are not shown on the logarithmic axis"; empty if all are. */
const char *spn_figure_unshown(char out[SPN_VERDICT], const spn_report_figure *figure);

/* "2 points are lower bounds, where too few runs were solved; 3 runs without a target are left
   out"; empty if neither is so. */
const char *spn_figure_bounds(char out[SPN_VERDICT], const spn_report_figure *figure);

/* The mark of a cell that is outside of that, SPN_DAGGER or "", and what it means; empty if no
   cell has it. */
#define SPN_DAGGER "†"
const char *spn_cell_mark(const spn_report_cell *cell);
const char *spn_figure_mark_text(char out[SPN_VERDICT], const spn_report_figure *figure);

/* Axes of the grid that neither x, by nor an exact condition holds fixed: a mean is also over
   these. "beta-end, steps", or empty. */
const char *spn_figure_mixed(char out[SPN_LABEL], const spn_report_figure *figure);

/* ---- numbers ---- */

enum { SPN_SHOWN_MEAN = 64 };

/* "91.37 ± 0.12", rounded to two digits of the interval, but not before the point; without one in
   five digits, "91.372", and all before the point, "271733"; "–" for none. */
const char *spn_show_mean(char out[SPN_SHOWN_MEAN], double mean, double half, double factor);

/* The same of a summary; of a share "0.05 [0.01, 0.24]", as its interval is not symmetric, and so
   of a time to solution, which has an interval but no deviation; "≥ 1e+06" if no run
   was solved. */
const char *spn_show_summary(char out[SPN_SHOWN_MEAN], const spn_summary *summary, double factor);

/* What the means are: "mean ± half the 95% interval (Student's t)", or that of shares. */
const char *spn_figure_interval_text(const spn_report_figure *figure);

/* The mean alone, rounded the same. */
const char *spn_show_center(char out[SPN_SHOWN_MEAN], double mean, double half, double factor);

/* The reference's, in no more digits than it was written in, and without an interval in just
   these. */
const char *spn_show_reference(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell,
                               double factor);
const char *spn_show_reference_center(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell,
                                      double factor);

/* A difference in units of the joint interval: "+0.42"; "–" if it is not known. */
const char *spn_show_difference(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell);

/* A value of a setting as it is shown: numbers that are not round, such as 3.16227766017, in six
   digits; all else as it is. */
enum { SPN_SHOWN_VALUE = 32 };
const char *spn_show_value(char out[SPN_SHOWN_VALUE], const char *text);

/* ---- the grid ---- */

/* Curves as rows, every x that one of them has as a column. */
typedef struct spn_grid {
    size_t rows, columns;
    bool numbers;                 /* every x is one */
    const spn_report_cell **head; /* for each column, a cell at its x */
    const spn_report_cell **cell; /* row by row; NULL: none there */
    double zero;                  /* where 0 is drawn on a logarithmic axis; NaN: there is no 0 */
    const spn_report_cell **best, **reference_best; /* of the table, each column or each row */
} spn_grid;

bool spn_grid_make(spn_grid *out, const spn_report_figure *figure);
void spn_grid_clear(spn_grid *grid);

static inline const spn_report_cell *spn_grid_at(const spn_grid *grid, size_t row, size_t column)
{
    return grid->cell[row * grid->columns + column];
}

/* Whether x is drawn on a logarithmic axis: asked for, and there is a positive one. */
bool spn_grid_is_log(const spn_grid *grid, const spn_sweep_figure *request);

/* Where a column is drawn: its x, the place left of the break for 0 on a logarithmic axis, or its
   number if x is no number. NaN: nowhere. */
double spn_grid_position(const spn_grid *grid, size_t column, bool log);

bool spn_figure_has_reference(const spn_report_figure *figure);

const char *spn_figure_best_text(const spn_report_figure *figure); /* "best in bold", or empty */

/* Whether a mean, or a reference, reads as the best does. */
bool spn_grid_is_best(const spn_grid *grid, const spn_report_figure *figure, size_t row,
                      size_t column, bool of_reference);

/* The least and the greatest mean; false if there is none. */
bool spn_figure_range(double *least, double *most, const spn_report_figure *figure);

/* ---- colours ---- */

enum { SPN_COLOUR = 8 };

/* The colour of curve k of count, for a light or a dark ground: six that colour-blind people can
   tell apart, or, for more curves, shades in their order. */
const char *spn_curve_colour(char out[SPN_COLOUR], size_t k, size_t count, bool dark);

/* Of a heat map: share 0 is dark, 1 is light. */
const char *spn_heat_colour(char out[SPN_COLOUR], double share);

/* How many values of a sample are in each bin: bins->count numbers. Returns how many in all. */
size_t spn_bins_fill(size_t *out, const spn_bins *bins, const spn_sample *sample);

/* ---- the reference ---- */

/* Put the reference beside the cells of a figure, and compare. Errors: IO, INPUT, MEMORY. */
spn_status spn_reference_compare(spn_report_figure *figure, const char *folder, spn_error *err);

/* ---- as CSV, which gnuplot draws from ---- */

/* The columns, numbered from 1 as gnuplot does. Texts come last: gnuplot loses count after a
   doubled quote. */
enum {
    SPN_CSV_POSITION = 1, /* where x is drawn */
    SPN_CSV_MEAN,
    SPN_CSV_HALF,
    SPN_CSV_LOW, /* the ends of the interval */
    SPN_CSV_HIGH,
    SPN_CSV_RUNS,
    SPN_CSV_DEVIATION,
    SPN_CSV_REFERENCE,
    SPN_CSV_REFERENCE_HALF,
    SPN_CSV_JOINT,
    SPN_CSV_DIFFERENCE,
    SPN_CSV_ALSO,
    SPN_CSV_ALSO_HALF,
    SPN_CSV_COLUMN, /* of a heat map, from 0 */
    SPN_CSV_ROW,
    SPN_CSV_SHOWN /* then x and by, as they were given */
};

/* Numbers with commas between them, in as few digits as read back exactly; nothing for NaN. */
void spn_csv_numbers(FILE *stream, const double *values, size_t count);

/* A row for each cell, curve by curve. */
bool spn_figure_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* ---- as JSON ---- */

/* Write a figure as an element of a list: the columns of its grid, and for each curve the summaries
   of its cells. all: also what a page has elsewhere or does not show. false without memory. */
bool spn_figure_json(spn_json *json, const spn_report_figure *figure, bool all);

/* ---- the scale of a heat map: the colour and the digits of a mean ---- */

typedef struct spn_heat {
    double least, most; /* least < most */
    bool log;           /* asked for, and there are positive means: of these, least and most */
    int decimals;       /* the same in all cells; -1: the same digits, as befits a logarithm */
    double factor;      /* of what is shown */
} spn_heat;

spn_heat spn_heat_make(const spn_report_figure *figure);

/* From 0, the least, to 1. */
double spn_heat_share(const spn_heat *heat, double mean);

/* "–" for what is no number, or too great to be shown. */
const char *spn_heat_text(char out[SPN_SHOWN_MEAN], const spn_heat *heat, double mean);

/* The row of the map, from below, that curve k is drawn in: numbers go up, names go down. */
size_t spn_heat_row(const spn_report_figure *figure, size_t k);

/* ---- exponentials, and the guide: a line that a result gives ---- */

/* Fit the curves where the figure asks for it, and add its guide as one more curve. Errors:
   ARGUMENT (no run has the guide, or it differs between runs), MEMORY. */
spn_status spn_figure_fit(spn_report_figure *inout, const spn_records *records, spn_error *err);

/* What came out, a row for each curve, as CSV: slope, last_slope, guide, c, C. */
bool spn_figure_fit_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* "slope of log psi: -1.00041, -1.00001 between the last two points"; empty if there is none. */
enum { SPN_FIT_TEXT = 240 };
const char *spn_curve_fit(char out[SPN_FIT_TEXT], const spn_report_figure *figure, size_t curve);

/* ---- trends: power laws and exponentials, and which fits better ---- */

/* A point to be fitted; error: of log y, NaN if it is not known. */
typedef struct spn_trend_point {
    double x, y, error;
} spn_trend_point;

/* A trend through points with y > 0 (and x > 0 for a power law; others are an error of the caller).
   Least squares of log y, weighted by 1/error^2 if all errors are known: then the 95% interval
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
   out"; empty if there is none. */
enum { SPN_TRENDS_TEXT = 400 };
const char *spn_curve_trends(char out[SPN_TRENDS_TEXT], const spn_report_figure *figure,
                             size_t curve);

#endif
