#include "task/exact/exact.h"

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
