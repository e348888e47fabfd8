/* The solver: options, creation, rounds of all reads, results. */
#include "problem/solver.h"

#include "base/memory.h"
#include <stdlib.h>

enum { MOST_THREADS = 4096, MOST_READS = 65535, FIRST_SWEEPS = 100, SWEEPS = 1000 };
/* Part of the time that a round may take, and where rounds hold what others agree on. */
#define LONGEST 0.25
#define LONGEST_HELD 0.125

/* ---- options ---- */

static spn_status check_schedules(const spn_solver_options *o, spn_error *err)
{
    const uint64_t ticks = SPN_EPOCHS * SPN_TICKS;
    if (o->beta)
        SPN_TRY(spn_schedule_check(o->beta, "beta", true, ticks, err));
    return o->gamma ? spn_schedule_check(o->gamma, "gamma", false, ticks, err) : SPN_OK;
}

static spn_status check_options(const spn_solver_options *o, spn_error *err)
{
    SPN_REFUSE_IF(o->reads < 1 || o->reads > MOST_READS, err, "reads: %zu is not 1 to %d", o->reads,
                  (int)MOST_READS);
    SPN_REFUSE_IF(o->replicas < 1 || o->replicas > SPN_MAX_REPLICAS, err,
                  "replicas: %zu is not 1 to %d", o->replicas, (int)SPN_MAX_REPLICAS);
    SPN_REFUSE_IF(o->threads < 1 || o->threads > MOST_THREADS, err, "threads: %u is not 1 to %d",
                  o->threads, (int)MOST_THREADS);
    SPN_REFUSE_IF(o->reads - 1 > UINT32_MAX - o->run, err, "run: run plus reads is beyond 2^32");
    SPN_REFUSE_IF(!(o->seconds >= 0), err, "seconds: %g is not 0 or more", o->seconds);
    SPN_REFUSE_IF(!(o->penalty >= 0 && o->penalty < INFINITY), err, "penalty: %g is not 0 or more",
                  o->penalty);
    SPN_REFUSE_IF(o->has_target && isnan(o->target), err, "target: it is not a number");
    SPN_REFUSE_IF(o->lengths && o->rounds == 0, err, "rounds: lengths need their number");
    return check_schedules(o, err);
}

/* ---- creation ---- */

static void destroy(spn_sampler *sampler)
{
    spn_solver *solver = (spn_solver *)sampler;
    for (size_t r = 0; solver->read && r < solver->options.reads; r++)
        spn_solver_read_clear(solver, &solver->read[r]);
    spn_team_free(solver->team);
    spn_compiled_free(solver->c);
    spn_presolved_free(solver->presolved);
    SPN_FREE_ALL(solver->heavy, solver->gate, solver->weight, solver->length, solver->read, solver);
}

void spn_solver_read_clear(const spn_solver *solver, spn_solver_read *read)
{
    for (size_t a = 0; read->replica && a < solver->options.replicas; a++)
        spn_state_clear(&read->replica[a]);
    SPN_FREE_ALL(read->replica, read->sums, read->price, read->violated, read->best_spins,
                 read->ended, read->held, read->active, read->ends);
}

spn_status spn_solver_read_init(const spn_solver *solver, spn_solver_read *read, size_t r,
                                spn_error *err)
{
    const spn_compiled *c = solver->c;
    const size_t replicas = solver->options.replicas;
    *read = (spn_solver_read){.best = {INFINITY, INFINITY}, .pending = replicas};
    read->random.stream = spn_stream_make(solver->options.seed, solver->options.run + (uint32_t)r,
                                          0, SPN_PURPOSE_PROPOSALS);
    read->random.used = SPN_WORDS;
    for (size_t e = 0; e <= SPN_EPOCHS; e++)
        read->border[e] = (double)e / SPN_EPOCHS;
    for (size_t e = 0; e < SPN_EPOCHS; e++)
        read->density[e] = 1;
    read->replica = spn_alloc(replicas, sizeof *read->replica);
    read->sums = replicas > 1 ? spn_alloc(c->bits, sizeof *read->sums) : NULL;
    read->price = spn_alloc(c->rows, sizeof *read->price);
    read->violated = spn_alloc(c->rows, 1);
    read->best_spins = spn_alloc(c->bits, 1);
    read->held = spn_alloc(c->bits, 1);
    read->ends = spn_alloc(c->bits, 1);
    read->active = spn_alloc(c->bits + 1, sizeof *read->active);
    SPN_NEED(read->replica && (replicas == 1 || read->sums) && read->price && read->violated &&
                 read->best_spins && read->held && read->ends && read->active,
             err, "a read");
    for (size_t k = 0; k < c->rows; k++)
        read->price[k] = spn_first_price(solver, k);
    for (size_t a = 0; a < replicas; a++)
        SPN_TRY(spn_state_init(&read->replica[a], c, err));
    return SPN_OK;
}

/* What kinds of bits there are; see the members of spn_solver. */
static spn_status classify_bits(spn_solver *solver, spn_error *err)
{
    const spn_compiled *c = solver->c;
    SPN_NEED(solver->heavy = spn_alloc(c->bits, 1), err, "the bits of a problem");
    for (size_t i = 0; i < c->bits; i++) {
        const bool in_energy = c->site_of && c->site_of[i] != SPN_NO_BIT;
        solver->heavy[i] = in_energy || c->in_first[i] < c->in_first[i + 1];
        for (size_t k = c->in_first[i]; k < c->in_first[i + 1]; k++)
            if (c->product[c->in[k]].row != SPN_NO_ROW)
                solver->heavy[i] |= 2;
        solver->is_heavy = solver->is_heavy || solver->heavy[i];
        solver->has_objective = solver->has_objective || in_energy || c->field[i] != 0 ||
                                c->link_first[i] < c->link_first[i + 1];
    }
    for (size_t t = 0; t < c->products; t++)
        solver->has_objective = solver->has_objective || c->product[t].row == SPN_NO_ROW;
    for (size_t r = 0; r < c->rows; r++)
        solver->has_objective = solver->has_objective || c->row[r].soft > 0;
    solver->has_swaps = c->columns > 0;
    return SPN_OK;
}

/* The range of beta by the weights at first; then by those after a short round, if limits are
 * priced. */
static spn_status measure_with(spn_solver *solver, spn_solver_read *scout, spn_error *err)
{
    const uint64_t steps = spn_round_steps(solver, FIRST_SWEEPS);
    SPN_TRY(spn_solver_measure(solver, scout, err));
    for (size_t r = 0; r < solver->c->rows; r++)
        scout->price[r] = spn_first_price(solver, r);
    if (!solver->is_priced)
        return SPN_OK;
    SPN_TRY(spn_read_start(solver, scout, err));
    spn_read_run(solver, scout, 0, steps, steps);
    for (size_t r = 0; r < solver->c->rows; r++)
        solver->weight[r] = scout->price[r].weight;
    return spn_solver_measure(solver, scout, err);
}

/* First weights and the range of beta come from a read of their own, before the others. */
static spn_status measure(spn_solver *solver, spn_error *err)
{
    spn_solver_read scout;
    spn_status status;
    SPN_NEED(solver->weight = spn_alloc(5 * solver->c->rows, sizeof *solver->weight), err,
             "the weights of a problem");
    SPN_TRY_OR(cleanup, spn_solver_read_init(solver, &scout, 0, err));
    scout.random.stream =
        spn_stream_make(solver->options.seed, solver->options.run, 0, SPN_PURPOSE_START);
    SPN_TRY_OR(cleanup, spn_read_start(solver, &scout, err));
    spn_first_weights(solver, &scout.replica[0], solver->weight);
    for (size_t r = 0; r < solver->c->rows; r++) {
        scout.price[r].weight = solver->weight[r];
        solver->is_priced = solver->is_priced || spn_first_price(solver, r).both < 0;
    }
    solver->beta_first = solver->beta_last = 1;
    if (!solver->options.beta)
        SPN_TRY_OR(cleanup, measure_with(solver, &scout, err));
cleanup:
    spn_solver_read_clear(solver, &scout);
    return status;
}

static spn_status make(spn_solver *solver, spn_error *err)
{
    spn_solver_options *o = &solver->options;
    spn_compile_options compile = {.keeps_sets = !o->plain};
    if (!o->whole)
        SPN_TRY(spn_presolve_make(&solver->presolved, solver->program, err));
    compile.presolved = solver->presolved;
    SPN_TRY(spn_compile(&solver->c, solver->program, &compile, err));
    SPN_TRY(classify_bits(solver, err));
    SPN_TRY(spn_find_gates(solver, err));
    SPN_TRY(spn_compiled_bound(&solver->bound, solver->c, err));
    SPN_TRY(measure(solver, err));
    SPN_NEED(solver->read = spn_alloc(o->reads, sizeof *solver->read), err, "the reads");
    for (size_t r = 0; r < o->reads; r++)
        SPN_TRY(spn_solver_read_init(solver, &solver->read[r], r, err));
    return SPN_OK;
}

static spn_status take_lengths(spn_solver *solver, const uint64_t *lengths, spn_error *err)
{
    if (!lengths)
        return SPN_OK;
    SPN_NEED(spn_grow(&solver->length, &solver->length_room, solver->options.rounds,
                      sizeof *solver->length),
             err, "the rounds");
    for (size_t k = 0; k < solver->options.rounds; k++) {
        SPN_REFUSE_IF(lengths[k] == 0, err, "lengths: round %zu has no sweeps", k);
        solver->length[k] = lengths[k];
    }
    return SPN_OK;
}

spn_status spn_solver_create(spn_sampler **out, const spn_program *program,
                             const spn_solver_options *options, spn_error *err)
{
    spn_solver *solver = spn_alloc(1, sizeof *solver);
    spn_status status;
    *out = NULL;
    SPN_NEED(solver, err, "a solver");
    spn_sampler_init(&solver->base, &spn_solver_type);
    solver->program = program;
    solver->options = spn_solver_defaults();
    SPN_TRY_OR(cleanup, spn_sized_take(&solver->options, sizeof solver->options, options,
                                       "spn_solver_defaults", err));
    SPN_TRY_OR(cleanup, check_options(&solver->options, err));
    SPN_TRY_OR(cleanup, take_lengths(solver, solver->options.lengths, err));
    SPN_TRY_OR(cleanup, make(solver, err));
    if (solver->options.threads > 1 && solver->options.reads > 1)
        solver->team = spn_team_create(solver->options.threads);
    *out = &solver->base;
    return SPN_OK;
cleanup:
    destroy(&solver->base);
    return status;
}

/* ---- rounds ---- */

uint64_t spn_round_steps(const spn_solver *solver, uint64_t sweeps)
{
    const uint64_t least = SPN_EPOCHS * SPN_TICKS, bits = solver->c->bits;
    if (sweeps > (UINT64_MAX >> 8) / (bits ? bits : 1))
        return UINT64_MAX >> 8;
    return sweeps * bits > least ? sweeps * bits : least;
}

/* The sweeps of a round by the clock: twice those of the last one, but no more than its part of the
   time; and all that is left, if the next one would not be complete. */
static uint64_t sweeps_in_time(spn_solver *solver)
{
    const double total = solver->options.seconds, now = spn_sampler_seconds(&solver->base);
    const uint64_t first = solver->options.sweeps ? solver->options.sweeps : FIRST_SWEEPS;
    if (solver->rounds == 0)
        return first;
    const uint64_t last = solver->length[solver->rounds - 1];
    const double pace = (now - solver->round_clock) / (double)last; /* seconds of a sweep */
    const double left = total - now;
    const double part = solver->is_priced && !solver->gate ? LONGEST_HELD : LONGEST;
    const double longest = part * total;
    double next = fmax(2 * (double)last, (double)first);
    if (next * pace > longest)
        next = fmax((double)last, longest / pace);
    if (left < 2 * next * pace) {
        solver->is_last = left < 1.5 * next * pace;
        next = solver->is_last ? left / pace : left / pace / 2;
    }
    return next < 1 ? 1 : (uint64_t)fmin(next, 1e15);
}

static uint64_t next_sweeps(spn_solver *solver)
{
    const spn_solver_options *o = &solver->options;
    if (o->lengths)
        return solver->length[solver->rounds];
    if (o->seconds > 0)
        return sweeps_in_time(solver);
    return o->sweeps ? o->sweeps : SWEEPS;
}

static spn_status begin_round(spn_solver *solver, spn_error *err)
{
    const uint64_t sweeps = next_sweeps(solver);
    SPN_NEED(
        spn_grow(&solver->length, &solver->length_room, solver->rounds + 1, sizeof *solver->length),
        err, "the rounds");
    solver->length[solver->rounds++] = sweeps;
    solver->round_start = solver->base.step;
    solver->round_clock = spn_sampler_seconds(&solver->base);
    return SPN_OK;
}

static uint64_t steps_of_round(const spn_solver *solver)
{
    return spn_round_steps(solver, solver->length[solver->rounds - 1]);
}

static bool round_is_over(const spn_solver *solver)
{
    return solver->rounds == 0 || solver->base.step - solver->round_start == steps_of_round(solver);
}

static void work(void *context, size_t r)
{
    spn_solver *solver = context;
    spn_solver_read *read = &solver->read[r];
    const uint64_t from = solver->base.step - solver->round_start, steps = steps_of_round(solver);
    if (from == 0)
        read->status = spn_read_start(solver, read, &read->error);
    if (!read->status)
        spn_read_run(solver, read, from, solver->block, steps);
    if (!read->status && from + solver->block == steps)
        read->status = spn_read_end(solver, read, &read->error);
}

static spn_status advance(spn_sampler *sampler, uint64_t most, spn_error *err)
{
    spn_solver *solver = spn_solver_of(sampler);
    if (round_is_over(solver))
        SPN_TRY(begin_round(solver, err));
    const uint64_t left = solver->round_start + steps_of_round(solver) - sampler->step;
    solver->block = most < left ? most : left;
    spn_team_run(solver->team, work, solver, solver->options.reads);
    for (size_t r = 0; r < solver->options.reads; r++)
        if (solver->read[r].status) {
            if (err)
                *err = solver->read[r].error;
            return solver->read[r].status;
        }
    sampler->step += solver->block;
    return SPN_OK;
}

/* ---- how it went ---- */

static double target_of(const spn_solver *solver)
{
    const double target =
        solver->options.has_target ? solver->c->sign * solver->options.target : -INFINITY;
    const double rounding = solver->c->integral ? 0 : 1e-12 * solver->c->bound;
    return fmax(target, solver->bound) + rounding;
}

static spn_merit best_of(const spn_solver *solver)
{
    spn_merit best = solver->read[0].best;
    for (size_t r = 1; r < solver->options.reads; r++)
        if (spn_is_better(solver->read[r].best, best))
            best = solver->read[r].best;
    return best;
}

/* Whether the best state is as good as the target, by its score from scratch if what is kept from
   change to change may be off. */
static bool has_met_target(const spn_solver *solver)
{
    const spn_merit best = best_of(solver);
    bool is_met = best.violation == 0 && best.objective <= target_of(solver);
    if (!is_met || solver->c->exact || !solver->program->integral)
        return is_met;
    int32_t *values = spn_alloc(solver->program->count, sizeof *values);
    is_met = false;
    for (size_t r = 0; values && !is_met && r < solver->options.reads; r++) {
        spn_solution solution;
        is_met = !spn_solver_solution(&solution, &solver->base, r, values, NULL) &&
                 solution.score.feasible &&
                 solver->c->sign * solution.score.objective <= target_of(solver);
    }
    free(values);
    return is_met;
}

static spn_stop ended(const spn_sampler *sampler)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    const spn_solver_options *o = &solver->options;
    if (has_met_target(solver))
        return SPN_STOP_TARGET;
    if (o->seconds > 0 && !o->lengths && spn_sampler_seconds(sampler) >= o->seconds)
        return SPN_STOP_TIME;
    if (solver->rounds == 0 || !round_is_over(solver))
        return SPN_STOP_NONE;
    if (solver->c->bits == 0)
        return SPN_STOP_STEPS;
    if (o->seconds > 0 && !o->lengths) {
        const bool is_enough = o->rounds > 0 && solver->rounds >= o->rounds;
        return is_enough ? SPN_STOP_STEPS : solver->is_last ? SPN_STOP_TIME : SPN_STOP_NONE;
    }
    return solver->rounds >= (o->rounds ? o->rounds : 1) ? SPN_STOP_STEPS : SPN_STOP_NONE;
}

static void look(spn_progress *out, const spn_sampler *sampler)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    const spn_solver_options *o = &solver->options;
    const size_t rounds = o->rounds ? o->rounds : 1;
    for (size_t r = 0; r < o->reads; r++)
        out->proposals += solver->read[r].proposals;
    const spn_merit best = best_of(solver);
    out->best_energy = best.violation > 0 ? NAN : solver->c->sign * best.objective;
    out->words = best.violation > 0 ? "not feasible yet" : "feasible";
    if (o->seconds > 0)
        out->share = fmin(1, spn_sampler_seconds(sampler) / o->seconds);
    else if (solver->rounds > 0)
        out->share = fmin(
            1, ((double)solver->rounds - 1 +
                (double)(sampler->step - solver->round_start) / (double)steps_of_round(solver)) /
                   (double)rounds);
}

/* Frozen if nearly nothing was accepted; otherwise restarts make it as it should be. */
static spn_health health(const spn_sampler *sampler)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    const uint64_t few = 4096, rare = 10000;
    uint64_t proposals = 0, uphill = 0;
    for (size_t r = 0; r < solver->options.reads; r++) {
        proposals += solver->read[r].proposals;
        uphill += solver->read[r].uphill;
    }
    if (ended(sampler) == SPN_STOP_TARGET)
        return SPN_HEALTH_GOOD;
    if (proposals < few)
        return SPN_HEALTH_SHORT;
    return uphill <= proposals / rare ? SPN_HEALTH_FROZEN_START : SPN_HEALTH_GOOD;
}

const uint64_t *spn_solver_rounds(const spn_sampler *sampler, size_t *count)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    assert(sampler->type == &spn_solver_type);
    *count = solver->rounds;
    return solver->length;
}

bool spn_solver_keeps(const spn_sampler *sampler, size_t constraint)
{
    const spn_compiled *c = ((const spn_solver *)sampler)->c;
    for (size_t k = 0; k < c->sets; k++)
        if (c->set[k].constraint == constraint)
            return true;
    return false;
}

double spn_solver_weight(const spn_sampler *sampler, size_t r, size_t constraint)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    for (size_t k = 0; k < solver->c->rows; k++)
        if (solver->c->row[k].constraint == constraint && !(solver->c->row[k].soft > 0))
            return solver->read[r].price[k].weight;
    return 0;
}

/* Whether a state is as good as the best, but for rounding. */
static bool is_as_good(const spn_solver *solver, spn_merit merit, spn_merit best)
{
    const double rounding = solver->c->integral ? 0 : 1e-12 * solver->c->bound;
    return merit.violation <= best.violation && merit.objective <= best.objective + rounding;
}

static size_t rounds_as_good(const spn_solver *solver, const spn_solver_read *read, spn_merit best)
{
    size_t found = 0;
    for (size_t k = 0; k < read->round; k++)
        found += is_as_good(solver, read->ended[k].best, best);
    return found;
}

/* Rounds at least half as long as the longest that ended, as trials of the same kind. One that held
   bits started from the best state: it is one trial with the round before it, and has found the
   best only if no round of its read had. */
static void count_trials(spn_solver_result *out, const spn_solver *solver, spn_merit best)
{
    uint64_t longest = 0;
    for (size_t k = 0; k < solver->read[0].round; k++)
        longest = solver->length[k] > longest ? solver->length[k] : longest;
    for (size_t r = 0; r < solver->options.reads; r++) {
        const spn_solver_read *read = &solver->read[r];
        bool is_known = false;
        for (size_t k = 0; k < read->round; k++) {
            const bool is_met = is_as_good(solver, read->ended[k].best, best);
            const bool is_trial = read->ended[k].held == 0;
            const bool is_long = solver->length[k - (k > 0 && !is_trial)] >= longest - longest / 2;
            out->trials += is_long && is_trial;
            out->met += is_long && is_met && (is_trial || !is_known);
            is_known = is_known || is_met;
        }
    }
}

/* See spn_solver_result. The counts are those of the last round, if it ended. */
static bool is_frozen(const spn_solver *solver, const spn_solver_read *read)
{
    const unsigned all = SPN_EPOCHS / 2, few = all / 8;
    bool has_hard = false, is_always = false, is_sometimes = false;
    if (read->round == 0 || !round_is_over(solver) || read->holds)
        return false;
    for (size_t r = 0; r < solver->c->rows; r++) {
        const unsigned epochs = read->violated[r] >> 1;
        if (solver->c->row[r].soft > 0)
            continue;
        has_hard = true;
        is_always = is_always || epochs == all;
        is_sometimes = is_sometimes || (epochs >= few && epochs < all);
    }
    return !is_sometimes && (is_always || (has_hard && solver->options.penalty > 0));
}

void spn_solver_look_sized(spn_solver_result *out, size_t size, const spn_sampler *sampler)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    const spn_merit best = best_of(solver);
    assert(sampler->type == &spn_solver_type);
    spn_solver_result own = {.reads = solver->options.reads,
                             .replicas = solver->options.replicas,
                             .bits = solver->c->bits,
                             .kept = solver->c->sets,
                             .rounds = solver->read[0].round,
                             .beta_first = solver->beta_first,
                             .beta_last = solver->beta_last,
                             .bound = solver->c->sign * solver->bound,
                             .impossible = SIZE_MAX};
    if (solver->presolved) {
        own.known = solver->presolved->known;
        own.merged = solver->presolved->merged;
        own.dropped = solver->presolved->drops;
        own.impossible = solver->presolved->impossible;
    }
    for (size_t k = 0; k < solver->c->rows; k++)
        own.penalised += solver->c->row[k].soft > 0 ? 0 : 1;
    for (size_t r = 0; r < solver->options.reads; r++) {
        const spn_solver_read *read = &solver->read[r];
        own.proposals += read->proposals;
        own.accepted += read->accepted;
        own.feasible += read->best.violation == 0;
        own.frozen += is_frozen(solver, read);
        own.found += is_as_good(solver, read->best, best);
        own.rounds_found += rounds_as_good(solver, read, best);
    }
    count_trials(&own, solver, best);
    spn_sized_give(out, size, &own, sizeof own);
}

spn_status spn_solver_solution_sized(spn_solution *out, size_t size, const spn_sampler *sampler,
                                     size_t r, int32_t *values, spn_error *err)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    assert(sampler->type == &spn_solver_type && r < solver->options.reads);
    const spn_solver_read *read = &solver->read[r];
    spn_solution own = {
        .read = r, .rounds = read->round, .found = rounds_as_good(solver, read, read->best)};
    const bool is_pending = read->pending < solver->options.replicas;
    spn_compiled_values(values, solver->c,
                        is_pending ? read->replica[read->pending].spins : read->best_spins);
    SPN_TRY(spn_program_score(&own.score, NULL, solver->program, values, err));
    spn_sized_give(out, size, &own, sizeof own);
    return SPN_OK;
}

/* The best objectives, kept from move to move, are those of their states. */
static spn_status check(const spn_sampler *sampler, spn_error *err)
{
    const spn_solver *solver = (const spn_solver *)sampler;
    int32_t *values = spn_alloc(solver->program->count, sizeof *values);
    spn_status status = values ? SPN_OK : spn_no_memory(err, "a state");
    for (size_t r = 0; !status && r < solver->options.reads; r++) {
        const spn_solver_read *read = &solver->read[r];
        spn_solution solution;
        if (!(read->best.violation < INFINITY))
            continue;
        status = spn_solver_solution(&solution, sampler, r, values, err);
        if (status)
            break;
        const double found = solver->c->sign * solution.score.objective;
        if (!(fabs(found - read->best.objective) <= 1e-9 * (solver->c->bound + fabs(found) + 1)))
            status = spn_fail(err, SPN_ERROR_ENERGY,
                              "the objective kept from move to move is %.17g, that of its state "
                              "%.17g: the energy's changes do not add up",
                              read->best.objective, found);
    }
    free(values);
    return status;
}

const spn_sampler_type spn_solver_type = {.name = "solver",
                                          .advance = advance,
                                          .ended = ended,
                                          .look = look,
                                          .health = health,
                                          .can_save = spn_solver_can_save,
                                          .visit = spn_solver_visit,
                                          .check = check,
                                          .destroy = destroy};
