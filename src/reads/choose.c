/* Which engine makes the reads, and where. */
#include "reads/reads.h"

#include "base/try.h"
#include <stdio.h>
#include <string.h>

enum { FEWEST_ON_DEVICE = 2048 };

static bool choose_bytes(spn_reads *reads, bool asked)
{
    const spn_reads_options *o = &reads->options;
    reads->graph =
        spn_lanes_prepare(reads->energy, &reads->chain, asked ? SPN_LANE_FEWEST : o->reads);
    if (!reads->graph || !(asked || spn_lanes_select(spn_cpu_isa())))
        return false;
    reads->width = spn_lanes_width(reads->graph, o->reads, o->threads);
    return true;
}

static bool choose_rows(spn_reads *reads, bool asked)
{
    const spn_reads_options *o = &reads->options;
    if (reads->graph || !spn_lanes_fit(&reads->chain) || (!asked && o->reads < SPN_ROW_FEWEST) ||
        !(reads->rows = spn_row_graph_make(reads->energy)))
        return false;
    reads->width = spn_rows_width(reads->rows, o->reads, o->threads);
    return true;
}

/* Lanes have no warm starts and no time limit. */
static bool choose_lanes(spn_reads *reads)
{
    const spn_reads_options *o = &reads->options;
    const bool asked = o->engine == SPN_ENGINE_LANES;
    if (o->starts || o->seconds > 0 || !(choose_bytes(reads, asked) || choose_rows(reads, asked)))
        return false;
    reads->engine = SPN_ENGINE_LANES;
    return true;
}

/* Groups of whole words, so that all threads have work. */
static size_t words_width(const spn_reads_options *o)
{
    const size_t each = (o->reads + o->threads - 1) / o->threads;
    const size_t words = (each + SPN_WORD_BITS - 1) / SPN_WORD_BITS;
    return (words < SPN_WORD_ROW ? words : SPN_WORD_ROW) * SPN_WORD_BITS;
}

static bool choose_words(spn_reads *reads)
{
    if (!(reads->bits = spn_words_prepare(reads->energy, &reads->chain)))
        return false;
    reads->engine = SPN_ENGINE_WORDS;
    reads->width = words_width(&reads->options);
    return true;
}

/* For fewer reads lanes are as fast, and their results are those of chains. */
static bool words_pay(const spn_reads *reads)
{
    enum { FEWEST = 512, FEWEST_COUPLED = 64 };
    const spn_chain_options *o = &reads->chain;
    const bool alone = o->replicas == 1 && o->coupling == SPN_COUPLING_REPLICAS;
    return reads->options.reads >= (alone ? FEWEST : FEWEST_COUPLED);
}

spn_status spn_reads_choose_engine(spn_reads *reads, spn_error *err)
{
    const spn_engine engine = reads->options.engine;
    reads->engine = SPN_ENGINE_PLAIN;
    reads->width = 1;
    if (engine == SPN_ENGINE_WORDS && !choose_words(reads)) {
        const char *why = spn_words_refuse(&reads->chain);
        return spn_refuse(err, "`engine` words needs %s; leave it out",
                          why ? why : "couplings that are small integers in some unit");
    }
    if (engine == SPN_ENGINE_LANES && !choose_lanes(reads))
        return spn_refuse(err,
                          "`engine` lanes needs one replica in sequential order, plain moves, a "
                          "number of steps, no warm starts, and couplings that are "
                          "small integers in some unit or dense; leave it out");
    if (engine == SPN_ENGINE_AUTO && !(words_pay(reads) && choose_words(reads)))
        choose_lanes(reads);
    return SPN_OK;
}

/* As many words as the device has room for; 0: not one. */
static size_t device_width(const spn_reads *reads)
{
    const spn_device_bytes bytes = spn_device_bytes_of(reads->bits, reads->chain.replicas);
    const uint64_t all = reads->device.info.memory / 4 * 3 / bytes.all;
    const uint64_t largest = reads->device.info.largest / bytes.largest;
    const uint64_t most = all < largest ? all : largest, words = reads->options.reads / 64 + 2;
    return (size_t)(most < words ? most : words) * SPN_WORD_BITS;
}

static const char *refuse_device(const spn_reads *reads)
{
    if (reads->engine != SPN_ENGINE_WORDS)
        return "it makes reads in words; give `engine` words, or leave it out";
    if (reads->chain.target != SPN_TARGET_NONE)
        return "it makes no reads with a `target`; leave one of the two out";
    if (reads->any_device && reads->options.reads < FEWEST_ON_DEVICE)
        return "a device pays from 2048 reads";
    return NULL;
}

static spn_status find_device(spn_reads *reads, spn_error *err)
{
    const char *name = reads->options.device, *why = refuse_device(reads);
    if (why)
        return spn_refuse(err, "%s", why);
    SPN_TRY(spn_device_choose(&reads->device, name, err));
    const size_t width = device_width(reads);
    if (width == 0)
        return spn_refuse(err, "the problem is too large for its memory");
    reads->width = width;
    reads->group_count = 1; /* one thread feeds the device */
    reads->on_device = true;
    snprintf(reads->place, sizeof reads->place, "%s", reads->device.info.name);
    return SPN_OK;
}

spn_status spn_reads_choose_device(spn_reads *reads, spn_error *err)
{
    const char *name = reads->options.device;
    spn_error why = {0};
    if (!name || strcmp(name, "cpu") == 0)
        return SPN_OK;
    reads->any_device = strcmp(name, "auto") == 0;
    const spn_status status = find_device(reads, &why);
    if (status && !reads->any_device)
        return spn_fail(err, status, "`device` %s: %.400s", name, why.text);
    if (status)
        snprintf(reads->place, sizeof reads->place, "the processor: %.400s", why.text);
    return SPN_OK;
}
