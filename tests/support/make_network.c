/* Makes a network of random weights for the tests of the commands that use one:
     make_network OUT DATA INPUTS HIDDEN [REPLICAS [HIDDEN_BIAS [BIAS [SEED]]]]
   DATA is a file of labelled samples; INPUTS binary:THRESHOLD, thermometer:LEVELS or none, the
   bytes as they are. With SEED 0 all weights are +1. */
#include <spinney/spinney.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_error err;

static void need(spn_status status)
{
    if (!status)
        return;
    fprintf(stderr, "make_network: %s\n", err.text);
    exit(1);
}

static int8_t *random_weights(size_t count, uint64_t seed)
{
    spn_random random = spn_random_make(seed, 0, 0, SPN_PURPOSE_START);
    int8_t *weights = malloc(count);
    if (!weights)
        exit(1);
    spn_random_spins(&random, weights, count);
    if (seed == 0)
        memset(weights, 1, count);
    return weights;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: make_network OUT DATA INPUTS HIDDEN [REPLICAS [HIDDEN_BIAS [BIAS "
                        "[SEED]]]]\n");
        return 2;
    }
    size_t given[4] = {1, 0, 0, 1};
    for (int j = 5; j < argc && j < 9; j++)
        given[j - 5] = strtoul(argv[j], NULL, 10);
    spn_preprocess how = {.scale = 1};
    spn_dataset *data;
    spn_encoding *encoding = NULL;
    spn_model *model;
    spn_model_arrays arrays = spn_model_arrays_defaults();
    need(spn_dataset_read(&data, argv[2], NULL, NULL, &err));
    if (strncmp(argv[3], "thermometer:", 12) == 0)
        need(spn_encoding_fit(&encoding, strtoul(argv[3] + 12, NULL, 10), data, &err));
    else
        need(spn_preprocess_from_text(&how, argv[3], &err));
    arrays.classes = spn_dataset_classes(data);
    arrays.features = spn_dataset_features(data);
    arrays.class_names = spn_dataset_class_names(data);
    arrays.hidden = strtoul(argv[4], NULL, 10);
    arrays.replicas = given[0];
    arrays.hidden_bias = given[1];
    arrays.bias = given[2];
    arrays.logit_scale = 0.1;
    arrays.preprocess = &how;
    arrays.encoding = encoding;
    const size_t inputs = encoding ? encoding->inputs : arrays.features;
    const size_t sites = arrays.hidden * (inputs + arrays.hidden_bias) +
                         arrays.classes * (arrays.hidden + arrays.bias);
    int8_t *weights = random_weights(arrays.replicas * sites, given[3]);
    arrays.weights = weights;
    need(spn_model_create(&model, &arrays, &err));
    need(spn_model_write(model, argv[1], &err));
    spn_model_free(model);
    spn_encoding_free(encoding);
    spn_dataset_free(data);
    free(weights);
    return 0;
}
