/* What is told of an annealed run, or of many reads: numbers, details, and the best states. */
#include "task/annealed.h"
#include "record/record.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/try.h"
#include "job/results.h"
#include "task/teacher.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const spn_quantity spn_anneal_teacher_results[] = {SPN_TEACHER_ROWS("at the end")};

bool spn_anneal_counts_hits(const spn_chain_plan *chain, const spn_instance *instance)
{
    return chain->options.target != SPN_TARGET_NONE || spn_instance_counts_errors(instance);
}

/* The replicas that make no error: of energies that count errors, those of energy 0. */
static spn_status find_solved(spn_annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    const spn_problem *patterns = a->instance.problem;
    if (!spn_instance_has_patterns(&a->instance))
        return SPN_OK;
    a->solves = spn_alloc(s->replicas, sizeof *a->solves);
    if (!a->solves)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results");
    for (size_t k = 0; k < s->replicas; k++)
        a->solves[k] =
            spn_energy_integral(a->instance.energy)
                ? s->energy[k] <= 0
                : spn_patterns_right(&a->instance, s->spins + k * s->sites) == patterns->count;
    return SPN_OK;
}

static spn_status centre_energy(double *out, const spn_annealed *a, spn_error *err)
{
    int8_t *centre = malloc(a->state.sites);
    if (!centre)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the centre");
    spn_snapshot_centre(&a->state, centre);
    *out = spn_energy_value(a->instance.energy, centre);
    free(centre);
    return SPN_OK;
}

static spn_status add_cut(spn_record *out, const spn_annealed *a, double energy, spn_error *err)
{
    if (!spn_instance_has_cuts(&a->instance))
        return SPN_OK;
    return spn_record_add_result(out, "cut", spn_instance_cut_of_energy(&a->instance, energy), err);
}

static spn_status add_numbers(spn_record *out, const spn_annealed *a, spn_error *err)
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

static spn_status add_notes(spn_record *out, const spn_annealed *a, spn_error *err)
{
    const spn_status status = spn_instance_note(out, &a->instance, err);
    return status ? status : spn_chain_job_note(out, &a->ready, err);
}

/* Whether the run was solved: by the first hit, or, where an energy of patterns does not count
   errors, by the states at the end and the best ones. */
static spn_status add_hit(spn_record *out, const spn_annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    const spn_problem *patterns = a->instance.problem;
    const spn_chain_options *o = &a->plan->options.options;
    if (spn_anneal_counts_hits(&a->plan->options, &a->instance))
        return spn_chain_job_record_hit(out, &a->chain, spn_order_proposals(o->order, o->replicas),
                                        err);
    if (!a->solves)
        return SPN_OK;
    bool solved = false;
    for (size_t k = 0; k < s->replicas; k++)
        solved = solved || a->solves[k] ||
                 spn_patterns_right(&a->instance, s->best_spins + k * s->sites) == patterns->count;
    return spn_record_add_result(out, "solved", solved ? 1 : 0, err);
}

static spn_status add_details(spn_record *out, const spn_annealed *a, spn_error *err)
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

static spn_status add_learnt(spn_record *out, const spn_annealed *a, spn_error *err)
{
    spn_teacher_found found;
    if (spn_teacher_needs(&a->instance))
        return SPN_OK;
    SPN_TRY(spn_teacher_measure(&found, &a->instance, &a->state, err));
    return spn_results_add(out, spn_anneal_teacher_results, &found, NULL, false, err);
}

spn_status spn_annealed_record(spn_record *out, spn_annealed *a, bool with_details, spn_error *err)
{
    spn_status status;
    out->instance_seed = a->instance.seed;
    if ((status = find_solved(a, err)) || (status = add_numbers(out, a, err)) ||
        (status = spn_chain_job_record(out, &a->chain, err)) || (status = add_hit(out, a, err)) ||
        (status = add_learnt(out, a, err)))
        return status;
    return with_details ? add_details(out, a, err) : SPN_OK;
}

/* ---- the best states ---- */

spn_status spn_annealed_collect(spn_annealed *a, spn_error *err)
{
    const spn_snapshot *s = &a->state;
    spn_status status = spn_solutions_create(&a->solutions, &a->instance, err);
    if (status)
        return status;
    spn_samples *samples = a->solutions->samples;
    a->solutions->of_reads = a->reads != NULL;
    for (size_t k = 0; !a->reads && k < s->replicas && !status; k++)
        status = spn_samples_add(samples, s->best_spins + k * s->sites, s->best_energy[k], 1, err);
    for (size_t r = 0; a->reads && r < spn_reads_count(a->reads) && !status; r++) {
        spn_read read;
        spn_reads_look(&read, a->reads, r);
        if (read.best_spins)
            status = spn_samples_add(samples, read.best_spins, read.best_energy, 1, err);
    }
    spn_samples_sort(samples);
    return status || a->reads ? status : spn_solutions_keep_ends(a->solutions, s, err);
}

/* Of one run as a text: the best state of each replica, equal ones too, so that each can start from
   its own. */
static spn_status write_replicas(const spn_annealed *a, const char *path, spn_error *err)
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

spn_status spn_annealed_write(const spn_annealed *a, const char *path, spn_error *err)
{
    if (!a->reads && spn_solutions_is_text(path))
        return write_replicas(a, path, err);
    return spn_solutions_write(a->solutions, path, err);
}

/* ---- reads ---- */

/* The share of the reads whose best state puts every pattern right. */
static double solved_reads(const spn_annealed *a)
{
    const spn_problem *patterns = a->instance.problem;
    double begun = 0, solved = 0;
    for (size_t r = 0; r < spn_reads_count(a->reads); r++) {
        spn_read read;
        spn_reads_look(&read, a->reads, r);
        if (!read.best_spins)
            continue;
        begun++;
        solved += spn_patterns_right(&a->instance, read.best_spins) == patterns->count;
    }
    return solved / begun;
}

/* The run is solved where one of its reads is: at the target, or, without one, by patterns. */
static spn_status add_solved_reads(spn_record *out, const spn_annealed *a, spn_error *err)
{
    const bool patterns = spn_instance_has_patterns(&a->instance);
    const bool target = a->plan->options.options.target != SPN_TARGET_NONE;
    const double share = patterns ? solved_reads(a) : 0;
    bool hit = !target && share > 0;
    for (size_t r = 0; target && r < spn_reads_count(a->reads); r++) {
        spn_read read;
        spn_reads_look(&read, a->reads, r);
        hit = hit || read.hit != SPN_NO_HIT;
    }
    spn_status status = patterns ? spn_record_add_result(out, "solved_share", share, err) : SPN_OK;
    if (status || (!patterns && !target))
        return status;
    return spn_record_add_result(out, "solved", hit ? 1 : 0, err);
}

spn_status spn_annealed_record_reads(spn_record *out, const spn_annealed *a, const spn_run *run,
                                     spn_error *err)
{
    const double best = spn_samples_energy(a->solutions->samples, 0);
    double mean = 0, lowest = INFINITY, begun = 0;
    for (size_t r = 0; r < spn_reads_count(a->reads); r++) {
        spn_read read;
        spn_reads_look(&read, a->reads, r);
        if (!read.best_spins)
            continue;
        begun++;
        mean += read.energy;
        lowest = fmin(lowest, read.energy);
    }
    spn_status status;
    out->instance_seed = a->instance.seed;
    if ((status = add_cut(out, a, best, err)) ||
        (status = spn_record_add_result(out, "best_energy", best, err)) ||
        (status = spn_record_add_result(out, "energy", mean / begun, err)) ||
        (status = spn_record_add_result(out, "lowest_energy", lowest, err)) ||
        (status = add_solved_reads(out, a, err)))
        return status;
    status = spn_reads_job_record(out, a->reads, a->solutions->samples, &a->ready, run, err);
    return status || !run->details ? status : add_notes(out, a, err);
}
