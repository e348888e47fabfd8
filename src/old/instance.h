/* The energy that settings describe. */
#ifndef SPN_OLD_INSTANCE_H
#define SPN_OLD_INSTANCE_H

#include "old/tasks.h"

/* Made for a job, or borrowed from the store. */
typedef struct xpn_instance {
    const spn_energy_kind *kind;
    const spn_problem *problem;
    const spn_energy *energy;
    spn_problem *own_problem; /* what has to be freed; may be NULL */
    spn_energy *own_energy;
    uint64_t seed; /* what random patterns were drawn from, where the settings name none; else 0 */
} xpn_instance;

/* The settings of energies, for a table. */
#define XPN_ENERGY_SETTINGS                                                                        \
    {"energy", XPN_SETTING_TEXT}, {"patterns", XPN_SETTING_FILE}, {"random", XPN_SETTING_LIST},    \
        {"teacher", XPN_SETTING_FLAG}, {"graph", XPN_SETTING_FILE}, {"table", XPN_SETTING_FILE},   \
    {                                                                                              \
        "minima", XPN_SETTING_FILE                                                                 \
    }

/* Check the settings; files are read, random patterns are not drawn. */
spn_status xpn_instance_check(const spn_energy_kind **out, xpn_values *values,
                              xpn_task_store *store, spn_error *err);

/* Check the settings and make the energy. seed: of random patterns whose text has none. To be
   cleared, also after an error. */
spn_status xpn_instance_make(xpn_instance *out, xpn_values *values, xpn_task_store *store,
                             uint64_t seed, spn_error *err);
void xpn_instance_clear(xpn_instance *instance);

/* Spins and patterns as far as the settings tell without making anything; 0: not known. */
void xpn_instance_size(const xpn_values *values, double *sites, double *patterns);

/* XXH3 of the problem: two of equal content have the same. */
uint64_t xpn_instance_checksum(const xpn_instance *instance);

/* The patterns that weights put right: stability label * <W, pattern> of 0 or more. */
size_t xpn_patterns_right(const spn_problem *patterns, const int8_t *weights);

#endif
