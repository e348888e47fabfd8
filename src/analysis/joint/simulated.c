/* Simulated tempering: a state and the rung that it is at. */
#include "analysis/common.h"
#include "analysis/joint/joint.h"

/* G(x, k + 1) - G(x, k). */
static double change(const spn_joint *j, size_t k, size_t x)
{
    return (j->rung[k + 1].G[x] - j->weight[k + 1]) - (j->rung[k].G[x] - j->weight[k]);
}

static spn_status prepare(spn_joint *j, const spn_joint_options *options, spn_error *err)
{
    const double *errors = options->weight_errors;
    double top = errors ? -INFINITY : 0;
    j->weight = spn_alloc(j->rungs, sizeof *j->weight);
    SPN_EXACT_NEED(j->weight, err, "weights", 8 * j->rungs);
    for (size_t k = 0; k < j->rungs; k++) {
        j->weight[k] = (errors ? errors[k] : 0) - j->rung[k].log_z;
        top = errors ? fmax(top, errors[k]) : 0;
    }
    for (size_t k = 0; k + 1 < j->rungs; k++) {
        double *weight = j->exchange[k] = spn_alloc(j->single, sizeof *weight);
        /* from k to k + 1, then from k + 1 to k */
        double *leave = j->exchange_leave[k] = spn_alloc(2 * j->single, sizeof *leave);
        SPN_EXACT_NEED(weight && leave, err, "changes of the rung", 24 * j->single);
        for (size_t x = 0; x < j->single; x++) {
            const double dG = change(j, k, x);
            weight[x] = 0.5 * exp(-0.5 * fabs(dG));
            leave[x] = dG > 0 ? 0.5 * exp(-dG) : 0.5;
            leave[j->single + x] = dG < 0 ? 0.5 * exp(dG) : 0.5;
        }
    }
    for (size_t k = 0; k < j->rungs; k++)
        for (size_t x = 0; x < j->single; x++)
            j->root[k * j->single + x] = exp(-0.5 * (j->rung[k].G[x] - j->weight[k] + top));
    spn_joint_normalise(j);
    return SPN_OK;
}

static void multiply(const void *joint, const double *in, double *out)
{
    const spn_joint *j = joint;
    const size_t single = j->single;
#pragma omp parallel for schedule(static) if (spn_threads_pay(j->states > SPN_PARALLEL_FROM))
    for (size_t X = 0; X < j->states; X++) {
        const size_t k = X >> j->bits, x = X & (single - 1);
        double changes = 0;
        if (k + 1 < j->rungs)
            changes += j->exchange_leave[k][x] * in[X] - j->exchange[k][x] * in[X + single];
        if (k > 0)
            changes += j->exchange_leave[k - 1][single + x] * in[X] -
                       j->exchange[k - 1][x] * in[X - single];
        out[X] = (1 - j->share) * spn_joint_flips(j, &j->rung[k], in, X, 0) + j->share * changes;
    }
}

static double dirichlet(const void *joint, const double *v, double *scratch, const double *ones)
{
    const spn_joint *j = joint;
#pragma omp parallel for schedule(static) if (spn_threads_pay(j->states > SPN_PARALLEL_FROM))
    for (size_t X = 0; X < j->states; X++) {
        const size_t k = X >> j->bits, x = X & (j->single - 1);
        double sum = (1 - j->share) * spn_joint_flips_form(j, &j->rung[k], v, X, 0);
        if (k + 1 < j->rungs)
            sum += j->share *
                   spn_joint_square(j->exchange[k][x], change(j, k, x), v[X], v[X + j->single]);
        scratch[X] = sum;
    }
    return spn_dot(scratch, ones, j->states);
}

const spn_joint_functions spn_joint_simulated = {prepare, multiply, dirichlet};
