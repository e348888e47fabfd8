/* Trainings side by side on a device, as in the paper's study: linear classifiers of 60,000 images,
   one replica, 300,000 proposals, beta 100 to 100,000; and some of three coupled replicas. Seconds
   of 132 and of more trainings, all included but the making of the data; whether a short training
   has the processor's bits; and the accuracies. First, short trainings show which number of
   work-items suits, unless one is given. One JSON object.

       bench_device_train NAME [TRAININGS [GROUP [FOLDER [STEPS]]]]
   NAME: as for --device. TRAININGS: 670. GROUP: work-items to a training; 0: the fastest. FOLDER
   has MNIST's four idx files; without it, or -, images of the same shape and sparsity are made up.
   STEPS: 300,000. */
#include "base/memory.h"
#include "device/device.h"
#include "images.h"
#include <pthread.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = BENCH_SAMPLES, FEATURES = BENCH_FEATURES, CLASSES = BENCH_CLASSES };
enum { STEPS = 300000, SHORT_STEPS = 2048, SAME_STEPS = 300, FEW = 132, MANY = 670 };

static spn_dataset images;
static double shift[FEATURES], scale[FEATURES];
static const spn_scaling scaling = {FEATURES, shift, scale};

static void die(const spn_error *err)
{
    fprintf(stderr, "bench_device_train: %s\n", err->text);
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct training {
    const spn_energy *energy;
    spn_chain_options options;
    spn_sampler *chain;
    pthread_t thread;
} training;

static void *train(void *context)
{
    training *t = context;
    spn_error err = {0};
    spn_stop stop;
    if (spn_chain_create(&t->chain, t->energy, &t->options, &err) ||
        spn_sampler_run(&stop, t->chain, NULL, &err))
        die(&err);
    return NULL;
}

/* Trainings of runs 0, 1, ..., each on a thread. */
static double run(training *all, size_t count, const spn_energy *energy, size_t replicas,
                  double gamma, uint64_t steps)
{
    spn_error err = {0};
    spn_schedule *beta, *coupling;
    pthread_attr_t small;
    if (spn_schedule_exponential(&beta, 100, 100000, &err) ||
        spn_schedule_constant(&coupling, gamma, &err))
        die(&err);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 20);
    const double started = seconds();
    for (size_t k = 0; k < count; k++) {
        spn_chain_options o = spn_chain_defaults();
        o.replicas = replicas;
        o.kernel = SPN_KERNEL_TWO_STAGE;
        o.order = SPN_ORDER_REPLICA_ROUND;
        o.start = SPN_START_SAME;
        o.beta = beta;
        o.gamma = coupling;
        o.steps = steps;
        o.run = (uint32_t)k;
        all[k] = (training){.energy = energy, .options = o};
        if (pthread_create(&all[k].thread, &small, train, &all[k])) {
            fprintf(stderr, "bench_device_train: no %zu threads\n", count);
            exit(1);
        }
    }
    for (size_t k = 0; k < count; k++)
        pthread_join(all[k].thread, NULL);
    const double took = seconds() - started;
    pthread_attr_destroy(&small);
    spn_schedule_free(beta);
    spn_schedule_free(coupling);
    return took;
}

static void drop(training *all, size_t count)
{
    for (size_t k = 0; k < count; k++)
        spn_sampler_free(all[k].chain);
}

static spn_energy *make(const char *device, size_t group)
{
    spn_error err = {0};
    spn_energy *energy;
    spn_device_choice choice;
    const spn_softmax_options options = spn_softmax_options_defaults();
    if (strcmp(device, "cpu") == 0
            ? spn_softmax_on_device(&energy, &images, &scaling, &options, "cpu", &err)
            : (spn_device_choose(&choice, device, &err) ||
               (choice.group = group,
                spn_softmax_on(&energy, &images, &scaling, &options, &choice, &err))))
        die(&err);
    return energy;
}

/* The accuracy of the first replica of each training on some images, on average. */
static double accuracy(const training *all, size_t count, const spn_dataset *data)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        spn_snapshot s;
        size_t correct;
        spn_chain_snapshot(&s, all[k].chain);
        spn_softmax_model model = spn_softmax_model_defaults();
        model.weights = s.spins;
        model.classes = CLASSES;
        model.features = FEATURES;
        model.scaling = &scaling;
        if (spn_softmax_correct(&correct, &model, data, NULL))
            exit(1);
        sum += (double)correct / (double)data->samples;
    }
    return sum / (double)count;
}

static bool are_same(const training *a, const training *b)
{
    spn_snapshot left, right;
    spn_chain_snapshot(&left, a->chain);
    spn_chain_snapshot(&right, b->chain);
    const size_t y = left.replicas, sites = (size_t)CLASSES * FEATURES;
    return memcmp(left.spins, right.spins, y * sites) == 0 &&
           memcmp(left.energy, right.energy, y * sizeof *left.energy) == 0 &&
           memcmp(left.accepted, right.accepted, y * sizeof *left.accepted) == 0;
}

static bool compare(const char *device, size_t group, size_t replicas, double gamma)
{
    training here, there;
    spn_energy *plain = make("cpu", 0), *energy = make(device, group);
    run(&here, 1, plain, replicas, gamma, SAME_STEPS);
    run(&there, 1, energy, replicas, gamma, SAME_STEPS);
    const bool same = are_same(&here, &there);
    drop(&here, 1);
    drop(&there, 1);
    spn_energy_free(plain);
    spn_energy_free(energy);
    return same;
}

/* Short trainings by some numbers of work-items; the fastest. */
static size_t tune(const char *device, training *all, size_t count)
{
    static const size_t groups[] = {128, 256, 512, 1024};
    size_t best = 0;
    double least = 0;
    printf(" \"tuning\": {\"trainings\": %zu, \"steps\": %d, \"seconds_by_group\": {", count,
           SHORT_STEPS);
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
        spn_energy *energy = make(device, groups[k]);
        const double took = run(all, count, energy, 1, 0, SHORT_STEPS);
        drop(all, count);
        spn_energy_free(energy);
        printf("%s\"%zu\": %.3f", k ? ", " : "", groups[k], took);
        fflush(stdout);
        if (k == 0 || took < least) {
            least = took;
            best = groups[k];
        }
    }
    printf("}},\n");
    return best;
}

static void measure(const char *name, training *all, size_t count, spn_energy *energy,
                    size_t replicas, double gamma, uint64_t steps, const spn_dataset *test)
{
    const double took = run(all, count, energy, replicas, gamma, steps);
    double accepted = 0, loss = 0;
    for (size_t k = 0; k < count; k++) {
        spn_snapshot s;
        spn_chain_snapshot(&s, all[k].chain);
        accepted += (double)s.accepted[0] / (double)steps / (double)count;
        loss += s.energy[0] / (double)count;
    }
    const size_t scored = count < FEW ? count : FEW;
    printf(" \"%s\": {\"trainings\": %zu, \"replicas\": %zu, \"gamma\": %g, \"steps\": %llu, "
           "\"seconds\": %.3f, \"samples_per_ns\": %.1f,\n  \"accepted\": %.4f, \"train_loss\": "
           "%.4f, \"%s_accuracy\": %.4f},\n",
           name, count, replicas, gamma, (unsigned long long)steps, took,
           (double)count * (double)replicas * (double)steps * SAMPLES / took / 1e9, accepted, loss,
           test ? "test" : "train", accuracy(all, scored, test ? test : &images));
    fflush(stdout);
    drop(all, count);
}

int main(int argc, char **argv)
{
    const char *const *words = (const char *const *)argv;
    const size_t many = argc > 2 ? strtoul(words[2], NULL, 10) : MANY;
    size_t group = argc > 3 ? strtoul(words[3], NULL, 10) : 0;
    const char *folder = argc > 4 && strcmp(words[4], "-") != 0 ? words[4] : NULL;
    const uint64_t steps = argc > 5 ? strtoull(words[5], NULL, 10) : STEPS;
    const size_t few = many < FEW ? many : FEW;
    spn_error err = {0};
    spn_device_choice choice;
    spn_dataset test;
    if (argc < 2) {
        fprintf(stderr,
                "bench_device_train: give the name of a device; `spinney devices` lists them\n");
        return 2;
    }
    bench_images(&images, folder);
    if (folder)
        bench_test_images(&test, folder);
    for (size_t i = 0; i < FEATURES; i++) {
        shift[i] = 0.1307 * 255;
        scale[i] = 0.3081 * 255;
    }
    training *all = spn_alloc(many > FEW ? many : FEW, sizeof *all);
    if (!all || many == 0 || spn_device_choose(&choice, argv[1], &err))
        die(&err);
    printf("{\"about\": \"trainings on %s\", \"device\": \"%s\", \"data\": \"%s\",\n", argv[1],
           choice.info.name, folder ? "MNIST" : "made up");
    fflush(stdout);
    group = group ? group : tune(argv[1], all, few);
    printf(" \"group\": %zu,\n \"same_as_processor\": %s,\n", group,
           compare(argv[1], group, 1, 0) ? "true" : "false");
    printf(" \"same_as_processor_coupled\": %s,\n",
           compare(argv[1], group, 3, 0.8) ? "true" : "false");
    fflush(stdout);
    spn_energy *energy = make(argv[1], group);
    measure("few", all, few, energy, 1, 0, steps, folder ? &test : NULL);
    spn_energy_free(energy);
    energy = make(argv[1], group);
    measure("many", all, many, energy, 1, 0, steps, folder ? &test : NULL);
    spn_energy_free(energy);
    energy = make(argv[1], group);
    measure("coupled", all, few, energy, 3, 0.8, steps / 10, folder ? &test : NULL);
    spn_energy_free(energy);
    printf(" \"version\": \"%s\"}\n", spn_version());
    free(all);
    return 0;
}
