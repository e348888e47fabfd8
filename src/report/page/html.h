#ifndef SPN_REPORT_PAGE_HTML_H
#define SPN_REPORT_PAGE_HTML_H

#include "report/figure/figure.h"

#include <stdarg.h>
#include <stdio.h>

/* Escaped for content and attributes; control characters become spaces. */
void spn_html_text(FILE *stream, const char *text);

/* A format with only %s, which is escaped, and %zu. */
void spn_html_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with another function for texts. */
void spn_put_list(FILE *stream, void (*put)(FILE *stream, const char *text), const char *format,
                  va_list args) __attribute__((format(printf, 3, 0)));

/* Text between tags such as <td> and </td>. The tag has no brackets and may have attributes. */
void spn_html_element(FILE *stream, const char *tag, const char *text);

/* A table that may be wider than the page, with its class and caption. */
void spn_html_open_table(FILE *stream, const char *class, const char *what);
void spn_html_close_table(FILE *stream);

/* Head of a table with a column for each x; start of the row of curve k. */
void spn_html_grid_head(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);
void spn_html_grid_row(FILE *stream, const spn_report_figure *figure, size_t k);

#endif
