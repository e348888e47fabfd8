#ifndef SPINNEY_LAB_HISTOGRAM_H
#define SPINNEY_LAB_HISTOGRAM_H

#include <spinney/lab/plot.h>
#include <stdbool.h>

SPN_BEGIN_C

/* Equal bins: bin k holds values from start + k width to below the next. */
typedef struct spn_bins {
    double start, width;
    size_t count;
} spn_bins;

enum { SPN_MOST_BINS = 60 };

/* Choose shared bins for some samples (the y of curves); NaN and infinite values are left out. The
   width is the least over the samples by the rule of Freedman and Diaconis
   (doi:10.1007/BF01025868), 2 (q3 - q1) / n^(1/3), or, if that is 0, the range over 1 + log2 n.
   There are at most SPN_MOST_BINS bins. For values on a grid, such as whole numbers or overlaps in
   steps of 2/N, bins are centred on them and hold the same number of steps. count is 0 without
   values. Cost: that of sorting. Errors: MEMORY. */
SPN_API spn_status spn_bins_choose(spn_bins *out, const spn_curve *samples, size_t count,
                                   spn_error *err);

/* Outline of a histogram as a curve of 2 bins + 2 points; heights are shares of the sample. x and
   y must have room. Errors: MEMORY. */
SPN_API spn_status spn_bins_outline(double *x, double *y, const spn_bins *bins,
                                    const spn_curve *sample, spn_error *err);

/* Outline of one sample in its own bins. *points: their number, 0 without values. x and y have
   room for 2 SPN_MOST_BINS + 2. Errors: MEMORY. */
SPN_API spn_status spn_histogram_outline(double *x, double *y, size_t *points, const double *values,
                                         size_t count, spn_error *err);

SPN_END_C
#endif
