#include "task/annealed.h"
#include "base/file.h"
#include "base/number.h"
#include "job/run.h"
#include "record/record.h"
#include "task/tables.h"

#include <math.h>
#include <stdlib.h>

/* ---- what results need ---- */

static bool has_target(const spn_anneal_plan *p)
{
    return p->options.options.target != SPN_TARGET_NONE;
}

SPN_NEEDS(one_run_needs, spn_anneal_plan, p->reads <= 1, "one run: leave reads out")
SPN_NEEDS(reads_need, spn_anneal_plan, p->reads > 1, "reads of more than 1")

static const char *hits_need(const void *plan)
{
    const char *needs = reads_need(plan);
    return needs ? needs : has_target(plan) ? NULL : "a target";
}

SPN_NEEDS(cut_needs, spn_anneal_plan, spn_instance_has_cuts(&p->instance),
          "the energy maxcut; show best_energy")
SPN_NEEDS(patterns_need, spn_anneal_plan, spn_instance_has_patterns(&p->instance),
          "an energy of patterns, such as errors; show energy or best_energy")

/* With patterns a run can be solved without a target. */
SPN_NEEDS(solved_needs, spn_anneal_plan, spn_instance_has_patterns(&p->instance) || has_target(p),
          SPN_TARGET_NEEDED)
/* If the energy counts errors, the target is 0. */
SPN_NEEDS(target_needs, spn_anneal_plan, spn_instance_counts_errors(&p->instance) || has_target(p),
          SPN_TARGET_NEEDED)

static const char *first_hit_needs(const void *plan)
{
    const char *needs = one_run_needs(plan);
    return needs ? needs : target_needs(plan);
}

static const char *hit_proposals_need(const void *plan)
{
    const spn_anneal_plan *p = plan;
    return p->reads > 1 ? hits_need(plan) : first_hit_needs(plan);
}

static const char *learnt_needs(const void *plan)
{
    const char *needs = one_run_needs(plan);
    return needs ? needs : spn_teacher_needs(&((const spn_anneal_plan *)plan)->instance);
}

static const char *pair_needs(const void *plan)
{
    const spn_anneal_plan *p = plan;
    const char *needs = one_run_needs(plan);
    return needs || p->options.options.replicas > 1 ? needs : "two replicas or more";
}

#define AT(member) .at = offsetof(spn_annealed, member)
#define READ(column, text)                                                                         \
    SPN_COLUMN("reads", read_row, column, .flags = SPN_QUANTITY_DETAIL,                            \
               .help = "of each read: " text)
#define REPLICA(column, text)                                                                      \
    SPN_COLUMN("replicas", read_row, column, .flags = SPN_QUANTITY_DETAIL, .help = (text))

typedef struct quantile_row {
    double p, energy;
} quantile_row;

/* A read; a replica has no steps and no hit. */
typedef struct read_row {
    double best_energy, energy, accepted, proposals, steps, hit;
} read_row;

static const spn_quantity quantile_results[] = {
    SPN_COLUMN("quantiles", quantile_row, p, .flags = SPN_QUANTITY_DETAIL,
               .label = "share of the reads", .help = "share of the reads"),
    SPN_COLUMN("quantiles", quantile_row, energy, .flags = SPN_QUANTITY_DETAIL,
               .label = "lowest energy met", .help = "energy that this share of the reads reached"),
    {.name = NULL}};

static const spn_quantity read_results[] = {READ(best_energy, "the lowest energy it found"),
                                            READ(energy, "final energy of its lowest replica"),
                                            READ(accepted, "accepted flips of all its replicas"),
                                            READ(proposals, "proposals of all its replicas"),
                                            READ(steps, "its steps"),
                                            READ(hit, "with `target`: steps until it was reached"),
                                            {.name = NULL}};

static const spn_quantity replica_results[] = {REPLICA(energy, "its final energy"),
                                               REPLICA(best_energy, "the lowest energy it found"),
                                               REPLICA(accepted, "its accepted flips"),
                                               REPLICA(proposals, "its proposals"),
                                               {.name = NULL}};

static const spn_quantity hit_results[] = {
    SPN_HIT_ROWS(solved_needs, first_hit_needs, hit_proposals_need)};

static const spn_quantity teacher_results[] = {SPN_TEACHER_ROWS("at the end")};

const spn_quantity spn_anneal_measured[] = {
    {.help = "Robustness of the replicas without an error"},
    {.group = spn_flip_results, AT(flips), .plan_at = offsetof(spn_anneal_plan, flips)},
    {.help = "Local energy profile"},
    {.group = spn_profile_results, AT(profile), .plan_at = offsetof(spn_anneal_plan, profile)},
    {.name = NULL}};

SPN_NEEDS(energy_needs, spn_anneal_plan, !p->program.program, "an energy, not a problem")

/* In records `energy` comes first, and the cut after the numbers of the replicas. */
enum { FIRST = -1, CUT = 1, REST = 2 };
static const spn_quantity energy_results[] = {
    {"cut", .order = CUT, .flags = SPN_QUANTITY_BEST, .label = "largest cut met",
     .needs = cut_needs, AT(cut), .help = "maxcut: the largest cut found by any replica"},
    {"best_energy", AT(best_energy), .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_BEST,
     .label = "lowest energy met", .help = "the lowest energy found by any replica"},
    {"energy", AT(energy), .order = FIRST, .label = "energy at the end, mean",
     .help = "final energy, averaged over the replicas; with reads, that of each read's lowest "
             "replica, averaged over the reads"},
    {"lowest_energy", AT(lowest_energy), .label = "lowest energy at the end",
     .help = "final energy of the lowest replica"},
    {"solved_share", AT(solved_share), .needs = patterns_need,
     .flags = SPN_QUANTITY_MAIN | SPN_QUANTITY_SHARE, .label = "share of replicas without an error",
     .help = "energies of patterns: the share of the replicas that classify every pattern "
             "correctly at the end; with reads, the share of the reads' best states"},
    {"active", AT(active), .flags = SPN_QUANTITY_MAIN, .label = "accepted flips per replica",
     .help = "accepted flips, averaged over the replicas"},
    {"overlap", AT(overlap), .needs = one_run_needs, .label = "mean overlap of the replicas",
     .help = "scalar product of two replicas over N, averaged over all pairs; 1 for one replica"},
    {"centre_energy", AT(centre_energy), .needs = one_run_needs, .label = "energy of the centre",
     .help = "energy of the majority of the replicas at each spin"},
    {.name = NULL}};

static const spn_quantity more_results[] = {
    {.group = hit_results, AT(found.hit), .order = REST},
    {.help = "Reads, if there are more than one"},
    {"distinct", AT(distinct), .order = REST, .needs = reads_need, .label = "distinct best states",
     .help = "distinct states among the reads' best"},
    {"best_reads", AT(best_reads), .order = REST, .needs = reads_need,
     .label = "reads that met the lowest energy",
     .help = "reads that found the lowest energy of all"},
    {"hits", AT(hits), .order = REST, .needs = hits_need, .label = "reads that reached the target",
     .help = "with `target`: reads that reached it"},
    {"success", AT(success), .order = REST, .needs = hits_need, .flags = SPN_QUANTITY_SHARE,
     .label = "share of reads that reached the target",
     .help = "with `target`: share of the reads that reached it"},
    {"median_energy", AT(median_energy), .order = REST, .needs = reads_need,
     .label = "median of the reads' lowest energies",
     .help = "energy that half of the reads reached"},
    {.group = quantile_results, AT(quantiles), .order = REST, .needs = reads_need},
    {.group = read_results, AT(reads), .order = REST, .needs = reads_need},
    {.group = teacher_results,
     AT(learnt),
     .of = spn_teacher_found_of,
     .order = REST,
     .needs = learnt_needs},
    {.help = "Each replica"},
    {.group = replica_results, AT(replicas), .order = REST, .needs = one_run_needs},
    {.help = "Each pair of replicas"},
    {.group = spn_overlap_results, AT(found.overlaps), .order = REST, .needs = pair_needs},
    {.group = spn_anneal_measured, .order = REST},
    {.name = NULL}};

const spn_quantity spn_anneal_results[] = {{.group = energy_results, .needs = energy_needs},
                                           {.group = spn_chain_results, AT(found), .order = REST},
                                           {.group = more_results, .needs = energy_needs},
                                           {.group = spn_problem_results, AT(solved)},
                                           {.name = NULL}};

/* ---- one run ---- */

/* Which replicas make no error. If the energy counts errors, these have energy 0. */
static spn_status find_solved(spn_annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    const spn_problem *patterns = a->instance.problem;
    if (!spn_instance_has_patterns(&a->instance))
        return SPN_OK;
    a->solves = spn_alloc(s->replicas, sizeof *a->solves);
    SPN_NEED(a->solves, err, "the results");
    for (size_t k = 0; k < s->replicas; k++)
        a->solves[k] =
            spn_energy_integral(a->instance.energy)
                ? s->energy[k] <= 0
                : spn_patterns_right(&a->instance, s->spins + k * s->sites) == patterns->count;
    return SPN_OK;
}

static spn_status take_centre(spn_annealed *a, spn_error *err)
{
    int8_t *centre = malloc(a->state.sites);
    SPN_NEED(centre, err, "the centre");
    spn_snapshot_centre(&a->state, centre);
    a->centre_energy = spn_energy_value(a->instance.energy, centre);
    free(centre);
    return SPN_OK;
}

/* If an energy of patterns does not count errors, the run is solved if a final or best state is. */
static void judge_patterns(spn_annealed *a)
{
    const spn_snapshot *s = &a->state;
    if (!a->solves || has_target(a->plan) || spn_instance_counts_errors(&a->instance))
        return;
    a->found.hit.solved = 0;
    for (size_t k = 0; k < s->replicas; k++)
        if (a->solves[k] || spn_patterns_right(&a->instance, s->best_spins + k * s->sites) ==
                                a->instance.problem->count)
            a->found.hit.solved = 1;
}

static spn_status take_replicas(spn_annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    read_row *row = spn_curve_make(&a->replicas, s->replicas, sizeof *row, err);
    for (size_t k = 0; row && k < s->replicas; k++)
        row[k] = (read_row){.best_energy = s->best_energy[k],
                            .energy = s->energy[k],
                            .accepted = (double)s->accepted[k],
                            .proposals = (double)s->proposals[k]};
    return row ? SPN_OK : SPN_ERROR_MEMORY;
}

static spn_status take_run(spn_annealed *a, bool with_details, spn_error *err)
{
    const spn_chain_options *o = &a->plan->options.options;
    const size_t proposals = spn_order_proposals(o->order, o->replicas);
    SPN_TRY(find_solved(a, err));
    SPN_TRY(take_centre(a, err));
    const spn_snapshot *s = &a->state;
    const double y = (double)s->replicas;
    double solved = 0;
    a->best_energy = s->best_energy[0];
    a->lowest_energy = s->energy[0];
    for (size_t k = 0; k < s->replicas; k++) {
        a->energy += s->energy[k] / y;
        a->active += (double)s->accepted[k] / y;
        a->best_energy = fmin(a->best_energy, s->best_energy[k]);
        a->lowest_energy = fmin(a->lowest_energy, s->energy[k]);
        solved += a->solves && a->solves[k] ? 1 : 0;
    }
    a->solved_share = solved / y;
    a->overlap = spn_snapshot_overlap(s);
    SPN_TRY(spn_chain_found_take(&a->found, &a->ran, proposals, with_details, err));
    judge_patterns(a);
    if (!spn_teacher_needs(&a->instance))
        SPN_TRY(spn_teacher_measure(&a->learnt, &a->instance, &a->state, err));
    return with_details ? take_replicas(a, err) : SPN_OK;
}

/* ---- reads ---- */

spn_read spn_annealed_read(const spn_annealed *a, size_t r)
{
    spn_read read;
    spn_reads_look(&read, a->ran.sampler, r);
    if (a->only_whole && !spn_read_is_whole(&read))
        read = (spn_read){.best_energy = NAN, .energy = NAN, .hit = SPN_NO_HIT};
    return read;
}

/* Add a read to the sums, which become means later. Proposals until the first hit are counted as
   if the reads ran one after the other, so they do not depend on how many ran side by side. */
static void add_read(spn_annealed *a, const spn_read *read)
{
    const spn_chain_options *o = &a->chain;
    spn_chain_found *f = &a->found;
    const bool hit = read->hit != SPN_NO_HIT;
    if (hit && isnan(f->hit.proposals))
        f->hit.proposals =
            f->proposals + (double)read->hit * (double)spn_order_proposals(o->order, o->replicas);
    a->energy += read->energy;
    a->active += (double)read->accepted;
    a->hits += hit;
    a->best_reads += read->best_energy <= a->best_energy;
    a->solved_share +=
        spn_instance_has_patterns(&a->instance) &&
        spn_patterns_right(&a->instance, read->best_spins) == a->instance.problem->count;
    f->steps_done += (double)read->steps;
    f->proposals += (double)read->proposals;
}

static spn_status take_quantiles(spn_annealed *a, spn_error *err)
{
    static const double shares[] = {0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1};
    const size_t count = sizeof shares / sizeof *shares;
    quantile_row *row = spn_curve_make(&a->quantiles, count, sizeof *row, err);
    for (size_t k = 0; row && k < count; k++)
        row[k] = (quantile_row){shares[k], spn_samples_quantile(a->solutions->samples, shares[k])};
    return row ? SPN_OK : SPN_ERROR_MEMORY;
}

static spn_status take_each(spn_annealed *a, spn_error *err)
{
    const size_t count = spn_reads_count(a->ran.sampler);
    read_row *row = spn_curve_make(&a->reads, count, sizeof *row, err);
    if (!row)
        return SPN_ERROR_MEMORY;
    a->reads.count = 0;
    for (size_t r = 0; r < count; r++) {
        const spn_read read = spn_annealed_read(a, r);
        if (read.best_spins)
            row[a->reads.count++] =
                (read_row){.best_energy = read.best_energy,
                           .energy = read.energy,
                           .accepted = (double)read.accepted,
                           .proposals = (double)read.proposals,
                           .steps = (double)read.steps,
                           .hit = read.hit == SPN_NO_HIT ? NAN : (double)read.hit};
    }
    return SPN_OK;
}

static double take_sums(spn_annealed *a)
{
    size_t stops[SPN_STOP_FROZEN + 1] = {0}, most = 0;
    double begun = 0;
    for (size_t r = 0; r < spn_reads_count(a->ran.sampler); r++) {
        const spn_read read = spn_annealed_read(a, r);
        stops[read.stop ? read.stop : a->ran.stop ? a->ran.stop : SPN_STOP_REQUEST]++;
        if (read.best_spins)
            add_read(a, &read);
        begun += read.best_spins != NULL;
        a->lowest_energy = fmin(a->lowest_energy, read.energy);
    }
    for (size_t k = 0; k <= SPN_STOP_FROZEN; k++)
        most = stops[k] > stops[most] ? k : most;
    a->found.stop = spn_stop_name((spn_stop)most); /* of most reads */
    return begun;
}

static spn_status take_reads(spn_annealed *a, bool with_details, spn_error *err)
{
    const spn_samples *samples = a->solutions->samples;
    const spn_chain_options *o = &a->chain;
    const bool ranges = spn_schedule_has_range(o->beta);
    spn_chain_found *f = &a->found;
    a->best_energy = spn_samples_energy(samples, 0);
    a->lowest_energy = INFINITY;
    f->hit.proposals = NAN;
    const double begun = take_sums(a);
    f->hit.solved = has_target(a->plan) ? a->best_energy <= o->target_energy : a->solved_share > 0;
    a->energy /= begun;
    a->solved_share /= begun;
    a->active = a->active / begun / (double)o->replicas;
    a->success = a->hits / begun;
    f->steps_done /= begun;
    f->health = spn_health_name(spn_sampler_health(a->ran.sampler));
    f->beta_start = ranges ? spn_schedule_value(o->beta, 0, 1, 0, 1) : NAN;
    f->beta_end = ranges ? spn_schedule_value(o->beta, 1, 1, 0, 1) : NAN;
    a->distinct = (double)spn_samples_distinct(samples);
    a->median_energy = spn_samples_quantile(samples, 0.5);
    if (!with_details)
        return SPN_OK;
    SPN_TRY(take_quantiles(a, err));
    return take_each(a, err);
}

static spn_status note_cut_reads(spn_record *out, const spn_annealed *a, spn_error *err)
{
    const size_t all = a->is_reads ? spn_reads_count(a->ran.sampler) : 0;
    if (!a->only_whole || a->reads.count == all)
        return SPN_OK;
    return spn_record_add_note(out, err,
                               "the time sufficed for %zu of %zu reads; others are left out",
                               a->reads.count, all);
}

static spn_status record_steps(spn_record *out, const spn_annealed *a, spn_error *err)
{
    size_t count;
    if (!a->is_reads)
        return spn_chain_job_record_steps(out, &a->ran, err);
    if (!a->chain.stretch)
        return SPN_OK;
    const uint64_t *parts = spn_reads_parts(a->ran.sampler, &count);
    return spn_chain_job_steps(out, parts, count, err);
}

spn_status spn_annealed_record(spn_record *out, spn_annealed *a, bool with_details, spn_error *err)
{
    out->instance_seed = a->instance.seed;
    SPN_TRY(a->is_reads ? take_reads(a, with_details, err) : take_run(a, with_details, err));
    if (spn_instance_has_cuts(&a->instance))
        a->cut = spn_instance_cut(&a->instance, a->best_energy);
    SPN_TRY(spn_results_add(out, spn_anneal_results, a, a->plan, with_details, err));
    SPN_TRY(record_steps(out, a, err));
    if (!with_details)
        return SPN_OK;
    SPN_TRY(note_cut_reads(out, a, err));
    if (a->is_reads && spn_reads_device(a->ran.sampler))
        SPN_TRY(spn_record_add_note(out, err, "reads were made by %s",
                                    spn_reads_device(a->ran.sampler)));
    SPN_TRY(spn_instance_note(out, &a->instance, err));
    return spn_chain_job_note(out, &a->plan->options, &a->chain, &a->range, err);
}

/* ---- the best states ---- */

/* A state joined from those of the reads was found by none of them. */
static spn_status collect_joined(spn_samples *out, const spn_annealed *a, spn_error *err)
{
    const spn_energy *energy = a->instance.energy;
    bool gained;
    int8_t *spins = malloc(spn_energy_sites(energy));
    SPN_NEED(spins, err, "the joined state");
    spn_status status = spn_reads_join(&gained, spins, a->ran.sampler, err);
    if (!status && gained)
        status = spn_samples_add(out, spins, spn_energy_value(energy, spins), 0, err);
    free(spins);
    return status;
}

static spn_status collect_reads(spn_samples *out, const spn_annealed *a, spn_error *err)
{
    for (size_t r = 0; r < spn_reads_count(a->ran.sampler); r++) {
        const spn_read read = spn_annealed_read(a, r);
        if (read.best_spins)
            SPN_TRY(spn_samples_add(out, read.best_spins, read.best_energy, 1, err));
    }
    return collect_joined(out, a, err);
}

spn_status spn_annealed_collect(spn_annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    SPN_TRY(spn_solutions_create(&a->solutions, &a->instance, err));
    spn_samples *samples = a->solutions->samples;
    a->solutions->of_reads = a->is_reads;
    if (a->is_reads)
        SPN_TRY(collect_reads(samples, a, err));
    for (size_t k = 0; !a->is_reads && k < s->replicas; k++)
        SPN_TRY(spn_samples_add(samples, s->best_spins + k * s->sites, s->best_energy[k], 1, err));
    SPN_TRY(spn_samples_recompute(samples, a->instance.energy, err));
    spn_samples_sort(samples);
    return a->is_reads ? SPN_OK : spn_solutions_keep_ends(a->solutions, s, err);
}

/* Equal states are written too, so that each replica can start from its own. */
static spn_status write_replicas(const spn_annealed *a, const char *path, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    spn_file *file;
    SPN_TRY(spn_file_create(&file, path, err));
    for (size_t k = 0; k < s->replicas; k++) {
        spn_print(spn_file_stream(file), "# replica %zu, energy %.17g\n", k + 1, s->best_energy[k]);
        spn_solutions_print(spn_file_stream(file), a->solutions, s->best_spins + k * s->sites);
    }
    return spn_file_commit(file, err);
}

spn_status spn_annealed_write(const spn_annealed *a, const char *path, spn_error *err)
{
    if (!a->is_reads && spn_solutions_is_text(path))
        return write_replicas(a, path, err);
    return spn_solutions_write(a->solutions, path, err);
}

void spn_annealed_clear(spn_annealed *a)
{
    spn_solutions_free(a->solutions);
    spn_answers_free(a->answers);
    spn_solved_clear(&a->solved);
    spn_chain_found_clear(&a->found);
    spn_sampler_free(a->ran.sampler);
    spn_chain_unsettle(&a->chain, &a->plan->options);
    spn_instance_clear(&a->instance);
    SPN_FREE_ALL(a->solves, a->quantiles.rows, a->reads.rows, a->replicas.rows, a->flips.rows,
                 a->profile.rows);
}
