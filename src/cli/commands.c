/* The commands of the program. */
#include "cli/commands.h"

#include <assert.h>

#define ROW(name, arguments, summary)                                                              \
    {                                                                                              \
#name, arguments, summary, cli_##name##_details,                                           \
            {{.group = cli_##name##_options } }, cli_##name, NULL                                  \
    }

/* Those that are no task. */
static const cli_command others[] = {
    ROW(anneal, NULL, "anneal replicas of an energy towards wide, dense minima"),
    ROW(exact, NULL, "compute the laws, chains and dense regions of a small energy exactly"),
    ROW(train, NULL, "train a classifier whose weights are all one bit"),
    ROW(eval, "MODEL", "loss, accuracy, confusion and robustness of a model on labelled data"),
    ROW(predict, "MODEL FILE...", "the classes that a model gives to new samples"),
    ROW(export, "MODEL", "write a model as a C header, NPY, text or ONNX"),
    ROW(show, "MODEL", "draw the weights of a model as pictures"),
    ROW(plot, "TRACE", "draw the trace of a run, in the terminal or as SVG, PDF or PNG"),
    ROW(sweep, "FILE",
        "run all that a specification file asks for, on all cores or on many machines"),
    ROW(records, "FOLDER", "what a sweep found, as a table, as CSV or as JSON"),
    ROW(report, "FOLDER", "the figures, tables and page of a sweep")};

static size_t task_count(void)
{
    return 0; /* each still has a command of its own, below */
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
