#include "job/energy_settings.h"
#include "base/number.h"
#include "base/try.h"
#include "record/record.h"

#include <math.h>
#include <string.h>
#include <xxhash.h>

static const char PLANTED[] = "planted", OPTIONS[] = "energy-options";

static const char *energy_word(size_t i)
{
    const spn_energy_kind *kind = spn_energy_kind_at(i);
    if (kind)
        return kind->name;
    return i > 0 && spn_energy_kind_at(i - 1) ? PLANTED : NULL;
}

static const char *graph_format_word(size_t i)
{
    return spn_graph_format_name((spn_graph_format)i);
}

static const char *program_format_word(size_t i)
{
    return spn_program_format_name((spn_program_format)i);
}

static const char *const VALUE_WORDS[] = {"signs", "gaussian", NULL};

const spn_setting spn_energy_rows[] = {
    SPN_HEADING("Problem"),
    {"energy", SPN_SETTING_FILE, .flags = SPN_SETTING_PLUGIN | SPN_SETTING_COMMON,
     .argument = "NAME|FILE.so", .word = energy_word, .at = offsetof(spn_energy_settings, energy),
     .help = "what to minimise, such as qubo, ising, maxcut or bits; ./mine.so is a shared object "
             "with your own energy"},
    {"energy-options", SPN_SETTING_LIST, .argument = "TEXT",
     .at = offsetof(spn_energy_settings, energy_options),
     .help = "options for an energy from a shared object; the object says what they mean"},
    {"energy-file", SPN_SETTING_FILE, .argument = "FILE",
     .at = offsetof(spn_energy_settings, energy_file),
     .help = "file for an energy from a shared object"},
    {"patterns", SPN_SETTING_FILE, .flags = SPN_SETTING_COUNT, .argument = "FILE|P",
     .at = offsetof(spn_energy_settings, patterns),
     .help = "patterns for energies such as errors and bits: a CSV of +1 and -1, the label in the "
             "last column; with `sites`, the number of random patterns"},
    {"sites", SPN_SETTING_WHOLE, .argument = "N", .unit = "spins", .least = 1, .most = UINT32_MAX,
     .at = offsetof(spn_energy_settings, sites),
     .help = "draw random patterns for N spins; give their number as `alpha` or `patterns`. A "
             "pattern has N values (N/`units` for a fully connected committee)",
     .label = "number of spins N"},
    {"alpha", SPN_SETTING_REAL, .argument = "A", .least = 1e-9, .most = 1e9,
     .at = offsetof(spn_energy_settings, alpha),
     .help = "density of the random patterns of `sites`; there are round(A N) of them",
     .label = "patterns per spin α"},
    {"instance-seed", SPN_SETTING_WHOLE, .argument = "S",
     .otherwise = "drawn from the seed of each run", .least = 0, .most = (double)INT64_MAX,
     .at = offsetof(spn_energy_settings, instance_seed), .help = "seed of the random patterns",
     .label = "seed of the patterns"},
    {"random", SPN_SETTING_LIST, .flags = SPN_SETTING_COMMON, .argument = "N,P[,SEED]",
     .at = offsetof(spn_energy_settings, random),
     .help = "random problem for bits or errors: P patterns of N spins; P is a count, or a density "
             "P/N if it has a decimal point. Without SEED, each run draws its own"},
    {"teacher", SPN_SETTING_FLAG, .fallback = "false", .at = offsetof(spn_energy_settings, teacher),
     .help = "label random patterns by a random teacher, so that a solution exists; patterns that "
             "the teacher does not classify with margin `kappa` are drawn again"},
    {"pattern-values", SPN_SETTING_WORD, .argument = "KIND", .words = VALUE_WORDS,
     .otherwise = "signs", .at = offsetof(spn_energy_settings, pattern_values),
     .help = "values of random patterns; signs are +1 and -1, gaussian is for errors, product and "
             "symmetric"},
    {"kappa", SPN_SETTING_REAL, .argument = "K", .otherwise = "0; 1 for symmetric",
     .at = offsetof(spn_energy_settings, kappa),
     .help = "threshold of the stabilities x; errors, product, bits and bits-strict require x >= K "
             "sqrt(N), symmetric requires |x| <= K sqrt(N)",
     .label = "threshold κ"},
    {"units", SPN_SETTING_WHOLE, .argument = "K", .otherwise = "3 for committees", .least = 1,
     .most = 1e6, .at = offsetof(spn_energy_settings, units),
     .help = "hidden units of committee and committee-units, an odd number; each unit sees all "
             "inputs, so there are K spins per input",
     .label = "hidden units K"},
    {"tree", SPN_SETTING_FLAG, .at = offsetof(spn_energy_settings, tree),
     .help = "a tree committee; each unit sees its own share of the inputs, so there is one spin "
             "per input. `units` must divide the number of inputs"},
    {"graph", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "FILE",
     .at = offsetof(spn_energy_settings, graph),
     .help = "problem file of qubo, ising or maxcut, with lines i j value; `graph-format` lists "
             "all formats"},
    {"graph-format", SPN_SETTING_WORD, .argument = "FORMAT", .word = graph_format_word,
     .otherwise = "auto: by content, then by name",
     .at = offsetof(spn_energy_settings, graph_format),
     .help = "format of `graph`; rudy is Gset's (n m, then i j or i j w, from 1), qbsolv is .qubo, "
             "coo has lines i j value (from 0, or names)"},
    {"offset", SPN_SETTING_REAL, .argument = "E0", .otherwise = "0, or that of the graph file",
     .at = offsetof(spn_energy_settings, offset),
     .help = "constant added to every energy of `graph`, on top of the file's own offset"},
    {"table", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(spn_energy_settings, table),
     .help = "2^N energies, for table; bit i of a state's number is set if spin i is +1"},
    {"minima", SPN_SETTING_FILE, .argument = "FILE", .at = offsetof(spn_energy_settings, minima),
     .help = "states for distance; one per line, a string of + and -, first spin first"},
    {"code", SPN_SETTING_LIST, /* or a file, whose name has no commas */
     .argument = "GENERATORS|FILE", .at = offsetof(spn_energy_settings, code),
     .help = "linear code for planted; rows 0111100,1011010,... or a file of rows of + and -. The "
             "energy is the distance to the nearest codeword or state of the ball"},
    {"ball", SPN_SETTING_WHOLE, .argument = "R", .least = 0, .most = SPN_EXACT_SITES,
     .at = offsetof(spn_energy_settings, ball),
     .help = "radius for `code`; states within distance R of codeword 0 are minima too"},
    SPN_HEADING("Problem with constraints, in place of an energy"),
    {"problem", SPN_SETTING_FILE, .flags = SPN_SETTING_COMMON, .argument = "FILE",
     .at = offsetof(spn_energy_settings, program),
     .help = "problem with an objective, constraints and named variables; LP (CPLEX's), QPLIB, a "
             "polynomial (coo), clauses (CNF) or weighted MaxSAT (WCNF)"},
    {"problem-format", SPN_SETTING_WORD, .argument = "FORMAT", .word = program_format_word,
     .otherwise = "auto: by content, then by name",
     .at = offsetof(spn_energy_settings, program_format), .help = "format of `problem`"},
    {"fix", SPN_SETTING_LIST, .argument = "NAME=VALUE,...",
     .at = offsetof(spn_energy_settings, fix), .help = "give these variables of `problem` a value"},
    {"penalty", SPN_SETTING_REAL, .argument = "WEIGHT",
     .otherwise = "anneal finds and adapts one for each constraint; other commands take the most "
                  "that a flip can change the objective",
     .least = 1e-300, .most = 1e300, .at = offsetof(spn_energy_settings, penalty),
     .help = "cost of a unit of violation of a constraint of `problem` that the moves do not keep"},
    {.name = NULL}};

/* ---- checks ---- */

static bool is_count(const char *text)
{
    uint64_t count;
    return spn_whole_parse(&count, text);
}

/* Random patterns take `sites` with `alpha` or a number of patterns, or `random`. */
static spn_status check_random(const spn_job *job, spn_error *err)
{
    static const char *const others[] = {"sites", "alpha", "patterns"};
    static const char *const drawn[] = {"instance-seed", "teacher", "pattern-values"};
    const char *patterns = spn_job_given(job, "patterns");
    const bool random = spn_job_given(job, "random"), sites = spn_job_given(job, "sites");
    const bool alpha = spn_job_given(job, "alpha"), counted = patterns && is_count(patterns);
    for (size_t k = 0; random && k < sizeof others / sizeof *others; k++)
        if (spn_job_given(job, others[k]))
            return spn_setting_fail("random", err, "give this or `%s`, not both", others[k]);
    if (alpha && !sites)
        return spn_setting_fail("alpha", err, "needs `sites`, the number of spins");
    if (alpha && patterns)
        return spn_setting_fail("alpha", err, "give this or `patterns`, not both");
    if (counted && !sites)
        return spn_setting_fail(
            "patterns", err,
            "%s is a number of random patterns, and needs `sites`; a file of that name is ./%s",
            patterns, patterns);
    if (sites && patterns && !counted)
        return spn_setting_fail("sites", err, "needs a number of random patterns, not the file %s",
                                patterns);
    if (sites && !patterns && !alpha)
        return spn_setting_fail("sites", err, "needs `alpha`, or `patterns` as a number");
    for (size_t k = 0; !random && !sites && k < sizeof drawn / sizeof *drawn; k++)
        if (spn_job_given(job, drawn[k]))
            return spn_setting_fail(drawn[k], err, "needs `sites` or `random`");
    return SPN_OK;
}

/* A setting of another kind of energy is a mistake, so it is refused. */
static spn_status check_unused(const spn_job *job, const char *energy, const char *file,
                               bool patterns, spn_error *err)
{
    static const struct {
        const char *name, *with; /* the file it goes with; NULL: random patterns */
    } all[] = {{"patterns", ""},
               {"random", NULL},
               {"graph", ""},
               {"table", ""},
               {"minima", ""},
               {"code", ""},
               {"ball", "code"},
               {"sites", NULL},
               {"alpha", NULL},
               {"instance-seed", NULL},
               {"graph-format", "graph"},
               {"offset", "graph"},
               {OPTIONS, ""},
               {"energy-file", OPTIONS}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const bool used = strcmp(all[k].name, file) == 0 ||
                          (all[k].with ? strcmp(all[k].with, file) == 0 : patterns);
        if (spn_job_given(job, all[k].name) && !used)
            return spn_setting_fail(all[k].name, err,
                                    "cannot be combined with energy %s, which takes %s", energy,
                                    file);
    }
    const spn_energy_kind *kind = spn_energy_find(energy);
    if (spn_job_given(job, "kappa") && !(kind && kind->has_kappa))
        return spn_setting_fail("kappa", err,
                                "cannot be combined with energy %s, which has no threshold; "
                                "errors, product, bits, bits-strict and symmetric have one",
                                energy);
    static const char *const of_committees[] = {"units", "tree", NULL};
    for (size_t k = 0; of_committees[k]; k++)
        if (spn_job_given(job, of_committees[k]) && !(kind && kind->units))
            return spn_setting_fail(of_committees[k], err,
                                    "cannot be combined with energy %s, which has no hidden units; "
                                    "committee and committee-units have some",
                                    energy);
    return check_random(job, err);
}

/* ---- committees ---- */

static spn_status plan_committee(spn_instance *out, const spn_energy_settings *settings,
                                 spn_error *err)
{
    if (!out->kind->units)
        return SPN_OK;
    out->units = settings->units ? (size_t)settings->units : out->kind->units;
    out->tree = settings->tree;
    if (out->units % 2 == 0)
        return spn_setting_fail("units", err, "is odd, so that there is a majority; %zu is even",
                                out->units);
    return SPN_OK;
}

/* For random patterns, whose number of spins is given. */
static spn_status check_shares(const spn_instance *instance, spn_error *err)
{
    if (instance->units == 0 || instance->sites % instance->units == 0)
        return SPN_OK;
    return spn_setting_fail(instance->from_text ? "random" : "sites", err,
                            "the number of spins, %zu, is no multiple of the %zu units",
                            instance->sites, instance->units);
}

/* Values per pattern: fewer than spins if the units share them. */
static size_t inputs_of(const spn_instance *instance)
{
    return instance->units && !instance->tree ? instance->sites / instance->units : instance->sites;
}

/* ---- problems of files, and random ones ---- */

static spn_status create_energy(spn_energy **out, const spn_instance *instance,
                                const spn_problem *problem, spn_error *err)
{
    spn_energy_options options = spn_energy_options_defaults();
    if (instance->kind->has_kappa)
        options.kappa = instance->kappa;
    options.units = instance->units;
    options.tree = instance->tree;
    return spn_energy_create_as(out, instance->kind->name, problem, &options, err);
}

/* how: what else the problem depends on. */
static spn_status share_energy(spn_instance *out, spn_inputs *inputs, const char *setting,
                               const char *name, const char *how, spn_error *err)
{
    spn_shared *shared;
    bool first = false;
    spn_error why = {0};
    spn_status status = spn_inputs_seek(&shared, &first, inputs, &why, "energy\n%s\n%s\n%s\n%s",
                                        out->kind->name, setting, name, how);
    if (first)
        status = spn_inputs_keep(inputs, create_energy(&shared->energy, out, out->problem, &why));
    if (status)
        return spn_fail(err, status, "%s: %s: %s", setting, name, why.text);
    out->energy = shared->energy;
    return SPN_OK;
}

static spn_status plan_file(spn_instance *out, const spn_energy_settings *settings,
                            const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    spn_problem_options options = spn_problem_options_defaults();
    char how[2 * SPN_NUMBER_TEXT + 64], offset[SPN_NUMBER_TEXT], kappa[SPN_NUMBER_TEXT];
    options.format = (spn_graph_format)settings->graph_format;
    options.offset = settings->offset;
    spn_number_text(offset, options.offset);
    spn_number_text(kappa, out->kappa);
    snprintf(how, sizeof how, "%d %s %s %zu %d", settings->graph_format, offset, kappa, out->units,
             out->tree);
    const char *setting = spn_problem_file_name(out->kind->problem);
    const char *name = spn_job_given(job, setting);
    if (!name)
        return spn_setting_fail("energy", err, "%s needs `%s`, a file%s", out->name, setting,
                                out->kind->problem == SPN_PROBLEM_PATTERNS
                                    ? ", or `sites` and `alpha`, or `random N,P`"
                                    : "");
    SPN_TRY(spn_inputs_problem(&out->problem, inputs, out->kind->problem, setting, name, &options,
                               err));
    SPN_TRY(share_energy(out, inputs, setting, name, how, err));
    out->sites = spn_energy_sites(out->energy);
    out->patterns = spn_instance_has_patterns(out) ? (double)out->problem->count : 0;
    return SPN_OK;
}

/* round(alpha N) patterns, or the given number. */
static spn_status plan_sites(spn_random_text *out, const spn_energy_settings *settings,
                             spn_error *err)
{
    const double sites = (double)settings->sites, most = 1e12;
    uint64_t whole;
    *out = (spn_random_text){.sites = (size_t)settings->sites};
    const double count = settings->patterns
                             ? (spn_whole_parse(&whole, settings->patterns) ? (double)whole : 0)
                             : floor(settings->alpha * sites + 0.5);
    if (!(count >= 1 && count <= most))
        return spn_setting_fail(settings->patterns ? "patterns" : "alpha", err,
                                "makes %.0f patterns of %.0f spins; at least 1 and at most 1e12",
                                count, sites);
    out->count = (size_t)count;
    return SPN_OK;
}

static spn_status plan_random(spn_instance *out, const spn_energy_settings *settings,
                              const spn_job *job, spn_error *err)
{
    spn_error why = {0};
    if (settings->random && spn_random_text_parse(&out->drawn, settings->random, &why))
        return spn_setting_blame("random", &why, err);
    if (!settings->random)
        SPN_TRY(plan_sites(&out->drawn, settings, err));
    if (spn_job_given(job, "instance-seed")) {
        if (out->drawn.seeded)
            return spn_setting_fail("instance-seed", err, "random has a seed already: %s",
                                    settings->random);
        out->drawn.seeded = true;
        out->drawn.seed = settings->instance_seed;
    }
    out->random = true;
    out->from_text = settings->random != NULL;
    out->teacher = settings->teacher;
    out->gaussian = settings->pattern_values == 1;
    out->sites = out->drawn.sites;
    out->patterns = (double)out->drawn.count;
    return check_shares(out, err);
}

static spn_status plan_planted(spn_instance *out, const spn_energy_settings *settings,
                               const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    *out = (spn_instance){.name = PLANTED, .kind = spn_energy_find("table")};
    SPN_TRY(check_unused(job, PLANTED, "code", false, err));
    if (!spn_job_given(job, "code") || !spn_job_given(job, "ball"))
        return spn_setting_fail("energy", err,
                                "planted needs code, generators, and ball, a radius, such as "
                                "0111100,1011010,1101001 and 1");
    SPN_TRY(spn_inputs_planted(&out->planted, &out->energy, inputs, settings->code,
                               (size_t)settings->ball, err));
    out->sites = out->planted->sites;
    return SPN_OK;
}

static spn_status plan_plugin(spn_instance *out, const spn_energy_settings *settings,
                              const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    static const spn_energy_kind kind = {
        .name = "plug-in", .about = "of a shared object", .problem = SPN_PROBLEM_TABLE};
    *out = (spn_instance){.name = settings->energy, .kind = &kind};
    SPN_TRY(spn_inputs_plugin(&out->energy, &out->plugin, inputs, settings, err));
    SPN_TRY(check_unused(job, out->name, OPTIONS, false, err));
    out->sites = spn_energy_sites(out->energy);
    return SPN_OK;
}

/* The energy is the objective, minimised, and the violations at one weight. */
static spn_status plan_program(spn_instance *out, const spn_energy_settings *settings,
                               const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    static const spn_energy_kind kind = {
        .name = "problem", .about = "of a problem", .problem = SPN_PROBLEM_TABLE};
    *out = (spn_instance){.name = kind.name, .kind = &kind, .penalty = settings->penalty};
    if (spn_job_given(job, "energy"))
        return spn_setting_fail("energy", err, "does not go with `problem`; leave it out");
    SPN_TRY(check_unused(job, kind.name, kind.name, false, err));
    SPN_TRY(spn_inputs_program(&out->program, inputs, settings->program,
                               (spn_program_format)settings->program_format, settings->fix, err));
    SPN_TRY(spn_inputs_program_energy(&out->energy, &out->penalty, inputs, out->program, err));
    out->sites = spn_energy_sites(out->energy);
    return SPN_OK;
}

/* ---- the instance ---- */

bool spn_instance_has_patterns(const spn_instance *instance)
{
    return instance->kind->problem == SPN_PROBLEM_PATTERNS;
}

bool spn_instance_is_symmetric(const spn_instance *instance)
{
    return instance->kind && strcmp(instance->kind->name, "symmetric") == 0;
}

bool spn_instance_has_cuts(const spn_instance *instance)
{
    return instance->kind->problem == SPN_PROBLEM_CUT;
}

double spn_instance_cut(const spn_instance *instance, double energy)
{
    return instance->problem->offset - energy;
}

spn_status spn_instance_target(double *out, const spn_instance *instance, double target,
                               spn_error *err)
{
    *out = target;
    if (!spn_instance_has_cuts(instance))
        return SPN_OK;
    if (target < 0) /* every graph has cut 0, so a negative target is an energy */
        return spn_setting_fail("target", err,
                                "of maxcut is a cut, which is positive: give %g in place of the "
                                "energy %g",
                                -target, target);
    *out = spn_instance_cut(instance, target);
    return SPN_OK;
}

bool spn_instance_counts_errors(const spn_instance *instance)
{
    /* The energy of random patterns is not known until they are drawn. */
    return spn_instance_has_patterns(instance) &&
           (!instance->energy || spn_energy_integral(instance->energy));
}

spn_status spn_instance_plan(spn_instance *out, const spn_energy_settings *settings,
                             const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    static const char *const of_programs[] = {"problem-format", "fix", "penalty", NULL};
    const char *name = spn_job_text(job, "energy");
    if (spn_job_given(job, "problem"))
        return plan_program(out, settings, job, inputs, err);
    for (size_t k = 0; of_programs[k]; k++)
        if (spn_job_given(job, of_programs[k]))
            return spn_setting_fail(of_programs[k], err, "needs `problem`, a file");
    if (name ? strcmp(name, PLANTED) == 0 : spn_job_given(job, "code") != NULL)
        return plan_planted(out, settings, job, inputs, err);
    if (!name)
        return spn_setting_fail("energy", err, "is missing; give what to minimise, such as qubo");
    if (spn_setting_is_plugin(name))
        return plan_plugin(out, settings, job, inputs, err);
    *out = (spn_instance){.name = name, .kind = spn_energy_find(name)};
    out->kappa = spn_job_given(job, "kappa") ? settings->kappa : out->kind->kappa;
    SPN_TRY(check_unused(job, name, spn_problem_file_name(out->kind->problem),
                         spn_instance_has_patterns(out), err));
    SPN_TRY(plan_committee(out, settings, err));
    return settings->random || settings->sites ? plan_random(out, settings, job, err)
                                               : plan_file(out, settings, job, inputs, err);
}

static spn_status draw_patterns(spn_instance *out, uint64_t seed, spn_error *err)
{
    spn_random_patterns o = spn_random_patterns_defaults();
    o.sites = inputs_of(out);
    o.count = out->drawn.count;
    o.seed = out->drawn.seeded ? out->drawn.seed : seed;
    o.kappa = out->kappa;
    o.gaussian = out->gaussian;
    o.units = out->units;
    o.tree = out->tree;
    if (out->teacher)
        o.planting = spn_instance_is_symmetric(out) ? SPN_PLANTING_WITHIN : SPN_PLANTING_ABOVE;
    return spn_problem_random_patterns_as(&out->own_problem, &o, err);
}

spn_status spn_instance_make(spn_instance *out, const spn_instance *planned, uint64_t seed,
                             spn_error *err)
{
    spn_error why = {0};
    *out = *planned;
    if (!planned->random)
        return SPN_OK;
    const char *blamed = planned->kappa != planned->kind->kappa ? "kappa"
                         : planned->gaussian                    ? "pattern-values"
                         : planned->from_text                   ? "random"
                                                                : "sites";
    spn_status status = draw_patterns(out, seed, &why);
    if (!status)
        status = create_energy(&out->own_energy, out, out->own_problem, &why);
    if (status)
        return spn_setting_blame(blamed, &why, err);
    out->problem = out->own_problem;
    out->energy = out->own_energy;
    out->seed = out->drawn.seeded ? 0 : seed;
    return SPN_OK;
}

void spn_instance_clear(spn_instance *instance)
{
    spn_energy_free(instance->own_energy);
    spn_problem_free(instance->own_problem);
    *instance = (spn_instance){0};
}

spn_status spn_instance_resolve(spn_record *out, const spn_instance *instance, const spn_job *job,
                                spn_error *err)
{
    if (!instance->random)
        spn_record_remove_setting(out, "teacher");
    if (instance->program && !spn_job_given(job, "penalty")) {
        char penalty[SPN_NUMBER_TEXT];
        spn_number_text(penalty, instance->penalty);
        return spn_record_add_setting(out, "penalty", penalty, err);
    }
    if (instance->units && !spn_job_given(job, "units")) {
        char units[SPN_NUMBER_TEXT];
        spn_number_text(units, (double)instance->units);
        return spn_record_add_setting(out, "units", units, err);
    }
    if (spn_instance_is_symmetric(instance)) {
        char kappa[SPN_NUMBER_TEXT];
        spn_number_text(kappa, instance->kappa);
        return spn_record_add_setting(out, "kappa", kappa, err);
    }
    return instance->planted ? spn_record_add_setting(out, "energy", PLANTED, err) : SPN_OK;
}

spn_status spn_instance_note(spn_record *out, const spn_instance *instance, spn_error *err)
{
    const size_t zeroed = spn_energy_zeroed(instance->energy);
    const spn_status status =
        instance->program
            ? spn_record_add_note(out, err,
                                  "problem: %zu spins; the energy is %sthe objective plus %g times "
                                  "the violation",
                                  instance->sites,
                                  spn_program_maximises(instance->program) ? "minus " : "",
                                  instance->penalty)
            : spn_record_add_note(out, err, "%s: %zu spins", instance->name, instance->sites);
    if (status || !zeroed)
        return status;
    return spn_record_add_note(out, err,
                               "%zu of its couplings and fields count as 0: they are less than "
                               "2^-51 of the sum of all sizes",
                               zeroed);
}

uint64_t spn_instance_checksum(const spn_instance *instance)
{
    const char *name = instance->kind->name;
    const spn_problem *p = instance->problem;
    uint64_t sum = XXH3_64bits_withSeed(name, strlen(name), instance->sites);
    if (instance->program)
        return XXH3_64bits_withSeed(&instance->penalty, sizeof instance->penalty,
                                    spn_program_checksum(instance->program));
    if (!p && !instance->planted)
        return XXH3_64bits_withSeed(&instance->plugin, sizeof instance->plugin, sum);
    if (instance->planted)
        return XXH3_64bits_withSeed(instance->planted->energy,
                                    instance->planted->states * sizeof(double), sum);
    const size_t count = p->count;
    if (p->rows)
        sum = XXH3_64bits_withSeed(p->rows, count * p->sites, sum);
    if (p->values)
        sum = XXH3_64bits_withSeed(p->values, count * p->sites * sizeof(int16_t), sum);
    if (instance->units) {
        const uint64_t shape[] = {instance->units, instance->tree};
        sum = XXH3_64bits_withSeed(shape, sizeof shape, sum);
    }
    if (instance->kappa != 0)
        sum = XXH3_64bits_withSeed(&instance->kappa, sizeof instance->kappa, sum);
    if (p->labels)
        sum = XXH3_64bits_withSeed(p->labels, count, sum);
    if (p->edges)
        sum = XXH3_64bits_withSeed(p->edges, count * sizeof(spn_edge), sum);
    const double offset = p->offset;
    if (offset != 0)
        sum = XXH3_64bits_withSeed(&offset, sizeof offset, sum);
    if (p->energies)
        sum = XXH3_64bits_withSeed(p->energies, count * sizeof(double), sum);
    return sum;
}
