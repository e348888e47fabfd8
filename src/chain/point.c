/* A chain at a point (beta, gamma). */
#include "chain/point.h"

#include "chain/waiting.h"

#include "base/clock.h"
#include "base/try.h"
#include "chain/chain.h"
#include "core/pause.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void spn_chain_options_at_point(spn_chain_options *o)
{
    o->steps = INT64_MAX;
    o->beta = o->gamma = NULL;
    o->threads = 1;
    o->patience = 0;
    o->seconds = 0;
    o->parts = NULL;
    o->part_count = 0;
    o->stretch = 0;
    o->stop_frozen = 0;
}

void spn_chain_become(spn_chain *chain, uint32_t run, uint64_t step, uint64_t redraws)
{
    assert(!chain->waiting);
    chain->options.run = run;
    chain->base.step = chain->improved_step = step;
    chain->redraws = redraws;
    chain->first_hit = SPN_NO_HIT;
    chain->first_hit_seconds = 0;
    for (size_t a = 0; a < chain->replicas; a++)
        chain->best.energy[a] = INFINITY;
}

double spn_chain_log_z_at_zero(const spn_chain_options *o, size_t sites, double gamma)
{
    const double log_2 = 0.693147180559945309417;
    const double of_centre = o->coupling == SPN_COUPLING_CENTRE ? (double)sites * log_2 : 0;
    return (double)o->replicas * (double)sites * (spn_log_cosh(gamma) + log_2) + of_centre;
}

void spn_chain_set_point(spn_chain *chain, double beta, double gamma)
{
    assert(isfinite(beta) && beta >= 0 && isfinite(gamma) && gamma >= 0);
    assert(chain->beta_schedule->kind == SPN_SCHEDULE_CONSTANT);
    assert(chain->gamma_schedule->kind == SPN_SCHEDULE_CONSTANT);
    if (beta != chain->beta || gamma != chain->gamma) /* after a load they are the same */
        spn_waiting_forget(chain);
    chain->beta_schedule->start = chain->beta_schedule->end = chain->beta = beta;
    chain->gamma_schedule->start = chain->gamma_schedule->end = chain->gamma = gamma;
}

spn_status spn_chain_walk(spn_chain *chain, uint64_t steps, spn_error *err)
{
    assert(steps <= INT64_MAX - chain->base.step);
    const uint64_t end = chain->base.step + steps;
    chain->base.now = chain->base.clock();
    while (chain->base.step < end && chain->at_target < chain->target_count &&
           !spn_stop_asked(chain->base.stop)) {
        SPN_TRY(spn_sampler_advance(&chain->base, end - chain->base.step, err));
        spn_pause_now(); /* callers stop the run by its stop flag */
    }
    assert(spn_chain_is_consistent(chain));
    return SPN_OK;
}

/* Random streams besides those of the replicas. */
enum { COMMON_LANE = SPN_MAX_REPLICAS, PLACED_LANE };

/* After attaching new states: update the best states and the first hit. */
static void note_states(spn_chain *chain)
{
    for (size_t a = 0; a < chain->replicas; a++) {
        if (!(chain->energies[a] < chain->best.energy[a]))
            continue;
        chain->best.energy[a] = chain->energies[a];
        spn_best_replay(&chain->best, a, spn_chain_spins(chain, a));
        chain->improved_step = chain->base.step;
    }
    if (chain->at_target > 0 && chain->first_hit == SPN_NO_HIT)
        chain->first_hit = chain->base.step;
}

static spn_status attach_states(spn_chain *chain, spn_error *err)
{
    const spn_status status = spn_chain_attach(chain, err);
    if (status)
        return status;
    note_states(chain);
    assert(spn_chain_is_consistent(chain));
    return SPN_OK;
}

spn_status spn_chain_place(spn_chain *chain, const int8_t *spins, spn_error *err)
{
    if (spins != chain->spins)
        memcpy(chain->spins, spins, chain->replicas * chain->sites);
    if (chain->options.coupling == SPN_COUPLING_CENTRE) {
        const spn_chain_options *o = &chain->options;
        spn_centre_draw_from(chain,
                             spn_stream_make(o->seed, o->run, PLACED_LANE, SPN_PURPOSE_REDRAW),
                             chain->redraws++);
    }
    return attach_states(chain, err);
}

/* The random numbers of one redraw: one word per spin. */
static spn_random redraw_numbers(const spn_chain *chain, uint32_t lane)
{
    const spn_chain_options *o = &chain->options;
    spn_random random = spn_random_make(o->seed, o->run, lane, SPN_PURPOSE_REDRAW);
    random.index = chain->redraws * (chain->sites / 4 + 1);
    return random;
}

/* Spins that equal `towards` with probability p >= 1/2, exact to 2^-32. */
static void draw_towards(spn_random *random, int8_t *spins, const int8_t *towards, size_t sites,
                         double p)
{
    const double away = ldexp(1 - p, 32);
    for (size_t i = 0; i < sites; i++)
        spins[i] = (int8_t)(spn_random_u32(random) < away ? -towards[i] : towards[i]);
}

spn_status spn_chain_redraw(spn_chain *chain, double gamma, spn_error *err)
{
    assert(isfinite(gamma) && gamma >= 0);
    assert(chain->centre || chain->options.coupling == SPN_COUPLING_REPLICAS);
    const double p = 1 / (1 + exp(-2 * gamma));
    int8_t *own = chain->centre ? NULL : malloc(chain->sites);
    int8_t *common = chain->centre ? chain->centre : own;
    SPN_NEED(common, err, "a state of %zu spins", chain->sites);
    if (chain->options.coupling != SPN_COUPLING_GIVEN) {
        spn_random fair = redraw_numbers(chain, COMMON_LANE);
        spn_random_spins(&fair, common, chain->sites);
    }
    for (size_t a = 0; a < chain->replicas; a++) {
        spn_random random = redraw_numbers(chain, (uint32_t)a);
        draw_towards(&random, spn_chain_spins(chain, a), common, chain->sites, p);
    }
    free(own);
    chain->redraws++;
    return attach_states(chain, err);
}

double spn_chain_total_energy(const spn_chain *chain)
{
    double sum = 0;
    for (size_t a = 0; a < chain->replicas; a++)
        sum += chain->energies[a];
    return sum;
}

/* sum_i c_i s_i: twice the number of spins that agree with the centre, less all of them. */
static int64_t towards_centre(const spn_chain *chain)
{
    uint64_t agree = 0;
    for (size_t a = 0; a < chain->replicas; a++) {
        const int8_t *spins = spn_chain_spins(chain, a);
        for (size_t i = 0; i < chain->sites; i++)
            agree += spins[i] == chain->centre[i];
    }
    return 2 * (int64_t)agree - (int64_t)(chain->replicas * chain->sites);
}

/* The number of sites with |s_i| = s, in a loop that compilers vectorise. */
static uint32_t count_equal(const int16_t *sums, size_t sites, int s)
{
    uint32_t count = 0;
    for (size_t i = 0; i < sites; i++)
        count += (sums[i] == s) | (sums[i] == -s);
    return count;
}

/* The number of sites with each |s_i|. For few replicas: a pass for each value except the last. */
static void count_few_sums(uint32_t *out, const spn_chain *chain)
{
    uint32_t left = (uint32_t)chain->sites;
    memset(out, 0, (chain->replicas + 1) * sizeof *out);
    size_t s = chain->replicas;
    for (; s >= 2; s -= 2) {
        out[s] = count_equal(chain->sums, chain->sites, (int)s);
        left -= out[s];
    }
    out[s] = left;
}

/* For many replicas: site by site. */
static void count_sums(uint32_t *out, const spn_chain *chain)
{
    enum { TABLES = 4 }; /* neighbours use different tables, so no increment waits for another */
    uint32_t counts[TABLES][SPN_MAX_REPLICAS + 1];
    const size_t y = chain->replicas;
    for (size_t t = 0; t < TABLES; t++)
        memset(counts[t], 0, (y + 1) * sizeof *counts[t]);
    for (size_t i = 0; i < chain->sites; i++)
        counts[i % TABLES][abs(chain->sums[i])]++;
    for (size_t s = 0; s <= y; s++)
        out[s] = counts[0][s] + counts[1][s] + counts[2][s] + counts[3][s];
}

void spn_chain_coupling_counts(spn_coupling_counts *out, const spn_chain *chain)
{
    enum { FEW_REPLICAS = 16 };
    out->sites = chain->sites;
    out->replicas = chain->replicas;
    out->has_centre = chain->centre != NULL;
    out->towards = 0;
    if (chain->centre) {
        out->towards = towards_centre(chain);
    } else if (chain->replicas == 1) {
        out->sums[0] = 0;
        out->sums[1] = (uint32_t)chain->sites;
    } else {
        (chain->replicas <= FEW_REPLICAS ? count_few_sums : count_sums)(out->sums, chain);
    }
}

double spn_coupling_counts_value(const spn_coupling_counts *counts, double gamma)
{
    if (counts->has_centre)
        return gamma * (double)counts->towards;
    double sum = 0;
    for (size_t s = counts->replicas % 2; s <= counts->replicas; s += 2)
        sum += counts->sums[s] * spn_log_cosh(gamma * (double)s);
    return sum;
}

double spn_coupling_counts_overlap(const spn_coupling_counts *counts)
{
    const double y = (double)counts->replicas, sites = (double)counts->sites;
    if (counts->has_centre)
        return (double)counts->towards / (y * sites);
    if (counts->replicas < 2)
        return 1;
    double squares = 0;
    for (size_t s = 1; s <= counts->replicas; s++)
        squares += (double)(counts->sums[s] * (uint64_t)(s * s));
    return (squares - y * sites) / (y * (y - 1) * sites);
}
