/* The chain advances by blocks of steps. create.c makes it; loop.c has the inner loop. */
#include "chain/chain.h"

#include "base/clock.h"
#include "base/try.h"
#include "chain/waiting.h"
#include <assert.h>
#include <math.h>

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

/* Bound the change of H over the steps of a block, if there are enough of them to pay for it. */
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
        spn_coupling_bound(&chain->coupling, 0, INFINITY, chain->replicas);
}

/* Fill the block for the next count steps, or fewer if a table of gamma ends. Returns how many. */
static size_t fill_block(spn_chain *chain, size_t count)
{
    const spn_chain_options *o = &chain->options;
    spn_block *block = &chain->block;
    const spn_way now = spn_parts_at(&chain->parts, chain->base.step);
    assert(count > 0 && count <= block->capacity);
    assert(count <= spn_parts_left(&chain->parts, chain->base.step));
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
    return (chain->base.step - chain->improved_step) * chain->streams;
}

/* Whether a schedule may fall between now and the end. */
static bool may_fall(const spn_schedule *s)
{
    return s->kind == SPN_SCHEDULE_PIECES || (s->kind != SPN_SCHEDULE_SCOPING && s->end < s->start);
}

/* Nothing has moved for a while, and no schedule makes moves easier later. Pieces of beta never
   fall. */
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

static spn_stop ended(const spn_sampler *sampler)
{
    const spn_chain *chain = spn_chain_of(sampler);
    const spn_chain_options *o = &chain->options;
    if (chain->at_target >= chain->target_count)
        return SPN_STOP_TARGET;
    if (o->steps && sampler->step >= o->steps)
        return SPN_STOP_STEPS;
    if (o->patience && unimproved(chain) >= o->patience)
        return SPN_STOP_PATIENCE;
    if (o->stop_frozen && is_frozen(chain))
        return SPN_STOP_FROZEN;
    return spn_parts_are_late(&chain->parts, sampler) ? SPN_STOP_TIME : SPN_STOP_NONE;
}

/* The steps that can be made before something must be checked. */
static size_t steps_ahead(const spn_chain *chain, size_t limit)
{
    const spn_chain_options *o = &chain->options;
    uint64_t count = limit;
    assert(limit > 0);
    if (count > BLOCK_ALIGNMENT) /* whole vectors of random numbers, whole strides of schedules */
        count -= (chain->base.step + count) % BLOCK_ALIGNMENT;
    const uint64_t part = spn_parts_left(&chain->parts, chain->base.step);
    const uint64_t slice = spn_slice_left(spn_parts_at(&chain->parts, chain->base.step));
    count = part < count ? part : count;
    count = slice < count ? slice : count;
    const uint64_t draw = spn_centre_left(chain);
    count = draw < count ? draw : count;
    const uint64_t rule = spn_waiting_left(chain);
    count = rule < count ? rule : count;
    if (chain->slots.refresh) {
        uint64_t due = SPN_SAVE_STEPS - chain->base.step % SPN_SAVE_STEPS;
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

static void note_energy(spn_chain *chain, size_t a, double value)
{
    const double target = chain->options.target_energy;
    chain->at_target += (size_t)(value <= target) - (size_t)(chain->energies[a] <= target);
    chain->energies[a] = value;
    if (value <= target && chain->first_hit == SPN_NO_HIT) /* a refresh may change the last bits */
        chain->first_hit = chain->base.step;
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
}

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

/* Compare some changes of a user's energy: loops compare those of accepted flips alone. */
static spn_status check_changes(const spn_chain *chain, size_t a, spn_error *err)
{
    enum { SITES = 4 };
    const uint64_t step = chain->base.step;
    spn_status status = SPN_OK;
    for (size_t k = 0; !status && chain->energy->is_foreign && k < SITES; k++)
        status = spn_energy_check_change(
            chain->energy, spn_chain_cache(chain, a), spn_chain_spins(chain, a),
            (step + a * SITES + k) % chain->sites, chain->largest, step, err);
    return status;
}

spn_status spn_chain_check(const spn_sampler *sampler, spn_error *err)
{
    const spn_chain *chain = spn_chain_of(sampler);
    const double largest = chain->largest;
    const uint64_t step = sampler->step;
    if (chain->energy->accuracy > 0) /* of the library alone, and as dear as N changes: a sample */
        return spn_energy_check(NULL, chain->energy, chain->spins, chain->energies[0], largest,
                                step, err);
    for (size_t a = 0; a < chain->replicas; a++) {
        SPN_TRY(spn_energy_check(NULL, chain->energy, spn_chain_spins(chain, a), chain->energies[a],
                                 largest, step, err));
        SPN_TRY(check_changes(chain, a, err));
        if (chain->best.energy[a] < INFINITY)
            SPN_TRY(spn_energy_check(NULL, chain->energy, chain->best.spins + a * chain->sites,
                                     chain->best.energy[a], largest, step, err));
    }
    return SPN_OK;
}

/* Compare now and then, at steps that double. An energy costs at most N changes, so this adds less
   than 1%. */
static spn_status check_sometimes(spn_chain *chain, spn_error *err)
{
    const uint64_t pause = 256 * (uint64_t)chain->sites * chain->replicas / chain->streams;
    for (size_t a = 0; a < chain->replicas; a++)
        spn_chain_note_size(chain, chain->energies[a]);
    if (chain->base.step < pause || chain->base.step / 2 < chain->compared)
        return SPN_OK;
    chain->compared = chain->base.step;
    return spn_chain_check(&chain->base, err);
}

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

/* A block with replicas side by side, as long as that is faster. */
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
    const double started = spn_thread_clock(); /* excludes the time of other processes */
    done = make_block(chain, limit);
    spn_sides_note_alone(chain, spn_thread_clock() - started, done);
    return done;
}

static spn_status bad_energy(const spn_chain *chain, spn_error *err)
{
    const char *why = chain->slots.failure ? chain->slots.failure(chain->energy) : NULL;
    if (why)
        return spn_fail(err, SPN_ERROR_IO, "%s", why);
    if (chain->bad_change[0] != chain->bad_change[1])
        return spn_energy_refuse_change(chain->energy, chain->bad_site, chain->bad_change[0],
                                        "commit", chain->bad_change[1], chain->base.step, err);
    return spn_fail(err, SPN_ERROR_ENERGY,
                    "the energy '%s' is %s after a flip of site %zu in replica %zu (step %llu)",
                    chain->slots.name,
                    isinf(chain->energies[chain->bad_replica]) ? "-infinity" : "not a number",
                    chain->bad_site, chain->bad_replica, (unsigned long long)chain->base.step);
}

/* One block of at most `most` steps, made the fastest way. Errors: ENERGY, MEMORY. */
static spn_status make_steps(spn_chain *chain, uint64_t most, spn_error *err)
{
    const spn_way now = spn_parts_at(&chain->parts, chain->base.step);
    const uint64_t accepted = chain->accepted_total;
    const size_t limit = most < SPN_WAIT_CHUNK ? (size_t)most : SPN_WAIT_CHUNK;
    assert(most > 0);
    chain->interrupt = 0;
    chain->uphill = chain->downhill = 0;
    const bool waits = spn_waiting_is_on(chain);
    const size_t done = waits
                            ? spn_waiting_run(chain, steps_ahead(chain, limit)) /* by candidates */
                        : chain->sides ? make_stretch(chain, limit)
                                       : make_block(chain, limit);
    if (waits && chain->waiting->no_memory)
        return spn_no_memory(err, "the classes of %zu spins", chain->sites);
    assert(done <= limit);
    chain->base.step += done;
    chain->fresh = false;
    if (chain->base.step % SPN_SAVE_STEPS == 0) /* it may be saved here */
        spn_chain_refresh(chain);
    if (spn_centre_is_due(chain))
        spn_centre_draw(chain);
    spn_waiting_switch(chain);
    const spn_slice counts = {done * chain->streams, chain->accepted_total - accepted,
                              chain->uphill};
    spn_health_add(&chain->health, spn_slice_at(now), counts, chain->downhill,
                   done == spn_slice_left(now), chain->energies, chain->replicas);
    if (chain->first_hit != SPN_NO_HIT && chain->first_hit > 0 && chain->first_hit_seconds == 0)
        chain->first_hit_seconds = spn_sampler_seconds(&chain->base);
    return chain->bad_energy ? bad_energy(chain, err) : check_sometimes(chain, err);
}

static spn_status advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    spn_chain *chain = spn_chain_of(sampler);
    SPN_TRY(spn_parts_begin(&chain->parts, sampler, err));
    if (chain->options.stretch && chain->options.steps == 0)
        chain->options.steps = spn_parts_total(&chain->parts);
    return make_steps(chain, most, err);
}

static bool can_save(const spn_sampler *sampler)
{
    const spn_chain *chain = spn_chain_of(sampler);
    return !chain->slots.refresh || chain->fresh || chain->slots.visit;
}

const spn_sampler_type spn_chain_type = {.name = "chain",
                                         .advance = advance,
                                         .ended = ended,
                                         .look = spn_chain_look,
                                         .health = spn_chain_health,
                                         .can_save = can_save,
                                         .visit = spn_chain_visit,
                                         .check = spn_chain_check,
                                         .destroy = spn_chain_destroy};
