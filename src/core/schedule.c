/* Create schedules of any kind, and get their values. The kinds are in schedule_kinds.c. */
#include "core/schedule.h"
#include "base/memory.h"

#include "base/number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const spn_schedule spn_schedule_zero = {.kind = SPN_SCHEDULE_CONSTANT};
const spn_schedule spn_schedule_one = {.kind = SPN_SCHEDULE_CONSTANT, .start = 1, .end = 1};

spn_status spn_schedule_copy(spn_schedule **out, const spn_schedule *as, spn_error *err)
{
    spn_schedule *made = malloc(sizeof *made);
    spn_piece *pieces = as->count ? malloc(as->count * sizeof *pieces) : NULL;
    *out = NULL;
    if (!made || (as->count && !pieces)) {
        SPN_FREE_ALL(made, pieces);
        return spn_no_memory(err, "a schedule of %zu pieces", as->count);
    }
    *made = *as;
    made->pieces = pieces;
    if (as->count)
        memcpy(pieces, as->pieces, as->count * sizeof *pieces);
    *out = made;
    return SPN_OK;
}

spn_status spn_schedule_create(spn_schedule **out, spn_schedule_kind kind, double first,
                               double second, uint64_t every, spn_error *err)
{
    spn_schedule s = {.kind = kind, .start = first, .end = second, .every = every};
    *out = NULL;
    SPN_REFUSE_IF(kind == SPN_SCHEDULE_PIECES || !spn_schedule_traits_of(kind), err,
                  "schedule kind %d is not made of two numbers", (int)kind);
    if (kind == SPN_SCHEDULE_LOGARITHMIC)
        s = (spn_schedule){.kind = kind, .m = first, .C = second};
    if (kind == SPN_SCHEDULE_SCOPING)
        s = (spn_schedule){.kind = kind, .start = first, .factor = second, .every = every};
    return spn_schedule_copy(out, &s, err);
}

spn_status spn_schedule_pieces(spn_schedule **out, const spn_piece *pieces, size_t count,
                               spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(count == 0, err, "a schedule of pieces needs at least one piece");
    const spn_schedule s = {
        .kind = SPN_SCHEDULE_PIECES, .pieces = (spn_piece *)pieces, .count = count};
    return spn_schedule_copy(out, &s, err);
}

/* Fill the stages of the schedule of Theorem 1; alpha > 1, all others > 0. */
static spn_status fill_theorem1(spn_piece *pieces, const spn_theorem1 *k, size_t stages,
                                spn_error *err)
{
    double total = 0;
    for (size_t j = 0; j < stages; j++) {
        double n = (double)(j + 1);
        double beta = k->alpha / k->B * log(n) + k->b / k->B * n;
        double steps = ceil(exp(k->m * beta) * (k->log_kappa + k->b) / k->c);
        total += steps;
        SPN_REFUSE_IF(!(total < 0x1p62), err,
                      "theorem1: the stages up to %zu take over 2^62 steps; ask for fewer stages",
                      j + 1);
        pieces[j] = (spn_piece){.value = beta, .steps = (uint64_t)steps};
    }
    return SPN_OK;
}

spn_status spn_schedule_theorem1(spn_schedule **out, const spn_theorem1 *k, size_t stages,
                                 spn_error *err)
{
    *out = NULL;
    SPN_REFUSE_IF(!(k->alpha > 1) || !(k->b > 0) || !(k->B > 0) || !(k->m > 0) || !(k->c > 0) ||
                      !(k->log_kappa > 0),
                  err, "theorem1 needs alpha > 1, b, B, m, c > 0 and kappa > 1");
    SPN_REFUSE_IF(stages == 0 || stages > 1000000, err, "theorem1 needs 1 to 1000000 stages");
    spn_piece *pieces = malloc(stages * sizeof *pieces);
    SPN_NEED(pieces, err, "%zu stages", stages);
    spn_status status;
    SPN_TRY_OR(cleanup, fill_theorem1(pieces, k, stages, err));
    status = spn_schedule_pieces(out, pieces, stages, err);
cleanup:
    free(pieces);
    return status;
}

void spn_schedule_free(spn_schedule *schedule)
{
    if (schedule)
        free(schedule->pieces);
    free(schedule);
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

uint64_t spn_schedule_piece_left(const spn_schedule *s, uint64_t t)
{
    size_t n = 0;
    while (n + 1 < s->count && t >= s->pieces[n].steps)
        t -= s->pieces[n++].steps;
    return n + 1 < s->count ? s->pieces[n].steps - t : UINT64_MAX;
}

bool spn_schedule_has_range(const spn_schedule *schedule)
{
    return spn_schedule_traits_of(schedule->kind)->has_range;
}

static spn_status parse_range(double range[2], bool *is_range, const char *text, spn_error *err)
{
    size_t used = spn_number_scan(&range[0], text, strlen(text));
    const char *rest = text + used;
    *is_range = used && *rest == ':';
    range[1] = range[0];
    if (*is_range) {
        rest++;
        used = spn_number_scan(&range[1], rest, strlen(rest));
        rest += used;
    }
    SPN_REFUSE_IF(!used || *rest || !isfinite(range[0]) || !isfinite(range[1]), err,
                  "'%s' is not a number or START:END", text);
    return SPN_OK;
}

spn_status spn_schedule_parse(spn_schedule **out, const char *range, const char *kind,
                              spn_error *err)
{
    double ends[2];
    bool is_range;
    *out = NULL;
    SPN_TRY(parse_range(ends, &is_range, range, err));
    if (kind)
        return spn_schedule_parse_kind(out, ends, is_range, kind, err);
    if (!is_range)
        return spn_schedule_constant(out, ends[0], err);
    return ends[0] > 0 ? spn_schedule_exponential(out, ends[0], ends[1], err)
                       : spn_schedule_linear(out, ends[0], ends[1], err);
}
