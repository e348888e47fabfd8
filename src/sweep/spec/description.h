/* The specification of a sweep, described once: by these tables spn_sweep is read from YAML and
   from sweep.json, written, freed, compared and shown. A key stands here and in the struct alone.
 */
#ifndef SPN_SWEEP_SPEC_DESCRIPTION_H
#define SPN_SWEEP_SPEC_DESCRIPTION_H

#include "sweep/spec/members.h"

#include <spinney/lab/records.h>

extern const spn_member spn_sweep_members[], spn_axis_members[], spn_figure_members[];

/* Of a joint specification, into an spn_sweep. */
extern const spn_member spn_joint_members[];

/* An axis that is given as a range, by those members of an axis that are read apart. */
typedef struct spn_axis_range {
    double from, to;
    uint64_t count;
    int spacing; /* 0: linear, 1: logarithmic */
} spn_axis_range;

#endif
