/* Populations: options, creation, progress, saved states. */
#include "population/population.h"

#include "base/memory.h"
#include "base/number.h"
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static spn_status take_options(spn_population *p, const spn_population_options *given,
                               spn_error *err)
{
    p->options = spn_population_defaults();
    p->chain = spn_chain_defaults();
    SPN_TRY(spn_sized_take(&p->options, sizeof p->options, given, "spn_population_defaults", err));
    SPN_TRY(
        spn_sized_take(&p->chain, sizeof p->chain, p->options.chain, "spn_chain_defaults", err));
    const spn_population_options *o = &p->options;
    const size_t most = (size_t)1 << 24;
    SPN_REFUSE_IF(!(isfinite(o->beta_last) && o->beta_last > 0), err,
                  "beta: the end is finite and above 0, not %g", o->beta_last);
    SPN_REFUSE_IF(!(isfinite(o->gamma_first) && o->gamma_first >= 0 && isfinite(o->gamma_last) &&
                    o->gamma_last >= 0),
                  err, "gamma: both ends are finite and 0 or more, not %g and %g", o->gamma_first,
                  o->gamma_last);
    SPN_REFUSE_IF(o->groups < SPN_POPULATION_FEWEST || o->groups > most, err,
                  "groups: %zu is not %d to %zu", o->groups, SPN_POPULATION_FEWEST, most);
    SPN_REFUSE_IF(!(o->culled > 0 && o->culled < 1), err, "culled: %g is not above 0 and below 1",
                  o->culled);
    SPN_REFUSE_IF(o->points > INT32_MAX, err, "points: at most 2^31 - 1");
    SPN_REFUSE_IF(o->sweep_steps > INT64_MAX >> 40, err, "steps at a point: at most 2^23");
    SPN_REFUSE_IF(o->threads < 1 || o->threads > 4096, err, "threads: %u is not 1 to 4096",
                  o->threads);
    p->options.chain = NULL;
    SPN_REFUSE_IF(p->chain.proposed, err,
                  "the groups of a population propose all sites, not those of a list");
    SPN_REFUSE_IF(p->chain.run > UINT32_MAX - p->options.groups, err,
                  "run: the largest of a population is 2^32 - %zu", p->options.groups + 1);
    spn_chain_options_at_point(&p->chain);
    p->chain.moves = SPN_MOVES_PLAIN;
    return SPN_OK;
}

/* Ten sweeps, whose random numbers are drawn by whole vectors. */
static uint64_t usual_steps(const spn_population *p)
{
    enum { SWEEPS = 10, WHOLE_DRAWS = 64 };
    const uint64_t proposals = SWEEPS * (uint64_t)p->energy->sites * p->chain.replicas;
    const uint64_t steps = (proposals + p->proposals_per_step - 1) / p->proposals_per_step;
    return (steps + WHOLE_DRAWS - 1) / WHOLE_DRAWS * WHOLE_DRAWS;
}

/* ---- creation ---- */

static void destroy(spn_sampler *sampler)
{
    spn_population *p = (spn_population *)sampler;
    spn_team_free(p->team);
    for (size_t w = 0; p->walker && w < p->walkers; w++) {
        if (p->walker[w].chain)
            spn_sampler_free(&p->walker[w].chain->base);
        spn_population_words_free(p->walker[w].words);
        free(p->walker[w].best_spins);
    }
    spn_word_graph_free(p->bits);
    SPN_FREE_ALL(p->walker, p->centre, p->spins, p->energies, p->coupling, p->family, p->walked,
                 p->parent, p->best_spins, p->overlap, p->path, p->weight, p->counts, p);
}

static spn_status make_room(spn_population *p, spn_error *err)
{
    const size_t groups = p->options.groups, y = p->chain.replicas, sites = p->energy->sites;
    p->spins = spn_alloc(groups, p->state_size);
    p->energies = spn_alloc(groups, y * sizeof *p->energies);
    p->coupling = spn_alloc(groups, sizeof *p->coupling);
    p->overlap = spn_alloc(groups, sizeof *p->overlap);
    p->family = spn_alloc(groups, sizeof *p->family);
    p->walked = spn_alloc(groups, 1);
    p->parent = spn_alloc(groups, sizeof *p->parent);
    p->weight = spn_alloc(groups, sizeof *p->weight);
    p->best_spins = spn_alloc(sites, 1);
    p->walker = spn_alloc(p->options.threads, sizeof *p->walker);
    if (p->gamma_varies)
        p->counts = spn_alloc(groups, sizeof *p->counts);
    if (p->spins && p->energies && p->coupling && p->overlap && p->family && p->walked &&
        p->parent && p->weight && p->best_spins && p->walker && (p->counts || !p->gamma_varies))
        return SPN_OK;
    return spn_no_memory(err, "a population of %zu groups of %zu replicas of %zu spins", groups, y,
                         sites);
}

static spn_status add_walker(spn_population *p, spn_error *err)
{
    spn_walker_of_groups *w = &p->walker[p->walkers++];
    w->walked = spn_walked_none();
    SPN_NEED(w->best_spins = spn_alloc(p->energy->sites, 1), err, "the best state of a thread");
    spn_sampler *chain;
    SPN_TRY(spn_chain_create(&chain, p->energy, &p->chain, err));
    w->chain = spn_chain_of(chain);
    return p->bits ? spn_population_words_make(&w->words, p, err) : SPN_OK;
}

static spn_status begin(spn_population *p, spn_error *err)
{
    const size_t sites = p->energy->sites;
    SPN_TRY(make_room(p, err));
    if (p->chain.coupling == SPN_COUPLING_GIVEN && p->chain.centre) {
        SPN_NEED(p->centre = spn_alloc(sites, 1), err, "the centre of %zu spins", sites);
        memcpy(p->centre, p->chain.centre, sites);
        p->chain.centre = p->centre;
    }
    const size_t threads = p->options.threads;
    while (p->walkers < (threads < p->options.groups ? threads : p->options.groups))
        SPN_TRY(add_walker(p, err));
    for (size_t g = 0; g < p->options.groups; g++)
        p->family[g] = (uint32_t)g;
    p->point = p->so_far = spn_walked_none();
    p->gamma = p->options.gamma_first;
    p->log_z = spn_chain_log_z_at_zero(&p->chain, sites, p->gamma);
    return SPN_OK;
}

spn_status spn_population_create(spn_sampler **out, const spn_energy *energy,
                                 const spn_population_options *options, spn_error *err)
{
    spn_population *p = spn_alloc(1, sizeof *p);
    spn_status status = SPN_OK;
    *out = NULL;
    SPN_NEED(p, err, "a population");
    spn_sampler_init(&p->base, &spn_population_type);
    p->energy = energy;
    SPN_TRY_OR(failed, take_options(p, options, err));
    p->proposals_per_step = spn_order_proposals(p->chain.order, p->chain.replicas);
    p->state_size = p->chain.replicas * energy->sites;
    p->gamma_varies = p->options.gamma_first != p->options.gamma_last;
    if (p->options.sweep_steps == 0)
        p->options.sweep_steps = usual_steps(p);
    SPN_TRY_OR(failed, spn_population_choose_engine(p, err));
    SPN_TRY_OR(failed, begin(p, err));
    *out = &p->base;
    return SPN_OK;
failed:
    destroy(&p->base);
    return status;
}

/* ---- looking ---- */

static spn_stop ended(const spn_sampler *sampler)
{
    const spn_population *p = spn_population_of(sampler);
    if (p->walking)
        return SPN_STOP_NONE;
    return p->so_far.at_target ? SPN_STOP_TARGET : p->u == 1 ? SPN_STOP_STEPS : SPN_STOP_NONE;
}

/* Between points, some groups of the next one may have walked. */
static void look(spn_progress *out, const spn_sampler *sampler)
{
    spn_population *p = (spn_population *)sampler; /* which keeps the words */
    const uint64_t steps = p->options.sweep_steps;
    const uint64_t made = p->walking ? p->point.groups * steps * p->proposals_per_step : 0;
    const double best = fmin(p->so_far.best_energy, p->point.best_energy);
    spn_print_text(p->words, sizeof p->words, "beta %.4g of %.4g, %.0f families, best %.6g",
                   p->beta, p->options.beta_last, p->points ? p->path[p->points - 1].families : 0,
                   best);
    out->share = p->u;
    if (p->options.points) {
        out->steps = (p->options.points + 1) * steps;
        out->share = (double)p->points / (double)(p->options.points + 1);
    }
    out->block = steps;
    out->proposals = p->proposals + made;
    out->best_energy = best;
    out->words = p->words;
}

/* Good if the target was reached, or there are enough families and the end is cold. */
static spn_health health(const spn_sampler *sampler)
{
    const double most_rho = 0.1 * (double)spn_population_of(sampler)->options.groups, hot = 0.05;
    const spn_population *p = spn_population_of(sampler);
    if (p->so_far.at_target)
        return SPN_HEALTH_GOOD;
    if (p->points < 2 || p->path[p->points - 1].rho > most_rho)
        return SPN_HEALTH_SHORT;
    return p->path[p->points - 1].uphill > hot ? SPN_HEALTH_HOT_END : SPN_HEALTH_GOOD;
}

size_t spn_population_points(const spn_sampler *sampler)
{
    return spn_population_of(sampler)->points;
}

void spn_population_point_look(spn_population_point *out, const spn_sampler *sampler, size_t k)
{
    assert(k < spn_population_of(sampler)->points);
    *out = spn_population_of(sampler)->path[k];
}

const int8_t *spn_population_group(const spn_sampler *sampler, size_t g, const double **energies)
{
    const spn_population *p = spn_population_of(sampler);
    assert(g < p->options.groups);
    if (energies)
        *energies = p->energies + g * p->chain.replicas;
    return p->spins + g * p->state_size;
}

/* ---- saved states ---- */

static void visit_fields(spn_population *p, spn_archive *archive)
{
    const size_t groups = p->options.groups;
    spn_archive_flag(archive, &p->walking);
    SPN_VISIT(archive, p->u);
    SPN_VISIT(archive, p->beta);
    SPN_VISIT(archive, p->gamma);
    SPN_VISIT(archive, p->log_z);
    SPN_VISIT(archive, p->culled);
    SPN_VISIT(archive, p->proposals);
    SPN_VISIT(archive, p->point);
    SPN_VISIT(archive, p->so_far);
    SPN_VISIT(archive, p->first_hit_proposals);
    SPN_VISIT(archive, p->first_hit_seconds);
    SPN_VISIT_ARRAY(archive, p->spins, groups * p->state_size);
    SPN_VISIT_ARRAY(archive, p->energies, groups * p->chain.replicas);
    SPN_VISIT_ARRAY(archive, p->coupling, groups);
    SPN_VISIT_ARRAY(archive, p->overlap, groups);
    SPN_VISIT_ARRAY(archive, p->family, groups);
    SPN_VISIT_ARRAY(archive, p->walked, groups);
    SPN_VISIT_ARRAY(archive, p->best_spins, p->energy->sites);
    SPN_VISIT_ARRAY(archive, p->path, p->points);
    if (p->counts)
        SPN_VISIT_ARRAY(archive, p->counts, groups);
}

/* Whether families ascend, and as many groups have walked as were counted. */
static bool are_groups(const spn_population *p)
{
    size_t walked = 0;
    for (size_t g = 0; g < p->options.groups; g++) {
        walked += p->walked[g] != 0;
        if (p->family[g] >= p->options.groups || (g > 0 && p->family[g] < p->family[g - 1]))
            return false;
    }
    return !p->walking || walked == p->point.groups;
}

/* Whether a run can reach the loaded state. */
static bool is_population(const spn_population *p)
{
    const bool at_point = p->u >= 0 && p->u <= 1 && isfinite(p->log_z) && isfinite(p->beta) &&
                          p->beta >= 0 && isfinite(p->gamma) && p->gamma >= 0 &&
                          p->base.step == p->points * p->options.sweep_steps;
    if (!at_point || !are_groups(p))
        return false;
    return p->points == 0 || (spn_are_spins(p->spins, p->options.groups * p->state_size) &&
                              spn_are_spins(p->best_spins, p->energy->sites));
}

static spn_status visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_population *p = (spn_population *)sampler;
    const uint64_t own[] = {p->options.groups,      p->chain.replicas, p->energy->sites,
                            p->options.sweep_steps, p->counts != NULL, p->bits != NULL};
    size_t points = p->points;
    SPN_REFUSE_IF(!spn_archive_agrees(archive, own, sizeof own / sizeof *own), err,
                  "this is not the saved state of a population of %zu groups of %zu "
                  "replicas of %zu spins",
                  p->options.groups, p->chain.replicas, p->energy->sites);
    spn_archive_size(archive, &points);
    if (spn_archive_reads(archive) && points > spn_archive_left(archive) / sizeof *p->path)
        return spn_refuse(err, "the saved population has too few bytes");
    SPN_NEED(spn_grow(&p->path, &p->point_capacity, points, sizeof *p->path), err,
             "the points of a population");
    p->points = points;
    visit_fields(p, archive);
    if (!spn_archive_reads(archive))
        return SPN_OK;
    SPN_TRY(spn_sampler_visited(sampler, archive, err));
    if (is_population(p))
        return SPN_OK;
    return spn_refuse(err, "the saved population has numbers no run comes to");
}

/* The energy of the best state; groups are attached anew at each point. */
static spn_status check(const spn_sampler *sampler, spn_error *err)
{
    const spn_population *p = (const spn_population *)sampler;
    const double best = fmin(p->so_far.best_energy, p->point.best_energy);
    if (!(best < INFINITY))
        return SPN_OK;
    double largest = 0;
    for (size_t w = 0; w < p->walkers; w++)
        largest = fmax(largest, p->walker[w].chain->largest);
    return spn_energy_check(NULL, p->energy, p->best_spins, best, largest, sampler->step, err);
}

const spn_sampler_type spn_population_type = {.name = "population",
                                              .advance = spn_population_advance,
                                              .ended = ended,
                                              .look = look,
                                              .health = health,
                                              .visit = visit,
                                              .check = check,
                                              .destroy = destroy};
