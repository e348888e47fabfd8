/* A chain that can be killed: the checkpoint that it goes on from, and its trace, which is whole
   however often that happened. */
#ifndef SPN_JOB_RESUMABLE_H
#define SPN_JOB_RESUMABLE_H

#include "record/checkpoint.h"
#include "record/trace_rows.h"
#include <spinney/chain.h>

typedef struct spn_resumable_options {
    const spn_energy *energy; /* borrowed, as is everything here */
    const spn_chain_options *chain;
    const spn_until *until; /* its observer is called as by a chain */
    const char *identity;   /* lines that the checkpoint must agree with */
    const char *checkpoint; /* file; NULL: none */
    uint64_t save_steps;    /* between its writes, at least; 0: the time decides, or */
    double save_seconds;    /* at least; 0: a twentieth of the run */
    const char *trace;      /* file; NULL: none */
    uint64_t trace_steps;   /* between its rows; 0: for about 500 to 1000 of them */
} spn_resumable_options;

typedef struct spn_resumable {
    spn_resumable_options options;
    spn_sampler *chain;
    spn_stop stop;
    uint64_t resumed_step; /* where the run went on; 0: at the start */
    uint64_t saved_step;   /* of the checkpoint file */
    double seconds;        /* in this process, as are */
    uint64_t proposals;    /* these */
    spn_trace_rows rows;
    spn_checkpoint latest; /* the last state that could be saved */
    double written;        /* when the file was */
    double shown;          /* when their observer was called last */
} spn_resumable;

/* Make the chain and run it, from the checkpoint if there is one, to its end or to a stop; leave a
   checkpoint from which it would come to the same end, and the trace so far. Without save_seconds
   the first checkpoint is written at once, so that a file that cannot be written is found out
   before the run, not after it. To be cleared, also after an error. Errors: those of chains, of
   checkpoints and of files. */
spn_status spn_resumable_run(spn_resumable *out, const spn_resumable_options *options,
                             spn_error *err);
void spn_resumable_clear(spn_resumable *run);

#endif
