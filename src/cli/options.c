/* Parse the command line by the table of a command, and print errors. */
#include "cli/options.h"
#include "job/run.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int cli_error(const cli_command *command, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        if (iscntrl((unsigned char)*c)) /* from a file or an argument; the message stays one line */
            *c = '?';
    fprintf(stderr, "spinney%s%s: %s\n", command ? " " : "", command ? command->name : "", text);
    return CLI_USAGE;
}

int cli_flush(const cli_command *command)
{
    return cli_print(command, NULL, "");
}

int cli_print(const cli_command *command, char *text, const char *end)
{
    errno = 0;
    int why = text && (fputs(text, stdout) < 0 || fputs(end, stdout) < 0) ? errno : 0;
    free(text);
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_OK;
    why = why ? why : errno;
    cli_error(command, "stdout cannot be written: %s", why ? strerror(why) : "write error");
    return CLI_FAILED;
}

static bool is_file(const cli_values *values, const char *name)
{
    for (int k = 0; k < values->argument_count; k++)
        if (strcmp(values->arguments[k], name) == 0)
            return true;
    for (size_t k = 0; k < values->count; k++)
        if (strcmp(values->given[k].text, name) == 0)
            return true;
    return false;
}

/* Whether an error is about an option, by the "NAME: " at its start. Errors of tasks always are;
   others may be about a file of that name. */
static bool is_about_option(const cli_values *values, const spn_error *err)
{
    const cli_command *command = values->command;
    char name[64];
    const size_t length = strcspn(err->text, ":");
    if (length >= sizeof name || err->text[length] != ':')
        return false;
    memcpy(name, err->text, length);
    name[length] = 0;
    if (command->task && spn_setting_find(command->task->settings, name))
        return true;
    return spn_setting_find(command->options, name) && !is_file(values, name);
}

static int status_of(const spn_error *err)
{
    const bool users = err->status == SPN_ERROR_ARGUMENT || err->status == SPN_ERROR_INPUT ||
                       err->status == SPN_ERROR_IO;
    return users ? CLI_USAGE : CLI_FAILED;
}

static void say_option(char *out, size_t size, const char *name, const char *value)
{
    snprintf(out, size, "--%s%s%s", name, value ? " " : "", value ? value : "");
}

const char *cli_phrase(char out[SPN_ERROR_TEXT], const char *text)
{
    return spn_setting_phrase(out, SPN_ERROR_TEXT, text, say_option);
}

int cli_fail(const cli_values *values, const spn_error *err)
{
    char text[SPN_ERROR_TEXT];
    cli_error(values->command, "%s%s", is_about_option(values, err) ? "--" : "",
              cli_phrase(text, err->text));
    return status_of(err);
}

int cli_fail_about(const cli_values *values, const char *what, const spn_error *err)
{
    char text[SPN_ERROR_TEXT];
    cli_error(values->command, "%s: %s", what, cli_phrase(text, err->text));
    return status_of(err);
}

int cli_no_memory(const cli_command *command)
{
    cli_error(command, "out of memory");
    return CLI_FAILED;
}

int cli_print_json(const cli_values *values, spn_json *json)
{
    spn_error err = {0};
    char *text;
    return spn_json_finish(&text, NULL, json, &err) ? cli_fail(values, &err)
                                                    : cli_print(values->command, text, "\n");
}

/* Codes of long options for getopt, above all letters. */
enum { FIRST_CODE = 256, HELP_CODE = FIRST_CODE + CLI_MAX_OPTIONS, ALL_CODE };

/* Make the rows of a command's options, ended by NULL, and those for getopt. Returns the code of
   --out, for which -o is short; 0 if there is none. */
static int make_long_options(const spn_setting *rows[CLI_MAX_OPTIONS + 1],
                             struct option out[CLI_MAX_OPTIONS + 3], const cli_command *command)
{
    int count = 0, out_code = 0;
    for (spn_setting_walk w = spn_setting_walk_start(command->options); spn_setting_walk_named(&w);
         count++) {
        assert(count < CLI_MAX_OPTIONS);
        const bool flag = w.setting->kind == SPN_SETTING_FLAG;
        rows[count] = w.setting;
        out[count] = (struct option){.name = w.setting->name,
                                     .has_arg = flag ? optional_argument : required_argument,
                                     .val = FIRST_CODE + count};
        if (strcmp(w.setting->name, "out") == 0)
            out_code = FIRST_CODE + count;
    }
    rows[count] = NULL;
    out[count] = (struct option){.name = "help", .val = HELP_CODE};
    out[count + 1] = (struct option){.name = "help-all", .val = ALL_CODE};
    out[count + 2] = (struct option){0};
    return out_code;
}

static const char *option_name(const void *rows, size_t i)
{
    const spn_setting *row = ((const spn_setting *const *)rows)[i];
    return row ? row->name : NULL;
}

/* The option that getopt refused. For a bundle such as -xy only the letter is known. */
static int refused_option(const cli_command *command, const spn_setting *const *rows,
                          const char *last_word)
{
    const char letter[] = {'-', (char)optopt, 0};
    const char *word = optopt > 0 && optopt < FIRST_CODE ? letter : last_word;
    char name[64];
    snprintf(name, sizeof name, "%s", word + strspn(word, "-"));
    name[strcspn(name, "=")] = 0;
    const char *nearest = spn_nearest_word(name, option_name, rows);
    if (nearest)
        return cli_error(command, "there is no option %s; did you mean --%s?", word, nearest);
    return cli_error(command, "there is no option %s; see spinney %s --help", word, command->name);
}

/* Whether the command's task reads the option: a setting, or an option of its run. */
static bool is_of_task(const cli_command *command, const spn_setting *option)
{
    spn_setting run_options[SPN_RUN_OPTION_ROWS];
    if (!command->task)
        return false;
    spn_run_option_table(run_options, command->task);
    return spn_setting_find(command->task->settings, option->name) == option ||
           spn_setting_find(run_options, option->name);
}

static int take(cli_values *out, const spn_setting *option, const char *text)
{
    spn_error err = {0};
    assert(option);
    if (out->count == CLI_MAX_GIVEN)
        return cli_error(out->command, "more than %d options", CLI_MAX_GIVEN);
    text = text ? text : "true";
    const bool may_be_empty = option->argument && option->argument[0] == '[';
    if (!is_of_task(out->command, option) && !(may_be_empty && !*text) &&
        spn_setting_read(NULL, option, text, &err))
        return cli_fail(out, &err);
    out->given[out->count].option = option;
    out->given[out->count++].text = text;
    return CLI_OK;
}

bool cli_parse(cli_values *out, const cli_command *command, int argc, char **argv, int *status)
{
    const spn_setting *rows[CLI_MAX_OPTIONS + 1] = {0};
    struct option options[CLI_MAX_OPTIONS + 3];
    int code;
    *out = (cli_values){.command = command};
    const int out_code = make_long_options(rows, options, command);
    opterr = 0;
    optind = 1;
    *status = CLI_OK;
    const char *letters = out_code ? ":ho:" : ":h";
    while (!*status && (code = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        const char *word = argv[optind - 1];
        code = code == 'o' ? out_code : code;
        if (code == 'h' || code == HELP_CODE || code == ALL_CODE) {
            *status = code == ALL_CODE ? cli_help_all(command) : cli_help(command);
            return false;
        }
        if (code == ':')
            *status =
                cli_error(command, "%s needs a value; see spinney %s --help", word, command->name);
        else if (code == '?')
            *status = refused_option(command, rows, word);
        else
            *status = take(out, rows[code - FIRST_CODE], optarg);
    }
    out->arguments = argv + optind;
    out->argument_count = argc - optind;
    if (!*status && !command->arguments && out->argument_count > 0)
        *status = cli_error(command, "'%s' is not an option; see spinney %s --help",
                            out->arguments[0], command->name);
    if (!*status && command->one && out->argument_count != 1)
        *status = cli_error(command, "give %s; see spinney %s --help", command->one, command->name);
    return !*status;
}

bool cli_given(const cli_values *values, const char *name)
{
    for (size_t k = 0; k < values->count; k++)
        if (strcmp(values->given[k].option->name, name) == 0)
            return true;
    return false;
}

const char *cli_text(const cli_values *values, const char *name)
{
    for (size_t k = values->count; k-- > 0;)
        if (strcmp(values->given[k].option->name, name) == 0)
            return values->given[k].text;
    const spn_setting *option = spn_setting_find(values->command->options, name);
    return option ? option->fallback : NULL;
}

void cli_value(void *out, const cli_values *values, const char *name)
{
    const char *text = cli_text(values, name);
    const spn_status status =
        text ? spn_setting_read(out, spn_setting_find(values->command->options, name), text, NULL)
             : SPN_OK;
    assert(status == SPN_OK);
    (void)status;
}

bool cli_flag(const cli_values *values, const char *name)
{
    bool set = false;
    cli_value(&set, values, name);
    return set;
}

size_t cli_texts(const char **out, const cli_values *values, const char *name)
{
    size_t count = 0;
    for (size_t k = 0; k < values->count; k++)
        if (strcmp(values->given[k].option->name, name) == 0)
            out[count++] = values->given[k].text;
    return count;
}
