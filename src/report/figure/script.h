/* gnuplot's scripts of figures: the start, the end and the axes, which all kinds share. */
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
    const char *ending; /* of the kind: pictures are called by the figure's name and this */
    unsigned height;    /* of the pictures */
} spn_script;

/* The start: terminal, title, labels of both axes. The end draws again for the other files. */
void spn_script_begin(const spn_script *script, const char *y_label);
void spn_script_end(const spn_script *script);

/* Begin the script of a kind that shows shares and has data of its own, with its key below. */
spn_script spn_script_begin_shares(FILE *stream, const spn_report_figure *figure,
                                   const spn_grid *grid, size_t kind, const char *y_label);

/* Tics of a logarithmic axis. Over three decades gnuplot's own powers of ten do; over less there
   are also 2 and 5 times these, and below a factor of ten even steps. */
void spn_script_log_tics(FILE *stream, const char *axis, double least, double most);

/* A tic for each column of the grid with its text: where it is drawn on a logarithmic axis, else at
   its number. Long texts are turned. */
void spn_script_column_tics(const spn_script *script, bool log);

/* The axis of x of a figure with lines; where it ends. */
typedef struct spn_x_axis {
    bool log;
    double first, last;
} spn_x_axis;
spn_x_axis spn_script_x_axis(const spn_script *script);

#endif
