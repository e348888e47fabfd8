/* Dispatching the jobs of a sweep, as rank 0. */
#include "sweep/dispatch.h"

#include "base/clock.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Another rank, as far as it has told. */
typedef struct other {
    size_t finished, running;
    double cost;
    bool ended;
} other;

typedef struct leader {
    const spn_dispatch *dispatch;
    spn_dispatch_result *result;
    size_t count, next; /* ranks; place in the agenda */
    other *others;      /* by rank; the first is not used */
    bool stopping, told;
    double started, shown;
    spn_rate rate;
} leader;

/* ---- the other ranks ---- */

static void answer(leader *lead, size_t rank)
{
    const spn_agenda *agenda = lead->dispatch->agenda;
    spn_rank_message message = {.kind = SPN_RANK_NONE};
    if (!lead->stopping && lead->next < agenda->pending) {
        const spn_agenda_job *job = &agenda->jobs[lead->next++];
        message = (spn_rank_message){.kind = SPN_RANK_JOB,
                                     .job = job->index,
                                     .key = agenda->keys[job->index],
                                     .cost = job->cost};
    }
    spn_ranks_send(lead->dispatch->ranks, rank, &message);
}

static void hear_end(leader *lead, const spn_rank_message *message)
{
    if (message->status && !lead->result->status) {
        lead->result->status = lead->result->error.status = message->status;
        memcpy(lead->result->error.text, message->text, sizeof message->text);
    }
    lead->stopping = lead->stopping || message->status;
}

static void hear(leader *lead, const spn_rank_message *message, size_t from)
{
    other *rank = &lead->others[from];
    if (message->kind == SPN_RANK_ENDED) {
        rank->ended = true;
        hear_end(lead, message);
        return;
    }
    rank->finished = message->finished;
    rank->running = message->running;
    rank->cost = message->cost;
    if (message->kind == SPN_RANK_WANT)
        answer(lead, from);
    if (message->kind == SPN_RANK_STOPPED || message->kind == SPN_RANK_FAILED)
        lead->stopping = true;
    if (message->kind == SPN_RANK_STOPPED)
        lead->result->stopped = true;
}

static void hear_all(leader *lead)
{
    spn_rank_message message;
    size_t from;
    while (spn_ranks_receive(lead->dispatch->ranks, &message, &from))
        hear(lead, &message, from);
}

static bool all_ended(const leader *lead)
{
    for (size_t rank = 1; rank < lead->count; rank++)
        if (!lead->others[rank].ended)
            return false;
    return true;
}

static void tell_to_stop(leader *lead)
{
    const spn_rank_message message = {.kind = SPN_RANK_STOP};
    lead->told = true;
    spn_pool_stop(lead->dispatch->pool);
    for (size_t rank = 1; rank < lead->count; rank++)
        if (!lead->others[rank].ended)
            spn_ranks_send(lead->dispatch->ranks, rank, &message);
}

/* ---- progress ---- */

double spn_rate_left(spn_rate *rate, double seconds, double share)
{
    const double settled = 1, enough = 0.05;
    if (seconds < settled) {
        rate->time = seconds;
        rate->share = share;
    }
    const double measured = seconds - rate->time, gained = share - rate->share;
    if (measured >= settled && gained > 0)
        return measured * (1 - share) / gained;
    return !rate->resumed && share >= enough ? seconds * (1 - share) / share : NAN;
}

static void observe(leader *lead, const spn_pool_progress *own, bool last)
{
    const spn_agenda *agenda = lead->dispatch->agenda;
    const double now = spn_clock(), every = 0.1;
    if (!lead->dispatch->observer || (!last && now - lead->shown < every))
        return;
    lead->shown = now;
    double cost = own->cost;
    spn_sweep_progress progress = {.jobs = agenda->mine,
                                   .finished = agenda->before + own->finished,
                                   .running = own->running,
                                   .seconds = now - lead->started};
    for (size_t rank = 1; rank < lead->count; rank++) {
        progress.finished += lead->others[rank].finished;
        progress.running += lead->others[rank].running;
        cost += lead->others[rank].cost;
    }
    progress.share = agenda->cost > 0 ? fmin(cost / agenda->cost, 1) : 1;
    progress.seconds_left = spn_rate_left(&lead->rate, progress.seconds, progress.share);
    lead->dispatch->observer(lead->dispatch->observer_context, &progress);
}

/* ---- all of it ---- */

static void give_jobs(leader *lead)
{
    const spn_agenda *agenda = lead->dispatch->agenda;
    for (size_t wants = spn_pool_wants(lead->dispatch->pool);
         wants > 0 && !lead->stopping && lead->next < agenda->pending; wants--) {
        const spn_agenda_job *job = &agenda->jobs[lead->next++];
        spn_pool_give(lead->dispatch->pool, job->index, job->cost);
    }
}

static void run(leader *lead)
{
    const spn_dispatch *dispatch = lead->dispatch;
    const double pause = lead->count > 1 ? 0.002 : 0.1; /* messages do not wake anybody up */
    spn_pool_progress own;
    for (;;) {
        hear_all(lead);
        if (spn_stop_asked(dispatch->stop))
            lead->stopping = lead->result->stopped = true;
        if (lead->stopping && !lead->told)
            tell_to_stop(lead);
        give_jobs(lead);
        own = spn_pool_watch(dispatch->pool);
        lead->stopping = lead->stopping || own.stopped;
        const bool no_more = lead->stopping || lead->next == dispatch->agenda->pending;
        if (own.idle && no_more && all_ended(lead))
            break;
        observe(lead, &own, false);
        spn_pool_wait(dispatch->pool, pause);
    }
    observe(lead, &own, true);
    lead->result->finished = own.finished;
    for (size_t rank = 1; rank < lead->count; rank++)
        lead->result->finished += lead->others[rank].finished;
}

spn_status spn_dispatch_lead(spn_dispatch_result *out, const spn_dispatch *dispatch, spn_error *err)
{
    const double now = spn_clock();
    leader lead = {.dispatch = dispatch,
                   .result = out,
                   .count = spn_ranks_count(dispatch->ranks),
                   .started = now,
                   .rate = {.resumed = dispatch->resumed}};
    *out = (spn_dispatch_result){0};
    lead.others = spn_alloc(lead.count, sizeof *lead.others);
    if (!lead.others)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu ranks", lead.count);
    run(&lead);
    free(lead.others);
    return SPN_OK;
}
