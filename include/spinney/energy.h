/* The energy interface: what the chain needs to know of a function on {-1,+1}^N.

   An energy is an immutable problem, shared by all replicas and threads. What changes with the
   spins lives in a cache, one per replica, whose memory the chain owns. To write an energy of your
   own, give a table of functions and your problem to spn_energy_define (docs/adding/energy.md),
   or wrap a plain C function with spn_callback_create. */
#ifndef SPINNEY_ENERGY_H
#define SPINNEY_ENERGY_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

SPN_BEGIN_C

typedef struct spn_energy spn_energy;

/* The functions of an energy of yours; start from spn_energy_ops_defaults(). problem is what
   spn_energy_define was given. Spins are arrays of N values, each -1 or +1. `energy` is required.
   attach, delta and commit come together or not at all: without them every change is computed from
   scratch by `energy`, slow and right. Functions given different caches may run at the same time.
 */
typedef struct spn_energy_ops {
    size_t size;      /* of this struct */
    const char *name; /* a word for messages and reports; copied */
    /* E(spins), from scratch. Not NaN or -infinity; +infinity forbids a state: no chain enters it.
     */
    double (*energy)(const void *problem, const int8_t *spins);
    /* Fill the cache for spins and return E(spins). The cache is aligned to 64 bytes. */
    double (*attach)(const void *problem, void *cache, const int8_t *spins);
    /* E after a flip of one site minus E before it. The spins are those before the flip. The cache
       may serve as scratch space, but no result may depend on earlier calls of delta. */
    double (*delta)(const void *problem, void *cache, const int8_t *spins, size_t site);
    /* The flip was accepted and spins holds it: bring the cache up to date, return E(spins). */
    double (*commit)(const void *problem, void *cache, const int8_t *spins, size_t site);
    /* Free the problem, when the energy is freed; NULL if there is nothing to free. */
    void (*destroy)(void *problem);
    /* Make the cache exactly what attach would make it, at less cost, and return E(spins). Needed
       only if a cache depends, in its last bits, on how the state was reached; NULL says that it
       does not. The chain calls it at fixed steps, at which it can be saved and resumed. */
    double (*refresh)(const void *problem, void *cache, const int8_t *spins);
    /* With refresh: 1 if a cache holds numbers alone, no pointers. Then a chain can be saved at
       every step, with its caches. */
    uint64_t plain_cache;
} spn_energy_ops;

SPN_DEFAULTS(spn_energy_ops, spn_energy_ops_defaults, )

/* Make an energy of your functions.
   out: free it with spn_energy_free; NULL on failure.
   ops: copied; slots beyond its size count as NULL, so that an energy compiled with an older header
   keeps working.
   problem: handed to every function; freed by ops->destroy with the energy, but not on failure.
   sites: N, 1 to 2^32-1. cache_size: bytes per replica; 0 without attach.
   integral: every value is an integer below 2^53, and so exact.
   Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_energy_define(spn_energy **out, const spn_energy_ops *ops, void *problem,
                                     size_t sites, size_t cache_size, bool integral,
                                     spn_error *err);

/* What an energy is: N; the name of its kind, which belongs to it; whether every value is an
   integer. O(1). */
SPN_API size_t spn_energy_sites(const spn_energy *energy);
SPN_API const char *spn_energy_name(const spn_energy *energy);
SPN_API bool spn_energy_integral(const spn_energy *energy);

/* The number of couplings and fields of ising, qubo and maxcut that are not 0 but count as 0,
   because they are below half the unit of all, about 2^-51 of the sum of all sizes. 0 for other
   energies. O(1).
 */
SPN_API size_t spn_energy_zeroed(const spn_energy *energy);

/* Bytes of cache that a replica needs, the slow default's included. */
SPN_API size_t spn_energy_cache_size(const spn_energy *energy);

/* Call the functions of an energy, or the slow defaults if it has none. A cache has
   spn_energy_cache_size bytes, aligned to 64, and is attached first. */
SPN_API double spn_energy_value(const spn_energy *energy, const int8_t *spins);
SPN_API double spn_energy_attach(const spn_energy *energy, void *cache, const int8_t *spins);
SPN_API double spn_energy_delta(const spn_energy *energy, void *cache, const int8_t *spins,
                                size_t site);
SPN_API double spn_energy_commit(const spn_energy *energy, void *cache, const int8_t *spins,
                                 size_t site);

/* Free an energy, whoever made it. Accepts NULL. */
SPN_API void spn_energy_free(spn_energy *energy);

SPN_END_C
#endif
