/* The numbers of a figure as a CSV file, which gnuplot draws from. */
#ifndef SPN_REPORT_FIGURE_FIGURE_CSV_H
#define SPN_REPORT_FIGURE_FIGURE_CSV_H

#include "report/figure/figure.h"

#include <stdio.h>

/* The columns, numbered from 1 as gnuplot does. Texts come last: gnuplot loses count behind a
   doubled quote. */
enum {
    SPN_CSV_POSITION = 1, /* where x is drawn */
    SPN_CSV_MEAN,
    SPN_CSV_HALF,
    SPN_CSV_LOW, /* the ends of the interval */
    SPN_CSV_HIGH,
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
bool spn_figure_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

#endif
