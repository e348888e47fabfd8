/* The centre that replicas are coupled to in place of each other: a chain on {-1,+1}^(N(y+1)) with
   the law

   Q(sigma, c)  ~  exp(-beta sum_a E(sigma^a)) prod_i exp(gamma c_i s_i).

   Its marginal on the replicas is that of H_gamma = sum_i log cosh(gamma s_i). Given the centre,
   the replicas are independent, each in a field gamma c; given the replicas, the spins of the
   centre are independent coins. The inner loop flips replicas in the field; this file draws the
   centre. */
#include "base/text.h"
#include "chain/chain.h"

#include "chain/waiting.h"

#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <string.h>

const spn_names spn_coupling_kind_names =
    SPN_NAME_LIST("coupling", [SPN_COUPLING_REPLICAS] = "replicas",
                  [SPN_COUPLING_CENTRE] = "centre", [SPN_COUPLING_GIVEN] = "given");

static spn_status take_given(spn_chain *chain, spn_error *err)
{
    const int8_t *given = chain->options.centre;
    for (size_t i = 0; i < chain->sites; i++)
        SPN_REFUSE_IF(!spn_is_spin(given[i]), err,
                      "the given centre has %d at site %zu; spins are -1 or +1", given[i], i);
    memcpy(chain->centre, given, chain->sites);
    return SPN_OK;
}

spn_status spn_centre_begin(spn_chain *chain, spn_error *err)
{
    spn_chain_options *o = &chain->options;
    spn_status status = SPN_OK;
    if (o->coupling == SPN_COUPLING_REPLICAS)
        return SPN_OK;
    if (!(chain->centre = spn_alloc(chain->sites, 1)))
        return spn_no_memory(err, "the centre of %zu spins", chain->sites);
    if (o->centre_every == 0)
        o->centre_every = chain->sites;
    if (o->coupling == SPN_COUPLING_GIVEN)
        status = take_given(chain, err);
    else
        spn_centre_draw(chain);
    o->centre = NULL; /* it is the caller's */
    return status;
}

uint64_t spn_centre_left(const spn_chain *chain)
{
    const spn_chain_options *o = &chain->options;
    if (o->coupling != SPN_COUPLING_CENTRE)
        return UINT64_MAX;
    return o->centre_every - chain->base.step % o->centre_every;
}

bool spn_centre_is_due(const spn_chain *chain)
{
    const spn_chain_options *o = &chain->options;
    return o->coupling == SPN_COUPLING_CENTRE && chain->base.step % o->centre_every == 0;
}

void spn_centre_sums(const spn_chain *chain)
{
    int16_t *sums = chain->sums;
    memset(sums, 0, chain->sites * sizeof *sums);
    for (size_t a = 0; a < chain->replicas; a++) {
        const int8_t *spins = spn_chain_spins(chain, a);
        for (size_t i = 0; i < chain->sites; i++)
            sums[i] = (int16_t)(sums[i] + spins[i]);
    }
}

void spn_centre_draw(spn_chain *chain)
{
    const spn_chain_options *o = &chain->options;
    assert(chain->base.step % o->centre_every == 0);
    spn_centre_draw_from(chain, spn_stream_make(o->seed, o->run, 0, SPN_PURPOSE_CENTRE),
                         chain->base.step / o->centre_every);
}

/* The -log u that makes a spin +1, for each sum s, at s + y: minus the log of its probability 1 /
   (1 + e^(-2 gamma s)). */
static void fill_costs(double *costs, double gamma, size_t replicas)
{
    const int y = (int)replicas;
    for (int s = -y; s <= y; s++) {
        const double x = 2 * gamma * s; /* log(1 + e^-x), without overflow and exact near 0 */
        costs[s + y] = fmax(-x, 0) + log1p(exp(-fabs(x)));
    }
}

/* Uses the block's thresholds, which are free between two blocks. */
void spn_centre_draw_from(spn_chain *chain, spn_stream stream, uint64_t number)
{
    enum { ALIGNMENT = 64 }; /* of a draw's first number, for whole vectors */
    const uint64_t numbers = ((uint64_t)chain->sites + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    const size_t most = chain->block.capacity * chain->streams / ALIGNMENT * ALIGNMENT;
    double costs[2 * SPN_MAX_REPLICAS + 1], *threshold = chain->block.threshold;
    const double *cost = costs + chain->replicas;
    assert(chain->options.coupling == SPN_COUPLING_CENTRE && most > 0);
    spn_centre_sums(chain);
    fill_costs(costs, chain->gamma, chain->replicas);
    spn_draw_request request = {
        .stream = stream, .sites = 1, .replicas = 1, .threshold = SPN_THRESHOLD_METROPOLIS};
    for (size_t start = 0; start < chain->sites; start += request.count) {
        const size_t left = chain->sites - start;
        request.first = number * numbers + start;
        request.count = left < most ? left : most;
        chain->draw(&request, NULL, chain->block.replica, threshold);
        for (size_t i = 0; i < request.count; i++)
            chain->centre[start + i] =
                (int8_t)(2 * (cost[chain->sums[start + i]] <= threshold[i]) - 1);
    }
    spn_waiting_forget(chain); /* the overlaps have changed */
}
