/* The parts of a run: its schedules go through K equal parts of their way, and part k takes
   steps[k] steps. One part is the plain run. A stretched run settles its parts as it goes, each as
   long as the time that is left allows at the pace of the last; their lengths are all you need to
   repeat it. */
#ifndef SPN_CHAIN_PARTS_H
#define SPN_CHAIN_PARTS_H

#include "core/sampler.h"
#include <pthread.h>
#include <spinney/chain.h>

enum { SPN_STRETCHED_PARTS = 16 };

typedef struct spn_parts {
    size_t count;    /* K, at least 1 */
    size_t made;     /* those whose length is settled; the others hold the last that was planned */
    uint64_t *steps; /* of each; 0 of a single part: without end */
    size_t now;      /* the part that the next step belongs to, */
    uint64_t start;  /* and the steps before it */
    /* A stretched run. */
    double seconds; /* that it may take; 0: it is not stretched */
    double pace;    /* steps per second, as last measured */
    double begun;   /* the part under way: the seconds that the sampler had run before it, */
    uint64_t first; /* and the steps */
    struct spn_shared_parts *shared; /* NULL: the parts of this run alone */
} spn_parts;

/* The parts of many runs that have them in common: the first that comes to a part settles its
   length for all. */
typedef struct spn_shared_parts {
    pthread_mutex_t lock;
    spn_parts parts;
    double rounds; /* runs after one another, for which the lengths must be right on average */
} spn_shared_parts;

/* Where the schedules are: step t of T, as if the whole run were as slow as the current part. */
typedef struct spn_way {
    uint64_t step, steps; /* steps: 0 without end */
} spn_way;

/* The parts that options ask for; their steps become the sum, 0 if that is not known yet. Errors:
   ARGUMENT, MEMORY. */
spn_status spn_parts_init(spn_parts *out, spn_chain_options *options, spn_error *err);
void spn_parts_clear(spn_parts *parts);

/* The same for many runs. Clear accepts zeros. */
spn_status spn_shared_parts_init(spn_shared_parts *out, const spn_chain_options *options,
                                 double rounds, spn_error *err);
void spn_shared_parts_clear(spn_shared_parts *shared);

/* Whether all lengths are settled. */
bool spn_shared_parts_are_made(spn_shared_parts *shared);

/* Step t of the run, which is in the current part or, if that is the last, past it. */
static inline spn_way spn_parts_at(const spn_parts *parts, uint64_t t)
{
    const uint64_t length = parts->steps[parts->now];
    return (spn_way){parts->now * length + (t - parts->start), parts->count * length};
}

/* The steps from t to the end of the current part; UINT64_MAX without end. */
uint64_t spn_parts_left(const spn_parts *parts, uint64_t t);

/* Step t is the next: go to its part. True if a part begins whose length is not settled. */
bool spn_parts_enter(spn_parts *parts, uint64_t t);

/* Go to the part of the sampler's next step, and settle its length if nobody has. The pace is that
   of the last part, or of a trial: a few steps from the start, after which the sampler is put back.
   Errors: those of the sampler's steps, MEMORY. */
spn_status spn_parts_begin(spn_parts *parts, spn_sampler *sampler, spn_error *err);

/* Whether a stretched run is so late that it is cut off: its pace broke down, or its few steps are
   too slow. Runs that repeat the lengths of others are not. */
bool spn_parts_are_late(const spn_parts *parts, const spn_sampler *sampler);

/* The steps of all parts; 0 if they are not settled. */
uint64_t spn_parts_total(const spn_parts *parts);

/* Save or load what a stretched run has settled; step: of the run. Errors: ARGUMENT. */
spn_status spn_parts_visit(spn_parts *parts, uint64_t step, spn_archive *archive, spn_error *err);

#endif
