/* Whether work is shared out among threads, the energy changes of a step or the replicas of a
   stretch: only as long as it pays. */
#ifndef SPN_CHAIN_SHARING_H
#define SPN_CHAIN_SHARING_H

#include "base/team.h"

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
    uint64_t known;    /* by this many steps */
    uint32_t untimed;  /* blocks of cheap steps, of which few are timed */
    double next_trial; /* when to try what is not done now */
    double pause;      /* until the next trial after one that failed */
    uint64_t shared;   /* steps that were shared out */
} spn_sharing;

/* The share of the time that trials may take; shared steps must be this much faster than those of
   one thread; and the steps on one thread before the first trial. */
static const double SPN_TRIAL_SHARE = 0.02, SPN_SHARING_GAIN = 0.9;
enum { SPN_SHARING_KNOWN = 64 };

/* Whether there is a team; makes one if needed, of at most this many threads and items. */
bool spn_sharing_has_team(spn_sharing *s, unsigned threads, size_t items);

/* Note how many seconds these steps took on one thread. */
void spn_sharing_note_alone(spn_sharing *s, double seconds, uint64_t steps);

/* Sharing was slower, for this many seconds: pause, longer each time in a row. */
void spn_sharing_give_up(spn_sharing *s, double seconds);

#endif
