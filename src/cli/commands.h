/* The commands, each in a file of its own: its options, its help and what it does. */
#ifndef SPN_CLI_COMMANDS_H
#define SPN_CLI_COMMANDS_H

#include "cli/options.h"

typedef int cli_runner(const cli_command *command, int argc, char **argv);

extern const cli_option cli_anneal_options[], cli_exact_options[], cli_plot_options[];
extern const char cli_anneal_details[], cli_exact_details[], cli_plot_details[];
cli_runner cli_anneal, cli_exact, cli_plot;

extern const cli_option cli_train_options[];
cli_runner cli_train;

extern const cli_option cli_eval_options[], cli_predict_options[], cli_export_options[],
    cli_show_options[];
extern const char cli_eval_details[], cli_predict_details[], cli_export_details[],
    cli_show_details[];
cli_runner cli_eval, cli_predict, cli_export, cli_show;

extern const cli_option cli_report_options[];
extern const char cli_report_details[];
cli_runner cli_report;

extern const cli_option cli_sweep_options[];
extern const char cli_sweep_details[];
cli_runner cli_sweep;

#endif
