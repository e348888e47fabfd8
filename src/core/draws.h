/* The random numbers of a block of proposals. Proposal t of a stream takes the four words of block t:
   one chooses the site, one the replica, two make the acceptance threshold. */
#ifndef SPN_CORE_DRAWS_H
#define SPN_CORE_DRAWS_H

#include "base/cpu.h"
#include <spinney/random.h>

/* A move of cost c (minus the logarithm of its acceptance ratio) is accepted iff c <= threshold. */
typedef enum spn_threshold {
    SPN_THRESHOLD_METROPOLIS, /* -log u: accepts with probability min(1, e^-c) */
    SPN_THRESHOLD_HEAT_BATH   /* log((1-u)/u): accepts with probability 1/(1+e^c) */
} spn_threshold;

typedef struct spn_draw_request {
    spn_stream stream;
    uint64_t first; /* proposals first .. first+count-1 */
    size_t count;
    uint32_t sites;    /* sites are drawn from 0..sites-1 */
    uint32_t replicas; /* and replicas from 0..replicas-1 */
    spn_threshold threshold;
} spn_draw_request;

/* Fill the three arrays of request->count elements. Every version gives the same bits. */
typedef void spn_draw_function(const spn_draw_request *request, uint32_t *site, uint32_t *replica,
                               double *threshold);

spn_draw_function spn_draw_portable;
spn_draw_function spn_draw_avx2;

spn_draw_function *spn_draw_select(spn_isa isa);

/* A uniform integer in 0..bound-1 from word `word` of block `index`; the rare rejected word is
   replaced by the same word of the blocks that only this retry uses. */
uint32_t spn_draw_below(const spn_stream *stream, uint64_t index, unsigned word, uint32_t bound);

#endif
