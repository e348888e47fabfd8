/* Drawing curves, for every command that does. */
#ifndef SPN_CLI_PLOT_H
#define SPN_CLI_PLOT_H

#include "cli/options.h"

#include <spinney/lab/plot.h>

/* The columns of the terminal, at most 120; 80 if stdout is none. */
size_t cli_terminal_width(void);

/* Replace the curves of a figure by histograms of their y, in shared bins; free *numbers, also
   after an error. Errors: MEMORY. */
spn_status cli_histograms(spn_figure *figure, spn_curve *curves, double **numbers, spn_error *err);

/* Draw a figure into the file of --plot, as histograms if that is wanted; returns an exit status.
   Its curves may be changed. */
int cli_draw_file(const cli_values *values, spn_figure *figure, bool histograms);

#endif
