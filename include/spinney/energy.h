/* The energy interface: what the chain needs to know of a function on {-1,+1}^N.

   An energy is an immutable problem, shared by all replicas and threads. What changes with the
   spins lives in a cache, one per replica, whose memory the chain owns. To write an energy of your
   own, embed spn_energy as the first member of your struct and point ops at your functions
   (docs/adding-an-energy.md), or wrap a plain C function with spn_callback_create. */
#ifndef SPINNEY_ENERGY_H
#define SPINNEY_ENERGY_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_energy spn_energy;
struct spn_chain;

/* The functions of an energy. Spins are arrays of N values, each -1 or +1. `energy` is required.
   attach, delta and commit come together or not at all: without them every change is computed from
   scratch by `energy`, slow and right. Functions given different caches may run at the same time.
 */
typedef struct spn_energy_ops {
    const char *name;
    /* E(spins), from scratch. */
    double (*energy)(const spn_energy *self, const int8_t *spins);
    /* Fill the cache for spins and return E(spins). The cache is aligned to 64 bytes. */
    double (*attach)(const spn_energy *self, void *cache, const int8_t *spins);
    /* E after a flip of one site minus E before it. The spins are those before the flip. The cache
       may serve as scratch space, but no result may depend on earlier calls of delta. */
    double (*delta)(const spn_energy *self, void *cache, const int8_t *spins, size_t site);
    /* The flip was accepted and spins holds it: bring the cache up to date, return E(spins). */
    double (*commit)(const spn_energy *self, void *cache, const int8_t *spins, size_t site);
    /* Free the problem; NULL where there is nothing to free. */
    void (*destroy)(spn_energy *self);
    /* Make the cache exactly what attach would make it, at less cost, and return E(spins). Needed
       only where a cache depends, in its last bits, on how the state was reached; NULL says that it
       does not. The chain calls it at fixed steps, where it can be saved and resumed. */
    double (*refresh)(const spn_energy *self, void *cache, const int8_t *spins);
    /* NULL, except where the library inlines delta and commit into the chain's own loop, for
       energies whose changes cost less than a call. */
    size_t (*sweep)(struct spn_chain *chain, size_t count);
} spn_energy_ops;

struct spn_energy {
    const spn_energy_ops *ops;
    size_t sites;      /* N, 1 to 2^32-1 */
    size_t cache_size; /* bytes per replica */
    bool integral;     /* every value is an integer below 2^53, and so exact */
};

/* Bytes of cache that a replica needs, the slow default's included. */
SPN_API size_t spn_energy_cache_size(const spn_energy *energy);

/* The slots of an energy, or the slow defaults where it has none. */
SPN_API double spn_energy_value(const spn_energy *energy, const int8_t *spins);
SPN_API double spn_energy_attach(const spn_energy *energy, void *cache, const int8_t *spins);
SPN_API double spn_energy_delta(const spn_energy *energy, void *cache, const int8_t *spins,
                                size_t site);
SPN_API double spn_energy_commit(const spn_energy *energy, void *cache, const int8_t *spins,
                                 size_t site);

/* Free an energy made by any of the create functions. Accepts NULL. */
SPN_API void spn_energy_free(spn_energy *energy);

#ifdef __cplusplus
}
#endif
#endif
