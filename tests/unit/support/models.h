/* A small made-up model for tests. */
#ifndef SPN_TEST_MODELS_H
#define SPN_TEST_MODELS_H

#include <spinney/model.h>

/* Random weights, a scaling that differs by feature, classes named "a", "b", ... Free with
   spn_model_free. */
spn_model *spn_test_model(uint32_t classes, size_t features, size_t replicas, uint64_t seed);

/* A network of random weights: features made binary above 7, units with a bias of 3, outputs with
   one of 2. */
spn_model *spn_test_network(uint32_t classes, size_t features, size_t hidden, size_t replicas,
                            uint64_t seed);

/* Give a model these weights of all replicas; those of a model from a replica on, valid for the
   next 15 calls. */
void spn_test_pack(spn_model *model, const int8_t *weights);
const int8_t *spn_test_weights(const spn_model *model, size_t first);

/* A file in memory; data is to be freed. */
typedef struct spn_test_content {
    uint8_t *data;
    size_t size;
} spn_test_content;

/* A model as it stands in a file; a small one; one with all that version 3 has; a network. */
spn_test_content spn_test_written_model(void **state, const spn_model *model);
spn_test_content spn_test_small_file(void **state);
spn_test_content spn_test_full_file(void **state);
spn_test_content spn_test_network_file(void **state);

/* A model that needs all that version 3 has: a bias, and a section that this program does not know;
   and one of three features, the second constant, as four bits. To be freed. */
spn_model *spn_test_full_model(void);
spn_model *spn_test_encoded_model(void);

/* Parse a copy of exactly the given size, so that sanitizers see a read beyond it. */
spn_status spn_test_parse_model(spn_model **out, const uint8_t *data, size_t size, spn_error *err);

#endif
