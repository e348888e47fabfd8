/* Energies that inputs make and share: planted landscapes, and those of shared objects. They belong
   to the inputs, and are NULL on failure. Errors start with the name of the setting at fault. */
#ifndef SPN_JOB_MADE_ENERGIES_H
#define SPN_JOB_MADE_ENERGIES_H

#include "job/energy_settings.h"

/* The landscape of a code, generators such as 0111100,1011010 or a file of them, with a ball of
   that radius, and its energy. */
spn_status spn_inputs_planted(const spn_planted **planted, const spn_energy **energy,
                              spn_inputs *inputs, const char *code, size_t radius, spn_error *err);

/* The energy of a shared object, and XXH3 of the object, the options and the file. */
spn_status spn_inputs_plugin(const spn_energy **energy, uint64_t *sum, spn_inputs *inputs,
                             const spn_energy_settings *settings, spn_error *err);

#endif
