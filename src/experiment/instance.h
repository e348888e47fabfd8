/* The energy that settings describe. */
#ifndef SPN_EXPERIMENT_INSTANCE_H
#define SPN_EXPERIMENT_INSTANCE_H

#include "experiment/tasks.h"

/* Made for a job, or borrowed from the store. */
typedef struct spn_instance {
    const spn_energy_kind *kind;
    const spn_problem *problem;
    const spn_energy *energy;
    spn_problem *own_problem; /* what has to be freed; may be NULL */
    spn_energy *own_energy;
    uint64_t seed; /* what random patterns were drawn from, where the settings name none; else 0 */
} spn_instance;

/* The settings of energies, for a table. */
#define SPN_ENERGY_SETTINGS                                                                        \
    {"energy", SPN_SETTING_TEXT}, {"patterns", SPN_SETTING_FILE}, {"random", SPN_SETTING_LIST},    \
        {"teacher", SPN_SETTING_FLAG}, {"graph", SPN_SETTING_FILE}, {"table", SPN_SETTING_FILE},   \
    {                                                                                              \
        "minima", SPN_SETTING_FILE                                                                 \
    }

/* Check the settings; files are read, random patterns are not drawn. */
spn_status spn_instance_check(const spn_energy_kind **out, spn_values *values,
                              spn_task_store *store, spn_error *err);

/* Check the settings and make the energy. seed: of random patterns whose text has none. To be
   cleared, also after an error. */
spn_status spn_instance_make(spn_instance *out, spn_values *values, spn_task_store *store,
                             uint64_t seed, spn_error *err);
void spn_instance_clear(spn_instance *instance);

/* Spins and patterns as far as the settings tell without making anything; 0: not known. */
void spn_instance_size(const spn_values *values, double *sites, double *patterns);

/* XXH3 of the problem: two of equal content have the same. */
uint64_t spn_instance_checksum(const spn_instance *instance);

/* The patterns that weights put right: stability label * <W, pattern> of 0 or more. */
size_t spn_patterns_right(const spn_problem *patterns, const int8_t *weights);

#endif
