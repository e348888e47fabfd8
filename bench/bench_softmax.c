/* How fast the energy softmax is: nanoseconds per sample and proposal over whole Metropolis steps,
   at three stages of an annealing (most, some, few proposals accepted); of whole annealings of one
   replica, all its phases; and of a whole training by the preset `paper`, three coupled replicas.
   Beside it the machine's read bandwidth. One JSON object on standard output; fastest of several
   runs, in time of the processor.

   usage: bench_softmax [FOLDER]   FOLDER has MNIST's train-images-idx3-ubyte and
   train-labels-idx1-ubyte; without it, images of the same shape and sparsity are made up. */
#include "base/clock.h"
#include "base/machine.h"
#include "base/memory.h"
#include "core/energy.h"
#include "data/dataset.h"
#include "images.h"
#include <inttypes.h>
#include <math.h>
#include <spinney/chain.h>
#include <spinney/random.h>
#include <spinney/schedule.h>
#include <spinney/softmax.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SAMPLES = BENCH_SAMPLES, FEATURES = BENCH_FEATURES, CLASSES = BENCH_CLASSES };
enum { SITES = CLASSES * FEATURES };
enum { ANNEAL = 60000, STEPS = 500, RUNS = 15, STAGES = 3, EVALUATED = 10000 };
enum { WHOLE_RUNS = 5, SHORT_ANNEAL = 6000 }; /* as long as softmax_torch.py's */
enum { REPLICAS = 3, TRAINING_STEPS = 300000, TRAINING_RUNS = 3, PHASES = 10 };

static void die(const char *what)
{
    fprintf(stderr, "bench_softmax: %s\n", what);
    exit(1);
}

/* A replica by itself: what a chain does, without coupling. */
typedef struct walker {
    const spn_energy *energy;
    void *cache;
    int8_t spins[SITES];
    double value;
    spn_random random;
    size_t accepted;
} walker;

static void step(walker *w, double beta)
{
    const size_t site = spn_random_below(&w->random, SITES);
    const double threshold = -log(spn_random_uniform(&w->random));
    const double delta = w->energy->slots->delta(w->energy, w->cache, w->spins, site);
    if (beta * delta > threshold)
        return;
    w->spins[site] = (int8_t)-w->spins[site];
    w->value = w->energy->slots->commit(w->energy, w->cache, w->spins, site);
    w->accepted++;
}

/* Anneal from beta 100 to 100,000; keep the states where acceptance first falls to the stages'
   shares. */
static void stages(walker *w, int8_t spins[STAGES][SITES], double betas[STAGES])
{
    static const double shares[STAGES] = {0.65, 0.20, 0.02};
    int stage = 0;
    for (int t = 0; t < ANNEAL; t++) {
        const double beta = 100 * pow(1000, (double)t / ANNEAL);
        step(w, beta);
        if (t % 1000 != 999)
            continue;
        const double share = (double)w->accepted / 1000;
        w->accepted = 0;
        if (stage == STAGES || (share > shares[stage] && t < ANNEAL - 1000))
            continue;
        memcpy(spins[stage], w->spins, sizeof w->spins);
        betas[stage++] = beta;
    }
}

/* Whole annealings from beta 100 to 100,000, always the same: the seconds of a proposal. */
static double time_annealing(walker *w, int steps)
{
    double fastest = INFINITY;
    for (int run = 0; run < WHOLE_RUNS; run++) {
        w->random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
        spn_random_spins(&w->random, w->spins, SITES);
        w->value = w->energy->slots->attach(w->energy, w->cache, w->spins);
        const double start = spn_thread_clock();
        for (int t = 0; t < steps; t++)
            step(w, 100 * pow(1000, (double)t / steps));
        fastest = fmin(fastest, spn_thread_clock() - start);
    }
    return fastest / steps;
}

/* ---- a whole training ---- */

static const spn_energy_slots *counted; /* the slots whose deltas are counted */
static uint64_t deltas;

static double count_delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    deltas++;
    return counted->delta(self, cache, spins, site);
}

/* What was spent until the end of each phase, a tenth of the steps. */
typedef struct phases {
    double seconds[PHASES + 1];
    uint64_t deltas[PHASES + 1], accepted;
    size_t count;
} phases;

static spn_status end_phase(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *now = progress->state;
    (void)err;
    phases *p = context;
    if (p->count > PHASES)
        return SPN_OK;
    p->seconds[p->count] = spn_thread_clock();
    p->deltas[p->count++] = deltas;
    p->accepted = 0;
    for (size_t a = 0; a < now->replicas; a++)
        p->accepted += now->accepted[a];
    return SPN_OK;
}

/* The chain of `train --preset paper`. */
static phases train(const spn_energy *energy)
{
    phases p = {.count = 0};
    spn_error err = {0};
    spn_schedule *beta = NULL, *gamma = NULL;
    spn_sampler *chain = NULL;
    spn_chain_options o = spn_chain_defaults();
    spn_stop stop;
    if (spn_schedule_exponential(&beta, 100, 100000, &err) ||
        spn_schedule_constant(&gamma, 0.8, &err))
        die(err.text);
    o.replicas = REPLICAS;
    o.kernel = SPN_KERNEL_TWO_STAGE;
    o.order = SPN_ORDER_REPLICA_ROUND;
    o.start = SPN_START_SAME;
    o.beta = beta;
    o.gamma = gamma;
    o.steps = TRAINING_STEPS;
    spn_until until = spn_until_defaults();
    until.observer = end_phase;
    until.context = &p;
    until.observe_every = TRAINING_STEPS / PHASES;
    deltas = 0;
    if (spn_chain_create(&chain, energy, &o, &err) || spn_sampler_run(&stop, chain, &until, &err))
        die(err.text);
    spn_sampler_free(chain);
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
    return p;
}

/* Proposals that the coupling rejects cost nothing, so costs are given by all proposals and by
   those whose energy change was computed. Late: the last tenth. */
static void time_training(spn_energy *energy)
{
    spn_energy_slots slots = *energy->slots;
    phases best = {.seconds = {[PHASES] = INFINITY}};
    counted = energy->slots;
    slots.delta = count_delta;
    energy->slots = &slots;
    for (int run = 0; run < TRAINING_RUNS; run++) {
        const phases p = train(energy);
        if (p.seconds[PHASES] - p.seconds[0] < best.seconds[PHASES] - best.seconds[0])
            best = p;
    }
    energy->slots = counted;
    const double whole = best.seconds[PHASES] - best.seconds[0],
                 proposals = REPLICAS * TRAINING_STEPS;
    const double late = best.seconds[PHASES] - best.seconds[PHASES - 1];
    const uint64_t late_deltas = best.deltas[PHASES] - best.deltas[PHASES - 1];
    printf("  \"training\": {\"preset\": \"paper\", \"replicas\": %d, \"proposals\": %.0f, "
           "\"computed\": %" PRIu64 ", \"accepted\": %" PRIu64 ", \"seconds\": %.3f,\n"
           "    \"us_per_proposal\": %.3f, \"us_per_computed_proposal\": %.3f,\n"
           "    \"late_us_per_proposal\": %.3f, \"late_us_per_computed_proposal\": %.3f},\n",
           REPLICAS, proposals, best.deltas[PHASES], best.accepted, whole, whole / proposals * 1e6,
           whole / (double)best.deltas[PHASES] * 1e6, late / proposals * PHASES * 1e6,
           late / (double)late_deltas * 1e6);
}

static void time_stage(walker *w, const int8_t *spins, double beta, bool last)
{
    double fastest = INFINITY, value = 0;
    memcpy(w->spins, spins, sizeof w->spins);
    w->value = w->energy->slots->attach(w->energy, w->cache, w->spins);
    w->accepted = 0;
    for (int run = 0; run < RUNS; run++) {
        const double start = spn_thread_clock();
        for (int t = 0; t < STEPS; t++)
            step(w, beta);
        const double seconds = spn_thread_clock() - start;
        fastest = seconds < fastest ? seconds : fastest;
        value = w->value;
    }
    printf(
        "    {\"beta\": %.0f, \"acceptance\": %.4f, \"energy\": %.5f, \"us_per_proposal\": %.3f, "
        "\"ns_per_sample_and_proposal\": %.4f}%s\n",
        beta, (double)w->accepted / (RUNS * STEPS), value, fastest / STEPS * 1e6,
        fastest / STEPS / SAMPLES * 1e9, last ? "" : ",");
}

/* Bytes per second of summing an array too large for any cache. */
static double read_bandwidth(void)
{
    enum { WORDS = 1 << 24 };
    uint64_t *words = spn_alloc(WORDS, sizeof *words), total = 0;
    double fastest = INFINITY;
    if (!words)
        die("no memory");
    for (int run = 0; run < RUNS; run++) {
        const double start = spn_thread_clock();
        for (size_t j = 0; j < WORDS; j++)
            total += words[j];
        const double seconds = spn_thread_clock() - start;
        fastest = seconds < fastest ? seconds : fastest;
        words[run] = total; /* keeps the loop alive */
    }
    free(words);
    return WORDS * sizeof(uint64_t) / fastest;
}

static double time_correct(const spn_dataset *data, const spn_scaling *scaling, const int8_t *spins)
{
    spn_dataset part = *data;
    part.samples = EVALUATED;
    const spn_softmax_model model = {.size = sizeof model, spins, CLASSES, FEATURES, scaling, 1.0};
    double fastest = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        size_t correct;
        const double start = spn_thread_clock();
        if (spn_softmax_correct(&correct, &model, &part, NULL))
            die("cannot evaluate");
        const double seconds = spn_thread_clock() - start;
        fastest = seconds < fastest ? seconds : fastest;
    }
    return fastest;
}

int main(int argc, char **argv)
{
    static double shift[FEATURES], scale[FEATURES], betas[STAGES];
    static int8_t spins[STAGES][SITES];
    static walker w;
    const spn_scaling scaling = {FEATURES, shift, scale};
    spn_dataset data;
    spn_energy *energy;
    spn_error err = {0};
    bench_images(&data, argc > 1 ? argv[1] : NULL);
    for (size_t i = 0; i < FEATURES; i++) {
        shift[i] = 0.1307 * 255;
        scale[i] = 0.3081 * 255;
    }
    double start = spn_thread_clock();
    if (spn_softmax_create(&energy, &data, &scaling, 1.0, &err))
        die(err.text);
    const double create_seconds = spn_thread_clock() - start;
    w.energy = energy;
    w.cache = spn_alloc(1, energy->cache_size);
    if (!w.cache)
        die("no memory");
    w.random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&w.random, w.spins, SITES);
    start = spn_thread_clock();
    w.value = energy->slots->attach(energy, w.cache, w.spins);
    printf("{\"bench\": \"softmax\", \"data\": \"%s\", \"samples\": %d, \"features\": %d,\n"
           "  \"isa\": \"%s\", \"create_s\": %.3f, \"attach_s\": %.3f, \"start_energy\": %.4f,\n"
           "  \"cache_MB_per_replica\": %.2f,\n  \"stages\": [\n",
           argc > 1 ? "idx files" : "made up", SAMPLES, FEATURES, spn_isa_name(spn_cpu_isa()),
           create_seconds, spn_thread_clock() - start, w.value, (double)energy->cache_size / 1e6);
    struct rusage usage; /* before the bandwidth test takes memory of its own */
    getrusage(RUSAGE_SELF, &usage);
    stages(&w, spins, betas);
    for (int stage = 0; stage < STAGES; stage++)
        time_stage(&w, spins[stage], betas[stage], stage == STAGES - 1);
    start = spn_thread_clock();
    for (size_t t = 0; t < STEPS; t++)
        energy->slots->delta(energy, w.cache, w.spins, t * 7919 % SITES);
    const double delta_seconds = (spn_thread_clock() - start) / STEPS, bandwidth = read_bandwidth();
    const double moved = 9.0 * SAMPLES / delta_seconds; /* a power, a sum and a byte per sample */
    const double average = time_annealing(&w, ANNEAL), brief = time_annealing(&w, SHORT_ANNEAL);
    printf("  ],\n  \"whole_anneal_us_per_proposal\": %.3f, \"whole_anneal_steps\": %d,\n"
           "  \"short_anneal_us_per_proposal\": %.3f, \"short_anneal_steps\": %d,\n",
           average * 1e6, ANNEAL, brief * 1e6, SHORT_ANNEAL);
    time_training(energy);
    printf("  \"delta_ns_per_sample\": %.4f, \"delta_GBps\": %.2f, \"read_GBps\": %.2f, "
           "\"share_of_read_bandwidth\": %.3f,\n  \"correct_ms_per_10000\": %.3f, "
           "\"peak_memory_MB\": %.1f}\n",
           delta_seconds / SAMPLES * 1e9, moved / 1e9, bandwidth / 1e9, moved / bandwidth,
           time_correct(&data, &scaling, w.spins) * 1e3, (double)usage.ru_maxrss / 1024);
    spn_energy_free(energy);
    free(w.cache);
    free(data.bytes);
    free(data.labels);
    return 0;
}
