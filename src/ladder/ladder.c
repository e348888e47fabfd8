/* Ladders: creation, scans, rounds, stops. */
#include "ladder/ladder.h"

#include "base/memory.h"
#include "base/text.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const spn_names spn_ladder_method_names =
    SPN_NAME_LIST("method", [SPN_LADDER_SWAP] = "swap", [SPN_LADDER_SIMULATED] = "simulated",
                  [SPN_LADDER_EQUI_ENERGY] = "equi-energy");

/* ---- options ---- */

static bool is_point(double beta, double gamma)
{
    return isfinite(beta) && beta >= 0 && isfinite(gamma) && gamma >= 0;
}

static spn_status check_fractions(const spn_ladder_options *o, spn_error *err)
{
    if (!o->fractions)
        return SPN_OK;
    const size_t count = o->rungs;
    SPN_REFUSE_IF(count < 2, err, "given fractions need the number of rungs");
    for (size_t k = 0; k < count; k++)
        SPN_REFUSE_IF(!(k == 0 ? o->fractions[0] == 0 : o->fractions[k] > o->fractions[k - 1]), err,
                      "fractions: they start at 0 and rise, but number %zu is %g", k,
                      o->fractions[k]);
    SPN_REFUSE_IF(o->fractions[count - 1] != 1, err, "fractions: the last is 1, not %g",
                  o->fractions[count - 1]);
    return SPN_OK;
}

static spn_status check_options(const spn_ladder_options *o, const spn_chain_options *chain,
                                spn_error *err)
{
    const uint32_t most_rounds = 32;
    SPN_REFUSE_IF(!o->path && (!is_point(o->beta_first, o->gamma_first) ||
                               !is_point(o->beta_last, o->gamma_last)),
                  err, "a rung at beta %g, gamma %g: both are finite and not negative",
                  is_point(o->beta_first, o->gamma_first) ? o->beta_last : o->beta_first,
                  is_point(o->beta_first, o->gamma_first) ? o->gamma_last : o->gamma_first);
    SPN_REFUSE_IF(o->rungs == 1 || o->rungs > SPN_LADDER_MOST_RUNGS, err,
                  "rungs: %zu is not 2 to %d", o->rungs, SPN_LADDER_MOST_RUNGS);
    SPN_REFUSE_IF(o->scans < 1 || o->scans > INT64_MAX / 4, err, "scans: there must be 1 to 2^61");
    SPN_REFUSE_IF(o->rounds > most_rounds, err, "rounds: %u is more than %u", o->rounds,
                  most_rounds);
    SPN_REFUSE_IF(o->scan_steps > INT64_MAX / 4 / o->scans, err,
                  "scan_steps times scans: more than 2^61");
    SPN_REFUSE_IF(o->threads < 1 || o->threads > 4096, err, "threads: %u is not 1 to 4096",
                  o->threads);
    SPN_TRY(check_fractions(o, err));
    SPN_REFUSE_IF(!spn_ladder_method_name(o->method), err, "there is no method number %d",
                  (int)o->method);
    SPN_REFUSE_IF(o->method == SPN_LADDER_SIMULATED && o->rounds == 1, err,
                  "rounds: simulated tempering takes its weights from the round "
                  "before the last; give 2 rounds or more");
    SPN_REFUSE_IF(chain->proposed, err,
                  "the chains of a ladder propose all sites, not those of a list: at "
                  "beta = 0 all spins are drawn");
    SPN_REFUSE_IF(o->clusters && chain->replicas < 2, err,
                  "clusters: they are exchanged by two replicas; there is one");
    return SPN_OK;
}

/* A scan of about N steps whose numbers are drawn by whole vectors: several per cent faster. */
enum { WHOLE_DRAWS = 64 };

static uint64_t scan_of(size_t sites)
{
    return ((uint64_t)sites + WHOLE_DRAWS - 1) / WHOLE_DRAWS * WHOLE_DRAWS;
}

/* Rounds of which the first has 16 scans or more. */
static uint32_t chosen_rounds(uint64_t scans)
{
    enum { FEWEST_SCANS = 16, MOST_ROUNDS = 10 };
    uint32_t rounds = 1;
    while (rounds < MOST_ROUNDS && scans >> rounds >= FEWEST_SCANS)
        rounds++;
    return rounds;
}

uint64_t spn_ladder_round_length(const spn_ladder *ladder, uint32_t round)
{
    assert(round < ladder->options.rounds);
    if (round + 1 == ladder->options.rounds)
        return ladder->last_scans;
    const uint64_t length = ladder->options.scans >> (ladder->options.rounds - 1 - round);
    return length > 0 ? length : 1;
}

uint64_t spn_ladder_count_scans(const spn_ladder *ladder)
{
    uint64_t scans = 0;
    for (uint32_t r = 0; r < ladder->options.rounds; r++)
        scans += spn_ladder_round_length(ladder, r);
    return scans;
}

/* ---- creation ---- */

/* Fractions before any is known to be better: the barrier is mostly near beta = 0. */
static void first_fractions(spn_ladder *ladder)
{
    const spn_ladder_options *o = &ladder->options;
    const size_t last = ladder->rungs - 1;
    const bool from_zero = !o->path && o->beta_first == 0 && o->beta_last > 0;
    for (size_t k = 0; k <= last; k++) {
        const double equal = (double)k / (double)last;
        ladder->fraction[k] = o->fractions ? o->fractions[k] : from_zero ? equal * equal : equal;
    }
    ladder->keeps_fractions = o->fractions && !o->adapt;
    ladder->options.fractions = NULL;
}

static void destroy(spn_sampler *sampler)
{
    spn_ladder *ladder = spn_ladder_of(sampler);
    spn_team_free(ladder->team);
    spn_clusters_free(ladder->clusters);
    spn_ladder_free_stores(ladder);
    for (size_t w = 0; w < ladder->walkers; w++)
        spn_sampler_free(&ladder->walker[w].chain->base);
    SPN_FREE_ALL(ladder->walker, ladder->tallies, ladder->counts, ladder->best, ladder->centre,
                 ladder->kept_states, ladder->kept_energies, ladder->kept_spins, ladder);
}

static spn_ladder *ladder_shell(const spn_energy *energy, const spn_ladder_options *options,
                                const spn_chain_options *chain)
{
    enum { FIRST_RUNGS = 8 };
    spn_ladder *ladder = spn_alloc(1, sizeof *ladder);
    if (!ladder)
        return NULL;
    spn_sampler_init(&ladder->base, &spn_ladder_type);
    ladder->energy = energy;
    ladder->options = *options;
    ladder->chain = *chain;
    ladder->chain.centre = NULL;
    ladder->options.chain = NULL;
    spn_ladder_options *o = &ladder->options;
    ladder->base.endless = o->fills != 0;
    ladder->adds_rounds = o->fills && o->rounds == 0;
    if (o->rounds == 0)
        o->rounds = chosen_rounds(o->scans);
    if (o->method == SPN_LADDER_SIMULATED && o->rounds == 1)
        o->rounds = 2;
    if (o->scan_steps == 0)
        o->scan_steps = scan_of(energy->sites);
    ladder->last_scans = ladder->asked_scans = o->scans;
    ladder->total_scans = spn_ladder_count_scans(ladder);
    ladder->save_scans = 1;
    if (spn_energy_resolve(energy).refresh)
        ladder->save_scans = (SPN_SAVE_STEPS + o->scan_steps - 1) / o->scan_steps;
    ladder->proposals_per_step = spn_order_proposals(chain->order, chain->replicas);
    ladder->rungs = o->rungs ? o->rungs : FIRST_RUNGS;
    first_fractions(ladder);
    ladder->walker = spn_alloc(SPN_LADDER_MOST_RUNGS, sizeof *ladder->walker);
    ladder->tallies =
        spn_alloc((size_t)SPN_LADDER_MOST_RUNGS * SPN_LADDER_BLOCKS, sizeof *ladder->tallies);
    ladder->counts = spn_alloc(2 * chain->replicas, sizeof *ladder->counts);
    ladder->best = spn_alloc(chain->replicas, sizeof *ladder->best);
    if (ladder->walker && ladder->tallies && ladder->counts && ladder->best)
        return ladder;
    destroy(&ladder->base);
    return NULL;
}

spn_status spn_ladder_add_walker(spn_ladder *ladder, spn_error *err)
{
    assert(ladder->walkers < SPN_LADDER_MOST_RUNGS);
    spn_walker *w = &ladder->walker[ladder->walkers];
    spn_chain_options o = ladder->chain;
    o.run += (uint32_t)ladder->walkers;
    *w = (spn_walker){.s = {.rung = UINT64_MAX, .hit = SPN_NO_HIT}};
    spn_sampler *chain;
    SPN_TRY(spn_chain_create(&chain, ladder->energy, &o, err));
    w->chain = spn_chain_of(chain);
    if (w->chain->first_hit != SPN_NO_HIT) {
        w->s.hit = ladder->scan * ladder->options.scan_steps;
        w->s.hit_proposals = ladder->proposals;
        w->s.hit_seconds = spn_sampler_seconds(&ladder->base);
    }
    ladder->walkers++;
    return SPN_OK;
}

void spn_ladder_assign(spn_ladder *ladder, size_t w, size_t k)
{
    assert(w < ladder->walkers && k < ladder->rungs);
    ladder->walker[w].s.rung = k;
    ladder->walker_at[k] = w;
    spn_chain_set_point(ladder->walker[w].chain, ladder->beta[k], ladder->gamma[k]);
}

static void point_at(const spn_ladder *ladder, double u, double *beta, double *gamma)
{
    const spn_ladder_options *o = &ladder->options;
    if (o->path) {
        o->path(o->path_context, u, beta, gamma);
    } else { /* exact at both ends */
        *beta = o->beta_first * (1 - u) + o->beta_last * u;
        *gamma = o->gamma_first * (1 - u) + o->gamma_last * u;
        if (o->gamma_first == o->gamma_last)
            *gamma = o->gamma_last;
        if (o->beta_first == o->beta_last)
            *beta = o->beta_last;
    }
}

spn_status spn_ladder_set_points(spn_ladder *ladder, spn_error *err)
{
    for (size_t k = 0; k < ladder->rungs; k++) {
        point_at(ladder, ladder->fraction[k], &ladder->beta[k], &ladder->gamma[k]);
        SPN_REFUSE_IF(
            !is_point(ladder->beta[k], ladder->gamma[k]), err,
            "the path has beta %g and gamma %g at u = %g; both are finite and not negative",
            ladder->beta[k], ladder->gamma[k], ladder->fraction[k]);
        if (ladder->walker_at[k] < ladder->walkers && !spn_ladder_simulates(ladder))
            spn_ladder_assign(ladder, ladder->walker_at[k], k);
    }
    for (size_t w = 0; w < ladder->walkers && spn_ladder_simulates(ladder); w++) {
        const uint64_t k = ladder->walker[w].s.rung;
        if (k < ladder->rungs)
            spn_chain_set_point(ladder->walker[w].chain, ladder->beta[k], ladder->gamma[k]);
    }
    return SPN_OK;
}

/* Walkers may be made long after the caller's centre is gone. */
static spn_status copy_centre(spn_ladder *ladder, const int8_t *given, spn_error *err)
{
    const size_t sites = ladder->energy->sites;
    if (ladder->chain.coupling != SPN_COUPLING_GIVEN || !given)
        return SPN_OK;
    SPN_NEED(ladder->centre = spn_alloc(sites, 1), err, "the centre of %zu spins", sites);
    memcpy(ladder->centre, given, sites);
    ladder->chain.centre = ladder->centre;
    return SPN_OK;
}

static spn_status begin(spn_ladder *ladder, const int8_t *centre, spn_error *err)
{
    for (size_t k = 0; k < ladder->rungs; k++)
        ladder->walker_at[k] = SIZE_MAX;
    SPN_TRY(copy_centre(ladder, centre, err));
    SPN_TRY(spn_ladder_set_points(ladder, err));
    for (size_t k = 0; k < ladder->rungs; k++) {
        SPN_TRY(spn_ladder_add_walker(ladder, err));
        spn_ladder_assign(ladder, k, k);
    }
    /* walkers that come later are given a state of another */
    ladder->chain.given = NULL;
    ladder->chain.start = SPN_START_INDEPENDENT;
    spn_ladder_clear_tallies(ladder);
    if (ladder->options.clusters)
        SPN_TRY(spn_clusters_create(&ladder->clusters, ladder->energy, err));
    return spn_ladder_begin_stores(ladder, err);
}

static spn_status take_options(spn_ladder_options *own, spn_chain_options *chain,
                               const spn_energy *energy, const spn_ladder_options *given,
                               spn_error *err)
{
    *own = spn_ladder_defaults();
    *chain = spn_chain_defaults();
    SPN_TRY(spn_sized_take(own, sizeof *own, given, "spn_ladder_defaults", err));
    SPN_TRY(spn_sized_take(chain, sizeof *chain, own->chain, "spn_chain_defaults", err));
    SPN_TRY(check_options(own, chain, err));
    SPN_REFUSE_IF(energy->sites + WHOLE_DRAWS > INT64_MAX / 4 / own->scans, err,
                  "scans times spins: more than 2^61");
    SPN_REFUSE_IF(chain->run > UINT32_MAX - SPN_LADDER_MOST_RUNGS, err,
                  "run: the largest of a ladder is 2^32 - %d", SPN_LADDER_MOST_RUNGS + 1);
    spn_chain_options_at_point(chain);
    return SPN_OK;
}

spn_status spn_ladder_create(spn_sampler **out, const spn_energy *energy,
                             const spn_ladder_options *options, spn_error *err)
{
    spn_ladder_options own;
    spn_chain_options chain;
    *out = NULL;
    spn_status status = take_options(&own, &chain, energy, options, err);
    if (status)
        return status;
    spn_ladder *ladder = ladder_shell(energy, &own, &chain);
    status = ladder ? begin(ladder, chain.centre, err) : spn_no_memory(err, "a ladder");
    if (!status)
        *out = &ladder->base;
    else if (ladder)
        destroy(&ladder->base);
    return status;
}

/* ---- runs ---- */

bool spn_ladder_is_at_target(const spn_ladder *ladder)
{
    for (size_t w = 0; w < ladder->walkers; w++)
        if (ladder->walker[w].chain->at_target >= ladder->walker[w].chain->target_count)
            return true;
    return false;
}

static spn_stop ended(const spn_sampler *sampler)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    if (spn_ladder_is_at_target(ladder))
        return SPN_STOP_TARGET;
    return ladder->scan >= ladder->total_scans ? SPN_STOP_STEPS : SPN_STOP_NONE;
}

static spn_status exchange(spn_ladder *ladder, spn_error *err)
{
    if (ladder->options.method == SPN_LADDER_EQUI_ENERGY)
        return spn_ladder_exchange_equi_energy(ladder, err);
    if (spn_ladder_simulates(ladder))
        spn_ladder_exchange_simulated(ladder);
    else
        spn_ladder_exchange_swap(ladder);
    return SPN_OK;
}

/* A round is over. More rounds, while the next one and a last one as long fit into the time; a
   round takes about as long as all before it. The last grows. */
static void use_time(spn_ladder *ladder)
{
    enum { MOST_ROUNDS = 32 };
    const uint64_t most = INT64_MAX / 16 / ladder->options.scan_steps;
    spn_ladder_options *o = &ladder->options;
    const double now = ladder->base.clock();
    if (!o->fills || ladder->total_scans > most)
        return;
    if (spn_ladder_is_last_round(ladder)) {
        ladder->last_scans = spn_ladder_join_blocks(ladder, ladder->last_scans);
    } else if (ladder->adds_rounds && ladder->round + 2 == o->rounds && o->rounds < MOST_ROUNDS &&
               3 * (now - ladder->base.began) <= ladder->base.deadline - ladder->base.began) {
        o->rounds++;
        ladder->last_scans = o->scans *= 2;
    }
    ladder->total_scans = spn_ladder_count_scans(ladder);
}

/* The scan is whole: what it showed, then the exchange, then a new round where this one is over. */
static spn_status end_scan(spn_ladder *ladder, spn_error *err)
{
    assert(ladder->scan < ladder->total_scans);
    SPN_TRY(spn_ladder_add_scan(ladder, err));
    SPN_TRY(exchange(ladder, err));
    spn_ladder_note_trips(ladder);
    ladder->proposals += ladder->rungs * ladder->options.scan_steps * ladder->proposals_per_step;
    ladder->scan++;
    ladder->base.step += ladder->options.scan_steps;
    ladder->round_scan++;
    if (ladder->round_scan < spn_ladder_round_length(ladder, ladder->round))
        return SPN_OK;
    use_time(ladder);
    if (spn_ladder_is_last_round(ladder))
        return SPN_OK;
    /* A new round: rungs move by what this one showed, unless their log Z are needed in place. */
    const bool weigh = ladder->options.method == SPN_LADDER_SIMULATED &&
                       ladder->round + 2 == ladder->options.rounds;
    assert(!spn_ladder_is_last_round(ladder));
    SPN_TRY(weigh ? spn_ladder_begin_simulated(ladder, err) : spn_ladder_adapt(ladder, err));
    ladder->round++;
    ladder->round_scan = 0;
    spn_ladder_clear_tallies(ladder);
    return spn_ladder_begin_stores(ladder, err);
}

/* A scan, or what is left of one; less if the run must end. */
static spn_status advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    spn_ladder *ladder = spn_ladder_of(sampler);
    assert(sampler->step == ladder->scan * ladder->options.scan_steps);
    assert(ladder->rungs >= 2 && ladder->rungs <= ladder->walkers);
    (void)most;
    SPN_TRY(spn_ladder_walk(ladder, err));
    return ladder->in_scan ? SPN_OK : end_scan(ladder, err);
}

static bool can_save(const spn_sampler *sampler)
{
    const spn_ladder *ladder = spn_ladder_of(sampler);
    for (size_t w = 0; w < ladder->walkers; w++)
        if (!spn_sampler_can_save(&ladder->walker[w].chain->base))
            return false;
    return true;
}

static spn_status check(const spn_sampler *sampler, spn_error *err)
{
    const spn_ladder *ladder = (const spn_ladder *)sampler;
    for (size_t w = 0; w < ladder->walkers; w++)
        SPN_TRY(spn_chain_check(&ladder->walker[w].chain->base, err));
    return SPN_OK;
}

const spn_sampler_type spn_ladder_type = {.name = "ladder",
                                          .advance = advance,
                                          .ended = ended,
                                          .look = spn_ladder_show,
                                          .health = spn_ladder_health,
                                          .can_save = can_save,
                                          .visit = spn_ladder_visit,
                                          .check = check,
                                          .destroy = destroy};
