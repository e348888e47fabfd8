/* Planted landscapes: the energies of the settings code and ball. */
#ifndef SPN_JOB_PLANTED_ENERGY_H
#define SPN_JOB_PLANTED_ENERGY_H

#include "job/inputs.h"

#include <spinney/density.h>
#include <spinney/energies.h>

/* The landscape of a code, generators such as 0111100,1011010 or a file of them, with a ball of
   that radius, and its energy. They belong to the inputs, and are NULL on failure. Errors start
   with the name of the setting. */
spn_status spn_inputs_planted(const spn_planted **planted, const spn_energy **energy,
                              spn_inputs *inputs, const char *code, size_t radius, spn_error *err);

#endif
