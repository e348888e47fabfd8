/* The records of a folder from what was read of it. */
#ifndef SPN_SWEEP_RECORDS_H
#define SPN_SWEEP_RECORDS_H

#include "record/manifest.h"

/* The runs of the manifests, which lose them, in the order of the grid; folder: how errors call it.
   The sweep is taken, also after an error. Errors: MEMORY. */
spn_status spn_records_make(spn_records **out, const char *folder, spn_sweep *sweep,
                            spn_manifests *manifests, spn_error *err);

/* spn_records_join of a specification that is in memory; folders are looked for beside its name. */
spn_status spn_records_join_text(spn_records **out, const spn_source *source, spn_error *err);

#endif
