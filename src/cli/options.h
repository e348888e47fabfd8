/* Command-line options from one table per command: the table makes the parser, the help text and
   the completion. */
#ifndef SPN_CLI_OPTIONS_H
#define SPN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One option. A row with only `help` is a heading. */
typedef struct cli_option {
    const char *name;     /* without the dashes */
    const char *argument; /* what it takes, as in the help; NULL for a flag */
    const char *fallback; /* its value where it is not given; NULL: none */
    const char *help;
} cli_option;

typedef struct cli_command cli_command;
struct cli_command {
    const char *name;
    const char *arguments; /* after the options, as in the usage line */
    const char *summary;   /* one line */
    const char *details;   /* paragraphs below the options, with examples */
    const cli_option *options;
    int (*run)(const cli_command *command, int argc, char **argv);
};

/* The commands of the program, ended by one without a name. */
extern const cli_command cli_commands[];

enum { CLI_MAX_OPTIONS = 64, CLI_MAX_GIVEN = 256 };

/* The values of a command's options, in the order of its table. */
typedef struct cli_values {
    const cli_command *command;
    const char *value[CLI_MAX_OPTIONS]; /* NULL: not given, and no fallback */
    bool given[CLI_MAX_OPTIONS];
    /* Every option as often as it was given, in that order; of most the last one counts. */
    struct {
        size_t option;
        const char *text;
    } all[CLI_MAX_GIVEN];
    size_t all_count;
    char **arguments; /* what is not an option */
    int argument_count;
} cli_values;

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };

/* Parse; on --help print the help. Returns true if the command should go on; otherwise *status is
   the exit status. */
bool cli_parse(cli_values *out, const cli_command *command, int argc, char **argv, int *status);

/* The text of an option, or NULL; whether it was given on the command line. */
const char *cli_text(const cli_values *values, const char *name);
bool cli_given(const cli_values *values, const char *name);

/* The texts of an option that may be given several times; out has room for CLI_MAX_GIVEN. */
size_t cli_texts(const char **out, const cli_values *values, const char *name);

/* The number of an option that has a value; false, with a message, if it is not in the range. */
bool cli_whole(uint64_t *out, const cli_values *values, const char *name, uint64_t least,
               uint64_t most);
bool cli_real(double *out, const cli_values *values, const char *name, double least, double most);

/* The index of an option's value in a list of words ended by NULL; false, with a message, if it is
   none of them. */
bool cli_choice(int *out, const cli_values *values, const char *name, const char *const *words);

/* One line on stderr, "spinney COMMAND: ...", and the exit status to return. */
int cli_error(const cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Flush stdout: CLI_OK, or a message and the exit status where something could not be written. */
int cli_flush(const cli_command *command);

void cli_print_help(const cli_command *command);

#endif
