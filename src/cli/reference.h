/* What the tables say, for other readers than those of --help: the manual, the shell, docs/. Each
   prints on stdout and returns an exit status. */
#ifndef SPN_CLI_REFERENCE_H
#define SPN_CLI_REFERENCE_H

#include "cli/options.h"

/* spinney.1, and the page of one command, in roff (the man macros). */
int cli_manual(void);
int cli_manual_of(const cli_command *command);

/* A script for bash that completes commands, options, the words of settings, and files. */
int cli_completion(void);

/* docs/settings.md: settings, presets and results of every task. */
int cli_settings_markdown(void);

#endif
