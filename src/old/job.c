/* Jobs: the settings of one run, its key and its seeds. All are of the sweep's content, not of its
   shape: a sweep that grows keeps the jobs it had, and the order of axes does not matter. */
#include "old/task.h"

#include "base/memory.h"
#include "base/number.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const spn_field *)a)->name, ((const spn_field *)b)->name);
}

/* Lines "name=value", sorted, to be freed. */
static char *sorted_settings(const xpn_job *job)
{
    size_t size = 1;
    spn_field *order = spn_alloc(job->count, sizeof *order);
    for (size_t k = 0; order && k < job->count; k++) {
        order[k] = job->settings[k];
        size += strlen(order[k].name) + strlen(order[k].text) + 2;
    }
    char *text = order ? malloc(size) : NULL;
    if (text) {
        qsort(order, job->count, sizeof *order, by_name);
        char *at = text;
        for (size_t k = 0; k < job->count; k++)
            at += sprintf(at, "%s=%s\n", order[k].name, order[k].text);
        *at = 0;
    }
    free(order);
    return text;
}

static uint64_t add_text(uint64_t hash, const char *text)
{
    return XXH3_64bits_withSeed(text, strlen(text), hash);
}

static uint64_t add_number(uint64_t hash, const char *name, double value)
{
    char text[2 * SPN_NUMBER_TEXT], number[SPN_NUMBER_TEXT];
    spn_number_text(number, value);
    snprintf(text, sizeof text, "%.30s=%s\n", name, number);
    return add_text(hash, text);
}

/* What is measured; what is only kept is not among it. */
static uint64_t add_measures(uint64_t hash, const spn_measures *m)
{
    for (size_t k = 0; k < m->flips_count; k++)
        hash = add_number(hash, "p", m->flips[k]);
    if (m->flips_count) {
        hash = add_number(hash, "trials", (double)m->flips_trials);
        hash = add_number(hash, "exact", m->flips_exact);
    }
    if (m->profile_walks) {
        hash = add_number(hash, "walks", (double)m->profile_walks);
        hash = add_number(hash, "reach", m->profile_reach);
        hash = add_number(hash, "points", (double)m->profile_points);
    }
    return hash;
}

static uint64_t seed_and_run(const xpn_job *job)
{
    char text[96];
    snprintf(text, sizeof text, "seed=%" PRIu64 "\nrun=%zu\n", job->sweep->seed, job->run);
    return add_text(0, text);
}

static void place(xpn_job *job, size_t point)
{
    const spn_sweep *sweep = job->sweep;
    memcpy(job->settings, sweep->fixed, sweep->fixed_count * sizeof *sweep->fixed);
    for (size_t k = sweep->axis_count; k-- > 0;) {
        const spn_axis *axis = &sweep->axes[k];
        job->settings[sweep->fixed_count + k] =
            (spn_field){axis->setting, axis->values[point % axis->count]};
        point /= axis->count;
    }
}

spn_status xpn_job_make(xpn_job *out, const spn_sweep *sweep, size_t index, spn_error *err)
{
    enum { SEED_BITS = 63 };
    *out = (xpn_job){.sweep = sweep,
                     .index = index,
                     .run = index % sweep->runs + 1,
                     .count = sweep->fixed_count + sweep->axis_count};
    out->settings = spn_alloc(out->count, sizeof *out->settings);
    if (out->settings && sweep->fixed_count + sweep->axis_count > 0)
        place(out, index / sweep->runs);
    char *settings = out->settings ? sorted_settings(out) : NULL;
    if (!settings) {
        xpn_job_clear(out);
        return spn_fail(err, SPN_ERROR_MEMORY, "out of memory for run %zu", index);
    }
    const uint64_t start = seed_and_run(out), point = add_text(start, settings);
    out->instance_seed = start >> (64 - SEED_BITS);
    out->seed = point >> (64 - SEED_BITS);
    out->key = add_measures(add_text(point, sweep->task), &sweep->measures);
    free(settings);
    return SPN_OK;
}

void xpn_job_clear(xpn_job *job)
{
    free(job->settings); /* the texts are the sweep's */
    *job = (xpn_job){0};
}
