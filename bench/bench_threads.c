/* Whether threads ever hurt: the time of a chain with two threads over that with one, of energies
   from cheap to dear, on the machine as it is and with as many busy threads as it has processors
   twice over. One JSON object; a ratio is that of the fastest of runs made in turn, on the busy
   machine of their sums, since there every run has its share of waiting. */
#include "base/clock.h"
#include "bench.h"
#include "busy.h"
#include <math.h>

enum { REPEATS = 15, THREADS = 2 };
static const double SECONDS = 0.15; /* of a run with one thread, about */

/* ---- energies ---- */

/* Random bytes in ten classes: what a change costs does not depend on what they are. */
static spn_energy *make_softmax(size_t samples)
{
    enum { FEATURES = 64 };
    spn_error err = {0};
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_INSTANCE);
    spn_dataset_arrays arrays = spn_dataset_arrays_defaults();
    uint8_t *bytes = malloc(samples * FEATURES);
    uint32_t *labels = malloc(samples * sizeof *labels);
    spn_dataset *data = NULL;
    spn_scaling *scaling = NULL;
    spn_energy *energy = NULL;
    spn_preprocess how = spn_preprocess_suiting(NULL, NULL);
    if (!bytes || !labels)
        abort();
    for (size_t k = 0; k < samples * FEATURES; k++)
        bytes[k] = (uint8_t)spn_random_below(&random, 17);
    for (size_t n = 0; n < samples; n++)
        labels[n] = spn_random_below(&random, 10);
    arrays.samples = samples;
    arrays.features = FEATURES;
    arrays.bytes = bytes;
    arrays.labels = labels;
    arrays.classes = 10;
    if (spn_dataset_create(&data, &arrays, &err) ||
        spn_preprocess_fit(&scaling, &how, data, &err) ||
        spn_softmax_create(&energy, data, scaling, 0.1, &err))
        die(&err);
    spn_scaling_free(scaling);
    spn_dataset_free(data);
    free(labels);
    free(bytes);
    return energy;
}

/* ---- runs ---- */

static double run_once(const spn_energy *energy, spn_coupling_kind coupling, uint64_t steps,
                       unsigned threads)
{
    spn_error err = {0};
    spn_sampler *chain;
    spn_schedule *beta;
    spn_stop stop;
    spn_chain_options o = spn_chain_defaults();
    if (spn_schedule_parse(&beta, "1:1000", NULL, &err))
        die(&err);
    o.beta = beta;
    o.steps = steps;
    o.threads = threads;
    o.coupling = coupling;
    if (spn_chain_create(&chain, energy, &o, &err))
        die(&err);
    const double started = spn_clock();
    if (spn_sampler_run(&stop, chain, NULL, &err))
        die(&err);
    const double seconds = spn_clock() - started;
    spn_sampler_free(chain);
    spn_schedule_free(beta);
    return seconds;
}

/* Times of runs with one thread and with THREADS. */
typedef struct times {
    double fastest[2], sum[2];
} times;

static times take_times(const spn_energy *energy, spn_coupling_kind coupling, uint64_t steps)
{
    times t = {{INFINITY, INFINITY}, {0, 0}};
    for (int k = 0; k < REPEATS; k++)
        for (int several = 0; several < 2; several++) {
            const double seconds = run_once(energy, coupling, steps, several ? THREADS : 1);
            t.fastest[several] = fmin(t.fastest[several], seconds);
            t.sum[several] += seconds;
        }
    return t;
}

/* ---- a busy machine ---- */

static double busy_ratio(const spn_energy *energy, spn_coupling_kind coupling, uint64_t steps)
{
    busy_start();
    const times t = take_times(energy, coupling, steps);
    busy_end();
    return t.sum[1] / t.sum[0];
}

/* ---- all of it ---- */

static void measure(const char *name, const char *about, spn_energy *energy,
                    spn_coupling_kind coupling, const char *separator)
{
    enum { PILOT = 2000 };
    const double pilot = run_once(energy, coupling, PILOT, 1);
    const uint64_t steps = (uint64_t)fmax(PILOT * SECONDS / pilot, PILOT);
    const times t = take_times(energy, coupling, steps);
    const double idle = t.fastest[1] / t.fastest[0], busy = busy_ratio(energy, coupling, steps);
    printf(
        "  \"%s\": {\"about\": \"%s\", \"us_per_step\": %.2f, \"idle\": %.3f, \"busy\": %.3f}%s\n",
        name, about, 1e6 * pilot / PILOT, idle, busy, separator);
    fflush(stdout);
    spn_energy_free(energy);
}

int main(void)
{
    printf("{\"threads\": %d, \"replicas\": 3, \"results\": {\n", THREADS);
    const spn_coupling_kind each_other = SPN_COUPLING_REPLICAS, centre = SPN_COUPLING_CENTRE;
    measure("ising", "+-J torus 50 x 40", lattice_energy(50, 40), each_other, ",");
    measure("bits", "1001 spins, 300 patterns", perceptron_energy(1001, 300), each_other, ",");
    measure("bits_dear", "1001 spins, 100000 patterns", perceptron_energy(1001, 100000), each_other,
            ",");
    measure("softmax_1000", "1000 samples of bytes", make_softmax(1000), each_other, ",");
    measure("softmax_60000", "60000 samples of bytes", make_softmax(60000), each_other, ",");
    measure("ising_centre", "the torus, with a centre", lattice_energy(50, 40), centre, ",");
    measure("bits_centre", "300 patterns, with a centre", perceptron_energy(1001, 300), centre,
            ",");
    measure("softmax_1000_centre", "1000 samples, with a centre", make_softmax(1000), centre, "");
    printf("}}\n");
    return 0;
}
