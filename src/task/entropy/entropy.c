/* The task `entropy`: the logarithm of the number of states up to an energy, per spin, near a
   state or in all. */
#include "task/entropy/entropy.h"
#include "base/memory.h"
#include "base/number.h"
#include "job/run.h"
#include "record/record.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the states to count around: from a file, from a run, or the teacher ---- */

static const char *const WORDS[] = {[SPN_AROUND_BEST] = "best",
                                    [SPN_AROUND_REPLICAS] = "replicas",
                                    [SPN_AROUND_CENTRE] = "centre",
                                    [SPN_AROUND_TEACHER] = "teacher"};

static const char *entropy_around_word(size_t i)
{
    return i < sizeof WORDS / sizeof *WORDS ? WORDS[i] : NULL;
}

/* A tie takes the spin of the first state. */
static void find_majority(int8_t *out, const int8_t *states, size_t count, size_t sites)
{
    for (size_t i = 0; i < sites; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < count; k++)
            sum += states[k * sites + i];
        out[i] = (int8_t)(sum ? (sum > 0 ? 1 : -1) : states[i]);
    }
}

static size_t find_best(const spn_energy *energy, const int8_t *states, size_t count, size_t sites)
{
    size_t best = 0;
    double least = 0;
    for (size_t k = 0; k < count; k++) {
        const double value = spn_energy_value(energy, states + k * sites);
        if (k == 0 || value < least) {
            least = value;
            best = k;
        }
    }
    return best;
}

static spn_status take(spn_entropy_run *r, const int8_t *states, size_t count, spn_error *err)
{
    const int around = r->plan->around;
    const spn_energy *energy = r->instance.energy;
    const size_t sites = r->instance.sites;
    r->centres = around == SPN_AROUND_REPLICAS ? count : 1;
    r->spins = spn_alloc(r->centres, sites);
    r->energy = spn_alloc(r->centres, sizeof *r->energy);
    SPN_NEED(r->spins && r->energy, err, "the centres");
    if (around == SPN_AROUND_CENTRE)
        find_majority(r->spins, states, count, sites);
    else if (around == SPN_AROUND_BEST)
        memcpy(r->spins, states + find_best(energy, states, count, sites) * sites, sites);
    else
        memcpy(r->spins, states, r->centres * sites);
    for (size_t c = 0; c < r->centres; c++)
        r->energy[c] = spn_energy_value(energy, r->spins + c * sites);
    return SPN_OK;
}

static spn_status anneal(spn_entropy_run *r, spn_outcome *outcome, spn_error *err)
{
    const spn_chain_plan *plan = &r->plan->options;
    const spn_energy *energy = r->instance.energy;
    char content[64];
    spn_chain_options options = {0};
    spn_beta_range range;
    spn_ran chain = {0};
    spn_snapshot s;
    spn_status status;
    SPN_TRY_OR(cleanup, spn_chain_settle(&options, &range, plan, r->job->seed, energy, err));
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&r->instance));
    const spn_sampler_job how = {.job = r->job,
                                 .plan = r->plan,
                                 .run = r->run,
                                 .content = content,
                                 .meter = &r->meter,
                                 .work = r->chain_work};
    SPN_TRY_OR(cleanup, spn_chain_job_run(&chain, outcome, &how, plan, &options, energy, err));
    spn_chain_snapshot(&s, chain.sampler);
    r->stopped = !outcome->complete;
    r->done += outcome->proposals;
    spn_meter_pass(&r->meter, r->chain_work);
    status =
        take(r, r->plan->around == SPN_AROUND_CENTRE ? s.spins : s.best_spins, s.replicas, err);
cleanup:
    spn_sampler_free(chain.sampler);
    spn_chain_unsettle(&options, plan);
    return status;
}

/* Find the centres: from a file, from a run, or the teacher. Errors: those of the chain; MEMORY. */
static spn_status entropy_find_centres(spn_entropy_run *r, spn_outcome *outcome, spn_error *err)
{
    const spn_problem *states = r->plan->states;
    if (r->plan->count == 0)
        return SPN_OK;
    if (states)
        return take(r, states->rows, states->count, err);
    if (r->plan->annealed)
        return anneal(r, outcome, err);
    assert(r->plan->around == SPN_AROUND_TEACHER);
    return take(r, r->instance.problem->teacher, 1, err);
}

/* ---- settings ---- */

#define AT(member) offsetof(spn_entropy_plan, member)

static const char DISTANCES[] = "0.01,0.05,0.1,0.2";

static const spn_setting settings[] = {
    {.group = spn_energy_rows, .at = AT(energy)},
    SPN_HEADING("What is counted"),
    {"distance", SPN_SETTING_LIST, .flags = SPN_SETTING_COMMON, .argument = "D,...",
     .otherwise = "0.01,0.05,0.1,0.2; none with `all`", .at = AT(distance),
     .help =
         "distances from the centre, as shares of the spins; each is rounded to a number of flips"},
    {"up-to", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON, .argument = "E", .fallback = "0",
     .at = AT(up_to), .help = "count the states with at most this energy", .label = "energy up to"},
    {"all", SPN_SETTING_FLAG, .flags = SPN_SETTING_COMMON, .fallback = "false", .at = AT(all),
     .help = "also count all such states, at any distance"},
    SPN_HEADING("Centre"),
    {"state", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "FILE",
     .otherwise = "found by the chain", .at = AT(state),
     .help = "file of states to use as centres, as `anneal` writes them"},
    {"around", SPN_SETTING_WORD, .flags = SPN_SETTING_COMMON, .argument = "WHICH",
     .fallback = "best", .word = entropy_around_word, .at = AT(around),
     .help = "which centre; best is the state of lowest energy, replicas is each state and their "
             "mean, centre is the majority of the states at each spin, teacher is the solution "
             "planted by `teacher`, which needs no chain"},
    SPN_HEADING("Ladder that counts"),
    {"cold", SPN_SETTING_REAL, .argument = "B", .otherwise = "chosen from the energy",
     .least = 1e-300, .most = 1e300, .at = AT(cold),
     .help = "highest inverse temperature; the ladder ends earlier if a fifth of the states there "
             "are among those to count"},
    {"rungs", SPN_SETTING_WHOLE, .argument = "K", .otherwise = "about twice the barrier",
     .least = 2, .most = SPN_LADDER_MOST_RUNGS, .at = AT(rungs), .help = "number of rungs"},
    {"scans", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "S", .fallback = "2048",
     .least = 1, .most = (double)INT32_MAX, .at = AT(scans),
     .help =
         "scans to measure; as many come before, plus a shorter ladder that finds the cold end"},
    {"rounds", SPN_SETTING_WHOLE, .argument = "R",
     .otherwise = "as many as have at least 16 scans, at most 10", .least = 1, .most = 32,
     .at = AT(rounds), .help = "rounds of doubling length that place the rungs"},
    {"scan-sweeps", SPN_SETTING_REAL, .argument = "W", .fallback = "1", .least = 1e-9, .most = 1e9,
     .at = AT(scan_sweeps), .help = "length of a scan; W proposals for each spin"},
    {.group = spn_chain_rows, .at = AT(chain)},
    {.name = NULL}};

static const char details[] = "Ctrl-C ends the run after the current scan, without results.\n";

static const char examples[] =
    "  spinney entropy --energy bits --random 201,0.3,1 --target 0 --distance 0.02,0.1\n"
    "  spinney entropy --energy bits --random 201,0.2,1 --all\n"
    "  spinney entropy --energy symmetric --random 201,0.5,1 --teacher --around teacher\n";

/* ---- planning ---- */

static spn_status read_distances(spn_entropy_plan *p, spn_error *err)
{
    const char *text = p->distance ? p->distance : p->all ? "" : DISTANCES;
    size_t count = *text ? 1 : 0;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    SPN_NEED(p->flips = spn_alloc(count + 1, sizeof *p->flips), err, "the distances");
    for (; p->count < count; p->count++) {
        const size_t length = strcspn(text, ",");
        double share;
        if (!spn_number_parse_part(&share, text, length) || share < 0 || share > 1)
            return spn_setting_fail("distance", err,
                                    "'%.*s' is not a share of the spins, from 0 to 1",
                                    (int)(length < 60 ? length : 60), text);
        p->flips[p->count] = (size_t)floor(share * (double)p->instance.sites + 0.5);
        text += length + (text[length] == ',');
    }
    return SPN_OK;
}

static spn_status read_states(spn_entropy_plan *p, spn_inputs *inputs, spn_error *err)
{
    if (!p->state)
        return SPN_OK;
    SPN_TRY(
        spn_inputs_problem(&p->states, inputs, SPN_PROBLEM_STATES, "state", p->state, NULL, err));
    if (p->states->sites != p->instance.sites)
        return spn_setting_fail("state", err, "%s: states of %zu spins, but the energy has %zu",
                                p->state, p->states->sites, p->instance.sites);
    return SPN_OK;
}

static spn_status plan_entropy(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    spn_entropy_plan *p = plan;
    SPN_TRY(spn_instance_plan(&p->instance, &p->energy, job, inputs, err));
    SPN_TRY(spn_chain_plan_make(&p->options, &p->chain, job, inputs, p->instance.sites,
                                p->instance.sites, "energy", p->instance.problem, err));
    SPN_TRY(read_distances(p, err));
    const bool teacher = p->around == SPN_AROUND_TEACHER;
    if (teacher && !p->instance.teacher)
        return spn_setting_fail("around", err, "teacher is of random patterns with teacher");
    if (teacher && p->state)
        return spn_setting_fail("state", err, "give this or `around teacher`, not both");
    if (p->count == 0 && spn_job_given(job, "state"))
        return spn_setting_fail("state", err, "needs `distance`");
    p->annealed = p->count > 0 && !teacher && !p->state;
    return read_states(p, inputs, err);
}

static void clear(void *plan)
{
    spn_entropy_plan *p = plan;
    spn_chain_plan_clear(&p->options);
    free(p->flips);
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const spn_entropy_plan *p = plan;
    SPN_TRY(spn_instance_resolve(out, &p->instance, job, err));
    if (p->count > 0 && !p->distance)
        SPN_TRY(spn_record_add_setting(out, "distance", DISTANCES, err));
    return spn_chain_plan_resolve(out, &p->options, job, err);
}

/* ---- cost ---- */

static size_t centre_count(const spn_entropy_plan *p)
{
    if (p->around != SPN_AROUND_REPLICAS || p->count == 0)
        return 1;
    return p->states ? p->states->count : p->options.options.replicas;
}

static uint64_t short_scans(const spn_entropy_plan *p, uint64_t steps)
{
    const uint64_t scans = steps / (2 * p->instance.sites);
    return scans > 0 ? scans : 1;
}

/* In units of about ten nanoseconds, as for anneal. *ladder: one ladder with its search. */
static spn_cost work_of(double *chain, double *ladder, const spn_entropy_plan *p, uint64_t steps)
{
    /* The search runs a ladder an eighth as long. */
    const double reject = 0.5, patterns_per_change = 256, likely_rungs = 24, search = 1.125;
    const double change = reject + 1 + p->instance.patterns / patterns_per_change;
    const double rungs = p->rungs ? (double)p->rungs : likely_rungs;
    const double scans = steps ? (double)short_scans(p, steps) : (double)p->scans;
    const double sweep = (double)p->instance.sites * fmax(p->scan_sweeps, 1e-9);
    const double one = 2 * scans * sweep * rungs * (steps ? 1 : search);
    const double ladders = steps ? 1 : (double)(centre_count(p) * p->count + p->all);
    const double annealed =
        !steps && p->annealed ? spn_chain_plan_proposals(&p->options, p->options.usual_steps) : 0;
    *chain = annealed * change;
    *ladder = one * change;
    return (spn_cost){.proposals = annealed + one * ladders, .work = *chain + *ladder * ladders};
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    double chain, ladder;
    return work_of(&chain, &ladder, plan, steps);
}

/* ---- the run ---- */

static void show(void *context, double done)
{
    const spn_entropy_run *r = context;
    spn_meter_show(&r->meter, r->ladder_work, done);
}

static spn_status find_cold(spn_entropy_run *r, spn_error *err)
{
    spn_beta_range range;
    spn_beta_range_options o = spn_beta_range_defaults();
    r->cold = r->plan->cold;
    if (r->cold > 0)
        return SPN_OK;
    o.seed = r->job->seed;
    const spn_status status = spn_beta_range_measure(&range, r->instance.energy, &o, err);
    r->cold = range.end;
    return status;
}

/* Each measurement uses random streams of its own, chosen by its number. */
static spn_status measure(spn_entropy_run *r, size_t number, const spn_local_entropy_options *asked,
                          spn_error *err)
{
    const spn_entropy_plan *p = r->plan;
    spn_local_entropy_options options = *asked;
    spn_chain_options chain = spn_chain_defaults();
    spn_ladder_options ladder = spn_ladder_defaults();
    chain.kernel = SPN_KERNEL_ONE_STAGE;
    chain.seed = r->job->seed;
    chain.run = (uint32_t)(number + 1) * SPN_LOCAL_ENTROPY_RUNS;
    options.stop = r->run->stop;
    ladder.chain = &chain;
    ladder.beta_last = r->cold;
    ladder.rungs = (size_t)p->rungs;
    ladder.scans = r->run->steps ? short_scans(p, r->run->steps) : p->scans;
    ladder.rounds = (uint32_t)p->rounds;
    ladder.scan_steps = (uint64_t)fmax(round(p->scan_sweeps * (double)p->instance.sites), 1);
    ladder.threads = p->options.options.threads;
    options.ladder = &ladder;
    options.up_to = p->up_to;
    options.progress = show;
    options.context = r;
    spn_local_entropy *found = &r->counted[number];
    assert(found);
    SPN_TRY(spn_local_entropy_measure(found, r->instance.energy, &options, err));
    r->done += found->proposals;
    r->seconds += found->seconds;
    r->stopped = found->stop == SPN_STOP_REQUEST;
    spn_meter_pass(&r->meter, r->ladder_work);
    return SPN_OK;
}

static spn_status measure_all_distances(spn_entropy_run *r, spn_error *err)
{
    const spn_entropy_plan *p = r->plan;
    for (size_t c = 0; c < r->centres; c++) {
        spn_local_entropy_options o = spn_local_entropy_defaults();
        o.centre = r->spins + c * r->instance.sites;
        for (size_t k = 0; k < p->count && !r->stopped; k++) {
            o.distance = p->flips[k];
            SPN_TRY(measure(r, c * p->count + k, &o, err));
        }
    }
    return SPN_OK;
}

static spn_status run_ladders(spn_entropy_run *r, spn_outcome *outcome, spn_error *err)
{
    const spn_entropy_plan *p = r->plan;
    spn_local_entropy_options o = spn_local_entropy_defaults();
    if (r->run->steps) { /* only to measure the speed */
        o.share = 0;
        return measure(r, 0, &o, err);
    }
    SPN_TRY(entropy_find_centres(r, outcome, err));
    if (!r->stopped)
        SPN_TRY(measure_all_distances(r, err));
    return r->stopped || !p->all ? SPN_OK : measure(r, r->centres * p->count, &o, err);
}

static spn_status add_results(spn_record *out, spn_entropy_run *r, spn_error *err)
{
    out->instance_seed = r->instance.seed;
    SPN_TRY(spn_entropy_sum_up(r, err));
    SPN_TRY(spn_results_add(out, spn_entropy_results, r, r->plan, r->run->details, err));
    return r->run->details ? spn_entropy_note(out, r, err) : SPN_OK;
}

static spn_status run_entropy(spn_record *out, spn_outcome *outcome, const void *plan,
                              const spn_job *job, const spn_run *run, spn_error *err)
{
    const spn_entropy_plan *p = plan;
    spn_entropy_run r = {.plan = p, .job = job, .run = run};
    r.meter = spn_meter_start(run, work_of(&r.chain_work, &r.ladder_work, p, run->steps).work);
    spn_status status;
    SPN_TRY_OR(cleanup, spn_instance_make(&r.instance, &p->instance, job->instance_seed, err));
    SPN_TRY_OR(cleanup, find_cold(&r, err));
    r.counted = spn_alloc(centre_count(p) * p->count + 1, sizeof *r.counted);
    SPN_TRY_OR(cleanup, r.counted ? SPN_OK : spn_no_memory(err, "the results"));
    SPN_TRY_OR(cleanup, run_ladders(&r, outcome, err));
    outcome->complete = !r.stopped;
    outcome->proposals = r.done;
    outcome->seconds += r.seconds;
    if (!run->steps && !r.stopped)
        status = add_results(out, &r, err);
cleanup:
    SPN_FREE_ALL(r.counted, r.spins, r.energy, r.local.rows, r.each.rows);
    spn_instance_clear(&r.instance);
    return status;
}

const spn_task spn_entropy_task = {.name = "entropy",
                                   .summary = "count the states of low energy around a state",
                                   .details = details,
                                   .examples = examples,
                                   .settings = settings,
                                   .results = spn_entropy_results,
                                   .plan_size = sizeof(spn_entropy_plan),
                                   .plan = plan_entropy,
                                   .clear = clear,
                                   .resolve = resolve,
                                   .cost = cost,
                                   .run = run_entropy};
