/* Pieces of HTML, and tables of a figure on the page. */
#ifndef SPN_REPORT_PAGE_HTML_H
#define SPN_REPORT_PAGE_HTML_H

#include "report/figure/figure.h"

#include <stdio.h>

/* Text, in content and in attributes; control characters become spaces. */
void spn_html_text(FILE *stream, const char *text);

/* The text between tags, such as <td> and </td>; the tag is given without its brackets and may have
   attributes. */
void spn_html_element(FILE *stream, const char *tag, const char *text);

/* A table that may be wider than the page: what it shows, over it; its class. */
void spn_html_open_table(FILE *stream, const char *class, const char *what);
void spn_html_close_table(FILE *stream);

/* The head of a table of the grid, with a column for each x; the start of the row of curve k. */
void spn_html_grid_head(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);
void spn_html_grid_row(FILE *stream, const spn_report_figure *figure, size_t k);

#endif
