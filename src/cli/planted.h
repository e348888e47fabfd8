/* The energy `planted`: the minima are the codewords of a binary linear code and a ball around one
   of them. */
#ifndef SPN_CLI_PLANTED_H
#define SPN_CLI_PLANTED_H

#include "cli/options.h"
#include <spinney/density.h>

/* Make the landscape that --code and --ball ask for. On failure a message is printed, and the exit
   status returned; 0 on success. */
int cli_make_planted(spn_planted **out, const cli_values *values);

/* The same as an energy. */
int cli_make_planted_energy(spn_energy **out, const cli_values *values);

#endif
