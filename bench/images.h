/* Images to measure with: MNIST's training set, or some that are made up. */
#ifndef SPN_BENCH_IMAGES_H
#define SPN_BENCH_IMAGES_H

#include "data/dataset.h"

enum {
    BENCH_SAMPLES = 60000,
    BENCH_TEST_SAMPLES = 10000,
    BENCH_FEATURES = 784,
    BENCH_CLASSES = 10
};

/* folder has MNIST's train-images-idx3-ubyte and train-labels-idx1-ubyte; NULL: images of the same
   shape and sparsity are made up. Arrays are never freed; ends the program on failure. */
void bench_images(spn_dataset *data, const char *folder);

/* MNIST's test set. */
void bench_test_images(spn_dataset *data, const char *folder);

#endif
