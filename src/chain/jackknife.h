/* The jackknife: an estimate from all blocks, and one without each block. */
#ifndef SPN_CHAIN_JACKKNIFE_H
#define SPN_CHAIN_JACKKNIFE_H

#include <stdbool.h>
#include <stddef.h>

enum { SPN_JACKKNIFE_BLOCKS = 32 }; /* at most */

typedef struct spn_jackknife {
    size_t blocks;
    bool in_time; /* blocks follow each other in time, so neighbours may be correlated */
    double all, without[SPN_JACKKNIFE_BLOCKS];
} spn_jackknife;

void spn_jackknife_add(spn_jackknife *to, double factor, const spn_jackknife *what);

/* The standard error; NaN with fewer than two blocks. Independent blocks all count alike. For
   blocks in time it comes from the 8 slowest cosine waves of what each block adds to the estimate
   (Lazarus, Lewis, Stock, Watson, J. Bus. Econ. Stat. 36, 541 (2018),
   doi:10.1080/07350015.2018.1506926): correlations much shorter than an eighth of the run leave
   them unbiased, however long the blocks are. */
double spn_jackknife_error(const spn_jackknife *e);

/* Degrees of freedom of the error: blocks - 1, for blocks in time at most 8. */
size_t spn_jackknife_degrees(const spn_jackknife *e);

/* The value (NaN without blocks), its error and, unless NULL, its 95% interval by Student's t. */
void spn_jackknife_give(const spn_jackknife *e, double *value, double *error, double *low,
                        double *high);

/* The same for the mean of a quantity that may be skewed, such as an energy that is seldom above
   its minimum: Hall's transformation (J. R. Stat. Soc. B 54, 221 (1992)) moves both ends by the
   skewness of the blocks. If all blocks agree, nothing is known of the error: it and the ends are
   NaN. */
void spn_jackknife_give_skewed(const spn_jackknife *e, double *value, double *error, double *low,
                               double *high);

#endif
