/* The commands, each in a file of its own: its options, its help and what it does. */
#ifndef SPN_CLI_COMMANDS_H
#define SPN_CLI_COMMANDS_H

#include "cli/options.h"

typedef int cli_runner(const cli_command *command, int argc, char **argv);

extern const cli_option cli_anneal_options[], cli_exact_options[], cli_plot_options[];
extern const char cli_anneal_details[], cli_exact_details[], cli_plot_details[];
cli_runner cli_anneal, cli_exact, cli_plot;

#endif
