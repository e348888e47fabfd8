/* The tables of the task exact: its settings and its results. docs/theory.md defines every
   quantity. */
#include "task/exact/plan.h"

#include <math.h>
#include <stddef.h>

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

/* ---- what results need ---- */

static const char *law_needs(const void *plan)
{
    return ((const spn_exact_plan *)plan)->no_law ? "no-law leaves it out" : NULL;
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

static const char *gap_needs(const void *plan)
{
    return ((const spn_exact_plan *)plan)->gap == SPN_EXACT_GAP_NEVER ? "gap: never leaves it out"
                                                                      : NULL;
}

static const char *kernel_needs(const spn_exact_plan *p, spn_kernel kernel)
{
    return p->kernels[kernel] ? NULL : "name its kernel in the setting kernel";
}

/* What the results of a kernel's chain need, and its gaps. */
#define NEEDS_OF(value, name, ...)                                                                 \
    static const char *name##_needs(const void *plan)                                              \
    {                                                                                              \
        return kernel_needs(plan, SPN_KERNEL_##value);                                             \
    }                                                                                              \
    static const char *name##_gap_needs(const void *plan)                                          \
    {                                                                                              \
        return gap_needs(plan) ? gap_needs(plan) : kernel_needs(plan, SPN_KERNEL_##value);         \
    }
SPN_KERNELS(NEEDS_OF, )

static const char *density_needs(const void *plan)
{
    return ((const spn_exact_plan *)plan)->density ? NULL : "set density";
}

static const char *dense_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    return p->has_ball || p->dense ? NULL : "give a dense set: dense-center or dense";
}

static const char *marginal_needs(const void *plan)
{
    return dense_needs(plan) ? dense_needs(plan) : law_needs(plan);
}

static const char *best_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    const char *dense = dense_needs(plan);
    return dense || p->best_gamma ? dense : "give best-gamma";
}

static const char *joint_needs(const void *plan)
{
    return ((const spn_exact_plan *)plan)->joint == SPN_EXACT_JOINT_NONE ? "joint" : NULL;
}

static const char *simulated_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    return p->ladder_chain.options.kind == SPN_JOINT_SIMULATED ? NULL : "joint simulated";
}

static const char *scan_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    return spn_exact_joint_scans(&p->ladder_chain, p->sites)
               ? NULL
               : "joint swapping over at least 3 rungs, N y K up to 9";
}

static const char *schedule_needs(const void *plan)
{
    return ((const spn_exact_plan *)plan)->schedule ? NULL : "give a schedule";
}

static const char *kappa3_needs(const void *plan)
{
    const spn_exact_plan *p = plan;
    return p->sites * p->replicas > SPN_KAPPA3_BITS ? "a chain of N y up to 8" : NULL;
}

/* ---- results ---- */

/* A quantity of each kernel's chain. */
/* NOLINTBEGIN(bugprone-macro-parentheses): texts that are joined have none */
#define OF_KERNEL(value, name, word, of, need, about)                                              \
    {of "_" #name, .needs = name##need, .help = about ", of the " word " kernel"},
/* NOLINTEND(bugprone-macro-parentheses) */
#define COLUMN(of, text, about)                                                                    \
    {                                                                                              \
        (of), SPN_QUANTITY_COLUMN, .label = (text), .help = (about)                                \
    }
#define DETAIL(of, text, about)                                                                    \
    {                                                                                              \
        (of), SPN_QUANTITY_COLUMN, SPN_QUANTITY_DETAIL, .label = (text), .help = (about)           \
    }

static const spn_quantity law_results[] = {
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
    {0}};

static const spn_quantity chain_results[] = {
    {"psi", .needs = gap_needs, .flags = SPN_QUANTITY_MAIN,
     .help = "spectral gap 1 - lambda_1 of the first kernel"},
    /* clang-format off */
    SPN_KERNELS(OF_KERNEL, "gap", _gap_needs, "spectral gap psi = 1 - lambda_1")
    SPN_KERNELS(OF_KERNEL, "gap_accuracy", _gap_needs, "estimated relative error of the gap")
    SPN_KERNELS(OF_KERNEL, "lambda_min", _gap_needs, "least eigenvalue")
    SPN_KERNELS(OF_KERNEL, "acceptance", _needs, "probability that a proposal is accepted")
    SPN_KERNELS(OF_KERNEL, "M", _needs, "M = beta m_t, the height of beta U - H")
    SPN_KERNELS(OF_KERNEL, "stationarity", _needs, "how far a proposal moves Qbar")
    SPN_KERNELS(OF_KERNEL, "reversibility", _needs, "violation of detailed balance")
    /* clang-format on */
    {0}};

static const spn_quantity density_results[] = {
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
    {0}};

static const spn_quantity joint_results[] = {
    {"joint_states", .help = "states of the joint chain"},
    {"joint_gap", .help = "its spectral gap, of a step"},
    {"joint_gap_accuracy", .help = "estimated relative error of joint_gap"},
    {"joint_lambda_min", .help = "its least eigenvalue"},
    {"joint_cold_gap", .help = "spectral gap of the first kernel alone at beta"},
    {"joint_ratio", .help = "joint_gap over joint_cold_gap: above 1, the ladder pays"},
    {"joint_cold_share", .needs = simulated_needs,
     .help = "share of its time that simulated tempering is at beta"},
    {"joint_rate_even_odd", .needs = scan_needs,
     .help = "1 - |lambda| of a proposal: scans of N y proposals of each rung, even and odd pairs "
             "swapped in turn; swaps not counted"},
    {"joint_rate_random", .needs = scan_needs, .help = "the same, even or odd pairs by a coin"},
    COLUMN("rungs.rung", "rung", "number of the rung, hot to cold"),
    COLUMN("rungs.beta", "beta", "its beta"),
    COLUMN("rungs.log_z", "log Z'", "its log Z'"),
    COLUMN("rungs.gap", "gap", "spectral gap of the first kernel alone there"),
    {"rungs.share", SPN_QUANTITY_COLUMN, .needs = simulated_needs, .label = "share",
     .help = "share of the time there, of simulated tempering"},
    COLUMN("rungs.exchange", "acceptance", "acceptance of exchanges with the next colder rung"),
    {0}};

static const spn_quantity convergence_results[] = {
    {"epsilon", .help = "max |Qbar_n - nu_n| after the last stage"},
    {"total_variation", .help = "half the sum of |Qbar_n - nu_n| after it"},
    {"theorem", .help = "which theorem speaks of the schedule: 1, or 2 where gamma changes"},
    {"condition_met", .help = "1: its condition falls at each stage of the last half"},
    {"margin", .help = "the least such fall"},
    {"c", .help = "constant of the lower bound on the rate of convergence"},
    {"log_kappa", .help = "log of the contraction constant kappa: given, or of max(e, kappa1)"},
    {"log_kappa3", .needs = kappa3_needs,
     .help = "log of kappa3, the least constant with which the stages contract, up to N y = 8"},
    {"condition3_met", .needs = kappa3_needs, .help = "condition_met with kappa3"},
    COLUMN("stages.stage", "stage n", "number of the stage"),
    COLUMN("stages.beta", "beta", "its beta"),
    COLUMN("stages.gamma", "gamma", "its gamma"),
    COLUMN("stages.steps", "steps", "its steps"),
    COLUMN("stages.epsilon", "epsilon_n", "max |Qbar_n - nu_n| after it"),
    COLUMN("stages.total_variation", NULL, "half the sum of |Qbar_n - nu_n|"),
    COLUMN("stages.condition", NULL, "-c sum T_k e^(-climb_k) + n log kappa"),
    COLUMN("stages.log_bound", NULL, "log of the proof's bound on epsilon_n"),
    {"stages.condition3", SPN_QUANTITY_COLUMN, .needs = kappa3_needs,
     .help = "stages.condition with kappa3"},
    {"stages.log_bound3", SPN_QUANTITY_COLUMN, .needs = kappa3_needs,
     .help = "log of the bound that holds with kappa3"},
    {0}};

const spn_quantity spn_exact_results[] = {
    {.help = "Landscape"},
    {"N", .help = "spins"},
    {"E_min", .help = "least energy"},
    {"E_max", .help = "largest energy"},
    {"minima_count", .help = "states of the least energy"},
    {"B", .help = "least energy above the minimum"},
    {"m", .help = "height of the landscape, which the gap falls with as e^(-beta m)"},
    {"d_star", .help = "largest climb from a state to a global minimum"},
    DETAIL("minima.state", "state", "index of each minimum"),
    {.help = "Law"},
    {.group = law_results, .needs = law_needs},
    {.help = "Constants"},
    {"log_Gamma", .help = "log of the norm of mu0"},
    {"mu0_N0", .help = "mu0 of the states with every replica at a minimum"},
    {"kappa1", .help = "constant of the bound kappa1 e^(-beta B) on the way to Qbar_inf"},
    {"log_kappa1", .help = "log kappa1, which does not overflow"},
    {"log_kappa2", .help = "log of the constant kappa2 of Theorem 2"},
    {"log_kappa2_bound", .help = "log of kappa2 (e^(-beta B) + e^(-B'))"},
    {"B_prime", .help = "log cosh(gamma y) - log cosh(gamma (y-2))"},
    {.help = "Chains"},
    {.group = chain_results, .needs = chain_needs},
    {.help = "Dense regions"},
    {"dense_states", .needs = dense_needs, .help = "states of the dense set D"},
    {"dense_minima", .needs = dense_needs, .help = "minima in D"},
    {"share", .needs = dense_needs, .help = "share of the minima that lie in D"},
    {"dense_apart", .needs = dense_needs,
     .help = "least distance of a minimum outside D to any other minimum"},
    {"dense_mass", .needs = dense_needs, .help = "probability that all replicas lie in D"},
    {"dense_mass_infinity", .needs = dense_needs, .help = "dense_mass at beta = inf"},
    {"dense_mass_gamma_infinity", .needs = dense_needs, .help = "dense_mass at gamma = inf"},
    {"dense_mass_marginal", .needs = marginal_needs,
     .help = "probability that one replica lies in D"},
    {"dense_mass_bound", .needs = dense_needs,
     .help = "bound of Proposition 3.5 on dense_mass_infinity, where its proof applies"},
    {"best_gamma", .needs = best_needs, .help = "gamma of the largest dense_mass"},
    {"best_mass", .needs = best_needs, .help = "dense_mass there"},
    {"best_refined", .needs = best_needs,
     .help = "1: between the values of best-gamma; 0: one of them"},
    {.group = density_results, .needs = density_needs},
    {.help = "Joint chain"},
    {.group = joint_results, .needs = joint_needs},
    {.help = "Convergence"},
    {.group = convergence_results, .needs = schedule_needs},
    SPN_SECONDS_QUANTITY,
    {0}};
