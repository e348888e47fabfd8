/* Counts of states from what the rungs of a ladder showed. */
#include "analysis/stones.h"

#include "analysis/common.h"
#include "chain/jackknife.h"

#include <assert.h>
#include <stdlib.h>

enum { BLOCKS = 20 }; /* at most SPN_JACKKNIFE_BLOCKS */

spn_status spn_stones_create(spn_stones *out, size_t rungs, size_t scans, const double *beta,
                             spn_error *err)
{
    *out = (spn_stones){.rungs = rungs, .room = scans};
    out->beta = spn_alloc(rungs, sizeof *out->beta);
    out->energy = scans <= SIZE_MAX / rungs ? spn_alloc(rungs * scans, sizeof(double)) : NULL;
    out->distance = scans <= SIZE_MAX / rungs ? spn_alloc(rungs * scans, sizeof(uint32_t)) : NULL;
    SPN_NEED(out->beta && out->energy && out->distance, err, "%zu scans of %zu rungs", scans,
             rungs);
    for (size_t r = 0; r < rungs; r++)
        out->beta[r] = beta[r];
    return SPN_OK;
}

void spn_stones_clear(spn_stones *stones)
{
    SPN_FREE_ALL(stones->beta, stones->energy, stones->distance);
    *stones = (spn_stones){0};
}

/* ---- sums of exponentials ---- */

/* log of the sum over a block's scans of exp(-change E) at rung r. */
static double log_block_sum(const spn_stones *s, size_t r, double change, size_t first, size_t end)
{
    double most = -INFINITY, sum = 0;
    for (size_t t = first; t < end; t++)
        most = fmax(most, -change * s->energy[t * s->rungs + r]);
    for (size_t t = first; t < end; t++)
        sum += exp(-change * s->energy[t * s->rungs + r] - most);
    return end > first ? most + log(sum) : -INFINITY;
}

/* ---- blocks ---- */

typedef struct blocks {
    size_t count;
    /* For each rung but the last, and each block: the two sums of the stone to the next rung, which
       lead to the law half-way: of exp(-d/2 E) here, of exp(d/2 E) there. */
    double *up, *down;
    struct counted *counted; /* the states to be counted, by energy */
    size_t met;
} blocks;

typedef struct counted {
    double energy;
    size_t block;
} counted;

static size_t block_start(const spn_stones *s, size_t count, size_t b)
{
    return s->scans * b / count;
}

static int compare_counted(const void *a, const void *b)
{
    const counted *x = a, *y = b;
    return x->energy != y->energy ? (x->energy > y->energy ? 1 : -1)
                                  : (x->block > y->block) - (x->block < y->block);
}

static void sum_stones(blocks *out, const spn_stones *s)
{
    for (size_t r = 0; r + 1 < s->rungs; r++) {
        const double half = (s->beta[r + 1] - s->beta[r]) / 2;
        for (size_t b = 0; b < out->count; b++) {
            const size_t first = block_start(s, out->count, b);
            const size_t end = block_start(s, out->count, b + 1);
            out->up[r * out->count + b] = log_block_sum(s, r, half, first, end);
            out->down[r * out->count + b] = log_block_sum(s, r + 1, -half, first, end);
        }
    }
}

static bool is_asked(const spn_stones *s, const spn_stones_asked *asked, size_t k)
{
    return s->energy[k] <= asked->up_to && (!asked->near || s->distance[k] == asked->distance);
}

static void clear_blocks(blocks *b)
{
    SPN_FREE_ALL(b->up, b->down, b->counted);
}

static spn_status make_blocks(blocks *out, const spn_stones *s, const spn_stones_asked *asked,
                              spn_error *err)
{
    size_t met = 0;
    *out = (blocks){.count = s->scans / 2 < BLOCKS ? s->scans / 2 : BLOCKS};
    if (out->count < 2)
        out->count = 1;
    for (size_t k = 0; k < s->scans * s->rungs; k++)
        met += is_asked(s, asked, k);
    out->up = spn_alloc(s->rungs * out->count, sizeof *out->up);
    out->down = spn_alloc(s->rungs * out->count, sizeof *out->down);
    out->counted = spn_alloc(met + 1, sizeof *out->counted);
    SPN_NEED(out->up && out->down && out->counted, err, "%zu states", met);
    sum_stones(out, s);
    for (size_t b = 0; b < out->count; b++) {
        const size_t first = block_start(s, out->count, b) * s->rungs;
        const size_t end = block_start(s, out->count, b + 1) * s->rungs;
        for (size_t k = first; k < end; k++)
            if (is_asked(s, asked, k))
                out->counted[out->met++] = (counted){s->energy[k], b};
    }
    qsort(out->counted, out->met, sizeof *out->counted, compare_counted);
    assert(out->met == met);
    return SPN_OK;
}

/* ---- estimates ---- */

/* log Z of each rung, from all blocks but `without`. */
static void find_log_z(double *out, const blocks *b, const spn_stones *s, double first,
                       size_t without)
{
    out[0] = first;
    for (size_t r = 0; r + 1 < s->rungs; r++) {
        double up = -INFINITY, down = -INFINITY;
        for (size_t k = 0; k < b->count; k++)
            if (k != without) {
                up = spn_log_add(up, b->up[r * b->count + k]);
                down = spn_log_add(down, b->down[r * b->count + k]);
            }
        out[r + 1] = out[r] + up - down;
    }
}

/* log of sum_r n exp(-beta_r E + field - log Z_r). */
static double log_mixture(const spn_stones *s, const double *log_z, double energy, double field,
                          double scans)
{
    double sum = -INFINITY;
    for (size_t r = 0; r < s->rungs; r++)
        sum = spn_log_add(sum, -s->beta[r] * energy + field - log_z[r]);
    return sum + log(scans);
}

/* The estimate from all blocks but `without` (b->count: from all). */
static double estimate(double *log_z, const blocks *b, const spn_stones *s,
                       const spn_stones_asked *asked, size_t without)
{
    double scans = (double)s->scans, total = -INFINITY;
    if (without < b->count)
        scans -=
            (double)(block_start(s, b->count, without + 1) - block_start(s, b->count, without));
    find_log_z(log_z, b, s, asked->log_z, without);
    for (size_t k = 0; k < b->met;) {
        const double energy = b->counted[k].energy;
        size_t here = 0;
        for (; k < b->met && b->counted[k].energy == energy; k++)
            here += b->counted[k].block != without;
        if (here > 0)
            total = spn_log_add(total, log((double)here) -
                                           log_mixture(s, log_z, energy, asked->field, scans));
    }
    return total;
}

spn_status spn_stones_count_states(spn_stones_count *out, const spn_stones *stones,
                                   const spn_stones_asked *asked, spn_error *err)
{
    blocks b = {0};
    spn_jackknife all = {.in_time = true};
    bool one_has_all = false; /* a block alone met what is counted */
    double *log_z = spn_alloc(stones->rungs, sizeof *log_z);
    *out = (spn_stones_count){.log_count = NAN, .error = NAN};
    spn_status status = log_z ? make_blocks(&b, stones, asked, err) : spn_no_memory(err, "log Z");
    if (status)
        goto cleanup;
    out->met = b.met;
    if (b.met == 0)
        goto cleanup;
    out->log_count = estimate(log_z, &b, stones, asked, b.count);
    if (b.count < 2)
        goto cleanup;
    for (; all.blocks < b.count; all.blocks++) {
        all.without[all.blocks] = estimate(log_z, &b, stones, asked, all.blocks);
        one_has_all = one_has_all || all.without[all.blocks] == -INFINITY;
    }
    out->degrees = spn_jackknife_degrees(&all);
    out->error = one_has_all ? INFINITY : spn_jackknife_error(&all);
cleanup:
    clear_blocks(&b);
    free(log_z);
    return status;
}

double spn_stones_end(const spn_stones *s, const spn_stones_asked *asked, double share)
{
    const double scans = (double)(s->scans - s->scans / 2);
    double most = 0, beta = s->beta[s->rungs - 1];
    for (size_t r = 0; r < s->rungs && most < share * scans; r++) {
        double met = 0;
        for (size_t t = s->scans / 2; t < s->scans; t++)
            met += is_asked(s, asked, t * s->rungs + r);
        if (met > most && s->beta[r] > 0) {
            most = met;
            beta = s->beta[r];
        }
    }
    return beta;
}
