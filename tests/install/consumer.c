/* A program outside the tree, with the installed headers and pkg-config only: it anneals an energy
   of its own through the callback, with and without a function for the change in a flip. */
#include <spinney/spinney.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 12, REPLICAS = 3 };

typedef struct glass {
    int coupling[SITES][SITES]; /* i < j */
} glass;

static glass make_glass(void)
{
    glass g = {{{0}}};
    spn_random random = spn_random_make(42, 0, 0, SPN_PURPOSE_USER);
    for (size_t i = 0; i < SITES; i++)
        for (size_t j = i + 1; j < SITES; j++)
            g.coupling[i][j] = (int)spn_random_below(&random, 11) - 5;
    return g;
}

static double value(const int8_t *spins, size_t sites, void *context)
{
    const glass *g = context;
    int sum = 0;
    for (size_t i = 0; i < sites; i++)
        for (size_t j = i + 1; j < sites; j++)
            sum += g->coupling[i][j] * spins[i] * spins[j];
    return sum;
}

static double change(const int8_t *spins, size_t sites, size_t site, void *context)
{
    const glass *g = context;
    int sum = 0;
    for (size_t j = 0; j < sites; j++)
        sum += (j < site ? g->coupling[j][site] : g->coupling[site][j]) * spins[j];
    return -2 * spins[site] * sum;
}

static double optimum(glass *g)
{
    double least = 1e9;
    int8_t spins[SITES];
    for (unsigned k = 0; k < 1u << SITES; k++) {
        for (size_t i = 0; i < SITES; i++)
            spins[i] = k >> i & 1 ? 1 : -1;
        double energy = value(spins, SITES, g);
        least = energy < least ? energy : least;
    }
    return least;
}

typedef struct result {
    double energy[REPLICAS], best[REPLICAS];
    int8_t spins[REPLICAS * SITES];
    uint64_t accepted[REPLICAS];
    unsigned seen; /* calls of the observer */
    uint64_t last;
} result;

static spn_status observe(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_snapshot *s = progress->state;
    result *r = context;
    if (s->sites != SITES || s->replicas != REPLICAS || (r->seen > 0 && s->step <= r->last))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the observer saw something odd");
    r->seen++;
    r->last = s->step;
    return SPN_OK;
}

static int anneal(result *out, glass *g, spn_change_function *change_function)
{
    spn_error err = {0};
    spn_energy *energy = NULL;
    spn_sampler *chain = NULL;
    spn_stop stop;
    spn_chain_options options = spn_chain_defaults();
    spn_until until = spn_until_defaults();
    spn_schedule *beta = NULL, *gamma = NULL;
    *out = (result){.seen = 0};
    if (spn_schedule_exponential(&beta, 0.02, 2, &err) || spn_schedule_constant(&gamma, 0.1, &err))
        fprintf(stderr, "consumer: %s\n", err.text);
    options.beta = beta;
    options.gamma = gamma;
    options.steps = 5000;
    until.observer = observe;
    until.context = out;
    until.observe_every = 1000;
    if (spn_callback_create(&energy, SITES, value, change_function, g, &err) ||
        spn_chain_create(&chain, energy, &options, &err) ||
        spn_sampler_run(&stop, chain, &until, &err)) {
        fprintf(stderr, "consumer: %s\n", err.text);
    } else {
        spn_snapshot s;
        spn_chain_snapshot(&s, chain);
        memcpy(out->energy, s.energy, sizeof out->energy);
        memcpy(out->best, s.best_energy, sizeof out->best);
        memcpy(out->spins, s.spins, sizeof out->spins);
        memcpy(out->accepted, s.accepted, sizeof out->accepted);
    }
    spn_sampler_free(chain);
    spn_energy_free(energy);
    spn_schedule_free(beta);
    spn_schedule_free(gamma);
    return err.status != SPN_OK;
}

static int check(int condition, const char *what)
{
    if (!condition)
        fprintf(stderr, "consumer: %s\n", what);
    return condition;
}

int main(void)
{
    glass g = make_glass();
    result with, without;
    if (anneal(&with, &g, change) || anneal(&without, &g, NULL))
        return EXIT_FAILURE;
    double least = with.best[0];
    for (int a = 1; a < REPLICAS; a++)
        least = with.best[a] < least ? with.best[a] : least;
    int good = check(memcmp(with.spins, without.spins, sizeof with.spins) == 0 &&
                         memcmp(with.energy, without.energy, sizeof with.energy) == 0 &&
                         memcmp(with.best, without.best, sizeof with.best) == 0 &&
                         memcmp(with.accepted, without.accepted, sizeof with.accepted) == 0,
                     "the change function changes the result");
    good &= check(with.seen == 6 && with.last == 5000, "the observer was not called as promised");
    good &= check(least == optimum(&g), "the optimum was not found");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
