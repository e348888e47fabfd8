/* Labelled data: samples of equal length, each with a class. A dataset is read once and then
   borrowed const by whoever needs it. */
#ifndef SPINNEY_DATASET_H
#define SPINNEY_DATASET_H

#include <spinney/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Features are bytes (pixels, kept as they are in the file) or doubles: exactly one of bytes and
   values is not NULL. Both are row-major: sample n starts at n * features. */
typedef struct spn_dataset {
    size_t samples;
    size_t features;
    uint8_t *bytes;
    double *values;
    uint32_t *labels;   /* samples class numbers 0..classes-1; NULL for data without labels */
    uint32_t classes;   /* K; 0 without labels */
    char **class_names; /* K texts, as the labels stand in the file */
    size_t width;       /* of an image, if it is known to be one; else 0 */
    size_t height;
} spn_dataset;

/* The map from a stored feature x_i to the number the classifier sees: (x_i - shift[i]) / scale[i].
 */
typedef struct spn_scaling {
    size_t features;
    double *shift;
    double *scale; /* never 0 */
} spn_scaling;

/* Free what they own. Accept NULL. */
SPN_API void spn_dataset_free(spn_dataset *dataset);
SPN_API void spn_scaling_free(spn_scaling *scaling);

#ifdef __cplusplus
}
#endif
#endif
