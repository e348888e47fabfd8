/* Entropies by counting: ladders held at a distance of the centre, and the count. */
#include <spinney/local_entropy.h>

#include "analysis/shell.h"
#include "analysis/stones.h"
#include "base/memory.h"
#include "ladder/ladder.h"

#include <assert.h>
#include <math.h>
#include <spinney/statistics.h>
#include <stdlib.h>

enum {
    SHORTER = 8, /* than the ladder that counts is the one before it */
    FEWEST_SCANS = 64
};

/* One measurement on its way. */
typedef struct measurement {
    const spn_energy *energy; /* that was given; and */
    spn_energy *shell;        /* the one that holds the distance; NULL without a centre */
    spn_local_entropy_options options;
    spn_ladder_options ladder_options;
    spn_chain_options chain;
    size_t sites;
    int8_t *centre; /* towards which gamma is not negative: maybe minus that of the options; NULL */
    size_t distance; /* of that centre */
    double gamma;
    spn_sampler *ladder; /* the current one, and what it showed */
    spn_stones stones;
    double done, part; /* of the progress: before the current ladder, and of it */
    uint64_t proposals;
    double seconds;
    spn_stop stop;
} measurement;

/* ---- ladders ---- */

static uint32_t distance_of(const measurement *m, const int8_t *spins)
{
    uint32_t distance = 0;
    for (size_t i = 0; m->centre && i < m->sites; i++)
        distance += spins[i] != m->centre[i];
    return distance;
}

/* What the rungs show after a scan of the last round. */
static spn_status watch(void *context, const spn_progress *now, spn_error *err)
{
    measurement *m = context;
    const spn_ladder *ladder = spn_ladder_of(m->ladder);
    const size_t rungs = ladder->rungs;
    if (m->options.progress)
        m->options.progress(m->options.context, m->done + m->part * now->share);
    if (!now->due || !spn_ladder_is_last_round(ladder) || ladder->round_scan == 0)
        return SPN_OK;
    if (ladder->round_scan == 1)
        SPN_TRY(spn_stones_create(&m->stones, rungs, (size_t)m->ladder_options.scans, ladder->beta,
                                  err));
    assert(m->stones.rungs == rungs && m->stones.scans < m->stones.room);
    for (size_t r = 0; r < rungs; r++) {
        const size_t k = m->stones.scans * rungs + r;
        const spn_chain *chain = ladder->walker[ladder->walker_at[r]].chain;
        m->stones.energy[k] = chain->energies[0];
        m->stones.distance[k] = distance_of(m, chain->spins);
    }
    m->stones.scans++;
    return SPN_OK;
}

static void clear_ladder(measurement *m)
{
    spn_stones_clear(&m->stones);
    spn_sampler_free(m->ladder);
    m->ladder = NULL;
}

/* Run ladder number k of the measurement at its gamma. */
static spn_status run_ladder(measurement *m, uint32_t k, uint64_t scans, spn_error *err)
{
    spn_ladder_options o = m->ladder_options;
    spn_chain_options chain = m->chain;
    spn_until until = spn_until_defaults();
    spn_progress progress;
    clear_ladder(m);
    chain.run += k * SPN_LADDER_MOST_RUNGS;
    o.chain = &chain;
    o.gamma_first = o.gamma_last = m->gamma;
    o.scans = m->ladder_options.scans = scans;
    until.stop = m->options.stop;
    until.observer = watch;
    until.context = m;
    until.observe_every = 1; /* scan */
    SPN_TRY(spn_ladder_create(&m->ladder, m->shell ? m->shell : m->energy, &o, err));
    SPN_TRY(spn_sampler_run(&m->stop, m->ladder, &until, err));
    spn_sampler_look(&progress, m->ladder);
    m->proposals += progress.proposals;
    m->seconds += progress.seconds;
    m->done += m->part;
    return SPN_OK;
}

/* ---- the count ---- */

static double log_z_at_zero(const measurement *m)
{
    const double g = m->gamma; /* N log(2 cosh gamma) */
    return (double)m->sites * (g + log1p(exp(-2 * g)));
}

static spn_stones_asked what_is_asked(const measurement *m)
{
    return (spn_stones_asked){
        .up_to = m->options.up_to,
        .near = m->centre != NULL,
        .distance = m->distance,
        .field = m->centre ? m->gamma * ((double)m->sites - 2 * (double)m->distance) : 0,
        .log_z = log_z_at_zero(m)};
}

/* A short ladder shows where the other may end: no colder than necessary. */
static spn_status find_end(measurement *m, uint64_t scans, spn_error *err)
{
    if (!(m->options.share > 0))
        return SPN_OK;
    m->part = 1.0 / SHORTER;
    SPN_TRY(run_ladder(m, 1, scans, err));
    if (m->stop == SPN_STOP_REQUEST)
        return SPN_OK;
    const spn_stones_asked asked = what_is_asked(m);
    m->ladder_options.beta_last = spn_stones_end(&m->stones, &asked, m->options.share);
    return SPN_OK;
}

/* What else the ladder says. */
static void describe(spn_local_entropy *out, const measurement *m)
{
    const spn_stones *s = &m->stones;
    const bool flipped = m->centre && m->distance != m->options.distance;
    double distance = 0, met = 0;
    for (size_t t = 0; t < s->scans; t++) {
        const size_t last = t * s->rungs + s->rungs - 1;
        met +=
            s->energy[last] <= m->options.up_to && (!m->centre || s->distance[last] == m->distance);
        distance += s->distance[last];
    }
    out->share = met / (double)s->scans;
    if (m->centre)
        out->overlap = 1 - 2 * distance / (double)s->scans / (double)m->sites;
    out->gamma = m->gamma;
    if (flipped) {
        out->overlap = -out->overlap;
        out->gamma = -out->gamma;
    }
    out->beta = s->beta[s->rungs - 1];
    out->rungs = s->rungs;
    out->barrier = spn_ladder_barrier(m->ladder);
    out->round_trips = spn_ladder_round_trips(m->ladder, SPN_LADDER_ALL);
    out->health = spn_sampler_health(m->ladder);
}

/* ---- the measurement ---- */

static spn_status take_options(measurement *m, const spn_local_entropy_options *given,
                               spn_error *err)
{
    m->options = spn_local_entropy_defaults();
    m->ladder_options = spn_ladder_defaults();
    m->chain = spn_chain_defaults();
    SPN_TRY(
        spn_sized_take(&m->options, sizeof m->options, given, "spn_local_entropy_defaults", err));
    SPN_TRY(spn_sized_take(&m->ladder_options, sizeof m->ladder_options, m->options.ladder,
                           "spn_ladder_defaults", err));
    SPN_TRY(spn_sized_take(&m->chain, sizeof m->chain, m->ladder_options.chain,
                           "spn_chain_defaults", err));
    const spn_local_entropy_options *o = &m->options;
    SPN_REFUSE_IF(o->centre && o->distance > m->sites, err,
                  "distance: %zu is more than the %zu spins", o->distance, m->sites);
    for (size_t i = 0; o->centre && i < m->sites; i++)
        SPN_REFUSE_IF(o->centre[i] != 1 && o->centre[i] != -1, err,
                      "centre: spin %zu is %d, not -1 or +1", i, o->centre[i]);
    SPN_REFUSE_IF(!(o->share >= 0 && o->share <= 1), err, "share: it is from 0 to 1");
    SPN_REFUSE_IF(isnan(o->up_to), err, "up_to: it is not a number");
    SPN_REFUSE_IF(m->ladder_options.beta_first != 0 || m->ladder_options.path, err,
                  "ladder: its first rung has beta 0");
    SPN_REFUSE_IF(!(m->ladder_options.beta_last > 0 && isfinite(m->ladder_options.beta_last)), err,
                  "ladder: its last rung has a beta above 0");
    SPN_REFUSE_IF(m->chain.run > UINT32_MAX - SPN_LOCAL_ENTROPY_RUNS, err,
                  "run: the largest is 2^32 - %d", SPN_LOCAL_ENTROPY_RUNS + 1);
    return SPN_OK;
}

/* The price of a flip too far, in units of the energy: e^-(1 + 2 gamma) at the cold end at any
   scale of the energy, since it is the field that pulls towards the centre. Few bits, so that
   sums with integral energies stay exact. */
static double price_of_flips(const measurement *m)
{
    enum { BITS = 4 };
    int exponent;
    const double part = frexp((1 + 2 * m->gamma) / m->ladder_options.beta_last, &exponent);
    return ldexp(round(ldexp(part, BITS)), exponent - BITS);
}

/* The centre itself or, if the distance is more than N/2, the opposite state. */
static spn_status take_centre(measurement *m, spn_error *err)
{
    const spn_local_entropy_options *o = &m->options;
    m->chain.replicas = 1;
    m->chain.start = SPN_START_INDEPENDENT;
    m->chain.target = SPN_TARGET_NONE;
    m->ladder_options.keep = 0;
    if (!o->centre)
        return SPN_OK;
    const bool opposite = o->distance > m->sites / 2;
    SPN_NEED(m->centre = spn_alloc(m->sites, 1), err, "a centre");
    for (size_t i = 0; i < m->sites; i++)
        m->centre[i] = (int8_t)(opposite ? -o->centre[i] : o->centre[i]);
    m->distance = opposite ? m->sites - o->distance : o->distance;
    if (m->distance > 0)
        m->gamma = atanh(1 - 2 * (double)m->distance / (double)m->sites);
    m->chain.coupling = SPN_COUPLING_GIVEN;
    m->chain.centre = m->centre;
    return spn_shell_create(&m->shell, m->energy, m->centre, m->distance, price_of_flips(m), err);
}

/* One state, or none. */
static void count_one(spn_local_entropy *out, const measurement *m)
{
    if (!(spn_energy_value(m->energy, m->centre) <= m->options.up_to))
        return;
    out->log_count = out->error = out->low = out->high = 0;
    out->met = 1;
}

static spn_status measure(spn_local_entropy *out, measurement *m, spn_error *err)
{
    const uint64_t scans = m->ladder_options.scans;
    const uint64_t few = scans / SHORTER > FEWEST_SCANS ? scans / SHORTER : FEWEST_SCANS;
    if (m->centre && m->distance == 0) {
        count_one(out, m);
        return SPN_OK;
    }
    SPN_TRY(find_end(m, few < scans ? few : scans, err));
    m->part = 1 - m->done;
    if (m->stop != SPN_STOP_REQUEST)
        SPN_TRY(run_ladder(m, 0, scans, err));
    if (m->stop == SPN_STOP_REQUEST)
        return SPN_OK;
    describe(out, m);
    const spn_stones_asked asked = what_is_asked(m);
    spn_stones_count count;
    SPN_TRY(spn_stones_count_states(&count, &m->stones, &asked, err));
    const double half = count.degrees > 0 ? spn_student_quantile(count.degrees) * count.error : NAN;
    out->log_count = count.log_count;
    out->error = count.error;
    out->low = count.log_count - half;
    out->high = count.log_count + half;
    out->met = count.met;
    return SPN_OK;
}

spn_status spn_local_entropy_measure_sized(spn_local_entropy *out, size_t size,
                                           const spn_energy *energy,
                                           const spn_local_entropy_options *options, spn_error *err)
{
    measurement m = {.energy = energy, .sites = spn_energy_sites(energy)};
    spn_local_entropy own = {.log_count = NAN, .error = NAN, .low = NAN, .high = NAN};
    own.share = own.gamma = own.overlap = own.beta = own.barrier = NAN;
    spn_status status;
    SPN_TRY_OR(cleanup, take_options(&m, options, err));
    SPN_TRY_OR(cleanup, take_centre(&m, err));
    SPN_TRY_OR(cleanup, measure(&own, &m, err));
    own.proposals = m.proposals;
    own.seconds = m.seconds;
    own.stop = m.stop == SPN_STOP_REQUEST ? SPN_STOP_REQUEST : SPN_STOP_STEPS;
    spn_sized_give(out, size, &own, sizeof own);
cleanup:
    clear_ladder(&m);
    spn_energy_free(m.shell);
    free(m.centre);
    return status;
}
