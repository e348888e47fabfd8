/* From stored features to the numbers that a classifier sees. A preprocessing is chosen once,
   fitted to the training data and kept with the model, so that predictions repeat it exactly. */
#ifndef SPINNEY_PREPROCESS_H
#define SPINNEY_PREPROCESS_H

#include <spinney/dataset.h>

SPN_BEGIN_C

/* The map from a stored feature x_i to the number the classifier sees: (x_i - shift[i]) / scale[i].
   Only the library makes one: read it by its pointer, and never change it. */
typedef struct spn_scaling {
    size_t features;
    double *shift; /* finite, as is the scale */
    double *scale; /* never 0 */
} spn_scaling;

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
    double shift; /* for GIVEN; the fit of NONE, DATASET and BINARY writes what it used */
    double scale;
    double threshold; /* for BINARY */
} spn_preprocess;

/* The usual constants of MNIST, for pixels 0..255: (x/255 - 0.1307) / 0.3081. */
#define SPN_MNIST_SHIFT (255 * 0.1307)
#define SPN_MNIST_SCALE (255 * 0.3081)

SPN_NAMES(spn_preprocess_kind) /* "none", "given", "dataset", "feature", "binary" */

/* A preprocessing from text: none, dataset, feature, binary:T, or SHIFT,SCALE with a scale that is
   not 0. Errors: ARGUMENT. */
SPN_API spn_status spn_preprocess_from_text(spn_preprocess *out, const char *text, spn_error *err);

/* What suits a data set: SPN_MNIST_* for the name "mnist"; for images, whose width is known, the
   mean and deviation over all entries, so that pixels keep their proportions; for tables, whose
   columns have units of their own, those of each feature. name and train may be NULL; without train
   the data is taken for images. */
SPN_API spn_preprocess spn_preprocess_suiting(const char *name, const spn_dataset *train);

/* Fit to the training data.
   out: the scaling; free it with spn_scaling_free.
   how: what to do; shift and scale are filled in if they are the same for every feature.
   train: the data as read (for BINARY, before or after spn_dataset_binarise).
   Deviations are sqrt(sum (x - mean)^2 / n); a constant feature is shifted to 0 and has scale 1.
   Errors: ARGUMENT for constants that are not finite or a scale of 0; INPUT for data so large that
   a deviation overflows. O(samples * features). */
SPN_API spn_status spn_preprocess_fit(spn_scaling **out, spn_preprocess *how,
                                      const spn_dataset *train, spn_error *err);

/* A copy of the dataset whose features are 1 if they were above the threshold, otherwise 0: what
   BINARY does to data before it is scaled. */
SPN_API spn_status spn_dataset_binarise(spn_dataset **out, const spn_dataset *dataset,
                                        double threshold, spn_error *err);

/* A scaling from its numbers, such as those in a model file; features of each, copied.
   Errors: ARGUMENT for one that is not finite or a scale of 0, naming its feature. */
SPN_API spn_status spn_scaling_create(spn_scaling **out, size_t features, const double *shift,
                                      const double *scale, spn_error *err);

/* Accepts NULL. */
SPN_API void spn_scaling_free(spn_scaling *scaling);

SPN_END_C
#endif
