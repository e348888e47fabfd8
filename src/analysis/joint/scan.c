/* How fast swapping converges in scans, with even and odd pairs in turn. That chain is not
   reversible, so Lanczos does not apply. The second largest modulus is the limit of |C^n|^(1/n),
   with C the matrix of two scans less the invariant law, by repeated squaring. */
#include "analysis/common.h"
#include "analysis/joint/joint.h"

#include <string.h>

enum { SQUARINGS = 23 }; /* two scans, 2^23 times */

/* One proposal of rung k: f <- S_k f, where f includes the factor sqrt(law). */
static void propose(const spn_joint *j, size_t k, double *f, double *scratch)
{
    for (size_t X = 0; X < j->states; X++)
        scratch[X] = f[X] - spn_joint_flips(j, &j->rung[k], f, X, k * j->bits);
    memcpy(f, scratch, j->states * sizeof *f);
}

/* The swaps of the pairs `first`, first + 2, ... */
static void swap_pairs(const spn_joint *j, size_t first, double *f, double *scratch)
{
    const size_t mask = j->single - 1;
    for (size_t k = first; k + 1 < j->rungs; k += 2) {
        const size_t shift = k * j->bits;
        for (size_t X = 0; X < j->states; X++) {
            const size_t p = X >> shift & (mask | mask << j->bits);
            const size_t turned = (p & mask) << j->bits | p >> j->bits;
            const size_t Z = X ^ p << shift ^ turned << shift;
            scratch[X] =
                Z == X ? f[X] : f[X] - j->exchange_leave[k][p] * f[X] + j->exchange[k][p] * f[Z];
        }
        memcpy(f, scratch, j->states * sizeof *f);
    }
}

static void propose_all(const spn_joint *j, size_t proposals, double *f, double *scratch)
{
    for (size_t k = 0; k < j->rungs; k++)
        for (size_t t = 0; t < proposals; t++)
            propose(j, k, f, scratch);
}

/* Two scans, even pairs and odd pairs in turn. */
static void cycle(const spn_joint *j, size_t proposals, double *f, double *scratch)
{
    swap_pairs(j, 0, f, scratch);
    propose_all(j, proposals, f, scratch);
    swap_pairs(j, 1, f, scratch);
    propose_all(j, proposals, f, scratch);
}

/* Two scans, each with even or odd pairs at random; other: scratch. */
static void coins(const spn_joint *j, size_t proposals, double *f, double *scratch, double *other)
{
    for (int scan = 0; scan < 2; scan++) {
        memcpy(other, f, j->states * sizeof *f);
        swap_pairs(j, 0, f, scratch);
        swap_pairs(j, 1, other, scratch);
        for (size_t X = 0; X < j->states; X++)
            f[X] = 0.5 * (f[X] + other[X]);
        propose_all(j, proposals, f, scratch);
    }
}

/* out = m m scaled to norm 1; returns the log of the norm before. */
static double square(double *out, const double *m, size_t n)
{
    spn_matrix_multiply(out, m, m, n);
    const double norm = sqrt(spn_dot(out, out, n * n));
    for (size_t k = 0; k < n * n && norm > 0; k++)
        out[k] /= norm;
    return log(norm);
}

/* The log of the spectral radius of m. Overwrites m and next. */
static double log_radius(double *m, double *next, size_t n)
{
    double sum = 0, power = 1;
    for (int s = 0; s < SQUARINGS && !spn_pause_now(); s++) {
        power *= 2;
        sum += square(next, m, n) / power;
        double *swap = m;
        m = next;
        next = swap;
        if (!isfinite(sum))
            return -INFINITY; /* some power is 0 */
    }
    return sum;
}

/* The matrix of two scans less its projection on the law, column by column. */
static void fill(double *m, const spn_joint *j, size_t proposals, bool random, double *scratch)
{
    const size_t n = j->states;
    double *f = scratch, *one = scratch + n, *two = scratch + 2 * n;
    for (size_t z = 0; z < n && !spn_pause_now(); z++) {
        memset(f, 0, n * sizeof *f);
        f[z] = 1;
        if (random)
            coins(j, proposals, f, one, two);
        else
            cycle(j, proposals, f, one);
        for (size_t x = 0; x < n; x++)
            m[x * n + z] = f[x] - j->root[x] * j->root[z];
    }
}

spn_status spn_joint_scan_sized(spn_joint_rates *out, size_t size, const spn_joint *joint,
                                size_t proposals, spn_error *err)
{
    SPN_LIMIT_THREADS(joint->threads);
    const size_t n = joint->states;
    if (joint->kind != SPN_JOINT_SWAPPING || joint->rungs < 3 || proposals < 1 ||
        n > (size_t)1 << SPN_JOINT_SCAN_BITS)
        return spn_refuse(err,
                          "scans need swapping over 3 rungs or more, at most 2^%d states in all, "
                          "and a proposal or more",
                          SPN_JOINT_SCAN_BITS);
    double *m = spn_alloc(n * n, sizeof *m), *next = spn_alloc(n * n, sizeof *next);
    double *scratch = spn_alloc(3 * n, sizeof *scratch);
    spn_status status = SPN_OK;
    if (m && next && scratch) {
        const double all = 2 * (double)(proposals * joint->rungs);
        spn_joint_rates own;
        fill(m, joint, proposals, false, scratch);
        own.even_odd = -expm1(log_radius(m, next, n) / all);
        fill(m, joint, proposals, true, scratch);
        own.random = -expm1(log_radius(m, next, n) / all);
        spn_sized_give(out, size, &own, sizeof own);
    } else {
        status = spn_exact_no_memory(err, "scans", 16 * n * n);
    }
    SPN_FREE_ALL(m, next, scratch);
    return status;
}
