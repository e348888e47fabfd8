#include "support/images.h"
#include "support/test.h"

#include "base/memory.h"
#include "data/dataset.h"
#include <spinney/random.h>
#include <string.h>

static spn_dataset *empty(size_t samples, size_t features, uint32_t classes)
{
    spn_dataset *data = spn_alloc(1, sizeof *data);
    assert_non_null(data);
    data->samples = samples;
    data->features = features;
    data->classes = classes;
    data->labels = spn_alloc(samples, sizeof *data->labels);
    assert_non_null(data->labels);
    return data;
}

spn_dataset *spn_test_images(size_t samples, size_t features, uint32_t classes, uint64_t seed)
{
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_INSTANCE);
    spn_dataset *data = empty(samples, features, classes);
    data->bytes = spn_alloc(samples, features);
    assert_non_null(data->bytes);
    for (size_t n = 0; n < samples; n++) {
        const uint32_t label = spn_random_below(&random, classes);
        data->labels[n] = label;
        for (size_t i = 0; i < features; i++) {
            /* each class prefers every classes-th group of three features */
            const uint32_t chance = (i / 3 + label) % classes == 0 ? 60 : 12;
            const uint32_t grey = spn_random_below(&random, 256);
            if (spn_random_below(&random, 100) < chance)
                data->bytes[n * features + i] = (uint8_t)(grey < 128 ? 255 - grey / 8 : grey);
        }
    }
    return data;
}

spn_dataset *spn_test_images_as_values(const spn_dataset *images)
{
    spn_dataset *data = empty(images->samples, images->features, images->classes);
    memcpy(data->labels, images->labels, images->samples * sizeof *data->labels);
    data->values = spn_alloc(images->samples, images->features * sizeof(double));
    assert_non_null(data->values);
    for (size_t j = 0; j < images->samples * images->features; j++)
        data->values[j] = images->bytes[j];
    return data;
}

spn_scaling *spn_test_scaling(size_t features)
{
    spn_scaling *scaling = spn_alloc(1, sizeof *scaling);
    assert_non_null(scaling);
    scaling->features = features;
    scaling->shift = spn_alloc(features, sizeof *scaling->shift);
    scaling->scale = spn_alloc(features, sizeof *scaling->scale);
    assert_non_null(scaling->shift);
    assert_non_null(scaling->scale);
    for (size_t i = 0; i < features; i++) {
        scaling->shift[i] = 0.1307 * 255;
        scaling->scale[i] = 0.3081 * 255;
    }
    return scaling;
}
