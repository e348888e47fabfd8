/* Random numbers of a block of proposals. Proposal t of a stream takes two 32-bit words, a half of
   block t/2: one chooses replica and site, the other makes the threshold. */
#ifndef SPN_CORE_DRAWS_H
#define SPN_CORE_DRAWS_H

#include "base/machine.h"
#include "core/kernel.h"
#include <spinney/random.h>

typedef struct spn_draw_request {
    spn_stream stream;
    uint64_t first; /* proposals first .. first+count-1 */
    size_t count;
    uint32_t sites;    /* sites are drawn from 0..sites-1 */
    uint32_t replicas; /* and replicas from 0..replicas-1; replicas * sites < 2^32 */
    spn_threshold threshold;
} spn_draw_request;

/* Fill three arrays of request->count elements; if site is NULL, only the thresholds, from the
   same words. Every version gives the same bits. */
typedef void spn_draw_function(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                               double *threshold);

spn_draw_function spn_draw_portable;
spn_draw_function spn_draw_avx2;
spn_draw_function spn_draw_avx512;
spn_draw_function spn_draw_neon;

spn_draw_function *spn_draw_select(spn_isa isa);

/* Replica and site of proposal `index`, without bias: a word in the remainder of 2^32 by replicas
 * sites is replaced by the same word of blocks that only retries use. */
void spn_draw_move(const spn_draw_request *request, uint64_t index, uint32_t *site,
                   uint32_t *replica);

#endif
