/* How far a run is: a bar on a terminal, now and then a plain line elsewhere; always on stderr. And
   what stops it. */
#ifndef SPN_CLI_PROGRESS_H
#define SPN_CLI_PROGRESS_H

#include <spinney/chain.h>
#include <spinney/lab/sweep.h>

#include <spinney/lab/task.h>

/* Set once the user has asked to stop; a second signal of the kind ends the program at once. */
extern volatile sig_atomic_t cli_interrupted;
void cli_catch_signals(void);

typedef struct cli_progress {
    bool quiet;
    bool terminal;
    double started, shown; /* seconds */
    /* Where the run was when it was first looked at, and when it was last shown. */
    bool begun;
    double first_share, first_proposals, proposals, accepted;
    size_t first_finished; /* runs of a sweep */
} cli_progress;

cli_progress cli_progress_start(bool quiet);

/* Show how far a job is, if it is time to. */
void cli_progress_run(void *progress, const spn_progress *run);

/* The same for a sweep. */
void cli_progress_sweep(void *progress, const spn_sweep_progress *sweep);

/* Remove the bar. */
void cli_progress_end(cli_progress *progress);

/* Seconds as text such as 1:02:03. */
void cli_format_time(char *out, size_t size, double seconds);

#endif
