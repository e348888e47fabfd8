/* The scripts and style sheets of a page, put into the library by the build (cmake/page.cmake). */
#ifndef SPN_REPORT_PAGE_ASSETS_H
#define SPN_REPORT_PAGE_ASSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spn_asset {
    const uint8_t *data;
    size_t size; /* 0: not built in */
} spn_asset;

typedef struct spn_assets {
    spn_asset page_script, page_style;                  /* ours */
    spn_asset chart_script, chart_style, chart_licence; /* uPlot's */
} spn_assets;

spn_assets spn_assets_built_in(void);

/* Whether the page's interactive charts were built in. */
bool spn_report_has_charts(void);

/* What the build makes. */
extern const uint8_t spn_asset_page_script_data[], spn_asset_page_style_data[];
extern const size_t spn_asset_page_script_size, spn_asset_page_style_size;
extern const uint8_t spn_asset_chart_script_data[], spn_asset_chart_style_data[],
    spn_asset_chart_licence_data[];
extern const size_t spn_asset_chart_script_size, spn_asset_chart_style_size,
    spn_asset_chart_licence_size;

#endif
