/* What a command found, as JSON: what its job found, and the files that it wrote. */
#include "cli/task.h"

#include "job/job_json.h"

static json_t *files_json(spn_json_tree *tree, const cli_values *values)
{
    static const char *const names[] = {"out", "checkpoint", "trace", "plot", NULL};
    json_t *files = json_object();
    for (size_t k = 0; names[k]; k++) {
        const char *text = cli_text(values, names[k]);
        if (spn_setting_find(values->command->options, names[k]))
            spn_json_set(tree, files, names[k], text ? spn_json_string(text) : json_null());
    }
    return files;
}

int cli_task_json(const cli_task_result *result)
{
    spn_error err = {0};
    spn_json_tree tree = {0};
    json_t *root;
    const spn_job_result found = {.job = result->job,
                                  .resolved = &result->resolved,
                                  .record = &result->record,
                                  .outcome = &result->outcome,
                                  .solutions = result->solutions};
    if (spn_job_json(&root, &tree, &found, cli_task_rows(result), &err))
        return cli_fail(result->values, &err);
    spn_json_set(&tree, root, "files", files_json(&tree, result->values));
    return cli_print_json(result->values, &tree, root);
}
