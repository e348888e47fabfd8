/* What the tables of the commands make: help, manual, completions and docs/. */
#ifndef SPN_CLI_HELP_H
#define SPN_CLI_HELP_H

#include "cli/options.h"

#include <stdio.h>

/* A command on one screen: common options and examples; all options; the program. */
int cli_help(const cli_command *command);
int cli_help_all(const cli_command *command);
int cli_overview(void);

/* spinney.1, and the page of one command, in roff (man macros). */
int cli_manual(void);
int cli_manual_of(const cli_command *command);

/* A script that completes commands, options, words of settings and files. shell: bash (also if
   NULL), zsh or fish. */
int cli_completion(const char *shell);

/* docs/settings.md: settings, presets and results of every task. */
int cli_settings_markdown(void);

/* Placeholder for the value of an option, such as FILE; NULL for a flag. */
const char *cli_argument(const spn_setting *option);

/* Default text of an option, or NULL; it lives as long as the tables. *preset: whether presets
   choose it. */
const char *cli_default(const cli_command *command, const spn_setting *option, bool *preset);

/* ", 1 to 255" or nothing. */
void cli_put_range(FILE *out, const spn_setting *option);

/* An option in one line, in full or brief; a preset as options, such as --gamma 0.8 --beta
   100:100000. Free both; NULL without memory. */
char *cli_description(const cli_command *command, const spn_setting *option, bool brief);
char *cli_preset_options(const spn_preset *preset);

#endif
