/* The commands of the program: one for each task, and the others, each in a file of its own. */
#ifndef SPN_CLI_COMMANDS_H
#define SPN_CLI_COMMANDS_H

#include "cli/options.h"

/* Command i of the program. */
size_t cli_command_count(void);
cli_command cli_command_at(size_t i);

/* A task as a command. */
cli_command cli_task_command(const spn_task *task);
cli_runner cli_task;

/* The other commands: options, notes, examples, and what they do. */
#define CLI_COMMAND(name)                                                                          \
    extern const spn_setting cli_##name##_options[];                                               \
    extern const char cli_##name##_details[], cli_##name##_examples[];                             \
    cli_runner cli_##name
CLI_COMMAND(predict);
CLI_COMMAND(export);
CLI_COMMAND(show);
CLI_COMMAND(plot);
CLI_COMMAND(sweep);
CLI_COMMAND(records);
CLI_COMMAND(report);

#endif
