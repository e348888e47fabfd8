/* Simulated tempering: see simulated.h. */
#include "core/simulated.h"

#include "base/memory.h"
#include "core/moves.h"
#include "core/numeric.h"
#include <assert.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <string.h>

spn_status spn_simulated_init(spn_simulated *out, size_t rungs, const double *beta,
                              const double *gamma, const double *log_z, spn_error *err)
{
    assert(rungs >= 1);
    *out = (spn_simulated){.rungs = rungs,
                           .beta = beta,
                           .gamma = gamma,
                           .weight = spn_alloc(rungs, sizeof *out->weight),
                           .visits = spn_alloc(rungs, sizeof *out->visits),
                           .tries = spn_alloc(rungs, sizeof *out->tries),
                           .moves = spn_alloc(rungs, sizeof *out->moves),
                           .shares = spn_alloc(rungs * SPN_SIMULATED_BATCHES, sizeof *out->shares),
                           .logs = spn_alloc(rungs, sizeof *out->logs)};
    if (!out->weight || !out->visits || !out->tries || !out->moves || !out->shares || !out->logs) {
        spn_simulated_clear(out);
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu rungs", rungs);
    }
    for (size_t k = 0; k < rungs; k++) {
        assert(isfinite(log_z[k]));
        out->weight[k] = log_z[0] - log_z[k];
    }
    return SPN_OK;
}

void spn_simulated_clear(spn_simulated *simulated)
{
    free(simulated->weight);
    free(simulated->visits);
    free(simulated->tries);
    free(simulated->moves);
    free(simulated->shares);
    free(simulated->logs);
    *simulated = (spn_simulated){0};
}

static bool gamma_differs(const spn_simulated *s)
{
    for (size_t k = 1; k < s->rungs; k++)
        if (s->gamma[k] != s->gamma[0])
            return true;
    return false;
}

/* log p(sigma, k) for every rung, up to a common constant. */
static void weigh(const spn_simulated *s, const spn_chain *chain, double *out)
{
    const double energy = spn_chain_total_energy(chain);
    const bool differs = gamma_differs(s);
    spn_coupling_counts counts;
    if (differs)
        spn_chain_coupling_counts(&counts, chain);
    for (size_t k = 0; k < s->rungs; k++) {
        const double coupling = differs ? spn_coupling_counts_value(&counts, s->gamma[k]) : 0;
        out[k] = s->weight[k] - s->beta[k] * energy + coupling;
    }
}

/* Add the chances of all rungs given the state to a row of shares. */
static void count_shares(const spn_simulated *s, const double *logs, double *shares)
{
    double most = logs[0], sum = 0;
    for (size_t k = 1; k < s->rungs; k++)
        most = logs[k] > most ? logs[k] : most;
    for (size_t k = 0; k < s->rungs; k++)
        sum += spn_exp(fmax(logs[k] - most, -700));
    for (size_t k = 0; k < s->rungs; k++)
        shares[k] += spn_exp(fmax(logs[k] - most, -700)) / sum;
}

/* The chance of a neighbour to be accepted, against a random number. */
static size_t next_rung(spn_simulated *s, const double *logs, size_t rung, spn_random *random)
{
    const bool colder = spn_random_u32(random) & 1u;
    if (colder ? rung + 1 == s->rungs : rung == 0)
        return rung;
    const size_t to = colder ? rung + 1 : rung - 1, pair = colder ? rung : rung - 1;
    s->tries[pair]++;
    if (!(spn_log(spn_random_uniform(random)) <= logs[to] - logs[rung]))
        return rung;
    s->moves[pair]++;
    return to;
}

size_t spn_simulated_move(spn_simulated *simulated, const spn_chain *chain, size_t rung,
                          uint64_t scan, size_t batch)
{
    double *logs = simulated->logs;
    assert(rung < simulated->rungs && batch < SPN_SIMULATED_BATCHES);
    spn_random random = spn_random_make(chain->options.seed, chain->options.run, SPN_MOVES_RUNGS,
                                        SPN_PURPOSE_MOVES);
    random.index = scan; /* one block of numbers for each */
    weigh(simulated, chain, logs);
    simulated->visits[rung]++;
    count_shares(simulated, logs, simulated->shares + batch * simulated->rungs);
    return next_rung(simulated, logs, rung, &random);
}

/* log(sum of rung k / sum of rung 0) over all batches but one. */
static double log_share(const spn_simulated *s, size_t k, size_t left_out)
{
    double here = 0, first = 0;
    for (size_t b = 0; b < SPN_SIMULATED_BATCHES; b++) {
        here += b == left_out ? 0 : s->shares[b * s->rungs + k];
        first += b == left_out ? 0 : s->shares[b * s->rungs];
    }
    return log(here / first);
}

static size_t batches_counted(const spn_simulated *s, size_t *which)
{
    size_t count = 0;
    for (size_t b = 0; b < SPN_SIMULATED_BATCHES; b++) {
        double sum = 0;
        for (size_t k = 0; k < s->rungs; k++)
            sum += s->shares[b * s->rungs + k];
        if (sum > 0)
            which[count++] = b;
    }
    return count;
}

static double jackknife(const spn_simulated *s, size_t k, const size_t *batches, size_t count)
{
    double mean = 0, squares = 0;
    if (count < 2)
        return NAN;
    for (size_t j = 0; j < count; j++)
        mean += log_share(s, k, batches[j]) / (double)count;
    for (size_t j = 0; j < count; j++) {
        const double off = log_share(s, k, batches[j]) - mean;
        squares += off * off;
    }
    return sqrt(squares * (double)(count - 1) / (double)count);
}

void spn_simulated_log_z(double *out, double *error, const spn_simulated *simulated)
{
    size_t batches[SPN_SIMULATED_BATCHES];
    const size_t count = batches_counted(simulated, batches);
    for (size_t k = 0; k < simulated->rungs; k++) {
        /* weight[0] is 0 */
        out[k] = log_share(simulated, k, SIZE_MAX) - simulated->weight[k];
        if (error)
            error[k] = jackknife(simulated, k, batches, count);
    }
}
