/* Encodings: a few features as many inputs, so that a classifier whose weights are all -1 or +1 can
   weigh features against each other. A thermometer has several thresholds t for each feature x,
   quantiles of the training data; each makes an input that is 1 if x > t and otherwise 0, seen by
   a classifier as +1 and -1. Boundaries can then be curved. Copies give each feature to the
   classifier several times, as it is: the weights of M copies add up to one of M + 1 numbers, and
   boundaries stay straight. */
#ifndef SPINNEY_ENCODING_H
#define SPINNEY_ENCODING_H

#include <spinney/dataset.h>

SPN_BEGIN_C

/* Only the library makes one: read it by its pointer, and never change it. */
typedef struct spn_encoding {
    size_t features;    /* that go in */
    size_t inputs;      /* that come out */
    size_t copies;      /* of each feature; 0: a thermometer */
    size_t *start;      /* features + 1: feature i makes inputs start[i] to start[i + 1] - 1 */
    double *thresholds; /* one for each input; NULL for copies */
} spn_encoding;

enum { SPN_MOST_LEVELS = 255 };

/* Thresholds from training data.
   out: free it with spn_encoding_free; NULL on failure.
   levels: the most thresholds of a feature, 1 to SPN_MOST_LEVELS. A feature with few values has one
   between each two neighbours; other features have those that come nearest to cutting the samples
   into equal parts. A constant feature has none. Thresholds are halfway between two values that
   occur.
   Errors: ARGUMENT, INPUT if every feature is constant, MEMORY. O(D M log M). */
SPN_API spn_status spn_encoding_fit(spn_encoding **out, size_t levels, const spn_dataset *train,
                                    spn_error *err);

/* The same with `levels` thresholds at equal steps over the values of each feature, but no further
   than 2.5 deviations from its mean. A constant feature has none. Errors: those of
   spn_encoding_fit. O(D (M + levels)). */
SPN_API spn_status spn_encoding_fit_steps(spn_encoding **out, size_t levels,
                                          const spn_dataset *train, spn_error *err);

/* A thermometer from its numbers, which are copied: counts[i] thresholds for feature i, finite and
   ascending, feature after feature; at least one in all. Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_encoding_create(spn_encoding **out, size_t features, const uint32_t *counts,
                                       const double *thresholds, spn_error *err);

enum { SPN_MOST_COPIES = 255 };

/* Copies, 1 to SPN_MOST_COPIES of each feature, side by side. Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_encoding_copies(spn_encoding **out, size_t features, size_t copies,
                                       spn_error *err);

/* The encoded data, with the labels of the dataset: bytes 0 and 1 by a thermometer, the stored
   values by copies. out: free it with spn_dataset_free; NULL on failure. Errors: ARGUMENT (other
   features), MEMORY. O(M inputs). */
SPN_API spn_status spn_encoding_apply(spn_dataset **out, const spn_encoding *encoding,
                                      const spn_dataset *dataset, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_encoding_free(spn_encoding *encoding);

SPN_END_C
#endif
