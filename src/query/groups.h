/* Group runs, or rows of their curves, by equal values. */
#ifndef SPN_QUERY_GROUPS_H
#define SPN_QUERY_GROUPS_H

#include <spinney/lab/view.h>

/* NaN if there is none. */
double spn_observation_number(spn_observation at, const char *name);

/* Whether a run has a setting, a result (even NaN) or a column of a curve of this name. */
bool spn_record_has(const spn_record *record, const char *name);

/* Group by the values of some names; equal numbers are one value. Axis values come in their order,
   others in order of first use; the order within a group stays. Cost: observations times names.
   Errors: MEMORY; then there is nothing to clear. */
spn_status spn_groups_make(spn_groups *out, const spn_observation *of, size_t count,
                           const char *const *names, size_t name_count, const spn_sweep *sweep,
                           spn_error *err);

#endif
