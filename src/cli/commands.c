/* The table of commands. */
#include "cli/commands.h"

const cli_command cli_commands[] = {
    {"anneal", NULL, "anneal replicas of an energy towards wide, dense minima", cli_anneal_details,
     cli_anneal_options, cli_anneal},
    {"exact", NULL, "compute the laws, chains and dense regions of a small energy exactly",
     cli_exact_details, cli_exact_options, cli_exact},
    {"plot", "TRACE", "draw the trace of a run, in the terminal or as SVG, PDF or PNG",
     cli_plot_details, cli_plot_options, cli_plot},
    {NULL, NULL, NULL, NULL, NULL, NULL}};
