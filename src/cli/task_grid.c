#include "cli/task.h"
int cli_task_grid(const cli_values *values, const spn_job *job, spn_inputs *inputs)
{
    (void)job;
    (void)inputs;
    return cli_error(values->command, "--grid: not yet");
}
