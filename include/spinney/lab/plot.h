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

SPN_END_C
#endif
