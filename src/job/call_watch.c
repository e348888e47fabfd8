/* What a watcher of a call is told, and when. */
#include "job/call.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

struct spn_moment {
    const spn_run_progress *progress;
    const spn_snapshot *state;  /* of the chain, or of a ladder's last rung; NULL: not known */
    bool fixed;                 /* one of the fixed steps */
    double proposals, accepted; /* of all replicas so far */
    double past_proposals, past_accepted; /* when the watcher was told last */
};

static double total(const uint64_t *counts, size_t replicas)
{
    double sum = 0;
    for (size_t a = 0; a < replicas; a++)
        sum += (double)counts[a];
    return sum;
}

/* The chain, or the last rung of a ladder; NULL: neither is known. */
static const spn_snapshot *state_of(const spn_run_progress *progress)
{
    return progress->snapshot ? progress->snapshot : progress->coldest;
}

/* ---- when ---- */

/* Whether this is one of the fixed steps, of which the watcher is told once: the same step may be
   seen twice. */
static bool is_fixed(const spn_call_watching *w, const spn_run_progress *progress)
{
    const spn_snapshot *s = state_of(progress);
    return progress->fixed && !(s && s->step == w->told_step);
}

void spn_call_progress(void *context, const spn_run_progress *progress)
{
    const double tick = 0.1;
    spn_call *call = context;
    spn_call_watching *w = &call->watching;
    const spn_snapshot *s = progress->snapshot;
    const bool fixed = is_fixed(w, progress);
    w->done = progress->done;
    if ((!fixed && spn_clock() - w->told < tick) || spn_stop_asked(&call->stop))
        return;
    const spn_moment moment = {.progress = progress,
                               .state = state_of(progress),
                               .fixed = fixed,
                               .proposals = s ? total(s->proposals, s->replicas) : 0,
                               .accepted = s ? total(s->accepted, s->replicas) : 0,
                               .past_proposals = w->proposals,
                               .past_accepted = w->accepted};
    if (w->tell(w->context, &moment) != 0)
        spn_stop_ask(&call->stop);
    w->told = spn_clock();
    w->told_step = fixed && moment.state ? moment.state->step : w->told_step;
    w->proposals = moment.proposals;
    w->accepted = moment.accepted;
}

void spn_call_pause(void *context)
{
    const spn_call *call = context;
    spn_call_progress(context, &(spn_run_progress){.done = call->watching.done});
}

/* ---- what ---- */

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += values[k];
    return sum / (double)count;
}

static double least(const double *values, size_t count)
{
    double low = values[0];
    for (size_t k = 1; k < count; k++)
        low = fmin(low, values[k]);
    return low;
}

static double energy_of(const spn_moment *m)
{
    return mean(m->state->energy, m->state->replicas);
}

static double best_energy_of(const spn_moment *m)
{
    if (!m->progress->snapshot)
        return m->progress->best_energy;
    return least(m->state->best_energy, m->state->replicas);
}

static double overlap_of(const spn_moment *m)
{
    return spn_snapshot_overlap(m->state);
}

static double step_of(const spn_moment *m)
{
    return (double)m->state->step;
}

static double beta_of(const spn_moment *m)
{
    return m->state->beta;
}

static double gamma_of(const spn_moment *m)
{
    return m->state->gamma;
}

static double acceptance_of(const spn_moment *m)
{
    const double made = m->proposals - m->past_proposals;
    return made > 0 ? (m->accepted - m->past_accepted) / made : NAN;
}

double spn_moment_number(const spn_moment *moment, const char *name)
{
    static const struct {
        const char *name;
        double (*value)(const spn_moment *moment);
    } of_chains[] = {{"step", step_of},
                     {"beta", beta_of},
                     {"gamma", gamma_of},
                     {"energy", energy_of},
                     {"best_energy", best_energy_of},
                     {"overlap", overlap_of},
                     {"acceptance", acceptance_of}};
    const spn_run_progress *p = moment->progress;
    if (strcmp(name, "done") == 0)
        return p->done;
    if (strcmp(name, "at") == 0)
        return moment->fixed;
    if (strcmp(name, "proposals") == 0)
        return p->snapshot ? moment->proposals : p->proposals > 0 ? p->proposals : NAN;
    for (size_t k = 0; moment->state && k < sizeof of_chains / sizeof *of_chains; k++)
        if (strcmp(name, of_chains[k].name) == 0)
            return of_chains[k].value(moment);
    return NAN;
}

const char *spn_moment_words(const spn_moment *moment)
{
    return moment->progress->words;
}

const int8_t *spn_moment_spins(const spn_moment *moment, size_t *replicas, size_t *sites)
{
    const spn_snapshot *s = moment->state;
    *replicas = s ? s->replicas : 0;
    *sites = s ? s->sites : 0;
    return s ? s->spins : NULL;
}

const double *spn_moment_energies(const spn_moment *moment, size_t *replicas)
{
    const spn_snapshot *s = moment->state;
    *replicas = s ? s->replicas : 0;
    return s ? s->energy : NULL;
}
