/* The task `population`: population annealing. */
#include "base/number.h"
#include "job/run.h"
#include "record/record.h"
#include "task/ensemble.h"
#include "task/tables.h"

#include <math.h>
#include <spinney/population.h>
#include <stdlib.h>
#include <string.h>

typedef struct population_plan {
    spn_ensemble_plan each;
    uint64_t groups, points;
    spn_engine engine;
    double culled, sweeps;
    const char *beta, *gamma;
    spn_population_options options; /* made from these, without the chain */
} population_plan;

SPN_WORD_OF(engine_word, spn_engine, spn_engine_name)

#define AT(member) .at = offsetof(population_plan, member)
static const spn_setting settings[] = {
    {.group = spn_energy_rows, AT(each.energy)},
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
    {"engine", SPN_SETTING_WORD, .argument = "HOW", .otherwise = "auto", .word = engine_word,
     AT(engine),
     .help =
         "how groups are walked; plain one after the other, words up to 512 at once in words of "
         "bits (sequential order, small integer couplings, no centre and no target), with other "
         "random numbers from the same distribution, auto in words if possible"},
    SPN_HEADING("Groups"),
    {.group = spn_ensemble_rows, AT(each.settings)},
    {.name = NULL}};
#undef AT

typedef struct populated {
    spn_ensemble run;
    const population_plan *plan;
    double energy, energy_error, families, point_count, steps_done, proposals;
    spn_population_result found;
    spn_curve_rows points; /* of spn_population_point */
} populated;

#define COLUMN(column, ...) SPN_COLUMN("points", spn_population_point, column, __VA_ARGS__)
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
    {.group = spn_cut_results, AT(run)},
    {.group = spn_problem_state_results, AT(run)},
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
    {"stop", SPN_QUANTITY_TEXT, AT(run.stop),
     .help = "why the run ended: steps, target, time or interrupted"},
    {"steps_done", AT(steps_done), .unit = "steps", .label = "steps of a group",
     .help = "steps done by each group"},
    {"proposals", AT(proposals), .label = "proposals",
     .help = "proposals of all groups and replicas; a draw at beta 0 counts as the steps it "
             "replaces"},
    {"beta_end", AT(found.beta), .label = "beta at the end", .help = "value of beta at the end"},
    {"health", SPN_QUANTITY_TEXT, AT(run.health),
     .help = "health of the population: good, too short to tell (too few families), hot at the "
             "end"},
    SPN_SECONDS_QUANTITY,
    {.group = spn_ensemble_hit_results, AT(run)},
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
    double *last = &p->options.beta_last;
    p->each.cold = strcmp(p->beta, "auto") == 0 ? SPN_ENSEMBLE_COLD : 0;
    if (p->each.cold > 0 || (spn_number_parse(last, p->beta) && isfinite(*last) && *last > 0))
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

static spn_status plan_population(void *plan, const spn_job *job, spn_inputs *inputs,
                                  spn_error *err)
{
    population_plan *p = plan;
    SPN_TRY(spn_ensemble_plan_make(&p->each, job, inputs, err));
    p->options = spn_population_defaults();
    p->options.groups = (size_t)p->groups;
    p->options.culled = p->culled;
    p->options.points = p->points;
    p->options.engine = p->engine;
    p->options.threads = (unsigned)p->each.settings.threads;
    SPN_TRY(read_beta(p, err));
    SPN_TRY(read_gamma(p, err));
    const spn_chain_options *c = &p->each.chain;
    const double per_step = (double)spn_order_proposals(c->order, c->replicas);
    const double steps =
        fmax(round(p->sweeps * (double)p->each.instance.sites * (double)c->replicas / per_step), 1);
    if (steps > 0x1p40)
        return spn_setting_fail("sweeps", err, "they have more than 2^40 steps");
    p->options.sweep_steps = (uint64_t)steps;
    return SPN_OK;
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const population_plan *p = plan;
    if (p->points && !spn_job_given(job, "culled"))
        spn_record_remove_setting(out, "culled");
    return spn_instance_resolve(out, &p->each.instance, job, err);
}

static double proposals_of(const population_plan *p, uint64_t steps)
{
    /* With a tenth culled at each step, beta took 2 to 5 steps for each root of a spin, on
       lattices, graphs and perceptrons of 20 to 3,000 spins. */
    const double per_root = 3;
    const double points =
        p->points ? (double)p->points
                  : per_root * sqrt((double)(p->each.instance.sites * p->each.chain.replicas));
    const double each = (double)spn_order_proposals(p->each.chain.order, p->each.chain.replicas);
    return (steps ? (double)steps : points * (double)p->options.sweep_steps) * each *
           (double)p->groups;
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const population_plan *p = plan;
    return spn_ensemble_cost(&p->each, proposals_of(p, steps));
}

/* ---- what was found ---- */

static spn_status take(spn_ensemble *e, spn_error *err)
{
    populated *p = (populated *)e;
    const spn_sampler *population = p->run.ran.sampler;
    const double replicas = (double)p->plan->each.chain.replicas;
    spn_population_result *r = &p->found;
    const size_t count = spn_population_points(population);
    if (count == 0)
        return SPN_OK; /* stopped before there was a population */
    spn_population_look(r, population);
    p->energy = r->energy / replicas;
    p->energy_error = r->energy_error / replicas;
    p->families = (double)r->families;
    p->point_count = (double)r->points;
    p->steps_done = (double)(r->points * r->sweep_steps);
    p->proposals = (double)r->proposals;
    SPN_TRY(spn_ensemble_take(&p->run, r->best_energy, r->first_hit, r->first_hit_proposals,
                              r->first_hit_seconds, err));
    spn_population_point *row = spn_curve_make(&p->points, count, sizeof *row, err);
    for (size_t k = 0; row && k < count; k++)
        spn_population_point_look(&row[k], population, k);
    return row ? SPN_OK : SPN_ERROR_MEMORY;
}

static spn_status note_health(spn_record *out, const populated *p, spn_error *err)
{
    const spn_population_result *r = &p->found;
    switch (spn_sampler_health(p->run.ran.sampler)) {
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

static spn_status note(spn_record *out, const spn_ensemble *e, spn_error *err)
{
    const populated *p = (const populated *)e;
    const spn_population_result *r = &p->found;
    SPN_TRY(spn_record_add_note(out, err, "%zu groups, beta 0 to %.4g%s in %.0f steps, gamma %.4g",
                                r->groups, r->beta, p->plan->each.cold > 0 ? " by the energy" : "",
                                (double)r->points - 1, r->gamma));
    if (isfinite(r->log_z_low))
        SPN_TRY(spn_record_add_note(out, err,
                                    "log Z %.8g, 95%% from %.8g to %.8g: absolute; %zu families, "
                                    "of mean size %.4g",
                                    r->log_z, r->log_z_low, r->log_z_high, r->families, r->rho));
    return note_health(out, p, err);
}

static spn_status collect(spn_ensemble *e, spn_error *err)
{
    const spn_population_result *r = &((populated *)e)->found;
    double lowest = INFINITY;
    for (size_t g = 0; g < r->groups; g++) {
        const double *energies;
        const int8_t *spins = spn_population_group(e->ran.sampler, g, &energies);
        SPN_TRY(spn_ensemble_add(e, spins, energies, err));
        for (size_t a = 0; a < e->plan->chain.replicas; a++)
            lowest = fmin(lowest, energies[a]);
    }
    return r->best_energy < lowest
               ? spn_samples_add(e->solutions->samples, r->best_spins, r->best_energy, 1, err)
               : SPN_OK;
}

/* ---- the run ---- */

static spn_status make(spn_ensemble *e, const spn_job *job, const spn_run *run, spn_error *err)
{
    const population_plan *p = ((populated *)e)->plan;
    spn_population_options o = p->options;
    spn_chain_options chain = p->each.chain;
    if (run->trace)
        return spn_setting_fail("trace", err,
                                "is of one chain, and a population has many; leave it out: the "
                                "curve points has each step of beta");
    if (p->each.cold > 0)
        o.beta_last = e->beta_cold;
    if (run->steps) { /* a short run for calibration */
        o.points = 1;
        o.sweep_steps = run->steps;
    }
    chain.seed = job->seed;
    o.chain = &chain;
    return spn_population_create(&e->ran.sampler, e->instance.energy, &o, err);
}

static spn_status run_population(spn_record *out, spn_outcome *outcome, const void *plan,
                                 const spn_job *job, const spn_run *run, spn_error *err)
{
    static const spn_ensemble_type type = {results, make, take, note, collect};
    populated p = {.plan = plan};
    const spn_status status = spn_ensemble_run(&p.run, &type, out, outcome, plan, job, run, err);
    free(p.points.rows);
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
