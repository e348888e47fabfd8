/* What a call costs beside its chain: many short anneals of one small problem, as a binding for
   another language makes them, and the same chains alone, in turns. Microseconds of processor time
   for each, the fastest of five runs, as one JSON object.
     bench_call [CALLS [STEPS [RUNS]]] */
#include "bench.h"
#include <spinney/lab/call.h>

enum { REPEATS = 5, CALLS = 10000, SPINS = 64 };

/* A call with its result: the lowest energy, and where it was. */
static double call_once(const spn_problem *problem, const char *steps, unsigned seed)
{
    spn_call *call;
    spn_error err = {0};
    char text[16];
    int8_t spins[SPINS];
    snprintf(text, sizeof text, "%u", seed);
    if (spn_call_create(&call, "anneal", &err) || spn_call_set(call, "energy", "ising", &err) ||
        spn_call_give(call, "graph", SPN_OBJECT_PROBLEM, problem, &err) ||
        spn_call_set(call, "gamma", "0", &err) || spn_call_set(call, "steps", steps, &err) ||
        spn_call_set(call, "beta", "0.1:3", &err) || spn_call_set(call, "seed", text, &err) ||
        spn_call_run(call, &err))
        die(&err);
    const double best = spn_call_number(call, "best_energy");
    spn_call_spins(call, 0, 1, spins);
    spn_call_free(call);
    return best;
}

static double chain_once(const spn_energy *energy, const spn_schedule *beta, const char *steps,
                         unsigned seed)
{
    spn_chain_options o = spn_chain_defaults();
    spn_sampler *chain;
    spn_stop stop;
    spn_snapshot s;
    spn_error err = {0};
    o.steps = strtoul(steps, NULL, 10);
    o.beta = beta;
    o.seed = seed;
    if (spn_chain_create(&chain, energy, &o, &err) || spn_sampler_run(&stop, chain, NULL, &err))
        die(&err);
    spn_chain_snapshot(&s, chain);
    double best = s.best_energy[0];
    for (size_t a = 1; a < s.replicas; a++)
        best = s.best_energy[a] < best ? s.best_energy[a] : best;
    spn_sampler_free(chain);
    return best;
}

int main(int argc, char **argv)
{
    const unsigned calls = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : CALLS;
    const char *steps = argc > 2 ? argv[2] : "1000";
    const int repeats = argc > 3 ? (int)strtol(argv[3], NULL, 10) : REPEATS;
    spn_problem *problem;
    spn_energy *energy;
    spn_schedule *beta;
    spn_error err = {0};
    double fastest[2] = {0}, sums[2];
    if (spn_problem_random_lattice(&problem, 8, 8, 1, &err) ||
        spn_energy_create(&energy, "ising", problem, &err) ||
        spn_schedule_exponential(&beta, 0.1, 3, &err))
        die(&err);
    for (int repeat = 0; repeat < repeats; repeat++)
        for (int kind = 0; kind < 2; kind++) {
            const double started = processor_seconds();
            sums[kind] = 0;
            for (unsigned k = 1; k <= calls; k++)
                sums[kind] +=
                    kind ? call_once(problem, steps, k) : chain_once(energy, beta, steps, k);
            const double each = 1e6 * (processor_seconds() - started) / calls;
            fastest[kind] = repeat && fastest[kind] < each ? fastest[kind] : each;
        }
    printf("{\"about\": \"+-J torus 8x8, 3 replicas, %s steps, %u calls\",\n"
           " \"chain_us\": %.2f, \"call_us\": %.2f, \"beyond_us\": %.2f, \"mean_best\": [%.6f, "
           "%.6f]}\n",
           steps, calls, fastest[0], fastest[1], fastest[1] - fastest[0], sums[0] / calls,
           sums[1] / calls);
    spn_schedule_free(beta);
    spn_energy_free(energy);
    spn_problem_free(problem);
    return 0;
}
