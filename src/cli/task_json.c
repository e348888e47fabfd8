/* What a command found, as JSON: what its job found, and the files that it wrote. */
#include "cli/task.h"

static void put_files(spn_json *json, const cli_values *values)
{
    static const char *const names[] = {"out", "checkpoint", "trace", "plot", NULL};
    spn_json_open(json, "files", '{');
    for (size_t k = 0; names[k]; k++) {
        const char *text = cli_text(values, names[k]);
        if (!spn_setting_find(values->command->options, names[k]))
            continue;
        if (text)
            spn_json_any_text(json, names[k], text);
        else
            spn_json_null(json, names[k]);
    }
    spn_json_close(json, '}');
}

int cli_task_json(const cli_values *values, const spn_call *call)
{
    spn_error err = {0};
    spn_json json = SPN_JSON_PRINTED;
    if (spn_json_begin(&json, &err))
        return cli_fail(values, &err);
    if (spn_call_put_json(&json, call, cli_task_rows(values), &err)) {
        spn_json_drop(&json);
        return cli_fail(values, &err);
    }
    put_files(&json, values);
    spn_json_close(&json, '}');
    return cli_print_json(values, &json);
}
