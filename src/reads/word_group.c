/* A group of reads in words: its sweeps, schedules and results. */
#include "reads/word_group.h"

#include "base/memory.h"
#include "base/philox.h"
#include "base/try.h"
#include "core/schedule.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static spn_schedule_change changes_of(const spn_schedule *s)
{
    return s ? spn_schedule_traits_of(s->kind)->changes : SPN_CHANGES_NEVER;
}

const char *spn_words_refuse(const spn_chain_options *o)
{
    if (o->order != SPN_ORDER_SEQUENTIAL)
        return "`order` sequential";
    if (o->proposed || o->moves == SPN_MOVES_WAITING)
        return "plain moves of all spins";
    if (!o->stretch && o->steps == 0 && o->part_count == 0)
        return "a number of steps";
    if (o->patience > 0 || o->stop_frozen)
        return "reads that do not stop by `patience` or when frozen";
    if (changes_of(o->beta) == SPN_CHANGES_BY_ACCEPTANCE ||
        changes_of(o->gamma) == SPN_CHANGES_BY_ACCEPTANCE)
        return "schedules that do not follow the acceptance";
    return NULL;
}

spn_word_coupling spn_word_coupling_of(const spn_chain_options *o)
{
    if (o->coupling != SPN_COUPLING_REPLICAS)
        return SPN_WORD_CENTRE;
    return o->replicas > 1 ? SPN_WORD_REPLICAS : SPN_WORD_ALONE;
}

spn_word_graph *spn_words_prepare(const spn_energy *energy, const spn_chain_options *options)
{
    if (spn_words_refuse(options))
        return NULL;
    spn_word_graph *graph = spn_word_graph_make(energy);
    if (graph && spn_word_table_fits(graph, spn_word_coupling_of(options), options->replicas))
        return graph;
    spn_word_graph_free(graph);
    return NULL;
}

/* ---- numbers in digits ---- */

static bool bit_of(const uint64_t *row, size_t lane)
{
    return row[lane / SPN_WORD_BITS] >> lane % SPN_WORD_BITS & 1;
}

static int64_t number_of(const spn_word_group *g, const uint64_t *digits, size_t a, size_t lane)
{
    const spn_words *w = &g->words;
    int64_t number = 0;
    for (size_t k = 0; k < w->planes; k++)
        number += (int64_t)bit_of(digits + (k * w->replicas + a) * w->words, lane) *
                  (k + 1 < w->planes ? 1ll << k : -(1ll << k));
    return number;
}

double spn_word_energy_at(const spn_word_group *g, size_t a, size_t lane, int64_t counts)
{
    return spn_side_energy(g->start[a * g->lanes + lane], spn_word_count(g->words.graph),
                           g->words.graph->constant, counts);
}

static int64_t counts_of(const spn_word_group *g, size_t a, size_t lane)
{
    return number_of(g, g->words.energy, a, lane) + g->origin[a * g->lanes + lane];
}

double spn_word_energy_of(const spn_word_group *g, size_t a, size_t lane)
{
    return spn_word_energy_at(g, a, lane, counts_of(g, a, lane));
}

double spn_word_best_of(const spn_word_group *g, size_t a, size_t lane)
{
    return spn_word_energy_at(g, a, lane,
                              counts_of(g, a, lane) - number_of(g, g->words.above, a, lane));
}

/* Put the spins of a replica of a lane into g->spins. */
void spn_word_unpack(const spn_word_group *g, const uint64_t *rows, size_t a, size_t lane,
                     int8_t *out)
{
    const spn_words *w = &g->words;
    for (size_t i = 0; i < w->graph->sites; i++)
        out[i] = bit_of(rows + (i * w->replicas + a) * w->words, lane) ? 1 : -1;
}

/* Whether the energies of a lane are those of its spins. O(edges). */
static bool has_energies(const spn_word_group *g, size_t lane)
{
    const spn_energy *energy = g->words.graph->energy;
    for (size_t a = 0; a < g->words.replicas; a++) {
        spn_word_unpack(g, g->words.spins, a, lane, g->spins);
        if (spn_energy_value(energy, g->spins) != spn_word_energy_of(g, a, lane))
            return false;
        spn_word_unpack(g, g->words.best, a, lane, g->spins);
        if (spn_energy_value(energy, g->spins) != spn_word_best_of(g, a, lane) ||
            number_of(g, g->words.above, a, lane) < 0)
            return false;
    }
    return true;
}

/* The states of a device are elsewhere. */
static bool is_consistent(spn_side *side, size_t r)
{
    const spn_word_group *g = (const spn_word_group *)side;
    return g->words.device || has_energies(g, g->lane + r);
}

/* ---- steps ---- */

static size_t count_active(const spn_side *side)
{
    const spn_word_group *g = (const spn_word_group *)side;
    size_t active = 0;
    for (size_t w = 0; w < g->words.words; w++)
        active += (size_t)__builtin_popcountll(g->words.active[w]);
    assert(active <= g->side.count);
    return active;
}

/* The value of a schedule at a step of the way. A schedule that changes with every step is followed
   sixteen times in a sweep; *count becomes at most the number of steps until the value changes. */
static double value_at(const spn_schedule *s, spn_way now, size_t sites, size_t *count)
{
    enum { AHEAD = 64 };
    double values[AHEAD];
    const size_t stride = sites > 16 ? sites / 16 : 1;
    if (changes_of(s) == SPN_CHANGES_NEVER)
        return spn_schedule_value(s, now.step, now.steps, 0, 1);
    if (changes_of(s) == SPN_CHANGES_EACH_STEP) {
        const size_t in_stride = (size_t)(now.step % stride), left = stride - in_stride;
        *count = *count < left ? *count : left;
        return spn_schedule_value(s, now.step - in_stride, now.steps, 0, 1);
    }
    size_t same = 1, most = *count < AHEAD ? *count : AHEAD;
    spn_schedule_fill(s, now.step, most, now.steps, 0, 1, values);
    while (same < most && values[same] == values[0])
        same++;
    *count = same;
    return values[0];
}

static void set_tables(spn_word_group *g, double beta, double gamma)
{
    const spn_word_law law = {.kernel = g->side.options.kernel,
                              .coupling = g->words.coupling,
                              .replicas = g->words.replicas,
                              .beta = beta,
                              .gamma = gamma};
    if (beta == g->beta && gamma == g->gamma)
        return;
    for (int parity = 0; parity <= (int)g->words.graph->odd; parity++)
        spn_word_table_set(&g->table[parity], g->words.graph, parity, &law);
    if (g->side.options.coupling == SPN_COUPLING_CENTRE && gamma != g->gamma)
        spn_word_table_set_centre(&g->centre_table, law.replicas, gamma);
    g->beta = beta;
    g->gamma = gamma;
}

/* The schedules of the next steps; fewer than *count if they change. */
static void follow_schedules(spn_word_group *g, size_t *count)
{
    const spn_chain_options *o = &g->side.options;
    const spn_way now = spn_parts_at(&g->side.parts, g->side.base.step);
    const double beta =
        value_at(o->beta ? o->beta : &spn_schedule_one, now, g->words.graph->sites, count);
    const double gamma =
        value_at(o->gamma ? o->gamma : &spn_schedule_zero, now, g->words.graph->sites, count);
    set_tables(g, beta, gamma);
}

static void count_moves(spn_word_group *g, spn_slice *slice, size_t count, size_t before)
{
    const size_t after = count_active(&g->side), y = g->words.replicas;
    slice->proposals += count * after * y;
    for (size_t l = 0; before > after && l < g->lanes; l++)
        if (g->words.ended[l] > g->side.base.step)
            slice->proposals += (g->words.ended[l] - g->side.base.step) * y;
    for (size_t w = 0; w < g->words.words; w++) {
        slice->accepted += g->words.accepted[w];
        slice->uphill += g->words.uphill[w];
        g->words.accepted[w] = g->words.uphill[w] = 0;
    }
}

static uint64_t until_centre(const spn_word_group *g)
{
    const uint64_t every = g->side.options.centre_every;
    return g->side.options.coupling == SPN_COUPLING_CENTRE ? every - g->side.base.step % every
                                                           : UINT64_MAX;
}

static void draw_centre(spn_word_group *g)
{
    g->version->draw_centre(&g->words, g->side.base.step / g->side.options.centre_every,
                            &g->centre_table);
}

void spn_word_group_first_centre(spn_word_group *g)
{
    size_t count = 1;
    follow_schedules(g, &count);
    draw_centre(g);
}

/* Make at most `most` steps, up to the next change of something; the first has row `row` of the
   window. Returns how many. */
static size_t make_chunk(spn_side *side, size_t row, size_t most)
{
    spn_word_group *g = (spn_word_group *)side;
    const spn_way now = spn_parts_at(&g->side.parts, g->side.base.step);
    const uint64_t left[] = {spn_parts_left(&g->side.parts, g->side.base.step), spn_slice_left(now),
                             until_centre(g)};
    size_t count = most;
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        count = count < left[k] ? count : (size_t)left[k];
    follow_schedules(g, &count);
    assert(count > 0);
    const size_t before = count_active(&g->side);
    if (g->words.device)
        spn_word_device_set_slice(g->words.device, spn_slice_at(now));
    g->version->steps(&g->words, g->side.base.step, count, row);
    count_moves(g, &g->side.slices[spn_slice_at(now)], count, before);
    const bool draws = until_centre(g) == count;
    g->side.base.step += count;
    if (draws)
        draw_centre(g);
    return count;
}

static uint64_t make_window(spn_side *side)
{
    spn_word_group *g = (spn_word_group *)side;
    const size_t done = spn_side_steps(side, make_chunk);
    g->version->close(&g->words, side->base.step, done);
    return done;
}

static spn_word_group *group_of(const spn_sampler *sampler)
{
    assert(sampler->type == &spn_word_group_type);
    return (spn_word_group *)sampler;
}

static spn_status advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    spn_word_group *g = group_of(sampler);
    SPN_TRY(spn_side_advance(sampler, most, err));
    return g->words.device ? spn_word_device_flush(&g->words, g->side.slices, err) : SPN_OK;
}

static double best_of(const spn_side *side, size_t r)
{
    const spn_word_group *g = (const spn_word_group *)side;
    double best = INFINITY;
    for (size_t a = 0; a < g->words.replicas; a++)
        best = fmin(best, spn_word_best_of(g, a, g->lane + r));
    return best;
}

/* The whole state of a device is here. */
static spn_status fetch(const spn_word_group *g, spn_error *err)
{
    spn_words own = g->words; /* its arrays are filled */
    return own.device ? spn_word_device_fetch(&own, err) : SPN_OK;
}

static spn_status check(const spn_sampler *sampler, spn_error *err)
{
    return fetch(group_of(sampler), err);
}

/* As one not begun if a device failed. */
static void look_at(spn_read *out, int8_t *best_spins, spn_side *side, size_t r)
{
    const spn_word_group *g = (const spn_word_group *)side;
    const spn_words *w = &g->words;
    const size_t lane = g->lane + r;
    size_t best = 0;
    if (fetch(g, NULL)) {
        *out = (spn_read){.best_energy = NAN, .energy = NAN, .hit = SPN_NO_HIT};
        return;
    }
    const bool goes_on = bit_of(w->active, lane);
    const uint64_t steps = goes_on ? g->side.base.step : w->ended[lane];
    *out = (spn_read){.energy = spn_word_energy_of(g, 0, lane),
                      .best_spins = best_spins,
                      .proposals = steps * w->replicas,
                      .steps = steps,
                      .hit = bit_of(w->seen, lane) ? w->hit[lane] : SPN_NO_HIT,
                      .stop = goes_on ? spn_side_ended(&g->side.base) : SPN_STOP_TARGET};
    for (size_t a = 1; a < w->replicas; a++) {
        best = spn_word_best_of(g, a, lane) < spn_word_best_of(g, best, lane) ? a : best;
        out->energy = fmin(out->energy, spn_word_energy_of(g, a, lane));
    }
    out->best_energy = spn_word_best_of(g, best, lane);
    for (size_t k = 0; k < SPN_WORD_MOVES; k++)
        out->accepted += (uint64_t)bit_of(w->moves + k * w->words, lane) << k;
    spn_word_unpack(g, w->best, best, lane, best_spins);
}

/* ---- start, save and load ---- */

static void destroy(spn_sampler *sampler)
{
    spn_word_group *g = group_of(sampler);
    spn_words *w = &g->words;
    for (size_t k = 0; k < 2; k++)
        spn_word_table_clear(&g->table[k]);
    spn_word_table_clear(&g->centre_table);
    spn_parts_clear(&g->side.parts);
    spn_word_device_free(w->device);
    SPN_FREE_ALL(w->run_products, w->spins, w->centre, w->best, w->active, w->energy, w->above,
                 w->better_now, w->improved, w->moves, w->accepted, w->uphill, w->flips, w->better,
                 w->seen, w->hit, w->ended, g->spins, g->start, g->origin, g);
}

/* There is nothing to compute. */
static bool settle(spn_side *side, bool trusted)
{
    const spn_word_group *g = (const spn_word_group *)side;
    const spn_words *w = &g->words;
    if (trusted)
        return true;
    for (size_t l = 0; l < g->lanes; l++) {
        const bool is_read = l >= g->lane && l < g->lane + side->count;
        if ((bit_of(w->active, l) && !is_read) || w->ended[l] > side->base.step ||
            w->hit[l] > side->base.step || (is_read && !has_energies(g, l)))
            return false;
    }
    for (size_t k = w->graph->sites * w->replicas * w->words;
         k < (w->graph->sites + 1) * w->replicas * w->words; k++)
        if (w->spins[k] != UINT64_MAX)
            return false;
    return true;
}

static spn_status visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_word_group *g = group_of(sampler);
    spn_words *w = &g->words;
    const size_t row = w->words * w->replicas, all = (w->graph->sites + 1) * row;
    const uint64_t made_of[] = {g->side.first, g->side.count, g->lane,
                                w->words,      w->replicas,   w->graph->sites};
    SPN_TRY(fetch(g, err));
    SPN_TRY(spn_side_visit(&g->side, made_of, sizeof made_of / sizeof *made_of, archive, err));
    SPN_VISIT_ARRAY(archive, w->spins, all);
    SPN_VISIT_ARRAY(archive, w->best, all - row);
    if (w->centre)
        SPN_VISIT_ARRAY(archive, w->centre, w->graph->sites * w->words);
    SPN_VISIT_ARRAY(archive, w->active, w->words);
    SPN_VISIT_ARRAY(archive, w->seen, w->words);
    SPN_VISIT_ARRAY(archive, w->energy, w->planes * row);
    SPN_VISIT_ARRAY(archive, w->above, w->planes * row);
    SPN_VISIT_ARRAY(archive, w->moves, SPN_WORD_MOVES * w->words);
    SPN_VISIT_ARRAY(archive, w->hit, g->lanes);
    SPN_VISIT_ARRAY(archive, w->ended, g->lanes);
    SPN_TRY(spn_side_visited(&g->side, archive, err));
    return w->device && spn_archive_reads(archive) ? spn_word_device_renew(w, err) : SPN_OK;
}

const spn_sampler_type spn_word_group_type = {.name = "group of reads in words",
                                              .advance = advance,
                                              .ended = spn_side_ended,
                                              .look = spn_side_look,
                                              .health = spn_side_health,
                                              .visit = visit,
                                              .check = check,
                                              .destroy = destroy};

const spn_side_kind spn_word_group_kind = {make_window,   count_active, best_of,
                                           is_consistent, settle,       look_at};

spn_status spn_word_group_move(spn_word_group *g, const spn_device_choice *choice, spn_error *err)
{
    assert(!g->words.has_target && !g->words.device);
    SPN_TRY(spn_word_device_create(&g->words, choice, err));
    g->version = &spn_words_on_device;
    return SPN_OK;
}
