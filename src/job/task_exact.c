/* The task exact: the laws, constants, chains and dense regions of a small energy at one point
   (y, beta, gamma), and the law of an annealed chain, all by enumeration. A list or a range of
   values is a sweep. docs/theory.md defines every quantity. */
#include "base/memory.h"
#include "base/number.h"
#include "job/energy_settings.h"
#include "job/exact_annealing.h"
#include "job/exact_curves.h"
#include "job/tasks.h"

#include <inttypes.h>
#include <math.h>
#include <spinney/density.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 3, STATES_SITES = 12, BEST_MOST = 100000 };

typedef enum gap_when { GAP_AUTO, GAP_ALWAYS, GAP_NEVER } gap_when;

typedef struct exact_plan {
    spn_energy_settings energy;
    uint64_t replicas, dense_radius, steps, threads;
    double beta, gamma;
    bool no_law, no_chain, density;
    int gap;
    const char *kernel, *dense_center, *dense, *best_gamma, *schedule, *gamma_schedule, *start;
    /* What they mean. */
    bool kernels[KERNELS];
    spn_kernel first;
    spn_instance instance;
    size_t sites; /* N */
    bool chains;  /* small enough, at a finite beta, and asked for */
    bool has_ball;
    uint64_t center;
    const spn_problem *dense_states;
    double *gammas; /* owned: where the best gamma is looked for */
    size_t gamma_count;
    spn_exact_annealing annealing;
    char no_chain_text[160];
} exact_plan;

#define AT(member) offsetof(exact_plan, member)

static const char *const GAP_WORDS[] = {"auto", "always", "never", NULL};

static const spn_setting SETTINGS[] = {
    {.group = spn_energy_rows, .at = AT(energy)},
    SPN_HEADING("Law"),
    {"replicas", SPN_SETTING_WHOLE, .argument = "Y", .fallback = "2", .least = 1,
     .most = SPN_MAX_REPLICAS, .at = AT(replicas), .help = "number of coupled copies"},
    {"beta", SPN_SETTING_REAL, .flags = SPN_SETTING_INFINITE, .argument = "B", .fallback = "1",
     .most = HUGE_VAL, .at = AT(beta), .help = "inverse temperature; inf for the limit"},
    {"gamma", SPN_SETTING_REAL, .argument = "G", .fallback = "0.5", .most = HUGE_VAL,
     .at = AT(gamma), .help = "coupling of the replicas"},
    {"no-law", SPN_SETTING_FLAG, .fallback = "false", .at = AT(no_law),
     .help = "leave out log Z, means and entropies, which take most time at large N"},
    SPN_HEADING("Chains (up to 2^22 replicated states)"),
    {"kernel", SPN_SETTING_LIST, .argument = "NAMES", .fallback = "two-stage,one-stage",
     .at = AT(kernel),
     .help = "one or more of two-stage, one-stage, heat-bath; the first is the one that a schedule "
             "anneals. With one replica the first two are plain simulated annealing"},
    {"gap", SPN_SETTING_WORD, .argument = "WHEN", .fallback = "auto", .words = GAP_WORDS,
     .at = AT(gap),
     .help = "when spectral gaps are computed; auto: where there are few enough states"},
    {"no-chain", SPN_SETTING_FLAG, .fallback = "false", .at = AT(no_chain),
     .help = "leave out acceptance, gaps and the heights M"},
    SPN_HEADING("Dense regions"),
    {"density", SPN_SETTING_FLAG, .fallback = "false", .at = AT(density),
     .help = "count the minima near every minimum, for every radius"},
    {"dense-center", SPN_SETTING_TEXT, .argument = "STATE", .otherwise = "for planted its ball",
     .at = AT(dense_center),
     .help = "the dense set is a ball around STATE, an index or a text of + and -"},
    {"dense-radius", SPN_SETTING_WHOLE, .argument = "R", .most = SPN_EXACT_SITES,
     .at = AT(dense_radius), .help = "of this radius"},
    {"dense", SPN_SETTING_FILE, .argument = "FILE", .at = AT(dense),
     .help = "or the states of a file, one per line, of + and -"},
    {"best-gamma", SPN_SETTING_LIST, .argument = "LOW:HIGH[:STEP]|A,B,...", .at = AT(best_gamma),
     .help = "the gamma of the largest mass of the dense set: the best of these values, "
             "then by golden section between its neighbours"},
    SPN_HEADING("Convergence of an annealed chain (a step is one proposal)"),
    {"schedule", SPN_SETTING_LIST, .argument = "KIND", .at = AT(schedule),
     .help = "pieces:B1xT1,B2xT2,...; theorem1[:stages=10,alpha=1.5,b=0.5,m=,B=,c=,kappa=], what "
             "is not given being computed; with steps: linear:START:END, quadratic, exponential, "
             "logarithmic:m=M,C=C, constant:B"},
    {"steps", SPN_SETTING_WHOLE, .argument = "T", .unit = "steps", .least = 1, .most = 0x1p53,
     .at = AT(steps), .help = "length of a schedule that is not in pieces"},
    {"gamma-schedule", SPN_SETTING_LIST, .argument = "KIND", .otherwise = "gamma is fixed",
     .at = AT(gamma_schedule),
     .help = "the same for gamma; stages:START:STEP adds STEP at each piece of beta"},
    {"start", SPN_SETTING_TEXT, .argument = "STATE", .otherwise = "0", .at = AT(start),
     .help = "replicated state that it starts from: an index, or + and - (N for all replicas, or "
             "y N)"},
    SPN_HEADING("Effort"),
    {"threads", SPN_SETTING_WHOLE, .flags = SPN_SETTING_EFFORT, .argument = "n",
     .otherwise = "all cores; one in a sweep, whose runs go side by side", .least = 1, .most = 4096,
     .at = AT(threads), .help = "never changes a result"},
    {0}};

/* A quantity of each kernel's chain. */
/* NOLINTBEGIN(bugprone-macro-parentheses): texts that are joined have none */
#define OF_KERNELS(of, about)                                                                      \
    {of "_two_stage", .help = about ", of the two-stage kernel"},                                  \
        {of "_one_stage", .help = about ", of the one-stage kernel"},                              \
    {                                                                                              \
        of "_heat_bath", .help = about ", of the heat-bath kernel"                                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
#define COLUMN(of, text, about)                                                                    \
    {                                                                                              \
        (of), SPN_QUANTITY_COLUMN, .label = (text), .help = (about)                                \
    }
#define DETAIL(of, text, about)                                                                    \
    {                                                                                              \
        (of), SPN_QUANTITY_COLUMN, SPN_QUANTITY_DETAIL, .label = (text), .help = (about)           \
    }

static const spn_quantity RESULTS[] = {
    {.help = "Landscape"},
    {"N", .help = "spins"},
    {"E_min", .help = "least energy"},
    {"E_max", .help = "largest energy"},
    {"minima_count", .help = "states of the least energy"},
    {"B", .help = "least energy above the minimum"},
    {"m", .help = "height of the landscape, which the gap falls with as e^(-beta m)"},
    {"d_star", .help = "largest climb from a state to some global minimum"},
    DETAIL("minima.state", "state", "index of each minimum"),
    {.help = "Law"},
    {"logZ", .flags = SPN_QUANTITY_MAIN, .help = "log Z, of P on the centre"},
    {"logZ_marginal", .help = "log Z', of Qbar on the replicas"},
    {"mean_U", .flags = SPN_QUANTITY_MAIN, .help = "mean energy of all replicas"},
    {"overlap", .flags = SPN_QUANTITY_MAIN, .help = "mean overlap of two replicas"},
    {"prob_U0", .flags = SPN_QUANTITY_MAIN,
     .help = "probability that every replica is at a minimum"},
    {"aligned_U0", .help = "probability that all replicas are at the same minimum"},
    {"max_Q", .help = "largest probability of a replicated state"},
    {"entropy", .unit = "nats", .help = "entropy of Qbar"},
    {"entropy_P", .unit = "nats", .help = "entropy of P"},
    DETAIL("states.state", "state", "index of each state, up to N = 12"),
    DETAIL("states.energy", "E", "its energy"),
    DETAIL("states.phi", "Phi", "its local entropy Phi"),
    DETAIL("states.P", "P", "its probability as a centre"),
    {.help = "Constants"},
    {"log_Gamma", .help = "log of the norm of mu0"},
    {"mu0_N0", .help = "mu0 of the states with every replica at a minimum"},
    {"kappa1", .help = "constant of the bound kappa1 e^(-beta B) on the way to Qbar_inf"},
    {"log_kappa1", .help = "log kappa1, which does not overflow"},
    {"log_kappa2", .help = "log of the constant kappa2 of Theorem 2"},
    {"log_kappa2_bound", .help = "log of kappa2 (e^(-beta B) + e^(-B'))"},
    {"B_prime", .help = "log cosh(gamma y) - log cosh(gamma (y-2))"},
    {.help = "Chains"},
    {"psi", .flags = SPN_QUANTITY_MAIN, .help = "spectral gap 1 - lambda_1 of the first kernel"},
    OF_KERNELS("gap", "spectral gap psi = 1 - lambda_1"),
    OF_KERNELS("gap_accuracy", "estimated relative error of the gap"),
    OF_KERNELS("lambda_min", "least eigenvalue"),
    OF_KERNELS("acceptance", "probability that a proposal is accepted"),
    OF_KERNELS("M", "M = beta m_t, the height of beta U - H"),
    OF_KERNELS("stationarity", "how far a proposal moves Qbar"),
    OF_KERNELS("reversibility", "how far detailed balance is from kept"),
    {.help = "Dense regions"},
    {"dense_states", .help = "states of the dense set D"},
    {"dense_minima", .help = "minima in D"},
    {"share", .help = "share of the minima that lie in D"},
    {"dense_apart", .help = "least distance of a minimum outside D to any other minimum"},
    {"dense_mass", .help = "probability that all replicas lie in D"},
    {"dense_mass_infinity", .help = "dense_mass at beta = inf"},
    {"dense_mass_gamma_infinity", .help = "dense_mass at gamma = inf"},
    {"dense_mass_marginal", .help = "probability that one replica lies in D"},
    {"dense_mass_bound",
     .help = "bound of Proposition 3.5 on dense_mass_infinity, where its proof applies"},
    {"best_gamma", .help = "gamma of the largest dense_mass"},
    {"best_mass", .help = "dense_mass there"},
    {"best_refined", .help = "1: between the values of best-gamma; 0: one of them"},
    COLUMN("density.radius", "R", "radius of closed balls around minima"),
    COLUMN("density.isolated", "isolated minima", "minima alone in their ball"),
    COLUMN("density.fewest", "minima within R", "fewest minima in a ball"),
    COLUMN("density.mean", "minima within R", "mean number of minima in a ball"),
    COLUMN("density.most", "minima within R", "most minima in a ball"),
    DETAIL("balls.radius", "R", "radius of closed balls around minima"),
    DETAIL("balls.k", "k", "number of minima in a ball"),
    DETAIL("balls.exactly", "minima", "minima whose ball holds exactly k"),
    DETAIL("balls.at_least", "minima", "minima whose ball holds at least k"),
    DETAIL("minima.nearest", "distance", "distance of each minimum to the nearest other one"),
    {"within", SPN_QUANTITY_MATRIX, SPN_QUANTITY_DETAIL, .label = "minima within R",
     .help = "minima in the ball of each radius (column) around each minimum (row)"},
    {.help = "Convergence"},
    {"epsilon", .help = "max |Qbar_n - nu_n| after the last stage"},
    {"total_variation", .help = "half the sum of |Qbar_n - nu_n| after it"},
    {"theorem", .help = "which theorem speaks of the schedule: 1, or 2 where gamma changes"},
    {"condition_met", .help = "1: its condition falls at each stage of the last half"},
    {"margin", .help = "the least such fall"},
    {"c", .help = "constant of the lower bound on the rate of convergence"},
    {"log_kappa", .help = "log of the contraction constant kappa"},
    SPN_SECONDS_QUANTITY,
    COLUMN("stages.stage", "stage n", "number of the stage"),
    COLUMN("stages.beta", "beta", "its beta"),
    COLUMN("stages.gamma", "gamma", "its gamma"),
    COLUMN("stages.steps", "steps", "its steps"),
    COLUMN("stages.epsilon", "epsilon_n", "max |Qbar_n - nu_n| after it"),
    COLUMN("stages.total_variation", NULL, "half the sum of |Qbar_n - nu_n|"),
    COLUMN("stages.condition", NULL, "-c sum T_k e^(-climb_k) + n log kappa"),
    COLUMN("stages.log_bound", NULL, "log of the proof's bound on epsilon_n"),
    {0}};

/* ---- planning ---- */

/* A list of kernels, each once. */
static spn_status read_kernels(exact_plan *p, spn_error *err)
{
    const char *rest = p->kernel;
    for (bool more = true; more; rest++) {
        const size_t length = strcspn(rest, ",");
        int found = -1;
        for (int k = 0; k < KERNELS; k++) {
            const char *name = spn_kernel_name((spn_kernel)k);
            if (strlen(name) == length && strncmp(rest, name, length) == 0)
                found = k;
        }
        if (found < 0 || p->kernels[found])
            return spn_setting_fail("kernel", err,
                                    "'%s' is not a list of two-stage, one-stage, heat-bath, each "
                                    "at most once",
                                    p->kernel);
        if (rest == p->kernel)
            p->first = (spn_kernel)found;
        p->kernels[found] = true;
        rest += length;
        more = *rest == ',';
    }
    return SPN_OK;
}

/* A text of + and - as bits; false where it has another character or another length. */
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

/* A state of `copies` times `sites` bits, at most SPN_EXACT_SITES in all. */
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

/* Settings that only make sense with another one. */
static spn_status check_company(const spn_job *job, spn_error *err)
{
    static const char *const pairs[][2] = {{"steps", "schedule"},
                                           {"gamma-schedule", "schedule"},
                                           {"start", "schedule"},
                                           {"dense-center", "dense-radius"},
                                           {"dense-radius", "dense-center"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        if (spn_job_given(job, pairs[k][0]) && !spn_job_given(job, pairs[k][1]))
            return spn_setting_fail(pairs[k][0], err, "goes with %s", pairs[k][1]);
    if (spn_job_given(job, "dense") && spn_job_given(job, "dense-center"))
        return spn_setting_fail("dense", err, "give this or dense-center, not both");
    return SPN_OK;
}

/* A value of a range without the rounding of its sum, so that 0:4:0.1 holds 0.3. */
static double tidy(double value)
{
    return spn_number_round(value, 12);
}

/* The values of LOW:HIGH[:STEP], or of a list. */
static spn_status read_best_gamma(exact_plan *p, spn_error *err)
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
    if (!p->gammas)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the values of best-gamma");
    p->gamma_count =
        range ? (size_t)count : spn_exact_numbers(p->gammas, (size_t)count + 1, text, ',');
    bool good = p->gamma_count >= 2;
    for (size_t k = 0; k < p->gamma_count; k++) {
        if (range)
            p->gammas[k] = tidy(part[0] + (double)k * step);
        good = good && p->gammas[k] >= 0;
    }
    if (good)
        return SPN_OK;
    return spn_setting_fail("best-gamma", err,
                            "'%s' is not LOW:HIGH, LOW:HIGH:STEP or A,B,C, such as 0:4:0.1, with "
                            "values of 0 or more",
                            text);
}

static spn_status read_dense(exact_plan *p, spn_inputs *inputs, spn_error *err)
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
        return spn_setting_fail("best-gamma", err, "needs a dense set: dense-center or dense");
    if (!p->dense)
        return SPN_OK;
    const spn_status status =
        spn_inputs_problem(&p->dense_states, inputs, SPN_PROBLEM_STATES, "dense", p->dense, err);
    if (!status && spn_problem_sites(p->dense_states) != p->sites)
        return spn_setting_fail("dense", err, "%s: states of %zu spins, but the energy has %zu",
                                p->dense, spn_problem_sites(p->dense_states), p->sites);
    return status;
}

static spn_status too_many_states(const exact_plan *p, const char *setting, spn_error *err)
{
    return spn_setting_fail(setting, err,
                            "needs all 2^(N y) replicated states, and N y may be up to %d: here "
                            "N=%zu, y=%zu, which would take %.3g GB; at y=%zu N may be up to %zu",
                            SPN_EXACT_BITS, p->sites, (size_t)p->replicas,
                            40e-9 * pow(2.0, (double)(p->sites * p->replicas)), (size_t)p->replicas,
                            SPN_EXACT_BITS / (size_t)p->replicas);
}

/* Whether there are chains, and why not. */
static spn_status plan_chains(exact_plan *p, spn_error *err)
{
    const size_t bits = p->sites * (size_t)p->replicas;
    p->chains = !p->no_chain && isfinite(p->beta) && bits <= SPN_EXACT_BITS;
    if (bits > SPN_EXACT_BITS && !p->no_chain && isfinite(p->beta)) {
        if (p->gap == GAP_ALWAYS)
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
    p->annealing = (spn_exact_annealing){
        .replicas = (size_t)p->replicas, .kernel = p->first, .gamma = p->gamma, .steps = p->steps};
    const spn_status status =
        p->start ? read_state(&p->annealing.start, "start", p->start, p->sites, p->replicas, err)
                 : SPN_OK;
    return status ? status
                  : spn_exact_annealing_read(&p->annealing, p->schedule, p->gamma_schedule, err);
}

static spn_status plan_exact(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    exact_plan *p = plan;
    spn_status status;
    if ((status = check_company(job, err)) || (status = read_kernels(p, err)))
        return status;
    if (p->best_gamma && (status = read_best_gamma(p, err)))
        return status;
    if ((status = spn_instance_plan(&p->instance, &p->energy, job, inputs, err)))
        return status;
    p->sites = p->instance.sites;
    if (p->sites > SPN_EXACT_SITES)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "exact laws enumerate 2^N states, and N may be up to %d (about 0.7 GB); "
                        "N=%zu would take %.3g GB",
                        SPN_EXACT_SITES, p->sites, 40e-9 * pow(2.0, (double)p->sites));
    status = plan_chains(p, err);
    return status ? status : read_dense(p, inputs, err);
}

static void clear_exact(void *plan)
{
    exact_plan *p = plan;
    free(p->gammas);
    spn_exact_annealing_clear(&p->annealing);
}

/* Roughly in operations: the law by butterflies, an eigenvalue by some hundred proposals. */
static spn_cost cost_exact(const void *plan, uint64_t steps)
{
    const exact_plan *p = plan;
    (void)steps;
    const double n = (double)p->sites, bits = n * (double)p->replicas;
    double work = (n + 8) * pow(2, n) * (p->no_law ? 4 : 8);
    for (size_t k = 0; p->chains && k < KERNELS; k++)
        work += p->kernels[k] ? (p->gap == GAP_NEVER ? 8 : 400) * bits * pow(2, bits) : 0;
    return (spn_cost){.work = work + (double)p->gamma_count * 2 * n * pow(2, n)};
}

/* The heading that a result stands under. */
static const char *section_of(const char *result)
{
    const char *heading = "";
    for (const spn_quantity *q = RESULTS; q->name || q->help; q++) {
        if (!q->name)
            heading = q->help;
        else if (strcmp(q->name, result) == 0)
            return heading;
    }
    return "";
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the chain of the kernel that a result is named after was left out. */
static bool without_kernel(const exact_plan *p, const char *result)
{
    static const char *const endings[KERNELS] = {"_two_stage", "_one_stage", "_heat_bath"};
    const size_t length = strlen(result), each = strlen(endings[0]);
    for (size_t k = 0; k < KERNELS; k++)
        if (length > each && strcmp(result + length - each, endings[k]) == 0)
            return !p->kernels[k];
    return false;
}

static const char *missing_chain(const exact_plan *p, const char *result)
{
    if (p->no_chain)
        return "no-chain leaves it out";
    if (!p->chains)
        return isinf(p->beta) ? "a chain needs a finite beta" : p->no_chain_text;
    if (p->gap == GAP_NEVER &&
        (starts(result, "gap") || starts(result, "lambda") || strcmp(result, "psi") == 0))
        return "gap: never leaves it out";
    return without_kernel(p, result) ? "name its kernel in the setting kernel" : NULL;
}

static const char *missing_dense(const exact_plan *p, const char *result)
{
    if (starts(result, "density.") || starts(result, "balls.") || starts(result, "minima.") ||
        strcmp(result, "within") == 0)
        return p->density ? NULL : "set density";
    if (!p->has_ball && !p->dense)
        return "give a dense set: dense-center or dense";
    if (p->no_law && strcmp(result, "dense_mass_marginal") == 0)
        return "no-law leaves it out";
    return starts(result, "best_") && !p->best_gamma ? "give best-gamma" : NULL;
}

static const char *missing_exact(const void *plan, const char *result)
{
    const exact_plan *p = plan;
    const char *section = section_of(result);
    if (strcmp(result, "seconds") == 0)
        return NULL;
    if (strcmp(section, "Law") == 0)
        return p->no_law ? "no-law leaves it out" : NULL;
    if (strcmp(section, "Chains") == 0)
        return missing_chain(p, result);
    if (strcmp(section, "Dense regions") == 0)
        return missing_dense(p, result);
    if (strcmp(section, "Convergence") == 0)
        return p->schedule ? NULL : "give a schedule";
    return NULL;
}

/* ---- running ---- */

/* What a run needs at every turn. After an error its steps do nothing more. */
typedef struct exact_run {
    const exact_plan *plan;
    const spn_landscape *landscape;
    spn_dense_set *dense;
    spn_record *out;
    spn_error *err;
    spn_status status;
} exact_run;

/* A result; NaN for what has no finite value. */
static void put(exact_run *r, const char *name, double value)
{
    if (!r->status)
        r->status = spn_record_add_result(r->out, name, isfinite(value) ? value : NAN, r->err);
}

static void put_landscape(exact_run *r)
{
    const spn_landscape *l = r->landscape;
    spn_heights heights = {0};
    r->status = spn_landscape_heights(&heights, l, r->err);
    put(r, "N", (double)l->sites);
    put(r, "E_min", l->minimum);
    put(r, "E_max", l->maximum);
    put(r, "minima_count", (double)l->minima_count);
    put(r, "B", l->step);
    put(r, "m", heights.m);
    put(r, "d_star", heights.d_star);
    if (!r->status && fabs(l->minimum) > l->tolerance)
        r->status = spn_record_add_note(
            r->out, r->err,
            "not realisable: E_min = %g is not 0. The limits, constants and heights are those of "
            "E - E_min, and Pr(U=0) is the probability that every replica is at a minimum; log Z, "
            "Phi and mean U are those of E itself.",
            l->minimum);
}

static void put_law(exact_run *r, bool details)
{
    const exact_plan *p = r->plan;
    spn_law *law = NULL;
    if (r->status || p->no_law)
        return;
    r->status =
        spn_law_create(&law, r->landscape, p->replicas, p->beta, p->gamma, SPN_LAW_AUTO, r->err);
    if (r->status)
        return;
    put(r, "logZ", law->log_z);
    put(r, "logZ_marginal", law->log_z_marginal);
    put(r, "mean_U", law->mean_energy);
    put(r, "overlap", law->overlap);
    put(r, "prob_U0", law->prob_minimum);
    put(r, "aligned_U0", law->aligned_minimum);
    put(r, "max_Q", law->max_probability);
    put(r, "entropy", law->entropy);
    put(r, "entropy_P", law->centre_entropy);
    if (r->dense)
        put(r, "dense_mass_marginal", spn_law_mass(law, r->dense->states, r->dense->count));
    if (!r->status && details && p->sites <= STATES_SITES)
        r->status = spn_exact_add_states(r->out, r->landscape, law, r->err);
    spn_law_free(law);
}

static void put_constants(exact_run *r)
{
    const exact_plan *p = r->plan;
    spn_constants c = {0};
    if (!r->status)
        r->status = spn_constants_compute(&c, r->landscape, p->replicas, p->beta, p->gamma, r->err);
    put(r, "log_Gamma", c.log_gamma);
    put(r, "mu0_N0", c.mu0_minima);
    put(r, "kappa1", c.kappa1);
    put(r, "log_kappa1", c.log_kappa1);
    put(r, "log_kappa2", c.log_kappa2);
    put(r, "log_kappa2_bound", c.log_kappa2_bound);
    put(r, "B_prime", c.B_prime);
}

/* A result of a kernel's chain, such as gap_two_stage. */
static void put_of(exact_run *r, const char *what, spn_kernel kernel, double value)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s", what, spn_kernel_name(kernel));
    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    put(r, name, value);
}

static void put_gap(exact_run *r, spn_kernel kernel, const spn_operator *op)
{
    const exact_plan *p = r->plan;
    spn_gap gap = {0};
    if (!r->status)
        r->status = spn_operator_gap(&gap, op, NULL, r->err);
    put_of(r, "gap", kernel, gap.gap);
    put_of(r, "gap_accuracy", kernel, gap.accuracy);
    put_of(r, "lambda_min", kernel, gap.lambda_min);
    if (kernel == p->first)
        put(r, "psi", gap.gap);
    if (!r->status && !gap.converged)
        r->status = spn_record_add_note(
            r->out, r->err,
            "not converged: the %s gap is an upper bound (estimated relative error %.1g after %zu "
            "iterations)",
            spn_kernel_name(kernel), gap.accuracy, gap.iterations);
}

static void put_chain(exact_run *r, spn_kernel kernel, spn_operator *op)
{
    const exact_plan *p = r->plan;
    spn_balance balance = {0};
    double height = NAN;
    if (!r->status)
        r->status = spn_operator_set(op, kernel, p->beta, p->gamma, r->err);
    if (!r->status)
        r->status = spn_operator_balance(&balance, op, r->err);
    if (!r->status)
        r->status = spn_replicated_height(&height, r->landscape, p->replicas, kernel, p->beta,
                                          p->gamma, r->err);
    put_of(r, "acceptance", kernel, balance.acceptance);
    put_of(r, "stationarity", kernel, balance.stationarity);
    put_of(r, "reversibility", kernel, balance.reversibility);
    put_of(r, "M", kernel, height);
    if (p->gap != GAP_NEVER)
        put_gap(r, kernel, op);
}

static void put_chains(exact_run *r)
{
    const exact_plan *p = r->plan;
    spn_operator *op = NULL;
    if (!r->status && p->no_chain_text[0])
        r->status = spn_record_add_note(r->out, r->err, "%s", p->no_chain_text);
    if (r->status || !p->chains)
        return;
    r->status =
        spn_operator_create(&op, r->landscape, p->replicas, SPN_KERNEL_TWO_STAGE, 0, 0, r->err);
    for (int k = 0; k < KERNELS && !r->status; k++)
        if (p->kernels[k])
            put_chain(r, (spn_kernel)k, op);
    spn_operator_free(op);
}

/* ---- dense regions ---- */

static void make_dense(exact_run *r)
{
    const exact_plan *p = r->plan;
    const spn_problem *given = p->dense_states;
    if (r->status)
        return;
    if (p->has_ball) {
        r->status = spn_dense_set_ball(&r->dense, r->landscape, p->center, p->dense_radius, r->err);
    } else if (given) {
        spn_error why = {0};
        const size_t count = spn_problem_count(given), sites = spn_problem_sites(given);
        const int8_t *rows = spn_problem_rows(given);
        uint32_t *states = spn_alloc(count, sizeof *states);
        if (!states)
            r->status = spn_fail(r->err, SPN_ERROR_MEMORY, "out of memory for the dense set");
        for (size_t k = 0; states && k < count * sites; k++)
            states[k / sites] |= (uint32_t)(rows[k] > 0) << k % sites;
        if (states && spn_dense_set_states(&r->dense, r->landscape, states, count, &why))
            r->status = spn_setting_blame("dense", &why, r->err);
        free(states);
    }
}

static double find_mass(exact_run *r, double beta, double gamma)
{
    double mass = NAN;
    if (!r->status)
        r->status = spn_dense_mass(&mass, r->landscape, r->plan->replicas, beta, gamma,
                                   r->dense->states, r->dense->count, r->err);
    return mass;
}

static void put_dense(exact_run *r)
{
    const exact_plan *p = r->plan;
    const spn_dense_set *d = r->dense;
    double gamma = NAN, mass = NAN;
    bool refined = false;
    if (!d)
        return;
    put(r, "dense_states", (double)d->count);
    put(r, "dense_minima", (double)d->minima);
    put(r, "share", (double)d->minima / (double)r->landscape->minima_count);
    put(r, "dense_apart", d->apart > 0 && d->apart <= p->sites ? (double)d->apart : NAN);
    put(r, "dense_mass", find_mass(r, p->beta, p->gamma));
    put(r, "dense_mass_infinity", find_mass(r, INFINITY, p->gamma));
    put(r, "dense_mass_gamma_infinity", find_mass(r, p->beta, INFINITY));
    put(r, "dense_mass_bound", spn_dense_set_bound(d, r->landscape, p->replicas, p->gamma));
    if (!p->gammas || r->status)
        return;
    r->status = spn_dense_set_best_gamma(&gamma, &mass, &refined, d, r->landscape, p->replicas,
                                         p->beta, p->gammas, p->gamma_count, r->err);
    put(r, "best_gamma", gamma);
    put(r, "best_mass", mass);
    put(r, "best_refined", refined);
}

/* ---- the task ---- */

/* Whether there is no error, and nobody wants to stop. */
static bool goes_on(const exact_run *r, const spn_run *run)
{
    return !r->status && !(run->stop && *run->stop);
}

static void compute(exact_run *r, const spn_run *run)
{
    const exact_plan *p = r->plan;
    put_landscape(r);
    make_dense(r);
    if (goes_on(r, run))
        put_chains(r);
    put_constants(r);
    if (goes_on(r, run))
        put_law(r, run->details);
    if (goes_on(r, run))
        put_dense(r);
    if (goes_on(r, run))
        r->status = spn_exact_add_minima(r->out, r->landscape, p->density, run->details, r->err);
    if (goes_on(r, run) && p->schedule)
        r->status = spn_exact_annealing_run(r->out, &p->annealing, r->landscape, r->err);
}

static spn_status run_exact(spn_record *out, spn_outcome *outcome, const void *plan,
                            const spn_job *job, const spn_run *run, spn_error *err)
{
    const exact_plan *p = plan;
    spn_instance instance = {0};
    spn_landscape *landscape = NULL;
    exact_run r = {.plan = p, .out = out, .err = err};
    const unsigned threads = p->threads ? (unsigned)p->threads : job->key ? 1 : 0;
    r.status = spn_instance_make(&instance, &p->instance, job->instance_seed, err);
    if (!r.status)
        r.status = spn_landscape_create(&landscape, instance.energy, threads, err);
    r.landscape = landscape;
    out->instance_seed = instance.seed;
    if (!r.status)
        compute(&r, run);
    outcome->complete = goes_on(&r, run);
    spn_dense_set_free(r.dense);
    spn_landscape_free(landscape);
    spn_instance_clear(&instance);
    return r.status;
}

static spn_status resolve_exact(spn_record *out, const void *plan, const spn_job *job,
                                spn_error *err)
{
    (void)job;
    return spn_instance_resolve(out, &((const exact_plan *)plan)->instance, err);
}

const spn_task spn_exact_task = {
    .name = "exact",
    .summary = "compute the laws, chains and dense regions of a small energy exactly",
    .details =
        "A state's index has bit i set iff spin i is +1, the first spin being bit 0; replica a of "
        "a\n"
        "replicated state holds bits N(a-1) to Na-1. docs/theory.md defines every quantity. A "
        "list\n"
        "or a range of values is a sweep: experiments/exact/ has some.\n\n"
        "Examples\n"
        "  spinney exact --energy bits --random 9,3,1 --beta 1 --gamma 0.5\n"
        "  spinney exact --energy bits --random 5,3,1 --grid beta=1:8:0.5 --y gap_two_stage --log "
        "--plot "
        "gap.svg\n"
        "  spinney exact --code 0111100,1011010,1101001 --ball 1 --beta inf --best-gamma 0:4:0.1\n"
        "  spinney exact --energy bits --random 3,2,1 --schedule theorem1 --start 18\n",
    .settings = SETTINGS,
    .results = RESULTS,
    .plan_size = sizeof(exact_plan),
    .plan = plan_exact,
    .clear = clear_exact,
    .resolve = resolve_exact,
    .missing = missing_exact,
    .cost = cost_exact,
    .run = run_exact};
