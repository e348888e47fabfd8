#include "task/chain.h"

#include "base/memory.h"
#include "base/try.h"
#include "task/tables.h"

#include <math.h>
#include <spinney/chain.h>
#include <stdlib.h>

#define AT(member) offsetof(spn_chain_found, member)
const spn_quantity spn_chain_results[] = {
    {"stop", SPN_QUANTITY_TEXT, .at = AT(stop),
     .help = "why the run ended: steps, target, patience, time, frozen or interrupted"},
    {"steps_done", .unit = "steps", .label = "steps", .at = AT(steps_done), .help = "steps done"},
    {"proposals", .label = "proposals", .at = AT(proposals), .help = "proposals of all replicas"},
    {"beta_start", .flags = SPN_QUANTITY_OPTIONAL, .label = "beta at the start",
     .at = AT(beta_start), .help = "first value of beta"},
    {"beta_end", .flags = SPN_QUANTITY_OPTIONAL, .label = "beta at the end", .at = AT(beta_end),
     .help = "value of beta after all steps; if their number is not known, that of the last step"},
    {"health", SPN_QUANTITY_TEXT, .at = AT(health),
     .help = "health of the annealing: good, frozen from the start, frozen for most, hot at the "
             "end, too short to tell"},
    SPN_SECONDS_QUANTITY,
    {.name = NULL}};

double spn_hit_seconds(const void *hit)
{
    return ((const spn_hit_found *)hit)->seconds;
}

const spn_quantity spn_hit_results[] = {SPN_HIT_ROWS(NULL, NULL, NULL)};

typedef struct overlap_row {
    double first, second, overlap;
} overlap_row;

#define COLUMN(column, ...)                                                                        \
    SPN_COLUMN("overlaps", overlap_row, column, .flags = SPN_QUANTITY_DETAIL, __VA_ARGS__)
const spn_quantity spn_overlap_results[] = {
    COLUMN(first, .help = "number of the first replica, from 1"),
    COLUMN(second, .help = "number of the second"),
    COLUMN(overlap, .label = "overlap of two replicas",
           .help = "their scalar product at the end, over N"),
    {.name = NULL}};

static void pack(uint64_t *out, const spn_snapshot *s, size_t words)
{
    for (size_t a = 0; a < s->replicas; a++)
        for (size_t i = 0; i < s->sites; i++)
            if (s->spins[a * s->sites + i] > 0)
                out[a * words + i / 64] |= (uint64_t)1 << i % 64;
}

static double overlap_of(const uint64_t *a, const uint64_t *b, size_t words, size_t sites)
{
    uint64_t differ = 0;
    for (size_t w = 0; w < words; w++)
        differ += (uint64_t)__builtin_popcountll(a[w] ^ b[w]);
    return 1 - 2 * (double)differ / (double)sites;
}

static spn_status take_overlaps(spn_curve_rows *out, const spn_snapshot *s, spn_error *err)
{
    const size_t y = s->replicas, pairs = y * (y - 1) / 2, words = s->sites / 64 + 1;
    if (pairs == 0)
        return SPN_OK;
    uint64_t *bits = spn_alloc(y * words, sizeof *bits);
    overlap_row *row = spn_curve_make(out, pairs, sizeof *row, err);
    if (!bits || !row) {
        free(bits);
        return spn_no_memory(err, "the overlaps");
    }
    pack(bits, s, words);
    for (size_t a = 0; a < y; a++)
        for (size_t b = a + 1; b < y; b++)
            *row++ = (overlap_row){(double)(a + 1), (double)(b + 1),
                                   overlap_of(bits + a * words, bits + b * words, words, s->sites)};
    free(bits);
    return SPN_OK;
}

static spn_hit_found take_hit(const spn_snapshot *s, size_t step_proposals)
{
    const bool hit = s->first_hit != SPN_NO_HIT;
    const double steps = hit ? (double)s->first_hit : NAN;
    return (spn_hit_found){hit ? 1 : 0, steps, steps * (double)step_proposals,
                           s->first_hit_seconds};
}

spn_status spn_chain_found_take(spn_chain_found *out, const spn_ran *chain, size_t step_proposals,
                                bool overlaps, spn_error *err)
{
    spn_snapshot s;
    uint64_t proposals = 0;
    double beta[2];
    spn_chain_snapshot(&s, chain->sampler);
    spn_chain_beta(beta, chain->sampler);
    for (size_t a = 0; a < s.replicas; a++)
        proposals += s.proposals[a];
    *out = (spn_chain_found){.stop = spn_stop_name(chain->stop),
                             .health = spn_health_name(spn_sampler_health(chain->sampler)),
                             .steps_done = (double)s.step,
                             .proposals = (double)proposals,
                             .beta_start = beta[0],
                             .beta_end = beta[1],
                             .hit = take_hit(&s, step_proposals)};
    return overlaps ? take_overlaps(&out->overlaps, &s, err) : SPN_OK;
}

void spn_chain_found_clear(spn_chain_found *found)
{
    free(found->overlaps.rows);
    found->overlaps.rows = NULL;
}
