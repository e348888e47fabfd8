/* Reports: figures and tables of a sweep as files, and one page with all of them. */
#ifndef SPINNEY_LAB_REPORT_H
#define SPINNEY_LAB_REPORT_H

#include <spinney/lab/records.h>

SPN_BEGIN_C

typedef struct spn_report_options {
    const char *page; /* HTML file; NULL: none */
    const char
        *figures;  /* folder for NAME.svg, .pdf, .png, .gp, .csv and, for tables, .md; NULL: none */
    bool pictures; /* draw, which needs gnuplot; else only scripts and data */
    bool still;    /* the page has pictures instead of interactive charts */
    void (*told)(void *context, const char *line);  /* may be NULL: outcome of each figure */
    void (*wrote)(void *context, const char *path); /* may be NULL: every file */
    void *context;
} spn_report_options;

/* Add conditions to every figure. Errors: ARGUMENT (not a condition; the text starts with where),
   MEMORY. */
SPN_API spn_status spn_report_restrict(spn_sweep *sweep, const char *const *where, size_t count,
                                       spn_error *err);

/* Write page and figures. A figure without data is left out, and the page says why. Errors:
   INPUT, IO (references and output; also if gnuplot failed on a figure and all else was
   written), MEMORY. */
SPN_API spn_status spn_report_write(const spn_records *records, const spn_report_options *options,
                                    spn_error *err);

/* Whether gnuplot is installed. */
SPN_API bool spn_report_can_draw(void);

SPN_END_C
#endif
