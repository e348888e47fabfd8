/* What the benchmarks share: an end with an error, a clock, and energies. */
#ifndef SPN_BENCH_BENCH_H
#define SPN_BENCH_BENCH_H

#include <errno.h>
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline void die(const spn_error *err)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, err->text);
    exit(1);
}

/* Of all threads of this program, so that a busy machine counts less. */
static inline double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline spn_energy *energy_of(const char *name, spn_problem *problem)
{
    spn_error err = {0};
    spn_energy *energy;
    if (spn_energy_create(&energy, name, problem, &err))
        die(&err);
    spn_problem_free(problem);
    return energy;
}

/* A spin glass on a torus. */
static inline spn_energy *lattice_energy(size_t width, size_t height)
{
    spn_error err = {0};
    spn_problem *problem;
    if (spn_problem_random_lattice(&problem, width, height, 1, &err))
        die(&err);
    return energy_of("ising", problem);
}

/* A perceptron of random patterns. */
static inline spn_energy *perceptron_energy(size_t sites, size_t patterns)
{
    spn_error err = {0};
    spn_problem *problem;
    if (spn_problem_random_patterns(&problem, sites, patterns, 1, false, &err))
        die(&err);
    return energy_of("bits", problem);
}

#endif
