/* The jobs of a sweep, longest first so that the last ones to end are short; which of them this
   process does, and which are finished. */
#ifndef SPN_SWEEP_AGENDA_H
#define SPN_SWEEP_AGENDA_H

#include "sweep/jobs.h"

#include <spinney/lab/sweep.h>

typedef struct spn_agenda_job {
    size_t index; /* in the sweep */
    double cost;
} spn_agenda_job;

typedef struct spn_agenda {
    size_t count, runs;   /* all jobs; runs per point */
    uint64_t *keys;       /* of all jobs, in the order of the sweep */
    uint64_t *sorted;     /* the same keys, sorted */
    spn_cost *costs;      /* per job of each point, in the order of the sweep */
    size_t mine;          /* jobs of this process, finished or not */
    size_t before;        /* of these, already finished */
    size_t done;          /* of all jobs, already finished */
    size_t pending;       /* jobs of this process to do, */
    spn_agenda_job *jobs; /* longest first */
    double cost;          /* of these */
} spn_agenda;

/* List all jobs of a sweep as unfinished and as this process's, and plan every point. Clear out,
   also after an error. Errors: those of plans; ARGUMENT (two jobs are the same), MEMORY. */
spn_status spn_agenda_make(spn_agenda *out, const spn_sweep *sweep, spn_plans *plans,
                           spn_error *err);
void spn_agenda_clear(spn_agenda *agenda);

/* Choose the jobs of a shard, from 0: every shards-th of all jobs, longest first, without those
   whose sorted keys are given. */
void spn_agenda_choose(spn_agenda *agenda, size_t shard, size_t shards, const uint64_t *finished,
                       size_t finished_count);

/* For qsort: longest first, else as in the sweep. */
int spn_agenda_compare(const void *a, const void *b);

void spn_keys_sort(uint64_t *keys, size_t count);
bool spn_keys_hold(const uint64_t *sorted, size_t count, uint64_t key);

#endif
