/* Handing out the jobs of a sweep, as rank 0. */
#include "sweep/handout.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "sweep/rate.h"
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
    const spn_handout *handout;
    spn_handout_result *result;
    size_t count, next; /* ranks; place in the agenda */
    other *others;      /* by rank; the first is not used */
    bool stopping, told;
    double started, shown;
    spn_rate rate;
} leader;

/* ---- the other ranks ---- */

static void answer(leader *lead, size_t rank)
{
    const spn_agenda *agenda = lead->handout->agenda;
    spn_message message = {.kind = SPN_MESSAGE_NONE};
    if (!lead->stopping && lead->next < agenda->pending) {
        const spn_agenda_job *job = &agenda->jobs[lead->next++];
        message = (spn_message){.kind = SPN_MESSAGE_JOB,
                                .job = job->index,
                                .key = agenda->keys[job->index],
                                .cost = job->cost};
    }
    spn_ranks_send(lead->handout->ranks, rank, &message);
}

static void hear_end(leader *lead, const spn_message *message)
{
    if (message->status && !lead->result->status) {
        lead->result->status = lead->result->error.status = message->status;
        memcpy(lead->result->error.text, message->text, sizeof message->text);
    }
    lead->stopping = lead->stopping || message->status;
}

static void hear(leader *lead, const spn_message *message, size_t from)
{
    other *rank = &lead->others[from];
    if (message->kind == SPN_MESSAGE_ENDED) {
        rank->ended = true;
        hear_end(lead, message);
        return;
    }
    rank->finished = message->finished;
    rank->running = message->running;
    rank->cost = message->cost;
    if (message->kind == SPN_MESSAGE_WANT)
        answer(lead, from);
    if (message->kind == SPN_MESSAGE_STOPPED || message->kind == SPN_MESSAGE_FAILED)
        lead->stopping = true;
    if (message->kind == SPN_MESSAGE_STOPPED)
        lead->result->stopped = true;
}

static void hear_all(leader *lead)
{
    spn_message message;
    size_t from;
    while (spn_ranks_receive(lead->handout->ranks, &message, &from))
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
    const spn_message message = {.kind = SPN_MESSAGE_STOP};
    lead->told = true;
    spn_pool_stop(lead->handout->pool);
    for (size_t rank = 1; rank < lead->count; rank++)
        if (!lead->others[rank].ended)
            spn_ranks_send(lead->handout->ranks, rank, &message);
}

/* ---- progress ---- */

static void observe(leader *lead, const spn_pool_progress *own, bool last)
{
    const spn_agenda *agenda = lead->handout->agenda;
    const double now = spn_clock(), every = 0.1;
    if (!lead->handout->observer || (!last && now - lead->shown < every))
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
    lead->handout->observer(lead->handout->observer_context, &progress);
}

/* ---- all of it ---- */

static void give_jobs(leader *lead)
{
    const spn_agenda *agenda = lead->handout->agenda;
    for (size_t wants = spn_pool_wants(lead->handout->pool);
         wants > 0 && !lead->stopping && lead->next < agenda->pending; wants--) {
        const spn_agenda_job *job = &agenda->jobs[lead->next++];
        spn_pool_give(lead->handout->pool, job->index, job->cost);
    }
}

static void run(leader *lead)
{
    const spn_handout *handout = lead->handout;
    const double pause = lead->count > 1 ? 0.002 : 0.1; /* messages do not wake anybody up */
    spn_pool_progress own;
    for (;;) {
        hear_all(lead);
        if (spn_stop_asked(handout->stop))
            lead->stopping = lead->result->stopped = true;
        if (lead->stopping && !lead->told)
            tell_to_stop(lead);
        give_jobs(lead);
        own = spn_pool_look(handout->pool);
        lead->stopping = lead->stopping || own.stopped;
        const bool no_more = lead->stopping || lead->next == handout->agenda->pending;
        if (own.idle && no_more && all_ended(lead))
            break;
        observe(lead, &own, false);
        spn_pool_wait(handout->pool, pause);
    }
    observe(lead, &own, true);
    lead->result->finished = own.finished;
    for (size_t rank = 1; rank < lead->count; rank++)
        lead->result->finished += lead->others[rank].finished;
}

spn_status spn_handout_lead(spn_handout_result *out, const spn_handout *handout, spn_error *err)
{
    const double now = spn_clock();
    leader lead = {.handout = handout,
                   .result = out,
                   .count = spn_ranks_count(handout->ranks),
                   .started = now,
                   .rate = {.resumed = handout->resumed}};
    *out = (spn_handout_result){0};
    lead.others = spn_alloc(lead.count, sizeof *lead.others);
    if (!lead.others)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu ranks", lead.count);
    run(&lead);
    free(lead.others);
    return SPN_OK;
}
