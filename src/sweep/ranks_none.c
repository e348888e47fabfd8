/* Without MPI there is one rank. */
#include "base/try.h"
#include "sweep/ranks.h"

spn_status spn_ranks_start(spn_ranks **out, bool alone, spn_error *err)
{
    *out = NULL;
    if (spn_ranks_expected() && !alone)
        return spn_refuse(
            err, "mpirun started several processes, but this spinney was built without MPI: "
                 "build it with SPN_MPI=ON, or start shards");
    return SPN_OK;
}

void spn_ranks_end(spn_ranks *ranks)
{
    (void)ranks;
}

size_t spn_ranks_rank(const spn_ranks *ranks)
{
    (void)ranks;
    return 0;
}

size_t spn_ranks_count(const spn_ranks *ranks)
{
    (void)ranks;
    return 1;
}

void spn_ranks_broadcast(spn_ranks *ranks, void *data, size_t size)
{
    (void)ranks, (void)data, (void)size;
}

void spn_ranks_send(spn_ranks *ranks, size_t to, const spn_rank_message *message)
{
    (void)ranks, (void)to, (void)message;
}

bool spn_ranks_receive(spn_ranks *ranks, spn_rank_message *out, size_t *from)
{
    (void)ranks, (void)out, (void)from;
    return false;
}
