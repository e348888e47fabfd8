/* A sampler is a const struct of functions, and a state that all samplers share. core/sampler.c
   runs, watches, saves and loads them; a sampler adds its fields and how it advances. */
#ifndef SPN_CORE_SAMPLER_H
#define SPN_CORE_SAMPLER_H

#include "core/archive.h"
#include <spinney/sampler.h>

typedef struct spn_sampler_type {
    const char *name; /* "chain", "reads", "ladder", "population": for errors and saved states */
    /* Make one block of at most `most` steps, or one unit of its own, such as a scan, and add them
       to sampler->step. It may end early, and make no step only if spn_sampler_is_halted or
       ended() gives a reason. Errors: ENERGY, MEMORY. */
    spn_status (*advance)(spn_sampler *sampler, uint64_t most, spn_error *err);
    /* Why it ends by itself now: STEPS, TARGET, PATIENCE, FROZEN, or TIME if it has its own time;
       NONE: it goes on. */
    spn_stop (*ended)(const spn_sampler *sampler);
    /* Fill everything except step, seconds and due. */
    void (*look)(spn_progress *out, const spn_sampler *sampler);
    spn_health (*health)(const spn_sampler *sampler);
    bool (*can_save)(const spn_sampler *sampler); /* NULL: always */
    /* Visit every field of the state except those of spn_sampler, in one order, to measure, write
       and read. For reading, make room, check what was read, and then make the caches
       (spn_sampler_visited). Errors: ARGUMENT, MEMORY, ENERGY. */
    spn_status (*visit)(spn_sampler *sampler, spn_archive *archive, spn_error *err);
    /* Compare the energies kept from flip to flip with those of their states; called when a run
       ends. NULL: nothing to compare. Errors: ENERGY. */
    spn_status (*check)(const spn_sampler *sampler, spn_error *err);
    void (*destroy)(spn_sampler *sampler); /* and free it */
} spn_sampler_type;

/* The first member of every sampler. */
struct spn_sampler {
    const spn_sampler_type *type;
    uint64_t step;                     /* done */
    bool started;                      /* an observer could see the start */
    bool endless;                      /* it has no end of its own */
    double spent;                      /* seconds of earlier runs */
    double began;                      /* start of the current run, by the clock; 0: none */
    double now;                        /* end of the last block */
    double deadline;                   /* end of the current run; INFINITY: never */
    size_t limit;                      /* most steps of the next block */
    size_t least;                      /* of the limit */
    const volatile sig_atomic_t *stop; /* of the current run; never NULL */
    double (*clock)(void);             /* spn_clock; tests use their own */
};

void spn_sampler_init(spn_sampler *sampler, const spn_sampler_type *type);

/* Seconds of running so far. */
double spn_sampler_seconds(const spn_sampler *sampler);

/* Whether the current run must end: its stop was set, or its time is over. */
bool spn_sampler_is_halted(const spn_sampler *sampler);

/* Let an inner sampler obey the run of an outer one. */
void spn_sampler_follow(spn_sampler *inner, const spn_sampler *outer);

/* One block of at most `most` steps. Its length adapts to take 1 to 10 ms, even if one call of the
   energy takes longer, but is not limited to less than sampler->least steps. sampler->now: when the
   block begins, then when it ended. Errors: those of the type's advance. */
spn_status spn_sampler_advance(spn_sampler *sampler, uint64_t most, spn_error *err);

/* Visit a sampler inside an archive: for saving and loading, and for samplers made of others.
   Errors: those of the type's visit, ARGUMENT (the state of another). */
spn_status spn_sampler_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err);

/* When reading, before what was read is used: ARGUMENT if there were too few bytes. */
spn_status spn_sampler_visited(const spn_sampler *sampler, const spn_archive *archive,
                               spn_error *err);

#endif
