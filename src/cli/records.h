/* spinney records: what its files share. */
#ifndef SPN_CLI_RECORDS_H
#define SPN_CLI_RECORDS_H

#include "cli/options.h"

#include <spinney/lab/view.h>

/* A folder, and what to show of it. */
typedef struct cli_records_view {
    const cli_values *values;
    const spn_view_options *options;
    bool list; /* one row, or object, for each run */
    spn_view view;
} cli_records_view;

/* "name value, name value" on stdout, in lines of a width; nothing if count is 0. */
void cli_print_fields(const char *before, const spn_field *fields, size_t count);

/* For people, and as JSON; both return the exit status. */
int cli_records_print(const cli_records_view *records);
int cli_records_json(const cli_records_view *records);

#endif
