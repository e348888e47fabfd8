/* Descent: every site in turn is flipped if the energy falls, until none of them makes it fall. */
#ifndef SPINNEY_DESCENT_H
#define SPINNEY_DESCENT_H

#include <spinney/sampler.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Make a descent from a random state. The energy is borrowed until spn_sampler_free. Errors:
   MEMORY. */
SPN_API spn_status spn_descent_create(spn_sampler **out, const spn_energy *energy, uint64_t seed,
                                      spn_error *err);

/* The state, which belongs to the sampler; energy and flips may be NULL. */
SPN_API const int8_t *spn_descent_state(const spn_sampler *sampler, double *energy,
                                        uint64_t *flips);

#ifdef __cplusplus
}
#endif
#endif
