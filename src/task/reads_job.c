/* The reads of a job. */
#include "task/reads_job.h"
#include "record/record.h"

#include "base/memory.h"
#include "base/try.h"
#include "task/chain_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the run ---- */

static spn_status show(void *context, const spn_progress *progress, spn_error *err)
{
    const spn_reads_job *how = context;
    (void)err;
    spn_meter_show(how->meter, how->work, progress->share);
    return SPN_OK;
}

static void fill_outcome(spn_outcome *out, const spn_sampler *reads)
{
    spn_progress end;
    spn_sampler_look(&end, reads);
    out->complete = true;
    out->seconds = end.seconds;
    for (size_t r = 0; r < spn_reads_count(reads); r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        out->reads += read.best_spins != NULL;
        out->complete = out->complete && read.stop != SPN_STOP_NONE;
        out->proposals += read.proposals;
        out->step = read.steps > out->step ? read.steps : out->step;
    }
}

/* Keep the parts of stretched reads, for the record. */
static spn_status keep_parts(spn_chain_ready *chain, const spn_sampler *reads, spn_error *err)
{
    spn_chain_options *o = &chain->options;
    const uint64_t *parts = spn_reads_parts(reads, &o->part_count);
    SPN_TRY(spn_chain_ready_parts(chain, err));
    memcpy(chain->parts, parts, o->part_count * sizeof *parts);
    o->parts = chain->parts;
    o->stretch = 0;
    o->seconds = 0;
    return SPN_OK;
}

/* The clock is for all reads together: each has its share. */
static spn_status make_reads(spn_sampler **out, const spn_reads_job *how, spn_error *err)
{
    spn_chain_options chain = how->chain->options;
    spn_reads_options options = spn_reads_defaults();
    const double rounds = ceil((double)how->reads / (double)chain.threads);
    chain.seconds /= rounds;
    options.chain = &chain;
    options.reads = how->reads;
    options.threads = chain.threads;
    options.starts = how->starts;
    options.start_count = how->start_count;
    options.seconds = how->chain->seconds / rounds;
    return spn_reads_create(out, how->energy, &options, err);
}

spn_status spn_reads_job_run(spn_sampler **out, spn_outcome *outcome, const spn_reads_job *how,
                             spn_error *err)
{
    spn_reads_job shown = *how;
    spn_until until = spn_until_defaults();
    spn_stop stop;
    *out = NULL;
    if (how->run->trace)
        return spn_setting_fail("reads", err,
                                "a trace is of one run: give reads: 1, or leave the trace out");
    SPN_TRY(make_reads(out, how, err));
    until.stop = how->run->stop;
    until.observer = show;
    until.context = &shown;
    until.observe_seconds = 0.1;
    SPN_TRY(spn_sampler_run(&stop, *out, &until, err));
    if (how->chain->options.stretch)
        SPN_TRY(keep_parts(how->chain, *out, err));
    fill_outcome(outcome, *out);
    return SPN_OK;
}

/* ---- the record ---- */

/* Why most of the reads ended. */
static const char *common_stop(const spn_sampler *reads)
{
    size_t counts[SPN_STOP_FROZEN + 1] = {0}, most = 0;
    for (size_t r = 0; r < spn_reads_count(reads); r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        counts[read.stop ? read.stop : SPN_STOP_REQUEST]++;
    }
    for (size_t k = 0; k <= SPN_STOP_FROZEN; k++)
        most = counts[k] > counts[most] ? k : most;
    return spn_stop_name((spn_stop)most);
}

/* The proposals until the first hit where one read comes after the other, so that they do not
   depend on how many were made side by side; NaN: none hit. */
static double first_hit_proposals(const spn_sampler *reads, const spn_chain_options *chain)
{
    const double per_step = (double)spn_order_proposals(chain->order, chain->replicas);
    double before = 0;
    for (size_t r = 0; r < spn_reads_count(reads); r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        if (read.hit != SPN_NO_HIT)
            return before + (double)read.hit * per_step;
        before += (double)read.proposals;
    }
    return NAN;
}

static spn_status add_numbers(spn_record *out, const spn_sampler *reads, const spn_samples *samples,
                              const spn_chain_options *chain, spn_error *err)
{
    const double lowest = spn_samples_energy(samples, 0);
    double begun = 0, steps = 0, proposals = 0, accepted = 0, hits = 0, best = 0;
    for (size_t r = 0; r < spn_reads_count(reads); r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        begun += read.best_spins != NULL;
        steps += (double)read.steps;
        proposals += (double)read.proposals;
        accepted += (double)read.accepted;
        hits += read.hit != SPN_NO_HIT;
        best += read.best_energy <= lowest; /* NaN is not */
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

static spn_status add_each(spn_record *out, const spn_sampler *reads, spn_error *err)
{
    enum { COLUMNS = 6 };
    static const char *const names[COLUMNS] = {"best_energy", "energy", "accepted",
                                               "proposals",   "steps",  "hit"};
    const size_t count = spn_reads_count(reads);
    const double *columns[COLUMNS];
    double *values = spn_alloc(count, COLUMNS * sizeof *values);
    size_t rows = 0; /* those that were begun */
    if (!values)
        return spn_no_memory(err, "the results of the reads");
    for (size_t c = 0; c < COLUMNS; c++)
        columns[c] = values + c * count;
    for (size_t r = 0; r < count; r++) {
        spn_read read;
        spn_reads_look(&read, reads, r);
        const double hit = read.hit == SPN_NO_HIT ? NAN : (double)read.hit;
        const double row[COLUMNS] = {read.best_energy,      read.energy,
                                     (double)read.accepted, (double)read.proposals,
                                     (double)read.steps,    hit};
        for (size_t c = 0; c < COLUMNS; c++)
            values[c * count + rows] = row[c];
        rows += read.best_spins != NULL;
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

spn_status spn_reads_job_record(spn_record *out, const spn_sampler *reads,
                                const spn_samples *samples, const spn_chain_ready *chain,
                                const spn_run *run, spn_error *err)
{
    const spn_chain_options *o = &chain->options;
    spn_status status;
    if ((status = add_numbers(out, reads, samples, o, err)) ||
        (status =
             spn_record_add_text(out, "health", spn_health_name(spn_sampler_health(reads)), err)) ||
        (status = add_range(out, o->beta, err)) ||
        (chain->parts && (status = spn_chain_job_steps(out, chain->parts, o->part_count, err))) ||
        !run->details || (status = add_quantiles(out, samples, err)))
        return status;
    return add_each(out, reads, err);
}
