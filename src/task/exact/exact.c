/* The task `exact`: distributions, constants, chains and dense regions of a small energy at one
   point (y, beta, gamma), and the distribution of an annealed chain, all by enumeration. Use a
   sweep for several values. docs/theory.md defines every quantity. */
#include "task/exact/exact.h"
#include "base/clock.h"
#include "base/number.h"
#include "job/run.h"
#include "record/record.h"
#include "task/tables.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/pause.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(spn_exact_plan, member)

static const char *const JOINT_WORDS[] = {"none", "swapping", "simulated", "equi-energy", NULL};
static const char *const GAP_WORDS[] = {"auto", "always", "never", NULL};

const spn_setting spn_exact_settings[] = {
    {.group = spn_energy_rows, .at = AT(energy)},
    SPN_HEADING("Law"),
    {"replicas", SPN_SETTING_WHOLE, .flags = SPN_SETTING_COMMON, .argument = "Y", .fallback = "2",
     .least = 1, .most = SPN_MAX_REPLICAS, .at = AT(replicas),
     .help = "number of coupled replicas"},
    {"beta", SPN_SETTING_REAL, .flags = SPN_SETTING_INFINITE | SPN_SETTING_COMMON, .argument = "B",
     .fallback = "1", .most = HUGE_VAL, .at = AT(beta),
     .help = "inverse temperature; inf for the limit"},
    {"gamma", SPN_SETTING_REAL, .flags = SPN_SETTING_COMMON, .argument = "G", .fallback = "0.5",
     .most = HUGE_VAL, .at = AT(gamma), .help = "coupling between the replicas"},
    {"no-law", SPN_SETTING_FLAG, .fallback = "false", .at = AT(no_law),
     .help = "skip log Z, means and entropies, which take most of the time at large N"},
    SPN_HEADING("Chains (up to 2^22 replicated states)"),
    {"kernel", SPN_SETTING_LIST, .flags = SPN_SETTING_COMMON, .argument = "NAMES",
     .fallback = "two-stage,one-stage", .at = AT(kernel),
     .help = "one or more of two-stage, one-stage, heat-bath; a schedule anneals the first. With "
             "one replica, the first two are plain simulated annealing"},
    {"gap", SPN_SETTING_WORD, .argument = "WHEN", .fallback = "auto", .words = GAP_WORDS,
     .at = AT(gap),
     .help = "when to compute spectral gaps; auto computes them if there are few enough states"},
    {"no-chain", SPN_SETTING_FLAG, .fallback = "false", .at = AT(no_chain),
     .help = "skip acceptance, gaps and the heights M"},
    SPN_HEADING("Dense regions"),
    {"density", SPN_SETTING_FLAG, .fallback = "false", .at = AT(density),
     .help = "count the minima near every minimum, for every radius"},
    {"dense-center", SPN_SETTING_TEXT, .argument = "STATE", .otherwise = "its ball, for planted",
     .at = AT(dense_center),
     .help = "centre of the dense set, a ball; an index, or a text of + and -"},
    {"dense-radius", SPN_SETTING_WHOLE, .argument = "R", .most = SPN_EXACT_SITES,
     .at = AT(dense_radius), .help = "radius of that ball"},
    {"dense", SPN_SETTING_FILE, .argument = "FILE", .at = AT(dense),
     .help = "file of the states of the dense set; one per line, + and -"},
    {"best-gamma", SPN_SETTING_LIST, .flags = SPN_SETTING_COMMON,
     .argument = "LOW:HIGH[:STEP]|A,B,...", .at = AT(best_gamma),
     .help = "find the gamma of the largest mass of the dense set; the best of these values, "
             "refined by golden section"},
    SPN_HEADING("Convergence of an annealed chain (a step is one proposal)"),
    {"schedule", SPN_SETTING_LIST, .flags = SPN_SETTING_COMMON, .argument = "KIND",
     .at = AT(schedule),
     .help = "schedule of beta; pieces:B1xT1,B2xT2,..., or "
             "theorem1[:stages=10,alpha=1.5,b=0.5,m=,B=,c=,kappa=], which computes what you leave "
             "out, or with `steps` linear:START:END, quadratic, exponential, logarithmic:m=M,C=C, "
             "constant:B"},
    {"steps", SPN_SETTING_WHOLE, .argument = "T", .unit = "steps", .least = 1, .most = 0x1p53,
     .at = AT(steps), .help = "length of a schedule that is not in pieces"},
    {"gamma-schedule", SPN_SETTING_LIST, .argument = "KIND", .otherwise = "gamma is fixed",
     .at = AT(gamma_schedule),
     .help = "schedule of gamma; stages:START:STEP adds STEP at each piece of beta"},
    {"start", SPN_SETTING_TEXT, .argument = "STATE", .otherwise = "0", .at = AT(start),
     .help = "replicated state to start from; an index, or + and - (N for all replicas, or y N)"},
    SPN_HEADING("Joint chain over a ladder of beta (up to 2^22 states in all)"),
    {"joint", SPN_SETTING_WORD, .flags = SPN_SETTING_COMMON, .argument = "SAMPLER",
     .fallback = "none", .words = JOINT_WORDS, .at = AT(joint),
     .help = "gap of a joint chain over a ladder of beta; swapping is parallel tempering (2^(N y "
             "K) states), simulated is simulated tempering (K 2^(N y)), equi-energy has 2^(N y). A "
             "step is a proposal or an exchange"},
    {"rungs", SPN_SETTING_WHOLE, .argument = "K", .fallback = "3", .least = 2,
     .most = SPN_JOINT_RUNGS, .at = AT(rungs), .help = "number of rungs, evenly from 0 to beta"},
    {"ladder", SPN_SETTING_LIST, .argument = "U0,U1,...,1", .at = AT(ladder),
     .help = "beta of each rung as a fraction of beta, hot to cold; in place of `rungs`"},
    {"exchanges", SPN_SETTING_REAL, .argument = "P", .fallback = "0.5", .least = 0.001,
     .most = 0.999, .at = AT(exchanges),
     .help = "share of the steps that are swaps, changes of rung, or jumps"},
    {"weight-errors", SPN_SETTING_LIST, .argument = "E0,E1,...", .otherwise = "exact weights",
     .at = AT(weight_errors),
     .help = "simulated tempering: error of the log weight -log Z' of each rung"},
    {"rings", SPN_SETTING_LIST, .argument = "U1,U2,...", .otherwise = "one ring per energy",
     .at = AT(rings),
     .help = "equi-energy: lower ends of the rings of U - min U, except the first"},
    SPN_HEADING("Effort"),
    {"threads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_EFFORT, .argument = "n",
     .otherwise = "all cores; one in a sweep, which runs jobs in parallel", .least = 1,
     .most = 4096, .at = AT(threads), .help = "number of threads; the results do not depend on it"},
    {0}};

enum { BEST_MOST = 100000 };

#define WORD(value, name, word, ...) word ", "
#define KERNEL_WORDS SPN_KERNELS(WORD, )

static spn_status read_kernels(spn_exact_plan *p, spn_error *err)
{
    const char *rest = p->kernel;
    for (bool more = true; more; rest++) {
        const size_t length = strcspn(rest, ",");
        int found = -1;
        for (int k = 0; k < SPN_EXACT_KERNELS; k++) {
            const char *name = spn_kernel_name((spn_kernel)k);
            if (strlen(name) == length && strncmp(rest, name, length) == 0)
                found = k;
        }
        if (found < 0 || p->kernels[found])
            return spn_setting_fail("kernel", err,
                                    "'%s' is not a list of " KERNEL_WORDS "each at most once",
                                    p->kernel);
        if (rest == p->kernel)
            p->first = (spn_kernel)found;
        p->kernels[found] = true;
        rest += length;
        more = *rest == ',';
    }
    return SPN_OK;
}

/* Read + and - as bits. N signs are copied to all replicas. False if the text is not of this
   form. */
static bool read_signs(uint64_t *out, const char *text, size_t sites, size_t copies)
{
    uint64_t bits = 0;
    size_t length = 0;
    for (; *text; text++) {
        if (*text == '/')
            continue;
        if ((*text != '+' && *text != '-') || length == sites * copies)
            return false;
        bits |= (uint64_t)(*text == '+') << length++;
    }
    for (size_t a = 1; length == sites && a < copies; a++)
        bits |= (bits & (((uint64_t)1 << sites) - 1)) << (a * sites);
    *out = bits;
    return length == sites || length == sites * copies;
}

/* Read a state of `copies` times `sites` bits, at most SPN_EXACT_SITES in all. */
static spn_status read_state(uint64_t *out, const char *name, const char *text, size_t sites,
                             size_t copies, spn_error *err)
{
    const uint64_t states = (uint64_t)1 << (sites * copies);
    double index;
    if (read_signs(out, text, sites, copies))
        return SPN_OK;
    if (spn_number_parse(&index, text) && index >= 0 && index < (double)states &&
        index == floor(index)) {
        *out = (uint64_t)index;
        return SPN_OK;
    }
    char signs[64];
    snprintf(signs, sizeof signs, copies > 1 ? "%zu or %zu" : "%zu", sites, sites * copies);
    return spn_setting_fail(name, err,
                            "'%s' is not a state: an index from 0 to %llu, or %s characters + and "
                            "-",
                            text, (unsigned long long)(states - 1), signs);
}

static spn_status check_company(const spn_job *job, spn_error *err)
{
    static const char *const pairs[][2] = {{"steps", "schedule"},
                                           {"gamma-schedule", "schedule"},
                                           {"start", "schedule"},
                                           {"rungs", "joint"},
                                           {"ladder", "joint"},
                                           {"exchanges", "joint"},
                                           {"weight-errors", "joint"},
                                           {"rings", "joint"},
                                           {"dense-center", "dense-radius"},
                                           {"dense-radius", "dense-center"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        if (spn_job_given(job, pairs[k][0]) && !spn_job_given(job, pairs[k][1]))
            return spn_setting_fail(pairs[k][0], err, "needs `%s`", pairs[k][1]);
    if (spn_job_given(job, "dense") && spn_job_given(job, "dense-center"))
        return spn_setting_fail("dense", err, "give this or `dense-center`, not both");
    return SPN_OK;
}

/* Read LOW:HIGH[:STEP] or a list. */
static spn_status read_best_gamma(spn_exact_plan *p, spn_error *err)
{
    const char *text = p->best_gamma;
    double part[3] = {0};
    const size_t parts = spn_exact_numbers(part, 3, text, ':');
    const double step = parts == 3 ? part[2] : part[1] - part[0];
    const bool range = parts >= 2 && part[1] > part[0] && step > 0;
    const double count =
        range ? floor((part[1] - part[0]) / step + 1e-9) + 1 : (double)strlen(text);
    if (!(count <= BEST_MOST))
        return spn_setting_fail("best-gamma", err, "'%s' has %.3g values; at most %d", text, count,
                                BEST_MOST);
    p->gammas = spn_alloc((size_t)count + 1, sizeof *p->gammas);
    SPN_NEED(p->gammas, err, "the values of best-gamma");
    p->gamma_count =
        range ? (size_t)count : spn_exact_numbers(p->gammas, (size_t)count + 1, text, ',');
    bool good = p->gamma_count >= 2;
    for (size_t k = 0; k < p->gamma_count; k++) {
        if (range) /* rounded, so that 0:4:0.1 holds 0.3 */
            p->gammas[k] = spn_number_round(part[0] + (double)k * step, 12);
        good = good && p->gammas[k] >= 0;
    }
    if (good)
        return SPN_OK;
    return spn_setting_fail("best-gamma", err,
                            "'%s' is not LOW:HIGH, LOW:HIGH:STEP or A,B,C, such as 0:4:0.1, with "
                            "values of 0 or more",
                            text);
}

static spn_status read_dense(spn_exact_plan *p, spn_inputs *inputs, spn_error *err)
{
    p->has_ball = p->dense_center || (p->instance.planted && !p->dense);
    if (p->dense_center && p->dense_radius > p->sites)
        return spn_setting_fail("dense-radius", err, "from 0 to N = %zu, not %" PRIu64, p->sites,
                                p->dense_radius);
    if (p->dense_center)
        return read_state(&p->center, "dense-center", p->dense_center, p->sites, 1, err);
    if (p->has_ball)
        p->dense_radius = p->instance.planted->radius;
    if (p->best_gamma && !p->has_ball && !p->dense)
        return spn_setting_fail("best-gamma", err, "needs a dense set: `dense-center` or `dense`");
    if (!p->dense)
        return SPN_OK;
    SPN_TRY(spn_inputs_problem(&p->dense_states, inputs, SPN_PROBLEM_STATES, "dense", p->dense,
                               NULL, err));
    if (p->dense_states->sites != p->sites)
        return spn_setting_fail("dense", err, "%s: states of %zu spins, but the energy has %zu",
                                p->dense, p->dense_states->sites, p->sites);
    return SPN_OK;
}

static spn_status too_many_states(const spn_exact_plan *p, const char *setting, spn_error *err)
{
    return spn_setting_fail(setting, err,
                            "needs all 2^(N y) replicated states, and N y may be up to %d: here "
                            "N=%zu, y=%zu, which would take %.3g GB; at y=%zu N may be up to %zu",
                            SPN_EXACT_BITS, p->sites, (size_t)p->replicas,
                            40e-9 * pow(2.0, (double)(p->sites * p->replicas)), (size_t)p->replicas,
                            SPN_EXACT_BITS / (size_t)p->replicas);
}

static spn_status plan_chains(spn_exact_plan *p, spn_error *err)
{
    const size_t bits = p->sites * (size_t)p->replicas;
    p->chains = !p->no_chain && isfinite(p->beta) && bits <= SPN_EXACT_BITS;
    if (bits > SPN_EXACT_BITS && !p->no_chain && isfinite(p->beta)) {
        if (p->gap == SPN_EXACT_GAP_ALWAYS)
            return too_many_states(p, "gap", err);
        spn_print_text(
            p->no_chain_text, sizeof p->no_chain_text,
            "chains left out: they need all 2^(N y) replicated states, and N y = %zu is above "
            "%d (%.3g GB)",
            bits, SPN_EXACT_BITS, 40e-9 * pow(2, (double)bits));
    }
    if (!p->schedule)
        return SPN_OK;
    if (bits > SPN_EXACT_BITS)
        return too_many_states(p, "schedule", err);
    if (p->start)
        SPN_TRY(
            read_state(&p->annealing.start, "start", p->start, p->sites, (size_t)p->replicas, err));
    return spn_exact_annealing_read(p, err);
}

static spn_status plan_exact(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    spn_exact_plan *p = plan;
    SPN_TRY(check_company(job, err));
    SPN_TRY(read_kernels(p, err));
    if (p->best_gamma)
        SPN_TRY(read_best_gamma(p, err));
    SPN_TRY(spn_instance_plan(&p->instance, &p->energy, job, inputs, err));
    p->sites = p->instance.sites;
    if (p->sites > SPN_EXACT_SITES)
        return spn_refuse(err,
                          "exact laws enumerate 2^N states, and N may be up to %d (about 0.7 GB); "
                          "N=%zu would take %.3g GB",
                          SPN_EXACT_SITES, p->sites, 40e-9 * pow(2.0, (double)p->sites));
    SPN_TRY(plan_chains(p, err));
    if (p->joint != SPN_EXACT_JOINT_NONE)
        SPN_TRY(spn_exact_joint_read(p, job, err));
    return read_dense(p, inputs, err);
}

static void clear(void *plan)
{
    spn_exact_plan *p = plan;
    free(p->gammas);
    spn_schedule_free(p->annealing.beta);
    spn_schedule_free(p->annealing.growing);
}

/* Rough count of operations: butterflies for the law, some hundred proposals for an eigenvalue. */
static spn_cost cost(const void *plan, uint64_t steps)
{
    const spn_exact_plan *p = plan;
    (void)steps;
    const double n = (double)p->sites, bits = n * (double)p->replicas;
    double work = (n + 8) * pow(2, n) * (p->no_law ? 4 : 8);
    for (size_t k = 0; p->chains && k < SPN_EXACT_KERNELS; k++)
        work += p->kernels[k] ? (p->gap == SPN_EXACT_GAP_NEVER ? 8 : 400) * bits * pow(2, bits) : 0;
    return (spn_cost){.work = work + (double)p->gamma_count * 2 * n * pow(2, n)};
}

static const char *chain_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    if (p->no_chain)
        return "no-chain leaves it out";
    if (p->chains)
        return NULL;
    return isinf(p->beta) ? "a chain needs a finite beta" : p->no_chain_text;
}

SPN_NEEDS(density_needs, spn_exact_plan, p->density, "set density")
SPN_NEEDS(joint_needs, spn_exact_plan, p->joint != SPN_EXACT_JOINT_NONE, "joint")
SPN_NEEDS(schedule_needs, spn_exact_plan, p->schedule, "give a schedule")

static const spn_quantity results[] = {
    {.help = "Landscape"},
    {.group = spn_exact_landscape_results},
    {.group = spn_exact_minima_results},
    {.help = "Law"},
    {.group = spn_exact_law_results, .needs = spn_exact_law_needs},
    {.help = "Constants"},
    {.group = spn_exact_constants_results},
    {.help = "Chains"},
    {.group = spn_exact_chain_results, .needs = chain_needs},
    {.help = "Dense regions"},
    {.group = spn_exact_dense_results, .needs = spn_exact_dense_needs},
    {.group = spn_exact_density_results, .needs = density_needs},
    {.help = "Joint chain"},
    {.group = spn_exact_joint_results, .needs = joint_needs},
    {.help = "Convergence"},
    {.group = spn_exact_annealing_results, .needs = schedule_needs},
    SPN_SECONDS_QUANTITY,
    {0}};

/* Run all parts until a stop. The results and the error of a stopped part are discarded. */
static spn_status compute(spn_exact_run *r, bool *complete, const spn_run *run)
{
    static spn_status (*const parts[])(spn_exact_run *) = {
        spn_exact_landscape, spn_exact_chains, spn_exact_constants,   spn_exact_law,
        spn_exact_dense,     spn_exact_minima, spn_exact_joint_chain, spn_exact_annealed};
    enum { COUNT = sizeof parts / sizeof *parts };
    const spn_meter meter = spn_meter_start(run, COUNT);
    const spn_error err = r->err ? *r->err : (spn_error){0};
    spn_status status = SPN_OK;
    bool stopped = spn_pause_stopped() || spn_stop_asked(run->stop);
    for (size_t k = 0; k < COUNT && !status && !stopped; k++) {
        const spn_record before = *r->out;
        status = parts[k](r);
        if (spn_pause_stopped()) {
            spn_record_cut(r->out, &before);
            status = SPN_OK;
            if (r->err)
                *r->err = err;
        }
        spn_meter_show(&meter, (double)(k + 1), 1);
        stopped = spn_pause_stopped() || spn_stop_asked(run->stop);
    }
    *complete = !stopped;
    return status;
}

static spn_status run_exact(spn_record *out, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, spn_error *err)
{
    const spn_exact_plan *p = plan;
    spn_instance instance = {0};
    spn_landscape *landscape = NULL;
    spn_exact_run r = {.plan = p, .details = run->details, .out = out, .err = err};
    const unsigned threads = p->threads ? (unsigned)p->threads : job->key ? 1 : 0;
    spn_status status = spn_instance_make(&instance, &p->instance, job->instance_seed, err);
    if (!status)
        status = spn_landscape_create(&landscape, instance.energy, threads, err);
    r.landscape = landscape;
    out->instance_seed = instance.seed;
    if (spn_pause_stopped())
        status = SPN_OK;
    else if (!status)
        status = compute(&r, &outcome->complete, run);
    spn_dense_set_free(r.dense);
    spn_landscape_free(landscape);
    spn_instance_clear(&instance);
    return status;
}

static spn_status resolve_exact(spn_record *out, const void *plan, const spn_job *job,
                                spn_error *err)
{
    (void)job;
    return spn_instance_resolve(out, &((const spn_exact_plan *)plan)->instance, job, err);
}

const spn_task spn_exact_task = {
    .name = "exact",
    .summary = "exact distributions, chains and dense regions of a small energy",
    .details =
        "Bit i of a state's index is set if spin i is +1; the first spin is bit 0. Replica a of a\n"
        "replicated state holds bits N(a-1) to Na-1. docs/theory.md defines every quantity, and\n"
        "experiments/exact/ has sweeps over ranges of values.\n",
    .examples =
        "  spinney exact --energy bits --random 9,3,1 --beta 1 --gamma 0.5\n"
        "  spinney exact --code 0111100,1011010,1101001 --ball 1 --beta inf --best-gamma 0:4:0.1\n"
        "  spinney exact --energy bits --random 5,3,1 --grid beta=1:8:0.5 --y gap_two_stage\n",
    .settings = spn_exact_settings,
    .results = results,
    .plan_size = sizeof(spn_exact_plan),
    .plan = plan_exact,
    .clear = clear,
    .resolve = resolve_exact,
    .cost = cost,
    .run = run_exact};
