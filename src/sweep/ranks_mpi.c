/* Ranks by MPI. Only the thread that started them calls it. MPI waits by spinning, which would
   take a core from the runs, so every wait here is a test and a short sleep. */
#include "base/try.h"
#include "sweep/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

struct spn_ranks {
    MPI_Comm world; /* our own, so that our messages meet no others */
    int rank, count;
    bool started; /* by us, not by the program around us */
};

static void sleep_until(MPI_Request request)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    int done = 0;
    while (MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&pause, NULL);
}

static spn_status join(spn_ranks *ranks, spn_error *err)
{
    int there, over, level = MPI_THREAD_SINGLE;
    MPI_Finalized(&over);
    if (over)
        return spn_refuse(err, "MPI was ended before: only one sweep can be run in a process");
    MPI_Initialized(&there);
    if (there) {
        MPI_Query_thread(&level);
    } else {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
        ranks->started = true;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &ranks->world);
    MPI_Comm_rank(ranks->world, &ranks->rank);
    MPI_Comm_size(ranks->world, &ranks->count);
    if (level < MPI_THREAD_FUNNELED)
        return spn_refuse(err, "this MPI does not allow threads");
    return SPN_OK;
}

spn_status spn_ranks_start(spn_ranks **out, bool alone, spn_error *err)
{
    *out = NULL;
    if (alone || !spn_ranks_expected())
        return SPN_OK;
    spn_ranks *ranks = calloc(1, sizeof *ranks);
    SPN_NEED(ranks, err, "the ranks");
    ranks->world = MPI_COMM_NULL;
    SPN_HAND_OVER(out, ranks, spn_ranks_end, join(ranks, err));
}

void spn_ranks_end(spn_ranks *ranks)
{
    spn_rank_message message;
    size_t from;
    if (!ranks)
        return;
    if (ranks->world != MPI_COMM_NULL) {
        while (spn_ranks_receive(ranks, &message, &from))
            ; /* a STOP that crossed our last message */
        MPI_Comm_free(&ranks->world);
    }
    if (ranks->started)
        MPI_Finalize();
    free(ranks);
}

size_t spn_ranks_rank(const spn_ranks *ranks)
{
    return ranks ? (size_t)ranks->rank : 0;
}

size_t spn_ranks_count(const spn_ranks *ranks)
{
    return ranks ? (size_t)ranks->count : 1;
}

void spn_ranks_broadcast(spn_ranks *ranks, void *data, size_t size)
{
    MPI_Request request;
    if (!ranks)
        return;
    MPI_Ibcast(data, (int)size, MPI_BYTE, 0, ranks->world, &request);
    sleep_until(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void spn_ranks_send(spn_ranks *ranks, size_t to, const spn_rank_message *message)
{
    MPI_Request request;
    MPI_Isend(message, sizeof *message, MPI_BYTE, (int)to, 0, ranks->world, &request);
    sleep_until(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

bool spn_ranks_receive(spn_ranks *ranks, spn_rank_message *out, size_t *from)
{
    int there = 0;
    MPI_Status status;
    if (!ranks)
        return false;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, ranks->world, &there, &status);
    if (!there)
        return false;
    *from = (size_t)status.MPI_SOURCE;
    MPI_Recv(out, sizeof *out, MPI_BYTE, status.MPI_SOURCE, 0, ranks->world, MPI_STATUS_IGNORE);
    return true;
}
