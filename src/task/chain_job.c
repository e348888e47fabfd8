#include "base/clock.h"
#include "base/number.h"
#include "record/record.h"
#include "task/chain.h"
#include "task/tables.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/random.h>
#include <stdlib.h>
#include <xxhash.h>

#define AT(member) offsetof(spn_chain_found, member)
static const spn_quantity ways[] = {
    {"stop", SPN_QUANTITY_TEXT, .at = AT(stop),
     .help = "why the run ended: steps, target, patience, time, frozen or interrupted"},
    {"steps_done", .unit = "steps", .label = "steps", .at = AT(steps_done), .help = "steps done"},
    {"proposals", .label = "proposals", .at = AT(proposals), .help = "proposals of all replicas"},
    {"beta_start", .flags = SPN_QUANTITY_OPTIONAL, .label = "beta at the start",
     .at = AT(beta_start), .help = "first value of beta"},
    {"beta_end", .flags = SPN_QUANTITY_OPTIONAL, .label = "beta at the end", .at = AT(beta_end),
     .help = "value of beta after all steps; if their number is not known, that of the last step"},
    {.name = NULL}};

#define HEALTH                                                                                     \
    "health of the annealing: good, frozen from the start, frozen for most, hot at the end, "
const spn_quantity spn_chain_results[] = {
    {.group = ways},
    {"health", SPN_QUANTITY_TEXT, .at = AT(health), .label = "health of the annealing",
     .help = HEALTH "too short to tell; of a problem also no feasible state, constraints frozen, "
                    "found once, reads disagree"},
    SPN_SECONDS_QUANTITY,
    {.name = NULL}};
const spn_quantity spn_train_chain_results[] = {{.group = ways},
                                                {"health", SPN_QUANTITY_TEXT, .at = AT(health),
                                                 .label = "health of the annealing",
                                                 .help = HEALTH "too short to tell, too short"},
                                                SPN_SECONDS_QUANTITY,
                                                {.name = NULL}};

const spn_quantity spn_hit_results[] = {SPN_HIT_ROWS(NULL, NULL, NULL)};

typedef struct overlap_row {
    double first, second, overlap;
} overlap_row;

#define COLUMN(column, ...)                                                                        \
    SPN_COLUMN("overlaps", overlap_row, column, .flags = SPN_QUANTITY_DETAIL, __VA_ARGS__)
const spn_quantity spn_overlap_results[] = {
    COLUMN(first, .help = "number of the first replica, from 1"),
    COLUMN(second, .help = "number of the second"),
    COLUMN(overlap, .label = "overlap of two replicas",
           .help = "their scalar product at the end, over N"),
    {.name = NULL}};

static double overlap_of(const uint64_t *a, const uint64_t *b, size_t words, size_t sites)
{
    uint64_t differ = 0;
    for (size_t w = 0; w < words; w++)
        differ += (uint64_t)__builtin_popcountll(a[w] ^ b[w]);
    return 1 - 2 * (double)differ / (double)sites;
}

static spn_status take_overlaps(spn_curve_rows *out, const spn_snapshot *s, spn_error *err)
{
    const size_t y = s->replicas, pairs = y * (y - 1) / 2, words = s->sites / 64 + 1;
    if (pairs == 0)
        return SPN_OK;
    uint64_t *bits = spn_alloc(y * words, sizeof *bits);
    overlap_row *row = spn_curve_make(out, pairs, sizeof *row, err);
    if (!bits || !row) {
        free(bits);
        return spn_no_memory(err, "the overlaps");
    }
    for (size_t a = 0; a < s->replicas; a++)
        for (size_t i = 0; i < s->sites; i++)
            if (s->spins[a * s->sites + i] > 0)
                bits[a * words + i / 64] |= (uint64_t)1 << i % 64;
    for (size_t a = 0; a < y; a++)
        for (size_t b = a + 1; b < y; b++)
            *row++ = (overlap_row){(double)(a + 1), (double)(b + 1),
                                   overlap_of(bits + a * words, bits + b * words, words, s->sites)};
    free(bits);
    return SPN_OK;
}

static spn_hit_found take_hit(const spn_snapshot *s, size_t step_proposals)
{
    const bool hit = s->first_hit != SPN_NO_HIT;
    const double steps = hit ? (double)s->first_hit : NAN;
    return (spn_hit_found){hit ? 1 : 0, steps, steps * (double)step_proposals,
                           s->first_hit_seconds};
}

spn_status spn_chain_found_take(spn_chain_found *out, const spn_ran *chain, size_t step_proposals,
                                bool overlaps, spn_error *err)
{
    spn_snapshot s;
    uint64_t proposals = 0;
    double beta[2];
    spn_chain_snapshot(&s, chain->sampler);
    spn_chain_beta(beta, chain->sampler);
    for (size_t a = 0; a < s.replicas; a++)
        proposals += s.proposals[a];
    *out = (spn_chain_found){.stop = spn_stop_name(chain->stop),
                             .health = spn_health_name(spn_sampler_health(chain->sampler)),
                             .steps_done = (double)s.step,
                             .proposals = (double)proposals,
                             .beta_start = beta[0],
                             .beta_end = beta[1],
                             .hit = take_hit(&s, step_proposals)};
    return overlaps ? take_overlaps(&out->overlaps, &s, err) : SPN_OK;
}

void spn_chain_found_clear(spn_chain_found *found)
{
    free(found->overlaps.rows);
    found->overlaps.rows = NULL;
}

enum {
    FEWEST = 64,
    LEVELS = 8,       /* a level computes FEWEST times 1, 8, 64, ... changes */
    FEWEST_PARTS = 16 /* 16 parts mean level 0, 17 level 1, and so on */
};

uint64_t spn_beta_changes(double proposals)
{
    return (uint64_t)fmin(fmax(proposals / 32, FEWEST), 0x1p62);
}

static uint64_t changes_of(size_t level)
{
    return (uint64_t)FEWEST << (3 * level);
}

/* The lowest level with at least 32 changes for each spin. */
static size_t highest_level(const spn_energy *energy)
{
    size_t level = 0;
    while (level + 1 < LEVELS && changes_of(level) / 32 < spn_energy_sites(energy))
        level++;
    return level;
}

/* Seconds per energy change, measured on one random state. */
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
    SPN_FREE_ALL(spins, cache);
    return fits ? SPN_OK : spn_fail(err, SPN_ERROR_MEMORY, "out of memory to time the energy");
}

/* The highest level whose changes and flips fit in a fiftieth of the time. */
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

static spn_status count_changes(uint64_t *out, spn_chain_options *o, const spn_chain_plan *plan,
                                const spn_energy *energy, spn_error *err)
{
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

static bool by_energy(const spn_chain_plan *plan)
{
    return plan->choice.start || plan->choice.end;
}

static spn_status measure(spn_beta_range *range, spn_chain_options *out, const spn_chain_plan *plan,
                          const spn_energy *energy, spn_error *err)
{
    spn_beta_range_options o = spn_beta_range_defaults();
    o.seed = out->seed;
    o.run = out->run;
    o.hot = plan->choice.hot;
    o.cold = plan->choice.cold;
    SPN_TRY(count_changes(&o.changes, out, plan, energy, err));
    SPN_TRY(spn_beta_range_measure(range, energy, &o, err));
    if (!plan->choice.reheats)
        return SPN_OK;
    spn_beta_range warm;
    o.hot = fmax(o.hot, 2 * SPN_BETA_REHEAT);
    o.cold = SPN_BETA_REHEAT;
    SPN_TRY(spn_beta_range_measure(&warm, energy, &o, err));
    range->start = fmin(warm.end, range->end);
    return SPN_OK;
}

/* A given end stays; the measured one does not pass it. */
static spn_status make_schedule(spn_chain_options *out, const spn_beta_range *range,
                                const spn_chain_plan *plan, spn_error *err)
{
    double start = range->start, end = range->end;
    spn_schedule *beta;
    if (!plan->choice.start) {
        start = spn_schedule_value(plan->beta, 0, 1, 0, 1);
        end = fmax(start, end);
    } else if (!plan->choice.end) {
        end = spn_schedule_value(plan->beta, 1, 1, 0, 1);
        start = fmin(start, end);
    }
    SPN_TRY(spn_chain_make_beta(&beta, start, end, plan, err));
    out->beta = beta;
    return spn_schedule_check(beta, "beta", true, 1, err);
}

spn_status spn_chain_settle(spn_chain_options *out, spn_beta_range *range,
                            const spn_chain_plan *plan, uint64_t seed, const spn_energy *energy,
                            spn_error *err)
{
    *out = plan->options;
    out->seed = seed;
    if (!by_energy(plan))
        return SPN_OK;
    const double started = spn_clock();
    SPN_TRY(measure(range, out, plan, energy, err));
    SPN_TRY(make_schedule(out, range, plan, err));
    if (out->stretch) /* measuring is part of the run's time */
        out->seconds = fmax(out->seconds - (spn_clock() - started), 1e-6);
    return SPN_OK;
}

void spn_chain_unsettle(spn_chain_options *options, const spn_chain_plan *plan)
{
    if (options->beta != plan->beta)
        spn_schedule_free((spn_schedule *)options->beta);
    options->beta = NULL;
}

void spn_chain_time_line(char *out, size_t size, bool is_fitted, double seconds)
{
    char text[SPN_NUMBER_TEXT];
    *out = '\0';
    spn_number_text(text, seconds);
    if (is_fitted)
        snprintf(out, size, "time \"%s\"\n", text);
}

/* The task's own lines, a checksum of the initial states and the time of a schedule that fills it.
   The caller frees it. */
static char *content_of(const char *own, const spn_chain_options *o, const spn_chain_plan *plan,
                        const spn_energy *energy)
{
    char start[48] = "", time[48];
    if (o->given)
        snprintf(start, sizeof start, "init_checksum \"%016" PRIx64 "\"\n",
                 XXH3_64bits(o->given, o->replicas * spn_energy_sites(energy)));
    spn_chain_time_line(time, sizeof time, o->stretch, plan->options.seconds);
    return spn_text_new("%s%s%s", own, start, time);
}

spn_status spn_chain_job_run(spn_ran *out, spn_outcome *outcome, const spn_sampler_job *how,
                             const spn_chain_plan *plan, const spn_chain_options *settled,
                             const spn_energy *energy, spn_error *err)
{
    spn_chain_options options = *settled;
    spn_sampler_job own = *how;
    *out = (spn_ran){0};
    if (how->run->steps) {
        options.steps = how->run->steps;
        options.part_count = 0;
        options.stretch = 0;
        options.seconds = 0;
    }
    SPN_TRY(spn_chain_create(&out->sampler, energy, &options, err));
    char *content = content_of(how->content, &options, plan, energy);
    SPN_NEED(content, err, "the settings");
    own.content = content;
    own.seconds = plan->seconds;
    own.in_all = true;
    const spn_status status = spn_sampler_job_run(out, outcome, &own, err);
    free(content);
    SPN_TRY(status);
    outcome->one_thread = options.threads > 1 && !spn_chain_was_shared(out->sampler);
    return SPN_OK;
}

spn_status spn_chain_job_steps(spn_record *out, const uint64_t *parts, size_t count, spn_error *err)
{
    spn_memory_stream memory;
    if (!spn_record_setting(out, "time") || spn_record_setting(out, "steps") ||
        spn_record_setting(out, "sweeps"))
        return SPN_OK;
    FILE *stream = spn_memory_stream_open(&memory);
    for (size_t k = 0; stream && k < count; k++)
        fprintf(stream, "%s%" PRIu64, k ? "," : "", parts[k]);
    char *text = spn_memory_stream_finish(&memory);
    const spn_status status =
        text ? spn_record_add_setting(out, "steps", text, err) : spn_no_memory(err, "the steps");
    free(text);
    return status;
}

spn_status spn_chain_job_record_steps(spn_record *out, const spn_ran *chain, spn_error *err)
{
    size_t count;
    const uint64_t *parts = spn_chain_parts(chain->sampler, &count);
    spn_snapshot s;
    if (count > 1)
        return spn_chain_job_steps(out, parts, count, err);
    spn_chain_snapshot(&s, chain->sampler);
    return parts[0] == 0 ? spn_chain_job_steps(out, &s.step, 1, err) : SPN_OK;
}

static spn_status note_reason(spn_record *out, const spn_chain_plan *plan, const spn_beta_range *r,
                              spn_error *err)
{
    char hot[200] = "", cold[160] = "";
    if (r->smallest == 0)
        return spn_record_add_note(out, err,
                                   "no flip that was tried changes the energy; beta does not "
                                   "matter");
    if (plan->choice.reheats)
        spn_print_text(hot, sizeof hot,
                       "a cool start, to improve on the given states: %g of the uphill changes "
                       "left after a descent are accepted; beta auto:%g:%g starts hot",
                       SPN_BETA_REHEAT, plan->choice.hot, plan->choice.cold);
    else if (plan->choice.start)
        spn_print_text(hot, sizeof hot,
                       "at the start %.3g of the uphill changes (median %.3g) are accepted",
                       plan->choice.hot, r->typical);
    if (plan->choice.end)
        spn_print_text(cold, sizeof cold,
                       "at the end %.3g of those left after a descent (smallest %.3g)",
                       plan->choice.cold, r->smallest);
    return spn_record_add_note(out, err, "beta by the energy: %s%s%s", hot,
                               *hot && *cold ? ", " : "", cold);
}

/* If the run cannot have succeeded as it was set, say so, with the remedy. */
static spn_status note_health(spn_record *out, spn_error *err)
{
    static const char *const remedies[] = {
        [SPN_HEALTH_FROZEN_START] =
            "frozen from the start: next to no uphill move was accepted; lower beta, or leave it "
            "to the energy (beta: auto)",
        [SPN_HEALTH_FROZEN_MOST] =
            "frozen for most of the run: its last ten sixteenths, or more, accepted next to no "
            "uphill move; lower the end of beta, or leave it to the energy (beta: auto)",
        [SPN_HEALTH_HOT_END] =
            "hot at the end: more than 1 in 20 of the last proposals still went uphill; raise the "
            "end of beta, or leave it to the energy (beta: auto)",
        [SPN_HEALTH_FALLING] =
            "too short: in the last eighth of the run the loss still fell by more than a 500th of "
            "what was learnt, or the time ended before the schedule; give more sweeps, or more "
            "time"};
    const char *text = spn_record_text(out, "health");
    spn_health health;
    if (!text || spn_health_parse(&health, text, NULL) != SPN_OK ||
        (size_t)health >= sizeof remedies / sizeof *remedies || !remedies[health])
        return SPN_OK;
    return spn_record_add_note(out, err, "%s", remedies[health]);
}

spn_status spn_chain_job_note(spn_record *out, const spn_chain_plan *plan,
                              const spn_chain_options *options, const spn_beta_range *range,
                              spn_error *err)
{
    char beta[160], gamma[160];
    spn_schedule_describe(options->beta, beta, sizeof beta);
    spn_schedule_describe(options->gamma, gamma, sizeof gamma);
    SPN_TRY(spn_record_add_note(out, err, "beta %s, gamma %s", beta, gamma));
    if (by_energy(plan))
        SPN_TRY(note_reason(out, plan, range, err));
    if (plan->by_place)
        SPN_TRY(spn_record_add_note(out, err,
                                    "the states of init have no names: they are taken in the order "
                                    "of the graph's variables; .csv and .json have names"));
    SPN_TRY(note_health(out, err));
    if (!spn_record_setting(out, "time") || options->steps || !spn_record_setting(out, "steps"))
        return SPN_OK;
    return spn_record_add_note(
        out, err,
        "the time made these steps; give them as steps, with the same reads and "
        "without time, to repeat the run");
}
