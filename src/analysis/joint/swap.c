/* Swapping: one state for every rung. */
#include "analysis/common.h"
#include "analysis/joint/joint.h"

/* X with the states of rungs k and k + 1 swapped; *pair is its place in the tables of the pair. */
static size_t swapped(const spn_joint *j, size_t X, size_t k, size_t *pair)
{
    const size_t shift = k * j->bits, mask = j->single - 1;
    const size_t x = X >> shift & mask, z = X >> (shift + j->bits) & mask;
    *pair = x | z << j->bits;
    return X ^ *pair << shift ^ (z | x << j->bits) << shift;
}

/* G after a swap less G before it. */
static double change(const spn_joint *j, size_t k, size_t x, size_t z)
{
    const double *hot = j->rung[k].G, *cold = j->rung[k + 1].G;
    return (hot[z] - hot[x]) - (cold[z] - cold[x]);
}

static spn_status prepare(spn_joint *j, const spn_joint_options *options, spn_error *err)
{
    (void)options;
    const size_t pairs = j->single * j->single;
    for (size_t k = 0; k + 1 < j->rungs; k++) {
        double *weight = j->exchange[k] = spn_alloc(pairs, sizeof *weight);
        double *leave = j->exchange_leave[k] = spn_alloc(pairs, sizeof *leave);
        SPN_EXACT_NEED(weight && leave, err, "the swaps", 16 * pairs);
        for (size_t p = 0; p < pairs; p++) {
            const double dG = change(j, k, p & (j->single - 1), p >> j->bits);
            weight[p] = exp(-0.5 * fabs(dG));
            leave[p] = dG > 0 ? exp(-dG) : 1;
        }
    }
    for (size_t X = 0; X < j->states; X++) {
        double G = 0;
        for (size_t k = 0; k < j->rungs; k++)
            G += j->rung[k].G[X >> (k * j->bits) & (j->single - 1)] + j->rung[k].log_z;
        j->root[X] = exp(-0.5 * G);
    }
    spn_joint_normalise(j);
    return SPN_OK;
}

static void multiply(const void *joint, const double *in, double *out)
{
    const spn_joint *j = joint;
    const double flip = (1 - j->share) / (double)j->rungs, swap = j->share / (double)(j->rungs - 1);
#pragma omp parallel for schedule(static) if (spn_threads_pay(j->states > SPN_PARALLEL_FROM))
    for (size_t X = 0; X < j->states; X++) {
        double flips = 0, swaps = 0;
        for (size_t k = 0; k < j->rungs; k++)
            flips += spn_joint_flips(j, &j->rung[k], in, X, k * j->bits);
        for (size_t k = 0; k + 1 < j->rungs; k++) {
            size_t p;
            const size_t Z = swapped(j, X, k, &p);
            if (Z != X)
                swaps += j->exchange_leave[k][p] * in[X] - j->exchange[k][p] * in[Z];
        }
        out[X] = flip * flips + swap * swaps;
    }
}

static double dirichlet(const void *joint, const double *v, double *scratch, const double *ones)
{
    const spn_joint *j = joint;
    const double flip = (1 - j->share) / (double)j->rungs, swap = j->share / (double)(j->rungs - 1);
    const size_t mask = j->single - 1;
#pragma omp parallel for schedule(static) if (spn_threads_pay(j->states > SPN_PARALLEL_FROM))
    for (size_t X = 0; X < j->states; X++) {
        double flips = 0, swaps = 0;
        for (size_t k = 0; k < j->rungs; k++)
            flips += spn_joint_flips_form(j, &j->rung[k], v, X, k * j->bits);
        for (size_t k = 0; k + 1 < j->rungs; k++) {
            size_t p;
            const size_t Z = swapped(j, X, k, &p);
            if (Z > X)
                swaps += spn_joint_square(j->exchange[k][p], change(j, k, p & mask, p >> j->bits),
                                          v[X], v[Z]);
        }
        scratch[X] = flip * flips + swap * swaps;
    }
    return spn_dot(scratch, ones, j->states);
}

const spn_joint_functions spn_joint_swapping = {prepare, multiply, dirichlet};
