/* The state of a chain as bytes, and back. */
#include "chain/chain.h"

#include "chain/waiting.h"

#include "base/memory.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Starts the bytes of a saved chain; the arrays follow in the order of visit_arrays. */
typedef struct saved_head {
    uint64_t magic, sites, replicas;
    uint64_t started, step, accepted_total, improved_step;
    double beta, gamma;
    uint64_t first_hit;
    double first_hit_seconds, ran;
    uint64_t parts, parts_made; /* of a stretched run; 0 for others, whose options have them */
    double spent, pace;
    uint64_t still;
    spn_slice slices[SPN_SLICES];
} saved_head;

static const uint64_t MAGIC = 0x32656E6961686373; /* "schaine2" */

/* The coupling is part of it, and what is proposed. */
static uint64_t magic_of(const spn_chain *chain)
{
    enum { WAITING = 8 };
    return (MAGIC + (uint64_t)chain->options.coupling + (chain->waiting ? WAITING : 0)) ^
           chain->list_sum;
}

/* Behind the head, of a chain that may wait; the order of its sites follows where it is kept. */
typedef struct saved_waiting {
    spn_waiting_clock clock;
    uint64_t ordered;
} saved_waiting;

static size_t waiting_size(const spn_chain *chain, bool ordered)
{
    const size_t sites = ordered ? chain->replicas * chain->sites : 0;
    return chain->waiting ? sizeof(saved_waiting) + (sites * sizeof(uint32_t) + 7) / 8 * 8 : 0;
}

static void save_waiting(const spn_chain *chain, unsigned char *bytes)
{
    if (!chain->waiting)
        return;
    const saved_waiting saved = {chain->waiting->clock, chain->waiting->built};
    memcpy(bytes, &saved, sizeof saved);
    if (saved.ordered)
        spn_waiting_order(chain, (uint32_t *)(void *)(bytes + sizeof saved));
}

/* After the spins were attached. */
static spn_status load_waiting(spn_chain *chain, const unsigned char *bytes, spn_error *err)
{
    saved_waiting saved;
    if (!chain->waiting)
        return SPN_OK;
    memcpy(&saved, bytes, sizeof saved);
    if (saved.ordered &&
        !spn_waiting_build(chain, (const uint32_t *)(const void *)(bytes + sizeof saved)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory to load a chain");
    chain->waiting->clock = saved.clock;
    return SPN_OK;
}

/* Copy the arrays of a chain's state to bytes, or from them. */
static unsigned char *move_array(unsigned char *bytes, void *array, size_t size, bool save)
{
    memcpy(save ? (void *)bytes : array, save ? array : (void *)bytes, size);
    return bytes + size;
}

static size_t kept_parts(const spn_chain *chain)
{
    return chain->options.stretch ? chain->parts.count : 0;
}

static void move_arrays(const spn_chain *chain, unsigned char *bytes, bool save)
{
    const size_t y = chain->replicas;
    bytes = move_array(bytes, chain->parts.steps, kept_parts(chain) * sizeof(uint64_t), save);
    bytes = move_array(bytes, chain->health.energies, y * sizeof *chain->health.energies, save);
    bytes = move_array(bytes, chain->accepted, y * sizeof *chain->accepted, save);
    bytes = move_array(bytes, chain->proposals, y * sizeof *chain->proposals, save);
    bytes = move_array(bytes, chain->best.energy, y * sizeof *chain->best.energy, save);
    if (chain->centre)
        bytes = move_array(bytes, chain->centre, chain->sites, save);
    bytes = move_array(bytes, chain->spins, y * chain->sites, save);
    move_array(bytes, chain->best.spins, y * chain->sites, save);
}

/* The spins at the end of the bytes: of the centre, the replicas, and their best states. */
static size_t saved_spins(const spn_chain *chain)
{
    return (2 * chain->replicas + (chain->centre ? 1 : 0)) * chain->sites;
}

static size_t saved_size(const spn_chain *chain, bool ordered)
{
    return sizeof(saved_head) + waiting_size(chain, ordered) +
           kept_parts(chain) * sizeof(uint64_t) + chain->replicas * 4 * sizeof(uint64_t) +
           saved_spins(chain);
}

bool spn_chain_can_save(const spn_chain *chain)
{
    return !chain->slots.refresh || chain->fresh;
}

spn_status spn_chain_save(void **out, size_t *size, const spn_chain *chain, spn_error *err)
{
    *out = NULL;
    *size = 0;
    if (!spn_chain_can_save(chain))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a chain of this energy can be saved at multiples of %d steps, not at %llu",
                        SPN_SAVE_STEPS, (unsigned long long)chain->step);
    const bool ordered = chain->waiting && chain->waiting->built;
    const size_t needed = saved_size(chain, ordered);
    unsigned char *bytes = calloc(needed, 1);
    if (!bytes)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory to save a chain");
    saved_head head = {.magic = magic_of(chain),
                       .sites = chain->sites,
                       .replicas = chain->replicas,
                       .started = chain->started,
                       .step = chain->step,
                       .accepted_total = chain->accepted_total,
                       .improved_step = chain->improved_step,
                       .beta = chain->beta,
                       .gamma = chain->gamma,
                       .first_hit = chain->first_hit,
                       .first_hit_seconds = chain->first_hit_seconds,
                       .ran = chain->ran,
                       .parts = kept_parts(chain),
                       .parts_made = kept_parts(chain) ? chain->parts.made : 0,
                       .spent = chain->parts.spent,
                       .pace = chain->parts.pace};
    head.still = chain->health.still;
    memcpy(head.slices, chain->health.slices, sizeof head.slices);
    memcpy(bytes, &head, sizeof head);
    assert(needed >= sizeof head && chain->best.replicas == chain->replicas);
    save_waiting(chain, bytes + sizeof head);
    move_arrays(chain, bytes + sizeof head + waiting_size(chain, ordered), true);
    *out = bytes;
    *size = needed;
    return SPN_OK;
}

/* Whether the order is one of the sites of each replica, and the next candidate is to come. */
static bool is_waiting(const spn_chain *chain, const saved_head *head, const unsigned char *bytes)
{
    saved_waiting saved;
    memcpy(&saved, bytes, sizeof saved);
    const spn_waiting_clock *clock = &saved.clock;
    if (clock->until > head->step &&
        (clock->from > head->step || clock->next < head->step * chain->streams))
        return false;
    unsigned char *seen = saved.ordered ? calloc(chain->sites, 1) : NULL;
    const size_t all = saved.ordered ? chain->replicas * chain->sites : 0;
    bool good = seen || !saved.ordered;
    for (size_t k = 0; good && k < all; k++) {
        uint32_t site;
        memcpy(&site, bytes + sizeof saved + k * sizeof site, sizeof site);
        const unsigned char replica = (unsigned char)(k / chain->sites + 1);
        good = site < chain->sites && seen[site] != replica;
        if (good)
            seen[site] = replica;
    }
    free(seen);
    return good;
}

/* Whether the order of the sites is among the bytes. */
static bool is_ordered(const spn_chain *chain, const void *data, size_t size)
{
    saved_waiting saved = {.ordered = 0};
    if (chain->waiting && size >= sizeof(saved_head) + sizeof saved)
        memcpy(&saved, (const unsigned char *)data + sizeof(saved_head), sizeof saved);
    return saved.ordered != 0;
}

/* The steps that there can be: those of the parts that are made, of a stretched run; no walk comes
   to the end of 64 bits. */
static uint64_t most_steps(const spn_chain *chain, const saved_head *head,
                           const unsigned char *parts)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < head->parts_made; k++) {
        uint64_t steps;
        memcpy(&steps, parts + k * sizeof steps, sizeof steps);
        sum += steps;
    }
    if (chain->options.stretch)
        return sum;
    return chain->options.steps && chain->options.steps < INT64_MAX / 2 ? chain->options.steps
                                                                        : INT64_MAX / 2;
}

/* Whether the numbers of the head can be those of one run. */
static bool are_numbers(const saved_head *head, uint64_t most)
{
    return head->step <= most && head->improved_step <= head->step &&
           (head->first_hit <= head->step || head->first_hit == SPN_NO_HIT) &&
           isfinite(head->beta) && head->beta >= 0 && isfinite(head->gamma) && head->gamma >= 0 &&
           isfinite(head->spent) && isfinite(head->pace) && isfinite(head->ran) && head->ran >= 0 &&
           isfinite(head->first_hit_seconds) && head->first_hit_seconds >= 0;
}

/* Whether the best energies are numbers and, where energies are exact, no higher than those of the
   states; spins: behind the centre. Others are sums that rounding may leave higher. */
static bool are_best(const spn_chain *chain, const int8_t *spins, const unsigned char *energies)
{
    for (size_t a = 0; a < chain->replicas; a++) {
        double best;
        memcpy(&best, energies + a * sizeof best, sizeof best);
        if (!isfinite(best))
            return false;
        if (chain->energy->integral && !chain->slots.refresh &&
            best > spn_energy_value(chain->energy, spins + a * chain->sites))
            return false;
    }
    return true;
}

static spn_status check_saved(const spn_chain *chain, const saved_head *head,
                              const unsigned char *bytes, size_t size, spn_error *err)
{
    const bool ordered = is_ordered(chain, bytes, size);
    if (size != saved_size(chain, ordered) || head->magic != magic_of(chain) ||
        head->sites != chain->sites || head->replicas != chain->replicas ||
        head->parts != kept_parts(chain) || head->parts_made > head->parts || !(head->spent >= 0) ||
        !(head->pace >= 0))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "this is not the saved state of a chain of %zu replicas of %zu spins",
                        chain->replicas, chain->sites);
    if (chain->waiting && !is_waiting(chain, head, bytes + sizeof *head))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the saved state has no order of its spins");
    const size_t parts = sizeof *head + waiting_size(chain, ordered);
    for (size_t k = 0; k < head->parts; k++) {
        uint64_t steps;
        memcpy(&steps, bytes + parts + k * sizeof steps, sizeof steps);
        if (steps < 1 || steps > INT64_MAX / (head->parts * head->parts))
            return spn_fail(err, SPN_ERROR_ARGUMENT, "the saved state has a part of no length");
    }
    if (!are_numbers(head, most_steps(chain, head, bytes + parts)))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "the saved state has numbers that no run comes to, at step %llu",
                        (unsigned long long)head->step);
    const size_t count = saved_spins(chain);
    const int8_t *spins = (const int8_t *)bytes + size - count;
    for (size_t k = 0; k < count; k++)
        if (spins[k] != 1 && spins[k] != -1)
            return spn_fail(err, SPN_ERROR_ARGUMENT, "the saved state has a spin of %d", spins[k]);
    if (chain->options.coupling == SPN_COUPLING_GIVEN &&
        memcmp(spins, chain->centre, chain->sites) != 0)
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the saved state is of another given centre");
    const size_t centre = chain->centre ? chain->sites : 0;
    if (!are_best(chain, spins + centre,
                  (const unsigned char *)spins - chain->replicas * sizeof(double)))
        return spn_fail(err, SPN_ERROR_ARGUMENT, "the saved state has best energies that are not");
    return SPN_OK;
}

spn_status spn_chain_load(spn_chain *chain, const void *data, size_t size, spn_error *err)
{
    saved_head head = {0};
    memcpy(&head, data, size < sizeof head ? size : sizeof head);
    spn_status status = check_saved(chain, &head, data, size, err);
    if (status)
        return status;
    unsigned char *copy = malloc(size);
    if (!copy)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory to load a chain");
    memcpy(copy, data, size);
    move_arrays(chain, copy + sizeof head + waiting_size(chain, is_ordered(chain, data, size)),
                false);
    chain->started = head.started != 0;
    chain->step = head.step;
    chain->accepted_total = head.accepted_total;
    chain->improved_step = head.improved_step;
    chain->beta = head.beta;
    chain->gamma = head.gamma;
    chain->first_hit = head.first_hit;
    chain->first_hit_seconds = head.first_hit_seconds;
    chain->ran = head.ran;
    chain->health.still = head.still;
    memcpy(chain->health.slices, head.slices, sizeof head.slices);
    chain->parts.spent = head.spent;
    chain->parts.pace = head.pace;
    if (head.parts)
        chain->parts.made = (size_t)head.parts_made;
    chain->parts.now = 0;
    chain->parts.start = 0;
    spn_parts_enter(&chain->parts, chain->step);
    chain->options.steps = spn_parts_total(&chain->parts);
    status = spn_chain_attach(chain, err);
    if (!status)
        status = load_waiting(chain, copy + sizeof head, err);
    free(copy);
    return status;
}
