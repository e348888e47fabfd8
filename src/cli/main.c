/* The program: choose the command and run it. */
#include "cli/options.h"

#include <spinney/version.h>
#include <spinney/words.h>
#include <stdio.h>
#include <string.h>

static const char *command_name(const void *commands, size_t i)
{
    return ((const cli_command *)commands)[i].name;
}

static void print_overview(void)
{
    printf("spinney %s: replicated simulated annealing of energies on -1/+1 variables\n\n"
           "Usage: spinney COMMAND [options]\n\nCommands\n",
           SPN_VERSION);
    for (const cli_command *c = cli_commands; c->name; c++)
        printf("  %-12s%s\n", c->name, c->summary);
    printf("\nspinney COMMAND --help explains a command. spinney --version prints the version.\n"
           "spinney --completion prints a completion script: source <(spinney --completion)\n\n"
           "Example\n"
           "  spinney anneal --energy bits --random 1001,0.3,1 --target 0\n");
}

/* Words for the shell to offer: commands first, then the options of the command typed. */
static void print_completion(void)
{
    printf("_spinney() {\n    local cur=${COMP_WORDS[COMP_CWORD]} words\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (const cli_command *c = cli_commands; c->name; c++) {
        printf("    %s) words=\"--help", c->name);
        for (const cli_option *o = c->options; o->name || o->help; o++)
            if (o->name)
                printf(" --%s", o->name);
        printf("\" ;;\n");
    }
    printf("    esac\n    [ $COMP_CWORD = 1 ] && words=\"--help --version");
    for (const cli_command *c = cli_commands; c->name; c++)
        printf(" %s", c->name);
    printf("\"\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
           "complete -o default -F _spinney spinney\n");
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 ||
        strcmp(argv[1], "-h") == 0) {
        print_overview();
        return argc < 2 ? CLI_USAGE : CLI_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("spinney %s\n", spn_version());
        return CLI_OK;
    }
    if (strcmp(argv[1], "--completion") == 0) {
        print_completion();
        return CLI_OK;
    }
    for (const cli_command *c = cli_commands; c->name; c++)
        if (strcmp(argv[1], c->name) == 0)
            return c->run(c, argc - 1, argv + 1);
    const char *nearest = spn_nearest_word(argv[1], command_name, cli_commands);
    if (nearest)
        fprintf(stderr, "spinney: there is no command '%s'; did you mean %s?\n", argv[1], nearest);
    else
        fprintf(stderr, "spinney: there is no command '%s'; see spinney --help\n", argv[1]);
    return CLI_USAGE;
}
