/* An annealing that can be killed: a chain and the checkpoint file that it goes on from. */
#ifndef SPN_RECORD_ANNEALING_H
#define SPN_RECORD_ANNEALING_H

#include "record/checkpoint.h"
#include <spinney/chain.h>

/* What an observer has to keep over a kill besides the chain, such as the rows of a trace. */
typedef struct spn_keeper {
    void *context;
    /* What there is now, as bytes to be freed. */
    spn_status (*save)(void *context, void **out, size_t *size, spn_error *err);
    /* Bytes that were saved. */
    spn_status (*load)(void *context, const void *bytes, size_t size, spn_error *err);
} spn_keeper;

typedef struct spn_annealing_options {
    const spn_energy *energy;       /* borrowed, as is everything here */
    const spn_chain_options *chain; /* its observer is called as by a chain */
    const char *settings;           /* that the checkpoint is compared by */
    const char *checkpoint;         /* file; NULL: none */
    uint64_t every;                 /* steps between writes; 0: a twentieth of the run */
    double pause;                   /* seconds between writes, at least */
    const spn_keeper *keeper;       /* may be NULL */
} spn_annealing_options;

typedef struct spn_annealing {
    spn_annealing_options options;
    spn_chain *chain;
    spn_checkpoint latest; /* the last state that could be saved; its settings are borrowed */
    double written;        /* when the checkpoint was written */
    uint64_t saved_step;   /* of the checkpoint file */
    uint64_t resumed_step; /* where the run went on; 0: at the start */
    spn_stop stop;
    double seconds;     /* in this process, as are */
    uint64_t proposals; /* these */
} spn_annealing;

/* Make the chain, run it from the checkpoint, if there is one, to its end or to a stop, and leave
   a checkpoint from which it would come to the same end. Without a pause the first checkpoint is
   written at once, so that a file that cannot be written is found out before the run, not after
   it. To be cleared, also after an error. Errors: those of chains and of checkpoints. */
spn_status spn_annealing_run(spn_annealing *out, const spn_annealing_options *options,
                             spn_error *err);
void spn_annealing_clear(spn_annealing *annealing);

/* Remove a checkpoint file, if it is there. */
spn_status spn_annealing_forget(const char *checkpoint, spn_error *err);

#endif
