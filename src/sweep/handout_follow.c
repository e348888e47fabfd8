/* Taking the jobs of a sweep, as a rank that is not 0. */
#include "sweep/handout.h"

#include "base/clock.h"
#include "base/stop.h"
#include <stdio.h>
#include <string.h>

typedef struct follower {
    const spn_handout *handout;
    size_t asked; /* for jobs, without an answer so far */
    bool no_more, stopping;
    double told; /* when rank 0 last heard how far we are */
    spn_status status;
    spn_error *err;
} follower;

static void say(follower *follow, spn_message_kind kind)
{
    const spn_pool_progress own = spn_pool_look(follow->handout->pool);
    const spn_message message = {
        .kind = kind, .finished = own.finished, .running = own.running, .cost = own.cost};
    follow->told = spn_clock();
    spn_ranks_send(follow->handout->ranks, 0, &message);
}

static void stop(follower *follow, spn_message_kind kind)
{
    if (follow->stopping)
        return;
    follow->stopping = true;
    spn_pool_stop(follow->handout->pool);
    if (kind != SPN_MESSAGE_STOP) /* which came from rank 0 */
        say(follow, kind);
}

/* Ranks that read different files must not mix their runs. */
static spn_status check_key(const spn_handout *handout, const spn_message *message, spn_error *err)
{
    xpn_job job = {0};
    spn_status status = SPN_OK;
    if (message->job < spn_sweep_jobs(handout->sweep))
        status = xpn_job_make(&job, handout->sweep, message->job, err);
    if (!status && job.key != message->key)
        status = spn_fail(err, SPN_ERROR_INPUT,
                          "rank %zu has another specification than rank 0; give all of them the "
                          "same file",
                          spn_ranks_rank(handout->ranks));
    xpn_job_clear(&job);
    return status;
}

static void take(follower *follow, const spn_message *message)
{
    if (follow->stopping) /* nobody will miss it: rank 0 stops too */
        return;
    follow->status = check_key(follow->handout, message, follow->err);
    if (follow->status)
        stop(follow, SPN_MESSAGE_FAILED);
    else
        spn_pool_give(follow->handout->pool, message->job, message->cost);
}

static void hear_all(follower *follow)
{
    spn_message message;
    size_t from;
    while (spn_ranks_receive(follow->handout->ranks, &message, &from)) {
        follow->asked -= message.kind == SPN_MESSAGE_JOB || message.kind == SPN_MESSAGE_NONE;
        if (message.kind == SPN_MESSAGE_JOB)
            take(follow, &message);
        if (message.kind == SPN_MESSAGE_NONE)
            follow->no_more = true;
        if (message.kind == SPN_MESSAGE_STOP)
            stop(follow, SPN_MESSAGE_STOP);
    }
}

static void ask(follower *follow)
{
    const size_t wants = spn_pool_wants(follow->handout->pool);
    while (!follow->stopping && !follow->no_more && follow->asked < wants) {
        follow->asked++;
        say(follow, SPN_MESSAGE_WANT);
    }
}

spn_status spn_handout_follow(const spn_handout *handout, spn_error *err)
{
    const double pause = 0.002, every = 0.2;
    follower follow = {.handout = handout, .err = err};
    for (;;) {
        hear_all(&follow);
        if (spn_stop_asked(handout->stop))
            stop(&follow, SPN_MESSAGE_STOPPED);
        const spn_pool_progress own = spn_pool_look(handout->pool);
        if (own.stopped)
            stop(&follow, SPN_MESSAGE_FAILED);
        if (own.idle && follow.asked == 0 && (follow.stopping || follow.no_more))
            break;
        ask(&follow);
        if (spn_clock() - follow.told > every)
            say(&follow, SPN_MESSAGE_PROGRESS);
        spn_pool_wait(handout->pool, pause);
    }
    say(&follow, SPN_MESSAGE_PROGRESS); /* the final numbers */
    return follow.status;
}

void spn_handout_say_ended(spn_ranks *ranks, spn_status status, const spn_error *err)
{
    spn_message message = {.kind = SPN_MESSAGE_ENDED, .status = status};
    if (status)
        snprintf(message.text, sizeof message.text, "%s", err->text);
    spn_ranks_send(ranks, 0, &message);
}
