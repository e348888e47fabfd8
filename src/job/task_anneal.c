/* The task `anneal`: replicas of any built-in energy. */
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "job/chain_job.h"
#include "job/energy_settings.h"
#include "job/measure.h"
#include "job/reads_job.h"
#include "job/solutions.h"
#include "job/tasks.h"
#include "job/teacher.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings and results ---- */

typedef struct anneal_plan {
    spn_energy_settings energy;
    spn_chain_settings chain;
    uint64_t reads;
    spn_flip_settings flip;
    spn_profile_settings profile;
    /* What they make. */
    spn_instance instance;
    spn_chain_plan options;
    spn_flip_plan flips;
} anneal_plan;

static const spn_setting settings[] = {
    {.group = spn_energy_rows, .at = offsetof(anneal_plan, energy)},
    {.group = spn_chain_rows, .at = offsetof(anneal_plan, chain)},
    SPN_HEADING("Reads"),
    {"reads", SPN_SETTING_WHOLE, .argument = "R",
     .otherwise =
         "1; of a graph with time, and no coupled replicas, 512, or fewer where they would "
         "be short",
     .least = 1, .most = 1e9, .at = offsetof(anneal_plan, reads),
     .help = "independent runs, threads of them side by side; the set of their best states is "
             "reported. Where they are more than one, and of a graph, replicas is 1 and order "
             "sequential unless they are given"},
    {.group = spn_flip_rows, .at = offsetof(anneal_plan, flip)},
    {.group = spn_profile_rows, .at = offsetof(anneal_plan, profile)},
    {.name = NULL}};

static const spn_quantity results[] = {
    {"cut", .flags = SPN_QUANTITY_BEST, .label = "largest cut met",
     .help = "of maxcut: the largest cut that any replica met"},
    {"best_energy", .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_BEST, .label = "lowest energy met",
     .help = "the lowest energy that any replica met"},
    {"energy", .label = "energy at the end, mean",
     .help = "the energy at the end, mean over the replicas; of reads that of the lowest replica, "
             "mean over the reads"},
    {"lowest_energy", .label = "lowest energy at the end",
     .help = "the energy at the end of the lowest replica"},
    {"solved_share", .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_SHARE,
     .label = "share of replicas without an error",
     .help = "of energies of patterns: the share of the replicas that put every pattern right at "
             "the end; of reads: of the best states of the reads"},
    {"active", .flags = SPN_QUANTITY_MAIN, .label = "accepted flips per replica",
     .help = "accepted flips, mean over the replicas"},
    {"overlap", .label = "mean overlap of the replicas",
     .help = "mean over pairs of replicas of their scalar product over N; 1 for one replica"},
    {"centre_energy", .label = "energy of the centre",
     .help = "the energy of the majority of the replicas at each spin"},
    SPN_CHAIN_QUANTITIES,
    SPN_HIT_QUANTITIES,
    SPN_READS_QUANTITIES,
    SPN_TEACHER_QUANTITIES("at the end"),
    {.help = "Each replica"},
    {"replicas.energy", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "its energy at the end"},
    {"replicas.best_energy", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "the lowest energy that it met"},
    {"replicas.accepted", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "its accepted flips"},
    {"replicas.proposals", SPN_QUANTITY_COLUMN, .flags = SPN_QUANTITY_DETAIL,
     .help = "its proposals"},
    SPN_OVERLAP_QUANTITIES,
    SPN_FLIP_QUANTITIES("of the replicas without an error"),
    SPN_PROFILE_QUANTITIES,
    {.name = NULL}};

static const char details[] =
    "Ctrl-C ends the run after the current step; the results so far are reported.\n\n"
    "Examples\n"
    "  spinney anneal --energy bits --random 1001,0.3,1 --target 0\n"
    "  spinney anneal --energy maxcut --graph G1.txt --reads 100 --threads 2 --target 11624\n"
    "  spinney anneal --energy qubo --graph q.txt --reads 1000 --out states.csv\n"
    "  spinney anneal --energy ising --graph glass.txt --gamma 0:1 --gamma-schedule linear "
    "--json\n";

/* ---- planning ---- */

static spn_status take_target(anneal_plan *p, spn_error *err)
{
    spn_chain_options *o = &p->options.options;
    if (o->target == SPN_TARGET_NONE)
        return SPN_OK;
    return spn_instance_target(&o->target_energy, &p->instance, p->chain.target, err);
}

/* Whether replicas and order have other defaults: reads of quadratic energies of one replica each
   in sequential order are made many at once. On six graphs of Gset 64 of these took a fifth of the
   time of 16 reads of three replicas, and the best cut was larger or the same in five of them. */
static bool has_own_defaults(const anneal_plan *p)
{
    return p->reads > 1 && p->instance.problem && spn_problem_edges(p->instance.problem) &&
           p->chain.coupling == SPN_COUPLING_REPLICAS;
}

/* In that order nothing can wait. */
static bool has_own_order(const anneal_plan *p, const spn_job *job)
{
    return has_own_defaults(p) && p->chain.moves == SPN_MOVES_PLAIN && !spn_job_given(job, "order");
}

static void take_defaults(anneal_plan *p, const spn_job *job)
{
    if (!has_own_defaults(p))
        return;
    if (!spn_job_given(job, "replicas"))
        p->chain.replicas = 1;
    if (has_own_order(p, job))
        p->chain.order = SPN_ORDER_SEQUENTIAL;
}

/* Where a time is to be filled, and nothing says that one run is wanted, many reads of a graph find
   more than one long run: the best cuts known of seven graphs of Gset in a minute (docs/speed.md).
   Each is to have some thousand sweeps, at two nanoseconds for a proposal. */
static void take_reads(anneal_plan *p, const spn_job *job)
{
    static const char *const of_one[] = {
        "replicas",    "gamma", "gamma-schedule", "order",    "patience", "flip", "profile-walks",
        "stop-frozen", "init",  "schedule",       "coupling", "moves",    NULL};
    const double most = 512, seconds_of_each = 2000 * 2e-9 * (double)p->instance.sites;
    const double fit = floor(p->options.options.seconds / seconds_of_each);
    bool many = p->reads == 0 && p->options.options.stretch && fit >= 16 && p->instance.problem &&
                spn_problem_edges(p->instance.problem);
    for (size_t k = 0; many && of_one[k]; k++)
        many = !spn_job_given(job, of_one[k]);
    if (p->reads == 0)
        p->reads = many ? (uint64_t)fmin(fit, most) : 1;
    if (!many)
        return;
    p->options.options.replicas = 1;
    p->options.options.order = SPN_ORDER_SEQUENTIAL;
}

static spn_status resolve_defaults(spn_record *out, const anneal_plan *p, const spn_job *job,
                                   spn_error *err)
{
    spn_status status = SPN_OK;
    if (!spn_job_given(job, "reads")) {
        char text[32];
        snprintf(text, sizeof text, "%" PRIu64, p->reads);
        status = spn_record_add_setting(out, "reads", text, err);
    }
    if (status || !has_own_defaults(p))
        return status;
    if (!spn_job_given(job, "replicas"))
        status = spn_record_add_setting(out, "replicas", "1", err);
    if (!status && has_own_order(p, job))
        status = spn_record_add_setting(out, "order", spn_order_name(SPN_ORDER_SEQUENTIAL), err);
    return status;
}

/* What is measured of replicas is of one run. */
static spn_status check_reads(const anneal_plan *p, const spn_job *job, spn_error *err)
{
    static const char *const of_one[] = {"flip", "profile-walks", NULL};
    for (size_t k = 0; p->reads > 1 && of_one[k]; k++)
        if (spn_job_given(job, of_one[k]))
            return spn_setting_fail(of_one[k], err,
                                    "is measured of the replicas of one run; leave reads out");
    return SPN_OK;
}

static spn_status plan_anneal(void *plan, const spn_job *job, spn_inputs *inputs, spn_error *err)
{
    anneal_plan *p = plan;
    spn_status status;
    if ((status = spn_instance_plan(&p->instance, &p->energy, job, inputs, err)))
        return status;
    take_defaults(p, job);
    if ((status = spn_chain_plan_make(&p->options, &p->chain, job, inputs, p->instance.sites,
                                      "energy", err)))
        return status;
    take_reads(p, job);
    if ((status = take_target(p, err)) || (status = check_reads(p, job, err)) ||
        (status = spn_flip_plan_make(&p->flips, &p->flip, job, p->options.options.replicas, err)))
        return status;
    if (p->flips.count && !spn_instance_has_patterns(&p->instance))
        return spn_setting_fail("flip", err, "is measured of patterns; the energy %s has none",
                                p->instance.name);
    return spn_profile_settings_check(job, err);
}

static void clear(void *plan)
{
    anneal_plan *p = plan;
    spn_chain_plan_clear(&p->options);
    spn_flip_plan_clear(&p->flips);
}

static spn_status resolve(spn_record *out, const void *plan, const spn_job *job, spn_error *err)
{
    const anneal_plan *p = plan;
    spn_measure_resolve(out, job);
    spn_status status = spn_instance_resolve(out, &p->instance, err);
    if (!status)
        status = resolve_defaults(out, p, job, err);
    return status ? status : spn_chain_plan_resolve(out, &p->options, job, err);
}

/* Whether the first hit of the chain's target energy means something: a target was given, or the
   energy counts errors, and the target is to make none. */
static bool counts_hits(const spn_chain_plan *chain, const spn_instance *instance)
{
    return chain->options.target != SPN_TARGET_NONE || spn_instance_counts_errors(instance);
}

/* Results of reads alone, and of one run alone; both with the curves that start so. */
static const char *const of_reads[] = {"distinct",      "best_reads", "hits",   "success",
                                       "median_energy", "quantiles.", "reads.", NULL};
static const char *const of_one_run[] = {"overlap",
                                         "centre_energy",
                                         "first_hit_steps",
                                         "first_hit_seconds",
                                         "replicas.",
                                         "overlaps.",
                                         "generalisation",
                                         "generalisation_se",
                                         "best_generalisation",
                                         "centre_generalisation",
                                         "vote_generalisation",
                                         "teacher_overlap",
                                         "best_teacher_overlap",
                                         "centre_teacher_overlap",
                                         NULL};

static bool is_among(const char *const *names, const char *result)
{
    for (; *names; names++) {
        const size_t size = strlen(*names);
        const bool curve = (*names)[size - 1] == '.';
        if (curve ? strncmp(*names, result, size) == 0 : strcmp(*names, result) == 0)
            return true;
    }
    return false;
}

static const char *missing(const void *plan, const char *result)
{
    const anneal_plan *p = plan;
    const bool patterns = spn_instance_has_patterns(&p->instance);
    if (p->reads == 1 && is_among(of_reads, result))
        return "reads of more than 1";
    if (p->reads > 1 && is_among(of_one_run, result))
        return "one run: leave reads out";
    if ((strcmp(result, "hits") == 0 || strcmp(result, "success") == 0 ||
         (p->reads > 1 && strcmp(result, "first_hit_proposals") == 0)) &&
        p->options.options.target == SPN_TARGET_NONE)
        return "a target";
    if (strcmp(result, "cut") == 0 && !spn_instance_has_cuts(&p->instance))
        return "the energy maxcut; show best_energy";
    if (strcmp(result, "solved_share") == 0 && !patterns)
        return "an energy of patterns, such as errors; show energy or best_energy";
    if (spn_teacher_missing(result, &p->instance))
        return spn_teacher_missing(result, &p->instance);
    if (!counts_hits(&p->options, &p->instance) && !(patterns && strcmp(result, "solved") == 0) &&
        spn_chain_job_missing(result, &p->options))
        return spn_chain_job_missing(result, &p->options);
    if (strncmp(result, "overlaps.", strlen("overlaps.")) == 0 && p->options.options.replicas < 2)
        return "two replicas or more";
    return spn_measure_missing(result, p->flips.count > 0, p->profile.walks > 0);
}

/* ---- cost ---- */

/* The parts of the work, in units of about ten nanoseconds. */
typedef struct anneal_work {
    double proposals, chain, flips, profile;
} anneal_work;

static anneal_work work_of(const anneal_plan *p, uint64_t steps)
{
    /* As measured on one core with 1001 spins: a rejected proposal costs half a unit, an energy
       change one unit and one more for each 256 patterns, of which many are done at once; 100
       patterns are classified in the time of a unit for each spin, and their stabilities are made
       anew, for a walk, in a tenth of a unit for each spin and pattern. */
    const double reject = 0.5, patterns_per_change = 256, patterns_per_classification = 100,
                 attach = 0.1;
    const double sites = (double)p->instance.sites, patterns = p->instance.patterns;
    const double change = 1 + patterns / patterns_per_change;
    anneal_work work = {0};
    work.proposals = spn_chain_plan_proposals(&p->options, steps ? steps : p->options.usual_steps) *
                     (steps ? 1 : (double)p->reads); /* a short run is one read */
    work.chain = work.proposals * (reject + change * spn_chain_plan_passes(&p->options));
    if (steps)
        return work;
    work.flips = (double)p->flips.count * (double)p->flips.options.trials * sites *
                 (patterns / patterns_per_classification + 1);
    work.profile = (double)p->profile.walks * (double)p->options.options.replicas * sites *
                   (change * p->profile.reach + patterns * attach);
    return work;
}

static spn_cost cost(const void *plan, uint64_t steps)
{
    const anneal_work work = work_of(plan, steps);
    return (spn_cost){.proposals = work.proposals, .work = work.chain + work.flips + work.profile};
}

/* ---- results ---- */

/* A run that was annealed. */
typedef struct annealed {
    const anneal_plan *plan;
    spn_instance instance;
    spn_chain_ready ready;
    spn_resumable chain;
    spn_snapshot state;
    bool *solves; /* which replicas make no error at the end; NULL where there are no patterns */
    spn_reads *reads;         /* in place of the chain where there are several */
    spn_solutions *solutions; /* the best states */
} annealed;

/* The replicas that make no error: of energies that count errors, those of energy 0. */
static spn_status find_solved(annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    const spn_problem *patterns = a->instance.problem;
    if (!spn_instance_has_patterns(&a->instance))
        return SPN_OK;
    a->solves = spn_alloc(s->replicas, sizeof *a->solves);
    if (!a->solves)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results");
    for (size_t k = 0; k < s->replicas; k++)
        a->solves[k] = spn_energy_integral(a->instance.energy)
                           ? s->energy[k] <= 0
                           : spn_patterns_right(&a->instance, s->spins + k * s->sites) ==
                                 spn_problem_count(patterns);
    return SPN_OK;
}

static spn_status centre_energy(double *out, const annealed *a, spn_error *err)
{
    int8_t *centre = malloc(a->state.sites);
    if (!centre)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the centre");
    spn_snapshot_centre(&a->state, centre);
    *out = spn_energy_value(a->instance.energy, centre);
    free(centre);
    return SPN_OK;
}

static spn_status add_cut(spn_record *out, const annealed *a, double energy, spn_error *err)
{
    if (!spn_instance_has_cuts(&a->instance))
        return SPN_OK;
    return spn_record_add_result(out, "cut", spn_instance_cut_of_energy(&a->instance, energy), err);
}

static spn_status add_numbers(spn_record *out, const annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    const double y = (double)s->replicas;
    double mean = 0, best = s->best_energy[0], lowest = s->energy[0], active = 0, solved = 0,
           centre = 0;
    spn_status status = centre_energy(&centre, a, err);
    for (size_t k = 0; k < s->replicas; k++) {
        mean += s->energy[k] / y;
        active += (double)s->accepted[k] / y;
        best = s->best_energy[k] < best ? s->best_energy[k] : best;
        lowest = s->energy[k] < lowest ? s->energy[k] : lowest;
        solved += a->solves && a->solves[k] ? 1 : 0;
    }
    const struct {
        const char *name;
        double value;
    } all[] = {{"energy", mean},          {"best_energy", best},
               {"lowest_energy", lowest}, {"solved_share", solved / y},
               {"active", active},        {"overlap", spn_snapshot_overlap(s)},
               {"centre_energy", centre}};
    for (size_t k = 0; k < sizeof all / sizeof *all && !status; k++)
        if (a->solves || strcmp(all[k].name, "solved_share") != 0)
            status = spn_record_add_result(out, all[k].name, all[k].value, err);
    return status ? status : add_cut(out, a, best, err);
}

static spn_status add_notes(spn_record *out, const annealed *a, spn_error *err)
{
    const spn_status status = spn_instance_note(out, &a->instance, err);
    return status ? status : spn_chain_job_note(out, &a->ready, err);
}

/* Whether the run was solved: by the first hit, or, where an energy of patterns does not count
   errors, by the states at the end and the best ones. */
static spn_status add_hit(spn_record *out, const annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    const spn_problem *patterns = a->instance.problem;
    const spn_chain_options *o = &a->plan->options.options;
    if (counts_hits(&a->plan->options, &a->instance))
        return spn_chain_job_record_hit(out, &a->chain, spn_order_proposals(o->order, o->replicas),
                                        err);
    if (!a->solves)
        return SPN_OK;
    bool solved = false;
    for (size_t k = 0; k < s->replicas; k++)
        solved = solved || a->solves[k] ||
                 spn_patterns_right(&a->instance, s->best_spins + k * s->sites) ==
                     spn_problem_count(patterns);
    return spn_record_add_result(out, "solved", solved ? 1 : 0, err);
}

static spn_status add_details(spn_record *out, const annealed *a, spn_error *err)
{
    static const char *const names[] = {"energy", "best_energy", "accepted", "proposals"};
    const spn_snapshot *s = &a->state;
    const size_t y = s->replicas;
    double *counts = spn_alloc(2 * y, sizeof *counts);
    if (!counts)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results");
    for (size_t k = 0; k < y; k++) {
        counts[k] = (double)s->accepted[k];
        counts[y + k] = (double)s->proposals[k];
    }
    const double *columns[] = {s->energy, s->best_energy, counts, counts + y};
    spn_status status = spn_record_add_curve(out, "replicas", 4, names, y, columns, err);
    free(counts);
    if (!status)
        status = spn_chain_job_overlaps(out, &a->chain, err);
    return status ? status : add_notes(out, a, err);
}

static spn_status add_results(spn_record *out, annealed *a, bool with_details, spn_error *err)
{
    spn_status status;
    out->instance_seed = a->instance.seed;
    if ((status = find_solved(a, err)) || (status = add_numbers(out, a, err)) ||
        (status = spn_chain_job_record(out, &a->chain, err)) || (status = add_hit(out, a, err)) ||
        (status = spn_teacher_record(out, &a->instance, &a->state, err)))
        return status;
    return with_details ? add_details(out, a, err) : SPN_OK;
}

/* ---- the best states ---- */

static spn_status collect(annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    spn_status status = spn_solutions_create(&a->solutions, &a->instance, err);
    if (status)
        return status;
    spn_samples *samples = a->solutions->samples;
    a->solutions->of_reads = a->reads != NULL;
    for (size_t k = 0; !a->reads && k < s->replicas && !status; k++)
        status = spn_samples_add(samples, s->best_spins + k * s->sites, s->best_energy[k], 1, err);
    for (size_t r = 0; a->reads && r < spn_reads_count(a->reads) && !status; r++)
        if (spn_read_begun(a->reads, r))
            status = spn_samples_add(samples, spn_reads_best_spins(a->reads, r),
                                     spn_reads_best_energy(a->reads, r), 1, err);
    spn_samples_sort(samples);
    return status || a->reads ? status : spn_solutions_keep_ends(a->solutions, s, err);
}

/* Of one run as a text: the best state of each replica, equal ones too, so that each can start from
   its own. */
static spn_status write_replicas(const annealed *a, const char *path, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    spn_file *file;
    const spn_status status = spn_file_create(&file, path, err);
    if (status)
        return status;
    for (size_t k = 0; k < s->replicas; k++) {
        spn_print(spn_file_stream(file), "# replica %zu, energy %.17g\n", k + 1, s->best_energy[k]);
        spn_solutions_print(spn_file_stream(file), a->solutions, s->best_spins + k * s->sites);
    }
    return spn_file_commit(file, err);
}

static spn_status write_states(const annealed *a, const char *path, spn_error *err)
{
    if (!a->reads && spn_solutions_is_text(path))
        return write_replicas(a, path, err);
    return spn_solutions_write(a->solutions, path, err);
}

/* ---- reads ---- */

/* The share of the reads whose best state puts every pattern right. */
static double solved_reads(const annealed *a)
{
    const spn_problem *patterns = a->instance.problem;
    double begun = 0, solved = 0;
    for (size_t r = 0; r < spn_reads_count(a->reads); r++)
        if (spn_read_begun(a->reads, r)) {
            begun++;
            solved += spn_patterns_right(&a->instance, spn_reads_best_spins(a->reads, r)) ==
                      spn_problem_count(patterns);
        }
    return solved / begun;
}

/* The run is solved where one of its reads is: at the target, or, without one, by patterns. */
static spn_status add_solved_reads(spn_record *out, const annealed *a, spn_error *err)
{
    const bool patterns = spn_instance_has_patterns(&a->instance);
    const bool target = a->plan->options.options.target != SPN_TARGET_NONE;
    const double share = patterns ? solved_reads(a) : 0;
    bool hit = !target && share > 0;
    for (size_t r = 0; target && r < spn_reads_count(a->reads); r++)
        hit = hit || spn_reads_hit(a->reads, r) != SPN_NO_HIT;
    spn_status status = patterns ? spn_record_add_result(out, "solved_share", share, err) : SPN_OK;
    if (status || (!patterns && !target))
        return status;
    return spn_record_add_result(out, "solved", hit ? 1 : 0, err);
}

static spn_status add_reads(spn_record *out, const annealed *a, const spn_run *run, spn_error *err)
{
    const double best = spn_samples_energy(a->solutions->samples, 0);
    double mean = 0, lowest = INFINITY, begun = 0;
    for (size_t r = 0; r < spn_reads_count(a->reads); r++)
        if (spn_read_begun(a->reads, r)) {
            begun++;
            mean += spn_reads_energy(a->reads, r);
            lowest = fmin(lowest, spn_reads_energy(a->reads, r));
        }
    spn_status status;
    out->instance_seed = a->instance.seed;
    if ((status = add_cut(out, a, best, err)) ||
        (status = spn_record_add_result(out, "best_energy", best, err)) ||
        (status = spn_record_add_result(out, "energy", mean / begun, err)) ||
        (status = spn_record_add_result(out, "lowest_energy", lowest, err)) ||
        (status = add_solved_reads(out, a, err)))
        return status;
    status = spn_reads_job_record(out, a->reads, a->solutions->samples, &a->ready,
                                  a->instance.energy, run, err);
    return status || !run->details ? status : add_notes(out, a, err);
}

static spn_status run_reads(annealed *a, spn_record *out, spn_outcome *outcome, const spn_job *job,
                            const spn_run *run, const spn_meter *meter, double work, spn_error *err)
{
    spn_status status = spn_solutions_try(run->product, err);
    if (!status)
        status = spn_instance_make(&a->instance, &a->plan->instance, job->instance_seed, err);
    if (!status)
        status = spn_chain_ready_make(&a->ready, &a->plan->options, a->instance.energy, err);
    const spn_reads_job how = {.run = run,
                               .chain = &a->ready,
                               .starts = a->plan->options.starts,
                               .start_count = a->plan->options.start_count,
                               .energy = a->instance.energy,
                               .reads = (size_t)a->plan->reads,
                               .meter = meter,
                               .work = work};
    if (status || (status = spn_reads_job_run(&a->reads, outcome, &how, err)) ||
        (status = collect(a, err)))
        return status;
    if (spn_samples_distinct(a->solutions->samples) == 0)
        return SPN_OK; /* stopped before the first step */
    status = add_reads(out, a, run, err);
    return status || !run->product ? status : write_states(a, run->product, err);
}

/* ---- curves ---- */

static spn_status patterns_right(size_t *out, const void *context, const int8_t *weights,
                                 spn_error *err)
{
    (void)err;
    *out = spn_patterns_right(context, weights);
    return SPN_OK;
}

/* Of the replicas that make no error. */
static spn_status measure_flips(spn_record *out, spn_measuring *m, const annealed *a, double work,
                                spn_error *err)
{
    const spn_snapshot *s = &a->state;
    if (a->plan->flips.count == 0)
        return SPN_OK;
    int8_t *weights = malloc(s->replicas * s->sites);
    if (!weights)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the curve of flips");
    spn_flip_target target = spn_flip_target_defaults();
    target.context = &a->instance;
    target.correct = patterns_right;
    target.weights = weights;
    target.replicas = 0;
    target.sites = s->sites;
    target.samples = spn_problem_count(a->instance.problem);
    for (size_t k = 0; k < s->replicas; k++)
        if (a->solves && a->solves[k])
            memcpy(weights + target.replicas++ * s->sites, s->spins + k * s->sites, s->sites);
    const spn_status status =
        spn_measure_flips(out, m, &a->plan->flips, target.replicas ? &target : NULL, work, err);
    free(weights);
    return status;
}

/* ---- the run ---- */

static spn_status anneal(annealed *a, spn_outcome *outcome, const spn_job *job, const spn_run *run,
                         const spn_meter *meter, double work, spn_error *err)
{
    char content[64];
    spn_status status = run->steps ? SPN_OK : spn_solutions_try(run->product, err);
    if (!status)
        status = spn_instance_make(&a->instance, &a->plan->instance, job->instance_seed, err);
    if (!status)
        status = spn_chain_ready_make(&a->ready, &a->plan->options, a->instance.energy, err);
    if (status)
        return status;
    snprintf(content, sizeof content, "problem \"%016" PRIx64 "\"\n",
             spn_instance_checksum(&a->instance));
    const spn_chain_job how = {.job = job,
                               .plan = a->plan,
                               .run = run,
                               .chain = &a->ready,
                               .energy = a->instance.energy,
                               .content = content,
                               .meter = meter,
                               .work = work};
    status = spn_chain_job_run(&a->chain, outcome, &how, err);
    if (!status)
        spn_chain_snapshot(&a->state, a->chain.chain);
    return status;
}

static spn_status run_anneal(spn_record *out, spn_outcome *outcome, const void *plan,
                             const spn_job *job, const spn_run *run, spn_error *err)
{
    const anneal_work work = work_of(plan, run->steps);
    spn_meter meter = spn_meter_start(run, work.chain + work.flips + work.profile);
    spn_measuring measuring = {.job = job, .meter = &meter};
    annealed a = {.plan = plan};
    spn_status status;
    if (a.plan->reads > 1 && run->steps == 0) {
        status = run_reads(&a, out, outcome, job, run, &meter, work.chain, err);
        goto cleanup;
    }
    if ((status = anneal(&a, outcome, job, run, &meter, work.chain, err)) ||
        (status = add_results(out, &a, run->details, err)) || (status = collect(&a, err)))
        goto cleanup;
    if (run->steps == 0 && run->product && (status = write_states(&a, run->product, err)))
        goto cleanup;
    if (run->steps || !outcome->complete)
        goto cleanup;
    spn_meter_pass(&meter, work.chain);
    status = measure_flips(out, &measuring, &a, work.flips, err);
    if (!status)
        status = spn_measure_profile(out, &measuring, &a.plan->profile, a.instance.energy,
                                     a.state.spins, a.state.replicas, work.profile, err);
    outcome->complete = !measuring.stopped;
cleanup:
    if (run->solutions && !status) {
        *run->solutions = a.solutions;
        a.solutions = NULL;
    }
    spn_solutions_free(a.solutions);
    spn_reads_free(a.reads);
    spn_resumable_clear(&a.chain);
    spn_chain_ready_clear(&a.ready);
    spn_instance_clear(&a.instance);
    free(a.solves);
    return status;
}

const spn_task spn_anneal_task = {.name = "anneal",
                                  .summary = "minimise an energy by coupled replicas",
                                  .details = details,
                                  .product =
                                      "the best states: .csv, .npy and .json with energies and "
                                      "counts, other names as lines; init reads them",
                                  .product_extension = "txt",
                                  .chain = true,
                                  .settings = settings,
                                  .results = results,
                                  .plan_size = sizeof(anneal_plan),
                                  .plan = plan_anneal,
                                  .clear = clear,
                                  .resolve = resolve,
                                  .missing = missing,
                                  .cost = cost,
                                  .run = run_anneal};
