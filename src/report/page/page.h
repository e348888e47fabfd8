/* The page of a report: one HTML file that holds everything. */
#ifndef SPN_REPORT_PAGE_PAGE_H
#define SPN_REPORT_PAGE_PAGE_H

#include "report/figure/figure.h"

#include <stdint.h>
#include <stdio.h>

/* The scripts and style sheets, put into the library by the build. */
typedef struct spn_asset {
    const uint8_t *data;
    size_t size; /* 0: not built in */
} spn_asset;

typedef struct spn_assets {
    spn_asset page_script, page_style;                  /* ours */
    spn_asset chart_script, chart_style, chart_licence; /* uPlot's */
} spn_assets;

spn_assets spn_assets_built_in(void);

/* What the build makes (cmake/page.cmake). */
extern const uint8_t spn_asset_page_script_data[], spn_asset_page_style_data[];
extern const size_t spn_asset_page_script_size, spn_asset_page_style_size;
extern const uint8_t spn_asset_chart_script_data[], spn_asset_chart_style_data[],
    spn_asset_chart_licence_data[];
extern const size_t spn_asset_chart_script_size, spn_asset_chart_style_size,
    spn_asset_chart_licence_size;

/* What the page is made from. */
typedef struct spn_page {
    const spn_records *records;
    size_t count;
    const spn_report_figure *figures;
    const char *const *missing; /* for each figure: NULL, or why there is nothing to show */
    const spn_assets *assets;   /* without a chart_script: pictures instead of charts */
    const char *pictures;       /* the folder with NAME.svg; NULL: there are none */
    const bool (*undrawn)[SPN_FIGURE_KINDS]; /* for each figure and kind: it has no picture there;
                                                NULL: all have one */
} spn_page;

/* Errors: IO, MEMORY, ARGUMENT (a text that is not UTF-8). */
spn_status spn_page_write(FILE *stream, const spn_page *page, spn_error *err);

/* ---- its parts ---- */

/* Whether every run of the sweep is finished. */
bool spn_page_is_complete(const spn_page *page);

/* A section for each figure. */
spn_status spn_page_figures(FILE *stream, const spn_page *page, spn_error *err);

/* The specification as YAML, and where and when the runs were done. */
spn_status spn_page_specification(FILE *stream, const spn_sweep *sweep, spn_error *err);
void spn_page_machines(FILE *stream, const spn_records *records);
void spn_page_facts(FILE *stream, const spn_records *records);

/* What the scripts draw: the figures and all runs, as JSON that no text in it can end. */
spn_status spn_page_data(FILE *stream, const spn_page *page, spn_error *err);

#endif
