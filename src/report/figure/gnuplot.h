/* gnuplot: pieces of scripts, and the program itself. */
#ifndef SPN_REPORT_FIGURE_GNUPLOT_H
#define SPN_REPORT_FIGURE_GNUPLOT_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdio.h>

/* A string of the script, written so that gnuplot shows it as it is: nothing in it is run, and
   control characters become spaces. Every text that is not our own goes through here. */
void spn_gnuplot_quote(FILE *stream, const char *text);

/* The same of a name of a tic: of more than 24 letters the first, and "…". */
void spn_gnuplot_quote_name(FILE *stream, const char *text);

/* "set title" and the like, in lines of this many letters, broken between words; what does not fit
   into SPN_MOST_LINES ends in "…". Returns how many lines there are. */
enum { SPN_MOST_LINES = 6 };
size_t spn_gnuplot_set_text(FILE *stream, const char *setting, const char *text, size_t letters);

/* How many letters a text has, as UTF-8. */
size_t spn_text_letters(const char *text);

/* The terminal for a name that ends in .svg, .pdf or .png, names shown as they are; NULL for
   another. Pictures of all three kinds look the same: they are 720 units wide, `height` high, and
   their letters 13. */
enum { SPN_PICTURE_WIDTH = 720, SPN_PICTURE_HEIGHT = 440, SPN_LETTER = 13, SPN_TERMINAL = 160 };
const char *spn_gnuplot_terminal(char out[SPN_TERMINAL], const char *path, unsigned height);

/* What every figure sets: borders, tics, the grid, the encoding. */
void spn_gnuplot_style(FILE *stream);

/* Run a script of a folder (NULL: here) in it, with `settings` such as "ending='.part'" before it
   (NULL: none). path: what errors call the figure. Errors: IO (gnuplot is missing, or fails: with
   what it stopped at; or a file became larger than the limit for files). */
spn_status spn_gnuplot_run(const char *folder, const char *settings, const char *script,
                           const char *path, spn_error *err);

/* Whether the program is on the PATH. */
bool spn_gnuplot_found(void);

#endif
