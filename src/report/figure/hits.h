/* Time to solution: what it costs to solve with a probability of 99%, by runs repeated until one of
   them is solved, at the length of a run where that is least. */
#ifndef SPN_REPORT_FIGURE_TTS_H
#define SPN_REPORT_FIGURE_TTS_H

#include "report/drawings.h"
#include "report/figure/figure.h"
#include <spinney/lab/report.h>

/* cost log(0.01)/log(1 - share), but one run at least; infinite if the share is 0. */
double spn_tts(double cost, double share);

/* How it is minimised. */
typedef struct spn_tts_way {
    size_t lengths; /* of runs; hits say which theirs is */
    bool restarts;  /* also over where a run is given up; else it goes its whole length */
    bool plain;     /* without its interval */
} spn_tts_way;

/* Runs are given up where a quarter, a half, three quarters or all of the hits were there, and no
   fewer than this, or than all where these are fewer: the least of many noisy numbers is too small.
 */
enum { SPN_TTS_LEAST_HITS = 10 };

/* The least time to solution of some runs. With one whole length its interval is that of the share
   (Wilson's) put through the formula. Else 999 times the runs are drawn with replacement, those of
   one unit together, by a fixed seed, and each draw is minimised again. The interval holds the
   middle 95% of these, q; the same mirrored at the estimate, tts^2/q, since a draw is below the
   estimate as that is below the truth; and the former at the best length, since all runs solved
   would be certainty to the draws. A draw without a solved run counts as the former's upper end.
   Where no run was solved, tts and high are infinite, and low is what it is at least, by Wilson's
   upper end. Cost: 1000 times the runs. Errors: MEMORY. */
spn_status spn_tts_find(spn_tts_estimate *out, const spn_hit *hits, size_t count, spn_tts_way way,
                        spn_error *err);

/* The median of those of several instances, which must have no intervals yet, with the percentile
   interval of 999 draws of the instances. Infinite if half of them were never solved; then low
   is the median of what they are at least. Errors: MEMORY. */
spn_status spn_tts_median(spn_tts_estimate *out, const spn_tts_estimate *of, size_t count,
                          spn_error *err);

/* The least of one length alone; the interval is Wilson's. Errors: MEMORY. */
spn_status spn_tts_of_length(spn_tts_estimate *out, const spn_hit *hits, size_t count,
                             size_t length, bool restarts, spn_error *err);

/* ---- survival: the share of runs not yet solved after a cost ---- */

/* A cost at which runs were solved or ended. */
typedef struct spn_survival_step {
    double cost;
    size_t at_risk;        /* runs that were neither solved nor ended before it */
    size_t hits, censored; /* solved here; ended here without */
    double share;          /* not yet solved after it */
    double low, high;      /* its 95% interval; NaN if the share is 0 */
} spn_survival_step;

typedef struct spn_survival {
    size_t runs, hits;
    size_t count;
    spn_survival_step *steps; /* by cost */
} spn_survival;

/* share = prod (1 - hits/at_risk) (Kaplan and Meier 1958, doi:10.1080/01621459.1958.10501452), with
   Greenwood's variance on the scale of log(-log share), where the interval stays within 0 and 1:
   share^exp(-+ 1.96 sd / |log share|), sd^2 = sum hits / (at_risk (at_risk - hits)). A run that
   ends where another is solved was at risk there. Cost: n log n. Errors: MEMORY. */
spn_status spn_survival_make(spn_survival *out, const spn_hit *hits, size_t count, spn_error *err);
void spn_survival_clear(spn_survival *survival);

/* The cost by which that share of the runs is solved; NaN if it never was. */
double spn_survival_solved_by(const spn_survival *survival, double share);

/* Runs in the order of the estimate: by cost, solved ones first. For qsort. */
int spn_hit_compare(const void *a, const void *b);

/* ---- tables of first hits ---- */

/* As HTML or Markdown; nothing if the figure is not of first hits. false without memory. */
bool spn_figure_hits_tables(FILE *stream, const spn_report_figure *figure, bool html);

/* Every length of every point, as CSV. */
bool spn_figure_lengths_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* What a curve came to in a line: "20 runs, 12 solved, half of them by 1.2e+06 proposals"; empty
   if the figure is no survival, NULL without memory. */
enum { SPN_HITS_TEXT = 240 };
const char *spn_curve_hits(char out[SPN_HITS_TEXT], const spn_report_figure *figure, size_t curve);

/* The word for what hits are counted in: "proposals". */
const char *spn_figure_unit(const spn_sweep_figure *request);

#endif
