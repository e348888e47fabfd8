#include "job/run.h"
#include "record/record.h"
#include "task/annealed.h"
#include "task/tables.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/device.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define AT(member) .at = offsetof(spn_anneal_plan, member)

SPN_WORD_OF(engine_word, spn_engine, spn_engine_name)

static const spn_setting settings[] = {
    {.group = spn_energy_rows, AT(energy)},
    {.group = spn_problem_rows, AT(problem)},
    {.group = spn_chain_rows, AT(chain)},
    SPN_HEADING("Reads"),
    {"reads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "R",
     .otherwise = "1; for a graph with `time` and no coupled replicas 512, or fewer if reads would "
                  "get too short",
     .least = 1, .most = 1e9, AT(reads),
     .help =
         "independent runs whose best states are reported together; `threads` of them run at once. "
         "With more than one read of a graph, `replicas` defaults to 1 and `order` to sequential"},
    {"engine", SPN_SETTING_WORD, .argument = "HOW", .otherwise = "auto", .word = engine_word,
     AT(engine),
     .help =
         "how many reads are made at once; plain makes chains one after the other, lanes the same "
         "chains in vectors (sequential order; small integer couplings, or dense ones of any "
         "size), words up to 512 reads in words of bits (sequential order, small integer "
         "couplings), auto takes words from 512 reads, or from 64 of several replicas, else lanes. "
         "Words draw other random numbers from the same distribution"},
    {"device", SPN_SETTING_TEXT, .flags = SPN_SETTING_EFFORT, .argument = "NAME",
     .otherwise = "cpu", AT(device),
     .help =
         "where reads in words are made, with the same results; cpu is the processor, auto takes "
         "a GPU from 2048 reads if there is one, NAME is a device that spinney devices lists, or a "
         "part of its name"},
    {.group = spn_flip_rows, AT(flip)},
    {.group = spn_profile_rows, AT(profile)},
    {.name = NULL}};

static const char details[] =
    "Ctrl-C ends the run after the current step and reports the results so far.\n";

static const char examples[] =
    "  spinney anneal --energy qubo --graph shopping.txt --reads 100 --out states.csv\n"
    "  spinney anneal --problem plan.lp --time 2 --out plan.csv\n"
    "  spinney anneal --energy bits --random 1001,0.3,1 --target 0\n";

/* ---- planning ---- */

static spn_status take_target(spn_anneal_plan *p, spn_error *err)
{
    spn_chain_options *o = &p->options.options;
    if (o->target == SPN_TARGET_NONE)
        return SPN_OK;
    return spn_instance_target(&o->target_energy, &p->instance, p->chain.target, err);
}

/* Many reads of a graph, of one replica each in sequential order, run side by side in vectors. On
   six graphs of Gset, 64 of these took a fifth of the time of 16 reads of three replicas, and the
   best cut was larger or equal in five. */
static bool has_own_defaults(const spn_anneal_plan *p)
{
    return p->reads > 1 && p->instance.problem && p->instance.problem->edges &&
           p->chain.coupling == SPN_COUPLING_REPLICAS;
}

/* Waiting moves have no sequential order. */
static bool has_own_order(const spn_anneal_plan *p, const spn_job *job)
{
    return has_own_defaults(p) && p->chain.moves == SPN_MOVES_PLAIN && !spn_job_given(job, "order");
}

static void take_defaults(spn_anneal_plan *p, const spn_job *job)
{
    if (!has_own_defaults(p))
        return;
    if (!spn_job_given(job, "replicas"))
        p->chain.replicas = 1;
    if (has_own_order(p, job))
        p->chain.order = SPN_ORDER_SEQUENTIAL;
}

/* Whether words can hold the couplings: integers whose sizes sum to at most 255 at each site, so
   that in the units of any quadratic energy they sum to at most 510. */
static bool has_small_couplings(const spn_problem *problem)
{
    enum { MOST = 255 };
    double *sums = calloc(problem->sites, sizeof *sums);
    bool small = sums != NULL;
    for (size_t e = 0; small && e < problem->count; e++) {
        const spn_edge *edge = &problem->edges[e];
        const double size = fabs(edge->weight);
        sums[edge->i] += size;
        sums[edge->j] += edge->i == edge->j ? 0 : size;
        small = size == floor(size) && sums[edge->i] <= MOST && sums[edge->j] <= MOST;
    }
    free(sums);
    return small;
}

/* Whether it takes at least sqrt(N)/2 couplings from the first spin to the farthest one, as in two
   dimensions. O(sqrt(N) couplings). */
static bool is_wide(const spn_problem *problem)
{
    uint32_t *far = calloc(problem->sites, sizeof *far), steps = 1;
    bool more = far != NULL;
    if (more)
        far[0] = steps;
    for (; more && 2 * steps < sqrt((double)problem->sites); steps++) {
        more = false;
        for (size_t e = 0; e < problem->count; e++) {
            uint32_t *one = &far[problem->edges[e].i], *other = &far[problem->edges[e].j];
            more = more || (*one == steps && *other == 0) || (*other == steps && *one == 0);
            *other = *one == steps && *other == 0 ? steps + 1 : *other;
            *one = *other == steps && *one == 0 ? steps + 1 : *one;
        }
    }
    free(far);
    return more;
}

/* How many reads of a graph fill a time best (docs/speed.md). Of small couplings, 512 in words if
   each gets four thousand sweeps, at a quarter of a nanosecond per proposal, or four hundred if
   joining them pays; of others, as many as get two thousand sweeps, at two nanoseconds, up to 512.
   Else two long ones: one alone has other defaults if its steps are given to repeat it. */
static double best_reads(const spn_anneal_plan *p)
{
    const double most = 512, least = 16, few = 2, sites = (double)p->instance.sites;
    const double seconds = p->options.options.seconds;
    if (has_small_couplings(p->instance.problem)) {
        const double sweeps = seconds / (most * 0.25e-9 * sites);
        return sweeps >= 4000 || (sweeps >= 400 && is_wide(p->instance.problem)) ? most : few;
    }
    const double fit = floor(seconds / (2000 * 2e-9 * sites));
    return fit < least ? few : fmin(fit, most);
}

/* With a time to fill and no setting that asks for one run, many reads of a graph find more than
   one run. */
static void take_reads(spn_anneal_plan *p, const spn_job *job)
{
    static const char *const of_one[] = {
        "replicas",    "gamma", "gamma-schedule", "order",    "patience", "flip", "profile-walks",
        "stop-frozen", "init",  "schedule",       "coupling", "moves",    NULL};
    bool many = p->reads == 0 && p->options.options.stretch && p->instance.problem &&
                p->instance.problem->edges;
    for (size_t k = 0; many && of_one[k]; k++)
        many = !spn_job_given(job, of_one[k]);
    if (p->reads == 0)
        p->reads = many ? (uint64_t)best_reads(p) : 1;
    if (!many)
        return;
    p->options.options.replicas = 1;
    p->options.options.order = SPN_ORDER_SEQUENTIAL;
}

static spn_status resolve_defaults(spn_record *out, const spn_anneal_plan *p, const spn_job *job,
                                   spn_error *err)
{
    if (!spn_job_given(job, "reads")) {
        char text[32];
        snprintf(text, sizeof text, "%" PRIu64, p->reads);
        SPN_TRY(spn_record_add_setting(out, "reads", text, err));
    }
    if (has_own_defaults(p) && !spn_job_given(job, "replicas"))
        SPN_TRY(spn_record_add_setting(out, "replicas", "1", err));
    return has_own_order(p, job)
               ? spn_record_add_setting(out, "order", spn_order_name(SPN_ORDER_SEQUENTIAL), err)
               : SPN_OK;
}

static spn_status check_reads(const spn_anneal_plan *p, const spn_job *job, spn_error *err)
{
    static const char *const of_one[] = {"flip", "profile-walks", NULL};
    for (size_t k = 0; p->reads > 1 && of_one[k]; k++)
        if (spn_job_given(job, of_one[k]))
            return spn_setting_fail(of_one[k], err, "needs one run; leave `reads` out");
    if (p->reads == 1 && p->engine > SPN_ENGINE_PLAIN)
        return spn_setting_fail("engine", err, "%s makes many reads; give `reads`",
                                spn_engine_name(p->engine));
    return SPN_OK;
}

/* The name is checked before anything runs. */
static spn_status check_device(const spn_anneal_plan *p, spn_error *err)
{
    spn_error why = {0};
    const bool named = p->device && strcmp(p->device, "cpu") != 0 && strcmp(p->device, "auto") != 0;
    if (named && spn_device_check(p->device, &why))
        return spn_setting_fail("device", err, "%s: %s", p->device, why.text);
    if (named && p->reads == 1)
        return spn_setting_fail("device", err, "%s makes many reads; give `reads`", p->device);
    return SPN_OK;
}

static spn_status plan_anneal(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    spn_anneal_plan *p = plan;
    bool is_problem;
    SPN_TRY(spn_problem_is_given(&is_problem, job, err));
    if (is_problem)
        return spn_problem_plan_make(p, job, inputs, err);
    SPN_TRY(spn_instance_plan(&p->instance, &p->energy, job, inputs, err));
    take_defaults(p, job);
    SPN_TRY(spn_chain_plan_make(&p->options, &p->chain, job, inputs, p->instance.sites,
                                p->instance.sites, "energy", p->instance.problem, err));
    take_reads(p, job);
    SPN_TRY(take_target(p, err));
    SPN_TRY(check_reads(p, job, err));
    SPN_TRY(check_device(p, err));
    SPN_TRY(spn_flip_plan_make(&p->flips, &p->flip, job, p->options.options.replicas, err));
    if (p->flips.count && !spn_instance_has_patterns(&p->instance))
        return spn_setting_fail("flip", err, "needs an energy of patterns; %s has none",
                                p->instance.name);
    return spn_profile_settings_check(job, err);
}

static void clear(void *plan)
{
    spn_anneal_plan *p = plan;
    spn_problem_plan_clear(&p->program);
    spn_chain_plan_clear(&p->options);
    spn_flip_plan_clear(&p->flips);
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const spn_anneal_plan *p = plan;
    if (p->program.program)
        return spn_problem_resolve(out, p, job, err);
    spn_measure_resolve(out, job);
    SPN_TRY(spn_instance_resolve(out, &p->instance, job, err));
    SPN_TRY(resolve_defaults(out, p, job, err));
    return spn_chain_plan_resolve(out, &p->options, job, err);
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const spn_anneal_plan *p = plan;
    if (p->program.program)
        return spn_problem_cost(p, steps);
    /* In units of about ten nanoseconds, measured on one core with 1001 spins. A rejected proposal
       costs half a unit. An energy change costs one unit, plus one for each 256 patterns.
       Classifying 100 patterns costs one unit per spin. Attaching the energy costs a tenth of a
       unit per spin and pattern. */
    const double reject = 0.5, patterns_per_change = 256, patterns_per_classification = 100,
                 attach = 0.1;
    const double sites = (double)p->instance.sites, patterns = p->instance.patterns;
    const double change = 1 + patterns / patterns_per_change;
    spn_cost work = {0};
    work.proposals = spn_chain_plan_proposals(&p->options, steps ? steps : p->options.usual_steps) *
                     (steps ? 1 : (double)p->reads); /* a short run is one read */
    work.chain = work.proposals * (reject + change * spn_chain_plan_passes(&p->options));
    if (steps)
        return spn_cost_sum(work);
    work.flips = (double)p->flips.count * (double)p->flips.options.trials * sites *
                 (patterns / patterns_per_classification + 1);
    work.profile = (double)p->profile.walks * (double)p->options.options.replicas * sites *
                   (change * p->profile.reach + patterns * attach);
    return spn_cost_sum(work);
}

static spn_status patterns_right(size_t *out, const void *context, const int8_t *weights,
                                 spn_error *err)
{
    (void)err;
    *out = spn_patterns_right(context, weights);
    return SPN_OK;
}

/* Only replicas without an error are flipped. */
static spn_status measure_flips(spn_annealed *a, spn_measuring *m, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    if (a->plan->flips.count == 0)
        return SPN_OK;
    int8_t *weights = malloc(s->replicas * s->sites);
    SPN_NEED(weights, err, "the curve of flips");
    spn_flip_target target = spn_flip_target_defaults();
    target.context = &a->instance;
    target.correct = patterns_right;
    target.weights = weights;
    target.replicas = 0;
    target.sites = s->sites;
    target.samples = a->instance.problem->count;
    for (size_t k = 0; k < s->replicas; k++)
        if (a->solves && a->solves[k])
            memcpy(weights + target.replicas++ * s->sites, s->spins + k * s->sites, s->sites);
    const spn_status status =
        spn_measure_flips(&a->flips, m, &a->plan->flips, target.replicas ? &target : NULL, err);
    free(weights);
    return status;
}

/* ---- the run ---- */

/* About what joining the reads takes (reads/join.c), at most half of the time. */
static double joining_seconds(const spn_anneal_plan *p)
{
    const spn_problem *problem = p->instance.problem;
    if (!p->options.options.stretch || !problem || !problem->edges ||
        problem->count > 8 * problem->sites)
        return 0;
    const double terms = (double)problem->sites + 2 * (double)problem->count;
    return fmin(12e-9 * (double)p->reads * terms, p->options.options.seconds / 2);
}

/* Stretched reads share the time. */
static spn_status make_reads(spn_annealed *a, spn_error *err)
{
    const spn_chain_plan *p = &a->plan->options;
    spn_chain_options chain = a->chain;
    spn_reads_options options = spn_reads_defaults();
    const double rounds = ceil((double)a->plan->reads / (double)chain.threads);
    chain.seconds = (chain.seconds - joining_seconds(a->plan)) / rounds;
    options.chain = &chain;
    options.reads = (size_t)a->plan->reads;
    options.threads = chain.threads;
    options.starts = p->starts;
    options.start_count = p->start_count;
    options.engine = a->plan->engine;
    options.device = a->plan->device;
    options.seconds = p->seconds; /* the run ends then; reads do not share it */
    return spn_reads_create(&a->ran.sampler, a->instance.energy, &options, err);
}

static bool is_whole(const spn_annealed *a, size_t r)
{
    const spn_read read = spn_annealed_read(a, r);
    return spn_read_is_whole(&read);
}

static spn_status run_reads(spn_annealed *a, spn_outcome *outcome, const spn_sampler_job *how,
                            spn_error *err)
{
    spn_sampler_job own = *how;
    own.seconds = a->plan->options.seconds;
    own.in_all = true;
    SPN_TRY(make_reads(a, err));
    SPN_TRY(spn_sampler_job_run(&a->ran, outcome, &own, err));
    outcome->step = 0; /* that of the longest read */
    for (size_t r = 0; own.seconds > 0 && r < spn_reads_count(a->ran.sampler); r++)
        a->only_whole = a->only_whole || is_whole(a, r);
    for (size_t r = 0; r < spn_reads_count(a->ran.sampler); r++) {
        const spn_read read = spn_annealed_read(a, r);
        outcome->reads += read.best_spins != NULL;
        outcome->step = read.steps > outcome->step ? read.steps : outcome->step;
    }
    return SPN_OK;
}

static void print_content(char *out, size_t size, const spn_annealed *a)
{
    const spn_chain_plan *p = &a->plan->options;
    int used =
        snprintf(out, size, "problem \"%016" PRIx64 "\"\n", spn_instance_checksum(&a->instance));
    if (!a->is_reads) /* a chain adds its own */
        return;
    if (p->starts)
        used += snprintf(out + used, size - (size_t)used, "init_checksum \"%016" PRIx64 "\"\n",
                         XXH3_64bits(p->starts, p->start_count * a->instance.sites));
    spn_chain_time_line(out + used, size - (size_t)used, p->options.stretch, p->options.seconds);
}

static spn_status anneal(spn_annealed *a, spn_outcome *outcome, const spn_measuring *m,
                         spn_error *err)
{
    char content[192] = "";
    const spn_run *run = m->meter.run;
    const spn_energy *energy;
    if (!run->steps)
        SPN_TRY(spn_solutions_try(run->product, err));
    SPN_TRY(spn_instance_make(&a->instance, &a->plan->instance, m->job->instance_seed, err));
    energy = a->instance.energy;
    SPN_TRY(spn_chain_settle(&a->chain, &a->range, &a->plan->options, m->job->seed, energy, err));
    if (run->checkpoint)
        print_content(content, sizeof content, a);
    const spn_sampler_job how = {.job = m->job,
                                 .plan = a->plan,
                                 .run = run,
                                 .content = content,
                                 .meter = &m->meter,
                                 .work = m->cost.chain};
    if (a->is_reads)
        return run_reads(a, outcome, &how, err);
    SPN_TRY(spn_chain_job_run(&a->ran, outcome, &how, &a->plan->options, &a->chain, energy, err));
    spn_chain_snapshot(&a->state, a->ran.sampler);
    return SPN_OK;
}

static spn_status measure(spn_annealed *a, spn_record *out, spn_outcome *outcome, spn_measuring *m,
                          spn_error *err)
{
    spn_meter_pass(&m->meter, m->cost.chain);
    SPN_TRY(measure_flips(a, m, err));
    SPN_TRY(spn_measure_profile(&a->profile, m, &a->plan->profile, a->instance.energy,
                                a->state.spins, a->state.replicas, err));
    outcome->complete = !m->stopped;
    return spn_results_add(out, spn_anneal_measured, a, a->plan, m->meter.run->details, err);
}

static spn_status run_anneal(spn_record *out, spn_outcome *outcome, const void *plan,
                             const spn_job *job, const spn_run *run, spn_error *err)
{
    spn_measuring m = spn_measuring_start(job, run, plan);
    spn_annealed a = {.plan = plan};
    spn_status status;
    a.is_reads = a.plan->reads > 1 && run->steps == 0;
    if (a.plan->program.program) {
        status = spn_problem_run(&a, out, outcome, job, run, err);
        goto cleanup;
    }
    SPN_TRY_OR(cleanup, anneal(&a, outcome, &m, err));
    SPN_TRY_OR(cleanup, spn_annealed_collect(&a, err));
    if (spn_samples_distinct(a.solutions->samples) == 0)
        goto cleanup; /* the reads were stopped before the first step */
    SPN_TRY_OR(cleanup, spn_annealed_record(out, &a, run->details, err));
    if (run->steps == 0 && run->product)
        SPN_TRY_OR(cleanup, spn_annealed_write(&a, run->product, err));
    if (run->steps == 0 && !a.is_reads && outcome->complete)
        status = measure(&a, out, outcome, &m, err);
cleanup:
    if (run->solutions && a.solutions && !status) {
        *run->solutions = a.solutions;
        a.solutions = NULL;
    }
    spn_annealed_clear(&a);
    return status;
}

const spn_task spn_anneal_task = {
    .name = "anneal",
    .summary = "minimise an energy, or solve a problem with constraints",
    .details = details,
    .examples = examples,
    .product = "the best states; .csv, .npy and .json hold energies and counts, other names "
               "one state per line. `init` reads them. Solutions of a problem are written as "
               ".csv, .json or lines of names and values",
    .product_extension = "txt",
    .chain = true,
    .settings = settings,
    .results = spn_anneal_results,
    .plan_size = sizeof(spn_anneal_plan),
    .plan = plan_anneal,
    .clear = clear,
    .resolve = resolve,
    .cost = cost,
    .run = run_anneal};
