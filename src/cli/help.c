/* The help of commands, short and complete, from their tables. */
#include "base/memory.h"
#include "base/number.h"
#include "cli/options.h"

#include <spinney/lab/job.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

const char *cli_argument(const spn_setting *option)
{
    static const char *const of_kind[] = {
        [SPN_SETTING_WHOLE] = "n",        [SPN_SETTING_REAL] = "x",
        [SPN_SETTING_WORD] = "WORD",      [SPN_SETTING_RANGE] = "START[:END]",
        [SPN_SETTING_TEXT] = "TEXT",      [SPN_SETTING_LIST] = "A,B,...",
        [SPN_SETTING_FILE] = "FILE",      [SPN_SETTING_FLAG] = NULL,
        [SPN_SETTING_WHOLES] = "n,n,...",
    };
    return option->argument ? option->argument : of_kind[option->kind];
}

static bool is_of_presets(const spn_task *task, const char *name)
{
    for (const spn_preset *p = task->presets; p && p->name; p++)
        for (const spn_text *t = p->texts; t->name; t++)
            if (strcmp(t->name, name) == 0)
                return true;
    return false;
}

const char *cli_default(const cli_command *command, const spn_setting *option, bool *preset)
{
    *preset = false;
    if (!command->task || option->flags & SPN_SETTING_SEED ||
        spn_setting_find(command->task->settings, option->name) != option)
        return option->fallback;
    const spn_job job = spn_job_start(command->task);
    *preset = is_of_presets(command->task, option->name);
    return spn_job_text(&job, option->name);
}

void cli_put_range(FILE *out, const spn_setting *option)
{
    char least[SPN_NUMBER_TEXT], most[SPN_NUMBER_TEXT];
    if ((option->least == 0 && option->most == 0) || option->most >= 1e9 || option->least < 1e-6)
        return;
    spn_number_text(least, option->least);
    spn_number_text(most, option->most);
    fprintf(out, ", %s to %s", least, most);
}

/* Whether the first `length` characters of the help name all words, to explain them. */
static bool explains_words(const spn_setting *option, size_t length)
{
    for (size_t i = 0; spn_setting_word(option, i); i++) {
        const char *word = strstr(option->help, spn_setting_word(option, i));
        if (!word || word >= option->help + length)
            return false;
    }
    return true;
}

static bool has_more_words(const spn_setting *option, size_t few)
{
    size_t count = 0; /* words end at the first NULL; nothing after it may be read */
    while (count <= few && spn_setting_word(option, count))
        count++;
    return count > few;
}

/* a, b or c */
static void put_words(FILE *out, const spn_setting *option)
{
    const bool file = option->kind == SPN_SETTING_FILE;
    for (size_t i = 0; spn_setting_word(option, i); i++) {
        const bool last = !file && !spn_setting_word(option, i + 1);
        fprintf(out, "%s%s", i == 0 ? ": " : last ? " or " : ", ", spn_setting_word(option, i));
    }
    if (file && spn_setting_word(option, 0))
        fputs(" or a file", out);
}

/* Print up to `length` of a table's text; options in backticks get dashes. */
static void put_phrase(FILE *out, const cli_command *command, const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        const size_t plain = strcspn(text, "`");
        char name[64] = "";
        if (text + plain >= end) {
            fprintf(out, "%.*s", (int)(end - text), text);
            return;
        }
        const char *quoted = text + plain + 1;
        const size_t size = strcspn(quoted, "`");
        fprintf(out, "%.*s", (int)plain, text);
        if (size < sizeof name)
            memcpy(name, quoted, size);
        fprintf(out, "%s%.*s", spn_setting_find(command->options, name) ? "--" : "", (int)size,
                quoted);
        text = quoted + size + (quoted[size] == '`');
    }
}

static void put_default(FILE *out, const cli_command *command, const spn_setting *option,
                        bool brief)
{
    bool preset;
    const char *text = cli_default(command, option, &preset);
    if (option->kind == SPN_SETTING_FLAG && text && strcmp(text, "false") == 0)
        return;
    if (preset && text) {
        fprintf(out, " [%s, from the preset]", text);
    } else if (preset) {
        fputs(" (default: set by the preset)", out);
    } else if (text) {
        fprintf(out, " [%s]", text);
    } else if (option->otherwise && !brief) {
        fputs(" (default: ", out);
        put_phrase(out, command, option->otherwise, strlen(option->otherwise));
        putc(')', out);
    }
}

char *cli_description(const cli_command *command, const spn_setting *option, bool brief)
{
    enum { FEW_WORDS = 6 };
    const size_t length = brief ? strcspn(option->help, ";") : strlen(option->help);
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    if (stream) {
        put_phrase(stream, command, option->help, length);
        if (!brief)
            cli_put_range(stream, option);
        if (!explains_words(option, length) && !(brief && has_more_words(option, FEW_WORDS)))
            put_words(stream, option);
        put_default(stream, command, option, brief);
    }
    return spn_memory_stream_finish(&memory);
}

char *cli_preset_options(const spn_preset *preset)
{
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    for (const spn_text *t = preset->texts; stream && t->name; t++)
        fprintf(stream, "%s--%s %s", t == preset->texts ? "" : " ", t->name, t->text);
    return spn_memory_stream_finish(&memory);
}

enum { LEFT = 96, FULL_COLUMN = 28, FULL_WIDTH = 100, MOST_BRIEF_COLUMN = 28, BRIEF_WIDTH = 80 };

/* Wrap text in a column; the cursor is there already. */
static void print_wrapped(const char *text, size_t indent, size_t width)
{
    size_t column = indent;
    while (*text) {
        const size_t word = strcspn(text, " ");
        size_t blank = column > indent;
        if (column + blank + word > width && blank) {
            printf("\n%*s", (int)indent, "");
            column = indent;
            blank = 0;
        }
        printf("%s%.*s", blank ? " " : "", (int)word, text);
        column += blank + word;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* The option and its argument as typed. Returns the length. */
static size_t typed(char out[LEFT], const spn_setting *option)
{
    const char *argument = cli_argument(option);
    const int length = snprintf(out, LEFT, "  --%s%s%s", option->name, argument ? " " : "",
                                argument ? argument : "");
    return length < LEFT ? (size_t)length : LEFT - 1;
}

static bool print_option(const cli_command *command, const spn_setting *option, size_t column,
                         bool brief)
{
    char left[LEFT];
    char *text = cli_description(command, option, brief);
    if (!text)
        return false;
    const size_t length = typed(left, option);
    printf("%-*s", (int)column, left);
    if (length >= column)
        printf("\n%*s", (int)column, "");
    print_wrapped(text, column, brief ? BRIEF_WIDTH : FULL_WIDTH);
    free(text);
    return true;
}

static bool print_presets(const spn_preset *presets)
{
    enum { INDENT = 12 };
    printf("\nPresets\n");
    for (const spn_preset *p = presets; p->name; p++) {
        char about[400], *text = cli_preset_options(p);
        if (!text)
            return false;
        snprintf(about, sizeof about, "%s:", p->about);
        printf("  %-*s", INDENT - 2, p->name);
        print_wrapped(about, INDENT, FULL_WIDTH);
        printf("%*s", INDENT, "");
        print_wrapped(text, INDENT, FULL_WIDTH);
        free(text);
    }
    return true;
}

static void print_usage(const cli_command *command, size_t width)
{
    print_wrapped(command->summary, 0, width);
    printf("\nUsage: spinney %s [options]%s%s\n", command->name, command->arguments ? " " : "",
           command->arguments ? command->arguments : "");
}

static void print_examples(const cli_command *command)
{
    if (command->examples)
        printf("\nExamples\n%s", command->examples);
}

/* Whether a row is in the short help. A table without marked rows is short enough. */
static bool is_brief(const spn_setting *option, bool marked)
{
    return !marked || option->flags & SPN_SETTING_COMMON;
}

int cli_help(const cli_command *command)
{
    size_t count = 0, column = 0;
    bool marked = false;
    char left[LEFT];
    for (spn_setting_walk w = spn_setting_walk_start(command->options); spn_setting_walk_named(&w);
         count++)
        marked = marked || w.setting->flags & SPN_SETTING_COMMON;
    for (spn_setting_walk w = spn_setting_walk_start(command->options); spn_setting_walk_named(&w);)
        if (is_brief(w.setting, marked)) {
            const size_t length = typed(left, w.setting) + 2;
            if (length > column && length <= MOST_BRIEF_COLUMN)
                column = length;
        }
    print_usage(command, BRIEF_WIDTH);
    putchar('\n');
    for (spn_setting_walk w = spn_setting_walk_start(command->options); spn_setting_walk_named(&w);)
        if (is_brief(w.setting, marked) && !print_option(command, w.setting, column, true))
            return cli_no_memory(command);
    print_examples(command);
    printf("\nAll %zu options: spinney %s --help-all, man spinney-%s\n", count, command->name,
           command->name);
    return cli_flush(command);
}

int cli_help_all(const cli_command *command)
{
    print_usage(command, FULL_WIDTH);
    for (spn_setting_walk w = spn_setting_walk_start(command->options); spn_setting_walk_next(&w);)
        if (!w.setting->name)
            printf("\n%s\n", w.setting->help);
        else if (!print_option(command, w.setting, FULL_COLUMN, false))
            return cli_no_memory(command);
    if (command->task && command->task->presets && !print_presets(command->task->presets))
        return cli_no_memory(command);
    if (command->details)
        printf("\n%s", command->details);
    print_examples(command);
    return cli_flush(command);
}

int cli_overview(void)
{
    printf("spinney %s: simulated annealing with coupled replicas, on -1/+1 variables\n\n"
           "Usage: spinney COMMAND [options]\n\n",
           SPN_VERSION);
    for (size_t i = 0; i < cli_command_count(); i++) {
        const cli_command command = cli_command_at(i);
        printf("  %-12s%s\n", command.name, command.summary);
    }
    printf("\nspinney COMMAND --help      the options most people need, and examples\n"
           "spinney COMMAND --help-all  all of them, as in man spinney-COMMAND\n"
           "spinney --completion SHELL  a completion script for bash, zsh or fish\n\n"
           "Example: spinney anneal --energy bits --random 1001,0.3,1 --target 0\n");
    return cli_flush(NULL);
}
