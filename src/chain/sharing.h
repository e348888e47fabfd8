/* Whether to share work among threads (the energy changes of a step, or the replicas of a stretch):
   only while it pays. */
#ifndef SPN_CHAIN_SHARING_H
#define SPN_CHAIN_SHARING_H

#include "base/team.h"

#include <stdbool.h>
#include <stdint.h>

/* Costs are seconds per step. Shared or not, the results are the same, so the choice may depend on
   time. */
typedef struct spn_sharing {
    spn_team *team;    /* NULL until it is first needed */
    bool always;       /* for tests: always share */
    bool never;        /* no threads are available */
    bool on;           /* it pays now */
    double alone;      /* latest cost on one thread, */
    uint64_t known;    /* by this many steps */
    uint32_t untimed;  /* blocks of cheap steps that were not timed */
    double next_trial; /* when to try the other way */
    double pause;      /* until the next trial after one that failed */
    uint64_t shared;   /* steps that were shared out */
} spn_sharing;

/* Trials may take this share of the time; shared steps must take less than this share of the time
   of one thread; one thread makes this many steps before the first trial. */
static const double SPN_TRIAL_SHARE = 0.02, SPN_SHARING_GAIN = 0.9;
enum { SPN_SHARING_KNOWN = 64 };

/* Whether there is a team. Makes one if needed, with at most this many threads and items. */
bool spn_sharing_has_team(spn_sharing *s, unsigned threads, size_t items);

/* Note the seconds that these steps took on one thread. */
void spn_sharing_note_alone(spn_sharing *s, double seconds, uint64_t steps);

/* Sharing was slower and took these seconds: pause, longer each time in a row. */
void spn_sharing_give_up(spn_sharing *s, double seconds);

#endif
