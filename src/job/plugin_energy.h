/* Energies of shared objects: the settings energy, energy-options and energy-file. */
#ifndef SPN_JOB_PLUGIN_ENERGY_H
#define SPN_JOB_PLUGIN_ENERGY_H

#include "job/inputs.h"

#include <spinney/energy.h>

/* The three settings; options and file may be NULL. */
typedef struct spn_plugin_files {
    const char *name, *options, *file;
} spn_plugin_files;

/* The energy of a shared object, which belongs to the inputs, and XXH3 of all that it was made of:
   the object, the options and the file. Errors start with the name of the setting at fault. */
spn_status spn_inputs_plugin(const spn_energy **energy, uint64_t *sum, spn_inputs *inputs,
                             const spn_plugin_files *files, spn_error *err);

#endif
