/* What the scripts of lines and of heat maps share. Lengths are in the units of a picture, which is
   720 wide. */
#ifndef SPN_REPORT_FIGURE_SCRIPT_H
#define SPN_REPORT_FIGURE_SCRIPT_H

#include "report/figure_files.h"
#include "report/gnuplot.h"

/* How wide letters are, of a size: a little wider than most. */
static inline double spn_letters(size_t count, double size)
{
    return 0.62 * size * (double)count;
}

/* Where things are in a picture. */
typedef struct spn_layout {
    unsigned height;
    double right; /* kept free right of the plot: for a legend, or for the colours of a heat map */
    double below; /* and under the labels of the plot: for a legend */
    double label; /* how high the label of x is; the start sets it */
} spn_layout;

/* How wide the plot is, its labels at the left taken off. */
double spn_layout_width(const spn_layout *layout);

/* How many letters of a title fit; of a label at the side. */
size_t spn_layout_letters(const spn_layout *layout);
enum { SPN_SIDE_LETTERS = 46 };

/* The start and the end; stem: the pictures' name without ending. The end draws. */
void spn_script_begin(FILE *stream, const spn_report_figure *figure, const char *stem,
                      spn_layout *layout);
void spn_script_end(FILE *stream, const char *stem, const spn_layout *layout);

/* The label of the axis at the left, whose tics have names of so many letters. */
void spn_script_y_label(FILE *stream, const char *text, size_t letters);

/* Round numbers from one end of an axis to the other; on a logarithmic one of up to three decades
   1, 2 and 5 times powers of ten, beyond powers of ten. Returns how many. */
enum { SPN_TICS = 24 };
size_t spn_tics(double out[SPN_TICS], double least, double most, bool log);

/* "set ytics (1, 2, 5)" at these; where `extra` is no NaN, a 0 as well, drawn there. */
void spn_script_tics(FILE *stream, const char *axis, double least, double most, bool log,
                     double extra);

/* A tic for each x with its text: on a logarithmic axis where it is drawn, else at the number of
   its column. Texts that do not fit side by side within `width` are shortened, if they are numbers,
   and then turned, or, on a logarithmic axis, left out. Returns how high the texts are. */
double spn_script_tic_each(FILE *stream, const spn_grid *grid, bool log, double width);

/* The axes of lines. */
typedef struct spn_axes {
    bool log_x, log_y;
    double first, last; /* where the axis of x ends */
    double tics;        /* how high the texts of its tics are */
} spn_axes;
void spn_script_axes(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                     const spn_layout *layout, spn_axes *out);

#endif
