/* The command line, from one table of settings per command: the table makes the parser, the help,
   the man page and the completion, and its values are read as those of tasks are. */
#ifndef SPN_CLI_OPTIONS_H
#define SPN_CLI_OPTIONS_H

#include "base/json.h"
#include <spinney/lab/task.h>

typedef struct cli_command cli_command;

/* Parse with cli_parse and do it; returns an exit status. */
typedef int cli_runner(const cli_command *command, int argc, char **argv);

enum { CLI_GROUPS = 8, CLI_MAX_OPTIONS = 128, CLI_MAX_GIVEN = 256 };

struct cli_command {
    const char *name;
    const char *arguments;           /* after the options, as in the usage line; NULL: none */
    const char *summary;             /* one line */
    const char *details;             /* paragraphs below all options; NULL: none */
    const char *examples;            /* lines of commands that run as written; NULL: none */
    spn_setting options[CLI_GROUPS]; /* groups, and headings between them */
    cli_runner *run;
    const spn_task *task; /* whose settings are among the options; NULL: none */
};

/* Rows of tables of options that are no settings of a task. The text of one whose argument stands
   in brackets may be empty. */
#define CLI_FLAG(name_, help_)                                                                     \
    {                                                                                              \
        .name = (name_), .kind = SPN_SETTING_FLAG, .help = (help_)                                 \
    }
#define CLI_ROW(kind_, name_, argument_, fallback_, help_)                                         \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .argument = (argument_), .fallback = (fallback_),        \
        .help = (help_)                                                                            \
    }
#define CLI_TEXT(name, argument, fallback, help)                                                   \
    CLI_ROW(SPN_SETTING_TEXT, name, argument, fallback, help)
#define CLI_FILE(name, argument, fallback, help)                                                   \
    CLI_ROW(SPN_SETTING_FILE, name, argument, fallback, help)
#define CLI_NUMBER(kind_, name_, argument_, fallback_, least_, most_, help_)                       \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .argument = (argument_), .fallback = (fallback_),        \
        .least = (least_), .most = (most_), .help = (help_)                                        \
    }
#define CLI_OR_ELSE(name_, argument_, otherwise_, least_, most_, help_)                            \
    {                                                                                              \
        .name = (name_), .kind = SPN_SETTING_WHOLE, .argument = (argument_),                       \
        .otherwise = (otherwise_), .least = (least_), .most = (most_), .help = (help_)             \
    }
#define CLI_WHOLE(name, argument, fallback, least, most, help)                                     \
    CLI_NUMBER(SPN_SETTING_WHOLE, name, argument, fallback, least, most, help)
#define CLI_REAL(name, argument, fallback, least, most, help)                                      \
    CLI_NUMBER(SPN_SETTING_REAL, name, argument, fallback, least, most, help)
#define CLI_WORD(name_, argument_, fallback_, words_, help_)                                       \
    {                                                                                              \
        .name = (name_), .kind = SPN_SETTING_WORD, .argument = (argument_),                        \
        .fallback = (fallback_), .words = (words_), .help = (help_)                                \
    }

/* What was given, in that order; of most options the last one counts. */
typedef struct cli_values {
    const cli_command *command;
    struct {
        const spn_setting *option;
        const char *text;
    } given[CLI_MAX_GIVEN];
    size_t count;
    char **arguments; /* what is not an option */
    int argument_count;
} cli_values;

/* Exit statuses. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };

/* Parse, and check each value by itself; on --help or --help-all print that. Returns true if the
   command should go on; otherwise *status is the exit status. */
bool cli_parse(cli_values *out, const cli_command *command, int argc, char **argv, int *status);

/* The same for a command with one argument; what: "one model file". */
bool cli_parse_one(cli_values *out, const cli_command *command, int argc, char **argv, int *status,
                   const char *what);

/* Whether an option was given; its text, or its fallback, or NULL; whether a flag is set. */
bool cli_given(const cli_values *values, const char *name);
const char *cli_text(const cli_values *values, const char *name);
bool cli_flag(const cli_values *values, const char *name);

/* The value of an option, of the C type of its kind, into *out, which stays as it is if there is
   none. cli_parse has checked that it can be read. */
void cli_value(void *out, const cli_values *values, const char *name);

/* The texts of an option that may be given several times; out has room for CLI_MAX_GIVEN. */
size_t cli_texts(const char **out, const cli_values *values, const char *name);

/* One line on stderr, "spinney COMMAND: ...", and the exit status to return. NULL: the program. */
int cli_error(const cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text of the library with its settings as options: `missing mean` becomes --missing mean.
   Returns out. */
const char *cli_phrase(char out[SPN_ERROR_TEXT], const char *text);

/* Say what went wrong, with dashes before the name of an option that it starts with, and return the
   exit status. */
int cli_fail(const cli_values *values, const spn_error *err);

/* The same with what it is about before it: a file, an option. */
int cli_fail_about(const cli_values *values, const char *what, const spn_error *err);

/* Flush stdout: CLI_OK, or a message and the exit status if that fails. */
int cli_flush(const cli_command *command);

/* Print a text on stdout, free it and flush, likewise. */
int cli_print(const cli_command *command, char *text);

/* Say that memory is lacking; returns the exit status. */
int cli_no_memory(const cli_command *command);

/* Finish JSON that was begun and print it on stdout, all of it or, if something of it failed,
   nothing; returns the exit status. */
int cli_print_json(const cli_values *values, spn_json *json);

#endif
