/* The chain runs: blocks of steps, what is looked at between them, stops. It is made in
   chain_create.c; the inner loop is in loop.c. */
#include "chain/chain.h"

#include "base/clock.h"
#include "chain/centre.h"
#include "chain/order.h"
#include "chain/side_by_side.h"
#include "chain/waiting.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { BLOCK_ALIGNMENT = 64 };

static uint64_t next_scope(const spn_chain *chain, const spn_schedule *schedule)
{
    if (spn_schedule_traits_of(schedule->kind)->changes != SPN_CHANGES_BY_ACCEPTANCE)
        return UINT64_MAX;
    const uint64_t period = schedule->every * chain->replicas;
    assert(period > 0);
    return (chain->accepted_total / period + 1) * period;
}

uint64_t spn_chain_next_scope(const spn_chain *chain)
{
    const uint64_t beta = next_scope(chain, chain->options.beta);
    const uint64_t gamma = next_scope(chain, chain->options.gamma);
    return beta < gamma ? beta : gamma;
}

/* Bound the change of H over the count steps of a block, where these are enough to pay for it. */
static void bound_coupling(spn_chain *chain, size_t count)
{
    const double *gamma = chain->block.gamma;
    double low = gamma[0], high = gamma[0];
    for (size_t j = 1; j < count; j++) {
        low = fmin(low, gamma[j]);
        high = fmax(high, gamma[j]);
    }
    if (count * chain->streams >= 8 * chain->replicas)
        spn_coupling_bound(&chain->coupling, low, high, chain->replicas);
    else
        spn_coupling_unbound(&chain->coupling, chain->replicas);
}

/* Fill the block for the next count steps, or for fewer where a table of gamma ends; returns how
   many. */
static size_t fill_block(spn_chain *chain, size_t count)
{
    const spn_chain_options *o = &chain->options;
    spn_block *block = &chain->block;
    const spn_progress now = spn_parts_at(&chain->parts, chain->step);
    assert(count > 0 && count <= block->capacity);
    assert(count <= spn_parts_left(&chain->parts, chain->step));
    chain->scope = spn_chain_next_scope(chain);
    spn_schedule_fill(o->gamma, now.step, count, now.steps, chain->accepted_total, chain->replicas,
                      block->gamma);
    if (!chain->gamma_varies && !chain->centre) {
        size_t equal = 1;
        while (equal < count && block->gamma[equal] == block->gamma[0])
            equal++;
        count = equal;
        if (block->gamma[0] != chain->coupling.gamma)
            spn_coupling_set(&chain->coupling, block->gamma[0], chain->replicas);
    } else if (!chain->centre && chain->replicas > 1) {
        bound_coupling(chain, count);
    }
    spn_schedule_fill(o->beta, now.step, count, now.steps, chain->accepted_total, chain->replicas,
                      block->beta);
    assert(isfinite(block->beta[0]) && block->beta[0] >= 0 && block->gamma[0] >= 0);
    spn_order_fill(chain, count);
    return count;
}

/* Proposals since a best energy last fell. */
static uint64_t unimproved(const spn_chain *chain)
{
    return (chain->step - chain->improved_step) * chain->streams;
}

/* The seconds after which a run ends wherever it is. A run that is stretched ends by its steps;
   only where its pace breaks down, or its few steps are too slow, is it cut off later than asked
   for. */
static double time_limit(const spn_chain_options *o)
{
    const double grace = 1.25, least = 0.1;
    return o->stretch ? fmax(o->seconds * grace, o->seconds + least) : o->seconds;
}

/* Whether a schedule may fall between now and the end. */
static bool may_fall(const spn_schedule *s)
{
    return s->kind == SPN_SCHEDULE_PIECES || (s->kind != SPN_SCHEDULE_SCOPING && s->end < s->start);
}

/* Nothing has moved for a while, and nothing makes it easier later. Pieces of beta never fall. */
static bool is_frozen(const spn_chain *chain)
{
    const spn_chain_options *o = &chain->options;
    const uint64_t enough = 8 * (uint64_t)chain->choices * chain->replicas;
    const bool beta_falls = o->beta->kind != SPN_SCHEDULE_PIECES && may_fall(o->beta);
    const bool gamma_helps =
        (chain->replicas > 1 || chain->centre) &&
        (chain->two_stage ? may_fall(o->gamma) : o->gamma->kind != SPN_SCHEDULE_CONSTANT);
    return chain->health.still >= enough && !beta_falls && !gamma_helps;
}

static spn_stop reached_stop(const spn_chain *chain, double elapsed)
{
    const spn_chain_options *o = &chain->options;
    if (chain->at_target >= chain->target_count)
        return SPN_STOP_TARGET;
    if (o->steps && chain->step >= o->steps)
        return SPN_STOP_STEPS;
    if (spn_stop_asked(chain->stop))
        return SPN_STOP_REQUEST;
    if (o->patience && unimproved(chain) >= o->patience)
        return SPN_STOP_PATIENCE;
    if (o->stop_frozen && is_frozen(chain))
        return SPN_STOP_FROZEN;
    if (o->seconds > 0 && elapsed >= time_limit(o))
        return SPN_STOP_TIME;
    return SPN_STOP_NONE;
}

/* The steps of one block, at most. */
static size_t most_ahead(const spn_chain *chain)
{
    return spn_waiting_is_on(chain) ? SPN_WAIT_CHUNK
           : chain->sides           ? SPN_STRETCH
                                    : chain->block.capacity;
}

/* How many steps can be made before something has to be looked at. */
static size_t steps_ahead(const spn_chain *chain, size_t limit)
{
    const spn_chain_options *o = &chain->options;
    uint64_t count = limit;
    if (count > BLOCK_ALIGNMENT) /* whole vectors of random numbers, whole strides of schedules */
        count -= (chain->step + count) % BLOCK_ALIGNMENT;
    const uint64_t part = spn_parts_left(&chain->parts, chain->step);
    const uint64_t slice = spn_slice_left(spn_parts_at(&chain->parts, chain->step));
    count = part < count ? part : count;
    count = slice < count ? slice : count;
    const uint64_t draw = spn_centre_left(chain);
    count = draw < count ? draw : count;
    const uint64_t rule = spn_waiting_left(chain);
    count = rule < count ? rule : count;
    const uint64_t observers[] = {o->observe_every, o->observe_also};
    for (size_t k = 0; o->observer && k < 2; k++)
        if (observers[k]) {
            const uint64_t due = observers[k] - chain->step % observers[k];
            count = due < count ? due : count;
        }
    if (chain->slots.refresh) {
        uint64_t due = SPN_SAVE_STEPS - chain->step % SPN_SAVE_STEPS;
        count = due < count ? due : count;
    }
    if (o->patience) {
        uint64_t left = o->patience - unimproved(chain);
        uint64_t steps = (left + chain->streams - 1) / chain->streams;
        count = steps < count ? steps : count;
    }
    assert(count >= 1);
    return (size_t)count;
}

/* Whether the observer is to see this step; seen: when it saw one last, by the clock. */
static bool is_observed(const spn_chain *chain, double seen)
{
    const spn_chain_options *o = &chain->options;
    return (o->observe_seconds > 0 && chain->clock() - seen >= o->observe_seconds) ||
           (o->observe_every && chain->step % o->observe_every == 0) ||
           (o->observe_also && chain->step % o->observe_also == 0);
}

static spn_status observe(spn_chain *chain, spn_error *err)
{
    if (!chain->options.observer)
        return SPN_OK;
    spn_snapshot snapshot;
    spn_chain_snapshot(&snapshot, chain);
    return chain->options.observer(chain->options.observer_context, &snapshot, err);
}

/* Between two looks at the clock, the stop flag and the patience there are at most *limit steps,
   which adapts so that they take 1 to 10 ms even where one call of the energy takes longer. */
static void adapt_limit(size_t *limit, size_t done, double seconds, size_t most)
{
    if (seconds > 0.01)
        *limit = (done + 1) / 2;
    else if (seconds < 0.001 && *limit < most)
        *limit *= 2;
}

static void note_energy(spn_chain *chain, size_t a, double value)
{
    const double target = chain->options.target_energy;
    chain->at_target += (size_t)(value <= target) - (size_t)(chain->energies[a] <= target);
    chain->energies[a] = value;
    if (value <= target && chain->first_hit == SPN_NO_HIT) /* a refresh may change the last bits */
        chain->first_hit = chain->step;
}

/* The time of the steps so far, and of the first hit where that was among the last of them. */
static void note_time(spn_chain *chain, double seconds)
{
    chain->ran += seconds;
    if (chain->first_hit != SPN_NO_HIT && chain->first_hit > 0 && chain->first_hit_seconds == 0)
        chain->first_hit_seconds = chain->ran;
}

void spn_chain_refresh(spn_chain *chain)
{
    if (!chain->slots.refresh)
        return;
    for (size_t a = 0; a < chain->replicas; a++)
        note_energy(chain, a,
                    chain->slots.refresh(chain->energy, spn_chain_cache(chain, a),
                                         spn_chain_spins(chain, a)));
    chain->fresh = true;
    assert(spn_chain_can_save(chain));
}

/* Spins, their sums, the replicas at the target, and best energies that no replica is below. */
bool spn_chain_is_consistent(const spn_chain *chain)
{
    size_t at_target = 0;
    for (size_t a = 0; a < chain->replicas; a++) {
        at_target += chain->energies[a] <= chain->options.target_energy;
        if (!chain->slots.refresh && chain->energies[a] < chain->best.energy[a])
            return false; /* a refresh may lower an energy in its last bits */
    }
    for (size_t i = 0; i < chain->sites; i++) {
        int sum = 0;
        for (size_t a = 0; a < chain->replicas; a++) {
            const int spin = spn_chain_spins(chain, a)[i];
            if (!spn_is_spin(spin))
                return false;
            sum += spin;
        }
        if (chain->centre ? !spn_is_spin(chain->centre[i]) : sum != chain->sums[i])
            return false;
    }
    return at_target == chain->at_target;
}

/* A block of steps, at most limit; returns how many were done. */
static size_t make_block(spn_chain *chain, size_t limit)
{
    const size_t most = limit < chain->block.capacity ? limit : chain->block.capacity;
    const size_t count = fill_block(chain, steps_ahead(chain, most));
    const size_t done = spn_loop_run(chain, count);
    assert(done >= 1 && done <= count);
    spn_order_count(chain, done);
    chain->beta = chain->block.beta[done - 1];
    chain->gamma = chain->block.gamma[done - 1];
    return done;
}

/* The same, side by side as long as that is faster. */
static size_t make_stretch(spn_chain *chain, size_t limit)
{
    const size_t count = steps_ahead(chain, limit < SPN_STRETCH ? limit : SPN_STRETCH);
    size_t done = spn_sides_pay(chain, count) ? spn_sides_run(chain, count) : 0;
    if (done > 0) {
        spn_order_count(chain, done);
        return done;
    }
    if (!spn_sides_time_alone(chain))
        return make_block(chain, limit);
    const double started = spn_thread_clock(); /* not the time that others took of the processor */
    done = make_block(chain, limit);
    spn_sides_note_alone(chain, spn_thread_clock() - started, done);
    return done;
}

/* The same, from one candidate to the next. */
static size_t make_waiting(spn_chain *chain, size_t limit)
{
    const size_t most = most_ahead(chain);
    return spn_waiting_run(chain, steps_ahead(chain, limit < most ? limit : most));
}

spn_status spn_chain_advance(spn_chain *chain, uint64_t most, spn_error *err)
{
    assert(most > 0);
    const double started = chain->clock();
    const spn_progress now = spn_parts_at(&chain->parts, chain->step);
    const uint64_t accepted = chain->accepted_total;
    const size_t limit = most < chain->block_limit ? (size_t)most : chain->block_limit;
    chain->interrupt = 0;
    chain->uphill = 0;
    const bool waits = spn_waiting_is_on(chain);
    const size_t done = waits          ? make_waiting(chain, limit)
                        : chain->sides ? make_stretch(chain, limit)
                                       : make_block(chain, limit);
    if (waits && chain->waiting->no_memory)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for the classes of %zu spins",
                        chain->sites);
    chain->step += done;
    chain->fresh = false;
    if (chain->step % SPN_SAVE_STEPS == 0) /* where it may be saved */
        spn_chain_refresh(chain);
    if (spn_centre_is_due(chain))
        spn_centre_draw(chain);
    spn_waiting_switch(chain);
    const spn_slice counts = {done * chain->streams, chain->accepted_total - accepted,
                              chain->uphill};
    spn_health_add(&chain->health, spn_slice_at(now), counts, done == spn_slice_left(now),
                   chain->energies, chain->replicas);
    const double seconds = chain->clock() - started;
    adapt_limit(&chain->block_limit, done, seconds, most_ahead(chain));
    note_time(chain, seconds);
    if (!chain->bad_energy)
        return SPN_OK;
    return spn_fail(err, SPN_ERROR_ENERGY,
                    "the energy '%s' is not a number after a flip of site %zu in replica %zu "
                    "(step %llu)",
                    chain->slots.name, chain->bad_site, chain->bad_replica,
                    (unsigned long long)chain->step);
}

/* ---- runs that are stretched to a time ---- */

/* Measure the pace by the first steps of the run, for a hundredth of the time, and go back to where
   it was. */
static spn_status try_pace(spn_chain *chain, spn_error *err)
{
    const double share = 0.01, started = chain->clock();
    void *state;
    size_t size;
    assert(chain->parts.now == 0);
    spn_status status = spn_chain_save(&state, &size, chain, err);
    chain->parts.steps[chain->parts.now] = INT64_MAX / chain->parts.count;
    const double begun = chain->clock();
    const uint64_t first = chain->step;
    while (!status && !reached_stop(chain, 0) && chain->step - first < SPN_SAVE_STEPS / 2 &&
           (chain->step == first || chain->clock() - started < share * chain->options.seconds))
        status = spn_chain_advance(chain, UINT64_MAX, err);
    const double seconds = fmax(chain->clock() - begun, 1e-9);
    const double pace = (double)(chain->step - first) / seconds;
    if (!status)
        status = spn_chain_load(chain, state, size, err);
    chain->parts.pace = pace;
    free(state);
    return status;
}

/* A part of a stretched run begins: settle its length. begun: when the last one did. */
static spn_status begin_part(spn_chain *chain, double elapsed, double *begun, uint64_t *first,
                             spn_error *err)
{
    spn_parts *parts = &chain->parts;
    const double now = chain->clock();
    if (chain->step > *first && now > *begun)
        parts->pace = (double)(chain->step - *first) / (now - *begun);
    const double before = now;
    spn_status status = parts->pace > 0 ? SPN_OK : try_pace(chain, err);
    if (status)
        return status;
    *begun = chain->clock();
    *first = chain->step;
    /* where a stall has used up the time, the rest of the way takes a little more of it: what ends
       in single steps is a quench */
    const double way_left = (double)(parts->count - parts->now) / (double)parts->count;
    const double left = chain->options.seconds - elapsed - (*begun - before);
    spn_parts_settle(parts, fmax(left, 0.08 * chain->options.seconds * way_left));
    chain->options.steps = spn_parts_total(parts);
    return SPN_OK;
}

/* Run until a stop, or to step `end`. */
static spn_status run_until(spn_stop *out, spn_chain *chain, uint64_t end, spn_error *err)
{
    const spn_chain_options *o = &chain->options;
    const double started = chain->clock() - chain->parts.spent;
    double begun = chain->clock(), seen = begun;
    uint64_t observed = chain->step, first = chain->step;
    spn_status status = chain->started ? SPN_OK : observe(chain, err);
    chain->started = true;
    chain->block_limit = 1;
    *out = SPN_STOP_NONE;
    assert(spn_chain_is_consistent(chain));
    while (!status && !(*out = reached_stop(chain, chain->clock() - started)) &&
           chain->step < end) {
        if (spn_parts_enter(&chain->parts, chain->step))
            status = begin_part(chain, chain->clock() - started, &begun, &first, err);
        if (!status)
            status = spn_chain_advance(chain, end - chain->step, err);
        if (o->stretch)
            chain->parts.spent = chain->clock() - started;
        if (!status && is_observed(chain, seen)) {
            status = observe(chain, err);
            observed = chain->step;
            seen = chain->clock();
        }
    }
    if (!status && observed != chain->step)
        status = observe(chain, err);
    assert(chain->bad_energy || spn_chain_is_consistent(chain));
    return status;
}

spn_status spn_chain_run(spn_stop *out, spn_chain *chain, spn_error *err)
{
    return run_until(out, chain, UINT64_MAX, err);
}

spn_status spn_chain_run_for(spn_stop *out, spn_chain *chain, uint64_t steps, spn_error *err)
{
    const uint64_t left = UINT64_MAX - chain->step;
    return run_until(out, chain, chain->step + (steps < left ? steps : left), err);
}

const uint64_t *spn_chain_parts(const spn_chain *chain, size_t *count)
{
    *count = chain->parts.count;
    return chain->parts.steps;
}

bool spn_chain_was_shared(const spn_chain *chain)
{
    return chain->sharing.shared > 0;
}
