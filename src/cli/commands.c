/* The commands of the program. */
#include "cli/commands.h"

#include <assert.h>

#define ROW(name_, arguments_, summary_)                                                           \
    {                                                                                              \
        .name = #name_, .arguments = (arguments_), .summary = (summary_),                          \
        .details = cli_##name_##_details, .examples = cli_##name_##_examples,                      \
        .options = {{.group = cli_##name_##_options}}, .run = cli_##name_                          \
    }

/* Those that are no task. */
static const cli_command others[] = {
    ROW(predict, "MODEL FILE...", "classify new samples with a model"),
    ROW(export, "MODEL", "write a model as a C header, NPY, text or ONNX"),
    ROW(show, "MODEL", "draw the weights of a model as pictures"),
    ROW(plot, "TRACE", "draw the trace of a run, in the terminal or as a figure"),
    ROW(sweep, "FILE", "run every point of a grid of settings, on many cores or machines"),
    ROW(records, "FOLDER", "show the results of a sweep as a table, CSV or JSON"),
    ROW(report, "FOLDER", "make the figures, tables and web page of a sweep")};

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
