/* The program: choose the command and run it. */
#include "cli/commands.h"
#include "cli/help.h"

#include <signal.h>
#include <spinney/version.h>
#include <spinney/words.h>
#include <stdio.h>
#include <string.h>

static const char *command_name(const void *context, size_t i)
{
    (void)context;
    return i < cli_command_count() ? cli_command_at(i).name : NULL;
}

/* *out: the command called so. false, with a message, if there is none. */
static bool find_command(cli_command *out, const char *name)
{
    for (size_t i = 0; i < cli_command_count(); i++) {
        *out = cli_command_at(i);
        if (strcmp(out->name, name) == 0)
            return true;
    }
    const char *nearest = spn_nearest_word(name, command_name, NULL);
    if (nearest)
        fprintf(stderr, "spinney: there is no command '%s'; did you mean %s?\n", name, nearest);
    else
        fprintf(stderr, "spinney: there is no command '%s'; see spinney --help\n", name);
    return false;
}

static int print_version(void)
{
    printf("spinney %s\n", spn_version());
    return cli_flush(NULL);
}

static int print_manual(const char *name)
{
    cli_command command;
    if (!name)
        return cli_manual();
    return find_command(&command, name) ? cli_manual_of(&command) : CLI_USAGE;
}

static int print_help(const char *name)
{
    cli_command command;
    if (!name)
        return cli_overview();
    return find_command(&command, name) ? cli_help(&command) : CLI_USAGE;
}

/* Whether a word is one of these, which end with NULL. */
static bool is_one_of(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    static const char *const help[] = {"help", "--help", "-h", NULL};
    static const char *const version[] = {"version", "--version", "-V", NULL};
    cli_command command;
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is an error of writing it */
    if (argc < 2) {
        const int status = cli_overview();
        return status ? status : CLI_USAGE;
    }
    const char *word = argv[1];
    if (is_one_of(word, help))
        return print_help(argv[2]);
    if (is_one_of(word, version))
        return print_version();
    if (strcmp(word, "--man") == 0)
        return print_manual(argv[2]);
    if (strcmp(word, "--completion") == 0)
        return cli_completion(argv[2]);
    if (strcmp(word, "--settings-markdown") == 0)
        return cli_settings_markdown();
    return find_command(&command, word) ? command.run(&command, argc - 1, argv + 1) : CLI_USAGE;
}
