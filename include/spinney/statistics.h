/* Means of samples and their 95% intervals. */
#ifndef SPINNEY_STATISTICS_H
#define SPINNEY_STATISTICS_H

#include <spinney/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The 0.975 quantile of Student's t with the given degrees of freedom (1 or more), to 13 digits:
   a 95% interval is mean +- quantile * deviation / sqrt(count). Cost: some n additions up to n =
   1000, few beyond. */
SPN_API double spn_student_quantile(size_t degrees);

/* The mean of some numbers, NaNs left out, with its 95% interval by Student's t. */
typedef struct spn_summary {
    size_t count;
    double mean, deviation; /* of the sample, with count-1; NaN where count is below 2 */
    double half;            /* mean +- half is the interval; NaN where count is below 2. Of a share,
                               half the width of its interval, which is not symmetric */
    double least, most;
    double low, high; /* the ends of the interval; NaN where there is none */
    double trials;    /* of a share, those behind Wilson's interval; 0: the interval is Student's */
} spn_summary;

SPN_API void spn_summarise_sized(spn_summary *out, size_t size, const double *values, size_t count);
static inline spn_summary spn_summarise(const double *values, size_t count)
{
    spn_summary out;
    spn_summarise_sized(&out, sizeof out, values, count);
    return out;
}

/* The mean of shares, such as 0 or 1 for each run, or k/y of y replicas, NaNs left out, with its
   95% interval by Wilson's score (doi:10.1080/01621459.1927.10502953): within 0 and 1, and of no
   width never, be there one value or all the same. Values of 0 and 1 are that many trials. Of
   shares in between, the trials are those of equal variance, n p(1-p)/s^2, where one more value, 0
   or 1 at random, is added to s^2: that a few runs agree is no certainty. Values outside of 0 to 1
   are not for this: where there is one, the summary is spn_summarise's. */
SPN_API void spn_summarise_shares_sized(spn_summary *out, size_t size, const double *values,
                                        size_t count);
static inline spn_summary spn_summarise_shares(const double *values, size_t count)
{
    spn_summary out;
    spn_summarise_shares_sized(&out, sizeof out, values, count);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
