/* Reports: the figures and tables of a sweep's folder as files, and one page that holds it all. */
#ifndef SPINNEY_LAB_REPORT_H
#define SPINNEY_LAB_REPORT_H

#include <spinney/lab/records.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_report_options {
    const char *page;    /* the HTML file; NULL: none */
    const char *figures; /* a folder for NAME.svg, .pdf, .png, .gp, .csv and, for tables, .md;
                            NULL: none */
    bool pictures;       /* draw, which needs gnuplot; else scripts and data only */
    bool still;          /* the page has pictures instead of interactive charts, as if the charts
                            were not built in */
    void (*told)(void *context, const char *line);  /* may be NULL: the outcome of each figure */
    void (*wrote)(void *context, const char *path); /* may be NULL: every file */
    void *context;
} spn_report_options;

/* Add conditions to those of every figure. Errors: ARGUMENT (no condition; the text starts with
   where), MEMORY. */
SPN_API spn_status spn_report_restrict(spn_sweep *sweep, const char *const *where, size_t count,
                                       spn_error *err);

/* Write page and figures. A figure without data is left out, and the page says why. Errors: INPUT,
   IO (references, and what is written; also if gnuplot failed on a figure and all else was
   written), MEMORY. */
SPN_API spn_status spn_report_write(const spn_records *records, const spn_report_options *options,
                                    spn_error *err);

/* Whether gnuplot is installed. */
SPN_API bool spn_report_can_draw(void);

#ifdef __cplusplus
}
#endif
#endif
