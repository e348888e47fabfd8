/* What the commands that run a chain share: its options, its start, its trace, interrupts. */
#ifndef SPN_CLI_CHAIN_H
#define SPN_CLI_CHAIN_H

#include "cli/model.h"
#include "cli/progress.h"
#include <spinney/lab/trace.h>
#include <spinney/spinney.h>

/* Read --replicas --seed --threads --kernel --beta --schedule --gamma --gamma-schedule --steps, and
   --order where the command has it. Schedules are to be cleared, also after a failure. */
int cli_read_chain(spn_chain_options *out, const cli_values *values);
void cli_chain_clear(spn_chain_options *options); /* frees its schedules */

/* Read --init: two words, or a file of one state for all replicas or one for each, of `sites`
   spins, which what `owner` names has. *given is to be freed. */
int cli_read_start(spn_chain_options *out, int8_t **given, const cli_values *values, size_t sites,
                   const char *owner);

/* The trace of a run. */
typedef struct cli_trace {
    spn_trace_writer *writer; /* NULL: none */
    uint64_t every;
    uint64_t proposals, accepted, step; /* of the last row */
} cli_trace;

/* Open the file of --trace, if that was given, for a row every --trace-every steps. */
int cli_trace_open(cli_trace *out, const cli_values *values, uint64_t steps, size_t replicas);

/* Steps between the looks at a run that progress and trace need. */
uint64_t cli_trace_looks(const cli_trace *trace);

/* Add a row if it is time to, or in any case unless this step has one. */
void cli_trace_update(cli_trace *trace, const spn_snapshot *snapshot);
void cli_trace_last(cli_trace *trace, const spn_snapshot *snapshot);

int cli_trace_finish(cli_trace *trace, const cli_values *values);
void cli_trace_discard(cli_trace *trace);

#endif
