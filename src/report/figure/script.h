/* Kinds of figures, and what their gnuplot scripts share: start, end and axes. gnuplot itself makes
   room for titles, labels, tics and keys. */
#ifndef SPN_REPORT_FIGURE_SCRIPT_H
#define SPN_REPORT_FIGURE_SCRIPT_H

#include "report/figure/figure.h"
#include <spinney/status.h>
#include <stdbool.h>
#include <stdio.h>

/* A script while it is written. */
typedef struct spn_script {
    FILE *stream;
    const spn_report_figure *figure;
    const spn_grid *grid;
    const char *ending; /* ending of the kind, for the names of the pictures */
    unsigned height;    /* of the pictures */
} spn_script;

/* The start sets terminal, title and labels. The end draws again for the other formats. */
void spn_script_begin(const spn_script *script, const char *y_label);
void spn_script_end(const spn_script *script);

/* Begin the script of a kind that shows shares from its own data, with the key below. */
spn_script spn_script_begin_shares(FILE *stream, const spn_report_figure *figure,
                                   const spn_grid *grid, size_t kind, const char *y_label);

/* Tics of a logarithmic axis: powers of ten; below three decades also 2 and 5 times these; below a
   factor of ten even steps. */
void spn_script_log_tics(FILE *stream, const char *axis, double least, double most);

/* A tic with its text for each column: at its position on a logarithmic axis, else at its number.
   Long texts are rotated. */
void spn_script_column_tics(const spn_script *script, bool log);

/* Axis of x, with its ends. Returns whether it is logarithmic. */
bool spn_script_x_axis(double *first, double *last, const spn_script *script);

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

/* Each kind of figure is a file that defines its drawing, declared here and listed in script.c.
   <spinney/lab/records.h> has its word and what it needs. */

/* Returns false without memory. */
typedef bool spn_figure_writer(FILE *stream, const spn_report_figure *figure, const spn_grid *grid);

typedef struct spn_drawing {
    const char *what; /* what the picture shows, as alternative text: "Lines" */
    bool chart;       /* the page shows an interactive chart in place of the picture */
    /* Write the gnuplot script. It draws NAME plus the ending of the kind, as .svg, .pdf and .png,
       from NAME.csv in the current folder. The script appends its variable `ending` to the file
       names. NULL: no picture. */
    spn_figure_writer *script;
    const char *text_ending; /* of a text file, such as ".md"; NULL: none */
    spn_figure_writer *text;
    spn_figure_writer *page; /* as HTML; NULL: the page shows the chart or the picture */
} spn_drawing;

extern const spn_drawing spn_drawing_lines, spn_drawing_heat, spn_drawing_table,
    spn_drawing_histogram, spn_drawing_survival;

/* By kind. */
extern const spn_drawing *const spn_drawings[SPN_FIGURE_KINDS];

#endif
