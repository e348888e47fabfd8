/* Makes a small trained model for the tests of the commands that use one:
     make_model OUT [DATA [PREPROCESSING [STEPS [REPLICAS [SEED]]]]]
   DATA is a known name or a file of labelled samples (digits); PREPROCESSING none, dataset, feature
   or binary:THRESHOLD (dataset). Or prints the test part of a known data set as CSV, labels last:
     make_model --samples NAME */
#include <spinney/spinney.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spn_error err;

static void need(spn_status status)
{
    if (!status)
        return;
    fprintf(stderr, "make_model: %s\n", err.text);
    exit(1);
}

static spn_dataset *open_data(const char *name)
{
    spn_dataset *train;
    for (const char *const *known = spn_dataset_names(); *known; known++)
        if (strcmp(name, *known) == 0) {
            need(spn_dataset_open(&train, NULL, name, &err));
            return train;
        }
    need(spn_dataset_read(&train, name, NULL, NULL, &err));
    return train;
}

static spn_preprocess parse_preprocessing(const char *text)
{
    spn_preprocess how = {.scale = 1};
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    need(spn_preprocess_kind_parse(&how.kind, name, &err));
    if (strchr(text, ':'))
        how.threshold = strtod(strchr(text, ':') + 1, NULL);
    return how;
}

static spn_sampler *train_chain(const spn_energy *energy, uint64_t steps, size_t replicas,
                                uint64_t seed)
{
    spn_chain_options options = spn_chain_defaults();
    spn_sampler *chain;
    spn_stop stop;
    options.replicas = replicas;
    options.steps = steps;
    options.seed = seed;
    spn_schedule *beta, *gamma;
    need(spn_schedule_parse(&beta, "30:30000", "exponential", &err));
    need(spn_schedule_parse(&gamma, "0.3", NULL, &err));
    options.beta = beta;
    options.gamma = gamma;
    need(spn_chain_create(&chain, energy, &options, &err));
    need(spn_sampler_run(&stop, chain, NULL, &err));
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
    return chain;
}

static char *manifest_of(const spn_snapshot *state, uint64_t seed)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        exit(1);
    fprintf(stream, "{\"version\": \"%s\", \"seed\": %llu, \"results\": {\"replicas\": [",
            SPN_VERSION, (unsigned long long)seed);
    for (size_t a = 0; a < state->replicas; a++)
        fprintf(stream, "%s{\"train_loss\": %.17g}", a ? ", " : "", state->energy[a]);
    fprintf(stream, "]}}");
    fclose(stream);
    return text;
}

static void print_samples(const char *name)
{
    spn_dataset *train, *test;
    need(spn_dataset_open(&train, &test, name, &err));
    for (size_t n = 0; n < spn_dataset_samples(test); n++) {
        for (size_t i = 0; i < spn_dataset_features(test); i++)
            printf("%.17g,", spn_dataset_value(test, n, i));
        printf("%s\n", spn_dataset_class_names(test)[spn_dataset_labels(test)[n]]);
    }
    spn_dataset_free(train);
    spn_dataset_free(test);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--samples") == 0) {
        print_samples(argv[2]);
        return 0;
    }
    if (argc < 2) {
        fprintf(stderr, "usage: make_model OUT [DATA [PREPROCESSING [STEPS [REPLICAS [SEED]]]]]\n");
        return 2;
    }
    const uint64_t seed = argc > 6 ? strtoull(argv[6], NULL, 10) : 1;
    spn_dataset *train = open_data(argc > 2 ? argv[2] : "digits");
    spn_preprocess how = parse_preprocessing(argc > 3 ? argv[3] : "dataset");
    spn_scaling *scaling;
    spn_energy *energy;
    spn_snapshot state;
    spn_model *model;
    spn_model_arrays arrays = spn_model_arrays_defaults();
    need(spn_preprocess_fit(&scaling, &how, train, &err));
    if (how.kind == SPN_PREPROCESS_BINARY) {
        spn_dataset *binary;
        need(spn_dataset_binarise(&binary, train, how.threshold, &err));
        spn_dataset_free(train);
        train = binary;
    }
    arrays.classes = spn_dataset_classes(train);
    arrays.features = spn_dataset_features(train);
    arrays.replicas = argc > 5 ? strtoul(argv[5], NULL, 10) : 3;
    arrays.width = spn_dataset_width(train);
    arrays.height = spn_dataset_height(train);
    arrays.class_names = spn_dataset_class_names(train);
    arrays.logit_scale = 0.3;
    arrays.preprocess = &how;
    arrays.scaling = scaling;
    need(spn_softmax_create(&energy, train, scaling, arrays.logit_scale, &err));
    spn_sampler *chain =
        train_chain(energy, argc > 4 ? strtoull(argv[4], NULL, 10) : 20000, arrays.replicas, seed);
    spn_chain_snapshot(&state, chain);
    char *manifest = manifest_of(&state, seed);
    arrays.manifest = manifest;
    arrays.train_losses = state.energy;
    arrays.weights = state.spins;
    need(spn_model_create(&model, &arrays, &err));
    need(spn_model_write(model, argv[1], &err));
    spn_model_free(model);
    free(manifest);
    spn_sampler_free(chain);
    spn_energy_free(energy);
    spn_scaling_free(scaling);
    spn_dataset_free(train);
    return 0;
}
