/* Makes a chain: checks the options, allocates, and places the replicas at their start. */
#include "base/text.h"
#include "chain/chain.h"

#include "base/memory.h"
#include "chain/levels.h"
#include "chain/waiting.h"
#include "core/energy.h"
#include "core/kernel.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include <xxhash.h>

const spn_names spn_start_names =
    SPN_NAME_LIST("start", [SPN_START_SAME] = "same", [SPN_START_INDEPENDENT] = "independent",
                  [SPN_START_GIVEN] = "given");
const spn_names spn_target_names = SPN_NAME_LIST(
    "target", [SPN_TARGET_NONE] = "none", [SPN_TARGET_ANY] = "any", [SPN_TARGET_ALL] = "all");
const spn_names spn_stop_names = SPN_NAME_LIST(
    "reason to stop", [SPN_STOP_NONE] = "none", [SPN_STOP_STEPS] = "steps",
    [SPN_STOP_TARGET] = "target", [SPN_STOP_PATIENCE] = "patience", [SPN_STOP_TIME] = "time",
    [SPN_STOP_REQUEST] = "interrupted", [SPN_STOP_FROZEN] = "frozen");

static spn_status check_proposed(const spn_energy *energy, const spn_chain_options *o,
                                 spn_error *err)
{
    if (!o->proposed)
        return o->proposed_count == 0 ? SPN_OK
                                      : spn_refuse(err, "a list of %zu sites to propose is missing",
                                                   o->proposed_count);
    SPN_REFUSE_IF(o->proposed_count < 1 || o->proposed_count > UINT32_MAX, err,
                  "1 to 2^32-1 sites can be proposed, not %zu", o->proposed_count);
    for (size_t k = 0; k < o->proposed_count; k++)
        SPN_REFUSE_IF(o->proposed[k] >= energy->sites, err,
                      "proposed: site %u does not exist; there are only %zu",
                      (unsigned)o->proposed[k], energy->sites);
    return SPN_OK;
}

static size_t choices_of(const spn_energy *energy, const spn_chain_options *o)
{
    return o->proposed ? o->proposed_count : energy->sites;
}

static spn_status check_options(const spn_energy *energy, const spn_chain_options *o,
                                spn_error *err)
{
    SPN_REFUSE_IF(energy->sites == 0 || energy->sites > UINT32_MAX, err,
                  "an energy has 1 to 2^32-1 spins, not %zu", energy->sites);
    SPN_REFUSE_IF(o->replicas < 1 || o->replicas > SPN_MAX_REPLICAS, err,
                  "replicas: %zu is not 1 to %d", o->replicas, SPN_MAX_REPLICAS);
    SPN_REFUSE_IF(!spn_start_name(o->start) || !spn_target_name(o->target), err,
                  "there is no start number %d or target number %d", (int)o->start, (int)o->target);
    SPN_REFUSE_IF(o->start == SPN_START_GIVEN && !o->given, err, "a given start needs its spins");
    SPN_REFUSE_IF(o->threads < 1 || o->threads > 4096, err, "threads: %u is not 1 to 4096",
                  o->threads);
    SPN_REFUSE_IF(o->steps > INT64_MAX, err, "steps: more than 2^63-1");
    SPN_REFUSE_IF(!(o->seconds >= 0), err, "seconds: %g is not 0 or more", o->seconds);
    SPN_REFUSE_IF(o->target != SPN_TARGET_NONE && isnan(o->target_energy), err,
                  "the target energy is not a number");
    SPN_REFUSE_IF(!spn_coupling_kind_name(o->coupling), err, "there is no coupling number %d",
                  (int)o->coupling);
    SPN_REFUSE_IF(o->coupling == SPN_COUPLING_GIVEN && !o->centre, err,
                  "a given centre needs its spins");
    SPN_REFUSE_IF(!spn_moves_name(o->moves), err, "there is no way of moving number %d",
                  (int)o->moves);
    SPN_REFUSE_IF(!spn_kernel_traits_of(o->kernel), err, "there is no kernel number %d",
                  (int)o->kernel);
    SPN_TRY(check_proposed(energy, o, err));
    SPN_TRY(spn_order_check(o->order, o->replicas, choices_of(energy, o), err));
    const uint64_t steps = o->part_count || o->stretch ? 1 : o->steps; /* any number will do */
    if (o->beta)
        SPN_TRY(spn_schedule_check(o->beta, "beta", true, steps, err));
    return o->gamma ? spn_schedule_check(o->gamma, "gamma", false, steps, err) : SPN_OK;
}

static spn_status copy_schedules(spn_chain *chain, spn_error *err)
{
    spn_chain_options *o = &chain->options;
    SPN_TRY(spn_schedule_copy(&chain->beta_schedule, o->beta ? o->beta : &spn_schedule_one, err));
    SPN_TRY(
        spn_schedule_copy(&chain->gamma_schedule, o->gamma ? o->gamma : &spn_schedule_zero, err));
    o->beta = chain->beta_schedule;
    o->gamma = chain->gamma_schedule;
    return SPN_OK;
}

static bool copy_proposed(spn_chain *chain)
{
    spn_chain_options *o = &chain->options;
    if (!o->proposed)
        return true;
    const size_t size = chain->choices * sizeof *chain->proposed;
    if (!(chain->proposed = spn_alloc(chain->choices, sizeof *chain->proposed)))
        return false;
    memcpy(chain->proposed, o->proposed, size);
    chain->list_sum = XXH3_64bits(chain->proposed, size) | 1;
    o->proposed = chain->proposed;
    return true;
}

static bool allocate(spn_chain *chain)
{
    const size_t y = chain->replicas;
    size_t capacity = 1024 / chain->streams / 16 * 16;
    spn_block *block = &chain->block;
    block->capacity = capacity < 16 ? 16 : capacity;
    size_t draws = block->capacity * chain->streams;
    assert(block->capacity >= 16 && draws >= block->capacity);
    chain->cache_stride = (spn_energy_cache_size(chain->energy) + 63) / 64 * 64;
    chain->spins = spn_alloc(y, chain->sites);
    chain->sums = spn_alloc(chain->sites, sizeof *chain->sums);
    chain->energies = spn_alloc(y, sizeof *chain->energies);
    chain->accepted = spn_alloc(y, sizeof *chain->accepted);
    chain->proposals = spn_alloc(y, sizeof *chain->proposals);
    chain->health.energies = spn_alloc(y, sizeof *chain->health.energies);
    chain->caches = spn_alloc(y, chain->cache_stride);
    chain->trial = spn_alloc(y, sizeof *chain->trial);
    chain->has_trial = spn_alloc(y, sizeof *chain->has_trial);
    block->site = spn_alloc(draws + SPN_LOOKAHEAD, sizeof *block->site);
    block->replica = spn_alloc(draws, sizeof *block->replica);
    block->threshold = spn_alloc(draws, sizeof *block->threshold);
    block->beta = spn_alloc(block->capacity, sizeof *block->beta);
    block->gamma = spn_alloc(block->capacity, sizeof *block->gamma);
    return chain->health.energies && chain->spins && chain->sums && chain->energies &&
           chain->accepted && chain->proposals && chain->caches && chain->trial &&
           chain->has_trial && block->site && block->replica && block->threshold && block->beta &&
           block->gamma && copy_proposed(chain);
}

static spn_status place_start(spn_chain *chain, spn_error *err)
{
    const spn_chain_options *o = &chain->options;
    for (size_t a = 0; a < chain->replicas; a++) {
        int8_t *spins = spn_chain_spins(chain, a);
        if (o->start == SPN_START_GIVEN) {
            memcpy(spins, o->given + a * chain->sites, chain->sites);
        } else if (o->start == SPN_START_INDEPENDENT || a == 0) {
            spn_random random = spn_random_make(o->seed, o->run, (uint32_t)a, SPN_PURPOSE_START);
            spn_random_spins(&random, spins, chain->sites);
        } else {
            memcpy(spins, chain->spins, chain->sites);
        }
        for (size_t i = 0; i < chain->sites; i++)
            SPN_REFUSE_IF(spins[i] != 1 && spins[i] != -1, err,
                          "the given start has %d at site %zu of replica %zu; spins are -1 or +1",
                          spins[i], i, a);
    }
    return SPN_OK;
}

spn_status spn_chain_attach(spn_chain *chain, spn_error *err)
{
    memset(chain->sums, 0, chain->sites * sizeof *chain->sums);
    chain->at_target = 0;
    for (size_t a = 0; a < chain->replicas; a++) {
        const int8_t *spins = spn_chain_spins(chain, a);
        for (size_t i = 0; i < chain->sites; i++)
            chain->sums[i] = (int16_t)(chain->sums[i] + spins[i]);
        assert((uintptr_t)spn_chain_cache(chain, a) % 64 == 0);
        double value = chain->slots.attach(chain->energy, spn_chain_cache(chain, a), spins);
        const char *why =
            isnan(value) && chain->slots.failure ? chain->slots.failure(chain->energy) : NULL;
        if (why)
            return spn_fail(err, SPN_ERROR_IO, "%s", why);
        if (!(value > -INFINITY))
            return spn_fail(err, SPN_ERROR_ENERGY, "the energy '%s' of the start is %s",
                            chain->slots.name, isnan(value) ? "not a number" : "-infinity");
        chain->energies[a] = value;
        spn_chain_note_size(chain, value);
        chain->at_target += value <= chain->options.target_energy;
        spn_best_forget_flips(&chain->best, a);
    }
    chain->fresh = true;
    spn_waiting_forget(chain);
    return SPN_OK;
}

/* Search on from where a random start of infinite energy was drawn. */
static spn_status leave_infinity(spn_chain *chain, size_t a, spn_error *err)
{
    const spn_chain_options *o = &chain->options;
    int8_t *spins = spn_chain_spins(chain, a);
    if (o->start == SPN_START_GIVEN)
        return spn_fail(err, SPN_ERROR_ENERGY,
                        "the energy '%s' of the given start of replica %zu is infinite; give "
                        "states of finite energy",
                        chain->slots.name, a);
    spn_random random = spn_random_make(o->seed, o->run, (uint32_t)a, SPN_PURPOSE_START);
    spn_random_spins(&random, spins, chain->sites);
    spn_energy_leave_infinity(&chain->energies[a], chain->energy, spins, &random);
    if (chain->energies[a] == INFINITY)
        return spn_fail(err, SPN_ERROR_ENERGY,
                        "the energy '%s' is infinite at every state of a random start's search; "
                        "give `init` states of finite energy, or make forbidden states finite but "
                        "high",
                        chain->slots.name);
    for (size_t b = a + 1; o->start == SPN_START_SAME && b < chain->replicas; b++)
        memcpy(spn_chain_spins(chain, b), spins, chain->sites);
    return SPN_OK;
}

/* Attach the start, at states of finite energy. */
static spn_status attach_start(spn_chain *chain, spn_error *err)
{
    SPN_TRY(spn_chain_attach(chain, err));
    bool moved = false;
    for (size_t a = 0; a < chain->replicas; a++) {
        if (chain->energies[a] < INFINITY)
            continue;
        moved = true;
        SPN_TRY(leave_infinity(chain, a, err));
        if (chain->options.start == SPN_START_SAME)
            break;
    }
    return moved ? spn_chain_attach(chain, err) : SPN_OK;
}

static spn_chain *chain_shell(const spn_energy *energy, const spn_chain_options *options)
{
    spn_chain *chain = spn_alloc(1, sizeof *chain);
    if (!chain)
        return NULL;
    spn_sampler_init(&chain->base, &spn_chain_type);
    chain->base.endless = options->steps == 0 && options->part_count == 0 && !options->stretch &&
                          options->target == SPN_TARGET_NONE && options->patience == 0;
    chain->energy = energy;
    chain->slots = spn_energy_resolve(energy);
    chain->base.least = chain->slots.together ? chain->slots.together : 1;
    chain->options = *options;
    chain->sites = energy->sites;
    chain->choices = choices_of(energy, options);
    chain->replicas = options->replicas;
    chain->picks_replica = spn_order_picks_replica(options->order);
    chain->streams = chain->picks_replica ? 1 : options->replicas;
    chain->two_stage = spn_kernel_traits_of(options->kernel)->two_stage;
    chain->draw = spn_draw_select(spn_cpu_isa());
    chain->target_count = options->target == SPN_TARGET_NONE  ? SIZE_MAX
                          : options->target == SPN_TARGET_ANY ? 1
                                                              : options->replicas;
    return chain;
}

static spn_status begin(spn_chain *chain, spn_error *err)
{
    const spn_chain_options *o = &chain->options;
    SPN_TRY(spn_parts_init(&chain->parts, &chain->options, err));
    SPN_TRY(copy_schedules(chain, err));
    SPN_TRY(place_start(chain, err));
    SPN_TRY(spn_best_init(&chain->best, chain->replicas, chain->sites, err));
    SPN_TRY(attach_start(chain, err));
    spn_best_start(&chain->best, chain->spins, chain->energies);
    chain->first_hit = chain->at_target > 0 ? 0 : SPN_NO_HIT;
    memcpy(chain->health.energies, chain->energies, chain->replicas * sizeof *chain->energies);
    chain->options.given = NULL;
    chain->gamma_varies = spn_schedule_traits_of(o->gamma->kind)->changes == SPN_CHANGES_EACH_STEP;
    const spn_way first = spn_parts_at(&chain->parts, 0);
    chain->beta = spn_schedule_value(o->beta, 0, first.steps, 0, chain->replicas);
    chain->gamma = spn_schedule_value(o->gamma, 0, first.steps, 0, chain->replicas);
    spn_coupling_set(&chain->coupling, chain->gamma, chain->replicas);
    SPN_TRY(spn_centre_begin(chain, err));
    spn_sides_make(chain);
    SPN_TRY(spn_waiting_create(chain, err));
    SPN_TRY(spn_levels_create(chain, err));
    assert(spn_chain_is_consistent(chain) && spn_sampler_can_save(&chain->base));
    return SPN_OK;
}

spn_status spn_chain_create(spn_sampler **out, const spn_energy *energy,
                            const spn_chain_options *given, spn_error *err)
{
    spn_chain_options options = spn_chain_defaults();
    *out = NULL;
    SPN_TRY(spn_sized_take(&options, sizeof options, given, "spn_chain_defaults", err));
    SPN_TRY(check_options(energy, &options, err));
    spn_chain *chain = chain_shell(energy, &options);
    SPN_NEED(chain, err, "a chain");
    const spn_status status = allocate(chain) ? begin(chain, err)
                                              : spn_no_memory(err, "%zu replicas of %zu spins",
                                                              options.replicas, energy->sites);
    if (status)
        spn_sampler_free(&chain->base);
    else
        *out = &chain->base;
    return status;
}

void spn_chain_destroy(spn_sampler *sampler)
{
    spn_chain *chain = spn_chain_of(sampler);
    spn_schedule_free(chain->beta_schedule);
    spn_schedule_free(chain->gamma_schedule);
    spn_best_clear(&chain->best);
    spn_team_free(chain->sharing.team);
    spn_sides_free(chain->sides);
    spn_waiting_free(chain->waiting);
    spn_levels_free(chain->levels);
    spn_parts_clear(&chain->parts);
    SPN_FREE_ALL(chain->proposed, chain->spins, chain->sums, chain->centre, chain->energies,
                 chain->accepted, chain->proposals, chain->health.energies, chain->caches,
                 chain->trial, chain->has_trial, chain->block.site, chain->block.replica,
                 chain->block.threshold, chain->block.beta, chain->block.gamma, chain);
}
