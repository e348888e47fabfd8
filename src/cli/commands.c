/* The commands of the program. */
#include "cli/commands.h"

#include <assert.h>
#include <string.h>

#define ROW(name_, arguments_, summary_)                                                           \
    {                                                                                              \
        .name = #name_, .arguments = (arguments_), .summary = (summary_),                          \
        .details = cli_##name_##_details, .options = {{.group = cli_##name_##_options}},           \
        .run = cli_##name_                                                                         \
    }

/* Those that are no task. */
static const cli_command others[] = {
    ROW(predict, "MODEL FILE...", "the classes that a model gives to new samples"),
    ROW(export, "MODEL", "write a model as a C header, NPY, text or ONNX"),
    ROW(show, "MODEL", "draw the weights of a model as pictures"),
    ROW(plot, "TRACE", "draw the trace of a run, in the terminal or as SVG, PDF or PNG"),
    ROW(sweep, "FILE",
        "run all that a specification file asks for, on all cores or on many machines"),
    ROW(records, "FOLDER", "what a sweep found, as a table, as CSV or as JSON"),
    ROW(report, "FOLDER", "the figures, tables and page of a sweep")};

/* Tasks whose own commands are still there. */
static bool has_old_command(const spn_task *task)
{
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k].name, task->name) == 0)
            return true;
    return false;
}

/* Task i of those that are commands, or NULL. */
static const spn_task *task_at(size_t i)
{
    for (const spn_task *const *task = spn_tasks(); *task; task++)
        if (!has_old_command(*task) && i-- == 0)
            return *task;
    return NULL;
}

static size_t task_count(void)
{
    size_t count = 0;
    while (task_at(count))
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
    return i < tasks ? cli_task_command(task_at(i)) : others[i - tasks];
}
