/* The page of a report: one HTML file with everything in it. */
#ifndef SPN_REPORT_PAGE_PAGE_H
#define SPN_REPORT_PAGE_PAGE_H

#include "base/text.h"
#include "report/figure/figure.h"

#include <stdint.h>
#include <stdio.h>

/* Scripts and style sheets that the build puts into the library. Size 0: not built in. */
typedef struct spn_assets {
    spn_span page_script, page_style;                  /* ours */
    spn_span chart_script, chart_style, chart_licence; /* uPlot's */
} spn_assets;

spn_assets spn_assets_built_in(void);

/* Made by the build (cmake/page.cmake). */
extern const uint8_t spn_asset_page_script_data[], spn_asset_page_style_data[];
extern const size_t spn_asset_page_script_size, spn_asset_page_style_size;
extern const uint8_t spn_asset_chart_script_data[], spn_asset_chart_style_data[],
    spn_asset_chart_licence_data[];
extern const size_t spn_asset_chart_script_size, spn_asset_chart_style_size,
    spn_asset_chart_licence_size;

typedef struct spn_page {
    const spn_records *records;
    size_t count;
    const spn_report_figure *figures;
    const char *const *missing; /* for each figure: NULL, or why there is nothing to show */
    const spn_assets *assets;   /* without chart_script: pictures instead of charts */
    const char *pictures;       /* folder with NAME.svg; NULL: no pictures */
    const bool (*undrawn)[SPN_FIGURE_KINDS]; /* for each figure and kind: its picture is missing;
                                                NULL: none is */
} spn_page;

/* Errors: IO, MEMORY, ARGUMENT (a text that is not UTF-8). */
spn_status spn_page_write(FILE *stream, const spn_page *page, spn_error *err);

/* Whether every run of the sweep is finished. */
bool spn_page_is_complete(const spn_page *page);

spn_status spn_page_figures(FILE *stream, const spn_page *page, spn_error *err);

/* Figures and runs as JSON for the scripts; no text in it can end the script. */
spn_status spn_page_data(FILE *stream, const spn_page *page, spn_error *err);

#endif
