/* The scripts and style sheets of a page. */
#include "report/page/assets.h"

#include <spinney/lab/report.h>

spn_assets spn_assets_built_in(void)
{
    return (spn_assets){
        .page_script = {spn_asset_page_script_data, spn_asset_page_script_size},
        .page_style = {spn_asset_page_style_data, spn_asset_page_style_size},
#ifdef SPN_HAVE_CHARTS
        .chart_script = {spn_asset_chart_script_data, spn_asset_chart_script_size},
        .chart_style = {spn_asset_chart_style_data, spn_asset_chart_style_size},
        .chart_licence = {spn_asset_chart_licence_data, spn_asset_chart_licence_size},
#endif
    };
}

bool spn_report_has_charts(void)
{
    return spn_assets_built_in().chart_script.size > 0;
}
