/* Reads: independent runs of a chain, shared out over threads. */
#include "reads/reads.h"

#include "base/clock.h"
#include "base/memory.h"
#include "chain/chain.h"
#include "reads/lanes.h"
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 4096, PROGRESS_STEPS = SPN_SAVE_STEPS, PROGRESS_PARTS = 64 };
static const double PROGRESS_SECONDS = 0.1; /* where steps are slow */

/* What the threads share. The lock guards all that changes but the results, each of which one
   thread alone writes. */
typedef struct work {
    const spn_energy *energy;
    spn_chain_options chain; /* of read 0 */
    const spn_reads_options *options;
    spn_reads *reads;
    spn_lane_graph *graph;    /* NULL: plain chains, */
    spn_lane_function *lanes; /* else many reads at once, */
    size_t width;             /* so many */
    spn_lane_plan plan;
    pthread_mutex_t lock;
    size_t next; /* read to begin */
    size_t finished;
    double share;
    bool failed;
    size_t failed_read; /* the lowest that failed, */
    spn_status status;  /* and how */
    spn_error error;
} work;

/* A read, or many at once, as its observer sees it. */
typedef struct reader {
    work *work;
    size_t read, count;
    double share;  /* of its steps, counted in work->share */
    bool by_other; /* another read failed, and ended this one */
    spn_slice slices[SPN_SLICES];
} reader;

static void note_failure(work *w, size_t read, spn_status status, const spn_error *err)
{
    if (w->failed && w->failed_read < read)
        return;
    w->failed = true;
    w->failed_read = read;
    w->status = status;
    w->error = *err;
}

/* With the lock held. */
static spn_status tell(work *w, spn_error *err)
{
    const spn_reads_options *o = w->options;
    if (!o->progress)
        return SPN_OK;
    const double share = w->finished == o->reads ? 1 : w->share / (double)o->reads;
    return o->progress(o->progress_context, share, w->finished, err);
}

/* share: of the reader's steps. */
static spn_status look(void *context, double share, spn_error *err)
{
    reader *r = context;
    work *w = r->work;
    spn_status status = SPN_OK;
    pthread_mutex_lock(&w->lock);
    if (w->failed) {
        r->by_other = true;
        status = w->status;
    } else if (share > 0) {
        w->share += share * (double)r->count - r->share;
        r->share = share * (double)r->count;
        if (share < 1)
            status = tell(w, err);
    }
    pthread_mutex_unlock(&w->lock);
    return status;
}

static spn_status observe(void *context, const spn_progress *progress, spn_error *err)
{
    const uint64_t steps = ((const reader *)context)->work->chain.steps;
    return look(context, steps ? (double)progress->step / (double)steps : 0, err);
}

/* Steps between two looks at the other reads. */
static uint64_t look_every(uint64_t steps)
{
    const uint64_t part = steps / PROGRESS_PARTS / PROGRESS_STEPS * PROGRESS_STEPS;
    return steps == 0 ? 64 * PROGRESS_STEPS : part < PROGRESS_STEPS ? PROGRESS_STEPS : part;
}

static void keep(spn_reads *reads, size_t read, const spn_sampler *chain, spn_stop stop)
{
    spn_snapshot s;
    spn_chain_snapshot(&s, chain);
    spn_read *out = &reads->read[read];
    size_t best = 0;
    *out = (spn_read){.stop = stop, .steps = s.step, .energy = s.energy[0], .hit = SPN_NO_HIT};
    for (size_t a = 0; a < s.replicas; a++) {
        best = s.best_energy[a] < s.best_energy[best] ? a : best;
        out->energy = s.energy[a] < out->energy ? s.energy[a] : out->energy;
        out->accepted += s.accepted[a];
        out->proposals += s.proposals[a];
    }
    out->best_energy = s.best_energy[best];
    if (spn_chain_of(chain)->options.target != SPN_TARGET_NONE)
        out->hit = s.first_hit;
    memcpy(reads->best_spins + read * reads->sites, s.best_spins + best * s.sites, s.sites);
}

/* The states that a read starts from, y of them, to be freed; NULL without memory. */
static int8_t *starts_of(const work *w, size_t read)
{
    const spn_reads_options *o = w->options;
    const size_t sites = w->energy->sites, replicas = w->chain.replicas;
    int8_t *starts = spn_alloc(replicas, sites);
    size_t state = read % o->start_count * replicas % o->start_count;
    for (size_t a = 0; starts && a < replicas; a++, state = (state + 1) % o->start_count)
        memcpy(starts + a * sites, o->starts + state * sites, sites);
    return starts;
}

static spn_status run_from(work *w, reader *r, const int8_t *starts, spn_error *err)
{
    spn_chain_options o = w->chain;
    spn_until until = spn_until_defaults();
    spn_sampler *chain;
    spn_stop stop;
    o.run += (uint32_t)r->read;
    until.stop = w->options->stop;
    until.seconds = w->options->seconds;
    until.observer = observe;
    until.context = r;
    until.observe_every = look_every(o.steps);
    until.observe_seconds = PROGRESS_SECONDS;
    if (starts) {
        o.start = SPN_START_GIVEN;
        o.given = starts;
    }
    spn_status status = spn_chain_create(&chain, w->energy, &o, err);
    if (!status)
        status = spn_sampler_run(&stop, chain, &until, err);
    if (!status) {
        keep(w->reads, r->read, chain, stop);
        memcpy(r->slices, spn_chain_of(chain)->health.slices, sizeof r->slices);
    }
    spn_sampler_free(chain);
    return status;
}

static spn_status run_chain(work *w, reader *r, spn_error *err)
{
    if (!w->options->starts)
        return run_from(w, r, NULL, err);
    int8_t *starts = starts_of(w, r->read);
    const spn_status status =
        starts ? run_from(w, r, starts, err)
               : spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the start of a read");
    free(starts);
    return status;
}

/* The next reads, with the lock held. */
static reader take_reads(work *w)
{
    const size_t left = w->options->reads - w->next;
    reader r = {.work = w, .read = w->next, .count = 1};
    if (w->graph)
        r.count = left < w->width ? left : w->width;
    w->next += r.count;
    return r;
}

static spn_status run_one(work *w, reader *r, spn_error *err)
{
    if (!w->graph)
        return run_chain(w, r, err);
    return spn_lanes_run(w->reads, r->slices, w->graph, w->lanes, &w->plan, &w->chain,
                         w->options->stop, r->read, r->count, look, r, err);
}

/* Reads that are not made, since all are to stop; with the lock held. False: they are. */
static bool skip_rest(work *w)
{
    if (!w->options->only_begun || !spn_stop_asked(w->options->stop))
        return false;
    for (; w->next < w->options->reads; w->next++, w->finished++)
        w->reads->read[w->next] = (spn_read){
            .best_energy = NAN, .energy = NAN, .hit = SPN_NO_HIT, .stop = SPN_STOP_REQUEST};
    return true;
}

/* A thread: one read, or as many as go at once, after the other. */
static void *run_reads(void *context)
{
    work *w = context;
    pthread_mutex_lock(&w->lock);
    while (!w->failed && w->next < w->options->reads && !skip_rest(w)) {
        reader r = take_reads(w);
        spn_error err = {0};
        pthread_mutex_unlock(&w->lock);
        spn_status status = run_one(w, &r, &err);
        pthread_mutex_lock(&w->lock);
        if (!status) {
            w->finished += r.count;
            spn_slices_add(w->reads->slices, r.slices);
            w->share += (double)r.count - r.share;
            if (!w->failed)
                status = tell(w, &err);
        }
        if (status && !r.by_other)
            note_failure(w, r.read, status, &err);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* The calling thread is one of them; where others cannot be had, it does the rest. */
static spn_status share_out(work *w, spn_error *err)
{
    const size_t reads = w->options->reads;
    const size_t most = w->options->threads < reads ? w->options->threads : reads;
    pthread_t *others = spn_alloc(most, sizeof *others);
    size_t count = 0;
    if (!others)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu threads", most);
    pthread_mutex_init(&w->lock, NULL);
    while (count + 1 < most && pthread_create(&others[count], NULL, run_reads, w) == 0)
        count++;
    run_reads(w);
    for (size_t k = 0; k < count; k++)
        pthread_join(others[k], NULL);
    pthread_mutex_destroy(&w->lock);
    free(others);
    if (w->failed && err)
        *err = w->error;
    assert(w->failed || w->finished == reads);
    return w->failed ? w->status : SPN_OK;
}

static spn_status take_options(spn_reads_options *own, spn_chain_options *chain,
                               const spn_reads_options *given, spn_error *err)
{
    *own = spn_reads_defaults();
    *chain = spn_chain_defaults();
    spn_status status = spn_sized_take(own, sizeof *own, given, "spn_reads_defaults", err);
    if (!status)
        status = spn_sized_take(chain, sizeof *chain, own->chain, "spn_chain_defaults", err);
    if (status)
        return status;
    if (own->threads < 1 || own->threads > MOST_THREADS)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "threads: %u is not 1 to %d", own->threads,
                        MOST_THREADS);
    if (!own->starts != !own->start_count)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "starts and start_count go together");
    if (own->only_begun > 1)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "only_begun: %zu is not 0 or 1", own->only_begun);
    const uint64_t most = (uint64_t)UINT32_MAX + 1 - chain->run;
    if (own->reads < 1 || own->reads > most)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "reads: %zu is not 1 to %llu", own->reads,
                        (unsigned long long)most);
    chain->threads = 1;
    return SPN_OK;
}

static spn_reads *allocate(size_t count, size_t sites)
{
    spn_reads *reads = spn_alloc(1, sizeof *reads);
    if (!reads)
        return NULL;
    reads->count = count;
    reads->sites = sites;
    reads->read = spn_alloc(count, sizeof *reads->read);
    reads->best_spins = spn_alloc(count, sites);
    if (reads->read && reads->best_spins)
        return reads;
    spn_reads_free(reads);
    return NULL;
}

static void find_lanes(work *w)
{
    const spn_reads_options *o = w->options;
    w->lanes = o->starts || o->seconds > 0 ? NULL : spn_lanes_select(spn_cpu_isa());
    w->graph = w->lanes ? spn_lanes_prepare(w->energy, &w->chain, o->reads) : NULL;
}

/* Many reads at once where that can be done. Errors: what is wrong with the options, as a chain
   says it. */
static spn_status choose_lanes(work *w, spn_error *err)
{
    const spn_reads_options *o = w->options;
    spn_sampler *chain;
    spn_status status = spn_chain_create(&chain, w->energy, &w->chain, err);
    spn_sampler_free(chain);
    if (!status)
        status = spn_lane_plan_init(&w->plan, &w->chain, err);
    if (status)
        return status;
    find_lanes(w);
    if (w->graph)
        w->width = spn_lanes_width(w->graph, o->reads, o->threads);
    return SPN_OK;
}

/* The verdict on all reads together. */
static spn_health judge(const work *w)
{
    const spn_reads *reads = w->reads;
    size_t hits = 0, begun = 0, complete = 0;
    for (size_t r = 0; r < reads->count; r++) {
        const spn_read *read = &reads->read[r];
        begun += read->stop != SPN_STOP_REQUEST || read->steps > 0;
        hits += read->stop == SPN_STOP_TARGET;
        complete += read->stop == SPN_STOP_STEPS;
    }
    if (begun && hits == begun)
        return SPN_HEALTH_GOOD;
    return spn_slices_verdict(reads->slices, w->chain.beta, complete > 0);
}

/* Those that all reads have in common: plain chains that are stretched make each their own. */
static void keep_parts(work *w)
{
    if (w->chain.stretch && !w->graph)
        return;
    w->reads->part_count = w->plan.parts.count;
    w->reads->parts = w->plan.parts.steps;
    w->plan.parts.steps = NULL;
}

spn_status spn_reads_run(spn_reads **out, const spn_energy *energy, const spn_reads_options *given,
                         spn_error *err)
{
    spn_reads_options options;
    work w = {.energy = energy, .options = &options};
    *out = NULL;
    spn_status status = take_options(&options, &w.chain, given, err);
    if (status)
        return status;
    w.reads = allocate(options.reads, energy->sites);
    if (!w.reads)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu reads of %zu spins",
                        options.reads, energy->sites);
    status = choose_lanes(&w, err);
    if (!status)
        status = share_out(&w, err);
    if (status)
        spn_reads_free(w.reads);
    else {
        keep_parts(&w);
        w.reads->health = judge(&w);
    }
    *out = status ? NULL : w.reads;
    spn_lane_graph_free(w.graph);
    spn_lane_plan_clear(&w.plan);
    return status;
}

bool spn_reads_side_by_side(const spn_energy *energy, const spn_reads_options *given)
{
    spn_reads_options options;
    work w = {.energy = energy, .options = &options};
    if (take_options(&options, &w.chain, given, NULL))
        return false;
    find_lanes(&w);
    const bool found = w.graph != NULL;
    spn_lane_graph_free(w.graph);
    return found;
}

void spn_reads_free(spn_reads *reads)
{
    if (!reads)
        return;
    free(reads->read);
    free(reads->best_spins);
    free(reads->parts);
    free(reads);
}

size_t spn_reads_count(const spn_reads *reads)
{
    return reads->count;
}

size_t spn_reads_sites(const spn_reads *reads)
{
    return reads->sites;
}

static const spn_read *at(const spn_reads *reads, size_t r)
{
    assert(r < reads->count);
    return &reads->read[r];
}

double spn_reads_best_energy(const spn_reads *reads, size_t r)
{
    return at(reads, r)->best_energy;
}

const int8_t *spn_reads_best_spins(const spn_reads *reads, size_t r)
{
    assert(r < reads->count);
    return reads->best_spins + r * reads->sites;
}

double spn_reads_energy(const spn_reads *reads, size_t r)
{
    return at(reads, r)->energy;
}

uint64_t spn_reads_accepted(const spn_reads *reads, size_t r)
{
    return at(reads, r)->accepted;
}

uint64_t spn_reads_proposals(const spn_reads *reads, size_t r)
{
    return at(reads, r)->proposals;
}

uint64_t spn_reads_steps(const spn_reads *reads, size_t r)
{
    return at(reads, r)->steps;
}

spn_stop spn_reads_stop(const spn_reads *reads, size_t r)
{
    return at(reads, r)->stop;
}

spn_health spn_reads_health(const spn_reads *reads)
{
    return reads->health;
}

uint64_t spn_reads_hit(const spn_reads *reads, size_t r)
{
    return at(reads, r)->hit;
}

const uint64_t *spn_reads_parts(const spn_reads *reads, size_t *count)
{
    *count = reads->part_count;
    return reads->parts;
}
