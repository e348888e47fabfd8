/* Precision and recall of each class, and the area under the ROC curve. */
#include "base/memory.h"
#include "task/eval/scores.h"

#include <math.h>
#include <stdlib.h>

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

void spn_class_rows(spn_class_row *out, const uint64_t *counts, size_t classes)
{
    for (size_t k = 0; k < classes; k++) {
        const uint64_t right = counts[k * classes + k];
        uint64_t samples = 0, predicted = 0;
        for (size_t j = 0; j < classes; j++) {
            samples += counts[k * classes + j];
            predicted += counts[j * classes + k];
        }
        out[k] = (spn_class_row){.label = (double)k,
                                 .precision = share(right, predicted),
                                 .recall = share(right, samples),
                                 .f1 = share(2 * right, samples + predicted),
                                 .samples = (double)samples};
    }
}

typedef struct scored {
    double score;
    uint32_t label;
} scored;

static int compare(const void *a, const void *b)
{
    const double left = ((const scored *)a)->score, right = ((const scored *)b)->score;
    return (left > right) - (left < right);
}

/* Equal but for rounding: copies of features make many logits that are equal in exact arithmetic.
 */
static bool ties(double first, double score)
{
    return score == first || score - first <= 1e-12 * (1 + fabs(first));
}

/* Twice the number of pairs, one of each class, in the right order. */
static double pairs_right(const scored *order, size_t samples)
{
    double below = 0, twice = 0; /* samples of class 0 with lower scores */
    for (size_t first = 0, end; first < samples; first = end) {
        double zeros = 0, ones = 0;
        for (end = first; end < samples && ties(order[first].score, order[end].score); end++)
            *(order[end].label ? &ones : &zeros) += 1;
        twice += ones * (2 * below + zeros);
        below += zeros;
    }
    return twice;
}

spn_status spn_roc_auc(double *out, const double *probabilities, const uint32_t *labels,
                       size_t samples, spn_error *err)
{
    scored *order = spn_alloc(samples, sizeof *order);
    double ones = 0;
    SPN_NEED(order, err, "the area under the ROC curve");
    for (size_t n = 0; n < samples; n++) {
        /* the larger one rounds to 1, the smaller one keeps the order */
        order[n].score = log(probabilities[2 * n + 1]) - log(probabilities[2 * n]);
        order[n].label = labels[n];
        ones += labels[n];
    }
    qsort(order, samples, sizeof *order, compare);
    *out = pairs_right(order, samples) / (2 * ones * ((double)samples - ones));
    free(order);
    return SPN_OK;
}
