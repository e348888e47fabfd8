/* A small made-up model for tests. */
#ifndef SPN_TEST_MODELS_H
#define SPN_TEST_MODELS_H

#include "data/dataset.h"
#include "model/model.h"
#include <spinney/model.h>

/* Random weights, a scaling that differs by feature, classes named "a", "b", ... Free with
   spn_model_free. */
spn_model *spn_test_model(uint32_t classes, size_t features, size_t replicas, uint64_t seed);

/* A network of random weights: features made binary above 7, units with a bias of 3, outputs with
   one of 2. */
spn_model *spn_test_network(uint32_t classes, size_t features, size_t hidden, size_t replicas,
                            uint64_t seed);

#endif
