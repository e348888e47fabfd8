/* What the tables of the commands say, as texts: the help of a command and of the program. */
#ifndef SPN_CLI_HELP_H
#define SPN_CLI_HELP_H

#include "cli/options.h"

#include <stdio.h>

/* Print on stdout; return an exit status. */
int cli_help(const cli_command *command);
int cli_overview(void);

/* ---- what other descriptions are made of ---- */

/* What stands for the value of an option, such as FILE; NULL for a flag. */
const char *cli_argument(const spn_setting *option);

/* The text that an option has where it is not given, or NULL; *preset: whether it is one of those
   that presets choose. The text lives as long as the tables. */
const char *cli_default(const cli_command *command, const spn_setting *option, bool *preset);

/* ", 1 to 255" or nothing. */
void cli_put_range(FILE *out, const spn_setting *option);

/* All that is known of an option, in a line; the texts of a preset as options, such as --gamma 0.8
   --beta 100:100000. To be freed; NULL without memory. */
char *cli_description(const cli_command *command, const spn_setting *option);
char *cli_preset_options(const spn_preset *preset);

#endif
