/* From stored features to the numbers a classifier sees. A preprocessing is chosen once, fitted to
   the training data, and recorded with the model, so that predictions repeat it exactly. */
#ifndef SPINNEY_PREPROCESS_H
#define SPINNEY_PREPROCESS_H

#include <spinney/dataset.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The map from a stored feature x_i to the number the classifier sees: (x_i - shift[i]) / scale[i].
 */
typedef struct spn_scaling spn_scaling;

typedef enum spn_preprocess_kind {
    SPN_PREPROCESS_NONE = 0, /* as stored: shift 0, scale 1 */
    SPN_PREPROCESS_GIVEN,    /* shift and scale below, for every feature */
    SPN_PREPROCESS_DATASET,  /* mean and deviation over all entries of the training data */
    SPN_PREPROCESS_FEATURE,  /* mean and deviation of each feature of the training data */
    SPN_PREPROCESS_BINARY    /* 1 above threshold, else 0; seen as +1 and -1 */
} spn_preprocess_kind;

/* What to do. To repeat it exactly, record this struct and the spn_scaling made by the fit. */
typedef struct spn_preprocess {
    spn_preprocess_kind kind;
    double shift; /* of GIVEN; the fit of NONE, DATASET and BINARY writes what it used */
    double scale;
    double threshold; /* of BINARY */
} spn_preprocess;

/* The usual constants of MNIST, for pixels 0..255: (x/255 - 0.1307) / 0.3081. */
#define SPN_MNIST_SHIFT (255 * 0.1307)
#define SPN_MNIST_SCALE (255 * 0.3081)

/* The name of a kind ("none", "given", "dataset", "feature", "binary"), NULL past the last, and
   back. Errors: ARGUMENT, with the nearest name. */
SPN_NAMES(spn_preprocess_kind)

/* A preprocessing from text: none, dataset, feature, binary:T, or SHIFT,SCALE with a scale that is
   not 0. Errors: ARGUMENT. */
SPN_API spn_status spn_preprocess_from_text(spn_preprocess *out, const char *text, spn_error *err);

/* What suits a data set: SPN_MNIST_* for the name "mnist", mean and deviation of the data set for
   any other name, NULL included. */
SPN_API spn_preprocess spn_preprocess_default(const char *name);

/* The same with the data at hand: SPN_MNIST_* for the name "mnist"; for images, whose width is
   known, mean and deviation over all entries, so that pixels keep their proportions; for tables,
   whose columns have units of their own, those of each feature. name may be NULL. */
SPN_API spn_preprocess spn_preprocess_suiting(const char *name, const spn_dataset *train);

/* Fit to the training data.
   out: the scaling, to be freed with spn_scaling_free.
   how: what to do; shift and scale are filled in where they are the same for every feature.
   train: the data as read (BINARY: before or after spn_preprocess_apply, it does not matter).
   Deviations are sqrt(sum (x - mean)^2 / n); a constant feature is shifted to 0 and has scale 1.
   Errors: SPN_ERROR_ARGUMENT for constants that are not finite or a scale of 0; SPN_ERROR_INPUT for
   data so large that a deviation overflows. Cost: O(samples * features). */
SPN_API spn_status spn_preprocess_fit(spn_scaling **out, spn_preprocess *how,
                                      const spn_dataset *train, spn_error *err);

/* Do to a dataset what has to be done before its scaling: BINARY replaces *dataset by one of bytes
   0 and 1, the others leave it alone. On failure *dataset is unchanged. */
SPN_API spn_status spn_preprocess_apply(spn_dataset **dataset, const spn_preprocess *how,
                                        spn_error *err);

/* A copy of the dataset whose features are 1 where they were above threshold and 0 elsewhere. */
SPN_API spn_status spn_dataset_binarise(spn_dataset **out, const spn_dataset *dataset,
                                        double threshold, spn_error *err);

/* A scaling from its numbers, such as those in a model file; features of each, copied.
   Errors: SPN_ERROR_ARGUMENT for one that is not finite or a scale of 0, naming its feature. */
SPN_API spn_status spn_scaling_create(spn_scaling **out, size_t features, const double *shift,
                                      const double *scale, spn_error *err);

/* The numbers of a scaling, which owns them: `features` shifts, and as many scales, never 0. */
SPN_API size_t spn_scaling_features(const spn_scaling *scaling);
SPN_API const double *spn_scaling_shifts(const spn_scaling *scaling);
SPN_API const double *spn_scaling_scales(const spn_scaling *scaling);

/* Accepts NULL. */
SPN_API void spn_scaling_free(spn_scaling *scaling);

#ifdef __cplusplus
}
#endif
#endif
