/* The parts of a run. Its schedules are cut into K equal parts, and part k takes steps[k] steps. A
   plain run has one part. A stretched run settles its parts one by one, each as long as the time
   left allows at the pace of the last; their lengths are all you need to repeat it. */
#ifndef SPN_CHAIN_PARTS_H
#define SPN_CHAIN_PARTS_H

#include "core/sampler.h"
#include <pthread.h>
#include <spinney/chain.h>

enum { SPN_STRETCHED_PARTS = 16 };

typedef struct spn_parts {
    size_t count;                    /* K, at least 1 */
    size_t made;                     /* settled lengths; the others hold the latest plan */
    uint64_t *steps;                 /* of each; a single part of 0 steps has no end */
    size_t now;                      /* the part that the next step belongs to, */
    uint64_t start;                  /* and the steps before it */
    double seconds;                  /* of a stretched run; 0: it is not stretched */
    double pace;                     /* steps per second, as last measured */
    double begun;                    /* running time before the current part, */
    uint64_t first;                  /* and steps before it, of all runs that share the parts */
    uint64_t told;                   /* steps of this run that `shared` includes */
    struct spn_shared_parts *shared; /* NULL: not shared */
} spn_parts;

/* Parts common to many runs: the first run that reaches a part settles its length for all. */
typedef struct spn_shared_parts {
    pthread_mutex_t lock;
    spn_parts parts;
    double rounds; /* runs one after the other */
    double groups; /* runs side by side, */
    uint64_t made; /* and the steps of all of them so far */
} spn_shared_parts;

/* Where the schedules are: step t of T, as if the whole run had the pace of the current part. */
typedef struct spn_way {
    uint64_t step, steps; /* steps: 0 without end */
} spn_way;

/* The parts of the options, whose steps become the sum, or 0 if that is not known yet. Errors:
   ARGUMENT, MEMORY. */
spn_status spn_parts_init(spn_parts *out, spn_chain_options *options, spn_error *err);
void spn_parts_clear(spn_parts *parts);

/* The same for many runs. Clear accepts a zeroed struct. */
spn_status spn_shared_parts_init(spn_shared_parts *out, const spn_chain_options *options,
                                 double rounds, double groups, spn_error *err);
void spn_shared_parts_clear(spn_shared_parts *shared);

bool spn_shared_parts_are_made(spn_shared_parts *shared);

/* Step t of the run, which must be in the current part, or past it if that is the last. */
static inline spn_way spn_parts_at(const spn_parts *parts, uint64_t t)
{
    const uint64_t length = parts->steps[parts->now];
    return (spn_way){parts->now * length + (t - parts->start), parts->count * length};
}

/* The steps from t to the end of the current part; UINT64_MAX without end. */
uint64_t spn_parts_left(const spn_parts *parts, uint64_t t);

/* Go to the part of step t, the next step. True if that part's length is not settled. */
bool spn_parts_enter(spn_parts *parts, uint64_t t);

/* Go to the part of the sampler's next step, and settle its length if nobody has. The pace is that
   of the last part, or of a trial: a few steps from the start, then the sampler is put back.
   Errors: those of the steps, MEMORY. */
spn_status spn_parts_begin(spn_parts *parts, spn_sampler *sampler, spn_error *err);

/* Whether a stretched run is so late that it must be cut off: its pace broke down, or its few steps
   are too slow. Runs that repeat the lengths of others are never cut off. */
bool spn_parts_are_late(const spn_parts *parts, const spn_sampler *sampler);

/* The sum of the parts; 0 if they are not all settled. */
uint64_t spn_parts_total(const spn_parts *parts);

/* Whether a run whose next step is t has made them all; and the share of the way it has made. */
bool spn_parts_are_done(const spn_parts *parts, uint64_t t);
double spn_parts_share(const spn_parts *parts, uint64_t t);

/* Save or load what a stretched run has settled; step: of the run. Errors: ARGUMENT. */
spn_status spn_parts_visit(spn_parts *parts, uint64_t step, spn_archive *archive, spn_error *err);

#endif
