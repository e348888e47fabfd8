/* The command sweep from inside. */
#ifndef SPN_CLI_SWEEP_H
#define SPN_CLI_SWEEP_H

#include "cli/options.h"
#include <spinney/lab/sweep.h>

typedef struct cli_sweep_state {
    cli_values values;
    spn_sweep *sweep;
    spn_sweep_options options;
    char *folder; /* of options */
} cli_sweep_state;

/* What would be run, and how long that would take: prints it and returns the exit status. */
int cli_sweep_plan(const cli_sweep_state *state);

#endif
