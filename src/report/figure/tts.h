/* Time to solution: what it costs to solve with a probability of 99%, by runs repeated until one of
   them is solved, at the length of a run where that is least. */
#ifndef SPN_REPORT_FIGURE_TTS_H
#define SPN_REPORT_FIGURE_TTS_H

#include "report/figure/figure.h"
#include <spinney/lab/report.h>

/* cost log(0.01)/log(1 - share), but one run at least; infinite where the share is 0. */
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
   one unit together, by a fixed seed, and each draw is minimised anew. The interval holds the
   middle 95% of these, q; the same mirrored at the estimate, tts^2/q, since a draw is below the
   estimate as that is below the truth; and the former at the best length, since all runs solved
   would be certainty to the draws. A draw without a solved run counts as the former's upper end.
   Where no run was solved, tts and high are infinite, and low is what it is at least, by Wilson's
   upper end. Cost: 1000 times the runs. Errors: MEMORY. */
spn_status spn_tts_find(spn_tts_estimate *out, const spn_hit *hits, size_t count, spn_tts_way way,
                        spn_error *err);

/* The median of those of several instances, which must have no intervals yet, with the percentile
   interval of 999 draws of the instances. Infinite where half of them were never solved; then low
   is the median of what they are at least. Errors: MEMORY. */
spn_status spn_tts_median(spn_tts_estimate *out, const spn_tts_estimate *of, size_t count,
                          spn_error *err);

/* The least of one length alone; the interval is Wilson's. Errors: MEMORY. */
spn_status spn_tts_of_length(spn_tts_estimate *out, const spn_hit *hits, size_t count,
                             size_t length, bool restarts, spn_error *err);

#endif
