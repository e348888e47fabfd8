/* How each kind of figure is drawn. Each kind is a file that defines its drawing, declared here
   and listed in drawings.c. <spinney/lab/records.h> has its word and what it needs. */
#ifndef SPN_REPORT_DRAWINGS_H
#define SPN_REPORT_DRAWINGS_H

#include "report/figure/figure.h"

#include <stdio.h>

/* Returns false without memory. */
typedef bool spn_figure_writer(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

typedef struct spn_drawing {
    const char *what; /* what the picture shows, as alternative text: "Lines" */
    bool chart;       /* the page shows an interactive chart in place of the picture */
    /* Write the gnuplot script. It draws NAME plus the ending of the kind, as .svg, .pdf and .png,
       from NAME.csv in the current folder. The script appends its variable `ending` to the file
       names. NULL: no picture. */
    spn_figure_writer *script;
    const char *text_ending; /* of a text file, such as ".md"; NULL: none */
    spn_figure_writer *text;
    spn_figure_writer *page; /* as HTML; NULL: the page shows the chart or the picture */
} spn_drawing;

extern const spn_drawing spn_drawing_lines, spn_drawing_heat, spn_drawing_table,
    spn_drawing_histogram, spn_drawing_survival;

/* By kind. */
extern const spn_drawing *const spn_drawings[SPN_FIGURE_KINDS];

#endif
