/* spinney train, in parts: its data, its report. */
#ifndef SPN_CLI_TRAIN_H
#define SPN_CLI_TRAIN_H

#include "cli/options.h"
#include "old/training.h"

/* The data sets that the options name. */
typedef struct cli_train_data {
    spn_dataset *train, *test; /* test may be NULL */
    const char *name;          /* for the record: a known name, or the file's without its folder */
} cli_train_data;

/* Both return an exit status, 0 for success, and have printed a message otherwise. The second reads
   --scaling for this data. */
int cli_train_data_read(cli_train_data *out, const cli_values *values);
int cli_train_scaling(spn_preprocess *out, const cli_values *values);
void cli_train_data_free(cli_train_data *data);

/* Print the result on stdout; both return an exit status. */
int cli_train_text(const cli_values *values, const xpn_train_options *options,
                   const xpn_train_result *result);
int cli_train_json(const cli_values *values, const xpn_train_options *options,
                   const xpn_train_result *result);

#endif
