/* gnuplot: pieces of scripts, and the program itself. */
#ifndef SPN_REPORT_GNUPLOT_H
#define SPN_REPORT_GNUPLOT_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdio.h>

/* A string of the script. In single quotes: gnuplot runs what stands in backquotes elsewhere, even
   inside double ones. */
void spn_gnuplot_quote(FILE *stream, const char *text);

/* The terminal for a name that ends in .svg, .pdf or .png, names shown as they are; NULL for
   another. */
const char *spn_gnuplot_terminal(const char *path);

/* What every figure sets: borders, tics, the grid, the encoding. */
void spn_gnuplot_style(FILE *stream);

/* Run a script in a folder (NULL: here), with `settings` such as "ending='.part'" before it (NULL:
   none). path: what errors call the figure. Errors: IO (gnuplot is missing, or fails: with what it
   stopped at). */
spn_status spn_gnuplot_run(const char *folder, const char *settings, const char *script,
                           const char *path, spn_error *err);

/* Whether the program is on the PATH. */
bool spn_gnuplot_found(void);

#endif
