/* Manual pages in roff, from the tables of the commands. */
#include "cli/options.h"

#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void put_character(char c)
{
    if (c == '\\')
        fputs("\\e", stdout);
    else if (c == '-')
        fputs("\\-", stdout);
    else
        putchar(c);
}

static void put(const char *text)
{
    for (; *text; text++)
        put_character(*text);
}

/* Lines unchanged; escape those that look like requests. */
static void put_lines(const char *text, size_t length)
{
    bool start = true;
    for (size_t k = 0; k < length; k++) {
        if (start && (text[k] == '.' || text[k] == '\''))
            fputs("\\&", stdout);
        put_character(text[k]);
        start = text[k] == '\n';
    }
}

/* Words, in lines that are not too long. */
static void put_words(const char *text)
{
    enum { WIDTH = 60 };
    size_t column = 0;
    while (*text) {
        const size_t word = strcspn(text, " ");
        const bool wrap = column + word > WIDTH;
        if (column > 0)
            putchar(wrap ? '\n' : ' ');
        if (column == 0 || wrap)
            put_lines(text, word);
        else
            for (size_t k = 0; k < word; k++)
                put_character(text[k]);
        column = (wrap ? 0 : column) + word + 1;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* The date is today's, or SOURCE_DATE_EPOCH's in a reproducible build. */
static void put_title(const char *command)
{
    char upper[64], day[16];
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    const time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm utc;
    snprintf(upper, sizeof upper, "spinney%s%s", command ? "-" : "", command ? command : "");
    for (char *c = upper; *c; c++)
        *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime_r(&now, &utc));
    printf(".TH %s 1 %s \"spinney %s\" spinney\n", upper, day, SPN_VERSION);
}

static void put_term(const char *name, const char *argument)
{
    fputs(".TP\n\\fB", stdout);
    put(name);
    fputs("\\fR", stdout);
    if (argument) {
        fputs(" \\fI", stdout);
        put(argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
}

static void put_heading(const char *text)
{
    fputs(".SS ", stdout);
    put(text);
    putchar('\n');
}

static bool put_option(const cli_command *command, const spn_setting *option)
{
    char name[80];
    char *text = cli_description(command, option, false);
    if (!text)
        return false;
    snprintf(name, sizeof name, "--%s", option->name);
    put_term(name, cli_argument(option));
    put_words(text);
    free(text);
    return true;
}

static bool put_options(const cli_command *command)
{
    spn_setting_walk walk = spn_setting_walk_start(command->options);
    fputs(".SH OPTIONS\n", stdout);
    while (spn_setting_walk_next(&walk)) {
        if (!walk.setting->name)
            put_heading(walk.setting->help);
        else if (!put_option(command, walk.setting))
            return false;
    }
    return true;
}

static bool put_presets(const spn_preset *presets)
{
    fputs(presets ? ".SH PRESETS\n" : "", stdout);
    for (const spn_preset *p = presets; p && p->name; p++) {
        char *text = cli_preset_options(p);
        if (!text)
            return false;
        put_term(p->name, NULL);
        put_words(p->about);
        fputs(".br\n", stdout);
        put_words(text);
        free(text);
    }
    return true;
}

static void put_block(const char *heading, const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n')
        length--;
    printf(".SH %s\n.nf\n", heading);
    put_lines(text, length);
    fputs("\n.fi\n", stdout);
}

static void put_statuses(void)
{
    fputs(".SH EXIT STATUS\n", stdout);
    put_words(
        "0 on success, 1 if the run failed, 2 if the command line or a file was wrong, 130 if "
        "the run was interrupted.");
}

int cli_manual_of(const cli_command *command)
{
    put_title(command->name);
    printf(".SH NAME\nspinney\\-%s \\-\n", command->name);
    put_words(command->summary);
    printf(".SH SYNOPSIS\n\\fBspinney %s\\fR [\\fIoptions\\fR]", command->name);
    if (command->arguments)
        printf(" \\fI%s\\fR", command->arguments);
    putchar('\n');
    if (!put_options(command))
        return cli_no_memory(NULL);
    if (command->task) {
        if (!put_presets(command->task->presets))
            return cli_no_memory(NULL);
        fputs(".SH RESULTS\n", stdout);
        spn_quantity_walk walk = spn_quantity_walk_start(command->task->results);
        while (spn_quantity_walk_next(&walk)) {
            const spn_quantity *q = walk.row;
            if (!q->name) {
                put_heading(q->help);
                continue;
            }
            put_term(q->name, q->unit);
            put_words(q->help ? q->help : q->name);
        }
    }
    if (command->details)
        put_block("NOTES", command->details);
    if (command->examples)
        put_block("EXAMPLES", command->examples);
    put_statuses();
    fputs(".SH SEE ALSO\n.BR spinney (1)\n", stdout);
    return cli_flush(NULL);
}

int cli_manual(void)
{
    static const char *const options[][3] = {
        {"help", "[COMMAND]", "the commands, or the common options of one; also --help and -h"},
        {"version", NULL, "the version; also --version and -V"},
        {"--completion", "[SHELL]",
         "a completion script for bash, zsh or fish: source <(spinney --completion bash)"},
        {"--man", "[COMMAND]",
         "this page, or that of a command, in roff: spinney --man | man -l -"},
        {"--settings-markdown", NULL, "settings, presets and results of all tasks, as tables"}};
    put_title(NULL);
    fputs(".SH NAME\nspinney \\- simulated annealing with coupled replicas, on \\-1/+1 variables\n"
          ".SH SYNOPSIS\n\\fBspinney\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n.SH COMMANDS\n",
          stdout);
    for (size_t i = 0; i < cli_command_count(); i++) {
        const cli_command command = cli_command_at(i);
        printf(".TP\n.BR spinney\\-%s (1)\n", command.name);
        put_words(command.summary);
    }
    fputs(".SH OPTIONS\n", stdout);
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        put_term(options[k][0], options[k][1]);
        put_words(options[k][2]);
    }
    put_statuses();
    return cli_flush(NULL);
}
