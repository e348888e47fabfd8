#include "support/models.h"
#include "support/scratch.h"
#include "support/test.h"

#include "base/memory.h"
#include "model/model.h"
#include <spinney/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_scaling *made_up_scaling(size_t features)
{
    double *shift = malloc(features * sizeof *shift), *scale = malloc(features * sizeof *scale);
    assert_non_null(shift);
    assert_non_null(scale);
    for (size_t i = 0; i < features; i++) {
        shift[i] = 0.25 * (double)i - 1;
        scale[i] = 0.5 + (double)i;
    }
    spn_error err = {0};
    spn_scaling *scaling;
    assert_ok(spn_scaling_create(&scaling, features, shift, scale, &err), err);
    free(shift);
    free(scale);
    return scaling;
}

void spn_test_pack(spn_model *model, const int8_t *weights)
{
    const size_t bytes = spn_model_replica_bytes(model), sites = spn_model_sites(model);
    free(model->memory);
    model->packed = model->memory = spn_alloc(model->replicas, bytes);
    assert_non_null(model->memory);
    for (size_t a = 0; a < model->replicas; a++)
        for (size_t i = 0; i < sites; i++)
            if (weights[a * sites + i] > 0)
                model->memory[a * bytes + i / 8] |= (uint8_t)(1u << i % 8);
}

const int8_t *spn_test_weights(const spn_model *model, size_t first)
{
    static int8_t *kept[16];
    static size_t next;
    const size_t count = spn_model_replicas(model) - first;
    int8_t **out = &kept[next++ % 16];
    free(*out);
    *out = spn_alloc(count, spn_model_sites(model));
    assert_non_null(*out);
    spn_model_unpack(*out, model, first, count);
    return *out;
}

spn_model *spn_test_model(uint32_t classes, size_t features, size_t replicas, uint64_t seed)
{
    spn_model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->classes = classes;
    model->features = features;
    model->replicas = replicas;
    model->logit_scale = 0.1;
    model->preprocess = (spn_preprocess){.kind = SPN_PREPROCESS_FEATURE, .scale = 1};
    model->scaling = made_up_scaling(features);
    model->class_names = spn_alloc(classes, sizeof *model->class_names);
    model->manifest = strdup("{\"seed\": 1}");
    model->train_losses = spn_alloc(replicas, sizeof(double));
    assert_non_null(model->train_losses);
    for (size_t a = 0; a < replicas; a++)
        model->train_losses[a] = 1.5 + (double)a;
    assert_non_null(model->class_names);
    for (uint32_t k = 0; k < classes; k++)
        assert_true(asprintf(&model->class_names[k], "%c", (int)('a' + k % 26)) > 0);
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_START);
    int8_t *weights = spn_alloc(replicas * classes, features);
    assert_non_null(weights);
    spn_random_spins(&random, weights, replicas * classes * features);
    spn_test_pack(model, weights);
    free(weights);
    return model;
}

spn_model *spn_test_network(uint32_t classes, size_t features, size_t hidden, size_t replicas,
                            uint64_t seed)
{
    const spn_preprocess binary = {.kind = SPN_PREPROCESS_BINARY, .scale = 1, .threshold = 7};
    spn_model_arrays arrays = spn_model_arrays_defaults();
    spn_error err = {0};
    spn_model *model;
    arrays.classes = classes;
    arrays.features = features;
    arrays.hidden = hidden;
    arrays.hidden_bias = 3;
    arrays.bias = 2;
    arrays.replicas = replicas;
    arrays.preprocess = &binary;
    arrays.logit_scale = 0.1;
    const size_t sites = hidden * (features + 3) + classes * (hidden + 2);
    int8_t *weights = spn_alloc(replicas, sites);
    assert_non_null(weights);
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_START);
    spn_random_spins(&random, weights, replicas * sites);
    arrays.weights = weights;
    assert_ok(spn_model_create(&model, &arrays, &err), err);
    assert_int_equal(spn_model_sites(model), sites);
    free(weights);
    return model;
}

spn_test_content spn_test_written_model(void **state, const spn_model *model)
{
    spn_error err = {0};
    const char *path = spn_scratch_path(state, "written.spn");
    assert_ok(spn_model_write(model, path, &err), err);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    spn_test_content c = {malloc(1 << 20), 0};
    assert_non_null(c.data);
    c.size = fread(c.data, 1, 1 << 20, file);
    fclose(file);
    return c;
}

spn_test_content spn_test_small_file(void **state)
{
    spn_model *model = spn_test_model(3, 5, 2, 1);
    spn_test_content c = spn_test_written_model(state, model);
    spn_model_free(model);
    return c;
}

spn_model *spn_test_full_model(void)
{
    spn_model *model = spn_test_model(3, 7, 2, 5);
    spn_error err = {0};
    spn_scaling *scaling;
    assert_ok(spn_scaling_create(&scaling, 5, model->scaling->shift, model->scaling->scale, &err),
              err);
    spn_scaling_free(model->scaling);
    model->scaling = scaling;
    model->features = 5;
    model->bias = 2;
    static const char *const names[] = {"colour", "nothing"}, *const contents[] = {"blue", ""};
    for (size_t j = 0; j < 2; j++) {
        spn_bytes_number(&model->strangers, strlen(names[j]), 4);
        spn_bytes_number(&model->strangers, 0, 4);
        spn_bytes_number(&model->strangers, strlen(contents[j]), 8);
        spn_bytes_put(&model->strangers, names[j], strlen(names[j]));
        spn_bytes_put(&model->strangers, contents[j], strlen(contents[j]));
    }
    assert_false(model->strangers.failed);
    return model;
}

spn_model *spn_test_encoded_model(void)
{
    static const uint32_t counts[] = {3, 0, 1};
    static const double thresholds[] = {-1, 0.5, 1e300, 7};
    spn_model *model = spn_test_model(3, 4, 2, 6);
    spn_error err = {0};
    assert_ok(spn_encoding_create(&model->encoding, 3, counts, thresholds, &err), err);
    model->features = 3;
    return model;
}

spn_test_content spn_test_network_file(void **state)
{
    spn_model *model = spn_test_network(3, 5, 4, 2, 7);
    spn_test_content c = spn_test_written_model(state, model);
    spn_model_free(model);
    return c;
}

spn_test_content spn_test_full_file(void **state)
{
    spn_model *model = spn_test_full_model();
    spn_test_content c = spn_test_written_model(state, model);
    spn_model_free(model);
    return c;
}

spn_status spn_test_parse_model(spn_model **out, const uint8_t *data, size_t size, spn_error *err)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    spn_status status = spn_model_parse(out, copy, size, "m.spn", err);
    free(copy);
    return status;
}
