/* Reads side by side: what groups of them in bytes (lanes.h), rows and words share. All reads of a
   group make the same steps, window by window: no site is proposed twice in one, so the state at a
   read's last new lowest energy is the state now without the flips after it. */
#ifndef SPN_READS_SIDE_H
#define SPN_READS_SIDE_H

#include "chain/health.h"
#include "core/sampler.h"
#include "core/schedule.h"
#include <assert.h>
#include <spinney/reads.h>

typedef struct spn_side spn_side;

/* What a kind of group has of its own; r: a read of the group, from 0. */
typedef struct spn_side_kind {
    /* Make a window of steps, a sweep or up to the end of a part, and update the best states;
       returns how many. */
    uint64_t (*window)(spn_side *side);
    size_t (*active)(const spn_side *side); /* reads that go on */
    double (*best)(const spn_side *side, size_t r);
    /* Whether the energy and the fields kept for a read are those of its spins. O(edges); only
       asserts call it. */
    bool (*is_consistent)(spn_side *side, size_t r);
    /* After a load: compute what is not saved. False if no run can reach this state; a trusted one
       is not checked. */
    bool (*settle)(spn_side *side, bool trusted);
    /* A read as it is now, and its best state, N spins. */
    void (*look)(spn_read *out, int8_t *best_spins, spn_side *side, size_t r);
} spn_side_kind;

struct spn_side {
    spn_sampler base;
    const spn_side_kind *kind;
    spn_chain_options options; /* of read 0; seconds: of the group */
    size_t first, count;       /* reads */
    size_t sites;
    spn_parts parts;
    spn_slice slices[SPN_SLICES]; /* sums over the reads */
};

/* Reads first .. first+count-1 of the chain `options`, whose seconds are those of one chain.
   Errors: MEMORY; then clear the parts. */
spn_status spn_side_init(spn_side *side, const spn_sampler_type *type, const spn_side_kind *kind,
                         const spn_chain_options *options, size_t first, size_t count, size_t sites,
                         spn_error *err);

/* Read number `read`, one of its reads, as it is now, and its best state, N spins. */
static inline void spn_side_read(spn_read *out, int8_t *best_spins, spn_side *side, size_t read)
{
    assert(read >= side->first && read < side->first + side->count);
    side->kind->look(out, best_spins, side, read - side->first);
}

/* The start of read r of the group, of one replica, as the chain places it: N spins. */
void spn_side_start(const spn_side *side, size_t r, int8_t *out);

static inline bool spn_side_is_complete(const spn_side *side)
{
    return spn_parts_are_done(&side->parts, side->base.step);
}

static inline const spn_schedule *spn_side_beta(const spn_side *side)
{
    return side->options.beta ? side->options.beta : &spn_schedule_one;
}

/* The energy at so many counts of a unit above the start. The constant is added last, as the energy
   does: everything before it is exact. */
static inline double spn_side_energy(double start, double unit, double constant, int64_t counts)
{
    return start + (double)counts * unit + constant;
}

/* The most counts, in size at most `most`, at which it is at or below the target. */
int64_t spn_side_counts(double start, double unit, double constant, double target, int64_t most);

/* Steps to the end of a sweep, or of a part of unknown length, by pieces: make(side, row, most)
   makes at most `most` steps from site `row` on and returns how many. Returns all. */
size_t spn_side_steps(spn_side *side, size_t (*make)(spn_side *side, size_t row, size_t most));

/* Functions of the sampler's type. */
spn_status spn_side_advance(spn_sampler *sampler, uint64_t most, spn_error *err);
spn_stop spn_side_ended(const spn_sampler *sampler);
void spn_side_look(spn_progress *out, const spn_sampler *sampler);
spn_health spn_side_health(const spn_sampler *sampler);

/* Visit what identifies a group, its parts and its slices; and after its other fields, when
   reading, settle it. Errors: ARGUMENT. */
spn_status spn_side_visit(spn_side *side, const uint64_t *made_of, size_t count,
                          spn_archive *archive, spn_error *err);
spn_status spn_side_visited(spn_side *side, const spn_archive *archive, spn_error *err);

#endif
