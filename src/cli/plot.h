/* Drawing curves, for every command that does. */
#ifndef SPN_CLI_PLOT_H
#define SPN_CLI_PLOT_H

#include "cli/options.h"

#include <spinney/lab/plot.h>

/* Columns of the terminal of a stream, at most `most`; 80 if it is no terminal, or has at most
   `above`. */
size_t cli_terminal_width(int stream, size_t above, size_t most);

/* Draw a figure into the file of --plot, as histograms if wanted; returns an exit status. May
   change its curves. */
int cli_draw_file(const cli_values *values, spn_figure *figure, bool histograms);

#endif
