/* The task `population`: population annealing of any built-in energy. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"
#include "job/energy_settings.h"
#include "job/results.h"
#include "job/solutions.h"
#include "record/record.h"
#include "task/chain_ready.h"
#include "task/chain_results.h"
#include <spinney/lab/task.h>

#include <inttypes.h>
#include <math.h>
#include <spinney/population.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---- */

typedef struct population_plan {
    spn_energy_settings energy;
    spn_chain_settings chain;
    uint64_t groups, points, threads;
    double culled, sweeps, seconds;
    const char *beta, *gamma;
    /* What they make. */
    spn_instance instance;
    spn_chain_options groups_as; /* the chain of a group */
    spn_population_options options;
    double cold; /* the share of changes that beta by the energy leaves; 0: beta is given */
} population_plan;

#define AT(member) .at = offsetof(population_plan, member)
static const spn_setting settings[] = {
    {.group = spn_energy_rows, AT(energy)},
    SPN_HEADING("Population"),
    {"groups", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "R", .fallback = "1024",
     .least = SPN_POPULATION_FEWEST, .most = 1 << 24, AT(groups),
     .help = "size of the population; each group has `replicas` coupled replicas"},
    {"beta", SPN_SETTING_TEXT, .flags = SPN_SETTING_COMMON, .argument = "COLD|auto",
     .fallback = "auto", AT(beta),
     .help = "inverse temperature at the end; the population starts at 0. auto measures the "
             "energy: at the end 1e-4 of the uphill changes of descended states, weighted by "
             "their size, are accepted",
     .label = "inverse temperature β at the end"},
    {"gamma", SPN_SETTING_RANGE, .flags = SPN_SETTING_COMMON, .argument = "G[:END]",
     .fallback = "0.5", AT(gamma), .help = "coupling of the replicas, constant or rising with beta",
     .label = "coupling γ"},
    {"culled", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON, .argument = "SHARE",
     .fallback = "0.1", .least = 1e-6, .most = 0.9, AT(culled),
     .help = "share of the groups that resampling may leave out at each step of beta; it sets the "
             "steps' lengths"},
    {"points", SPN_SETTING_WHOLE, .argument = "K", .otherwise = "`culled` decides", .least = 1,
     .most = INT32_MAX, AT(points), .help = "make K equal steps of beta instead"},
    {"sweeps", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON, .argument = "W", .fallback = "10",
     .least = 1e-3, .most = 1e6, AT(sweeps),
     .help = "proposals for each spin of each replica after each step of beta"},
    SPN_HEADING("Groups"),
    {.group = spn_replicas_rows, AT(chain)},
    {.group = spn_coupling_rows, AT(chain)},
    {.group = spn_kernel_rows, AT(chain)},
    {.group = spn_seed_rows, AT(chain)},
    {"threads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_EFFORT | SPN_SETTING_COMMON,
     .argument = "n", .fallback = "1", .least = 1, .most = 4096, AT(threads),
     .help = "number of threads; the results do not depend on it"},
    SPN_HEADING("Stops"),
    {.group = spn_target_rows, AT(chain)},
    {"time", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON, .argument = "SECONDS",
     .unit = "seconds", .otherwise = "no limit", .least = 1e-3, .most = 1e9, AT(seconds),
     .help = "stop after this time"},
    {.name = NULL}};
#undef AT

/* ---- results ---- */

/* A population that was run, and what was found. */
typedef struct populated {
    const population_plan *plan;
    spn_instance instance;
    spn_ran ran;
    spn_solutions *solutions;
    const char *stop, *health;
    double energy, energy_error, families, groups, point_count, steps_done, proposals;
    spn_population_result found;
    spn_hit_found hit;
    spn_curve_rows points; /* of spn_population_point */
} populated;

static const char *cut_needs(const void *plan)
{
    const population_plan *p = plan;
    return spn_instance_has_cuts(&p->instance) ? NULL : "the energy maxcut; show best_energy";
}

static double cut_of(const void *run)
{
    const populated *p = run;
    return spn_instance_cut_of_energy(&p->instance, p->found.best_energy);
}

static const char *hit_needs(const void *plan)
{
    const population_plan *p = plan;
    return p->groups_as.target != SPN_TARGET_NONE || spn_instance_counts_errors(&p->instance)
               ? NULL
               : "a target, such as target: 0";
}

#define COLUMN(column, ...)                                                                        \
    {                                                                                              \
        "points." #column, SPN_QUANTITY_COLUMN, .at = offsetof(spn_population_point, column),      \
                                                __VA_ARGS__                                        \
    }
static const spn_quantity point_results[] = {
    COLUMN(beta, .label = "inverse temperature β", .help = "beta"),
    COLUMN(gamma, .label = "coupling γ", .help = "gamma"),
    COLUMN(energy, .label = "mean energy of a group", .help = "mean total energy of a group"),
    COLUMN(log_z, .label = "log Z", .help = "log Z up to here"),
    COLUMN(culled, .label = "culled share", .help = "share of the groups that had no copy"),
    COLUMN(families, .label = "families", .help = "families with at least one group"),
    COLUMN(rho, .label = "mean family size ρ", .help = "mean family size"),
    COLUMN(acceptance, .label = "accepted share of the proposals",
           .help = "acceptance rate of the proposals; none at beta 0, where states are drawn"),
    {.name = NULL}};

#define AT(member) .at = offsetof(populated, member)
static const spn_quantity results[] = {
    {"cut", .flags = SPN_QUANTITY_BEST, .label = "largest cut met", .needs = cut_needs,
     .number = cut_of, .help = "maxcut: the largest cut found by any replica"},
    {"best_energy", AT(found.best_energy), .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_BEST,
     .label = "lowest energy met", .help = "the lowest energy found by any replica"},
    {"energy", AT(energy), .label = "mean energy at the end",
     .help = "energy of a replica at the end, averaged over the population"},
    {"energy_error", AT(energy_error), .label = "standard error of the energy",
     .help = "its standard error, from families"},
    {"overlap", AT(found.overlap), .label = "mean overlap of the replicas",
     .help = "scalar product of two replicas over N, averaged over pairs and groups; 1 for one "
             "replica"},
    {"log_z", AT(found.log_z), .flags = SPN_QUANTITY_MAIN, .label = "log Z",
     .help = "logarithm of the sum of exp(-beta U + H_gamma) over all states of a group; absolute"},
    {"log_z_error", AT(found.log_z_error), .label = "standard error of log Z",
     .help = "its standard error, from families"},
    {"log_z_low", AT(found.log_z_low), .label = "95% interval of log Z, low",
     .help = "lower end of its 95% confidence interval"},
    {"log_z_high", AT(found.log_z_high), .label = "95% interval of log Z, high",
     .help = "upper end"},
    {"entropy", AT(found.entropy), .label = "entropy",
     .help = "entropy of the distribution at the end in nats: log Z + beta <U> - <H_gamma>"},
    {"entropy_error", AT(found.entropy_error), .label = "standard error of the entropy",
     .help = "its standard error"},
    {"rho", AT(found.rho), .flags = SPN_QUANTITY_MAIN, .label = "mean family size ρ",
     .help = "R times the sum of the squared shares of the families; trust the run if it is far "
             "below R / 10"},
    {"families", AT(families), .label = "families",
     .help = "groups of the start that have a descendant at the end"},
    {"family_entropy", AT(found.family_entropy), .label = "entropy of the families",
     .help = "-sum of share times log share over the families; at most log R"},
    {"point_count", AT(point_count), .label = "points",
     .help = "values of beta that the population was at, 0 included"},
    {"stop", SPN_QUANTITY_TEXT, AT(stop),
     .help = "why the run ended: steps, target, time or interrupted"},
    {"steps_done", AT(steps_done), .unit = "steps", .label = "steps of a group",
     .help = "steps done by each group"},
    {"proposals", AT(proposals), .label = "proposals",
     .help = "proposals of all groups and replicas; a draw at beta 0 counts as the steps it "
             "replaces"},
    {"beta_end", AT(found.beta), .label = "beta at the end", .help = "value of beta at the end"},
    {"health", SPN_QUANTITY_TEXT, AT(health),
     .help = "health of the population: good, too short to tell (too few families), hot at the "
             "end"},
    SPN_SECONDS_QUANTITY,
    {.group = spn_hit_results, AT(hit), .needs = hit_needs},
    {.help = "Each value of beta"},
    {.group = point_results, AT(points)},
    {.name = NULL}};
#undef AT

static const char details[] = "Ctrl-C ends the run soon and reports the results so far.\n";

static const char examples[] =
    "  spinney population --energy ising --graph glass.txt --threads 2\n"
    "  spinney population --energy qubo --graph shopping.txt --replicas 1 --out states.csv\n"
    "  spinney population --energy ising --graph glass.txt --y points.rho --plot families.svg\n";

/* ---- planning ---- */

static spn_status read_beta(population_plan *p, spn_error *err)
{
    /* as the ladder's: docs/tempering.md */
    const double cold = 1e-4;
    p->cold = strcmp(p->beta, "auto") == 0 ? cold : 0;
    if (p->cold > 0 || (spn_number_parse(&p->options.beta_last, p->beta) &&
                        isfinite(p->options.beta_last) && p->options.beta_last > 0))
        return SPN_OK;
    return spn_setting_fail("beta", err, "'%.60s' is not auto or a number above 0", p->beta);
}

static spn_status read_gamma(population_plan *p, spn_error *err)
{
    spn_error why = {0};
    spn_schedule *way = NULL;
    if (spn_schedule_parse(&way, p->gamma, strchr(p->gamma, ':') ? "linear" : NULL, &why))
        return spn_setting_blame("gamma", &why, err);
    p->options.gamma_first = spn_schedule_value(way, 0, 1, 0, 1);
    p->options.gamma_last = spn_schedule_value(way, 1, 1, 0, 1);
    spn_schedule_free(way);
    return SPN_OK;
}

static spn_status read_steps(population_plan *p, spn_error *err)
{
    const spn_chain_options *c = &p->groups_as;
    const double per_step = (double)spn_order_proposals(c->order, c->replicas);
    const double steps =
        fmax(round(p->sweeps * (double)p->instance.sites * (double)c->replicas / per_step), 1);
    if (steps > 0x1p40)
        return spn_setting_fail("sweeps", err, "they have more than 2^40 steps");
    p->options.sweep_steps = (uint64_t)steps;
    return SPN_OK;
}

static spn_status plan_population(void *plan, const spn_job *job, spn_inputs *inputs,
                                  spn_error *err)
{
    population_plan *p = plan;
    spn_chain_options *c = &p->groups_as;
    SPN_TRY(spn_instance_plan(&p->instance, &p->energy, job, inputs, err));
    *c = spn_chain_defaults();
    c->replicas = (size_t)p->chain.replicas;
    c->kernel = (spn_kernel)p->chain.kernel;
    c->order = (spn_order)p->chain.order;
    SPN_TRY(spn_chain_read_coupling(c, &p->chain, job, err));
    if (spn_job_text(job, "target")) {
        c->target = SPN_TARGET_ANY;
        SPN_TRY(spn_instance_target(&c->target_energy, &p->instance, p->chain.target, err));
    }
    p->options = spn_population_defaults();
    p->options.groups = (size_t)p->groups;
    p->options.culled = p->culled;
    p->options.points = p->points;
    p->options.threads = (unsigned)p->threads;
    SPN_TRY(read_beta(p, err));
    SPN_TRY(read_gamma(p, err));
    return read_steps(p, err);
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const population_plan *p = plan;
    if (p->points && !spn_job_given(job, "culled"))
        spn_record_remove_setting(out, "culled");
    return spn_instance_resolve(out, &p->instance, err);
}

static double proposals_of(const population_plan *p, uint64_t steps)
{
    /* at a culled share of 0.1, on lattices, graphs and perceptrons of 20 to 3,000 spins, beta made
       2 to 5 steps for each root of a spin */
    const double per_root = 3;
    const double points =
        p->points ? (double)p->points
                  : per_root * sqrt((double)(p->instance.sites * p->groups_as.replicas));
    const double each = (double)spn_order_proposals(p->groups_as.order, p->groups_as.replicas);
    return (steps ? (double)steps : points * (double)p->options.sweep_steps) * each *
           (double)p->groups;
}

/* In units of about ten nanoseconds, as that of anneal. */
static spn_cost cost(const void *plan, uint64_t steps)
{
    const double reject = 0.5, patterns_per_change = 256;
    const population_plan *p = plan;
    const double change = 1 + p->instance.patterns / patterns_per_change;
    const double proposals = proposals_of(p, steps);
    return (spn_cost){.proposals = proposals, .work = proposals * (reject + change)};
}

/* ---- what was found ---- */

static spn_status take_points(populated *p, spn_error *err)
{
    const size_t count = spn_population_points(p->ran.sampler);
    spn_population_point *rows = spn_alloc(count, sizeof *rows);
    if (!rows)
        return spn_no_memory(err, "the points of a population");
    for (size_t k = 0; k < count; k++)
        spn_population_point_look(&rows[k], p->ran.sampler, k);
    p->points = (spn_curve_rows){count, sizeof *rows, rows};
    return SPN_OK;
}

static spn_status take(populated *p, spn_error *err)
{
    const double replicas = (double)p->plan->groups_as.replicas;
    spn_population_result *r = &p->found;
    spn_population_look(r, p->ran.sampler);
    const bool hit = r->first_hit != SPN_NO_HIT;
    p->stop = spn_stop_name(p->ran.stop);
    p->health = spn_health_name(spn_sampler_health(p->ran.sampler));
    p->energy = r->energy / replicas;
    p->energy_error = r->energy_error / replicas;
    p->families = (double)r->families;
    p->point_count = (double)r->points;
    p->steps_done = (double)(r->points * r->sweep_steps);
    p->proposals = (double)r->proposals;
    p->hit = (spn_hit_found){hit ? 1 : 0, hit ? (double)r->first_hit : NAN,
                             hit ? (double)r->first_hit_proposals : NAN, r->first_hit_seconds};
    return take_points(p, err);
}

static spn_status note_health(spn_record *out, const populated *p, spn_error *err)
{
    const spn_population_result *r = &p->found;
    switch (spn_sampler_health(p->ran.sampler)) {
    case SPN_HEALTH_SHORT:
        return spn_record_add_note(
            out, err,
            "too short to tell: %zu of %zu families are left, of mean size %.4g; give more groups "
            "(groups: %zu) or more sweeps (sweeps: %.4g)",
            r->families, r->groups, r->rho, 4 * r->groups, 4 * p->plan->sweeps);
    case SPN_HEALTH_HOT_END:
        return spn_record_add_note(
            out, err,
            "hot at the end: more than 1 in 20 of the last proposals still "
            "went uphill; raise beta, or leave it to the energy (beta: auto)");
    default:
        return SPN_OK;
    }
}

static spn_status note(spn_record *out, const populated *p, spn_error *err)
{
    const spn_population_result *r = &p->found;
    SPN_TRY(spn_instance_note(out, &p->instance, err));
    SPN_TRY(spn_record_add_note(out, err, "%zu groups, beta 0 to %.4g%s in %.0f steps, gamma %.4g",
                                r->groups, r->beta, p->plan->cold > 0 ? " by the energy" : "",
                                (double)r->points - 1, r->gamma));
    if (isfinite(r->log_z_low))
        SPN_TRY(spn_record_add_note(out, err,
                                    "log Z %.8g, 95%% from %.8g to %.8g: absolute; %zu families, "
                                    "of mean size %.4g",
                                    r->log_z, r->log_z_low, r->log_z_high, r->families, r->rho));
    return note_health(out, p, err);
}

/* The states of the population at the end, each replica for itself, and the best state. */
static spn_status collect(populated *p, spn_error *err)
{
    const size_t replicas = p->plan->groups_as.replicas, sites = p->instance.sites;
    double lowest = INFINITY;
    SPN_TRY(spn_solutions_create(&p->solutions, &p->instance, err));
    spn_samples *samples = p->solutions->samples;
    for (size_t g = 0; g < p->found.groups; g++) {
        const double *energies;
        const int8_t *spins = spn_population_group(p->ran.sampler, g, &energies);
        for (size_t a = 0; a < replicas; a++) {
            SPN_TRY(spn_samples_add(samples, spins + a * sites, energies[a], 1, err));
            lowest = fmin(lowest, energies[a]);
        }
    }
    if (p->found.best_energy < lowest)
        SPN_TRY(spn_samples_add(samples, p->found.best_spins, p->found.best_energy, 1, err));
    spn_samples_sort(samples);
    return SPN_OK;
}

/* ---- the run ---- */

static spn_status make_population(populated *p, uint64_t seed, uint64_t steps, spn_error *err)
{
    spn_population_options o = p->plan->options;
    spn_chain_options chain = p->plan->groups_as;
    if (p->plan->cold > 0) {
        spn_beta_range_options measure = spn_beta_range_defaults();
        spn_beta_range range;
        measure.seed = seed;
        measure.cold = p->plan->cold;
        measure.changes = spn_beta_changes(proposals_of(p->plan, 0));
        SPN_TRY(spn_beta_range_measure(&range, p->instance.energy, &measure, err));
        o.beta_last = range.end;
    }
    if (steps) { /* a short run, for calibration */
        o.points = 1;
        o.sweep_steps = steps;
    }
    chain.seed = seed;
    o.chain = &chain;
    return spn_population_create(&p->ran.sampler, p->instance.energy, &o, err);
}

static spn_status anneal(populated *p, spn_outcome *outcome, const spn_job *job, const spn_run *run,
                         spn_error *err)
{
    char content[64];
    const double started = spn_clock(), work = cost(p->plan, run->steps).work;
    const spn_meter meter = spn_meter_start(run, work);
    if (run->trace)
        return spn_setting_fail("trace", err,
                                "is of one chain, and a population has many; leave it out: the "
                                "curve points has each step of beta");
    if (!run->steps)
        SPN_TRY(spn_solutions_try(run->product, err));
    SPN_TRY(spn_instance_make(&p->instance, &p->plan->instance, job->instance_seed, err));
    SPN_TRY(make_population(p, job->seed, run->steps, err));
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&p->instance));
    spn_sampler_job how = {.job = job,
                           .plan = p->plan,
                           .run = run,
                           .content = content,
                           .meter = &meter,
                           .work = work,
                           .in_all = true};
    if (p->plan->seconds > 0)
        how.seconds = fmax(p->plan->seconds - (spn_clock() - started), 1e-6);
    return spn_sampler_job_run(&p->ran, outcome, &how, err);
}

static spn_status report(spn_record *out, populated *p, const spn_run *run, spn_error *err)
{
    out->instance_seed = p->instance.seed;
    if (spn_population_points(p->ran.sampler) == 0)
        return SPN_OK; /* stopped before there was a population */
    SPN_TRY(take(p, err));
    SPN_TRY(spn_results_add(out, results, p, p->plan, run->details, err));
    if (run->details)
        SPN_TRY(note(out, p, err));
    SPN_TRY(collect(p, err));
    return run->steps == 0 && run->product ? spn_solutions_write(p->solutions, run->product, err)
                                           : SPN_OK;
}

static spn_status run_population(spn_record *out, spn_outcome *outcome, const void *plan,
                                 const spn_job *job, const spn_run *run, spn_error *err)
{
    populated p = {.plan = plan};
    spn_status status = anneal(&p, outcome, job, run, err);
    if (!status)
        status = report(out, &p, run, err);
    if (run->solutions && !status) {
        *run->solutions = p.solutions;
        p.solutions = NULL;
    }
    spn_solutions_free(p.solutions);
    free(p.points.rows);
    spn_sampler_free(p.ran.sampler);
    spn_instance_clear(&p.instance);
    return status;
}

const spn_task spn_population_task = {
    .name = "population",
    .summary = "sample and minimise by population annealing, and estimate log Z",
    .details = details,
    .examples = examples,
    .product = "the states of the population at the end; .csv, .npy and .json hold energies "
               "and counts, other names one state per line",
    .product_extension = "txt",
    .chain = true,
    .settings = settings,
    .results = results,
    .plan_size = sizeof(population_plan),
    .plan = plan_population,
    .resolve = resolve,
    .cost = cost,
    .run = run_population};
