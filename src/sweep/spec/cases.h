/* Cases: an axis whose values are names, each of which stands for several settings. */
#ifndef SPN_SWEEP_SPEC_CASES_H
#define SPN_SWEEP_SPEC_CASES_H

#include "sweep/spec/spec.h"

#include <spinney/lab/job.h>

/* The case of an axis that is called so, or NULL. */
const spn_case *spn_axis_case(const spn_axis *axis, const char *name);

/* Whether a setting is given by some case of the sweep. */
bool spn_sweep_has_case_of(const spn_sweep *sweep, const char *setting);

/* Give a record the names of the cases of its point, as settings. Errors: MEMORY. */
spn_status spn_sweep_name_cases(spn_record *record, const spn_sweep *sweep, size_t job,
                                spn_error *err);

/* Where case i of axis k stands, and a setting of it; or the axis. */
const spn_node *spn_spec_case(const spn_spec *spec, size_t k, size_t i, const char *setting);

/* Check the cases of axis k, write their settings in one way, and make its values, which are all of
   their names unless some are given. Errors: INPUT, ARGUMENT, MEMORY. */
spn_status spn_spec_cases(spn_sweep *sweep, const spn_spec *spec, size_t k, spn_error *err);

#endif
