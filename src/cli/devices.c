/* spinney devices: what OpenCL finds, and whether it can make reads. */
#include "base/memory.h"
#include "cli/table.h"

#include <spinney/device.h>
#include <stdio.h>

const spn_setting cli_devices_options[] = {
    CLI_FLAG("json", "print one JSON object, and nothing else, on stdout"), {.name = NULL}};

const char cli_devices_details[] =
    "A device makes reads in words (anneal --reads R --device NAME) and trainings (train --losses\n"
    "whole --device NAME) with the results of the processor. GPUs are found by OpenCL: install "
    "the\n"
    "driver's OpenCL, for NVIDIA nvidia-opencl-icd. pocl-opencl-icd makes the processor a device, "
    "to\n"
    "try things out.\n";

const char cli_devices_examples[] =
    "  spinney devices\n"
    "  spinney devices --json\n"
    "  spinney anneal --energy maxcut --graph G1.txt --reads 2048 --steps 20 --device auto\n";

static void add_row(cli_table *table, const spn_device_info *d)
{
    cli_table_text(table, d->name);
    cli_table_text(table, spn_device_kind_name(d->kind));
    cli_table_number(table, d->units);
    cli_table_number(table, (double)(d->memory >> 20) / 1024);
    cli_table_text(table, d->driver);
    cli_table_text(table, d->usable ? "yes" : d->why);
}

static int print_table(const cli_command *command, const spn_device_info *all, size_t count)
{
    cli_table table = {0};
    cli_table_head(&table, "device", false);
    cli_table_head(&table, "kind", false);
    cli_table_head(&table, "units", true);
    cli_table_head(&table, "memory (GiB)", true);
    cli_table_head(&table, "driver", false);
    cli_table_head(&table, "usable", false);
    for (size_t k = 0; k < count; k++)
        add_row(&table, &all[k]);
    return cli_table_print(&table) ? cli_flush(command) : cli_no_memory(command);
}

static int print_json(const cli_values *values, const spn_device_info *all, size_t count,
                      const char *why)
{
    spn_json json = SPN_JSON_PRINTED;
    spn_error err = {0};
    if (spn_json_begin(&json, &err))
        return cli_fail(values, &err);
    spn_json_open(&json, NULL, '{');
    spn_json_open(&json, "devices", '[');
    for (size_t k = 0; k < count; k++) {
        spn_json_open(&json, NULL, '{');
        spn_json_any_text(&json, "name", all[k].name);
        spn_json_text(&json, "kind", spn_device_kind_name(all[k].kind));
        spn_json_whole(&json, "units", all[k].units);
        spn_json_whole(&json, "memory", all[k].memory);
        spn_json_any_text(&json, "driver", all[k].driver);
        spn_json_flag(&json, "usable", all[k].usable);
        if (!all[k].usable)
            spn_json_text(&json, "why", all[k].why);
        spn_json_close(&json, '}');
    }
    spn_json_close(&json, ']');
    if (why)
        spn_json_any_text(&json, "why", why);
    spn_json_close(&json, '}');
    return cli_print_json(values, &json);
}

/* That there are none is no error. */
int cli_devices(const cli_values *values)
{
    spn_error err = {0};
    spn_device_info all[SPN_DEVICES_MOST];
    const char *why = NULL;
    size_t count;
    if (spn_devices_list(all, SPN_DEVICES_MOST, &count, &err))
        why = err.text;
    else if (count == 0)
        why = "no devices: OpenCL finds none";
    if (cli_flag(values, "json"))
        return print_json(values, all, count, why);
    if (!why)
        return print_table(values->command, all, count);
    printf("%s\n", why);
    return cli_flush(values->command);
}
