/* How fast the energy network is: microseconds per proposal of whole chains of 784-256-10, in
   random order over the weights whose pixels vary, at three temperatures: hot, in the middle and
   cold; every instruction set, alternating, the fastest of several runs, in time of the processor.
   One JSON object on standard output.

   usage: bench_network [FOLDER]   FOLDER has MNIST; see images.h */
#include "base/machine.h"
#include "base/memory.h"
#include "energy/network/network.h"
#include "images.h"
#include <math.h>
#include <spinney/chain.h>
#include <spinney/random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HIDDEN = 256, RUNS = 5, STEPS = 20000, WARM_SWEEPS = 4, STAGES = 3 };
static const double temperature[STAGES] = {2, 0.632, 0.2};
static const char *const stage_name[STAGES] = {"start", "middle", "late"};

static void die(const char *what)
{
    fprintf(stderr, "bench_network: %s\n", what);
    exit(1);
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sites whose input varies, and those of the outputs. */
static size_t varying(uint32_t *out, const spn_dataset *data, size_t sites)
{
    uint8_t varies[BENCH_FEATURES] = {0};
    size_t count = 0;
    for (size_t j = 0; j < data->samples * data->features; j++)
        varies[j % data->features] |= data->bytes[j] != data->bytes[j % data->features];
    for (size_t site = 0; site < sites; site++) {
        if (site >= HIDDEN * BENCH_FEATURES || varies[site % BENCH_FEATURES])
            out[count++] = (uint32_t)site;
    }
    return count;
}

typedef struct setting {
    const spn_energy *energy;
    uint32_t *proposed;
    size_t proposed_count;
    double beta;
} setting;

/* Seconds of a chain from the spins, which it leaves at its end; its acceptance. */
static double run(const setting *s, int8_t *spins, uint64_t steps, double *acceptance)
{
    spn_error err = {0};
    spn_schedule *beta;
    spn_sampler *chain;
    spn_snapshot end;
    spn_stop stop;
    if (spn_schedule_constant(&beta, s->beta, &err))
        die(err.text);
    spn_chain_options options = spn_chain_defaults();
    options.replicas = 1;
    options.kernel = SPN_KERNEL_ONE_STAGE;
    options.start = SPN_START_GIVEN;
    options.given = spins;
    options.beta = beta;
    options.steps = steps;
    options.proposed = s->proposed;
    options.proposed_count = s->proposed_count;
    if (spn_chain_create(&chain, s->energy, &options, &err))
        die(err.text);
    const double start = processor_time();
    if (spn_sampler_run(&stop, chain, NULL, &err))
        die(err.text);
    const double seconds = processor_time() - start;
    spn_chain_snapshot(&end, chain);
    memcpy(spins, end.spins, end.sites);
    *acceptance = (double)end.accepted[0] / (double)end.proposals[0];
    spn_sampler_free(chain);
    spn_schedule_free(beta);
    return seconds;
}

static void time_stage(spn_energy *const *energies, setting *s, int8_t *spins, int stage)
{
    double fastest[SPN_ISA_AVX512 + 1], acceptance;
    int8_t *copy = spn_alloc(energies[0]->sites, 1);
    if (!copy)
        die("no memory");
    s->energy = energies[spn_cpu_isa()];
    s->beta = BENCH_SAMPLES / temperature[stage];
    run(s, spins, WARM_SWEEPS * s->proposed_count, &acceptance);
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= SPN_ISA_AVX512; isa++)
        fastest[isa] = INFINITY;
    for (int j = 0; j < RUNS; j++) {
        for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++) {
            s->energy = energies[isa];
            memcpy(copy, spins, energies[0]->sites);
            fastest[isa] = fmin(fastest[isa], run(s, copy, STEPS, &acceptance));
        }
    }
    printf("    {\"stage\": \"%s\", \"temperature\": %g, \"acceptance\": %.3f", stage_name[stage],
           temperature[stage], acceptance);
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++)
        printf(", \"%s_us_per_proposal\": %.2f", spn_isa_name(isa), fastest[isa] / STEPS * 1e6);
    printf("}%s\n", stage + 1 < STAGES ? "," : "");
    free(copy);
}

int main(int argc, char **argv)
{
    spn_dataset data;
    spn_energy *energies[SPN_ISA_AVX512 + 1];
    spn_error err = {0};
    bench_images(&data, argc > 1 ? argv[1] : NULL);
    for (size_t j = 0; j < data.samples * data.features; j++)
        data.bytes[j] = data.bytes[j] > 127;
    spn_network_options options = spn_network_options_defaults();
    options.hidden = HIDDEN;
    options.logit_scale = 1.5 / sqrt(HIDDEN);
    for (spn_isa isa = SPN_ISA_PORTABLE; isa <= spn_cpu_isa(); isa++) {
        if (spn_network_create_by(&energies[isa], &data, &options, false, isa, &err))
            die(err.text);
    }
    const size_t sites = energies[0]->sites;
    setting s = {.proposed = spn_alloc(sites, sizeof *s.proposed)};
    int8_t *spins = spn_alloc(sites, 1);
    if (!s.proposed || !spins)
        die("no memory");
    s.proposed_count = varying(s.proposed, &data, sites);
    spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
    spn_random_spins(&random, spins, sites);
    printf(
        "{\"bench\": \"network\", \"shape\": \"784-%d-10\", \"samples\": %d, \"images\": \"%s\",\n"
        "  \"stages\": [\n",
        HIDDEN, BENCH_SAMPLES, argc > 1 ? "mnist" : "made up");
    for (int stage = 0; stage < STAGES; stage++)
        time_stage(energies, &s, spins, stage);
    printf("  ]}\n");
    return 0;
}
