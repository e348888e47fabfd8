/* How each kind of figure is drawn. A kind is one file that defines its drawing, declared here and
   listed in drawings.c; its word, and what it needs, is a line of <spinney/lab/records.h>. */
#ifndef SPN_REPORT_DRAWINGS_H
#define SPN_REPORT_DRAWINGS_H

#include "report/figure/figure.h"

#include <stdio.h>

/* false without memory. */
typedef bool spn_figure_writer(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

typedef struct spn_drawing {
    const char *what; /* what its picture shows, for those who cannot see it: "Lines" */
    bool chart;       /* the page has an interactive chart of the curves in place of the picture */
    /* gnuplot's script of pictures, which draws NAME, the kind's ending, and .svg, .pdf and .png,
       from NAME.csv, all in the folder it is run in. `ending` is appended to the names of the
       pictures. NULL: there are none. */
    spn_figure_writer *script;
    const char *text_ending; /* of the name of a file of text, such as ".md"; NULL: there is none */
    spn_figure_writer *text;
    spn_figure_writer *page; /* as HTML; NULL: the page shows the chart or the picture */
} spn_drawing;

extern const spn_drawing spn_drawing_lines, spn_drawing_heat, spn_drawing_table,
    spn_drawing_histogram, spn_drawing_survival;

/* For each kind of <spinney/lab/records.h>. */
extern const spn_drawing *const spn_drawings[SPN_FIGURE_KINDS];

#endif
