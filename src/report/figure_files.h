/* The files of one figure: its data, gnuplot's scripts and pictures, and the table. */
#ifndef SPN_REPORT_FIGURE_FILES_H
#define SPN_REPORT_FIGURE_FILES_H

#include "report/figure.h"

#include <stdio.h>

/* The columns of a figure's CSV file, numbered from 1 as gnuplot does. Texts come last: gnuplot
   loses count behind a doubled quote. */
enum {
    SPN_CSV_POSITION = 1, /* where x is drawn */
    SPN_CSV_MEAN,
    SPN_CSV_HALF,
    SPN_CSV_RUNS,
    SPN_CSV_DEVIATION,
    SPN_CSV_REFERENCE,
    SPN_CSV_REFERENCE_HALF,
    SPN_CSV_JOINT,
    SPN_CSV_DIFFERENCE,
    SPN_CSV_ALSO,
    SPN_CSV_ALSO_HALF,
    SPN_CSV_COLUMN, /* of a heat map, from 0 */
    SPN_CSV_ROW,
    SPN_CSV_SHOWN /* then x and by, as they were given */
};

/* A row for each cell, curve by curve; numbers that read back exactly, none where there is none. */
void spn_figure_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* Scripts that draw NAME.svg, NAME.pdf and NAME.png, or NAME-heat.svg and so on, from NAME.csv, all
   in the folder they are run in. What is in `ending` is put behind the names of the pictures. */
void spn_figure_script_lines(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);
void spn_figure_script_heat(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* The table, the comparison and what it came to, as Markdown. */
void spn_figure_markdown(FILE *stream, const spn_report_figure *figure, const spn_grid *grid,
                         const spn_sweep *sweep);

/* The row of a heat map, from below, that curve k is drawn in: numbers go up, names go down. */
size_t spn_heat_row(const spn_report_figure *figure, size_t k);

#endif
