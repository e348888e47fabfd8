/* What makes a sampler: one const struct of functions, and the state that all samplers share.
   core/sampler.c runs, watches, saves and loads them all; a sampler brings its own fields and how
   it advances. */
#ifndef SPN_CORE_SAMPLER_H
#define SPN_CORE_SAMPLER_H

#include "core/archive.h"
#include <spinney/sampler.h>

typedef struct spn_sampler_type {
    const char *name; /* "chain", "reads", "ladder", "population": for errors and saved states */
    /* Make one block of steps, at most `most`, or one whole unit of its own (a scan, say), and add
       them to sampler->step. It may end early, and make no step only if spn_sampler_is_halted or
       ended() gives a reason. Errors: ENERGY, MEMORY. */
    spn_status (*advance)(spn_sampler *sampler, uint64_t most, spn_error *err);
    /* Why it ends by itself now: STEPS, TARGET, PATIENCE, FROZEN, or TIME if it has a time of its
       own; NONE if it goes on. */
    spn_stop (*ended)(const spn_sampler *sampler);
    /* Fill everything but step, seconds and due. */
    void (*look)(spn_progress *out, const spn_sampler *sampler);
    spn_health (*health)(const spn_sampler *sampler);
    bool (*can_save)(const spn_sampler *sampler); /* NULL: always */
    /* Visit every field of the state but those of spn_sampler, in one order: to measure, to write
       and to read. When it reads, it makes room, checks what it read, and then makes its caches
       (spn_sampler_visited). Errors: ARGUMENT, MEMORY, ENERGY. */
    spn_status (*visit)(spn_sampler *sampler, spn_archive *archive, spn_error *err);
    void (*destroy)(spn_sampler *sampler); /* and free it */
} spn_sampler_type;

/* The first member of every sampler. */
struct spn_sampler {
    const spn_sampler_type *type;
    uint64_t step;   /* done */
    bool started;    /* an observer could see the start */
    bool endless;    /* it has no end of its own */
    double spent;    /* seconds of the runs before this one */
    double began;    /* when the current run did, by the clock; 0: none is under way */
    double now;      /* when the last block ended */
    double deadline; /* when the current run ends; INFINITY: never */
    size_t limit;    /* steps of the next block, at most */
    const volatile sig_atomic_t *stop; /* of the current run; never NULL */
    double (*clock)(void);             /* spn_clock; tests put one of their own */
};

void spn_sampler_init(spn_sampler *sampler, const spn_sampler_type *type);

/* Seconds of running so far. */
double spn_sampler_seconds(const spn_sampler *sampler);

/* Whether the current run must end: its stop was set, or its time is over. */
bool spn_sampler_is_halted(const spn_sampler *sampler);

/* Let a sampler inside another one obey the run of the outer one. */
void spn_sampler_follow(spn_sampler *inner, const spn_sampler *outer);

/* One block of at most `most` steps. Its length adapts, so that it takes 1 to 10 ms even if a
   single call of the energy takes longer. sampler->now: when the block begins, and then when it
   ended. Errors: those of the type's advance. */
spn_status spn_sampler_advance(spn_sampler *sampler, uint64_t most, spn_error *err);

/* Visit a sampler inside an archive: what saving and loading do, and what a sampler made of others
   does with each of them. Errors: those of the type's visit, ARGUMENT (the state of another). */
spn_status spn_sampler_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err);

/* In a visit that reads, before what was read is used: ARGUMENT if there were too few bytes. */
spn_status spn_sampler_visited(const spn_sampler *sampler, const spn_archive *archive,
                               spn_error *err);

#endif
