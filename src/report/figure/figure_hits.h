/* Tables of figures of first hits: what the curves of a survival came to, and the lengths of runs
   behind times to solution. */
#ifndef SPN_REPORT_FIGURE_FIGURE_HITS_H
#define SPN_REPORT_FIGURE_FIGURE_HITS_H

#include "report/drawings.h"

/* As Markdown and on the page; nothing where the figure is not of first hits. false without memory.
 */
bool spn_figure_hits_markdown(FILE *stream, const spn_report_figure *figure);
bool spn_figure_hits_page(FILE *stream, const spn_report_figure *figure);

/* Every length of every point, as CSV. */
bool spn_figure_lengths_csv(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

/* What a curve came to in a line: "20 runs, 12 solved, half of them by 1.2e+06 proposals"; empty
   where the figure is no survival, NULL without memory. */
enum { SPN_HITS_TEXT = 240 };
const char *spn_curve_hits(char out[SPN_HITS_TEXT], const spn_report_figure *figure, size_t curve);

/* The word for what hits are counted in: "proposals". */
const char *spn_figure_unit(const spn_sweep_figure *request);

#endif
