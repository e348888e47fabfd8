/* The processes that mpirun started together. Messages go between rank 0 and another. Waiting here
   takes no processor time. Without MPI there is one rank. */
#ifndef SPN_SWEEP_RANKS_H
#define SPN_SWEEP_RANKS_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum spn_rank_message_kind {
    /* to rank 0; all but the last carry the progress of the rank */
    SPN_RANK_WANT, /* wants a job */
    SPN_RANK_PROGRESS,
    SPN_RANK_STOPPED, /* was asked to stop */
    SPN_RANK_FAILED,  /* a run failed */
    SPN_RANK_ENDED,   /* the last message of this rank: status, text */
    /* from rank 0 */
    SPN_RANK_JOB,  /* answer to WANT: job, key, cost */
    SPN_RANK_NONE, /* answer to WANT if no job is left */
    SPN_RANK_STOP  /* save and end */
} spn_rank_message_kind;

typedef struct spn_rank_message {
    spn_rank_message_kind kind;
    spn_status status;
    uint64_t job, key;
    uint64_t finished, running;
    double cost; /* of a job; of what is done */
    char text[SPN_ERROR_TEXT];
} spn_rank_message;

typedef struct spn_ranks spn_ranks;

/* Whether mpirun started this process as one of several, from the environment. */
bool spn_ranks_expected(void);

/* Join the other ranks. alone: there are none, or ignore them. Errors: ARGUMENT (there are others,
   and this build has no MPI). */
spn_status spn_ranks_start(spn_ranks **out, bool alone, spn_error *err);

/* All ranks leave when they have nothing more to send. Accepts NULL. */
void spn_ranks_end(spn_ranks *ranks);

size_t spn_ranks_rank(const spn_ranks *ranks);
size_t spn_ranks_count(const spn_ranks *ranks);

/* Copy data from rank 0 to all; all ranks call it. */
void spn_ranks_broadcast(spn_ranks *ranks, void *data, size_t size);

void spn_ranks_send(spn_ranks *ranks, size_t to, const spn_rank_message *message);

/* The next message that has arrived; false if there is none. Messages of one rank keep their
   order. */
bool spn_ranks_receive(spn_ranks *ranks, spn_rank_message *out, size_t *from);

#endif
