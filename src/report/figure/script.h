/* Parts that the gnuplot scripts of all kinds share: start, end and axes. gnuplot itself makes
   room for titles, labels, tics and keys. */
#ifndef SPN_REPORT_FIGURE_SCRIPT_H
#define SPN_REPORT_FIGURE_SCRIPT_H

#include "report/drawings.h"
#include "report/figure/figure.h"
#include "report/figure/gnuplot.h"

/* A script while it is written. */
typedef struct spn_script {
    FILE *stream;
    const spn_report_figure *figure;
    const spn_grid *grid;
    const char *ending; /* ending of the kind, for the names of the pictures */
    unsigned height;    /* of the pictures */
} spn_script;

/* The start sets terminal, title and labels. The end draws again for the other formats. */
void spn_script_begin(const spn_script *script, const char *y_label);
void spn_script_end(const spn_script *script);

/* Begin the script of a kind that shows shares from its own data, with the key below. */
spn_script spn_script_begin_shares(FILE *stream, const spn_report_figure *figure,
                                   const spn_grid *grid, size_t kind, const char *y_label);

/* Tics of a logarithmic axis: powers of ten; below three decades also 2 and 5 times these; below a
   factor of ten even steps. */
void spn_script_log_tics(FILE *stream, const char *axis, double least, double most);

/* A tic with its text for each column: at its position on a logarithmic axis, else at its number.
   Long texts are rotated. */
void spn_script_column_tics(const spn_script *script, bool log);

/* Axis of x, with its ends. Returns whether it is logarithmic. */
bool spn_script_x_axis(double *first, double *last, const spn_script *script);

#endif
