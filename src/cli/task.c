#include "cli/commands.h"
cli_command cli_task_command(const spn_task *task)
{
    return (cli_command){.name = task->name};
}
