/* Progress of a run on stderr: a bar on a terminal, occasional lines elsewhere. And signals that
   stop it. */
#ifndef SPN_CLI_TERMINAL_H
#define SPN_CLI_TERMINAL_H

#include "cli/options.h"
#include <spinney/lab/plot.h>
#include <spinney/lab/sweep.h>
#include <spinney/lab/task.h>

/* Set once the user asks to stop; a second signal ends the program at once. */
extern volatile sig_atomic_t cli_interrupted;
void cli_catch_signals(void);

typedef struct cli_progress {
    bool quiet;
    bool terminal;
    double started, shown; /* seconds */
    /* State at the first look, and when last shown. */
    bool begun;
    double first_share, first_proposals, proposals, accepted;
    size_t first_finished; /* runs of a sweep */
} cli_progress;

cli_progress cli_progress_start(bool quiet);

/* Show the progress of a job, if it is time to. */
void cli_progress_run(void *progress, const spn_progress *run);

/* The same for a sweep. */
void cli_progress_sweep(void *progress, const spn_sweep_progress *sweep);

void cli_progress_end(cli_progress *progress);

/* Such as 1:02:03. */
void cli_format_time(char *out, size_t size, double seconds);

/* Drawing curves, for every command that does. */

/* Columns of the terminal of a stream, at most `most`; 80 if it is no terminal, or has at most
   `above`. */
size_t cli_terminal_width(int stream, size_t above, size_t most);

/* Draw a figure into the file of --plot, as histograms if wanted; returns an exit status. May
   change its curves. */
int cli_draw_file(const cli_values *values, spn_figure *figure, bool histograms);

/* The same for columns of a trace, NAME or NAME_1, NAME_2, ...; y NULL: the energies. */
int cli_draw_trace(const cli_values *values, const char *path, const char *y);

#endif
