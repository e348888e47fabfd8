/* The completion for bash: commands, options, the words of settings, and files. */
#include "cli/commands.h"
#include "cli/reference.h"

#include <stdio.h>
#include <string.h>

static void put_options(const cli_command *command)
{
    spn_setting_walk walk = spn_setting_walk_start(command->options);
    printf("    %s) options=\"--help", command->name);
    while (spn_setting_walk_named(&walk))
        printf(" --%s", walk.setting->name);
    printf("\" ;;\n");
}

/* What follows an option: words, files, or nothing that is known. */
static void put_values(const cli_command *command)
{
    spn_setting_walk walk = spn_setting_walk_start(command->options);
    while (spn_setting_walk_named(&walk)) {
        const spn_setting *option = walk.setting;
        if (option->kind == SPN_SETTING_FLAG)
            continue;
        printf("    %s--%s) ", command->name, option->name);
        if (spn_setting_word(option, 0)) {
            fputs("words=\"", stdout);
            for (size_t i = 0; spn_setting_word(option, i); i++)
                printf("%s%s", i ? " " : "", spn_setting_word(option, i));
            fputs("\" ", stdout);
        }
        printf("files=%s ;;\n", option->kind == SPN_SETTING_FILE ? "yes" : "");
    }
}

int cli_completion(void)
{
    const size_t count = cli_command_count();
    printf("# Completion of spinney for bash, made by spinney --completion.\n"
           "_spinney() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local command=${COMP_WORDS[1]} commands options= words= files=\n"
           "    COMPREPLY=()\n    commands=\"");
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i ? " " : "", cli_command_at(i).name);
    printf("\"\n    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"$commands help version --help --version --man "
           "--completion\" -- \"$word\"))\n        return\n    fi\n"
           "    if [ \"$command\" = --man ] || [ \"$command\" = help ]; then\n"
           "        COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n        return\n    fi\n"
           "    case $command in\n");
    for (size_t i = 0; i < count; i++) {
        const cli_command command = cli_command_at(i);
        put_options(&command);
    }
    printf("    esac\n    case $command$before in\n");
    for (size_t i = 0; i < count; i++) {
        const cli_command command = cli_command_at(i);
        put_values(&command);
    }
    printf("    *) case $word in -*) words=$options ;; *) files=yes ;; esac ;;\n    esac\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    [ -z \"$files\" ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
           "}\ncomplete -o filenames -F _spinney spinney\n");
    return cli_flush(NULL);
}
