/* How many runs are not yet solved after a cost: Kaplan and Meier's estimate, in which runs that
   were never solved count up to where they ended. */
#ifndef SPN_REPORT_FIGURE_SURVIVAL_H
#define SPN_REPORT_FIGURE_SURVIVAL_H

#include "report/figure/figure.h"
#include <spinney/lab/report.h>

/* A cost at which runs were solved or ended. */
typedef struct spn_survival_step {
    double cost;
    size_t at_risk;        /* runs that were neither solved nor ended before it */
    size_t hits, censored; /* solved here; ended here without */
    double share;          /* not yet solved behind it */
    double low, high;      /* its 95% interval; NaN where the share is 0 */
} spn_survival_step;

typedef struct spn_survival {
    size_t runs, hits;
    size_t count;
    spn_survival_step *steps; /* by cost */
} spn_survival;

/* share = prod (1 - hits/at_risk) (Kaplan and Meier 1958, doi:10.1080/01621459.1958.10501452), with
   Greenwood's variance on the scale of log(-log share), where the interval stays within 0 and 1:
   share^exp(-+ 1.96 sd / |log share|), sd^2 = sum hits / (at_risk (at_risk - hits)). A run that
   ends where another is solved was at risk there. Cost: n log n. Errors: MEMORY. */
spn_status spn_survival_make(spn_survival *out, const spn_hit *hits, size_t count, spn_error *err);
void spn_survival_clear(spn_survival *survival);

/* The cost by which that share of the runs is solved; NaN where it never was. */
double spn_survival_solved_by(const spn_survival *survival, double share);

/* Runs in the order of the estimate: by cost, solved ones first. For qsort. */
int spn_hit_compare(const void *a, const void *b);

#endif
