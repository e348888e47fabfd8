/* What the tables of the commands say: the help. */
#include "cli/help.h"

#include "base/memory.h"
#include "base/number.h"
#include "cli/commands.h"
#include <spinney/lab/job.h>

#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>

/* ---- one option ---- */

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

/* Whether the help names all words itself, to explain them. */
static bool explains_words(const spn_setting *option)
{
    for (size_t i = 0; spn_setting_word(option, i); i++)
        if (!strstr(option->help, spn_setting_word(option, i)))
            return false;
    return true;
}

/* a, b or c */
static void put_words(FILE *out, const spn_setting *option)
{
    const bool file = option->kind == SPN_SETTING_FILE;
    if (explains_words(option))
        return;
    for (size_t i = 0; spn_setting_word(option, i); i++) {
        const bool last = !file && !spn_setting_word(option, i + 1);
        fprintf(out, "%s%s", i == 0 ? ": " : last ? " or " : ", ", spn_setting_word(option, i));
    }
    if (file && spn_setting_word(option, 0))
        fputs(" or a file", out);
}

static void put_default(FILE *out, const cli_command *command, const spn_setting *option)
{
    bool preset;
    const char *text = cli_default(command, option, &preset);
    if (option->kind == SPN_SETTING_FLAG && text && strcmp(text, "false") == 0)
        return;
    if (preset && text)
        fprintf(out, " [%s, of the preset]", text);
    else if (preset)
        fputs(" (default: the preset's)", out);
    else if (text)
        fprintf(out, " [%s]", text);
    else if (option->otherwise)
        fprintf(out, " (default: %s)", option->otherwise);
}

char *cli_description(const cli_command *command, const spn_setting *option)
{
    spn_memory_stream memory;
    FILE *stream = spn_memory_stream_open(&memory);
    if (stream) {
        fputs(option->help, stream);
        cli_put_range(stream, option);
        put_words(stream, option);
        put_default(stream, command, option);
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

/* ---- a command ---- */

enum { COLUMN = 28, WIDTH = 100 };

/* Print text in a column, whose first line starts there already. */
static void print_wrapped(const char *text, size_t indent)
{
    size_t column = indent;
    while (*text) {
        const size_t word = strcspn(text, " ");
        size_t blank = column > indent;
        if (column + blank + word > WIDTH && blank) {
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

/* false without memory. */
static bool print_option(const cli_command *command, const spn_setting *option)
{
    const char *argument = cli_argument(option);
    char left[96];
    char *text = cli_description(command, option);
    if (!text)
        return false;
    snprintf(left, sizeof left, "  --%s%s%s", option->name, argument ? " " : "",
             argument ? argument : "");
    printf("%-*s", COLUMN, left);
    if (strlen(left) >= COLUMN)
        printf("\n%*s", COLUMN, "");
    print_wrapped(text, COLUMN);
    free(text);
    return true;
}

static bool print_presets(const spn_preset *presets)
{
    enum { INDENT = 12 };
    printf("\nPresets\n");
    for (const spn_preset *p = presets; p->name; p++) {
        char *text = cli_preset_options(p);
        if (!text)
            return false;
        printf("  %-*s%s:\n%*s", INDENT - 2, p->name, p->about, INDENT, "");
        print_wrapped(text, INDENT);
        free(text);
    }
    return true;
}

int cli_help(const cli_command *command)
{
    spn_setting_walk walk = spn_setting_walk_start(command->options);
    printf("Usage: spinney %s [options]%s%s\n\n", command->name, command->arguments ? " " : "",
           command->arguments ? command->arguments : "");
    print_wrapped(command->summary, 0);
    while (spn_setting_walk_next(&walk)) {
        if (!walk.setting->name)
            printf("\n%s\n", walk.setting->help);
        else if (!print_option(command, walk.setting))
            return cli_no_memory(command);
    }
    if (command->task && command->task->presets && !print_presets(command->task->presets))
        return cli_no_memory(command);
    if (command->details)
        printf("\n%s", command->details);
    return cli_flush(command);
}

/* ---- the program ---- */

int cli_overview(void)
{
    printf("spinney %s: replicated simulated annealing of energies on -1/+1 variables\n\n"
           "Usage: spinney COMMAND [options]\n\nCommands\n",
           SPN_VERSION);
    for (size_t i = 0; i < cli_command_count(); i++) {
        const cli_command command = cli_command_at(i);
        printf("  %-12s%s\n", command.name, command.summary);
    }
    printf("\nspinney help COMMAND explains a command, as do spinney COMMAND --help and\n"
           "spinney --man COMMAND | man -l -.\n"
           "spinney --version prints the version, spinney --completion a completion script:\n"
           "  source <(spinney --completion)\n\n"
           "Example\n"
           "  spinney anneal --energy bits --random 1001,0.3,1 --target 0\n");
    return cli_flush(NULL);
}
