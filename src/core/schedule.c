/* Schedules: values. How they are read from text is in schedule_parse.c. */
#include "core/schedule.h"
#include "core/numeric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

spn_status spn_schedule_copy(spn_schedule **out, const spn_schedule *as, spn_error *err)
{
    spn_schedule *made = malloc(sizeof *made);
    spn_piece *pieces = as->count ? malloc(as->count * sizeof *pieces) : NULL;
    *out = NULL;
    if (!made || (as->count && !pieces)) {
        free(made);
        free(pieces);
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for a schedule of %zu pieces",
                        as->count);
    }
    *made = *as;
    made->pieces = pieces;
    if (as->count)
        memcpy(pieces, as->pieces, as->count * sizeof *pieces);
    *out = made;
    return SPN_OK;
}

spn_status spn_schedule_constant(spn_schedule **out, double value, spn_error *err)
{
    const spn_schedule s = {.kind = SPN_SCHEDULE_CONSTANT, .start = value, .end = value};
    return spn_schedule_copy(out, &s, err);
}

spn_status spn_schedule_linear(spn_schedule **out, double start, double end, spn_error *err)
{
    const spn_schedule s = {.kind = SPN_SCHEDULE_LINEAR, .start = start, .end = end};
    return spn_schedule_copy(out, &s, err);
}

spn_status spn_schedule_quadratic(spn_schedule **out, double start, double end, spn_error *err)
{
    const spn_schedule s = {.kind = SPN_SCHEDULE_QUADRATIC, .start = start, .end = end};
    return spn_schedule_copy(out, &s, err);
}

spn_status spn_schedule_exponential(spn_schedule **out, double start, double end, spn_error *err)
{
    const spn_schedule s = {.kind = SPN_SCHEDULE_EXPONENTIAL, .start = start, .end = end};
    return spn_schedule_copy(out, &s, err);
}

spn_status spn_schedule_logarithmic(spn_schedule **out, double m, double C, spn_error *err)
{
    const spn_schedule s = {.kind = SPN_SCHEDULE_LOGARITHMIC, .m = m, .C = C};
    return spn_schedule_copy(out, &s, err);
}

spn_status spn_schedule_scoping(spn_schedule **out, double start, double factor, uint64_t every,
                                spn_error *err)
{
    const spn_schedule s = {
        .kind = SPN_SCHEDULE_SCOPING, .start = start, .factor = factor, .every = every};
    return spn_schedule_copy(out, &s, err);
}

spn_status spn_schedule_pieces(spn_schedule **out, const spn_piece *pieces, size_t count,
                               spn_error *err)
{
    *out = NULL;
    if (count == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "a schedule of pieces needs at least one piece");
    const spn_schedule s = {
        .kind = SPN_SCHEDULE_PIECES, .pieces = (spn_piece *)pieces, .count = count};
    return spn_schedule_copy(out, &s, err);
}

/* Fill the stages of Theorem 1's schedule; alpha > 1, all others > 0. */
static spn_status fill_theorem1(spn_piece *pieces, const spn_theorem1 *k, size_t stages,
                                spn_error *err)
{
    double total = 0;
    for (size_t j = 0; j < stages; j++) {
        double n = (double)(j + 1);
        double beta = k->alpha / k->B * log(n) + k->b / k->B * n;
        double steps = ceil(exp(k->m * beta) * (k->log_kappa + k->b) / k->c);
        total += steps;
        if (!(total < 0x1p62))
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "theorem1: the stages up to %zu take over 2^62 steps; ask for fewer "
                            "stages",
                            j + 1);
        pieces[j] = (spn_piece){.value = beta, .steps = (uint64_t)steps};
    }
    return SPN_OK;
}

spn_status spn_schedule_theorem1(spn_schedule **out, const spn_theorem1 *k, size_t stages,
                                 spn_error *err)
{
    *out = NULL;
    if (!(k->alpha > 1) || !(k->b > 0) || !(k->B > 0) || !(k->m > 0) || !(k->c > 0) ||
        !(k->log_kappa > 0))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "theorem1 needs alpha > 1, b, B, m, c > 0 and kappa > 1");
    if (stages == 0 || stages > 1000000)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "theorem1 needs 1 to 1000000 stages");
    spn_piece *pieces = malloc(stages * sizeof *pieces);
    if (!pieces)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu stages", stages);
    spn_status status = fill_theorem1(pieces, k, stages, err);
    if (!status)
        status = spn_schedule_pieces(out, pieces, stages, err);
    free(pieces);
    return status;
}

/* The piece in force at step t. */
static const spn_piece *piece_at(const spn_schedule *schedule, uint64_t t)
{
    size_t n = 0;
    while (n + 1 < schedule->count && t >= schedule->pieces[n].steps)
        t -= schedule->pieces[n++].steps;
    return &schedule->pieces[n];
}

/* base^n by squaring: the same bits everywhere, which pow() does not promise. */
static double integer_power(double base, uint64_t n)
{
    double result = 1;
    for (; n; n >>= 1, base *= base)
        if (n & 1)
            result *= base;
    return result;
}

/* start (end/start)^(t/T) as the product of its value at the last multiple of STRIDE and a power of
   the ratio of two steps, so that a whole stride shares the powers. */
enum { STRIDE = 64 };

/* log(end/start)/T, to be multiplied by a number of steps. */
static double exponential_rate(const spn_schedule *schedule, uint64_t steps)
{
    return spn_log(schedule->end / schedule->start) / (double)steps;
}

static double exponential_anchor(const spn_schedule *schedule, double rate, uint64_t t)
{
    return schedule->start * spn_exp((double)(t / STRIDE * STRIDE) * rate);
}

static double exponential_power(double rate, unsigned steps)
{
    return spn_exp((double)(int)steps * rate);
}

static void fill_exponential(const spn_schedule *schedule, uint64_t first, size_t count,
                             uint64_t steps, double *out)
{
    const double rate = exponential_rate(schedule, steps);
    double powers[STRIDE];
    for (unsigned j = 0; j < STRIDE; j++)
        powers[j] = exponential_power(rate, j);
    for (size_t done = 0; done < count;) {
        const uint64_t t = first + done;
        const size_t in = (size_t)(t % STRIDE), left = count - done;
        const size_t length = left < STRIDE - in ? left : STRIDE - in;
        const double anchor = exponential_anchor(schedule, rate, t);
        for (size_t j = 0; j < length; j++)
            out[done + j] = anchor * powers[in + j];
        done += length;
    }
}

double spn_schedule_value(const spn_schedule *schedule, uint64_t t, uint64_t steps,
                          uint64_t accepted, size_t replicas)
{
    const double start = schedule->start, end = schedule->end;
    const double share = steps ? (double)t / (double)steps : 0;
    double rate;
    switch (schedule->kind) {
    case SPN_SCHEDULE_CONSTANT:
        break;
    case SPN_SCHEDULE_LINEAR:
        return start + (end - start) * share;
    case SPN_SCHEDULE_QUADRATIC:
        return start + (end - start) * share * share;
    case SPN_SCHEDULE_EXPONENTIAL:
        rate = exponential_rate(schedule, steps);
        return exponential_anchor(schedule, rate, t) * exponential_power(rate, t % STRIDE);
    case SPN_SCHEDULE_LOGARITHMIC:
        return spn_log(1 + schedule->C * (double)t) / schedule->m;
    case SPN_SCHEDULE_PIECES:
        return piece_at(schedule, t)->value;
    case SPN_SCHEDULE_SCOPING:
        return start * integer_power(1 + schedule->factor, accepted / (schedule->every * replicas));
    }
    return start;
}

void spn_schedule_fill(const spn_schedule *schedule, uint64_t first, size_t count, uint64_t steps,
                       uint64_t accepted, size_t replicas, double *out)
{
    bool varies = schedule->kind != SPN_SCHEDULE_CONSTANT && schedule->kind != SPN_SCHEDULE_SCOPING;
    if (!varies) {
        double value = spn_schedule_value(schedule, first, steps, accepted, replicas);
        for (size_t j = 0; j < count; j++)
            out[j] = value;
    } else if (schedule->kind == SPN_SCHEDULE_EXPONENTIAL && count >= STRIDE) {
        fill_exponential(schedule, first, count, steps, out);
    } else {
        for (size_t j = 0; j < count; j++)
            out[j] = spn_schedule_value(schedule, first + j, steps, accepted, replicas);
    }
}

spn_schedule_kind spn_schedule_kind_of(const spn_schedule *schedule)
{
    return schedule->kind;
}

const spn_piece *spn_schedule_get_pieces(const spn_schedule *schedule, size_t *count)
{
    *count = schedule->count;
    return schedule->pieces;
}

uint64_t spn_schedule_length(const spn_schedule *schedule)
{
    uint64_t length = 0;
    for (size_t n = 0; schedule->kind == SPN_SCHEDULE_PIECES && n < schedule->count; n++)
        length += schedule->pieces[n].steps;
    return length;
}

/* times the number of replicas it stays within 64 bits */
static const uint64_t MOST_SCOPING_MOVES = 1ull << 50;

static spn_status check_value(double value, const char *name, const char *which, spn_error *err)
{
    if (isfinite(value) && value >= 0)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: %s is %g; it must be a finite number, 0 or more",
                    name, which, value);
}

static spn_status check_pieces(const spn_schedule *schedule, const char *name, bool is_beta,
                               spn_error *err)
{
    for (size_t n = 0; n < schedule->count; n++) {
        char which[40];
        snprintf(which, sizeof which, "piece %zu", n + 1);
        spn_status status = check_value(schedule->pieces[n].value, name, which, err);
        if (status)
            return status;
        if (schedule->pieces[n].steps == 0)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: %s has no steps", name, which);
        if (is_beta && n > 0 && schedule->pieces[n].value < schedule->pieces[n - 1].value)
            return spn_fail(err, SPN_ERROR_ARGUMENT,
                            "%s: %s falls from %g to %g; pieces must not decrease (to heat, use "
                            "linear or exponential)",
                            name, which, schedule->pieces[n - 1].value, schedule->pieces[n].value);
    }
    return SPN_OK;
}

static spn_status check_range(const spn_schedule *schedule, const char *name, uint64_t steps,
                              spn_error *err)
{
    spn_status status = check_value(schedule->start, name, "the start", err);
    if (!status)
        status = check_value(schedule->end, name, "the end", err);
    if (status)
        return status;
    if (schedule->kind != SPN_SCHEDULE_CONSTANT && steps == 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "%s: a schedule from START to END needs a number of steps", name);
    if (schedule->kind == SPN_SCHEDULE_EXPONENTIAL && !(schedule->start > 0 && schedule->end > 0))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "%s: an exponential schedule needs START and END above 0, not %g:%g "
                        "(use linear)",
                        name, schedule->start, schedule->end);
    if (schedule->kind == SPN_SCHEDULE_EXPONENTIAL &&
        fabs(log(schedule->end) - log(schedule->start)) > 700)
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "%s: START and END differ by more than a factor of 1e300", name);
    return SPN_OK;
}

spn_status spn_schedule_check(const spn_schedule *schedule, const char *name, bool is_beta,
                              uint64_t steps, spn_error *err)
{
    switch (schedule->kind) {
    case SPN_SCHEDULE_CONSTANT:
    case SPN_SCHEDULE_LINEAR:
    case SPN_SCHEDULE_QUADRATIC:
    case SPN_SCHEDULE_EXPONENTIAL:
        return check_range(schedule, name, steps, err);
    case SPN_SCHEDULE_LOGARITHMIC:
        if (!(schedule->m > 0) || !(schedule->C >= 0) || !isfinite(schedule->C))
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: logarithmic needs m > 0 and C >= 0",
                            name);
        return SPN_OK;
    case SPN_SCHEDULE_PIECES:
        return check_pieces(schedule, name, is_beta, err);
    case SPN_SCHEDULE_SCOPING:
        if (!(schedule->factor >= 0) || !isfinite(schedule->factor) || schedule->every == 0 ||
            schedule->every > MOST_SCOPING_MOVES)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: scoping needs factor >= 0 and every >= 1",
                            name);
        return check_value(schedule->start, name, "the start", err);
    }
    return spn_fail(err, SPN_ERROR_ARGUMENT, "%s: unknown kind of schedule", name);
}

void spn_schedule_free(spn_schedule *schedule)
{
    if (schedule)
        free(schedule->pieces);
    free(schedule);
}
