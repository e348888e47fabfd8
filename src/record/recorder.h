/* The trace of a run in a sweep: kept in memory, and over a kill in the checkpoint, so that it is
   whole however the run came to its end. */
#ifndef SPN_RECORD_RECORDER_H
#define SPN_RECORD_RECORDER_H

#include "record/annealing.h"

typedef struct spn_recorder {
    size_t replicas;
    uint64_t every;               /* steps between rows */
    uint64_t proposals, accepted; /* up to the last row */
    size_t rows, capacity;        /* capacity: in numbers */
    double *values;               /* rows of 5 + 2 replicas numbers, as in a trace */
} spn_recorder;

/* A recorder of about 500 rows for a run of these steps. */
spn_recorder spn_recorder_make(size_t replicas, uint64_t steps);

/* Add a row if it is time to, or in any case if `last`, but none twice. Errors: MEMORY. */
spn_status spn_recorder_add(spn_recorder *recorder, const spn_snapshot *snapshot, bool last,
                            spn_error *err);

/* Keeps a recorder over a kill. */
spn_keeper spn_recorder_keeper(spn_recorder *recorder);

/* Write the trace as CSV. */
spn_status spn_recorder_write(const spn_recorder *recorder, const char *path, spn_error *err);

void spn_recorder_clear(spn_recorder *recorder);

#endif
