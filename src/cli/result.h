/* The result of an annealing run, as text, as JSON and as a file of states. */
#ifndef SPN_CLI_RESULT_H
#define SPN_CLI_RESULT_H

#include "cli/options.h"
#include <spinney/chain.h>
#include <spinney/states.h>

typedef struct cli_result {
    const cli_values *values;
    const spn_energy *energy;
    const spn_chain_options *options;
    spn_snapshot state;
    spn_stop stop;
    double seconds;
    uint64_t trace_every; /* 0: no trace */
} cli_result;

/* Both print on stdout and return an exit status. */
int cli_result_text(const cli_result *result);
int cli_result_json(const cli_result *result);

/* The best state of each replica, one line each, with its energy in a comment before it. Finishes
   the writer, which is gone afterwards. */
spn_status cli_result_save(const cli_result *result, spn_states_writer *writer, spn_error *err);

#endif
