/* Groups of reads side by side as samplers. */
#include "reads/side.h"

#include "base/try.h"
#include <assert.h>
#include <math.h>
#include <spinney/random.h>
#include <string.h>

spn_status spn_side_init(spn_side *side, const spn_sampler_type *type, const spn_side_kind *kind,
                         const spn_chain_options *options, size_t first, size_t count, size_t sites,
                         spn_error *err)
{
    assert(count > 0);
    spn_sampler_init(&side->base, type);
    side->kind = kind;
    side->options = *options;
    side->options.seconds *= (double)count;
    side->first = first;
    side->count = count;
    side->sites = sites;
    return spn_parts_init(&side->parts, &side->options, err);
}

void spn_side_start(const spn_side *side, size_t r, int8_t *out)
{
    const spn_chain_options *o = &side->options;
    if (o->start == SPN_START_GIVEN) {
        memcpy(out, o->given, side->sites);
        return;
    }
    spn_random random =
        spn_random_make(o->seed, o->run + (uint32_t)(side->first + r), 0, SPN_PURPOSE_START);
    spn_random_spins(&random, out, side->sites);
}

/* The quotient is only a guess. */
int64_t spn_side_counts(double start, double unit, double constant, double target, int64_t most)
{
    const double guess = (target - constant - start) / unit, end = (double)most;
    int64_t counts = (int64_t)floor(fmin(fmax(guess, -end), end));
    while (counts < most && spn_side_energy(start, unit, constant, counts + 1) <= target)
        counts++;
    while (counts > -most && spn_side_energy(start, unit, constant, counts) > target)
        counts--;
    assert(counts >= -most && counts <= most);
    return counts;
}

size_t spn_side_steps(spn_side *side, size_t (*make)(spn_side *side, size_t row, size_t most))
{
    size_t done = 0;
    while (done < side->sites && !spn_parts_enter(&side->parts, side->base.step) &&
           !spn_side_is_complete(side))
        done += make(side, done, side->sites - done);
    return done;
}

spn_status spn_side_advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    spn_side *side = (spn_side *)sampler;
    const spn_side_kind *kind = side->kind;
    uint64_t done = 0;
    SPN_TRY(spn_parts_begin(&side->parts, sampler, err));
    do {
        done += kind->window(side);
    } while (done < most && kind->active(side) > 0 && !spn_side_is_complete(side) &&
             !spn_parts_enter(&side->parts, sampler->step) && !spn_sampler_is_halted(sampler));
    assert(kind->is_consistent(side, 0) && kind->is_consistent(side, side->count - 1));
    return SPN_OK;
}

spn_stop spn_side_ended(const spn_sampler *sampler)
{
    const spn_side *side = (const spn_side *)sampler;
    if (side->kind->active(side) == 0)
        return SPN_STOP_TARGET;
    if (spn_side_is_complete(side))
        return SPN_STOP_STEPS;
    return spn_parts_are_late(&side->parts, sampler) ? SPN_STOP_TIME : SPN_STOP_NONE;
}

void spn_side_look(spn_progress *out, const spn_sampler *sampler)
{
    const spn_side *side = (const spn_side *)sampler;
    out->share = spn_parts_share(&side->parts, sampler->step);
    out->steps = spn_parts_total(&side->parts);
    out->best_energy = INFINITY;
    for (size_t r = 0; r < side->count; r++)
        out->best_energy = fmin(out->best_energy, side->kind->best(side, r));
    for (size_t j = 0; j < SPN_SLICES; j++)
        out->proposals += side->slices[j].proposals;
}

spn_health spn_side_health(const spn_sampler *sampler)
{
    const spn_side *side = (const spn_side *)sampler;
    return spn_slices_verdict(side->slices, side->options.beta, spn_side_is_complete(side));
}

spn_status spn_side_visit(spn_side *side, const uint64_t *made_of, size_t count,
                          spn_archive *archive, spn_error *err)
{
    SPN_REFUSE_IF(!spn_archive_agrees(archive, made_of, count), err,
                  "this is not the saved state of %zu reads of %zu spins", side->count,
                  side->sites);
    SPN_TRY(spn_parts_visit(&side->parts, side->base.step, archive, err));
    SPN_VISIT(archive, side->slices);
    return SPN_OK;
}

spn_status spn_side_visited(spn_side *side, const spn_archive *archive, spn_error *err)
{
    if (!spn_archive_reads(archive))
        return SPN_OK;
    SPN_TRY(spn_sampler_visited(&side->base, archive, err));
    SPN_REFUSE_IF(!side->kind->settle(side, archive->trusted), err,
                  "the saved state of the reads is one that no run comes to");
    return SPN_OK;
}
