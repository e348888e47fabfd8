/* Schedules cut into stages of constant beta and gamma. */
#include "base/memory.h"
#include "base/try.h"
#include "core/schedule.h"

#include <math.h>
#include <spinney/theorems.h>
#include <stdlib.h>

/* The number of steps from t on in which a schedule keeps its value. */
static uint64_t steps_left(const spn_schedule *s, uint64_t t, uint64_t steps)
{
    const spn_schedule_change changes = spn_schedule_traits_of(s->kind)->changes;
    if (changes == SPN_CHANGES_NEVER)
        return steps;
    if (changes != SPN_CHANGES_BY_PIECES)
        return 1;
    for (size_t n = 0; n + 1 < s->count; n++) {
        if (t < s->pieces[n].steps)
            return s->pieces[n].steps - t;
        t -= s->pieces[n].steps;
    }
    return steps;
}

static bool add_stage(spn_stages *s, size_t *room, double beta, double gamma, uint64_t steps)
{
    if (s->count == *room) {
        const size_t more = *room ? 2 * *room : 64;
        spn_piece *pieces = realloc(s->beta, more * sizeof *pieces);
        if (!pieces)
            return false;
        s->beta = pieces;
        double *gammas = realloc(s->gamma, more * sizeof *gammas);
        if (!gammas)
            return false;
        s->gamma = gammas;
        *room = more;
    }
    s->gamma_changes = s->gamma_changes || (s->count && gamma != s->gamma[0]);
    s->gamma[s->count] = gamma;
    s->beta[s->count++] = (spn_piece){beta, steps};
    s->steps += steps;
    return true;
}

static spn_status cut(spn_stages *s, const spn_schedule *beta, const spn_schedule *gamma,
                      uint64_t steps, spn_error *err)
{
    size_t room = 0;
    for (uint64_t t = 0; t < steps;) {
        const uint64_t first = steps_left(beta, t, steps), second = steps_left(gamma, t, steps);
        uint64_t length = first < second ? first : second;
        length = length < steps - t ? length : steps - t;
        if (s->count == SPN_STAGES_MOST)
            return spn_refuse(err, "more than %d stages of constant beta and gamma",
                              SPN_STAGES_MOST);
        if (!add_stage(s, &room, spn_schedule_value(beta, t, steps, 0, 1),
                       spn_schedule_value(gamma, t, steps, 0, 1), length))
            return spn_no_memory(err, "the stages of a schedule");
        t += length;
    }
    return SPN_OK;
}

static spn_status check(const spn_schedule *schedule, const char *name, bool is_beta,
                        uint64_t steps, spn_error *err)
{
    if (spn_schedule_traits_of(schedule->kind)->changes == SPN_CHANGES_BY_ACCEPTANCE)
        return spn_refuse(err,
                          "%s: scoping depends on what is accepted, so that the chain has no law "
                          "of its own at each step",
                          name);
    return spn_schedule_check(schedule, name, is_beta, steps, err);
}

spn_status spn_stages_create(spn_stages **out, const spn_schedule *beta, const spn_schedule *gamma,
                             uint64_t steps, spn_error *err)
{
    *out = NULL;
    SPN_TRY(check(beta, "beta", true, steps, err));
    SPN_TRY(check(gamma, "gamma", false, steps, err));
    spn_stages *s = spn_alloc(1, sizeof *s);
    if (!s)
        return spn_no_memory(err, "the stages of a schedule");
    spn_status status = cut(s, beta, gamma, steps, err);
    if (status)
        spn_stages_free(s);
    else
        *out = s;
    return status;
}

void spn_stages_free(spn_stages *stages)
{
    if (!stages)
        return;
    SPN_FREE_ALL(stages->beta, stages->gamma, stages);
}

spn_status spn_stages_gamma(spn_schedule **out, const spn_schedule *beta, double start, double step,
                            spn_error *err)
{
    *out = NULL;
    if (!(start >= 0) || !(step >= 0) || isinf(start) || isinf(step))
        return spn_refuse(err,
                          "gamma by stages starts at %g and grows by %g; both must be 0 or more",
                          start, step);
    if (beta->kind != SPN_SCHEDULE_PIECES)
        return spn_refuse(err, "stages of gamma need a schedule in pieces");
    const spn_status status = spn_schedule_pieces(out, beta->pieces, beta->count, err);
    for (size_t n = 0; !status && n < beta->count; n++)
        (*out)->pieces[n].value = start + step * (double)n;
    return status;
}

double spn_stages_operations(const spn_stages *stages, size_t bits)
{
    const double states = pow(2.0, (double)bits);
    double total = 0;
    for (size_t n = 0; n < stages->count; n++) {
        const double steps = (double)stages->beta[n].steps;
        double stage = steps * (double)bits * states;
        if (bits <= 10)
            stage = fmin(stage, pow(states, 3) * 2 * (log2(steps) + 1));
        total += stage;
    }
    return total;
}
