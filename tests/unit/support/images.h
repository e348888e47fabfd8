/* Made-up images for tests: bytes, mostly 0, with classes that differ and overlap. */
#ifndef SPN_TEST_IMAGES_H
#define SPN_TEST_IMAGES_H

#include <spinney/dataset.h>
#include <spinney/preprocess.h>

/* Free with spn_dataset_free. */
spn_dataset *spn_test_images(size_t samples, size_t features, uint32_t classes, uint64_t seed);

/* The same data as doubles. */
spn_dataset *spn_test_images_as_values(const spn_dataset *images);

/* MNIST's standardisation of bytes: shift 0.1307*255, scale 0.3081*255. Free with
   spn_scaling_free. */
spn_scaling *spn_test_scaling(size_t features);

#endif
