/* The state of a solver, saved and loaded. */
#include "problem/solver.h"

#include "base/memory.h"
#include "core/energy.h"
#include <string.h>

/* A cache that depends on how its state was reached and cannot be visited is made anew only at the
   start of a round. */
static bool caches_can_be_saved(const spn_solver *solver)
{
    if (!solver->c->energy)
        return true;
    const spn_energy_slots slots = spn_energy_resolve(solver->c->energy);
    return !solver->c->energy->slots->refresh || slots.visit;
}

bool spn_solver_can_save(const spn_sampler *sampler)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    return solver->rounds == 0 || caches_can_be_saved(solver);
}

static void visit_replica(spn_state *s, spn_archive *archive)
{
    const spn_compiled *c = s->c;
    SPN_VISIT_ARRAY(archive, s->spins, c->bits);
    SPN_VISIT_ARRAY(archive, s->field, c->bits);
    SPN_VISIT_ARRAY(archive, s->u, c->rows);
    SPN_VISIT_ARRAY(archive, s->members, c->bits);
    SPN_VISIT(archive, s->objective);
    SPN_VISIT(archive, s->violation);
    SPN_VISIT(archive, s->walked);
}

/* Whether the members of the sets are what they were, in some order. */
static bool are_members(const spn_state *s, uint8_t *seen)
{
    const spn_compiled *c = s->c;
    memset(seen, 0, c->bits);
    for (size_t k = 0; k < c->sets; k++) {
        uint32_t ones = 0;
        for (size_t at = c->set[k].first; at < c->set[k].first + c->set[k].count; at++) {
            const uint32_t i = s->members[at];
            if (i >= c->bits || c->set_of[i] != k || seen[i])
                return false;
            seen[i] = 1;
            ones += s->spins[i] > 0;
        }
        if (ones < c->set[k].low || ones > c->set[k].high)
            return false;
    }
    for (size_t i = 0; i < c->bits; i++)
        if (!spn_is_spin(s->spins[i]))
            return false;
    return true;
}

/* Make what was not saved; what was saved stays, to the last bit. */
static spn_status attach(spn_state *s, spn_archive *archive, spn_error *err)
{
    uint8_t *seen = spn_alloc(s->c->bits, 1);
    SPN_NEED(seen, err, "the state of a solver");
    const bool is_state = !archive->is_short && are_members(s, seen);
    SPN_FREE_ALL(seen);
    SPN_REFUSE_IF(!is_state || !spn_state_attach(s), err,
                  "this is not the saved state of a solver");
    return SPN_OK;
}

static spn_status visit_state(spn_state *s, spn_archive *archive, spn_error *err)
{
    spn_archive again = *archive;
    visit_replica(s, archive);
    if (spn_archive_reads(archive)) {
        SPN_TRY(attach(s, archive, err));
        visit_replica(s, &again); /* sums in the order in which they came about */
    }
    if (s->cache && s->c->energy->slots->visit)
        SPN_REFUSE_IF(!s->c->energy->slots->visit(s->c->energy, s->cache, archive), err,
                      "this is not the saved state of a solver");
    return SPN_OK;
}

static spn_status visit_read(spn_solver *solver, spn_solver_read *read, spn_archive *archive,
                             spn_error *err)
{
    const size_t bits = solver->c->bits, rows = solver->c->rows;
    for (size_t a = 0; solver->rounds > 0 && a < solver->options.replicas; a++)
        SPN_TRY(visit_state(&read->replica[a], archive, err));
    if (spn_archive_reads(archive))
        spn_read_sum(solver, read);
    SPN_VISIT_ARRAY(archive, read->price, rows);
    SPN_VISIT_ARRAY(archive, read->violated, rows);
    SPN_VISIT(archive, read->random);
    SPN_VISIT(archive, read->best);
    SPN_VISIT(archive, read->round_best);
    SPN_VISIT_ARRAY(archive, read->best_spins, bits);
    spn_archive_size(archive, &read->pending);
    SPN_VISIT_ARRAY(archive, read->held, bits);
    SPN_VISIT_ARRAY(archive, read->ends, bits);
    SPN_VISIT(archive, read->proposals);
    SPN_VISIT(archive, read->accepted);
    SPN_VISIT(archive, read->uphill);
    SPN_VISIT(archive, read->epoch_uphill);
    SPN_VISIT(archive, read->epoch_proposals);
    SPN_VISIT(archive, read->sum);
    SPN_VISIT(archive, read->squares);
    SPN_VISIT(archive, read->samples);
    SPN_VISIT(archive, read->heat);
    SPN_VISIT(archive, read->border);
    SPN_VISIT(archive, read->density);
    spn_archive_size(archive, &read->round);
    if (spn_archive_reads(archive)) {
        SPN_REFUSE_IF(read->round > solver->rounds || read->random.used > SPN_WORDS ||
                          read->pending > solver->options.replicas,
                      err, "this is not the saved state of a solver");
        spn_hold_list(solver, read);
        SPN_REFUSE_IF(read->actives == 0 && bits > 0, err,
                      "this is not the saved state of a solver");
        SPN_NEED(spn_grow(&read->ended, &read->ended_room, read->round + 1, sizeof *read->ended),
                 err, "the rounds of a read");
    }
    SPN_VISIT_ARRAY(archive, read->ended, read->round);
    return SPN_OK;
}

/* What the sums and weights agree with is not checked in full: only the solver writes them. */
spn_status spn_solver_visit(spn_sampler *sampler, spn_archive *archive, spn_error *err)
{
    spn_solver *solver = spn_solver_of(sampler);
    const uint64_t numbers[] = {solver->c->bits, solver->c->rows, solver->options.reads,
                                solver->options.replicas, solver->options.seed};
    SPN_REFUSE_IF(!spn_archive_agrees(archive, numbers, sizeof numbers / sizeof *numbers), err,
                  "this is the saved state of another problem or run");
    spn_archive_size(archive, &solver->rounds);
    SPN_VISIT(archive, solver->round_start);
    SPN_VISIT(archive, solver->round_clock);
    spn_archive_flag(archive, &solver->is_last);
    if (spn_archive_reads(archive)) {
        SPN_REFUSE_IF(archive->is_short ||
                          solver->rounds > spn_archive_left(archive) / sizeof *solver->length,
                      err, "the saved solver has too few bytes");
        SPN_NEED(spn_grow(&solver->length, &solver->length_room, solver->rounds + 1,
                          sizeof *solver->length),
                 err, "the rounds");
    }
    SPN_VISIT_ARRAY(archive, solver->length, solver->rounds);
    for (size_t r = 0; r < solver->options.reads; r++)
        SPN_TRY(visit_read(solver, &solver->read[r], archive, err));
    return spn_archive_reads(archive) ? spn_sampler_visited(sampler, archive, err) : SPN_OK;
}
