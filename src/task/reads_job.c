/* The reads of a job. */
#include "task/reads_job.h"
#include "record/record.h"

#include "base/clock.h"
#include "base/memory.h"
#include "task/chain_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the run ---- */

static spn_status show(void *context, double share, size_t finished, spn_error *err)
{
    const spn_reads_job *how = context;
    (void)finished, (void)err;
    spn_meter_show(how->meter, how->work, share);
    return SPN_OK;
}

bool spn_read_begun(const spn_reads *reads, size_t r)
{
    return spn_reads_stop(reads, r) != SPN_STOP_REQUEST || spn_reads_steps(reads, r) > 0;
}

static void fill_outcome(spn_outcome *out, const spn_reads *reads, double seconds)
{
    out->complete = true;
    out->seconds = seconds;
    for (size_t r = 0; r < spn_reads_count(reads); r++) {
        const uint64_t steps = spn_reads_steps(reads, r);
        out->reads += spn_read_begun(reads, r);
        out->complete = out->complete && spn_reads_stop(reads, r) != SPN_STOP_REQUEST;
        out->proposals += spn_reads_proposals(reads, r);
        out->step = steps > out->step ? steps : out->step;
    }
}

/* The clock is for all reads together: each has its share. */
static spn_chain_options chain_of(const spn_reads_job *how)
{
    spn_chain_options chain = how->chain->options;
    const double rounds = ceil((double)how->reads / (double)chain.threads);
    chain.seconds /= rounds;
    return chain;
}

static spn_reads_options options_of(const spn_reads_job *how, const spn_chain_options *chain)
{
    spn_reads_options options = spn_reads_defaults();
    options.chain = chain;
    options.reads = how->reads;
    options.threads = chain->threads;
    options.starts = how->starts;
    options.start_count = how->start_count;
    options.only_begun = 1;
    options.stop = how->run->stop;
    options.seconds = how->chain->seconds / ceil((double)how->reads / (double)chain->threads);
    return options;
}

/* A round of reads, which are made side by side. */
typedef struct reads_round {
    size_t reads;
    double rounds;          /* in all */
    double fixed, per_step; /* seconds: of a round, besides its steps; and of a step of each part */
} reads_round;

/* The seconds that a round takes with parts of so many steps. */
static spn_status time_round(double *out, const spn_reads_job *how, const reads_round *round,
                             uint64_t steps, spn_error *err)
{
    spn_chain_options chain = chain_of(how);
    spn_reads *reads;
    chain.seconds = 0;
    chain.target = SPN_TARGET_NONE;
    chain.patience = 0;
    for (size_t k = 0; k < chain.part_count; k++)
        how->chain->parts[k] = steps;
    chain.parts = how->chain->parts;
    chain.stretch = 0;
    spn_reads_options options = options_of(how, &chain);
    options.reads = round->reads;
    options.seconds = 0;
    const double started = spn_clock();
    const spn_status status = spn_reads_run(&reads, how->energy, &options, err);
    *out = spn_clock() - started;
    spn_reads_free(reads);
    return status;
}

/* A round is as many reads as there are threads, or as many as the library makes at once. */
static reads_round size_round(const spn_reads_job *how)
{
    enum { AT_ONCE = 256 };
    const spn_chain_options chain = chain_of(how);
    const spn_reads_options options = options_of(how, &chain);
    const size_t reads = how->reads;
    const size_t most =
        (spn_reads_side_by_side(how->energy, &options) ? AT_ONCE : 1) * (size_t)chain.threads;
    reads_round round = {.reads = reads < most ? reads : most};
    round.rounds = ceil((double)reads / (double)round.reads);
    return round;
}

/* Rounds of ever more steps, until one takes a fair share of the time, most of it for its steps. */
static spn_status pace_round(reads_round *round, const spn_reads_job *how, double seconds,
                             spn_error *err)
{
    const double enough = 0.03, most = 0.2, started = spn_clock();
    double took = 0, steps = 1;
    spn_status status = SPN_OK;
    round->fixed = INFINITY; /* the least of several: the first one also finds its memory */
    for (int k = 0; k < 3 && !status && spn_clock() - started < enough * seconds; k++) {
        status = time_round(&took, how, round, 1, err);
        round->fixed = fmin(round->fixed, took);
    }
    do {
        steps *= 4;
        if (!status)
            status = time_round(&took, how, round, (uint64_t)steps, err);
    } while (!status && steps < 0x1p40 && !spn_stop_asked(how->run->stop) &&
             (took - round->fixed < enough * seconds || took < 2 * round->fixed) &&
             spn_clock() - started < most * seconds);
    round->per_step = fmax(took - round->fixed, 0.1 * took) / (steps - 1);
    return status;
}

/* Fit all reads into the time, in equal parts of as many steps as there is time for. */
static spn_status stretch(const spn_reads_job *how, spn_error *err)
{
    const double least_share = 0.1, started = spn_clock();
    spn_chain_options *o = &how->chain->options;
    const double seconds = o->seconds;
    reads_round round = size_round(how);
    spn_status status = spn_chain_ready_parts(how->chain, err);
    if (status || (status = pace_round(&round, how, seconds, err)))
        return status;
    const double left = fmax(seconds - (spn_clock() - started), least_share * seconds);
    const double steps = (left / round.rounds - round.fixed) / fmax(round.per_step, 1e-12);
    for (size_t k = 0; k < o->part_count; k++)
        how->chain->parts[k] = (uint64_t)fmin(fmax(floor(steps), 1), 0x1p48);
    o->parts = how->chain->parts;
    o->stretch = 0;
    o->seconds = 0;
    return SPN_OK;
}

/* Reads that are made many at once, and all of them in one round, stretch themselves, all in the
   same parts. */
static bool stretch_themselves(const spn_reads_job *how)
{
    const spn_chain_options chain = chain_of(how);
    const spn_reads_options options = options_of(how, &chain);
    return spn_reads_side_by_side(how->energy, &options) && size_round(how).rounds == 1;
}

/* The parts that they took, for the record. */
static spn_status keep_parts(const spn_reads_job *how, const spn_reads *reads, spn_error *err)
{
    size_t count;
    const uint64_t *parts = spn_reads_parts(reads, &count);
    how->chain->options.part_count = count;
    spn_status status = spn_chain_ready_parts(how->chain, err);
    for (size_t k = 0; !status && k < count; k++)
        how->chain->parts[k] = parts[k];
    how->chain->options.parts = how->chain->parts;
    how->chain->options.stretch = 0;
    how->chain->options.seconds = 0;
    return status;
}

spn_status spn_reads_job_run(spn_reads **out, spn_outcome *outcome, const spn_reads_job *how,
                             spn_error *err)
{
    spn_reads_job shown = *how;
    *out = NULL;
    if (how->run->trace)
        return spn_setting_fail("reads", err,
                                "a trace is of one run: give reads: 1, or leave the trace out");
    const double started = spn_clock();
    const bool stretched = how->chain->options.stretch && stretch_themselves(how);
    spn_status status = how->chain->options.stretch && !stretched ? stretch(how, err) : SPN_OK;
    if (status)
        return status;
    const spn_chain_options chain = chain_of(how);
    spn_reads_options options = options_of(how, &chain);
    options.progress = show;
    options.progress_context = &shown;
    status = spn_reads_run(out, how->energy, &options, err);
    if (!status && stretched)
        status = keep_parts(how, *out, err);
    if (!status)
        fill_outcome(outcome, *out, spn_clock() - started);
    return status;
}

/* ---- the record ---- */

/* Why most of the reads ended. */
static const char *common_stop(const spn_reads *reads)
{
    size_t counts[SPN_STOP_FROZEN + 1] = {0}, most = 0;
    for (size_t r = 0; r < spn_reads_count(reads); r++)
        counts[spn_reads_stop(reads, r)]++;
    for (size_t k = 0; k <= SPN_STOP_FROZEN; k++)
        most = counts[k] > counts[most] ? k : most;
    return spn_stop_name((spn_stop)most);
}

/* The proposals until the first hit where one read comes after the other, so that they do not
   depend on how many were made side by side; NaN: none hit. */
static double first_hit_proposals(const spn_reads *reads, const spn_chain_options *chain)
{
    const double per_step = (double)spn_order_proposals(chain->order, chain->replicas);
    double before = 0;
    for (size_t r = 0; r < spn_reads_count(reads); r++) {
        if (spn_reads_hit(reads, r) != SPN_NO_HIT)
            return before + (double)spn_reads_hit(reads, r) * per_step;
        before += (double)spn_reads_proposals(reads, r);
    }
    return NAN;
}

static spn_status add_numbers(spn_record *out, const spn_reads *reads, const spn_samples *samples,
                              const spn_chain_options *chain, spn_error *err)
{
    const double lowest = spn_samples_energy(samples, 0);
    double begun = 0, steps = 0, proposals = 0, accepted = 0, hits = 0, best = 0;
    for (size_t r = 0; r < spn_reads_count(reads); r++) {
        begun += spn_read_begun(reads, r);
        steps += (double)spn_reads_steps(reads, r);
        proposals += (double)spn_reads_proposals(reads, r);
        accepted += (double)spn_reads_accepted(reads, r);
        hits += spn_reads_hit(reads, r) != SPN_NO_HIT;
        best += spn_read_begun(reads, r) && spn_reads_best_energy(reads, r) <= lowest;
    }
    const bool target = chain->target != SPN_TARGET_NONE;
    const struct {
        const char *name;
        double value;
        bool there;
    } all[] = {{"active", accepted / begun / (double)chain->replicas, true},
               {"steps_done", steps / begun, true},
               {"proposals", proposals, true},
               {"distinct", (double)spn_samples_distinct(samples), true},
               {"best_reads", best, true},
               {"hits", hits, target},
               {"success", hits / begun, target},
               {"first_hit_proposals", first_hit_proposals(reads, chain), target},
               {"median_energy", spn_samples_quantile(samples, 0.5), true}};
    spn_status status = spn_record_add_text(out, "stop", common_stop(reads), err);
    for (size_t k = 0; k < sizeof all / sizeof *all && !status; k++)
        if (all[k].there)
            status = spn_record_add_result(out, all[k].name, all[k].value, err);
    return status;
}

static spn_status add_quantiles(spn_record *out, const spn_samples *samples, spn_error *err)
{
    enum { COUNT = 9 };
    static const char *const names[] = {"p", "energy"};
    static const double shares[COUNT] = {0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1};
    double energies[COUNT];
    for (size_t k = 0; k < COUNT; k++)
        energies[k] = spn_samples_quantile(samples, shares[k]);
    const double *columns[] = {shares, energies};
    return spn_record_add_curve(out, "quantiles", 2, names, COUNT, columns, err);
}

static spn_status add_each(spn_record *out, const spn_reads *reads, spn_error *err)
{
    enum { COLUMNS = 6 };
    static const char *const names[COLUMNS] = {"best_energy", "energy", "accepted",
                                               "proposals",   "steps",  "hit"};
    const size_t count = spn_reads_count(reads);
    const double *columns[COLUMNS];
    double *values = spn_alloc(count, COLUMNS * sizeof *values);
    size_t rows = 0; /* those that were begun */
    if (!values)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the results of the reads");
    for (size_t c = 0; c < COLUMNS; c++)
        columns[c] = values + c * count;
    for (size_t r = 0; r < count; r++) {
        const uint64_t hit = spn_reads_hit(reads, r);
        const double row[COLUMNS] = {
            spn_reads_best_energy(reads, r),      spn_reads_energy(reads, r),
            (double)spn_reads_accepted(reads, r), (double)spn_reads_proposals(reads, r),
            (double)spn_reads_steps(reads, r),    hit == SPN_NO_HIT ? NAN : (double)hit};
        for (size_t c = 0; c < COLUMNS; c++)
            values[c * count + rows] = row[c];
        rows += spn_read_begun(reads, r);
    }
    const spn_status status =
        spn_record_add_curve(out, "reads", COLUMNS, names, rows, columns, err);
    free(values);
    return status;
}

static spn_status add_range(spn_record *out, const spn_schedule *beta, spn_error *err)
{
    if (!spn_schedule_has_range(beta))
        return SPN_OK;
    const spn_status status =
        spn_record_add_result(out, "beta_start", spn_schedule_value(beta, 0, 1, 0, 1), err);
    return status
               ? status
               : spn_record_add_result(out, "beta_end", spn_schedule_value(beta, 1, 1, 0, 1), err);
}

spn_status spn_reads_job_record(spn_record *out, const spn_reads *reads, const spn_samples *samples,
                                const spn_chain_ready *chain, const spn_run *run, spn_error *err)
{
    const spn_chain_options *o = &chain->options;
    spn_status status;
    if ((status = add_numbers(out, reads, samples, o, err)) ||
        (status =
             spn_record_add_text(out, "health", spn_health_name(spn_reads_health(reads)), err)) ||
        (status = add_range(out, o->beta, err)) ||
        (chain->parts && (status = spn_chain_job_steps(out, chain->parts, o->part_count, err))) ||
        !run->details || (status = add_quantiles(out, samples, err)))
        return status;
    return add_each(out, reads, err);
}
