/* A checksum of what a dataset holds. */
#include "data/dataset.h"

#include <string.h>
#include <xxhash.h>

/* Of the weights, where there are any. */
static uint64_t add_weights(const spn_dataset *dataset, uint64_t hash)
{
    const size_t size = dataset->samples * sizeof *dataset->weights;
    return dataset->weights ? XXH3_64bits_withSeed(dataset->weights, size, hash) : hash;
}

uint64_t spn_dataset_checksum(const spn_dataset *dataset)
{
    size_t cells = dataset->samples * dataset->features;
    const uint64_t shape[] = {dataset->samples, dataset->features, dataset->classes,
                              dataset->bytes != NULL};
    /* each hash is the seed of the next */
    uint64_t hash = XXH3_64bits(shape, sizeof shape);
    if (dataset->bytes)
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
