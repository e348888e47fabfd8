/* Milliseconds to score 10,000 samples of 784 inputs by networks of one hidden layer, in bits and
   in other bytes, with each instruction set, alternating, the fastest of several runs; and by
   spn_softmax_correct and spn_softmax_evaluate as a whole. */
#include "base/clock.h"
#include "base/memory.h"
#include "data/dataset.h"
#include "energy/network/evaluate.h"

#include <math.h>
#include <spinney/random.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAMPLES = 10000, FEATURES = 784, CLASSES = 10, RUNS = 5 };

static void die(const char *text)
{
    fprintf(stderr, "bench_evaluate: %s\n", text);
    exit(1);
}

static double milliseconds(spn_isa isa, const spn_softmax_model *model, const spn_dataset *data)
{
    static int64_t logits[SPN_NETWORK_PART * CLASSES];
    const double start = spn_clock();
    spn_network_scorer *scorer;
    spn_error err = {0};
    if (spn_network_scorer_make(&scorer, model, data, isa, &err))
        die(err.text);
    for (size_t n = 0; n < SAMPLES; n += SPN_NETWORK_PART)
        spn_network_scorer_logits(scorer, logits, n,
                                  SAMPLES - n < SPN_NETWORK_PART ? SAMPLES - n : SPN_NETWORK_PART);
    spn_network_scorer_free(scorer);
    return (spn_clock() - start) * 1e3;
}

static double whole_milliseconds(const spn_softmax_model *model, const spn_dataset *data,
                                 bool with_loss)
{
    const double start = spn_clock();
    spn_error err = {0};
    spn_softmax_scores scores;
    size_t correct;
    if (with_loss ? spn_softmax_evaluate(&scores, model, data, NULL, &err)
                  : spn_softmax_correct(&correct, model, data, &err))
        die(err.text);
    return (spn_clock() - start) * 1e3;
}

static void time_network(size_t hidden, bool bits, const spn_dataset *data,
                         const spn_scaling *scaling, bool last)
{
    double fastest[SPN_ISA_AVX512 + 1], correct = INFINITY, evaluate = INFINITY;
    spn_softmax_model model = spn_softmax_model_defaults();
    model.classes = CLASSES;
    model.features = FEATURES;
    model.scaling = scaling;
    model.hidden = hidden;
    const size_t sites = spn_softmax_model_sites(&model);
    int8_t *weights = spn_alloc(sites, 1);
    if (!weights)
        die("no memory");
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&random, weights, sites);
    model.weights = weights;
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= SPN_ISA_AVX512; isa++)
        fastest[isa] = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++)
            fastest[isa] = fmin(fastest[isa], milliseconds(isa, &model, data));
        correct = fmin(correct, whole_milliseconds(&model, data, false));
        evaluate = fmin(evaluate, whole_milliseconds(&model, data, true));
    }
    printf("    {\"hidden\": %zu, \"inputs\": \"%s\"", hidden, bits ? "bits" : "bytes");
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++)
        printf(", \"%s_ms\": %.2f", spn_isa_name(isa), fastest[isa]);
    printf(", \"correct_ms\": %.2f, \"evaluate_ms\": %.2f}%s\n", correct, evaluate,
           last ? "" : ",");
    free(weights);
}

int main(void)
{
    static uint8_t bytes[SAMPLES * FEATURES];
    static uint32_t labels[SAMPLES];
    static double shift[FEATURES], scale[FEATURES];
    static const size_t sizes[] = {64, 256, 512, 1024};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    const spn_scaling scaling = {FEATURES, shift, scale};
    const spn_dataset data = {.samples = SAMPLES,
                              .features = FEATURES,
                              .bytes = bytes,
                              .labels = labels,
                              .classes = CLASSES};
    spn_random random = spn_random_make(2, 0, 0, SPN_PURPOSE_USER);
    for (size_t i = 0; i < FEATURES; i++)
        scale[i] = 1;
    printf("{\"bench\": \"evaluate\", \"samples\": %d, \"features\": %d, \"isa\": \"%s\",\n"
           "  \"networks\": [\n",
           SAMPLES, FEATURES, spn_isa_name(spn_cpu_isa()));
    for (int bits = 1; bits >= 0; bits--) {
        for (size_t c = 0; c < sizeof bytes; c++) /* a fifth of the inputs is not 0 */
            bytes[c] = (uint8_t)(spn_random_below(&random, 5) ? 0 : bits ? 1 : 1 + c % 16);
        for (size_t j = 0; j < COUNT; j++)
            time_network(sizes[j], bits, &data, &scaling, !bits && j + 1 == COUNT);
    }
    printf("  ]}\n");
    return 0;
}
