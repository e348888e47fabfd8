#include "task/chain_ready.h"
#include "record/record.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"

#include <math.h>
#include <spinney/random.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- how many changes ---- */

enum {
    FEWEST = 64,
    LEVELS = 8,       /* FEWEST times 1, 8, 64, ... */
    FEWEST_PARTS = 16 /* with this many, those of the first level */
};

uint64_t spn_beta_changes(double proposals)
{
    return (uint64_t)fmin(fmax(proposals / 32, FEWEST), 0x1p62);
}

static uint64_t changes_of(size_t level)
{
    return (uint64_t)FEWEST << (3 * level);
}

/* The least level that is all that is asked for. */
static size_t highest_level(const spn_energy *energy)
{
    size_t level = 0;
    while (level + 1 < LEVELS && changes_of(level) / 32 < spn_energy_sites(energy))
        level++;
    return level;
}

/* The seconds that a change takes, by those of one random state. */
static spn_status time_change(double *out, const spn_energy *energy, double limit, spn_error *err)
{
    const size_t sites = spn_energy_sites(energy);
    int8_t *spins = spn_alloc(sites, 1);
    void *cache = spn_alloc((spn_energy_cache_size(energy) + 63) / 64 * 64, 1);
    uint64_t count = 0;
    if (spins && cache) {
        spn_random random = spn_random_make(1, 0, 0, SPN_PURPOSE_USER);
        spn_random_spins(&random, spins, sites);
        spn_energy_attach(energy, cache, spins);
        const double started = spn_clock();
        do {
            const size_t site = spn_random_below(&random, (uint32_t)sites);
            (void)spn_energy_delta(energy, cache, spins, site);
        } while (++count < FEWEST || (count < 4096 && spn_clock() - started < limit));
        *out = (spn_clock() - started) / (double)count;
    }
    const bool fits = spins && cache;
    free(spins);
    free(cache);
    return fits ? SPN_OK : spn_fail(err, SPN_ERROR_MEMORY, "out of memory to time the energy");
}

/* The highest level whose changes, and as many flips, take a fiftieth of the time. */
static spn_status level_by_time(size_t *out, const spn_energy *energy, double seconds,
                                spn_error *err)
{
    const double share = 0.02;
    double change = 0;
    const spn_status status = time_change(&change, energy, share / 8 * seconds, err);
    *out = highest_level(energy);
    while (*out > 0 && 2 * change * (double)changes_of(*out) > share * seconds)
        --*out;
    return status;
}

static spn_status count_changes(uint64_t *out, spn_chain_ready *ready, const spn_chain_plan *plan,
                                const spn_energy *energy, spn_error *err)
{
    spn_chain_options *o = &ready->options;
    size_t level = 0;
    if (!o->stretch && o->part_count < 2) {
        *out = spn_beta_changes(spn_chain_plan_proposals(plan, plan->usual_steps));
        return SPN_OK;
    }
    if (o->stretch) {
        SPN_TRY(level_by_time(&level, energy, o->seconds, err));
        o->part_count = FEWEST_PARTS + level;
    }
    level = o->part_count > FEWEST_PARTS ? o->part_count - FEWEST_PARTS : 0;
    *out = changes_of(level < LEVELS ? level : LEVELS - 1);
    return SPN_OK;
}

/* ---- the range ---- */

static spn_status measure(spn_chain_ready *ready, const spn_chain_plan *plan,
                          const spn_energy *energy, spn_error *err)
{
    spn_beta_range_options o = spn_beta_range_defaults();
    o.seed = ready->options.seed;
    o.run = plan->options.run;
    o.hot = plan->choice.hot;
    o.cold = plan->choice.cold;
    SPN_TRY(count_changes(&o.changes, ready, plan, energy, err));
    SPN_TRY(spn_beta_range_measure(&ready->range, energy, &o, err));
    ready->measured = true;
    return SPN_OK;
}

/* An end that is given stays; the other one does not go past it. */
static spn_status make_schedule(spn_chain_ready *ready, const spn_chain_plan *plan, spn_error *err)
{
    const spn_schedule *given = plan->beta;
    double start = ready->range.start, end = ready->range.end;
    char values[64], texts[2][SPN_NUMBER_TEXT];
    if (!plan->choice.start) {
        start = spn_schedule_value(given, 0, 1, 0, 1);
        end = fmax(start, end);
    } else if (!plan->choice.end) {
        end = spn_schedule_value(given, 1, 1, 0, 1);
        start = fmin(start, end);
    }
    spn_number_text(texts[0], start);
    spn_number_text(texts[1], end);
    snprintf(values, sizeof values, "%s:%s", texts[0], texts[1]);
    SPN_TRY(spn_schedule_parse(&ready->beta, values, plan->choice.kind, err));
    ready->options.beta = ready->beta;
    return spn_schedule_check(ready->beta, "beta", true, 1, err);
}

spn_status spn_chain_ready_make(spn_chain_ready *out, const spn_chain_plan *plan, uint64_t seed,
                                const spn_energy *energy, spn_error *err)
{
    *out = (spn_chain_ready){
        .options = plan->options, .seconds = plan->seconds, .choice = plan->choice};
    out->options.seed = seed;
    if (!plan->choice.start && !plan->choice.end)
        return SPN_OK;
    const double started = spn_clock();
    spn_status status = measure(out, plan, energy, err);
    if (!status)
        status = make_schedule(out, plan, err);
    if (out->options.stretch) /* it is part of the run's time */
        out->options.seconds = fmax(out->options.seconds - (spn_clock() - started), 1e-6);
    return status;
}

void spn_chain_ready_clear(spn_chain_ready *ready)
{
    spn_schedule_free(ready->beta);
    *ready = (spn_chain_ready){0};
}

/* ---- the reason ---- */

static spn_status note_reason(spn_record *out, const spn_chain_ready *ready, spn_error *err)
{
    const spn_beta_range *r = &ready->range;
    char hot[160] = "", cold[160] = "";
    if (r->smallest == 0)
        return spn_record_add_note(out, err,
                                   "no flip that was tried changes the energy; beta does not "
                                   "matter");
    if (ready->choice.start)
        spn_print_text(hot, sizeof hot,
                       "at the start %.3g of the uphill changes (median %.3g) are accepted",
                       ready->choice.hot, r->typical);
    if (ready->choice.end)
        spn_print_text(cold, sizeof cold,
                       "at the end %.3g of those left after a descent (smallest %.3g)",
                       ready->choice.cold, r->smallest);
    return spn_record_add_note(out, err, "beta by the energy: %s%s%s", hot,
                               *hot && *cold ? ", " : "", cold);
}

spn_status spn_chain_ready_note(spn_record *out, const spn_chain_ready *ready, spn_error *err)
{
    char beta[160], gamma[160];
    spn_schedule_describe(ready->options.beta, beta, sizeof beta);
    spn_schedule_describe(ready->options.gamma, gamma, sizeof gamma);
    const spn_status status = spn_record_add_note(out, err, "beta %s, gamma %s", beta, gamma);
    return status || !ready->measured ? status : note_reason(out, ready, err);
}
