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
    double half;            /* mean +- half is the interval; NaN where count is below 2 */
    double least, most;
} spn_summary;

SPN_API void spn_summarise_sized(spn_summary *out, size_t size, const double *values, size_t count);
static inline spn_summary spn_summarise(const double *values, size_t count)
{
    spn_summary out;
    spn_summarise_sized(&out, sizeof out, values, count);
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
