/* Joint chains: what all kinds share. */
#include "analysis/joint/joint.h"

#include "analysis/common.h"

#include <assert.h>
#include <stdlib.h>

static const spn_joint_functions *functions_of(spn_joint_kind kind)
{
    static const spn_joint_functions *const all[] = {&spn_joint_swapping, &spn_joint_simulated,
                                                     &spn_joint_equi_energy};
    return (size_t)kind <= SPN_JOINT_EQUI_ENERGY ? all[kind] : NULL;
}

double spn_joint_flips(const spn_joint *j, const spn_rung *r, const double *in, size_t X,
                       size_t shift)
{
    const size_t x = X >> shift & (j->single - 1);
    const double *weights = r->weights + x;
    double sum = r->leave[x] * in[X];
    for (size_t bit = 0; bit < j->bits; bit++, weights += j->single)
        sum -= *weights * in[X ^ (size_t)1 << (shift + bit)];
    return sum;
}

double spn_joint_flips_form(const spn_joint *j, const spn_rung *r, const double *v, size_t X,
                            size_t shift)
{
    const size_t x = X >> shift & (j->single - 1);
    double sum = 0;
    for (size_t bit = 0; bit < j->bits; bit++) {
        const size_t z = x | (size_t)1 << bit;
        if (z != x)
            sum += spn_joint_square(r->weights[bit * j->single + x], r->G[z] - r->G[x], v[X],
                                    v[X | (size_t)1 << (shift + bit)]);
    }
    return sum;
}

void spn_joint_normalise(spn_joint *j)
{
    const double norm = 1 / sqrt(spn_dot(j->root, j->root, j->states));
    for (size_t X = 0; X < j->states; X++)
        j->root[X] *= norm;
}

static void weigh_span(const spn_pair_walk *c, const spn_pair_span *s)
{
    double up[SPN_SPAN_PAIRS], down[SPN_SPAN_PAIRS];
    spn_edges(c->op, s, up, down);
    double *weights = c->out + (size_t)__builtin_ctzll(s->bit) * c->op->states;
    for (size_t r = 0; r < s->pairs; r += s->run)
        for (size_t k = 0; k < s->run; k++) {
            const size_t x = s->first + 2 * r + k;
            weights[x] = weights[x + s->bit] = c->op->rate * sqrt(up[r + k] * down[r + k]);
        }
}

static spn_status make_rung(spn_joint *j, spn_rung *r, const spn_operator *op, spn_error *err)
{
    r->G = spn_alloc(j->single, sizeof *r->G);
    r->weights = spn_alloc(j->single * j->bits, sizeof *r->weights);
    r->leave = spn_alloc(j->single, sizeof *r->leave);
    SPN_EXACT_NEED(r->G && r->weights && r->leave, err, "a rung", 8 * (j->bits + 2) * j->single);
    for (size_t x = 0; x < j->single; x++)
        r->G[x] = r->beta * op->energy[x] - op->coupling[x];
    r->log_z = spn_log_sum_exp(r->G, -1, j->single);
    const spn_pair_walk walk = {.op = op, .out = r->weights};
    spn_operator_sweep(&walk, weigh_span);
    spn_operator_leave(op, r->leave);
    for (size_t x = 0; x < j->single; x++)
        r->leave[x] *= op->rate;
    return SPN_OK;
}

static spn_status make_rungs(spn_joint *j, const spn_landscape *landscape,
                             const spn_joint_options *o, spn_error *err)
{
    spn_operator *op = NULL;
    spn_status status = SPN_OK;
    SPN_TRY(spn_operator_create(&op, landscape, o->replicas, o->kernel, o->betas[0], 0, err));
    for (size_t x = 0; x < j->single; x++)
        j->energy[x] = op->energy[x] - (double)o->replicas * landscape->minimum;
    for (size_t k = 0; k < j->rungs; k++) {
        spn_rung *r = &j->rung[k];
        r->beta = o->betas[k];
        r->gamma = o->gammas ? o->gammas[k] : o->gamma;
        SPN_TRY_OR(cleanup, spn_operator_set(op, o->kernel, r->beta, r->gamma, err));
        SPN_TRY_OR(cleanup, make_rung(j, r, op, err));
    }
cleanup:
    spn_operator_free(op);
    return status;
}

/* The number of states of the chain, as a double so that it cannot overflow. */
static double count_states(const spn_joint_options *o, size_t bits)
{
    switch (o->kind) {
    case SPN_JOINT_SWAPPING:
        return pow(2, (double)(bits * o->rungs));
    case SPN_JOINT_SIMULATED:
        return (double)o->rungs * pow(2, (double)bits);
    case SPN_JOINT_EQUI_ENERGY:
        break;
    }
    return pow(2, (double)bits);
}

static spn_status check(const spn_joint_options *o, const spn_landscape *landscape, spn_error *err)
{
    SPN_REFUSE_IF(!functions_of(o->kind), err, "there is no joint chain number %d", (int)o->kind);
    SPN_REFUSE_IF(o->rungs < 2 || o->rungs > SPN_JOINT_RUNGS || !o->betas, err,
                  "a joint chain has 2 to %d rungs, not %zu", SPN_JOINT_RUNGS, o->rungs);
    SPN_REFUSE_IF(!(o->share > 0 && o->share < 1), err,
                  "the share of a sampler's own moves must be above 0 and below 1, not %g",
                  o->share);
    for (size_t k = 0; k < o->rungs; k++)
        SPN_REFUSE_IF(o->weight_errors && !isfinite(o->weight_errors[k]), err,
                      "an error of a weight is not finite");
    for (size_t k = 0; k < o->ring_count; k++)
        SPN_REFUSE_IF(!isfinite(o->rings[k]) || (k > 0 && !(o->rings[k] > o->rings[k - 1])), err,
                      "the ends of rings must increase");
    const double states = count_states(o, landscape->sites * o->replicas);
    SPN_REFUSE_IF(!(states <= pow(2, SPN_EXACT_BITS)), err,
                  "this joint chain would have %.3g states (N=%zu, y=%zu, %zu rungs), and "
                  "they may be up to 2^%d",
                  states, landscape->sites, o->replicas, o->rungs, SPN_EXACT_BITS);
    return SPN_OK;
}

static spn_status allocate(spn_joint *j, spn_error *err)
{
    j->rung = spn_alloc(j->rungs, sizeof *j->rung);
    j->energy = spn_alloc(j->single, sizeof *j->energy);
    j->root = spn_alloc(j->states, sizeof *j->root);
    j->exchange = spn_alloc(j->rungs, sizeof *j->exchange);
    j->exchange_leave = spn_alloc(j->rungs, sizeof *j->exchange_leave);
    if (j->rung && j->energy && j->root && j->exchange && j->exchange_leave)
        return SPN_OK;
    return spn_exact_no_memory(err, "a joint chain", 8 * j->states);
}

spn_status spn_joint_create(spn_joint **out, const spn_landscape *landscape,
                            const spn_joint_options *options, spn_error *err)
{
    SPN_LIMIT_THREADS(landscape->threads);
    spn_joint_options o = spn_joint_defaults();
    *out = NULL;
    spn_status status;
    SPN_TRY(spn_sized_take(&o, sizeof o, options, "spn_joint_defaults", err));
    SPN_TRY(spn_exact_check(o.replicas, 0, o.gammas ? 0 : o.gamma, false, false, err));
    SPN_TRY(check(&o, landscape, err));
    spn_joint *j = spn_alloc(1, sizeof *j);
    SPN_EXACT_NEED(j, err, "a joint chain", sizeof *j);
    j->kind = o.kind;
    j->threads = landscape->threads;
    j->bits = landscape->sites * o.replicas;
    j->single = (size_t)1 << j->bits;
    j->rungs = o.rungs;
    j->states = (size_t)count_states(&o, j->bits);
    j->share = o.share;
    SPN_TRY_OR(failed, allocate(j, err));
    SPN_TRY_OR(failed, make_rungs(j, landscape, &o, err));
    SPN_TRY_OR(failed, functions_of(o.kind)->prepare(j, &o, err));
    *out = j;
    return SPN_OK;
failed:
    spn_joint_free(j);
    return status;
}

void spn_joint_free(spn_joint *j)
{
    if (!j)
        return;
    for (size_t k = 0; k < j->rungs; k++) {
        if (j->rung) {
            SPN_FREE_ALL(j->rung[k].G, j->rung[k].weights, j->rung[k].leave);
        }
        if (j->exchange)
            free(j->exchange[k]);
        if (j->exchange_leave)
            free(j->exchange_leave[k]);
    }
    SPN_FREE_ALL(j->rung, j->energy, j->root, j->exchange, j->exchange_leave, j->weight,
                 j->rings.states, j->rings.ends, j->rings.hot, j->rings.ratio, j->rings.leave, j);
}

size_t spn_joint_states(const spn_joint *joint)
{
    return joint->states;
}

spn_status spn_joint_gap_sized(spn_gap *out, size_t size, const spn_joint *joint,
                               const spn_gap_options *options, spn_error *err)
{
    const spn_joint_functions *functions = functions_of(joint->kind);
    const spn_reversible chain = {.states = joint->states,
                                  .threads = joint->threads,
                                  .root = joint->root,
                                  .chain = joint,
                                  .multiply = functions->multiply,
                                  .dirichlet = functions->dirichlet};
    spn_gap own;
    SPN_TRY(spn_reversible_gap(&own, &chain, options, err));
    spn_sized_give(out, size, &own, sizeof own);
    return SPN_OK;
}

static double rung_share(const spn_joint *j, size_t k)
{
    const double *root = j->root + k * j->single;
    return spn_dot(root, root, j->single);
}

static double swap_acceptance(const spn_joint *j, size_t k)
{
    const spn_rung *a = &j->rung[k], *b = &j->rung[k + 1];
    double sum = 0;
    for (size_t z = 0; z < j->single; z++) {
        double inner = 0;
        for (size_t x = 0; x < j->single; x++)
            inner += exp(-a->G[x] - a->log_z) * j->exchange_leave[k][x + z * j->single];
        sum += inner * exp(-b->G[z] - b->log_z);
    }
    return sum;
}

/* Of both directions together: the flows from k to k + 1 and back are equal. The table includes
   the probability 1/2 of the proposal. */
static double change_acceptance(const spn_joint *j, size_t k)
{
    const double *low = j->root + k * j->single, *high = low + j->single;
    double flow = 0;
    for (size_t x = 0; x < j->single; x++)
        flow += low[x] * high[x] * j->exchange[k][x];
    return 2 * flow / (0.5 * (rung_share(j, k) + rung_share(j, k + 1)));
}

static double jump_acceptance(const spn_joint *j)
{
    double sum = 0;
    for (size_t x = 0; x < j->single; x++)
        sum += j->root[x] * j->root[x] * j->rings.leave[x];
    return sum;
}

void spn_joint_rung_of_sized(spn_joint_rung *out, size_t size, const spn_joint *joint, size_t k)
{
    assert(k < joint->rungs);
    const spn_rung *r = &joint->rung[k];
    spn_joint_rung own = {r->beta, r->gamma, r->log_z, NAN, NAN};
    const bool coldest = k + 1 == joint->rungs;
    switch (joint->kind) {
    case SPN_JOINT_SWAPPING:
        own.exchange = coldest ? NAN : swap_acceptance(joint, k);
        break;
    case SPN_JOINT_SIMULATED:
        own.share = rung_share(joint, k);
        own.exchange = coldest ? NAN : change_acceptance(joint, k);
        break;
    case SPN_JOINT_EQUI_ENERGY:
        own.exchange = k + 2 == joint->rungs ? jump_acceptance(joint) : NAN;
        break;
    }
    spn_sized_give(out, size, &own, sizeof own);
}
