/* The command line, from one table of settings per command: the table makes the parser, the help,
   the man page and the completion. Values are parsed like those of tasks. */
#ifndef SPN_CLI_OPTIONS_H
#define SPN_CLI_OPTIONS_H

#include "base/json.h"
#include <spinney/lab/task.h>
#include <stdio.h>

typedef struct cli_command cli_command;

typedef struct cli_values cli_values;

/* Run with the options that were given; parse them by cli_parse, too. Both return an exit status.
 */
typedef int cli_runner(const cli_values *values);
typedef int cli_starter(const cli_command *command, int argc, char **argv);

enum { CLI_GROUPS = 8, CLI_MAX_OPTIONS = 128, CLI_MAX_GIVEN = 256 };

struct cli_command {
    const char *name;
    const char *arguments;           /* after the options in the usage line; NULL: none */
    const char *summary;             /* one line */
    const char *details;             /* paragraphs below all options; NULL: none */
    const char *examples;            /* commands that run as written; NULL: none */
    spn_setting options[CLI_GROUPS]; /* groups, and headings between them */
    const char *one; /* what its only argument is: "one model file"; NULL: it may have others */
    cli_runner *run;
    cli_starter *start;   /* in place of `run`; else NULL */
    const spn_task *task; /* its settings are among the options; NULL: none */
};

/* Rows of options that are no settings of a task. If the argument is in brackets, the text may be
   empty. */
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

/* Given options, in order; for most the last one counts. */
struct cli_values {
    const cli_command *command;
    struct {
        const spn_setting *option;
        const char *text;
    } given[CLI_MAX_GIVEN];
    size_t count;
    char **arguments; /* what is not an option */
    int argument_count;
};

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };

/* Parse, and check each value alone; on --help or --help-all print that. Returns true if the
   command should go on; otherwise *status is the exit status. */
bool cli_parse(cli_values *out, const cli_command *command, int argc, char **argv, int *status);

/* Whether an option was given; its text, its fallback, or NULL; whether a flag is set. */
bool cli_given(const cli_values *values, const char *name);
const char *cli_text(const cli_values *values, const char *name);
bool cli_flag(const cli_values *values, const char *name);

/* Value of an option, of the C type of its kind; *out is unchanged if there is none. cli_parse has
   checked it. */
void cli_value(void *out, const cli_values *values, const char *name);

/* Texts of an option that may be repeated; out has room for CLI_MAX_GIVEN. */
size_t cli_texts(const char **out, const cli_values *values, const char *name);

/* Print one line on stderr, "spinney COMMAND: ...", and return the exit status. NULL: the
   program. */
int cli_error(const cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A text of the library with its settings as options: `missing mean` becomes --missing mean.
   Returns out. */
const char *cli_phrase(char out[SPN_ERROR_TEXT], const char *text);

/* Print an error, with dashes before the option it starts with, and return the exit status. */
int cli_fail(const cli_values *values, const spn_error *err);

/* The same after its subject: a file, an option. */
int cli_fail_about(const cli_values *values, const char *what, const spn_error *err);

/* Flush stdout: CLI_OK, or a message and the exit status. */
int cli_flush(const cli_command *command);

/* Print a text and its end on stdout, free it and flush. */
int cli_print(const cli_command *command, char *text, const char *end);

/* Report a lack of memory; returns the exit status. */
int cli_no_memory(const cli_command *command);

/* Finish JSON and print it on stdout, or nothing if it failed; returns the exit status. */
int cli_print_json(const cli_values *values, spn_json *json);

size_t cli_command_count(void);
cli_command cli_command_at(size_t i);

cli_command cli_task_command(const spn_task *task);
cli_runner cli_task;

/* Other commands: options, notes, examples, and function. */
#define CLI_COMMAND(name, how)                                                                     \
    extern const spn_setting cli_##name##_options[];                                               \
    extern const char cli_##name##_details[], cli_##name##_examples[];                             \
    cli_##how cli_##name
CLI_COMMAND(predict, runner);
CLI_COMMAND(export, runner);
CLI_COMMAND(convert, runner);
CLI_COMMAND(show, runner);
CLI_COMMAND(plot, runner);
CLI_COMMAND(sweep, starter);
CLI_COMMAND(records, runner);
CLI_COMMAND(report, runner);
CLI_COMMAND(devices, runner);

/* What the tables of the commands make: help, manual, completions and docs/. */

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
