/* Whether the energy changes of a step are shared out among threads: only as long as it pays. */
#ifndef SPN_CORE_SHARING_H
#define SPN_CORE_SHARING_H

#include "core/team.h"

#include <stdbool.h>
#include <stdint.h>

/* Costs are seconds per step. What is done on one thread and what is shared out gives the same
   results, so that the choice may depend on the time that things take. */
typedef struct spn_sharing {
    spn_team *team;    /* NULL until it is first needed */
    bool always;       /* for tests: share out without asking whether it pays */
    bool never;        /* there are no threads to be had */
    bool on;           /* it pays now */
    double alone;      /* latest cost on one thread, */
    uint64_t known;    /* of so many steps */
    uint32_t untimed;  /* blocks of cheap steps, of which few are timed */
    double next_trial; /* when to try what is not done now */
    double pause;      /* until the next trial after one that failed */
    uint64_t shared;   /* steps that were shared out */
} spn_sharing;

#endif
