/* The energy softmax on a device. Chains on many threads share one copy of the data there; what
   they have to do waits in a list until a launch takes it.

   A chain stays where it is: it draws its proposals, sends a block of them with its loop, and then
   makes the accepted ones here, with the losses that came back. So everything that a chain keeps is
   kept as always, and only the states of the samples live on the device. */
#include "base/clock.h"
#include "base/memory.h"
#include "chain/loop.h"
#include "device/device.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

/* Someone who waits for a job. */
typedef struct request {
    spn_train_job *job;
    pthread_cond_t woken;
    struct request *next;
    double late; /* when it need not wait for others any longer */
    bool taken, done;
    spn_status status;
    spn_error error;
} request;

/* Data on a device. Those of the same data share it. */
typedef struct trainer {
    uint64_t key;
    size_t users;
    struct trainer *next;
    const spn_device_library *library;
    void *opened;
    spn_whole *whole;
    char name[sizeof((spn_device_info *)NULL)->name];
    pthread_mutex_t lock, comparing;
    request *first, **last;                /* that wait */
    size_t waiting, busy[SPN_TRAIN_LANES]; /* jobs */
    double took;                           /* by the last launch */
    uint32_t *unused, rows; /* rows that are free again, and all that were ever used */
    size_t unused_count;
    bool compared, wrong; /* the first loss with the processor's; whether it differed */
} trainer;

typedef struct row {
    const void *cache; /* whose it is */
    uint32_t number;
} row;

typedef struct on_device {
    spn_energy base;
    trainer *trainer;
    row *rows;
    size_t row_count;
    spn_error error; /* of the device; empty: none */
} on_device;

/* Row `index` of the energy, and the energy of its state. */
typedef struct device_cache {
    uint64_t index;
    double value;
} device_cache;

/* ---- the list of work ---- */

static size_t jobs_out(const trainer *t)
{
    size_t count = 0;
    for (unsigned l = 0; l < SPN_TRAIN_LANES; l++)
        count += t->busy[l];
    return count;
}

/* A launch takes its share of all jobs, so that the next one can be made ready meanwhile. */
static size_t share_of(const trainer *t)
{
    return (t->waiting + jobs_out(t) + SPN_TRAIN_LANES - 1) / SPN_TRAIN_LANES;
}

static unsigned free_lane(const trainer *t)
{
    unsigned l = 0;
    while (l < SPN_TRAIN_LANES && t->busy[l])
        l++;
    return l;
}

static request *take_first(trainer *t)
{
    request *r = t->first;
    t->first = r->next;
    t->last = t->first ? t->last : &t->first;
    t->waiting--;
    r->taken = true;
    return r;
}

static void finish(request *const *taken, size_t count, spn_status status, const spn_error *error)
{
    for (size_t k = 0; k < count; k++) {
        taken[k]->status = status;
        taken[k]->error = *error;
        taken[k]->done = true;
        pthread_cond_signal(&taken[k]->woken);
    }
}

/* Do the jobs that wait longest. The lock is held before and after. */
static void lead(trainer *t, unsigned lane)
{
    enum { MOST = 4096 };
    request *taken[MOST];
    spn_train_job *jobs[MOST];
    spn_error error = {0};
    const size_t share = share_of(t), count = share < MOST ? share : MOST;
    size_t got = 0;
    for (; got < count && t->first; got++) {
        taken[got] = take_first(t);
        jobs[got] = taken[got]->job;
    }
    t->busy[lane] = got;
    if (t->first && free_lane(t) < SPN_TRAIN_LANES)
        pthread_cond_signal(&t->first->woken);
    pthread_mutex_unlock(&t->lock);
    const double started = spn_clock();
    const spn_status status = t->library->train_work(t->opened, lane, jobs, got, &error);
    pthread_mutex_lock(&t->lock);
    t->took = spn_clock() - started;
    t->busy[lane] = 0;
    finish(taken, got, status, &error);
    if (t->first)
        pthread_cond_signal(&t->first->woken);
}

static void wait_until(request *r, pthread_mutex_t *lock, double when)
{
    struct timespec at = {.tv_sec = (time_t)when};
    at.tv_nsec = (long)((when - (double)at.tv_sec) * 1e9);
    pthread_cond_timedwait(&r->woken, lock, &at);
}

static spn_status do_job(trainer *t, spn_train_job *job, spn_error *err)
{
    const double least = 0.001, share = 0.1; /* of the time of a launch: how long to wait */
    request r = {.job = job};
    pthread_condattr_t steady;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&r.woken, &steady);
    pthread_condattr_destroy(&steady);
    pthread_mutex_lock(&t->lock);
    r.late = spn_clock() + fmax(least, share * t->took);
    *t->last = &r;
    t->last = &r.next; /* cppcheck-suppress autoVariables ; r waits here until it is taken out */
    t->waiting++;
    while (!r.done) {
        const unsigned lane = free_lane(t);
        const bool late = spn_clock() >= r.late;
        if (!r.taken && lane < SPN_TRAIN_LANES && (late || t->waiting >= share_of(t)))
            lead(t, lane);
        else if (r.taken || late)
            pthread_cond_wait(&r.woken, &t->lock);
        else
            wait_until(&r, &t->lock, r.late);
    }
    pthread_mutex_unlock(&t->lock);
    pthread_cond_destroy(&r.woken);
    if (r.status && err)
        *err = r.error;
    return r.status;
}

/* ---- rows ---- */

static bool take_row(trainer *t, uint32_t *out)
{
    if (t->unused_count > 0) {
        *out = t->unused[--t->unused_count];
        return true;
    }
    uint32_t *more = realloc(t->unused, (t->rows + (size_t)1) * sizeof *more); /* room for all */
    if (!more)
        return false;
    t->unused = more;
    *out = t->rows++;
    return true;
}

static row *row_of(const on_device *e, const device_cache *cache)
{
    if (cache->index < e->row_count && e->rows[cache->index].cache == cache)
        return &e->rows[cache->index];
    return NULL;
}

/* The row of a cache: the one that it has, that of an earlier cache at the same place, or a new
   one. The lock is held. */
static bool find_row(on_device *e, device_cache *cache)
{
    if (row_of(e, cache))
        return true;
    for (cache->index = 0; cache->index < e->row_count; cache->index++)
        if (row_of(e, cache))
            return true;
    row *more = realloc(e->rows, (e->row_count + 1) * sizeof *more);
    if (!more)
        return false;
    e->rows = more;
    e->rows[e->row_count].cache = cache;
    return take_row(e->trainer, &e->rows[e->row_count].number) && ++e->row_count > 0;
}

/* ---- slots ---- */

/* Work on one row. Returns the energy of its state; NaN: the device failed. */
static double do_on_row(on_device *e, bool room, uint32_t number, spn_train_job *job)
{
    trainer *t = e->trainer;
    spn_error err = {0};
    job->row = &number; /* cppcheck-suppress autoVariables ; until the job is done */
    job->replicas = 1;
    const spn_status status =
        room ? do_job(t, job, &err) : spn_no_memory(&err, "trainings on a device");
    job->row = NULL;
    if (status)
        e->error = err;
    return status ? NAN : spn_whole_value(t->whole, job->loss);
}

/* Work on the row of a cache alone. */
static double do_alone(const spn_energy *self, device_cache *cache, spn_train_job *job)
{
    on_device *e = (on_device *)(void *)(uintptr_t)self;
    pthread_mutex_lock(&e->trainer->lock);
    const bool room = find_row(e, cache);
    const uint32_t number = room ? row_of(e, cache)->number : 0;
    pthread_mutex_unlock(&e->trainer->lock);
    return cache->value = do_on_row(e, room, number, job);
}

static double attach(const spn_energy *self, void *cache, const int8_t *spins)
{
    spn_train_job job = {.flags = SPN_TRAIN_START, .start = spins};
    return do_alone(self, cache, &job);
}

static double refresh(const spn_energy *self, void *cache, const int8_t *spins)
{
    spn_train_job job = {.flags = SPN_TRAIN_REFRESH};
    (void)spins;
    return do_alone(self, cache, &job);
}

/* A proposal of one replica by itself, accepted up to a threshold. */
static double propose(const spn_energy *self, device_cache *cache, size_t site, double threshold,
                      double *change)
{
    static const double no_cost[8] = {0};
    const spn_train_move move = {.site = (uint32_t)site, .threshold = threshold, .beta = 1};
    spn_train_taken taken;
    spn_train_job job = {.move = &move, .moves = 1, .cost = no_cost, .costs = 8, .taken = &taken};
    const double value = do_alone(self, cache, &job);
    *change = isnan(value) ? NAN : job.change;
    return value;
}

static double delta(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    double change;
    (void)spins;
    propose(self, cache, site, -INFINITY, &change);
    return change;
}

static double commit(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    double change;
    (void)spins;
    return propose(self, cache, site, INFINITY, &change);
}

/* What a device has made already. */
static double made(const spn_energy *self, void *cache, const int8_t *spins, size_t site)
{
    (void)self;
    (void)spins;
    (void)site;
    return ((const device_cache *)cache)->value;
}

/* The first loss that the device makes is compared with the processor's; the others wait for it. */
static bool is_right(trainer *t, const spn_energy *self, const int8_t *spins, double value)
{
    pthread_mutex_lock(&t->comparing);
    if (!t->compared) {
        const double right = spn_softmax_reference(&t->whole->softmax->base, spins);
        t->wrong = !(fabs(value - right) <= fmax(1e-9 * fabs(right), self->accuracy));
        t->compared = true;
    }
    const bool wrong = t->wrong;
    pthread_mutex_unlock(&t->comparing);
    return !wrong;
}

/* On the device too, in a row of its own: a reference on the processor takes as long as thousands
   of moves. */
static double from_scratch(const spn_energy *self, const int8_t *spins)
{
    on_device *e = (on_device *)(void *)(uintptr_t)self;
    trainer *t = e->trainer;
    uint32_t number = 0;
    spn_train_job job = {.flags = SPN_TRAIN_START, .start = spins};
    pthread_mutex_lock(&t->lock);
    const bool room = take_row(t, &number);
    pthread_mutex_unlock(&t->lock);
    const double value = do_on_row(e, room, number, &job);
    pthread_mutex_lock(&t->lock);
    if (room)
        t->unused[t->unused_count++] = number;
    pthread_mutex_unlock(&t->lock);
    if (isnan(value) || is_right(t, self, spins, value))
        return value;
    spn_fail(&e->error, SPN_ERROR_IO, "the device computes wrong losses");
    return NAN;
}

static const char *failure(const spn_energy *self)
{
    const on_device *e = (const on_device *)(const void *)self;
    return e->error.text[0] ? e->error.text : NULL;
}

/* ---- the loop of a chain ---- */

/* The costs of a coupling by y replicas: those of all sums and both spins of a step, in a table. */
static void fill_costs(const spn_chain *chain, size_t j, spn_gamma_use use, double *out)
{
    const int y = (int)chain->replicas;
    for (int sum = -y; sum <= y; sum++)
        for (int up = 0; up < 2; up++) {
            const int spin = 2 * up - 1;
            double change = 0;
            if (use != SPN_GAMMA_NONE && (sum - y) % 2 == 0 && sum != -spin * y)
                change = use == SPN_GAMMA_TABLE
                             ? spn_coupling_look_up(&chain->coupling, sum, spin)
                             : spn_coupling_change(chain->block.gamma[j], sum, spin);
            out[2 * (sum + y) + up] = chain->two_stage ? spn_positive(-change) : -change;
        }
}

static size_t table_size(const spn_chain *chain)
{
    return 4 * chain->replicas + 2;
}

/* The proposals of the next `count` steps in their order. */
static void fill_moves(const spn_chain *chain, size_t count, bool varies, spn_train_move *out)
{
    const spn_block *b = &chain->block;
    for (size_t j = 0; j < count; j++)
        for (size_t s = 0; s < chain->streams; s++) {
            const size_t at = s * b->capacity + j;
            const size_t a = chain->picks_replica ? b->replica[at] : s;
            *out++ = (spn_train_move){.site = b->site[at],
                                      .replica = chain->replicas > 1 ? (uint32_t)a : 0,
                                      .cost = varies ? (uint32_t)(j * table_size(chain)) : 0,
                                      .threshold = b->threshold[at],
                                      .beta = b->beta[j]};
        }
}

/* Make the accepted moves here. Returns how many steps: fewer if the run must be checked. */
static size_t take_moves(spn_chain *chain, size_t count, const spn_train_job *job)
{
    const spn_loop_view view = spn_loop_view_of(chain, 1);
    const spn_variant v = {.gamma = SPN_GAMMA_TABLE, .commit = made};
    const on_device *e = (const on_device *)(const void *)chain->energy;
    for (size_t n = 0; n < job->accepted; n++) {
        const spn_train_taken *taken = &job->taken[n];
        const spn_train_move *move = &job->move[taken->move];
        const size_t j = taken->move / chain->streams;
        if (chain->interrupt && (n == 0 || j != job->taken[n - 1].move / chain->streams))
            return job->taken[n - 1].move / chain->streams + 1;
        device_cache *cache = spn_chain_cache(chain, move->replica);
        cache->value = spn_whole_value(e->trainer->whole, taken->loss);
        spn_accept(&view, move->replica, move->site, j, v);
    }
    return chain->interrupt ? job->taken[job->accepted - 1].move / chain->streams + 1 : count;
}

static size_t fail_loop(spn_chain *chain, const spn_error *err)
{
    on_device *e = (on_device *)(void *)(uintptr_t)chain->energy;
    e->error = *err;
    spn_chain_bad_energy(chain, 0, 0);
    return 1;
}

static size_t run_block(spn_chain *chain, size_t count, spn_gamma_use use)
{
    const on_device *e = (const on_device *)(const void *)chain->energy;
    const bool varies = use == SPN_GAMMA_VARIES;
    const size_t moves = count * chain->streams, tables = varies ? count : 1;
    const size_t costs = tables * table_size(chain);
    spn_train_move *move = spn_alloc(moves, sizeof *move);
    spn_train_taken *taken = spn_alloc(moves, sizeof *taken);
    double *cost = spn_alloc(costs, sizeof *cost);
    uint32_t *rows = spn_alloc(chain->replicas, sizeof *rows);
    spn_error err = {0};
    const bool room = move && taken && cost && rows;
    spn_train_job job = {.flags = chain->two_stage ? SPN_TRAIN_TWO_STAGE : 0,
                         .row = rows,
                         .replicas = chain->replicas,
                         .move = move,
                         .moves = moves,
                         .cost = cost,
                         .costs = costs,
                         .taken = taken};
    if (room) {
        fill_moves(chain, count, varies, move);
        for (size_t j = 0; j < tables; j++)
            fill_costs(chain, j, use, cost + j * table_size(chain));
        pthread_mutex_lock(&e->trainer->lock);
        for (size_t a = 0; a < chain->replicas; a++)
            rows[a] = row_of(e, spn_chain_cache(chain, a))->number;
        pthread_mutex_unlock(&e->trainer->lock);
    }
    const spn_status status =
        room ? do_job(e->trainer, &job, &err) : spn_no_memory(&err, "the work of a device");
    const size_t done = status ? fail_loop(chain, &err) : take_moves(chain, count, &job);
    SPN_FREE_ALL(move, taken, cost, rows);
    return done;
}

/* A drawn centre changes between the proposals of a block, and a schedule may wait for a number of
   accepted moves: then each step goes there by itself. */
static size_t loop(spn_chain *chain, size_t count)
{
    const spn_gamma_use use = spn_chain_gamma_use(chain);
    if (use == SPN_GAMMA_CENTRE)
        return spn_loop_choose(chain, count, 1, (spn_variant){.delta = delta, .commit = commit});
    return run_block(chain, chain->scope < UINT64_MAX ? 1 : count, use);
}

/* ---- creation ---- */

static pthread_mutex_t sharing = PTHREAD_MUTEX_INITIALIZER;
static trainer *shared; /* all that are in use */

static void release(trainer *t)
{
    pthread_mutex_lock(&sharing);
    const bool last = --t->users == 0;
    trainer **at = &shared;
    while (last && *at != t)
        at = &(*at)->next;
    if (last)
        *at = t->next;
    pthread_mutex_unlock(&sharing);
    if (!last)
        return;
    if (t->opened)
        t->library->train_close(t->opened);
    spn_whole_free(t->whole);
    pthread_mutex_destroy(&t->lock);
    pthread_mutex_destroy(&t->comparing);
    SPN_FREE_ALL(t->unused, t);
}

static void destroy(spn_energy *self)
{
    on_device *e = (on_device *)(void *)self;
    trainer *t = e->trainer;
    pthread_mutex_lock(&t->lock);
    for (size_t k = 0; k < e->row_count; k++)
        t->unused[t->unused_count++] = e->rows[k].number;
    pthread_mutex_unlock(&t->lock);
    release(t);
    SPN_FREE_ALL(e->rows, e);
}

static const spn_energy_slots slots = {"softmax",
                                       from_scratch,
                                       attach,
                                       delta,
                                       commit,
                                       .destroy = destroy,
                                       .refresh = refresh,
                                       .loop = loop,
                                       .failure = failure,
                                       .together = 1024};

static uint64_t key_of(const spn_dataset *d, const spn_scaling *scaling,
                       const spn_softmax_options *o, const spn_device_choice *choice)
{
    const size_t stored = spn_dataset_stored(d);
    const struct {
        uint64_t samples, features, stored, copies, classes, number, group, bias;
        double scale;
    } shape = {d->samples,     d->features,   stored,  d->copies,     d->classes,
               choice->number, choice->group, o->bias, o->logit_scale};
    uint64_t key = XXH3_64bits(&shape, sizeof shape);
    key = XXH3_64bits_withSeed(scaling->shift, d->features * sizeof(double), key);
    key = XXH3_64bits_withSeed(scaling->scale, d->features * sizeof(double), key);
    key = XXH3_64bits_withSeed(d->labels, d->samples * sizeof *d->labels, key);
    return XXH3_64bits_withSeed(d->bytes, d->samples * stored, key);
}

static spn_status open_trainer(trainer *t, const spn_dataset *train, const spn_scaling *scaling,
                               const spn_softmax_options *options, const spn_device_choice *choice,
                               spn_error *err)
{
    memcpy(t->name, choice->info.name, sizeof t->name);
    SPN_TRY(spn_device_load(&t->library, err));
    SPN_TRY(spn_whole_create(&t->whole, train, scaling, options, err));
    return t->library->train_open(&t->opened, choice->number, t->whole, choice->group, err);
}

/* The one of these data, or a new one. */
static spn_status take_trainer(trainer **out, const spn_dataset *train, const spn_scaling *scaling,
                               const spn_softmax_options *options, const spn_device_choice *choice,
                               spn_error *err)
{
    const uint64_t key = key_of(train, scaling, options, choice);
    spn_status status = SPN_OK;
    pthread_mutex_lock(&sharing);
    trainer *t = shared;
    while (t && t->key != key)
        t = t->next;
    if (!t && (t = spn_alloc(1, sizeof *t))) {
        pthread_mutex_init(&t->lock, NULL);
        pthread_mutex_init(&t->comparing, NULL);
        t->key = key;
        t->last = &t->first;
        status = open_trainer(t, train, scaling, options, choice, err);
        t->next = shared;
        shared = t;
    } else if (!t) {
        status = spn_no_memory(err, "trainings on a device");
    }
    if (t)
        t->users++;
    pthread_mutex_unlock(&sharing);
    if (status && t) {
        release(t);
        t = NULL;
    }
    *out = t;
    return status;
}

spn_status spn_softmax_on(spn_energy **out, const spn_dataset *train, const spn_scaling *scaling,
                          const spn_softmax_options *given, const spn_device_choice *choice,
                          spn_error *err)
{
    spn_softmax_options options = spn_softmax_options_defaults();
    *out = NULL;
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_softmax_options_defaults", err));
    SPN_REFUSE_IF(!train->bytes || !train->labels || train->weights || options.class_weights, err,
                  "a device trains on labelled bytes without weights");
    on_device *e = spn_alloc(1, sizeof *e);
    SPN_NEED(e, err, "the energy 'softmax'");
    const spn_status status = take_trainer(&e->trainer, train, scaling, &options, choice, err);
    if (status) {
        free(e);
        return status;
    }
    e->base = (spn_energy){.slots = &slots,
                           .sites = e->trainer->whole->base.sites,
                           .accuracy = e->trainer->whole->base.accuracy,
                           .cache_size = sizeof(device_cache)};
    *out = &e->base;
    return SPN_OK;
}

spn_status spn_softmax_on_device(spn_energy **out, const spn_dataset *train,
                                 const spn_scaling *scaling, const spn_softmax_options *options,
                                 const char *device, spn_error *err)
{
    spn_device_choice choice;
    spn_whole *here;
    const bool none = strcmp(device, "auto") == 0 && spn_device_choose(&choice, device, NULL);
    *out = NULL;
    if (none || strcmp(device, "cpu") == 0) {
        SPN_TRY(spn_whole_create(&here, train, scaling, options, err));
        *out = &here->base;
        return SPN_OK;
    }
    SPN_TRY(spn_device_choose(&choice, device, err));
    return spn_softmax_on(out, train, scaling, options, &choice, err);
}

const char *spn_softmax_device(const spn_energy *energy)
{
    return energy->slots == &slots ? ((const on_device *)(const void *)energy)->trainer->name
                                   : NULL;
}
