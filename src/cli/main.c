/* The program: choose a command and run it. */
#include "base/file.h"
#include "cli/options.h"

#include <assert.h>
#include <signal.h>
#include <spinney/version.h>
#include <string.h>
#include <unistd.h>

#define ROW(name_, how, arguments_, one_, summary_)                                                \
    {                                                                                              \
        .name = #name_, .arguments = (arguments_), .one = (one_), .summary = (summary_),           \
        .details = cli_##name_##_details, .examples = cli_##name_##_examples,                      \
        .options = {{.group = cli_##name_##_options}}, .how = cli_##name_                          \
    }

static const cli_command others[] = {
    ROW(predict, run, "MODEL FILE...", NULL, "classify new samples with a model"),
    ROW(export, run, "MODEL", "one model file", "write a model as a C header, NPY, text or ONNX"),
    ROW(convert, run, "FILE", "one file of a problem",
        "write a problem with constraints in another format"),
    ROW(show, run, "MODEL", "one model file", "draw the weights of a model as pictures"),
    ROW(plot, run, "TRACE", "one trace file",
        "draw the trace of a run, in the terminal or as a figure"),
    ROW(sweep, start, "FILE", "one specification file",
        "run every point of a grid of settings, on many cores or machines"),
    ROW(records, run, "FOLDER", "the folder of one sweep",
        "show the results of a sweep as a table, CSV or JSON"),
    ROW(report, run, "FOLDER", "one folder of a sweep, or the file of a joint report",
        "make the figures, tables and web page of a sweep"),
    ROW(devices, run, NULL, NULL, "list the GPUs and other devices that can make reads")};

static size_t task_count(void)
{
    size_t count = 0;
    while (spn_tasks()[count])
        count++;
    return count;
}

size_t cli_command_count(void)
{
    return task_count() + sizeof others / sizeof *others;
}

cli_command cli_command_at(size_t i)
{
    const size_t tasks = task_count();
    assert(i < cli_command_count());
    return i < tasks ? cli_task_command(spn_tasks()[i]) : others[i - tasks];
}

static const char *command_name(const void *context, size_t i)
{
    (void)context;
    return i < cli_command_count() ? cli_command_at(i).name : NULL;
}

/* Returns false, with a message, if there is no such command. */
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

static int print_about(const char *name, int (*all)(void), int (*one)(const cli_command *command))
{
    cli_command command;
    if (!name)
        return all();
    return find_command(&command, name) ? one(&command) : CLI_USAGE;
}

static bool is_one_of(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return true;
    return false;
}

static int run(const cli_command *command, int argc, char **argv)
{
    int status;
    cli_values values;
    if (command->start)
        return command->start(command, argc, argv);
    return cli_parse(&values, command, argc, argv, &status) ? command->run(&values) : status;
}

static void say_wait(const char *path)
{
    fprintf(stderr, "spinney: %s: waiting for a program that reads this pipe\n", path);
}

int main(int argc, char **argv)
{
    static const char *const help[] = {"help", "--help", "-h", NULL};
    static const char *const version[] = {"version", "--version", "-V", NULL};
    static char output[1 << 16];
    cli_command command;
    if (!isatty(STDOUT_FILENO)) /* a write that fails does so in cli_flush, which says why */
        setvbuf(stdout, output, _IOFBF, sizeof output);
    signal(SIGXFSZ, SIG_IGN); /* a file that grows too large is a write error */
    spn_file_on_wait(say_wait);
    if (argc < 2) {
        const int status = cli_overview();
        return status ? status : CLI_USAGE;
    }
    const char *word = argv[1];
    if (is_one_of(word, help))
        return print_about(argv[2], cli_overview, cli_help);
    if (is_one_of(word, version)) {
        printf("spinney %s\n", spn_version());
        return cli_flush(NULL);
    }
    if (strcmp(word, "--man") == 0)
        return print_about(argv[2], cli_manual, cli_manual_of);
    if (strcmp(word, "--completion") == 0)
        return cli_completion(argv[2]);
    if (strcmp(word, "--settings-markdown") == 0)
        return cli_settings_markdown();
    return find_command(&command, word) ? run(&command, argc - 1, argv + 1) : CLI_USAGE;
}
