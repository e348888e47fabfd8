/* Images to measure with. */
#include "images.h"

#include "base/memory.h"
#include <math.h>
#include <spinney/random.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static void read_after(const char *folder, const char *name, long skip, uint8_t *out, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, skip, SEEK_SET) || fread(out, 1, size, file) != size)
        die(path);
    fclose(file);
}

/* Each class lights its own blurred blobs: about a fifth of the pixels, in grey values. */
static void make_up(spn_dataset *data)
{
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_INSTANCE);
    for (size_t n = 0; n < data->samples; n++) {
        const uint32_t label = spn_random_below(&random, BENCH_CLASSES);
        data->labels[n] = label;
        const double dx = spn_random_uniform(&random) * 6 - 3;
        const double dy = spn_random_uniform(&random) * 6 - 3;
        for (size_t i = 0; i < BENCH_FEATURES; i++) {
            const double x = (double)(i % 28) - 13.5 - dx, y = (double)(i / 28) - 13.5 - dy;
            const double wave = cos(x * (0.2 + 0.05 * label)) + sin(y * (0.5 - 0.03 * label));
            const double light = 255 * (wave - 0.2) * exp(-(x * x + y * y) / 90);
            const double grey = light + 60 * (spn_random_uniform(&random) - 0.5);
            data->bytes[n * BENCH_FEATURES + i] =
                (uint8_t)(light < 40 ? 0 : fmin(255, fmax(0, grey)));
        }
    }
}

/* Images and labels of MNIST's files, or images that are made up. */
static void make(spn_dataset *data, const char *folder, const char *set, size_t samples)
{
    char name[64];
    uint8_t *labels = spn_alloc(samples, 1);
    *data = (spn_dataset){.samples = samples, .features = BENCH_FEATURES, .classes = BENCH_CLASSES};
    data->bytes = spn_alloc(samples, BENCH_FEATURES);
    data->labels = spn_alloc(samples, sizeof *data->labels);
    if (!data->bytes || !data->labels || !labels)
        die("no memory");
    if (!folder) {
        make_up(data);
    } else {
        snprintf(name, sizeof name, "%s-images-idx3-ubyte", set);
        read_after(folder, name, 16, data->bytes, samples * BENCH_FEATURES);
        snprintf(name, sizeof name, "%s-labels-idx1-ubyte", set);
        read_after(folder, name, 8, labels, samples);
        for (size_t n = 0; n < samples; n++)
            data->labels[n] = labels[n];
    }
    free(labels);
}

void bench_images(spn_dataset *data, const char *folder)
{
    make(data, folder, "train", BENCH_SAMPLES);
}

void bench_test_images(spn_dataset *data, const char *folder)
{
    make(data, folder, "t10k", BENCH_TEST_SAMPLES);
}
