/* What the rungs of a ladder of one replica showed after each scan, and what it says of the number
   of states: stepping stones for log Z, the mixture of all rungs for counts, the jackknife over
   blocks of scans for their errors. */
#ifndef SPN_ANALYSIS_STONES_H
#define SPN_ANALYSIS_STONES_H

#include <spinney/status.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct spn_stones {
    size_t rungs, scans, room; /* scans that there are, and room for */
    double *beta;              /* of each rung, from 0 */
    double *energy;            /* scan after scan, of each rung */
    uint32_t *distance;        /* likewise; all 0 without a centre */
} spn_stones;

/* To be cleared, also after an error. Errors: MEMORY. */
spn_status spn_stones_create(spn_stones *out, size_t rungs, size_t scans, const double *beta,
                             spn_error *err);
void spn_stones_clear(spn_stones *stones);

/* The states to count: E <= up_to and, if near is set, at the distance. */
typedef struct spn_stones_asked {
    double up_to;
    bool near;
    size_t distance;
    double field; /* gamma sum_i c_i s_i of the states counted: gamma (N - 2 d); else 0 */
    double log_z; /* of the first rung */
} spn_stones_asked;

/* An estimate with its jackknife error and the degrees of freedom of that. */
typedef struct spn_stones_count {
    double log_count, error;
    size_t degrees;
    uint64_t met;
} spn_stones_count;

/* log_count is NaN if none was met. Cost: O(rungs) exponentials for each state of the ladder,
   and of distinct energies among those counted for each block. Errors: MEMORY. */
spn_status spn_stones_count_states(spn_stones_count *out, const spn_stones *stones,
                                   const spn_stones_asked *asked, spn_error *err);

/* The beta of the first rung of which at least that share of the states, over the last half of the
   scans, is among those to count; if none has, that of the rung with the largest share; if
   there are none at all, that of the last. */
double spn_stones_end(const spn_stones *stones, const spn_stones_asked *asked, double share);

#endif
