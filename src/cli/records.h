#ifndef SPN_CLI_RECORDS_H
#define SPN_CLI_RECORDS_H

#include "cli/options.h"

#include <spinney/lab/view.h>

/* "name value, name value" on stdout, wrapped; nothing if count is 0. */
void cli_print_fields(const char *before, const spn_field *fields, size_t count);

/* For people, and as JSON; list: one row, or object, for each run. Both return the exit status. */
int cli_records_print(const cli_values *values, const spn_view *view,
                      const spn_view_options *options, bool list);
int cli_records_json(const cli_values *values, const spn_view *view,
                     const spn_view_options *options, bool list);

#endif
