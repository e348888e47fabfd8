/* What the tables of the commands say: the help, the manual, the completions and docs/. */
#ifndef SPN_CLI_HELP_H
#define SPN_CLI_HELP_H

#include "cli/options.h"

#include <stdio.h>

/* ---- texts, printed on stdout; each returns an exit status ---- */

/* A command on one screen: its common options and examples; all of it; the program. */
int cli_help(const cli_command *command);
int cli_help_all(const cli_command *command);
int cli_overview(void);

/* spinney.1, and the page of one command, in roff (the man macros). */
int cli_manual(void);
int cli_manual_of(const cli_command *command);

/* A script that completes commands, options, the words of settings, and files; shell: bash (also if
   it is NULL), zsh or fish. */
int cli_completion(const char *shell);

/* docs/settings.md: settings, presets and results of every task. */
int cli_settings_markdown(void);

/* ---- what these are made of ---- */

/* What stands for the value of an option, such as FILE; NULL for a flag. */
const char *cli_argument(const spn_setting *option);

/* The text that an option has if it is not given, or NULL; *preset: whether presets choose it. The
   text lives as long as the tables. */
const char *cli_default(const cli_command *command, const spn_setting *option, bool *preset);

/* ", 1 to 255" or nothing. */
void cli_put_range(FILE *out, const spn_setting *option);

/* An option in one line: all of it, or in brief; the texts of a preset as options, such as --gamma
   0.8 --beta 100:100000. Free both; NULL without memory. */
char *cli_description(const cli_command *command, const spn_setting *option, bool brief);
char *cli_preset_options(const spn_preset *preset);

#endif
