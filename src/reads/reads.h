/* The internals of reads, which reads.c runs and save.c saves. */
#ifndef SPN_READS_READS_H
#define SPN_READS_READS_H

#include "base/team.h"
#include "reads/lanes.h"
#include "reads/rows.h"
#include "reads/word_group.h"
#include <pthread.h>

typedef enum spn_read_state { SPN_READ_WAITS, SPN_READ_RUNS, SPN_READ_DONE } spn_read_state;

/* The reads that one thread is making. */
typedef struct spn_read_group {
    size_t first, count;  /* count 0: none */
    spn_sampler *sampler; /* NULL: not begun */
    spn_engine engine;    /* plain: one chain */
    bool stretched;       /* it may settle parts; otherwise all are given */
    double until;         /* when its last block ended, by the clock */
    spn_status status;    /* of its last steps */
    spn_error error;
} spn_read_group;

typedef struct spn_reads {
    spn_sampler base; /* counts the steps of all reads */
    const spn_energy *energy;
    spn_reads_options options;
    spn_chain_options chain; /* of read 0 */
    spn_engine engine;       /* of groups that begin */
    spn_lane_graph *graph;   /* NULL: no lanes of bytes */
    spn_row_graph *rows;     /* of lanes if there are none of bytes; NULL: no rows */
    spn_word_graph *bits;    /* NULL: no words */
    size_t width;            /* reads in a group */
    spn_device_choice device;
    bool on_device, any_device; /* groups go to the device; it is the one of `auto` */
    char place[SPN_ERROR_TEXT]; /* what spn_reads_device says; empty: nothing */
    spn_shared_parts parts;
    spn_team *team; /* NULL: one thread */
    spn_read_group *groups;
    size_t group_count; /* as many as threads, or more after a load */
    spn_read *read;     /* valid for those that are done */
    int8_t *best_spins; /* read r at r * sites */
    double until;       /* when the last block ended, by the clock */
    /* The lock guards what follows during a block. */
    pthread_mutex_t lock;
    unsigned char *state; /* a spn_read_state for each read */
    size_t next;          /* no read before it waits */
    size_t finished;
    uint64_t block;      /* steps of the current one, */
    uint64_t steps_left; /* and those nobody has taken */
    uint64_t steps_done; /* of finished reads, like the next two */
    double best_energy;
    spn_slice slices[SPN_SLICES];
} spn_reads;

extern const spn_sampler_type spn_reads_type;

static inline spn_reads *spn_reads_of(const spn_sampler *sampler)
{
    assert(sampler->type == &spn_reads_type);
    return (spn_reads *)sampler;
}

/* ---- choose.c ---- */

/* Errors: ARGUMENT if the engine that was asked for cannot make these reads; and of the device. */
spn_status spn_reads_choose_engine(spn_reads *reads, spn_error *err);
spn_status spn_reads_choose_device(spn_reads *reads, spn_error *err);

/* ---- groups.c ---- */

/* Make the sampler of a group at its start. Errors: those of spn_chain_create. */
spn_status spn_read_group_make(spn_reads *reads, spn_read_group *g, spn_error *err);

/* Fill in a read of a running group, and its best state. */
void spn_read_group_look(spn_reads *reads, const spn_read_group *g, size_t r);

const spn_slice *spn_read_group_slices(const spn_read_group *g);

/* ---- */

uint64_t spn_reads_count_steps(const spn_reads *reads);

spn_status spn_reads_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err);

#endif
