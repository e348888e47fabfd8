/* Entropies by counting: ladders held at a distance of the centre, and the count. */
#include <spinney/local_entropy.h>

#include "analysis/common.h"
#include "analysis/shell.h"
#include "base/memory.h"
#include "ladder/ladder.h"

#include <assert.h>
#include <math.h>
#include <spinney/statistics.h>
#include <stdlib.h>

/* ---- what the rungs of a ladder of one replica showed after each scan, and what it says of the
   number of states: stepping stones for log Z, the mixture of all rungs for counts, the jackknife
   over blocks of scans for their errors ---- */

typedef struct stepping_stones {
    size_t rungs, scans, room; /* scans that there are, and room for */
    double *beta;              /* of each rung, from 0 */
    double *energy;            /* scan after scan, of each rung */
    uint32_t *distance;        /* likewise; all 0 without a centre */
} stepping_stones;

/* The states to count: E <= up_to and, if near is set, at the distance. */
typedef struct asked_states {
    double up_to;
    bool near;
    size_t distance;
    double field; /* gamma sum_i c_i s_i of the states counted: gamma (N - 2 d); else 0 */
    double log_z; /* of the first rung */
} asked_states;

/* An estimate with its jackknife error and the degrees of freedom of that. */
typedef struct states_count {
    double log_count, error;
    size_t degrees;
    uint64_t met;
} states_count;

enum { BLOCKS = 20 }; /* at most SPN_JACKKNIFE_BLOCKS */

/* To be cleared, also after an error. Errors: MEMORY. */
static spn_status create_stones(stepping_stones *out, size_t rungs, size_t scans,
                                const double *beta, spn_error *err)
{
    *out = (stepping_stones){.rungs = rungs, .room = scans};
    out->beta = spn_alloc(rungs, sizeof *out->beta);
    out->energy = scans <= SIZE_MAX / rungs ? spn_alloc(rungs * scans, sizeof(double)) : NULL;
    out->distance = scans <= SIZE_MAX / rungs ? spn_alloc(rungs * scans, sizeof(uint32_t)) : NULL;
    SPN_NEED(out->beta && out->energy && out->distance, err, "%zu scans of %zu rungs", scans,
             rungs);
    for (size_t r = 0; r < rungs; r++)
        out->beta[r] = beta[r];
    return SPN_OK;
}

static void clear_stones(stepping_stones *stones)
{
    SPN_FREE_ALL(stones->beta, stones->energy, stones->distance);
    *stones = (stepping_stones){0};
}

/* ---- sums of exponentials ---- */

/* log of the sum over a block's scans of exp(-change E) at rung r. */
static double log_block_sum(const stepping_stones *s, size_t r, double change, size_t first,
                            size_t end)
{
    double most = -INFINITY, sum = 0;
    for (size_t t = first; t < end; t++)
        most = fmax(most, -change * s->energy[t * s->rungs + r]);
    for (size_t t = first; t < end; t++)
        sum += exp(-change * s->energy[t * s->rungs + r] - most);
    return end > first ? most + log(sum) : -INFINITY;
}

/* ---- blocks ---- */

typedef struct blocks {
    size_t count;
    /* For each rung but the last, and each block: the two sums of the stone to the next rung, which
       lead to the law half-way: of exp(-d/2 E) here, of exp(d/2 E) there. */
    double *up, *down;
    struct counted *counted; /* the states to be counted, by energy */
    size_t met;
} blocks;

typedef struct counted {
    double energy;
    size_t block;
} counted;

static size_t block_start(const stepping_stones *s, size_t count, size_t b)
{
    return s->scans * b / count;
}

static int compare_counted(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    return x->energy != y->energy ? (x->energy > y->energy ? 1 : -1)
                                  : (x->block > y->block) - (x->block < y->block);
}

static void sum_stones(blocks *out, const stepping_stones *s)
{
    for (size_t r = 0; r + 1 < s->rungs; r++) {
        const double half = (s->beta[r + 1] - s->beta[r]) / 2;
        for (size_t b = 0; b < out->count; b++) {
            const size_t first = block_start(s, out->count, b);
            const size_t end = block_start(s, out->count, b + 1);
            out->up[r * out->count + b] = log_block_sum(s, r, half, first, end);
            out->down[r * out->count + b] = log_block_sum(s, r + 1, -half, first, end);
        }
    }
}

static bool is_asked(const stepping_stones *s, const asked_states *asked, size_t k)
{
    return s->energy[k] <= asked->up_to && (!asked->near || s->distance[k] == asked->distance);
}

static void clear_blocks(blocks *b)
{
    SPN_FREE_ALL(b->up, b->down, b->counted);
}

static spn_status make_blocks(blocks *out, const stepping_stones *s, const asked_states *asked,
                              spn_error *err)
{
    size_t met = 0;
    *out = (blocks){.count = s->scans / 2 < BLOCKS ? s->scans / 2 : BLOCKS};
    if (out->count < 2)
        out->count = 1;
    for (size_t k = 0; k < s->scans * s->rungs; k++)
        met += is_asked(s, asked, k);
    out->up = spn_alloc(s->rungs * out->count, sizeof *out->up);
    out->down = spn_alloc(s->rungs * out->count, sizeof *out->down);
    out->counted = spn_alloc(met + 1, sizeof *out->counted);
    SPN_NEED(out->up && out->down && out->counted, err, "%zu states", met);
    sum_stones(out, s);
    for (size_t b = 0; b < out->count; b++) {
        const size_t first = block_start(s, out->count, b) * s->rungs;
        const size_t end = block_start(s, out->count, b + 1) * s->rungs;
        for (size_t k = first; k < end; k++)
            if (is_asked(s, asked, k))
                out->counted[out->met++] = (counted){s->energy[k], b};
    }
    qsort(out->counted, out->met, sizeof *out->counted, compare_counted);
    assert(out->met == met);
    return SPN_OK;
}

/* ---- estimates ---- */

/* log Z of each rung, from all blocks but `without`. */
static void find_log_z(double *out, const blocks *b, const stepping_stones *s, double first,
                       size_t without)
{
    out[0] = first;
    for (size_t r = 0; r + 1 < s->rungs; r++) {
        double up = -INFINITY, down = -INFINITY;
        for (size_t k = 0; k < b->count; k++)
            if (k != without) {
                up = spn_log_add(up, b->up[r * b->count + k]);
                down = spn_log_add(down, b->down[r * b->count + k]);
            }
        out[r + 1] = out[r] + up - down;
    }
}

/* log of sum_r n exp(-beta_r E + field - log Z_r). */
static double log_mixture(const stepping_stones *s, const double *log_z, double energy,
                          double field, double scans)
{
    double sum = -INFINITY;
    for (size_t r = 0; r < s->rungs; r++)
        sum = spn_log_add(sum, -s->beta[r] * energy + field - log_z[r]);
    return sum + log(scans);
}

/* The estimate from all blocks but `without` (b->count: from all). */
static double estimate(double *log_z, const blocks *b, const stepping_stones *s,
                       const asked_states *asked, size_t without)
{
    double scans = (double)s->scans, total = -INFINITY;
    if (without < b->count)
        scans -=
            (double)(block_start(s, b->count, without + 1) - block_start(s, b->count, without));
    find_log_z(log_z, b, s, asked->log_z, without);
    for (size_t k = 0; k < b->met;) {
        const double energy = b->counted[k].energy;
        size_t here = 0;
        for (; k < b->met && b->counted[k].energy == energy; k++)
            here += b->counted[k].block != without;
        if (here > 0)
            total = spn_log_add(total, log((double)here) -
                                           log_mixture(s, log_z, energy, asked->field, scans));
    }
    return total;
}

/* log_count is NaN if none was met. Cost: O(rungs) exponentials for each state of the ladder, and
   of distinct energies among those counted for each block. Errors: MEMORY. */
static spn_status count_states(states_count *out, const stepping_stones *stones,
                               const asked_states *asked, spn_error *err)
{
    blocks b = {0};
    spn_jackknife all = {.in_time = true};
    bool one_has_all = false; /* a block alone met what is counted */
    double *log_z = spn_alloc(stones->rungs, sizeof *log_z);
    *out = (states_count){.log_count = NAN, .error = NAN};
    spn_status status = log_z ? make_blocks(&b, stones, asked, err) : spn_no_memory(err, "log Z");
    if (status)
        goto cleanup;
    out->met = b.met;
    if (b.met == 0)
        goto cleanup;
    out->log_count = estimate(log_z, &b, stones, asked, b.count);
    if (b.count < 2)
        goto cleanup;
    for (; all.blocks < b.count; all.blocks++) {
        all.without[all.blocks] = estimate(log_z, &b, stones, asked, all.blocks);
        one_has_all = one_has_all || all.without[all.blocks] == -INFINITY;
    }
    out->degrees = spn_jackknife_degrees(&all);
    out->error = one_has_all ? INFINITY : spn_jackknife_error(&all);
cleanup:
    clear_blocks(&b);
    free(log_z);
    return status;
}

/* The beta of the first rung of which at least that share of the states, over the last half of the
   scans, is among those to count; if none has, that of the rung with the largest share; if there
   are none at all, that of the last. */
static double find_stones_end(const stepping_stones *s, const asked_states *asked, double share)
{
    const double scans = (double)(s->scans - s->scans / 2);
    double most = 0, beta = s->beta[s->rungs - 1];
    for (size_t r = 0; r < s->rungs && most < share * scans; r++) {
        double met = 0;
        for (size_t t = s->scans / 2; t < s->scans; t++)
            met += is_asked(s, asked, t * s->rungs + r);
        if (met > most && s->beta[r] > 0) {
            most = met;
            beta = s->beta[r];
        }
    }
    return beta;
}

/* ---- the measurement on its way ---- */

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
    stepping_stones stones;
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
        SPN_TRY(
            create_stones(&m->stones, rungs, (size_t)m->ladder_options.scans, ladder->beta, err));
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
    clear_stones(&m->stones);
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

static asked_states what_is_asked(const measurement *m)
{
    return (asked_states){
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
    const asked_states asked = what_is_asked(m);
    m->ladder_options.beta_last = find_stones_end(&m->stones, &asked, m->options.share);
    return SPN_OK;
}

/* What else the ladder says. */
static void describe(spn_local_entropy *out, const measurement *m)
{
    const stepping_stones *s = &m->stones;
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
    const asked_states asked = what_is_asked(m);
    states_count count;
    SPN_TRY(count_states(&count, &m->stones, &asked, err));
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
