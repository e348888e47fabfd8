/* The scale of a heat map: what colour a mean has, and in how many digits it is shown. */
#ifndef SPN_REPORT_FIGURE_FIGURE_HEAT_H
#define SPN_REPORT_FIGURE_FIGURE_HEAT_H

#include "report/figure/figure.h"

typedef struct spn_heat {
    double least, most; /* least < most */
    bool log;           /* asked for, and there are positive means: of these, least and most */
    int decimals;       /* the same in all cells; -1: the same digits, as befits a logarithm */
    double factor;      /* of what is shown */
} spn_heat;

spn_heat spn_heat_make(const spn_report_figure *figure);

/* From 0, the least, to 1. */
double spn_heat_share(const spn_heat *heat, double mean);

/* "–" for what is no number, or too great to be shown. */
const char *spn_heat_text(char out[SPN_SHOWN_MEAN], const spn_heat *heat, double mean);

/* The row of the map, from below, that curve k is drawn in: numbers go up, names go down. */
size_t spn_heat_row(const spn_report_figure *figure, size_t k);

#endif
