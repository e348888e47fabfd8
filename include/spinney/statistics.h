/* Means of samples and their 95% intervals. */
#ifndef SPINNEY_STATISTICS_H
#define SPINNEY_STATISTICS_H

#include <spinney/status.h>

SPN_BEGIN_C

/* The 0.975 quantile of Student's t with the given degrees of freedom (1 or more), to 13 digits:
   a 95% confidence interval is mean +- quantile * deviation / sqrt(count). O(degrees) up to 1000,
   O(1) beyond. */
SPN_API double spn_student_quantile(size_t degrees);

/* The mean of some numbers, without NaNs, and its 95% confidence interval by Student's t. */
typedef struct spn_summary {
    size_t count;
    double mean, deviation; /* of the sample, with count - 1; NaN if count is below 2 */
    double half;            /* mean +- half is the interval; NaN if count is below 2. For shares,
                               half the width of the interval, which is not symmetric */
    double least, most;
    double low, high; /* the ends of the interval; NaN if there is none */
    double trials;    /* for shares, the trials of Wilson's interval; 0: Student's interval */
} spn_summary;

SPN_API void spn_summarise_sized(spn_summary *out, size_t size, const double *values, size_t count);
static inline spn_summary spn_summarise(const double *values, size_t count)
{
    spn_summary out;
    spn_summarise_sized(&out, sizeof out, values, count);
    return out;
}

/* The mean of shares, such as 0 or 1 for each run, or k/y for y replicas, without NaNs, and its 95%
   confidence interval by Wilson's score (doi:10.1080/01621459.1927.10502953). The interval lies
   within 0 and 1, and never has zero width, even for one value or equal values. n values of 0 and 1
   are n trials. Shares in between count as the number of trials with the same variance,
   n p(1-p)/s^2, where s^2 includes one more value, 0 or 1 at random: that a few runs agree is no
   certainty. If any value is outside of 0 to 1, the result is that of spn_summarise. */
SPN_API void spn_summarise_shares_sized(spn_summary *out, size_t size, const double *values,
                                        size_t count);
static inline spn_summary spn_summarise_shares(const double *values, size_t count)
{
    spn_summary out;
    spn_summarise_shares_sized(&out, sizeof out, values, count);
    return out;
}

SPN_END_C
#endif
