/* Shared by the figures, tables and the page of a report: texts, numbers, colours, and the cells
   of a figure as a grid. */
#ifndef SPN_REPORT_FIGURE_FIGURE_H
#define SPN_REPORT_FIGURE_FIGURE_H

#include "base/json.h"
#include <spinney/lab/plot.h>
#include <spinney/lab/report.h>
#include <spinney/lab/view.h>
#include <spinney/spectrum.h>
#include <stdio.h>

/* ---- what a figure shows ---- */

/* A run with a target: its cost until it was solved. */
typedef struct spn_hit {
    double cost;   /* until the first hit; without one, of the whole run */
    bool hit;      /* false: the run is censored at its cost */
    double whole;  /* cost of the full length; NaN if the run ended at its hit */
    size_t length; /* number of its length */
    size_t unit;   /* number of its unit: runs of one instance are resampled together */
} spn_hit;

/* Cost of solving with a probability of 99%. */
typedef struct spn_tts_estimate {
    double tts, low, high; /* infinite if no run was solved; then low is a lower bound */
    size_t length;         /* the best length */
    double cut;            /* cost after which a run is given up */
    size_t runs, hits;     /* runs of that length, and those solved before the cut */
    double share;          /* share of the runs solved before the cut */
    char *text; /* one length of a point, such as "sweeps = 1000"; empty if there is one */
    bool best;  /* the best length of a point */
} spn_tts_estimate;

/* One point of a figure: the summary over runs, and its reference. */
typedef struct spn_report_cell {
    double x;               /* NaN if the setting is not a number */
    char *x_text;           /* as in the settings */
    spn_summary ours, also; /* count 0: only the reference has this point */
    bool has_reference;
    double reference, reference_half; /* half is NaN if the reference gives none */
    /* decimals as written; -1: written with an exponent, or missing */
    int reference_digits, reference_half_digits;
    /* half the width of the joint 95% interval, sqrt(ours^2 + reference^2). A reference without an
       interval counts as one run with our deviation. NaN: unknown */
    double joint;
    double difference; /* (ours - reference) / joint; NaN if joint is 0 or unknown */
    /* Only for a time to solution: all lengths of runs. The mean is NaN if no run was solved; then
       low is a lower bound. */
    size_t length_count;
    spn_tts_estimate *lengths;
} spn_report_cell;

/* Trends fitted to curves of positive values. */
typedef enum spn_trend { SPN_TREND_POWER, SPN_TREND_EXPONENTIAL, SPN_TRENDS } spn_trend;

/* value = factor x^slope, or factor e^(slope x): a line through the logarithms. */
typedef struct spn_trend_fit {
    bool done; /* there are at least two points */
    double factor, slope;
    double low, high; /* 95% interval of the slope; NaN: none */
    double residual;  /* sum of squares; for weighted points in units of their errors */
    double aic;       /* Akaike's information criterion, up to a constant shared by both trends */
} spn_trend_fit;

typedef struct spn_report_trends {
    size_t points, bounds; /* points fitted; points left out because they are bounds */
    bool weighted;         /* by the intervals of the points */
    spn_trend_fit of[SPN_TRENDS];
} spn_report_trends;

typedef struct spn_report_curve {
    char *name;  /* such as "replicas = 3"; the label without `by` */
    char *value; /* "3"; empty without `by` */
    size_t count;
    spn_report_cell *cells; /* sorted by x */
    size_t value_count;     /* all values, for a histogram */
    double *values;
    size_t hit_count; /* all runs, for first hits */
    spn_hit *hits;
    bool is_fitted;  /* an exponential was fitted: at least two values are positive */
    spn_gap_fit fit; /* values as psi, x as beta, the guide as m; without a guide c and C are NaN */
    spn_report_trends trends;
    bool is_guide; /* a guide has no runs */
} spn_report_curve;

typedef struct spn_report_figure {
    const spn_sweep_figure *request;
    const spn_sweep *sweep; /* of the records; borrowed, like the request */
    size_t count;
    spn_report_curve *curves;
    bool x_measured, by_measured; /* a result or a column of a curve, not a setting */
    double guide;                 /* its value; NaN: none */
    size_t unsearched;            /* first hits: runs left out because they had no target */
    size_t compared, within;      /* cells with a difference; those with |difference| <= 1 */
} spn_report_figure;

/* For each cell of a figure, curve by curve. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared has none */
#define SPN_EACH_CELL(cell, figure)                                                                \
    for (size_t spn_curve_at = 0; spn_curve_at < (figure)->count; spn_curve_at++)                  \
        for (const spn_report_cell *                                                               \
                 cell = (figure)->curves[spn_curve_at].cells,                                      \
                *const spn_cells_end = cell + (figure)->curves[spn_curve_at].count;                \
             cell < spn_cells_end; cell++)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Summarise one figure. If the value is a column of a curve, such as flips.accuracy, x or by must
   be one too, such as flips.p. Points are sorted by x if all x are numbers; curves are in the
   order of the sweep. Reference points match ours to six digits. Others are kept if `where` allows
   them and their curve exists. Errors: ARGUMENT (no run has such a setting or result, or meets the
   conditions), INPUT, IO (the reference), MEMORY. */
spn_status spn_report_figure_make(spn_report_figure *out, const spn_records *records,
                                  const spn_sweep_figure *request, spn_error *err);
void spn_report_figure_clear(spn_report_figure *figure);

/* ---- texts ---- */

/* The title, or else what is drawn: "test accuracy against gamma". */
enum { SPN_TITLE = 400 };
const char *spn_figure_title(char out[SPN_TITLE], const spn_sweep_figure *request);

/* Labels of x and `by` (NULL: none), as given or in words. */
enum { SPN_LABEL = 160 };
const char *spn_figure_x_label(char out[SPN_LABEL], const spn_sweep_figure *request);
const char *spn_figure_by_label(char out[SPN_LABEL], const spn_sweep_figure *request);
const char *spn_figure_reference_name(const spn_sweep_figure *request);

/* How many bytes of a text fit into `most` without cutting a character. */
int spn_fit(const char *text, size_t most);

/* Label of the values with its unit: "test accuracy (%)". */
const char *spn_figure_label(char out[SPN_LABEL], const spn_sweep_figure *request);

/* Label of the second result of a table, which must exist, with its unit. */
const char *spn_figure_also_label(char out[SPN_LABEL], const spn_sweep_figure *request);

/* 100 for accuracies, which are shown in percent; else 1. */
double spn_value_factor(const char *name);

/* Runs of each point: "10 runs", "3 to 10 runs". */
enum { SPN_RUNS_TEXT = 64 };
const char *spn_figure_runs(char out[SPN_RUNS_TEXT], const spn_report_figure *figure);

/* Whether every point has one run, and so no interval. */
bool spn_figure_is_single(const spn_report_figure *figure);

/* "14 of 16 within the joint 95% interval of the paper"; empty if nothing was compared. */
enum { SPN_VERDICT = 160 };
const char *spn_figure_verdict(char out[SPN_VERDICT], const spn_report_figure *figure);

/* "2 points at 0 are not shown on the logarithmic axis"; empty if all are shown. */
const char *spn_figure_unshown(char out[SPN_VERDICT], const spn_report_figure *figure);

/* "2 points are lower bounds, where too few runs were solved; 3 runs without a target are left
   out"; may be empty. */
const char *spn_figure_bounds(char out[SPN_VERDICT], const spn_report_figure *figure);

/* Mark of a cell outside the joint interval, SPN_DAGGER or "", and its legend; empty if no cell
   has it. */
#define SPN_DAGGER "†"
const char *spn_cell_mark(const spn_report_cell *cell);
const char *spn_figure_mark_text(char out[SPN_VERDICT], const spn_report_figure *figure);

/* Axes of the grid that the mean is also over, because neither x, by nor an exact condition fixes
   them: "beta-end, steps", or empty. */
const char *spn_figure_mixed(char out[SPN_LABEL], const spn_report_figure *figure);

/* ---- numbers ---- */

enum { SPN_SHOWN_MEAN = 64 };

/* "91.37 ± 0.12": the interval has two digits, or more before the point. Without an interval five
   digits, "91.372", or all before the point, "271733". "–" for none. */
const char *spn_show_mean(char out[SPN_SHOWN_MEAN], double mean, double half, double factor);

/* The same for a summary. Shares and times to solution have asymmetric intervals: "0.05 [0.01,
   0.24]". "≥ 1e+06" if no run was solved. */
const char *spn_show_summary(char out[SPN_SHOWN_MEAN], const spn_summary *summary, double factor);

/* How means are given: "mean ± half the 95% interval (Student's t)", or the text for shares. */
const char *spn_figure_interval_text(const spn_report_figure *figure);

/* Only the mean, rounded the same way. */
const char *spn_show_center(char out[SPN_SHOWN_MEAN], double mean, double half, double factor);

/* The reference, in at most the digits it was written in; without an interval in exactly these. */
const char *spn_show_reference(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell,
                               double factor);
const char *spn_show_reference_center(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell,
                                      double factor);

/* Difference in units of the joint interval: "+0.42"; "–" if unknown. */
const char *spn_show_difference(char out[SPN_SHOWN_MEAN], const spn_report_cell *cell);

/* A value of a setting. Numbers with many digits, such as 3.16227766017, get six; others are
   unchanged. */
enum { SPN_SHOWN_VALUE = 32 };
const char *spn_show_value(char out[SPN_SHOWN_VALUE], const char *text);

/* ---- the grid ---- */

/* Curves are rows; each x of any curve is a column. */
typedef struct spn_grid {
    size_t rows, columns;
    bool numbers;                 /* every x is a number */
    const spn_report_cell **head; /* for each column, a cell at its x */
    const spn_report_cell **cell; /* row by row; NULL: no cell */
    double zero;                  /* where 0 is drawn on a logarithmic axis; NaN: x has no 0 */
    const spn_report_cell **best, **reference_best; /* of the table, each column or each row */
} spn_grid;

bool spn_grid_make(spn_grid *out, const spn_report_figure *figure);
void spn_grid_clear(spn_grid *grid);

static inline const spn_report_cell *spn_grid_at(const spn_grid *grid, size_t row, size_t column)
{
    return grid->cell[row * grid->columns + column];
}

/* Whether x has a logarithmic axis: requested, and some x is positive. */
bool spn_grid_is_log(const spn_grid *grid, const spn_sweep_figure *request);

/* Where a column is drawn: at its x; left of the break for 0 on a logarithmic axis; at its number
   if x is not a number. NaN: not drawn. */
double spn_grid_position(const spn_grid *grid, size_t column, bool log);

bool spn_figure_has_reference(const spn_report_figure *figure);

const char *spn_figure_best_text(const spn_report_figure *figure); /* "best in bold", or empty */

/* Whether a mean, or a reference, reads the same as the best. */
bool spn_grid_is_best(const spn_grid *grid, const spn_report_figure *figure, size_t row,
                      size_t column, bool of_reference);

/* Least and greatest mean; false if there is none. */
bool spn_figure_range(double *least, double *most, const spn_report_figure *figure);

/* ---- colours ---- */

enum { SPN_COLOUR = 8 };

/* Colour of curve k, for a light or dark background: six that colour-blind people can tell apart,
   or ordered shades for more curves. */
const char *spn_curve_colour(char out[SPN_COLOUR], size_t k, size_t count, bool dark);

/* For a heat map; share 0 is dark, 1 is light. */
const char *spn_heat_colour(char out[SPN_COLOUR], double share);

/* Count the values of a sample in each bin. Returns the total. */
size_t spn_bins_fill(size_t *out, const spn_bins *bins, const spn_curve *sample);

/* ---- the reference ---- */

/* ---- as CSV, which gnuplot draws from ---- */

/* Columns, numbered from 1 as in gnuplot. Texts come last because gnuplot miscounts after a
   doubled quote. */
enum {
    SPN_CSV_POSITION = 1, /* where x is drawn */
    SPN_CSV_MEAN,
    SPN_CSV_HALF,
    SPN_CSV_LOW, /* ends of the interval */
    SPN_CSV_HIGH,
    SPN_CSV_RUNS,
    SPN_CSV_DEVIATION,
    SPN_CSV_REFERENCE,
    SPN_CSV_REFERENCE_HALF,
    SPN_CSV_JOINT,
    SPN_CSV_DIFFERENCE,
    SPN_CSV_ALSO,
    SPN_CSV_ALSO_HALF,
    SPN_CSV_COLUMN, /* in a heat map, from 0 */
    SPN_CSV_ROW,
    SPN_CSV_SHOWN /* then x and by, as given */
};

/* Numbers with commas between them, in the shortest digits that read back exactly; empty for
   NaN. */
void spn_csv_numbers(FILE *stream, const double *values, size_t count);

/* One row per cell, curve by curve. */
bool spn_figure_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* ---- as JSON ---- */

/* Write a figure as an element of a list: the columns of its grid, and the summaries of each
   curve. all: include what a page does not need. Returns false without memory. */
bool spn_figure_json(spn_json *json, const spn_report_figure *figure, bool all);

/* ---- the scale of a heat map: the colour and the digits of a mean ---- */

typedef struct spn_heat {
    double least, most; /* least < most */
    bool log;           /* requested, and some means are positive; least and most are of these */
    int decimals; /* the same in all cells; -1 for a logarithmic scale: the same number of digits */
    double factor; /* factor of the shown values */
} spn_heat;

spn_heat spn_heat_make(const spn_report_figure *figure);

/* From 0 for the least to 1. */
double spn_heat_share(const spn_heat *heat, double mean);

/* "–" for NaN and for numbers too large to show. */
const char *spn_heat_text(char out[SPN_SHOWN_MEAN], const spn_heat *heat, double mean);

/* Row of curve k in the map, from below: numbers go up, names go down. */
size_t spn_heat_row(const spn_report_figure *figure, size_t k);

/* ---- exponentials, and the guide: a line that a result gives ---- */

/* Fit the curves if requested, and add the guide as a curve. Errors: ARGUMENT (no run has the
   guide, or it differs between runs), MEMORY. */
spn_status spn_figure_fit(spn_report_figure *inout, const spn_records *records, spn_error *err);

/* One row per curve, as CSV: slope, last_slope, guide, c, C. */
/* The table as a tabular of LaTeX; formulas in labels stay as they are. */
bool spn_figure_tex(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);
bool spn_figure_fit_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* "slope of log psi: -1.00041, -1.00001 between the last two points"; may be empty. */
enum { SPN_FIT_TEXT = 240 };
const char *spn_curve_fit(char out[SPN_FIT_TEXT], const spn_report_figure *figure, size_t curve);

/* ---- trends: power laws and exponentials, and which fits better ---- */

/* error: of log y; NaN: unknown. */
typedef struct spn_trend_point {
    double x, y, error;
} spn_trend_point;

/* Fit a trend to points with y > 0, and x > 0 for a power law. This is least squares of log y,
   weighted by 1/error^2 if all errors are known. Then the 95% interval of the slope is 1.96
   standard errors either side, scaled by the root of the residual per degree of freedom if that is
   above 1. Without weights it is Student's, from three points on. */
spn_trend_fit spn_trend_through(const spn_trend_point *points, size_t count, spn_trend trend,
                                bool weighted);

/* Fit the requested trends. Errors come from the intervals of the points; bounds are left out.
   Errors: MEMORY. */
spn_status spn_figure_fit_trends(spn_report_figure *inout, spn_error *err);

/* The trend that fits better, and by how much its criterion is lower. SPN_TRENDS if one was fitted
   or there are two points. */
spn_trend spn_trends_better(double *by, const spn_report_trends *trends);

/* One row per trend of each curve, as CSV. */
bool spn_figure_trends_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* "grows as x^2.1 [1.9, 2.3]; ...; the power trend fits better (AIC lower by 3.1); 1 bound left
   out"; may be empty. */
enum { SPN_TRENDS_TEXT = 400 };
const char *spn_curve_trends(char out[SPN_TRENDS_TEXT], const spn_report_figure *figure,
                             size_t curve);

#endif
