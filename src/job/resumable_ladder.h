/* A ladder of chains that can be killed: the checkpoint that it goes on from, and its trace, which
   is whole however often that happened. */
#ifndef SPN_JOB_RESUMABLE_LADDER_H
#define SPN_JOB_RESUMABLE_LADDER_H

#include "record/checkpoint.h"
#include "record/trace_rows.h"
#include <spinney/ladder.h>

typedef struct spn_resumable_ladder_options {
    const spn_energy *energy; /* borrowed, as is everything here */
    const spn_ladder_options *ladder;
    const spn_until *until; /* its observer is called as by a ladder */
    const char *identity;   /* lines that the checkpoint must agree with */
    const char *checkpoint; /* file; NULL: none */
    uint64_t save_steps;    /* of a walker between its writes, at least; 0: the time
                               decides, or */
    double save_seconds;    /* at least; 0: a twentieth of the run */
    const char *trace;      /* file, of the last rung; NULL: none */
    uint64_t trace_steps;   /* between its rows, at least; 0: for about 500 of them */
} spn_resumable_ladder_options;

/* Steps are those of one walker. */
typedef struct spn_resumable_ladder {
    spn_resumable_ladder_options options;
    spn_sampler *ladder;
    spn_stop stop;
    uint64_t resumed_step; /* where the run went on; 0: at the start */
    uint64_t saved_step;   /* of the checkpoint file */
    double seconds;        /* in this process, as are */
    uint64_t proposals;    /* these */
    uint64_t scan_steps;
    uint64_t trace_scans; /* between two rows of the trace */
    spn_trace_rows rows;
    spn_checkpoint latest; /* the last state that could be saved */
    double written;        /* when the file was */
} spn_resumable_ladder;

/* Make the ladder and run it, from the checkpoint if there is one, to its end or to a stop; leave a
   checkpoint from which it would come to the same end, and the trace so far: energies and overlap
   are those of the last rung, acceptance and best energies those of all. As spn_resumable_run does
   with a chain. To be cleared, also after an error. Errors: those of ladders, of checkpoints and of
   files. */
spn_status spn_resumable_ladder_run(spn_resumable_ladder *out,
                                    const spn_resumable_ladder_options *options, spn_error *err);
void spn_resumable_ladder_clear(spn_resumable_ladder *run);

#endif
