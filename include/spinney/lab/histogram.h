/* Histograms: how values are spread. */
#ifndef SPINNEY_LAB_HISTOGRAM_H
#define SPINNEY_LAB_HISTOGRAM_H

#include <spinney/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Equal bins: bin k holds what is at least start + k width and below the next. */
typedef struct spn_bins {
    double start, width;
    size_t count;
} spn_bins;

/* A sample; NaN and infinite values are left out. */
typedef struct spn_sample {
    const double *values;
    size_t count;
} spn_sample;

enum { SPN_MOST_BINS = 60 };

/* Bins for some samples that are drawn over each other. The width is the least of the samples' own
   by the rule of Freedman and Diaconis (doi:10.1007/BF01025868), 2 (q3 - q1) / n^(1/3), or, if
   that is 0, the range over 1 + log2 n; there are at most SPN_MOST_BINS bins. Values on a grid,
   such as whole numbers or overlaps in steps of 2/N, have bins of whole steps centred on them, so
   every bin has the same number of steps. count is 0 if there is no value. Cost: that of sorting.
   Errors: MEMORY. */
SPN_API spn_status spn_bins_choose(spn_bins *out, const spn_sample *samples, size_t count,
                                   spn_error *err);

/* The outline of a histogram as a curve of 2 bins + 2 points, each bin's share of the sample its
   height: for spn_figure. x and y have room for them. Errors: MEMORY. */
SPN_API spn_status spn_bins_outline(double *x, double *y, const spn_bins *bins,
                                    const spn_sample *sample, spn_error *err);

/* The outline of one sample in its own bins: *points of it, none if there is no value; x and y have
   room for 2 SPN_MOST_BINS + 2. Errors: MEMORY. */
SPN_API spn_status spn_histogram_outline(double *x, double *y, size_t *points, const double *values,
                                         size_t count, spn_error *err);

#ifdef __cplusplus
}
#endif
#endif
