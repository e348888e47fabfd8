/* The best state of each replica, kept without copying N spins at every improvement: flips since
   the best are logged, and the next best replays the log. Amortised O(1) per accepted flip. */
#ifndef SPN_CHAIN_BEST_H
#define SPN_CHAIN_BEST_H

#include <assert.h>
#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct spn_best_states {
    size_t sites, replicas;
    size_t log_capacity;
    double *energy; /* one per replica */
    int8_t *spins;  /* replica a at a * sites */
    uint32_t *log;  /* replica a at a * log_capacity */
    size_t *logged; /* more than log_capacity: the log is incomplete, copy all */
} spn_best_states;

spn_status spn_best_init(spn_best_states *best, size_t replicas, size_t sites, spn_error *err);
void spn_best_clear(spn_best_states *best);

void spn_best_start(spn_best_states *best, const int8_t *spins, const double *energy);

/* The flips since replica a's best are not known: copy its next best whole. */
void spn_best_forget_flips(spn_best_states *best, size_t a);

/* Replica a has flipped site and now has this energy. True if that is a new best. */
static inline bool spn_best_flip(spn_best_states *best, size_t a, size_t site, const int8_t *spins,
                                 double energy);

void spn_best_replay(spn_best_states *best, size_t a, const int8_t *spins);

static inline bool spn_best_flip(spn_best_states *best, size_t a, size_t site, const int8_t *spins,
                                 double energy)
{
    size_t logged = best->logged[a];
    assert(a < best->replicas && site < best->sites);
    if (logged < best->log_capacity)
        best->log[a * best->log_capacity + logged] = (uint32_t)site;
    best->logged[a] = logged + 1;
    if (!(energy < best->energy[a]))
        return false;
    best->energy[a] = energy;
    spn_best_replay(best, a, spins);
    return true;
}

#endif
