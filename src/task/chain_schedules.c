/* Settings of the chain: the schedules of beta and gamma, and the number of steps. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "record/record.h"
#include "task/chain.h"

#include <inttypes.h>
#include <string.h>

/* ---- settings to name in errors ---- */

static const char *first_given(const spn_job *job, const char *const *names)
{
    while (names[1] && !spn_job_given(job, names[0]))
        names++;
    return names[0];
}

static const char *blame_for_beta(const spn_job *job)
{
    static const char *const names[] = {"beta-end", "beta-start", "beta", "schedule", NULL};
    return first_given(job, names);
}

static const char *blame_for_gamma(const spn_job *job)
{
    static const char *const names[] = {"gamma", "gamma-schedule", NULL};
    return first_given(job, names);
}

/* ---- schedules ---- */

static bool ends_given(const spn_job *job)
{
    return spn_job_given(job, "beta-start") || spn_job_given(job, "beta-end");
}

static bool is_auto(const char *beta)
{
    return strncmp(beta, "auto", 4) == 0 && (!beta[4] || beta[4] == ':');
}

/* auto, or auto:HOT:COLD. */
static spn_status read_acceptances(spn_chain_plan *out, const char *beta, spn_error *err)
{
    const char *hot = strchr(beta, ':'), *cold = hot ? strchr(hot + 1, ':') : NULL;
    double shares[2] = {SPN_BETA_HOT, SPN_BETA_COLD};
    if (hot) {
        if (!cold || !spn_number_parse_part(&shares[0], hot + 1, (size_t)(cold - hot - 1)) ||
            !spn_number_parse(&shares[1], cold + 1) ||
            !(shares[0] < 1 && shares[0] > shares[1] && shares[1] > 0))
            return spn_setting_fail(
                "beta", err, "'%.60s' is not auto or auto:HOT:COLD with 1 > HOT > COLD > 0", beta);
    }
    out->choice.hot = shares[0];
    out->choice.cold = shares[1];
    return SPN_OK;
}

enum { END_TEXT = 128 };

/* Split `beta` at its colon into two ends; `beta-start` and `beta-end` replace them. Ends that the
   energy decides get placeholders in increasing order. */
static spn_status read_ends(char start[END_TEXT], char end[END_TEXT], const spn_chain_plan *plan,
                            const spn_job *job, spn_error *err)
{
    const char *first = spn_job_given(job, "beta-start"), *last = spn_job_given(job, "beta-end");
    const char *beta = spn_job_text(job, "beta");
    const size_t colon = strcspn(beta, ":");
    double other = 1;
    if (strlen(beta) >= END_TEXT)
        return spn_setting_fail(blame_for_beta(job), err, "is too long");
    spn_take_text(start, END_TEXT, first ? first : beta, first ? SIZE_MAX : colon);
    spn_take_text(end, END_TEXT, last ? last : beta[colon] ? beta + colon + 1 : beta, SIZE_MAX);
    if (plan->choice.start && plan->choice.end) {
        snprintf(start, END_TEXT, "1");
        snprintf(end, END_TEXT, "2");
    } else if (plan->choice.start) {
        snprintf(start, END_TEXT, "%s", spn_number_parse(&other, end) && other > 0 ? end : "1");
    } else if (plan->choice.end) {
        snprintf(end, END_TEXT, "%s", spn_number_parse(&other, start) && other > 0 ? start : "1");
    }
    return SPN_OK;
}

/* If the values are fine without the kind, the error names the kind. */
static spn_status read_schedule(spn_schedule **out, const char *values, const char *kind,
                                const char *values_setting, const char *kind_setting,
                                spn_error *err)
{
    spn_error why = {0};
    spn_schedule *plain = NULL;
    if (spn_schedule_parse(out, values, kind, &why) == SPN_OK)
        return SPN_OK;
    const bool kind_is_wrong = kind && spn_schedule_parse(&plain, values, NULL, NULL) == SPN_OK;
    spn_schedule_free(plain);
    return spn_setting_blame(kind_is_wrong ? kind_setting : values_setting, &why, err);
}

static spn_status read_beta(spn_chain_plan *out, const spn_job *job, spn_error *err)
{
    char start[END_TEXT], end[END_TEXT], values[2 * END_TEXT + 2];
    const char *beta = spn_job_text(job, "beta");
    const bool by_energy = is_auto(beta), by_ends = ends_given(job);
    const bool is_range = by_energy || by_ends || strchr(beta, ':');
    if (by_ends && spn_job_given(job, "beta") && !by_energy)
        return spn_setting_fail(spn_job_given(job, "beta-start") ? "beta-start" : "beta-end", err,
                                "give this or `beta`, not both");
    if (by_energy)
        SPN_TRY(read_acceptances(out, beta, err));
    out->choice.kind = spn_job_text(job, "schedule");
    out->choice.start = by_energy && !spn_job_given(job, "beta-start");
    out->choice.end = by_energy && !spn_job_given(job, "beta-end");
    SPN_TRY(read_ends(start, end, out, job, err));
    snprintf(values, sizeof values, "%s%s%s", start, is_range ? ":" : "", is_range ? end : "");
    SPN_TRY(
        read_schedule(&out->beta, values, out->choice.kind, blame_for_beta(job), "schedule", err));
    if (!spn_schedule_has_range(out->beta))
        out->choice.start = out->choice.end = false;
    return SPN_OK;
}

spn_status spn_chain_make_beta(spn_schedule **out, double start, double end,
                               const spn_chain_plan *plan, spn_error *err)
{
    char values[64], texts[2][SPN_NUMBER_TEXT];
    spn_number_text(texts[0], start);
    spn_number_text(texts[1], end);
    snprintf(values, sizeof values, "%s:%s", texts[0], texts[1]);
    return spn_schedule_parse(out, values, plan->choice.kind, err);
}

spn_status spn_chain_plan_set_beta(spn_chain_plan *plan, double start, double end,
                                   const char *blame, spn_error *err)
{
    spn_error why = {0};
    spn_schedule *beta;
    if (spn_chain_make_beta(&beta, start, end, plan, &why))
        return spn_setting_blame(blame, &why, err);
    spn_schedule_free(plan->beta);
    plan->options.beta = plan->beta = beta;
    plan->choice.start = plan->choice.end = false;
    return spn_schedule_check(beta, blame, true, plan->usual_steps, err);
}

spn_status spn_chain_read_schedules(spn_chain_plan *out, const spn_job *job, spn_error *err)
{
    SPN_TRY(read_beta(out, job, err));
    SPN_TRY(read_schedule(&out->gamma, spn_job_text(job, "gamma"),
                          spn_job_text(job, "gamma-schedule"), blame_for_gamma(job),
                          "gamma-schedule", err));
    out->options.beta = out->beta;
    out->options.gamma = out->gamma;
    return SPN_OK;
}

static spn_status resolve_ends(spn_record *out, const spn_job *job, spn_error *err)
{
    const char *beta = spn_job_text(job, "beta"), *colon = strchr(beta, ':');
    char start[64];
    snprintf(start, sizeof start, "%.*s", (int)strcspn(beta, ":"), beta);
    if (!spn_job_given(job, "beta-start"))
        SPN_TRY(spn_record_add_setting(out, "beta-start", start, err));
    return spn_job_given(job, "beta-end")
               ? SPN_OK
               : spn_record_add_setting(out, "beta-end", colon ? colon + 1 : beta, err);
}

spn_status spn_chain_resolve_beta(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                  spn_error *err)
{
    const bool has_range = spn_schedule_has_range(plan->beta);
    const bool by_ends = ends_given(job) && has_range && !is_auto(spn_job_text(job, "beta"));
    if (by_ends || (!has_range && !spn_job_given(job, "beta")))
        spn_record_remove_setting(out, "beta");
    return by_ends ? resolve_ends(out, job, err) : SPN_OK;
}

/* ---- steps ---- */

static spn_status read_parts(spn_chain_plan *out, const char *text, spn_error *err)
{
    size_t count = 1;
    char one[64];
    for (const char *c = text; *c; c++)
        count += *c == ',';
    SPN_NEED(out->parts = spn_alloc(count, sizeof *out->parts), err, "the steps");
    out->usual_steps = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t length = strcspn(text, ",");
        spn_take_text(one, sizeof one, text, length < 60 ? length : 60);
        if (!spn_whole_parse(&out->parts[k], one) || out->parts[k] < 1 ||
            out->parts[k] > (uint64_t)INT64_MAX - out->usual_steps)
            return spn_setting_fail("steps", err, "'%s' is not a number of steps", one);
        out->usual_steps += out->parts[k];
        text += length + (text[length] == ',');
    }
    if (count > 1) {
        out->options.parts = out->parts;
        out->options.part_count = count;
    }
    return SPN_OK;
}

static spn_status sweeps_to_steps(spn_chain_plan *out, uint64_t sweeps, size_t sites,
                                  spn_error *err)
{
    const spn_chain_options *o = &out->options;
    const uint64_t per_sweep =
        (uint64_t)sites * o->replicas / spn_order_proposals(o->order, o->replicas);
    if (sweeps > (uint64_t)INT64_MAX / per_sweep)
        return spn_setting_fail("sweeps", err,
                                "%" PRIu64 " of %" PRIu64 " steps are more than "
                                "2^63-1 steps",
                                sweeps, per_sweep);
    out->usual_steps = sweeps * per_sweep;
    return SPN_OK;
}

static bool can_stretch(const spn_schedule *s)
{
    const spn_schedule_kind kind = spn_schedule_kind_of(s);
    return kind != SPN_SCHEDULE_PIECES && kind != SPN_SCHEDULE_LOGARITHMIC;
}

static bool needs_steps(const spn_schedule *s)
{
    return spn_schedule_check(s, "", false, 0, NULL) != SPN_OK;
}

/* Given steps come first, then the length of the pieces, then the default of the preset or task. */
static spn_status count_steps(spn_chain_plan *out, const spn_chain_settings *settings,
                              const spn_job *job, size_t sites, spn_error *err)
{
    const char *steps = spn_job_given(job, "steps");
    const uint64_t length = spn_schedule_length(out->beta);
    if (steps && spn_job_given(job, "sweeps"))
        return spn_setting_fail("sweeps", err, "give this or `steps`, not both");
    if (!steps && length && !spn_job_given(job, "sweeps")) {
        out->usual_steps = length;
        return SPN_OK;
    }
    if (!spn_job_given(job, "sweeps") && settings->steps)
        return read_parts(out, settings->steps, err);
    return sweeps_to_steps(out, settings->sweeps, sites, err);
}

/* With a time limit and no steps, the time decides the number of steps. */
static void let_time_decide(spn_chain_plan *out, const spn_job *job)
{
    spn_chain_options *o = &out->options;
    if (!(o->seconds > 0) || spn_job_given(job, "steps") || spn_job_given(job, "sweeps"))
        return;
    const bool stretches = can_stretch(out->beta) && can_stretch(out->gamma);
    if (!needs_steps(out->beta) && !needs_steps(out->gamma) && spn_schedule_length(out->beta) == 0)
        o->steps = 0;
    else if (stretches)
        o->steps = 0, o->stretch = 1;
    if (o->steps == 0) {
        o->parts = NULL;
        o->part_count = 0;
    }
}

spn_status spn_chain_read_steps(spn_chain_plan *out, const spn_chain_settings *settings,
                                const spn_job *job, size_t sites, spn_error *err)
{
    spn_chain_options *o = &out->options;
    SPN_TRY(count_steps(out, settings, job, sites, err));
    o->steps = out->usual_steps;
    if (o->part_count > 1 && !(can_stretch(out->beta) && can_stretch(out->gamma)))
        return spn_setting_fail("steps", err,
                                "several numbers go with schedules from START to END");
    /* Errors of the library start with the name passed here. */
    SPN_TRY(spn_schedule_check(o->beta, blame_for_beta(job), true, o->steps, err));
    SPN_TRY(spn_schedule_check(o->gamma, blame_for_gamma(job), false, o->steps, err));
    let_time_decide(out, job);
    if (!o->stretch) {
        out->seconds = o->seconds;
        o->seconds = 0;
    }
    return SPN_OK;
}

spn_status spn_chain_resolve_steps(spn_record *out, const spn_chain_plan *plan, const spn_job *job,
                                   spn_error *err)
{
    char steps[32];
    if (!spn_job_given(job, "sweeps"))
        spn_record_remove_setting(out, "sweeps");
    if (spn_job_given(job, "steps"))
        return SPN_OK;
    spn_record_remove_setting(out, "steps");
    if (spn_job_given(job, "sweeps") || plan->options.steps == 0)
        return SPN_OK;
    snprintf(steps, sizeof steps, "%" PRIu64, plan->options.steps);
    return spn_record_add_setting(out, "steps", steps, err);
}
