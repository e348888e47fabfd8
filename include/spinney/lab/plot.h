/* Figures of curves: as text for a terminal, or as SVG, PDF or PNG files through gnuplot. */
#ifndef SPINNEY_LAB_PLOT_H
#define SPINNEY_LAB_PLOT_H

#include <spinney/status.h>
#include <stdbool.h>

SPN_BEGIN_C

typedef struct spn_curve {
    const char *name;
    size_t count;
    const double *x;
    const double *y;
} spn_curve;

typedef struct spn_figure {
    const char *title;
    const char *x_label, *y_label;
    bool log_x, log_y; /* such an axis leaves out points that are not positive */
    size_t count;
    const spn_curve *curves;
} spn_figure;

/* The figure in braille, `width` by `height` characters with its axes (at least 30 by 8); the
   caller frees it. `colour` adds terminal colours. */
SPN_API spn_status spn_figure_text(char **out, const spn_figure *figure, size_t width,
                                   size_t height, bool colour, spn_error *err);

/* Write a file whose name ends in .svg, .pdf or .png. The gnuplot script with its data is kept as
   PATH.gp. Errors: ARGUMENT (the ending), IO (gnuplot is missing or failed). */
SPN_API spn_status spn_figure_file(const spn_figure *figure, const char *path, spn_error *err);

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
