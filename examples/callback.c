/* An energy of your own, in about twenty lines: split the numbers 1 to 24 into two heaps of equal
   weight. Build with: cc callback.c $(pkg-config --cflags --libs spinney) */
#include <spinney/spinney.h>
#include <stdio.h>

static double imbalance(const int8_t *spins, size_t sites, void *context)
{
    (void)context;
    double difference = 0;
    for (size_t i = 0; i < sites; i++)
        difference += (double)(i + 1) * spins[i];
    return difference * difference;
}

int main(void)
{
    spn_error err = {0};
    spn_energy *energy = NULL;
    spn_sampler *chain = NULL;
    spn_stop stop;
    spn_schedule *beta = NULL;
    spn_chain_options options = spn_chain_defaults();
    options.steps = 100000;
    options.target = SPN_TARGET_ANY; /* at energy 0, the default */
    if (!spn_schedule_exponential(&beta, 0.001, 1, &err))
        options.beta = beta;
    if (err.status || spn_callback_create(&energy, 24, imbalance, NULL, NULL, &err) ||
        spn_chain_create(&chain, energy, &options, &err) ||
        spn_sampler_run(&stop, chain, NULL, &err)) {
        fprintf(stderr, "%s\n", err.text);
    } else {
        spn_snapshot state;
        spn_chain_snapshot(&state, chain);
        printf("best energy of replica 1: %g after %llu steps\n", state.best_energy[0],
               (unsigned long long)state.step);
    }
    spn_sampler_free(chain);
    spn_energy_free(energy);
    spn_schedule_free(beta);
    return err.status != SPN_OK;
}
