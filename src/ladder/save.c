/* The state of a ladder as bytes, and back: one function visits all of it, to measure, to write and
   to read, so that the three cannot differ. */
#include "ladder/ladder.h"

#include "base/memory.h"
#include "ladder/simulated.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t MAGIC = 0x3172656464616C73; /* "sladder1" */

typedef enum archive_mode { MEASURE, WRITE, READ } archive_mode;

typedef struct archive {
    archive_mode mode;
    unsigned char *bytes; /* written, or read only */
    size_t size, at;
    bool is_short; /* there was less to read than needed */
} archive;

static void move(archive *file, void *data, size_t size)
{
    if (file->mode != MEASURE && size > file->size - file->at) {
        file->is_short = true;
        return;
    }
    if (size == 0) /* the array may not be there */
        return;
    if (file->mode == WRITE)
        memcpy(file->bytes + file->at, data, size);
    else if (file->mode == READ)
        memcpy(data, file->bytes + file->at, size);
    file->at += size;
}

/* What says which ladder it is, and how large the rest. */
typedef struct saved_head {
    uint64_t magic, sites, replicas, total_scans, scan_steps;
    uint64_t started, in_scan, scan, round, round_scan, proposals;
    double spent;
    uint64_t rungs, walkers, kept;
} saved_head;

static saved_head head_of(const spn_ladder *ladder)
{
    return (saved_head){.magic = MAGIC,
                        .sites = ladder->energy->sites,
                        .replicas = ladder->chain.replicas,
                        .total_scans = ladder->total_scans,
                        .scan_steps = ladder->options.scan_steps,
                        .started = ladder->started,
                        .in_scan = ladder->in_scan,
                        .scan = ladder->scan,
                        .round = ladder->round,
                        .round_scan = ladder->round_scan,
                        .proposals = ladder->proposals,
                        .spent = spn_ladder_seconds(ladder),
                        .rungs = ladder->rungs,
                        .walkers = ladder->walkers,
                        .kept = ladder->kept};
}

/* The arrays of a ladder, but for its chains. */
static void move_arrays(archive *file, spn_ladder *ladder)
{
    const size_t y = ladder->chain.replicas, sites = ladder->energy->sites;
    move(file, ladder->fraction, ladder->rungs * sizeof *ladder->fraction);
    move(file, ladder->weight, ladder->rungs * sizeof *ladder->weight);
    move(file, ladder->totals, ladder->rungs * sizeof *ladder->totals);
    move(file, ladder->tallies, ladder->rungs * SPN_LADDER_BLOCKS * sizeof *ladder->tallies);
    move(file, ladder->kept_states, ladder->kept * sizeof *ladder->kept_states);
    move(file, ladder->kept_energies, ladder->kept * y * sizeof *ladder->kept_energies);
    move(file, ladder->kept_spins, ladder->kept * y * sites);
    for (size_t w = 0; w < ladder->walkers; w++)
        move(file, &ladder->walker[w].s, sizeof ladder->walker[w].s);
}

/* ---- save ---- */

bool spn_ladder_can_save(const spn_ladder *ladder)
{
    for (size_t w = 0; w < ladder->walkers; w++)
        if (!spn_chain_can_save(ladder->walker[w].chain))
            return false;
    return true;
}

uint64_t spn_ladder_save_scans(const spn_ladder *ladder)
{
    return ladder->save_scans;
}

static spn_status save_chains(archive *file, const spn_ladder *ladder, spn_error *err)
{
    for (size_t w = 0; w < ladder->walkers; w++) {
        void *bytes;
        size_t size;
        const spn_status status = spn_chain_save(&bytes, &size, ladder->walker[w].chain, err);
        if (status)
            return status;
        uint64_t length = size;
        move(file, &length, sizeof length);
        move(file, bytes, size);
        free(bytes);
    }
    return SPN_OK;
}

static spn_status save_stores(archive *file, const spn_ladder *ladder, spn_error *err)
{
    for (size_t k = 0; k < ladder->store_count; k++) {
        uint64_t length = spn_store_saved_size(ladder->stores[k]);
        unsigned char *bytes = malloc((size_t)length);
        if (!bytes)
            return spn_fail(err, SPN_ERROR_MEMORY, "out of memory to save stored states");
        spn_store_save(bytes, ladder->stores[k]);
        move(file, &length, sizeof length);
        move(file, bytes, (size_t)length);
        free(bytes);
    }
    return SPN_OK;
}

static spn_status save_all(archive *file, spn_ladder *ladder, spn_error *err)
{
    saved_head head = head_of(ladder);
    move(file, &head, sizeof head);
    move_arrays(file, ladder);
    const spn_status status = save_stores(file, ladder, err);
    return status ? status : save_chains(file, ladder, err);
}

spn_status spn_ladder_save(void **out, size_t *size, const spn_ladder *ladder, spn_error *err)
{
    archive file = {.mode = MEASURE};
    spn_ladder *own = (spn_ladder *)ladder; /* which measuring and writing do not change */
    *out = NULL;
    *size = 0;
    if (!spn_ladder_can_save(ladder))
        return spn_fail(err, SPN_ERROR_ARGUMENT,
                        "a ladder of this energy can be saved at multiples of %llu scans",
                        (unsigned long long)ladder->save_scans);
    for (size_t w = 0; w < ladder->walkers; w++)
        own->walker[w].s.redraws = ladder->walker[w].chain->redraws;
    spn_status status = save_all(&file, own, err);
    if (status)
        return status;
    file = (archive){.mode = WRITE, .bytes = malloc(file.at), .size = file.at};
    if (!file.bytes)
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory to save a ladder");
    status = save_all(&file, own, err);
    assert(status || (!file.is_short && file.at == file.size));
    if (status) {
        free(file.bytes);
        return status;
    }
    *out = file.bytes;
    *size = file.size;
    return SPN_OK;
}

/* ---- load ---- */

static spn_status no_ladder(const spn_ladder *ladder, const char *why, spn_error *err)
{
    return spn_fail(err, SPN_ERROR_ARGUMENT,
                    "this is not the saved state of a ladder of %zu replicas of %zu spins and %llu "
                    "scans: %s",
                    ladder->chain.replicas, ladder->energy->sites,
                    (unsigned long long)ladder->total_scans, why);
}

/* Whether the scans of the rounds add up; at the end of a round the next one has begun. */
static bool is_at_scan(const spn_ladder *ladder, const saved_head *head)
{
    const uint32_t round = (uint32_t)head->round;
    uint64_t scans = head->round_scan;
    if (head->round_scan > spn_ladder_round_length(ladder, round))
        return false;
    for (uint32_t r = 0; r < round; r++)
        scans += spn_ladder_round_length(ladder, r);
    return head->scan == scans && (head->round_scan < spn_ladder_round_length(ladder, round) ||
                                   (head->scan == ladder->total_scans && !head->in_scan));
}

static spn_status check_head(const spn_ladder *ladder, const saved_head *head, size_t size,
                             spn_error *err)
{
    const saved_head own = head_of(ladder);
    const size_t kept_size = own.replicas * (own.sites + sizeof(double)) + sizeof(spn_kept_state);
    if (head->magic != own.magic || head->sites != own.sites || head->replicas != own.replicas ||
        head->total_scans != own.total_scans || head->scan_steps != own.scan_steps)
        return no_ladder(ladder, "it is of another", err);
    if (head->rungs < 2 || head->rungs > SPN_LADDER_MOST_RUNGS || head->walkers < head->rungs ||
        head->walkers > SPN_LADDER_MOST_RUNGS || head->kept > size / kept_size ||
        (ladder->options.rungs && head->rungs != ladder->options.rungs))
        return no_ladder(ladder, "its numbers of rungs, walkers and states disagree", err);
    if (head->round >= ladder->options.rounds || !(head->spent >= 0) || !isfinite(head->spent) ||
        !is_at_scan(ladder, head))
        return no_ladder(ladder, "its scans and rounds disagree", err);
    return SPN_OK;
}

/* Room for what the head says. */
static spn_status make_room(spn_ladder *ladder, const saved_head *head, spn_error *err)
{
    const size_t y = ladder->chain.replicas, kept = (size_t)head->kept;
    while (ladder->walkers < head->walkers) {
        const spn_status status = spn_ladder_add_walker(ladder, err);
        if (status)
            return status;
    }
    while (ladder->walkers > head->walkers)
        spn_chain_free(ladder->walker[--ladder->walkers].chain);
    if (kept > 0 && (!spn_grow(&ladder->kept_states, &ladder->kept_capacity, kept,
                               sizeof *ladder->kept_states) ||
                     !spn_grow(&ladder->kept_energies, &ladder->kept_energy_capacity, kept * y,
                               sizeof *ladder->kept_energies) ||
                     !spn_grow(&ladder->kept_spins, &ladder->kept_spin_capacity,
                               kept * y * ladder->energy->sites, 1)))
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for %zu states", kept);
    return SPN_OK;
}

static void take_head(spn_ladder *ladder, const saved_head *head)
{
    ladder->started = head->started != 0;
    ladder->in_scan = head->in_scan != 0;
    ladder->scan = head->scan;
    ladder->round = (uint32_t)head->round;
    ladder->round_scan = head->round_scan;
    ladder->proposals = head->proposals;
    ladder->spent = head->spent;
    ladder->rungs = (size_t)head->rungs;
    ladder->kept = (size_t)head->kept;
}

static bool are_fractions(const double *u, size_t count)
{
    for (size_t k = 1; k < count; k++)
        if (!(u[k] > u[k - 1]))
            return false;
    return u[0] == 0 && u[count - 1] == 1;
}

static bool are_weights(const spn_ladder *ladder)
{
    for (size_t k = 0; k < ladder->rungs; k++)
        if (!isfinite(ladder->weight[k]))
            return false;
    return true;
}

/* Each rung has one walker, but where walkers go their own ways. */
static bool place_walkers(spn_ladder *ladder)
{
    for (size_t w = 0; w < ladder->walkers; w++)
        if (ladder->walker[w].s.left > ladder->options.scan_steps)
            return false;
    if (spn_ladder_simulates(ladder))
        return spn_ladder_place_simulated(ladder);
    for (size_t k = 0; k < ladder->rungs; k++)
        ladder->walker_at[k] = SIZE_MAX;
    for (size_t w = 0; w < ladder->walkers; w++) {
        const spn_walker_state *s = &ladder->walker[w].s;
        if (s->rung == UINT64_MAX)
            continue;
        if (s->rung >= ladder->rungs || ladder->walker_at[s->rung] != SIZE_MAX)
            return false;
        ladder->walker_at[s->rung] = w;
    }
    for (size_t k = 0; k < ladder->rungs; k++)
        if (ladder->walker_at[k] == SIZE_MAX)
            return false;
    return true;
}

static spn_status load_stores(archive *file, spn_ladder *ladder, spn_error *err)
{
    spn_status status = spn_ladder_begin_stores(ladder, err);
    for (size_t k = 0; k < ladder->store_count && !status; k++) {
        uint64_t length = 0;
        move(file, &length, sizeof length);
        if (file->is_short || length > file->size - file->at)
            return no_ladder(ladder, "it is too short", err);
        status = spn_store_load(ladder->stores[k], file->bytes + file->at, (size_t)length, err);
        file->at += (size_t)length;
    }
    return status;
}

static spn_status load_chains(archive *file, spn_ladder *ladder, spn_error *err)
{
    for (size_t w = 0; w < ladder->walkers; w++) {
        uint64_t length = 0;
        move(file, &length, sizeof length);
        if (file->is_short || length > file->size - file->at)
            return no_ladder(ladder, "it is too short", err);
        spn_chain *chain = ladder->walker[w].chain;
        const spn_status status =
            spn_chain_load(chain, file->bytes + file->at, (size_t)length, err);
        if (status)
            return status;
        chain->redraws = ladder->walker[w].s.redraws;
        file->at += (size_t)length;
    }
    return file->at == file->size ? SPN_OK : no_ladder(ladder, "it is too long", err);
}

spn_status spn_ladder_load(spn_ladder *ladder, const void *data, size_t size, spn_error *err)
{
    archive file = {.mode = READ, .bytes = (unsigned char *)data, .size = size};
    saved_head head = {0};
    spn_status status;
    move(&file, &head, sizeof head);
    if (file.is_short)
        return no_ladder(ladder, "it is too short", err);
    if ((status = check_head(ladder, &head, size, err)) || (status = make_room(ladder, &head, err)))
        return status;
    take_head(ladder, &head);
    move_arrays(&file, ladder);
    if (file.is_short)
        return no_ladder(ladder, "it is too short", err);
    if (!are_fractions(ladder->fraction, ladder->rungs) || !are_weights(ladder) ||
        !place_walkers(ladder))
        return no_ladder(ladder, "its rungs are in disorder", err);
    if (!(status = load_stores(&file, ladder, err)))
        status = load_chains(&file, ladder, err);
    return status ? status : spn_ladder_set_points(ladder, err);
}
