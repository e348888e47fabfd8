/* Taking the jobs of a sweep, as a rank that is not 0. */
#include "sweep/dispatch.h"

#include "base/clock.h"
#include "sweep/jobs.h"

#include <stdio.h>
#include <string.h>

typedef struct follower {
    const spn_dispatch *dispatch;
    size_t asked; /* for jobs, without an answer so far */
    bool no_more, stopping;
    double told; /* when rank 0 last heard how far we are */
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
    if (follow->stopping) /* nobody will miss it: rank 0 stops too */
        return;
    follow->status = check_key(follow->dispatch, message, follow->err);
    if (follow->status)
        stop(follow, SPN_RANK_FAILED);
    else
        spn_pool_give(follow->dispatch->pool, message->job, message->cost);
}

static void hear_all(follower *follow)
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

static void ask(follower *follow)
{
    const size_t wants = spn_pool_wants(follow->dispatch->pool);
    while (!follow->stopping && !follow->no_more && follow->asked < wants) {
        follow->asked++;
        say(follow, SPN_RANK_WANT);
    }
}

spn_status spn_dispatch_follow(const spn_dispatch *dispatch, spn_error *err)
{
    const double pause = 0.002, every = 0.2;
    follower follow = {.dispatch = dispatch, .err = err};
    for (;;) {
        hear_all(&follow);
        if (spn_stop_asked(dispatch->stop))
            stop(&follow, SPN_RANK_STOPPED);
        const spn_pool_progress own = spn_pool_watch(dispatch->pool);
        if (own.stopped)
            stop(&follow, SPN_RANK_FAILED);
        if (own.idle && follow.asked == 0 && (follow.stopping || follow.no_more))
            break;
        ask(&follow);
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
