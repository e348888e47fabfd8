/* A checksum of what a dataset holds. */
#include "data/dataset.h"

#include <string.h>

#define XXH_INLINE_ALL /* a state on the stack: a checksum never fails for want of memory */
#include <xxhash.h>

/* Of the weights, where there are any. */
static uint64_t add_weights(const spn_dataset *dataset, uint64_t hash)
{
    const size_t size = dataset->samples * sizeof *dataset->weights;
    return dataset->weights ? XXH3_64bits_withSeed(dataset->weights, size, hash) : hash;
}

/* Of features that are stored once and are several: the hash of the whole rows. */
static uint64_t hash_copies(const spn_dataset *dataset, uint64_t seed)
{
    const size_t stored = dataset->samples * spn_dataset_stored(dataset);
    const size_t size = dataset->bytes ? sizeof *dataset->bytes : sizeof *dataset->values;
    const unsigned char *cells =
        dataset->bytes ? dataset->bytes : (const unsigned char *)dataset->values;
    unsigned char block[4096]; /* a multiple of both sizes */
    size_t used = 0;
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, seed);
    for (size_t k = 0; k < stored; k++)
        for (size_t j = 0; j < dataset->copies; j++) {
            memcpy(block + used, cells + k * size, size);
            used += size;
            if (used == sizeof block) {
                XXH3_64bits_update(&state, block, used);
                used = 0;
            }
        }
    XXH3_64bits_update(&state, block, used);
    return XXH3_64bits_digest(&state);
}

uint64_t spn_dataset_checksum(const spn_dataset *dataset)
{
    size_t cells = dataset->samples * dataset->features;
    const uint64_t shape[] = {dataset->samples, dataset->features, dataset->classes,
                              dataset->bytes != NULL};
    /* each hash is the seed of the next */
    uint64_t hash = XXH3_64bits(shape, sizeof shape);
    if (dataset->copies)
        hash = hash_copies(dataset, hash);
    else if (dataset->bytes)
        hash = XXH3_64bits_withSeed(dataset->bytes, cells, hash);
    else
        hash = XXH3_64bits_withSeed(dataset->values, cells * sizeof *dataset->values, hash);
    if (!dataset->labels)
        return add_weights(dataset, hash);
    hash = XXH3_64bits_withSeed(dataset->labels, dataset->samples * sizeof *dataset->labels, hash);
    for (uint32_t k = 0; k < dataset->classes; k++)
        hash = XXH3_64bits_withSeed(dataset->class_names[k], strlen(dataset->class_names[k]), hash);
    return add_weights(dataset, hash);
}
