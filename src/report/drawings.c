#include "report/drawings.h"

const spn_drawing *const spn_drawings[SPN_FIGURE_KINDS] = {
    [SPN_FIGURE_LINES] = &spn_drawing_lines,       [SPN_FIGURE_HEAT] = &spn_drawing_heat,
    [SPN_FIGURE_TABLE] = &spn_drawing_table,       [SPN_FIGURE_HISTOGRAM] = &spn_drawing_histogram,
    [SPN_FIGURE_SURVIVAL] = &spn_drawing_survival,
};
