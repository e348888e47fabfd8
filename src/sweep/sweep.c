/* Run a sweep: open the folder, find what is done, hand out the rest, merge the records. */
#include "base/try.h"
#include "record/record.h"
#include "sweep/folder.h"
#include "sweep/running.h"

#include <sched.h>
#include <spinney/version.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static size_t number_of(const char *const *names, size_t none)
{
    for (size_t k = 0; names[k]; k++) {
        const char *text = getenv(names[k]);
        if (text && *text >= '0' && *text <= '9')
            return strtoul(text, NULL, 10);
    }
    return none;
}

size_t spn_sweep_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL};
    return spn_ranks_expected() ? number_of(names, 0) : 0;
}

size_t spn_sweep_ranks(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
    /* PMIx does not give the number of ranks; MPI will */
    return number_of(sizes, getenv("PMIX_RANK") ? 0 : 1);
}

bool spn_ranks_expected(void)
{
    return spn_sweep_ranks() != 1;
}

typedef struct sweeper {
    spn_dispatch d;
    spn_agenda agenda; /* of rank 0, like the lock */
    int lock;
    spn_runner *runner;
} sweeper;

/* What rank 0 sends to the others at the start and at the end. */
typedef struct announcement {
    spn_status status;
    char text[SPN_ERROR_TEXT];
    char version[64], instructions[16];
    uint64_t files; /* sum_files */
    spn_sweep_outcome outcome;
} announcement;

static uint64_t sum_files(const spn_sweep *sweep)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < sweep->file_count; k++)
        sum = XXH3_64bits_withSeed(&sweep->files[k].checksum, sizeof sweep->files[k].checksum, sum);
    return sum;
}

static spn_status check_options(const spn_sweep_options *options, spn_error *err)
{
    enum { MOST_THREADS = 4096 };
    if (!options->folder || !*options->folder)
        return spn_refuse(err, "a sweep needs a folder for its records");
    if (options->shards > 1 && options->shard >= options->shards)
        return spn_refuse(err, "there is no shard %zu of %zu", options->shard + 1, options->shards);
    if (options->shards > 1 && spn_sweep_ranks() > 1)
        return spn_refuse(err,
                          "shards and mpirun cannot be combined: its ranks share out all runs");
    if (options->threads > MOST_THREADS)
        return spn_refuse(err, "%u threads; give at most %d", options->threads, MOST_THREADS);
    return SPN_OK;
}

static size_t shards_of(const sweeper *s)
{
    return s->d.options->shards > 1 ? s->d.options->shards : 1;
}

static spn_status choose_jobs(sweeper *s, spn_error *err)
{
    const spn_sweep_options *o = s->d.options;
    uint64_t *finished;
    size_t count;
    SPN_TRY(spn_folder_finished(&finished, &count, o->folder, err));
    spn_agenda_choose(&s->agenda, o->shards > 1 ? o->shard : 0, shards_of(s), finished, count);
    spn_folder_tidy(o->folder, finished, count, shards_of(s) == 1);
    s->d.resumed = spn_folder_has_checkpoints(o->folder);
    free(finished);
    return SPN_OK;
}

/* Start the workers of this rank, and open its manifest: the folder's own, or a part. */
static spn_status start_workers(sweeper *s, spn_error *err)
{
    const spn_sweep_options *o = s->d.options;
    const double save_seconds = o->save_seconds > 0 ? o->save_seconds : 5;
    char part[64] = "";
    if (spn_ranks_count(s->d.ranks) > 1)
        snprintf(part, sizeof part, "rank-%zu", spn_ranks_rank(s->d.ranks));
    else if (shards_of(s) > 1)
        snprintf(part, sizeof part, "shard-%zu-of-%zu", o->shard + 1, o->shards);
    SPN_TRY(spn_runner_create(&s->runner, s->d.sweep, o->folder, part[0] ? part : NULL,
                              save_seconds, err));
    return spn_pool_start(&s->d.pool, o->threads > 1 ? o->threads : 1, spn_runner_work, s->runner,
                          err);
}

static spn_status prepare(sweeper *s, spn_error *err)
{
    const spn_sweep_options *o = s->d.options;
    SPN_TRY(spn_agenda_make(&s->agenda, s->d.sweep, err));
    SPN_TRY(spn_folder_enter(&s->lock, o->folder, s->d.sweep, shards_of(s), o->specification, err));
    SPN_TRY(choose_jobs(s, err));
    return s->agenda.pending > 0 ? start_workers(s, err) : SPN_OK;
}

/* Whether the whole sweep is finished, including other shards. */
static spn_status all_finished(bool *out, const sweeper *s, size_t now, spn_error *err)
{
    uint64_t *finished;
    size_t count;
    *out = s->agenda.done + now == s->agenda.count;
    if (shards_of(s) == 1 || *out)
        return SPN_OK;
    spn_status status = spn_folder_finished(&finished, &count, s->d.options->folder, err);
    *out = !status;
    for (size_t i = 0; i < s->agenda.count && *out; i++)
        *out = spn_keys_hold(finished, count, s->agenda.keys[i]);
    free(finished);
    return status;
}

static spn_status end_workers(sweeper *s, spn_error *err)
{
    spn_status status = spn_pool_end(s->d.pool, err);
    s->d.pool = NULL;
    spn_runner_free(s->runner);
    s->runner = NULL;
    return status;
}

static spn_status lead(spn_sweep_outcome *out, sweeper *s, spn_error *err)
{
    spn_error ours = {0};
    const spn_status theirs = spn_dispatch_lead(out, &s->d, err);
    const spn_status status = end_workers(s, &ours);
    return status ? spn_fail(err, status, "%s", ours.text) : theirs;
}

static spn_status run_first(spn_sweep_outcome *out, sweeper *s, spn_error *err)
{
    announcement start = {.files = sum_files(s->d.sweep)}, end = {0};
    spn_error ours = {0};
    snprintf(start.version, sizeof start.version, "%s", spn_version());
    snprintf(start.instructions, sizeof start.instructions, "%s", spn_instruction_set());
    start.status = prepare(s, &ours);
    memcpy(start.text, ours.text, sizeof start.text);
    *out = (spn_sweep_outcome){.jobs = s->agenda.mine, .before = s->agenda.before};
    out->started = !start.status && s->agenda.pending > 0;
    start.outcome = *out;
    spn_ranks_broadcast(s->d.ranks, &start, sizeof start);
    spn_status status = start.status;
    if (out->started)
        status = lead(out, s, &ours);
    if (!status)
        status = all_finished(&out->complete, s, out->now, &ours);
    if (!status && out->complete)
        status = spn_records_merge(s->d.options->folder, s->agenda.keys, s->agenda.count, &ours);
    out->complete = out->complete && !status;
    out->stopped = out->stopped && (status || out->before + out->now < out->jobs);
    spn_folder_leave(s->lock, s->d.options->folder, out->complete);
    s->lock = -1;
    end = (announcement){.status = status, .outcome = *out};
    memcpy(end.text, ours.text, sizeof end.text);
    spn_ranks_broadcast(s->d.ranks, &end, sizeof end);
    if (status && err)
        *err = ours;
    return status;
}

static spn_status follow(sweeper *s, const announcement *start, spn_error *err)
{
    if (strcmp(start->version, spn_version()) != 0)
        return spn_refuse(err, "rank 0 is spinney %s, rank %zu is spinney %s; start one of them",
                          start->version, spn_ranks_rank(s->d.ranks), spn_version());
    if (strcmp(start->instructions, spn_instruction_set()) != 0)
        return spn_refuse(
            err,
            "rank 0 uses the instruction set %s, rank %zu uses %s: results may differ "
            "in their last digits; start ranks on machines of one kind",
            start->instructions, spn_ranks_rank(s->d.ranks), spn_instruction_set());
    if (start->files != sum_files(s->d.sweep))
        return spn_refuse(err,
                          "rank %zu reads other files than rank 0, of another content; give all "
                          "machines the same",
                          spn_ranks_rank(s->d.ranks));
    SPN_TRY(start_workers(s, err));
    return spn_dispatch_follow(&s->d, err);
}

/* Another rank returns what rank 0 does. */
static spn_status run_other(spn_sweep_outcome *out, sweeper *s, spn_error *err)
{
    announcement start, end;
    spn_ranks_broadcast(s->d.ranks, &start, sizeof start);
    if (!start.status && start.outcome.started) {
        spn_error ours = {0}, run = {0};
        spn_status status = follow(s, &start, &ours);
        spn_status failed = end_workers(s, &run);
        spn_dispatch_say_ended(s->d.ranks, failed ? failed : status, failed ? &run : &ours);
    }
    spn_ranks_broadcast(s->d.ranks, &end, sizeof end);
    *out = end.outcome;
    return end.status ? spn_fail(err, end.status, "%s", end.text) : SPN_OK;
}

spn_status spn_sweep_run(spn_sweep_outcome *out, const spn_sweep *sweep,
                         const spn_sweep_options *options, spn_error *err)
{
    sweeper s = {.d = {.sweep = sweep, .options = options}, .lock = -1};
    s.d.agenda = &s.agenda;
    *out = (spn_sweep_outcome){0};
    spn_status status;
    SPN_TRY(check_options(options, err));
    SPN_TRY_OR(cleanup, spn_ranks_start(&s.d.ranks, options->shards > 1, err));
    status = spn_ranks_rank(s.d.ranks) == 0 ? run_first(out, &s, err) : run_other(out, &s, err);
cleanup:
    end_workers(&s, NULL);
    spn_agenda_clear(&s.agenda);
    spn_ranks_end(s.d.ranks);
    return status;
}

unsigned spn_sweep_default_threads(void)
{
    cpu_set_t cores;
    if (spn_ranks_expected() || sched_getaffinity(0, sizeof cores, &cores) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&cores);
}
