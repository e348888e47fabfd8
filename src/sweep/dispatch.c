/* Hand out the jobs of a sweep to ranks: rank 0 leads, the others follow. */
#include "base/clock.h"
#include "base/memory.h"
#include "sweep/running.h"

#include <math.h>
#include <stdlib.h>

typedef struct leader {
    const spn_dispatch *dispatch;
    spn_sweep_outcome *out;
    spn_status status;  /* status of a job that failed in another rank, */
    spn_error *err;     /* and why */
    size_t count, next; /* ranks; place in the agenda */
    /* Last report of each rank; the first is unused. idle: the rank has ended. */
    spn_pool_progress *others;
    bool stopping, told;
    double started, shown;
    spn_rate rate;
} leader;

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

static void hear(leader *lead, const spn_rank_message *message, size_t from)
{
    spn_pool_progress *rank = &lead->others[from];
    if (message->kind == SPN_RANK_ENDED) {
        rank->idle = true;
        if (!lead->status && message->status)
            lead->status = spn_fail(lead->err, message->status, "%s", message->text);
        lead->stopping = lead->stopping || message->status;
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
        lead->out->stopped = true;
}

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
    if (!lead->dispatch->options->observer || (!last && now - lead->shown < every))
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
    lead->dispatch->options->observer(lead->dispatch->options->observer_context, &progress);
}

static void tell_to_stop(leader *lead)
{
    const spn_rank_message message = {.kind = SPN_RANK_STOP};
    lead->told = true;
    spn_pool_stop(lead->dispatch->pool);
    for (size_t rank = 1; rank < lead->count; rank++)
        if (!lead->others[rank].idle)
            spn_ranks_send(lead->dispatch->ranks, rank, &message);
}

static void run(leader *lead)
{
    const spn_dispatch *dispatch = lead->dispatch;
    const spn_agenda *agenda = dispatch->agenda;
    const double pause = lead->count > 1 ? 0.002 : 0.1; /* messages do not wake the thread */
    spn_rank_message message;
    spn_pool_progress own;
    for (size_t from;;) {
        while (spn_ranks_receive(dispatch->ranks, &message, &from))
            hear(lead, &message, from);
        if (spn_stop_asked(dispatch->options->stop))
            lead->stopping = lead->out->stopped = true;
        if (lead->stopping && !lead->told)
            tell_to_stop(lead);
        for (size_t wants = spn_pool_wants(dispatch->pool);
             wants > 0 && !lead->stopping && lead->next < agenda->pending; wants--) {
            const spn_agenda_job *job = &agenda->jobs[lead->next++];
            spn_pool_give(dispatch->pool, job->index, job->cost);
        }
        own = spn_pool_watch(dispatch->pool);
        lead->stopping = lead->stopping || own.stopped;
        bool over = own.idle && (lead->stopping || lead->next == agenda->pending);
        for (size_t rank = 1; rank < lead->count; rank++)
            over = over && lead->others[rank].idle;
        if (over)
            break;
        observe(lead, &own, false);
        spn_pool_wait(dispatch->pool, pause);
    }
    observe(lead, &own, true);
    lead->out->now = own.finished;
    for (size_t rank = 1; rank < lead->count; rank++)
        lead->out->now += lead->others[rank].finished;
}

spn_status spn_dispatch_lead(spn_sweep_outcome *out, const spn_dispatch *dispatch, spn_error *err)
{
    const double now = spn_clock();
    leader lead = {.dispatch = dispatch,
                   .out = out,
                   .err = err,
                   .count = spn_ranks_count(dispatch->ranks),
                   .started = now,
                   .rate = {.resumed = dispatch->resumed}};
    lead.others = spn_alloc(lead.count, sizeof *lead.others);
    SPN_NEED(lead.others, err, "%zu ranks", lead.count);
    run(&lead);
    free(lead.others);
    return lead.status;
}

typedef struct follower {
    const spn_dispatch *dispatch;
    size_t asked; /* requests without an answer so far */
    bool no_more, stopping;
    double told; /* when rank 0 last got our progress */
    spn_status status;
    spn_error *err;
} follower;

static void say(follower *follow, spn_rank_message_kind kind)
{
    const spn_pool_progress own = spn_pool_watch(follow->dispatch->pool);
    const spn_rank_message message = {
        .kind = kind, .finished = own.finished, .running = own.running, .cost = own.cost};
    follow->told = spn_clock();
    spn_ranks_send(follow->dispatch->ranks, 0, &message);
}

static void stop(follower *follow, spn_rank_message_kind kind)
{
    if (follow->stopping)
        return;
    follow->stopping = true;
    spn_pool_stop(follow->dispatch->pool);
    if (kind != SPN_RANK_STOP) /* which came from rank 0 */
        say(follow, kind);
}

/* Ranks that read different files must not mix their runs. */
static spn_status check_key(const spn_dispatch *dispatch, const spn_rank_message *message,
                            spn_error *err)
{
    spn_job job = {0};
    spn_status status = SPN_OK;
    if (message->job < spn_sweep_jobs(dispatch->sweep))
        status = spn_sweep_job(&job, dispatch->sweep, message->job, err);
    if (!status && job.key != message->key)
        status = spn_fail(err, SPN_ERROR_INPUT,
                          "rank %zu has another specification than rank 0; give all of them the "
                          "same file",
                          spn_ranks_rank(dispatch->ranks));
    spn_job_clear(&job);
    return status;
}

static void take(follower *follow, const spn_rank_message *message)
{
    if (follow->stopping) /* rank 0 stops, too */
        return;
    follow->status = check_key(follow->dispatch, message, follow->err);
    if (follow->status)
        stop(follow, SPN_RANK_FAILED);
    else
        spn_pool_give(follow->dispatch->pool, message->job, message->cost);
}

static void hear_lead(follower *follow)
{
    spn_rank_message message;
    size_t from;
    while (spn_ranks_receive(follow->dispatch->ranks, &message, &from)) {
        follow->asked -= message.kind == SPN_RANK_JOB || message.kind == SPN_RANK_NONE;
        if (message.kind == SPN_RANK_JOB)
            take(follow, &message);
        if (message.kind == SPN_RANK_NONE)
            follow->no_more = true;
        if (message.kind == SPN_RANK_STOP)
            stop(follow, SPN_RANK_STOP);
    }
}

spn_status spn_dispatch_follow(const spn_dispatch *dispatch, spn_error *err)
{
    const double pause = 0.002, every = 0.2;
    follower follow = {.dispatch = dispatch, .err = err};
    for (;;) {
        hear_lead(&follow);
        if (spn_stop_asked(dispatch->options->stop))
            stop(&follow, SPN_RANK_STOPPED);
        const spn_pool_progress own = spn_pool_watch(dispatch->pool);
        if (own.stopped)
            stop(&follow, SPN_RANK_FAILED);
        if (own.idle && follow.asked == 0 && (follow.stopping || follow.no_more))
            break;
        const size_t wants = spn_pool_wants(dispatch->pool);
        for (; !follow.stopping && !follow.no_more && follow.asked < wants; follow.asked++)
            say(&follow, SPN_RANK_WANT);
        if (spn_clock() - follow.told > every)
            say(&follow, SPN_RANK_PROGRESS);
        spn_pool_wait(dispatch->pool, pause);
    }
    say(&follow, SPN_RANK_PROGRESS); /* the final numbers */
    return follow.status;
}

void spn_dispatch_say_ended(spn_ranks *ranks, spn_status status, const spn_error *err)
{
    spn_rank_message message = {.kind = SPN_RANK_ENDED, .status = status};
    if (status)
        snprintf(message.text, sizeof message.text, "%s", err->text);
    spn_ranks_send(ranks, 0, &message);
}
