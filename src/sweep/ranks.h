/* Ranks: the processes that mpirun has started together. Messages go between rank 0 and another.
   Nothing here waits at the cost of a core. In a build without MPI there is one rank. */
#ifndef SPN_SWEEP_RANKS_H
#define SPN_SWEEP_RANKS_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum spn_rank_message_kind {
    /* to rank 0; all but the last also say how far the rank is */
    SPN_RANK_WANT,     /* a job */
    SPN_RANK_PROGRESS, /* how far it is */
    SPN_RANK_STOPPED,  /* it was asked to stop */
    SPN_RANK_FAILED,   /* a run has failed */
    SPN_RANK_ENDED,    /* nothing more comes from this rank: status, text */
    /* from rank 0 */
    SPN_RANK_JOB,  /* the answer to WANT: job, key, cost */
    SPN_RANK_NONE, /* the answer to WANT when there is no job left */
    SPN_RANK_STOP  /* checkpoint and end */
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

/* What the environment says, without any cost: whether mpirun started this process as one of
   several, of how many (0: not known), and which of them it is (0 if it did not). */
bool spn_ranks_expected(void);
size_t spn_ranks_expected_count(void);
size_t spn_ranks_expected_rank(void);

/* Join the other ranks; alone: there are none, or they are to be ignored. Errors: ARGUMENT (there
   are others, and this build has no MPI). */
spn_status spn_ranks_start(spn_ranks **out, bool alone, spn_error *err);

/* Leave; all ranks do, when they have nothing more to say. Accepts NULL. */
void spn_ranks_end(spn_ranks *ranks);

size_t spn_ranks_rank(const spn_ranks *ranks);
size_t spn_ranks_count(const spn_ranks *ranks);

/* Copy data from rank 0 to all; all ranks call it. */
void spn_ranks_broadcast(spn_ranks *ranks, void *data, size_t size);

void spn_ranks_send(spn_ranks *ranks, size_t to, const spn_rank_message *message);

/* The next message that has arrived; false if there is none. Messages of one rank come in their
   order. */
bool spn_ranks_receive(spn_ranks *ranks, spn_rank_message *out, size_t *from);

#endif
