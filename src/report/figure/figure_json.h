/* A figure as JSON. */
#ifndef SPN_REPORT_FIGURE_FIGURE_JSON_H
#define SPN_REPORT_FIGURE_FIGURE_JSON_H

#include "base/json.h"
#include "report/figure/figure.h"

/* Write a figure as an element of a list: the columns of its grid, and for each curve the summaries
   of its cells. all: also what a page has elsewhere or does not show. false without memory. */
bool spn_figure_json(spn_json *json, const spn_report_figure *figure, bool all);

#endif
