/* Command-line options from one table per command. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <spinney/words.h>
#include <stdarg.h>
#include <stdio.h>
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
    fprintf(stderr, "spinney %s: %s\n", command->name, text);
    return CLI_USAGE;
}

int cli_flush(const cli_command *command)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_OK;
    cli_error(command, "stdout cannot be written");
    return CLI_FAILED;
}

static bool is_end(const cli_option *option)
{
    return !option->name && !option->help;
}

/* The i-th name of a command's options, headings skipped. */
static const char *option_name(const void *command, size_t i)
{
    for (const cli_option *o = ((const cli_command *)command)->options; !is_end(o); o++)
        if (o->name && i-- == 0)
            return o->name;
    return NULL;
}

static int unknown_option(const cli_command *command, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%s", word + strspn(word, "-"));
    name[strcspn(name, "=")] = 0;
    const char *nearest = spn_nearest_word(name, option_name, command);
    if (nearest)
        return cli_error(command, "there is no option %s; did you mean --%s?", word, nearest);
    return cli_error(command, "there is no option %s; see spinney %s --help", word, command->name);
}

/* What getopt returns for long options: above every letter, so that none is taken for one. */
enum { FIRST_CODE = 256, HELP_CODE = FIRST_CODE + CLI_MAX_OPTIONS };

/* The option that getopt has just refused. Of a bundle such as -xy only the letter is known. */
static int refused_option(const cli_command *command, const char *last_word)
{
    const char letter[] = {'-', (char)optopt, 0};
    return unknown_option(command, optopt > 0 && optopt < FIRST_CODE ? letter : last_word);
}

static size_t make_long_options(struct option *out, const cli_command *command)
{
    size_t count = 0;
    for (const cli_option *o = command->options; !is_end(o); o++)
        if (o->name)
            out[count++] = (struct option){.name = o->name,
                                           .has_arg = o->argument ? required_argument : no_argument,
                                           .val = FIRST_CODE + (int)(o - command->options)};
    out[count++] = (struct option){.name = "help", .val = HELP_CODE};
    out[count] = (struct option){0};
    return count;
}

/* -o is short for --out, in every command that has it. */
static int out_code(const cli_command *command)
{
    for (const cli_option *o = command->options; !is_end(o); o++)
        if (o->name && o->argument && strcmp(o->name, "out") == 0)
            return FIRST_CODE + (int)(o - command->options);
    return 0;
}

bool cli_parse(cli_values *out, const cli_command *command, int argc, char **argv, int *status)
{
    struct option long_options[CLI_MAX_OPTIONS + 2];
    *out = (cli_values){.command = command};
    for (size_t k = 0; !is_end(&command->options[k]); k++)
        out->value[k] = command->options[k].fallback;
    make_long_options(long_options, command);
    opterr = 0;
    optind = 1;
    *status = CLI_OK;
    int code;
    const char *letters = out_code(command) ? ":ho:" : ":h";
    while ((code = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
        if (code == 'o')
            code = out_code(command);
        if (code == 'h' || code == HELP_CODE) {
            cli_print_help(command);
            return false;
        }
        if (code == ':') {
            *status = cli_error(command, "%s needs a value; see spinney %s --help",
                                argv[optind - 1], command->name);
            return false;
        }
        if (code == '?') {
            *status = refused_option(command, argv[optind - 1]);
            return false;
        }
        const cli_option *option = &command->options[code - FIRST_CODE];
        if (optarg && !*optarg && strcmp(option->argument, "TEXT") != 0) {
            *status = cli_error(command, "--%s needs a value; see spinney %s --help", option->name,
                                command->name);
            return false;
        }
        if (out->all_count == CLI_MAX_GIVEN) {
            *status = cli_error(command, "more than %d options", CLI_MAX_GIVEN);
            return false;
        }
        const size_t index = (size_t)(code - FIRST_CODE);
        out->value[index] = optarg ? optarg : "yes";
        out->given[index] = true;
        out->all[out->all_count].option = index;
        out->all[out->all_count++].text = out->value[index];
    }
    out->arguments = argv + optind;
    out->argument_count = argc - optind;
    if (!command->arguments && out->argument_count > 0) {
        *status = cli_error(command, "'%s' is not an option; see spinney %s --help",
                            out->arguments[0], command->name);
        return false;
    }
    return true;
}

static size_t find_option(const cli_values *values, const char *name)
{
    const cli_option *options = values->command->options;
    size_t k = 0;
    while (!is_end(&options[k]) && (!options[k].name || strcmp(options[k].name, name) != 0))
        k++;
    return k;
}

const char *cli_text(const cli_values *values, const char *name)
{
    return values->value[find_option(values, name)];
}

bool cli_given(const cli_values *values, const char *name)
{
    return values->given[find_option(values, name)];
}

size_t cli_texts(const char **out, const cli_values *values, const char *name)
{
    const size_t option = find_option(values, name);
    size_t count = 0;
    for (size_t k = 0; k < values->all_count; k++)
        if (values->all[k].option == option)
            out[count++] = values->all[k].text;
    return count;
}

bool cli_whole(uint64_t *out, const cli_values *values, const char *name, uint64_t least,
               uint64_t most)
{
    const char *text = cli_text(values, name);
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    bool digits = text[0] >= '0' && text[0] <= '9';
    if (digits && *end == 0 && !errno && *out >= least && *out <= most)
        return true;
    cli_error(values->command, "--%s: '%s' is not a whole number from %llu to %llu", name, text,
              (unsigned long long)least, (unsigned long long)most);
    return false;
}

bool cli_real(double *out, const cli_values *values, const char *name, double least, double most)
{
    const char *text = cli_text(values, name);
    char *end;
    *out = strtod(text, &end);
    if (end != text && *end == 0 && isfinite(*out) && *out >= least && *out <= most)
        return true;
    if (least == -HUGE_VAL)
        cli_error(values->command, "--%s: '%s' is not a finite number", name, text);
    else
        cli_error(values->command, "--%s: '%s' is not a number from %g to %g", name, text, least,
                  most);
    return false;
}

bool cli_choice(int *out, const cli_values *values, const char *name, const char *const *words)
{
    const char *text = cli_text(values, name);
    char list[256] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    const char *nearest = spn_nearest_of(text, words);
    if (nearest)
        cli_error(values->command, "--%s: there is no '%s'; did you mean %s? (%s)", name, text,
                  nearest, list);
    else
        cli_error(values->command, "--%s: '%s' is not one of %s", name, text, list);
    return false;
}

/* Print text in a column of the given width, the first line starting at `column` already. */
static void print_wrapped(const char *text, size_t indent, size_t width)
{
    size_t column = indent;
    while (*text) {
        size_t word = strcspn(text, " "), blank = column > indent;
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

void cli_print_help(const cli_command *command)
{
    enum { COLUMN = 28, WIDTH = 100 };
    printf("Usage: spinney %s [options]%s%s\n\n", command->name, command->arguments ? " " : "",
           command->arguments ? command->arguments : "");
    print_wrapped(command->summary, 0, WIDTH);
    for (const cli_option *o = command->options; !is_end(o); o++) {
        if (!o->name) {
            printf("\n%s\n", o->help);
            continue;
        }
        char left[64], help[512];
        snprintf(left, sizeof left, "  --%s%s%s", o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
        snprintf(help, sizeof help, "%s%s%s%s", o->help, o->fallback ? " [" : "",
                 o->fallback ? o->fallback : "", o->fallback ? "]" : "");
        printf("%-*s", COLUMN, left);
        if (strlen(left) >= COLUMN)
            printf("\n%*s", COLUMN, "");
        print_wrapped(help, COLUMN, WIDTH);
    }
    if (command->details)
        printf("\n%s", command->details);
}
