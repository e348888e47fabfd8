/* The parts of a run: its schedules go through K equal parts of their way, and part k takes
   steps[k] steps. One part is the plain run. A run that is stretched to a time makes its parts as
   it goes, each as long as the time that is left allows at the pace of the last; what was run is
   told by their lengths alone. */
#ifndef SPN_CHAIN_PARTS_H
#define SPN_CHAIN_PARTS_H

#include <spinney/chain.h>

enum { SPN_STRETCHED_PARTS = 16 };

typedef struct spn_parts {
    size_t count;    /* K, at least 1 */
    size_t made;     /* those whose length is settled; the others hold the last that was planned */
    uint64_t *steps; /* of each; 0 of a single part: without end */
    size_t now;      /* the part that the next step belongs to, */
    uint64_t start;  /* and the steps before it */
    /* Of a run that is stretched. */
    double pace;    /* steps per second, as last measured */
    double run;     /* when the current run began, by the clock; in it the part under way began */
    double begun;   /* then, */
    uint64_t first; /* at this step */
} spn_parts;

/* Where the schedules are: step t of T, as if the whole run were as slow as the current part. */
typedef struct spn_way {
    uint64_t step, steps; /* steps: 0 without end */
} spn_way;

/* The parts that options ask for; their steps become the sum, 0 where that is not known yet.
   Errors: ARGUMENT, MEMORY. */
spn_status spn_parts_init(spn_parts *out, spn_chain_options *options, spn_error *err);
void spn_parts_clear(spn_parts *parts);

/* Step t of the run, which is in the current part or, where that is the last, past it. */
static inline spn_way spn_parts_at(const spn_parts *parts, uint64_t t)
{
    const uint64_t length = parts->steps[parts->now];
    return (spn_way){parts->now * length + (t - parts->start), parts->count * length};
}

/* The steps from t to the end of the current part; UINT64_MAX without end. */
uint64_t spn_parts_left(const spn_parts *parts, uint64_t t);

/* Step t is the next: go to its part. True if a part begins whose length is not settled. */
bool spn_parts_enter(spn_parts *parts, uint64_t t);

/* Settle the length of the current part by the seconds that are left of the run. */
void spn_parts_settle(spn_parts *parts, double seconds_left);

/* The steps of all parts; 0 where they are not settled. */
uint64_t spn_parts_total(const spn_parts *parts);

#endif
