#ifndef SPN_REPORT_FIGURE_GNUPLOT_H
#define SPN_REPORT_FIGURE_GNUPLOT_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdio.h>

/* Quote a text so that gnuplot shows it unchanged and runs nothing in it; control characters
   become spaces. Use this for every text that is not our own. */
void spn_gnuplot_quote(FILE *stream, const char *text);

/* The same for the name of a tic, cut after 24 letters with "…". */
void spn_gnuplot_quote_name(FILE *stream, const char *text);

/* "set title" and the like, wrapped between words to lines of this many letters, at most
   SPN_MOST_LINES; a longer text ends in "…". Returns the number of lines. */
enum { SPN_MOST_LINES = 6 };
size_t spn_gnuplot_set_text(FILE *stream, const char *setting, const char *text, size_t letters);

/* Characters of a UTF-8 text. */
size_t spn_text_letters(const char *text);

/* Terminal for a name that ends in .svg, .pdf or .png; NULL for others. All three look the same:
   720 units wide, `height` high, letters of 13. */
enum { SPN_PICTURE_WIDTH = 720, SPN_PICTURE_HEIGHT = 440, SPN_LETTER = 13, SPN_TERMINAL = 160 };
const char *spn_gnuplot_terminal(char out[SPN_TERMINAL], const char *path, unsigned height);

/* Settings of every figure: borders, tics, grid, encoding. */
void spn_gnuplot_style(FILE *stream);

/* Run a script in a folder (NULL: the current one), after `settings` such as "ending='.part'"
   (NULL: none). path: the figure, for errors. Errors: IO (gnuplot is missing or failed, with its
   reason; or a file exceeded the size limit). */
spn_status spn_gnuplot_run(const char *folder, const char *settings, const char *script,
                           const char *path, spn_error *err);

bool spn_gnuplot_found(void);

#endif
