/* The best state of each replica. */
#include "chain/best.h"

#include "base/memory.h"
#include "base/try.h"
#include <assert.h>
#include <string.h>

spn_status spn_best_init(spn_best_states *best, size_t replicas, size_t sites, spn_error *err)
{
    /* a log longer than a fraction of N would cost more to replay than a copy */
    const size_t log_capacity = sites / 16 + 16;
    *best = (spn_best_states){.sites = sites,
                              .replicas = replicas,
                              .log_capacity = log_capacity,
                              .energy = spn_alloc(replicas, sizeof(double)),
                              .spins = spn_alloc(replicas, sites),
                              .log = spn_alloc(replicas * log_capacity, sizeof(uint32_t)),
                              .logged = spn_alloc(replicas, sizeof(size_t))};
    if (!best->energy || !best->spins || !best->log || !best->logged)
        return spn_no_memory(err, "the best states");
    return SPN_OK;
}

void spn_best_start(spn_best_states *best, const int8_t *spins, const double *energy)
{
    assert(best->replicas > 0 && best->sites > 0);
    memcpy(best->spins, spins, best->replicas * best->sites);
    memcpy(best->energy, energy, best->replicas * sizeof *energy);
}

void spn_best_forget_flips(spn_best_states *best, size_t a)
{
    assert(a < best->replicas);
    best->logged[a] = best->log_capacity + 1;
}

void spn_best_clear(spn_best_states *best)
{
    SPN_FREE_ALL(best->energy, best->spins, best->log, best->logged);
}

void spn_best_replay(spn_best_states *best, size_t a, const int8_t *spins)
{
    int8_t *target = best->spins + a * best->sites;
    const uint32_t *log = best->log + a * best->log_capacity;
    if (best->logged[a] > best->log_capacity)
        memcpy(target, spins, best->sites);
    else
        for (size_t j = 0; j < best->logged[a]; j++)
            target[log[j]] = spins[log[j]];
    best->logged[a] = 0;
    assert(memcmp(target, spins, best->sites) == 0);
}
