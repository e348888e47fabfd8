/* Groups of a population in words: a thread takes up to 512 of them at once through the steps of a
   point. Group g is a bit of the words of run + g, so the results depend neither on the threads nor
   on which groups stand beside it. */
#include "population/population.h"

#include "base/memory.h"
#include "core/schedule.h"
#include "reads/word_group.h"
#include <stdlib.h>

/* What a thread has for words. */
struct spn_word_walker {
    spn_word_group *group;
    spn_schedule beta, gamma;
};

static const char *refuse(const spn_population *p)
{
    spn_chain_options chain = p->chain;
    chain.steps = 1; /* there is an end */
    const char *why = spn_words_refuse(&chain);
    if (why)
        return why;
    if (p->chain.coupling != SPN_COUPLING_REPLICAS)
        return "the coupling `replicas`";
    if (p->chain.target != SPN_TARGET_NONE)
        return "a run without `target`";
    return p->chain.run % SPN_WORD_BITS ? "a run number that is a multiple of 64" : NULL;
}

spn_status spn_population_choose_engine(spn_population *p, spn_error *err)
{
    const spn_engine engine = p->options.engine;
    const char *why = refuse(p);
    spn_chain_options chain = p->chain;
    chain.steps = 1;
    SPN_REFUSE_IF(engine == SPN_ENGINE_LANES || !spn_engine_name(engine), err,
                  "`engine`: a population has auto, plain or words");
    if (engine == SPN_ENGINE_PLAIN)
        return SPN_OK;
    p->bits = why ? NULL : spn_words_prepare(p->energy, &chain);
    if (engine == SPN_ENGINE_WORDS && !p->bits)
        return spn_refuse(err, "`engine` words needs %s; leave it out",
                          why ? why : "couplings that are small integers in some unit");
    return SPN_OK;
}

static size_t batch_of(const spn_population *p)
{
    const size_t groups = p->options.groups;
    return groups < SPN_WORD_MOST ? groups : SPN_WORD_MOST;
}

static spn_status make_group(spn_population *p, spn_word_walker *w, spn_error *err)
{
    const size_t batch = batch_of(p), words = (batch + SPN_WORD_BITS - 1) / SPN_WORD_BITS;
    const spn_word_version *version = spn_words_select(spn_cpu_isa(), words);
    const spn_reads_options starts = spn_reads_defaults();
    spn_chain_options chain = p->chain;
    chain.steps = 1;
    chain.beta = &w->beta;
    chain.gamma = &w->gamma;
    return spn_word_group_create(&w->group, p->bits, version, &chain, &starts, 0, batch, err);
}

spn_status spn_population_words_make(spn_word_walker **out, spn_population *p, spn_error *err)
{
    spn_word_walker *w = *out = spn_alloc(1, sizeof *w);
    SPN_NEED(w, err, "the words of a thread");
    w->beta = w->gamma = (spn_schedule){.kind = SPN_SCHEDULE_CONSTANT};
    return make_group(p, w, err);
}

void spn_population_words_free(spn_word_walker *w)
{
    if (w && w->group)
        spn_sampler_free(&w->group->side.base);
    free(w);
}

/* Without a centre, from the replicas of a group. */
static void count_coupling(spn_coupling_counts *out, const spn_population *p, const int8_t *spins)
{
    const size_t sites = p->energy->sites, y = p->chain.replicas;
    *out = (spn_coupling_counts){.sites = sites, .replicas = y};
    for (size_t i = 0; i < sites; i++) {
        int sum = 0;
        for (size_t a = 0; a < y; a++)
            sum += spins[a * sites + i];
        out->sums[sum < 0 ? -sum : sum]++;
    }
}

static void keep_best(spn_population *p, spn_walker_of_groups *w, const spn_word_group *words,
                      size_t lane, size_t g)
{
    for (size_t a = 0; a < p->chain.replicas; a++) {
        const double energy = spn_word_best_of(words, a, lane);
        if (!spn_walked_is_better(energy, g, &w->walked))
            continue;
        w->walked.best_energy = energy;
        w->walked.best_group = g;
        spn_word_unpack(words, words->words.best, a, lane, w->best_spins);
    }
}

/* Take a group out of its lane. */
static void leave(spn_population *p, spn_walker_of_groups *w, const spn_word_group *words,
                  size_t lane, size_t g)
{
    const size_t sites = p->energy->sites, y = p->chain.replicas;
    spn_coupling_counts counts;
    int8_t *spins = p->spins + g * p->state_size;
    for (size_t a = 0; a < y; a++) {
        spn_word_unpack(words, words->words.spins, a, lane, spins + a * sites);
        p->energies[g * y + a] = spn_word_energy_of(words, a, lane);
    }
    count_coupling(&counts, p, spins);
    p->coupling[g] = spn_coupling_counts_value(&counts, p->gamma);
    p->overlap[g] = spn_coupling_counts_overlap(&counts);
    if (p->counts)
        p->counts[g] = counts;
    keep_best(p, w, words, lane, g);
    p->walked[g] = 1;
    w->walked.groups++;
}

/* All steps of groups first .. first+count-1; false if a stop cut them off. They are unchanged
   then, and are walked again with the same numbers. */
static bool walk_batch(spn_population *p, spn_walker_of_groups *w, size_t first, size_t count)
{
    const uint64_t steps = p->options.sweep_steps, from = p->points * steps;
    spn_word_group *words = w->words->group;
    w->words->beta.start = w->words->beta.end = p->beta;
    w->words->gamma.start = w->words->gamma.end = p->gamma;
    spn_word_group_become(words, p->spins + first * p->state_size,
                          p->energies + first * p->chain.replicas, count,
                          (p->chain.run + (uint32_t)first) / SPN_WORD_BITS, from, from + steps);
    spn_sampler_follow(&words->side.base, &p->base);
    while (!w->status && words->side.base.step < from + steps && !spn_sampler_is_halted(&p->base))
        w->status =
            spn_sampler_advance(&words->side.base, from + steps - words->side.base.step, &w->error);
    if (w->status || words->side.base.step < from + steps)
        return false;
    for (size_t l = 0; l < count; l++)
        leave(p, w, words, l, first + l);
    for (size_t j = 0; j < SPN_SLICES; j++) {
        w->walked.accepted += words->side.slices[j].accepted;
        w->walked.uphill += words->side.slices[j].uphill;
    }
    return true;
}

void spn_population_walk_words(spn_population *p, spn_walker_of_groups *w)
{
    const size_t batch = batch_of(p), groups = p->options.groups;
    for (;;) {
        const size_t first = atomic_fetch_add(&p->next, 1) * batch, left = groups - first;
        if (first >= groups || w->status || spn_sampler_is_halted(&p->base))
            return;
        if (!p->walked[first] && !walk_batch(p, w, first, left < batch ? left : batch))
            return;
    }
}
