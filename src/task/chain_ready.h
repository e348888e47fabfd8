/* A chain that is ready to run: the options of its plan with the range of beta that the energy asks
   for, which is known only once the energy is there. */
#ifndef SPN_TASK_CHAIN_READY_H
#define SPN_TASK_CHAIN_READY_H

#include "task/chain_settings.h"

#include <spinney/beta_range.h>

typedef struct spn_chain_ready {
    spn_chain_options options; /* the plan's, which is borrowed */
    spn_schedule *beta;        /* its beta, where it was made here */
    double seconds;            /* the time limit of a run that is not stretched; 0: none */
    bool measured;
    spn_beta_choice choice;
    spn_beta_range range; /* where it was measured */
} spn_chain_ready;

/* To be cleared, also after an error. How many changes of the energy are computed, at most 32 for
   each spin, depends on the number of steps, of which it is a thirty-second, on the number of parts
   where they are given, or, of a run that is stretched, on the time; then it settles the number of
   parts, so that these say it. Errors: ENERGY, MEMORY. */
spn_status spn_chain_ready_make(spn_chain_ready *out, const spn_chain_plan *plan, uint64_t seed,
                                const spn_energy *energy, spn_error *err);
void spn_chain_ready_clear(spn_chain_ready *ready);

/* Changes of the energy to compute for the range of beta: a thirty-second of the run's proposals.
 */
uint64_t spn_beta_changes(double proposals);

/* A note on how beta and gamma go, and why. */
spn_status spn_chain_ready_note(spn_record *out, const spn_chain_ready *ready, spn_error *err);

#endif
