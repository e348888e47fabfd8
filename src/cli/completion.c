/* Shell completion for bash, zsh and fish: commands, options, words of settings, and files. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

/* Words of the program that are no commands. */
static const char others[] = "help version --help --version --man --completion";
static const char shells[] = "bash zsh fish";

static void put_words(const spn_setting *option)
{
    for (size_t i = 0; spn_setting_word(option, i); i++)
        printf("%s%s", i ? " " : "", spn_setting_word(option, i));
}

static void put_commands(void)
{
    for (size_t i = 0; i < cli_command_count(); i++)
        printf("%s%s", i ? " " : "", cli_command_at(i).name);
}

static bool put_options(const cli_command *command,
                        bool (*put)(const cli_command *command, const spn_setting *option))
{
    for (spn_setting_walk w = spn_setting_walk_start(command->options); spn_setting_walk_named(&w);)
        if (!put(command, w.setting))
            return false;
    return true;
}

/* What follows an option: words, files, or nothing known. */
static bool bash_values(const cli_command *command, const spn_setting *option)
{
    if (option->kind == SPN_SETTING_FLAG)
        return true;
    printf("    %s--%s) ", command->name, option->name);
    if (spn_setting_word(option, 0)) {
        fputs("words=\"", stdout);
        put_words(option);
        fputs("\" ", stdout);
    }
    printf("files=%s ;;\n", option->kind == SPN_SETTING_FILE ? "yes" : "");
    return true;
}

static bool put_bash(void)
{
    printf("# Completion of spinney for bash, made by spinney --completion bash.\n"
           "_spinney() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local command=${COMP_WORDS[1]} commands options= words= files=\n"
           "    COMPREPLY=()\n    commands=\"");
    put_commands();
    printf(
        "\"\n    if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "        COMPREPLY=($(compgen -W \"$commands %s\" -- \"$word\"))\n        return\n    fi\n"
        "    case $command in\n"
        "    --man|help) COMPREPLY=($(compgen -W \"$commands\" -- \"$word\")); return ;;\n"
        "    --completion) COMPREPLY=($(compgen -W \"%s\" -- \"$word\")); return ;;\n",
        others, shells);
    for (size_t i = 0; i < cli_command_count(); i++) {
        const cli_command command = cli_command_at(i);
        printf("    %s) options=\"--help --help-all", command.name);
        for (spn_setting_walk w = spn_setting_walk_start(command.options);
             spn_setting_walk_named(&w);)
            printf(" --%s", w.setting->name);
        printf("\" ;;\n");
    }
    printf("    esac\n    case $command$before in\n");
    for (size_t i = 0; i < cli_command_count(); i++) {
        const cli_command command = cli_command_at(i);
        put_options(&command, bash_values);
    }
    printf("    *) case $word in -*) words=$options ;; *) files=yes ;; esac ;;\n    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
           "}\ncomplete -o filenames -F _spinney spinney\n");
    return true;
}

/* Escape `special` with a backslash, between the apostrophes of a shell. */
static void put_quoted(const char *text, const char *special)
{
    for (; *text; text++)
        if (strchr(special, *text))
            printf("\\%c", *text);
        else
            fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, stdout);
}

static bool zsh_option(const cli_command *command, const spn_setting *option)
{
    const bool file = option->kind == SPN_SETTING_FILE, flag = option->kind == SPN_SETTING_FLAG;
    const bool words = !flag && spn_setting_word(option, 0);
    char *text = cli_description(command, option, true);
    if (!text)
        return false;
    printf("            '--%s%s[", option->name, flag ? "" : "=");
    put_quoted(text, "[]:\\");
    putchar(']');
    free(text);
    if (!flag) {
        putchar(':');
        put_quoted(cli_argument(option), ":\\");
        fputs(words && file ? ":{_files; compadd -- "
              : words       ? ":("
              : file        ? ":_files"
                            : ": ",
              stdout);
        if (words) {
            put_words(option);
            putchar(file ? '}' : ')');
        }
    }
    printf("' \\\n");
    return true;
}

static bool put_zsh(void)
{
    printf("#compdef spinney\n"
           "# Completion of spinney for zsh, made by spinney --completion zsh.\n"
           "_spinney() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; i < cli_command_count(); i++) {
        const cli_command command = cli_command_at(i);
        printf("        '%s:", command.name);
        put_quoted(command.summary, ":\\");
        printf("'\n");
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n"
           "        _describe command commands\n        compadd -- %s\n        return\n    fi\n"
           "    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n"
           "    --man|help) _describe command commands ;;\n"
           "    --completion) compadd -- %s ;;\n",
           others, shells);
    for (size_t i = 0; i < cli_command_count(); i++) {
        const cli_command command = cli_command_at(i);
        printf("    %s)\n        _arguments \\\n"
               "            '--help[the common options]' '--help-all[all options]' \\\n",
               command.name);
        if (!put_options(&command, zsh_option))
            return false;
        printf("            '*:%s:_files' ;;\n", command.arguments ? "file" : " ");
    }
    printf("    esac\n}\ncompdef _spinney spinney\n");
    return true;
}

static bool fish_option(const cli_command *command, const spn_setting *option)
{
    const bool file = option->kind == SPN_SETTING_FILE, flag = option->kind == SPN_SETTING_FLAG;
    char *text = cli_description(command, option, true);
    if (!text)
        return false;
    printf("complete -c spinney -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->name);
    fputs(flag ? "" : file ? " -r -F" : " -x", stdout);
    if (!flag && spn_setting_word(option, 0)) {
        fputs(" -a '", stdout);
        put_words(option);
        putchar('\'');
    }
    fputs(" -d '", stdout);
    put_quoted(text, "'\\");
    printf("'\n");
    free(text);
    return true;
}

static bool put_fish(void)
{
    printf("# Completion of spinney for fish, made by spinney --completion fish.\n"
           "complete -c spinney -f\n"
           "complete -c spinney -n __fish_use_subcommand -a '%s'\n"
           "complete -c spinney -n '__fish_seen_subcommand_from --completion' -a '%s'\n"
           "complete -c spinney -n '__fish_seen_subcommand_from help --man' -a '",
           others, shells);
    put_commands();
    printf("'\n");
    for (size_t i = 0; i < cli_command_count(); i++) {
        const cli_command command = cli_command_at(i);
        printf("complete -c spinney -n __fish_use_subcommand -a %s -d '%s'\n", command.name,
               command.summary);
        printf("complete -c spinney -n '__fish_seen_subcommand_from %s' %s-l help\n"
               "complete -c spinney -n '__fish_seen_subcommand_from %s' -l help-all\n",
               command.name, command.arguments ? "-F " : "", command.name);
        if (!put_options(&command, fish_option))
            return false;
    }
    return true;
}

int cli_completion(const char *shell)
{
    static const struct {
        const char *name;
        bool (*put)(void);
    } scripts[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++)
        if (!shell || strcmp(shell, scripts[k].name) == 0)
            return scripts[k].put() ? cli_flush(NULL) : cli_no_memory(NULL);
    return cli_error(NULL, "--completion: there is no shell '%s'; give bash, zsh or fish", shell);
}
