/* A team of threads. A round is one piece of work; threads take its items from a counter. Round
   and counter are in one word, so that a late thread cannot take items of a later round. */
#include "base/team.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct spn_team {
    _Atomic uint64_t ticket; /* round << 32 | items << 16 | items taken */
    _Atomic size_t done;     /* items of this round */
    spn_team_work *work;     /* of this round */
    void *context;
    _Atomic bool ends;
    _Atomic unsigned sleepers; /* members that sleep */
    _Atomic bool waits;        /* the caller sleeps */
    pthread_mutex_t mutex;
    pthread_cond_t begun, finished;
    unsigned members; /* threads besides the caller's */
    pthread_t threads[];
};

enum { ITEM_BITS = 16, ROUND_SHIFT = 32 };

static uint32_t round_of(uint64_t ticket)
{
    return (uint32_t)(ticket >> ROUND_SHIFT);
}

static size_t items_of(uint64_t ticket)
{
    return (ticket >> ITEM_BITS) & SPN_TEAM_ITEMS;
}

static size_t taken_of(uint64_t ticket)
{
    return ticket & SPN_TEAM_ITEMS;
}

/* Do items of the ticket's round until none is left. The round cannot end while an item is being
   done, so work and context belong to it. */
static void do_items(spn_team *team, uint64_t ticket)
{
    const uint32_t round = round_of(ticket);
    for (;;) {
        if (round_of(ticket) != round || taken_of(ticket) >= items_of(ticket))
            return;
        if (!atomic_compare_exchange_weak(&team->ticket, &ticket, ticket + 1))
            continue;
        team->work(team->context, taken_of(ticket));
        if (atomic_fetch_add(&team->done, 1) + 1 == items_of(ticket) && atomic_load(&team->waits)) {
            pthread_mutex_lock(&team->mutex);
            pthread_cond_signal(&team->finished);
            pthread_mutex_unlock(&team->mutex);
        }
        ticket = atomic_load(&team->ticket);
    }
}

/* Looks before a thread sleeps, about 20 microseconds. */
enum { LOOKS = 1000 };

static void pause_briefly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

static bool is_new(spn_team *team, uint32_t round)
{
    return round_of(atomic_load(&team->ticket)) != round || atomic_load(&team->ends);
}

/* Wait for a round other than this, or the end. */
static void await_round(spn_team *team, uint32_t round)
{
    for (int k = 0; k < LOOKS; k++) {
        if (is_new(team, round))
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while (!is_new(team, round))
        pthread_cond_wait(&team->begun, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
}

static void await_items(spn_team *team, size_t items)
{
    for (int k = 0; k < LOOKS; k++) {
        if (atomic_load(&team->done) == items)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->waits, true);
    while (atomic_load(&team->done) != items)
        pthread_cond_wait(&team->finished, &team->mutex);
    atomic_store(&team->waits, false);
    pthread_mutex_unlock(&team->mutex);
}

static void wake_sleepers(spn_team *team)
{
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->mutex);
}

static void *member(void *context)
{
    spn_team *team = context;
    uint32_t round = 0;
    for (;;) {
        await_round(team, round);
        if (atomic_load(&team->ends))
            return NULL;
        const uint64_t ticket = atomic_load(&team->ticket);
        round = round_of(ticket);
        do_items(team, ticket);
    }
}

void spn_team_begin(spn_team *team, spn_team_work *work, void *context, size_t items)
{
    assert(items > 0 && items <= SPN_TEAM_ITEMS);
    const uint32_t round = round_of(atomic_load(&team->ticket)) + 1;
    const uint64_t ticket = (uint64_t)round << ROUND_SHIFT | (uint64_t)items << ITEM_BITS;
    team->work = work;
    team->context = context;
    atomic_store(&team->done, 0);
    atomic_store(&team->ticket, ticket);
    wake_sleepers(team);
}

void spn_team_finish(spn_team *team)
{
    const uint64_t ticket = atomic_load(&team->ticket);
    do_items(team, ticket);
    await_items(team, items_of(ticket));
}

void spn_team_run(spn_team *team, spn_team_work *work, void *context, size_t items)
{
    for (size_t k = 0; !team && k < items; k++)
        work(context, k);
    if (!team)
        return;
    spn_team_begin(team, work, context, items);
    spn_team_finish(team);
}

unsigned spn_team_threads(const spn_team *team)
{
    return team ? team->members + 1 : 1;
}

/* The caller handles signals. */
static void start_members(spn_team *team, unsigned count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (team->members < count &&
           pthread_create(&team->threads[team->members], NULL, member, team) == 0)
        team->members++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

spn_team *spn_team_create(unsigned threads)
{
    assert(threads >= 2);
    spn_team *team = calloc(1, sizeof *team + (threads - 1) * sizeof *team->threads);
    if (!team)
        return NULL;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->begun, NULL);
    pthread_cond_init(&team->finished, NULL);
    start_members(team, threads - 1);
    if (team->members > 0)
        return team;
    spn_team_free(team);
    return NULL;
}

void spn_team_free(spn_team *team)
{
    if (!team)
        return;
    atomic_store(&team->ends, true);
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->begun);
    pthread_mutex_unlock(&team->mutex);
    for (unsigned k = 0; k < team->members; k++)
        pthread_join(team->threads[k], NULL);
    pthread_cond_destroy(&team->begun);
    pthread_cond_destroy(&team->finished);
    pthread_mutex_destroy(&team->mutex);
    free(team);
}
