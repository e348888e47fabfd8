/* Encodings: a few features as many inputs. A thermometer has thresholds t for each
   feature x, taken from the quantiles of the training data; each gives an input that is 1 where x >
   t and 0 elsewhere, seen by a classifier as +1 and -1. So a classifier whose weights are all -1 or
   +1 can weigh features against each other, and follow curves. Copies give each feature to the
   classifier several times, as it is: the sum of the weights of M copies is one of M + 1 numbers,
   so that features can be weighed against each other, and boundaries stay straight. */
#ifndef SPINNEY_ENCODING_H
#define SPINNEY_ENCODING_H

#include <spinney/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_encoding spn_encoding;

enum { SPN_MOST_LEVELS = 255 };

/* Thresholds from training data.
   out: to be freed with spn_encoding_free; NULL on failure.
   levels: of each feature, at most this many, 1 to SPN_MOST_LEVELS. A feature of few values has a
   threshold between each two neighbours; others have them where the numbers of samples below come
   nearest to equal shares of all, each once. A constant feature has none. Thresholds are halfway
   between two values that occur.
   Errors: ARGUMENT, INPUT where every feature is constant, MEMORY. Cost: O(D M log M). */
SPN_API spn_status spn_encoding_fit(spn_encoding **out, size_t levels, const spn_dataset *train,
                                    spn_error *err);

/* An encoding from its numbers, which are copied: counts[i] thresholds of feature i, finite and
   ascending, one feature after the other; one at least in all. Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_encoding_create(spn_encoding **out, size_t features, const uint32_t *counts,
                                       const double *thresholds, spn_error *err);

enum { SPN_MOST_COPIES = 255 };

/* Copies, 1 to SPN_MOST_COPIES of each feature, side by side. Errors: ARGUMENT, MEMORY. */
SPN_API spn_status spn_encoding_copies(spn_encoding **out, size_t features, size_t copies,
                                       spn_error *err);

/* How many copies of each feature there are; 0 for a thermometer. */
SPN_API size_t spn_encoding_copy_count(const spn_encoding *encoding);

/* Features that go in, inputs that come out; the thresholds of feature i, which make inputs
   start[i] to start[i + 1] - 1, are those of the same numbers, NULL for copies. Arrays belong to
   the encoding. */
SPN_API size_t spn_encoding_features(const spn_encoding *encoding);
SPN_API size_t spn_encoding_inputs(const spn_encoding *encoding);
SPN_API const size_t *spn_encoding_starts(const spn_encoding *encoding);
SPN_API const double *spn_encoding_thresholds(const spn_encoding *encoding);

/* The encoded data: bytes 0 and 1 by a thermometer, what was stored by copies; with the labels of
   the dataset. out: to be freed with
   spn_dataset_free; NULL on failure. Errors: ARGUMENT (other features), MEMORY. O(M inputs). */
SPN_API spn_status spn_encoding_apply(spn_dataset **out, const spn_encoding *encoding,
                                      const spn_dataset *dataset, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_encoding_free(spn_encoding *encoding);

#ifdef __cplusplus
}
#endif
#endif
