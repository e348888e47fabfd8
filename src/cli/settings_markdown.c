/* docs/settings.md: settings, presets and results of every task, from their tables. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

/* Escape a text for a table cell; backticks mark code. */
static void put(const char *text)
{
    for (bool code = false; text && *text; text++) {
        code = code != (*text == '`');
        if (*text == '|' || (!code && (*text == '<' || *text == '*' || *text == '_')))
            putchar('\\');
        putchar(*text);
    }
}

static void put_cell(const char *text)
{
    put(text);
    putchar('|');
}

static void put_code(const char *text)
{
    putchar('`');
    for (; *text; text++)
        fputs(*text == '|' ? "\\|" : (char[]){*text, 0}, stdout);
    putchar('`');
}

static void put_values(const spn_setting *setting)
{
    static const char *const kinds[] = {
        [SPN_SETTING_WHOLE] = "whole number",  [SPN_SETTING_REAL] = "number",
        [SPN_SETTING_FLAG] = "true or false",  [SPN_SETTING_WORD] = "",
        [SPN_SETTING_RANGE] = "numbers",       [SPN_SETTING_TEXT] = "text",
        [SPN_SETTING_LIST] = "list",           [SPN_SETTING_FILE] = "file",
        [SPN_SETTING_WHOLES] = "whole numbers"};
    for (size_t i = 0; spn_setting_word(setting, i); i++) {
        fputs(i ? ", " : "", stdout);
        put_code(spn_setting_word(setting, i));
    }
    printf("%s%s", spn_setting_word(setting, 0) && kinds[setting->kind][0] ? ", or a " : "",
           kinds[setting->kind]);
    const bool plain = setting->argument && strcmp(setting->argument, "FILE") == 0;
    if (setting->argument && !plain && !spn_setting_word(setting, 0)) {
        putchar(' ');
        put_code(setting->argument);
    }
    cli_put_range(stdout, setting);
    fputs(setting->flags & SPN_SETTING_INFINITE ? ", or `inf`" : "", stdout);
}

/* Print a heading, or the head of the table before its first row. Returns whether a row follows. */
static bool begin_row(bool *open, const char *name, const char *help, const char *head)
{
    if (!name)
        printf("\n**%s**\n", help);
    else if (!*open)
        printf("\n%s\n", head);
    return *open = name != NULL;
}

static void put_setting(const cli_command *command, const spn_setting *setting)
{
    bool preset;
    const char *text = cli_default(command, setting, &preset);
    putchar('|');
    put_code(setting->name);
    putchar('|');
    put_values(setting);
    putchar('|');
    put_cell(setting->unit);
    if (text)
        put_code(text);
    else
        put(setting->otherwise);
    printf("%s|", preset ? " (preset)" : "");
    put_cell(setting->help);
    putchar('\n');
}

static bool put_presets(const spn_task *task)
{
    if (!task->presets)
        return true;
    printf("\n### Presets of %s\n\n|preset|what it is|settings|\n|---|---|---|\n", task->name);
    for (const spn_preset *p = task->presets; p->name; p++) {
        char *text = cli_preset_options(p);
        if (!text)
            return false;
        putchar('|');
        put_code(p->name);
        putchar('|');
        put_cell(p->about);
        printf("`%s`|\n", text);
        free(text);
    }
    return true;
}

static void put_results(const spn_task *task)
{
    static const char *const kinds[] = {"number", "word", "column", "matrix"};
    bool open = false;
    printf("\n### Results of %s\n", task->name);
    spn_quantity_walk walk = spn_quantity_walk_start(task->results);
    while (spn_quantity_walk_next(&walk)) {
        const spn_quantity *q = walk.row;
        if (!begin_row(&open, q->name, q->help, "|result|kind|unit|what it is|\n|---|---|---|---|"))
            continue;
        putchar('|');
        put_code(q->name);
        printf("|%s%s|", kinds[q->kind], q->flags & SPN_QUANTITY_DETAIL ? ", detail" : "");
        put_cell(q->unit);
        put_cell(q->help);
        putchar('\n');
    }
}

int cli_settings_markdown(void)
{
    printf(
        "# Settings, presets and results\n\n"
        "<!-- Made by `spinney --settings-markdown`: do not edit. -->\n\n"
        "Every setting is an option of its task's command (`--gamma 0.8`), a key under `settings:` "
        "in\nthe specification of a sweep (`gamma: 0.8`), or several values under `grid:`, and a "
        "name for\n`spinney sweep --set` (`--set gamma=0.8`); all of them read it alike. A result "
        "marked as detail is\nin the output of a command, and in records if a sweep keeps "
        "details.\n");
    for (const spn_task *const *task = spn_tasks(); *task; task++) {
        const cli_command command = cli_task_command(*task);
        printf("\n## %s\n\n%s\n", (*task)->name, (*task)->summary);
        spn_setting_walk walk = spn_setting_walk_start(command.task->settings);
        bool open = false;
        printf("\n### Settings of %s\n", command.name);
        while (spn_setting_walk_next(&walk))
            if (begin_row(&open, walk.setting->name, walk.setting->help,
                          "|setting|values|unit|default|what it is|\n|---|---|---|---|---|"))
                put_setting(&command, walk.setting);
        if (!put_presets(*task))
            return cli_no_memory(NULL);
        put_results(*task);
    }
    return cli_flush(NULL);
}
