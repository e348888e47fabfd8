/* Time to solution: the cost to solve with a probability of 99% by repeating runs until one is
   solved, at the best length of a run. */
#ifndef SPN_REPORT_FIGURE_TTS_H
#define SPN_REPORT_FIGURE_TTS_H

#include "report/figure/figure.h"
#include "report/figure/script.h"
#include <spinney/lab/report.h>
#include <spinney/lab/view.h>

/* cost log(0.01)/log(1 - share), but at least one run; infinite if the share is 0. */
double spn_tts(double cost, double share);

/* Runs may be given up after a quarter, half, three quarters or all of the hits, but not before
   this many hits (or all, if there are fewer): the minimum of many noisy numbers is biased low. */
enum { SPN_TTS_LEAST_HITS = 10 };

/* Minimise the time to solution over the lengths. restarts: also over the cost at which a run is
   given up; else it runs to its end. plain: without the interval. With one whole length the
   interval is that of the share (Wilson's), put through the formula. Else the runs are resampled
   999 times with replacement, units as a whole, with a fixed seed, and each draw is minimised
   again. The interval holds three things: the middle 95% of the draws, q; the same mirrored at the
   estimate, tts^2/q, because a draw is below the estimate as the estimate is below the truth; and
   Wilson's interval at the best length, because draws show no spread if all runs were solved. A
   draw without a solved run counts as Wilson's upper end. If no run was solved, tts and high are
   infinite, and low is the bound from Wilson's upper end. Cost: 1000 times the runs. Errors:
   MEMORY. */
spn_status spn_tts_find(spn_tts_estimate *out, const spn_hit *hits, size_t count, bool restarts,
                        bool plain, spn_error *err);

/* Median over several instances without intervals, with the percentile interval of 999 draws of
   the instances. Infinite if half of them were never solved; then low is the median of their
   bounds. Errors: MEMORY. */
spn_status spn_tts_median(spn_tts_estimate *out, const spn_tts_estimate *of, size_t count,
                          spn_error *err);

/* The same for one length; the interval is Wilson's. Errors: MEMORY. */
spn_status spn_tts_of_length(spn_tts_estimate *out, const spn_hit *hits, size_t count,
                             size_t length, bool restarts, spn_error *err);

/* A cost at which runs were solved or ended. */
typedef struct spn_survival_step {
    double cost;
    size_t at_risk;        /* runs neither solved nor ended before */
    size_t hits, censored; /* solved here; ended here unsolved */
    double share;          /* not yet solved after it */
    double low, high;      /* 95% interval; NaN if the share is 0 */
} spn_survival_step;

typedef struct spn_survival {
    size_t runs, hits;
    size_t count;
    spn_survival_step *steps; /* sorted by cost */
} spn_survival;

/* share = prod (1 - hits/at_risk) (Kaplan and Meier 1958, doi:10.1080/01621459.1958.10501452),
   with Greenwood's variance on the scale of log(-log share), so that the interval stays within 0
   and 1: share^exp(-+ 1.96 sd / |log share|), sd^2 = sum hits / (at_risk (at_risk - hits)). A run
   that ends where another is solved was at risk there. Cost: n log n. Errors: MEMORY. */
spn_status spn_survival_make(spn_survival *out, const spn_hit *hits, size_t count, spn_error *err);
void spn_survival_clear(spn_survival *survival);

/* Cost by which this share of the runs is solved; NaN if it never was. */
double spn_survival_solved_by(const spn_survival *survival, double share);

/* For qsort: by cost, solved runs first. */
int spn_hit_compare(const void *a, const void *b);

/* As HTML or Markdown; empty if the figure has no first hits. Returns false without memory. */
bool spn_figure_hits_tables(FILE *stream, const spn_report_figure *figure, bool html);

/* Every length of every point, as CSV. */
bool spn_figure_lengths_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* "20 runs, 12 solved, half of them by 1.2e+06 proposals"; empty if the figure is no survival,
   NULL without memory. */
enum { SPN_HITS_TEXT = 240 };
const char *spn_curve_hits(char out[SPN_HITS_TEXT], const spn_report_figure *figure, size_t curve);

/* Unit of the hits: "proposals". */
const char *spn_figure_unit(const spn_sweep_figure *request);

/* Shared by figures of means and of first hits. */

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
