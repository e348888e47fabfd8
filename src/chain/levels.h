/* Moves between levels. Some energies know groups of spins by their sums alone: the copies of a
   feature. A proposal at site i takes its group, a direction and a size j, and flips j of the
   group's spins that point the other way, drawn at random; half of the proposals also flip j spins
   of a partner, a group whose effect is similar, the other way.

   Sizes and partners are drawn with probabilities that do not depend on the state, and the same
   move back has the opposite directions. So with n spins that can flip, of which j do, and m that
   point the other way, the chances of the move and of the move back are as 1/C(n, j) and
   1/C(m + j, j). Their ratio multiplies the acceptance ratio, and the law is that of single flips:
   of all spins, not of the levels. */
#ifndef SPN_CHAIN_LEVELS_H
#define SPN_CHAIN_LEVELS_H

#include "chain/chain.h"

typedef struct spn_levels {
    spn_level_groups groups;
    double *log_factorial; /* of 0 .. the largest group */
    uint32_t *chosen;      /* sites that a move flips */
} spn_levels;

/* If options.moves asks for them and the energy has groups; else chain->levels stays NULL, and
   moves are plain. Errors: MEMORY. */
spn_status spn_levels_create(spn_chain *chain, spn_error *err);
void spn_levels_free(spn_levels *levels);

/* Up to count steps with the numbers of the block, as spn_loop_run. */
size_t spn_levels_run(spn_chain *chain, size_t count);

#endif
