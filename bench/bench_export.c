/* How fast the exported C of a network is: 784-256-10, images as bytes (made binary and packed on
   the way) and as packed bits, one thread. The header is compiled by the compilers that are there,
   with -O3 and with -O3 -march=native; its classes must be those of spn_softmax_evaluate before its
   speed counts. Weights are random, which the speed does not depend on. One JSON object on standard
   output; fastest of several runs.

   usage: bench_export */
#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IMAGES = 2000, SIDE = 28, FEATURES = SIDE * SIDE, HIDDEN = 256, CLASSES = 10 };
enum { SITES = HIDDEN * FEATURES + CLASSES * HIDDEN };

static spn_error err;

static void need(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "bench_export: %s\n", what);
    exit(1);
}

/* Blurred blobs: about a fifth of the pixels are light, as in MNIST. */
static void make_images(uint8_t *out)
{
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_INSTANCE);
    for (size_t n = 0; n < IMAGES; n++) {
        const double x = 8 + 12 * spn_random_uniform(&random);
        const double y = 8 + 12 * spn_random_uniform(&random);
        for (size_t i = 0; i < FEATURES; i++) {
            const double dx = (double)(i % SIDE) - x, dy = (double)i / SIDE - y;
            const double light = 400 * exp(-(dx * dx + dy * dy) / 40);
            const double grey = light * spn_random_uniform(&random);
            out[n * FEATURES + i] = (uint8_t)fmin(255, grey);
        }
    }
}

static spn_model *make_network(void)
{
    static int8_t weights[SITES];
    const spn_preprocess binary = {.kind = SPN_PREPROCESS_BINARY, .scale = 1, .threshold = 127};
    spn_model_arrays arrays = spn_model_arrays_defaults();
    spn_random random = spn_random_make(2, 0, 0, SPN_PURPOSE_START);
    spn_model *model;
    spn_random_spins(&random, weights, SITES);
    arrays.classes = CLASSES;
    arrays.features = FEATURES;
    arrays.width = arrays.height = SIDE;
    arrays.hidden = HIDDEN;
    arrays.preprocess = &binary;
    arrays.weights = weights;
    need(!spn_model_create(&model, &arrays, &err), err.text);
    return model;
}

/* The classes by the library, one byte each. */
static void predict(uint8_t *out, const spn_model *model, const uint8_t *images)
{
    static uint32_t classes[IMAGES];
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    spn_softmax_details details = spn_softmax_details_defaults();
    spn_softmax_scores scores;
    spn_dataset *data;
    arrays.samples = IMAGES;
    arrays.features = FEATURES;
    arrays.bytes = images;
    need(!spn_dataset_create(&data, &arrays, &err), err.text);
    need(!spn_model_prepare(&data, model, &err), err.text);
    const spn_softmax_model classifier = spn_model_replica(model, 0, 1);
    details.predictions = classes;
    need(!spn_softmax_evaluate(&scores, &classifier, data, &details, &err), err.text);
    for (size_t n = 0; n < IMAGES; n++)
        out[n] = (uint8_t)classes[n];
    spn_dataset_free(data);
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    need(file && fwrite(data, 1, size, file) == size && fclose(file) == 0, name);
}

/* One row: what export_speed.c prints. */
static bool measure(const char *compiler, const char *options, bool first)
{
    char command[1024], line[256] = "";
    snprintf(command, sizeof command,
             "command -v %s > /dev/null && %s -std=c99 %s -I. -o speed '" SPN_BENCH
             "/export_speed.c' && ./speed",
             compiler, compiler, options);
    FILE *pipe = popen(command, "r");
    need(pipe, "no shell");
    const bool there = fgets(line, sizeof line, pipe);
    const int status = pclose(pipe);
    if (!there)
        return false;
    need(status == 0, "the exported C gives other classes than the library");
    line[strcspn(line, "\n")] = '\0';
    printf("%s\n  {\"compiler\": \"%s\", \"options\": \"%s\", %s}", first ? "" : ",", compiler,
           options, line);
    fflush(stdout);
    return true;
}

int main(void)
{
    static uint8_t images[IMAGES * FEATURES], classes[IMAGES];
    static const char *const compilers[] = {"gcc", "clang"};
    static const char *const options[] = {"-O3", "-O3 -march=native"};
    static const char *const files[] = {"model.h", "images", "classes", "speed"};
    char folder[] = "/tmp/bench_export.XXXXXX";
    spn_export_options export = spn_export_defaults();
    need(mkdtemp(folder) && chdir(folder) == 0, "no folder in /tmp");
    spn_model *model = make_network();
    make_images(images);
    predict(classes, model, images);
    write_file("images", images, sizeof images);
    write_file("classes", classes, sizeof classes);
    int8_t *weights = malloc(spn_model_sites(model));
    need(weights != NULL, "out of memory");
    spn_model_unpack(weights, model, 0, 1);
    need(!spn_model_export(model, weights, 1, &export, "model.h", &err), err.text);
    free(weights);
    printf("{\"network\": \"%d-%d-%d\", \"images_per_second\": [", FEATURES, HIDDEN, CLASSES);
    bool first = true;
    for (size_t c = 0; c < 2; c++)
        for (size_t o = 0; o < 2; o++)
            first = !measure(compilers[c], options[o], first) && first;
    printf("]}\n");
    for (size_t j = 0; j < sizeof files / sizeof *files; j++)
        remove(files[j]);
    spn_model_free(model);
    return chdir("/") || rmdir(folder) ? 1 : 0;
}
