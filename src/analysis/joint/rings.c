/* Equi-energy in the limit of a hotter rung that ran for ever. From x, a jump proposes z in the
   same ring with the hot law h within it, and accepts it with min(1, r(z) / r(x)), r = cold / hot.
   In a ring sorted by r, the symmetrised matrix sqrt(h h') sqrt(min(r, r') / max(r, r')) is a
   product of a function of the lower place and one of the higher. So two running sums, one up and
   one down, apply it in O(1) per state. */
#include "analysis/common.h"
#include "analysis/joint/joint.h"

#include <stdlib.h>

typedef struct member {
    uint32_t state;
    double energy, ratio;
    size_t ring;
} member;

static int by_energy(const void *a, const void *b)
{
    const member *x = a, *z = b;
    if (x->energy != z->energy)
        return x->energy < z->energy ? -1 : 1;
    return (x->state > z->state) - (x->state < z->state);
}

static int by_ring(const void *a, const void *b)
{
    const member *x = a, *z = b;
    if (x->ring != z->ring)
        return x->ring < z->ring ? -1 : 1;
    if (x->ratio != z->ratio)
        return x->ratio < z->ratio ? -1 : 1;
    return (x->state > z->state) - (x->state < z->state);
}

/* The members are sorted by energy. Energies that differ only by rounding share a ring. */
static void number_rings(member *m, const spn_joint *j, const spn_joint_options *o)
{
    const double near = 1e-9 * (1 + m[j->single - 1].energy);
    size_t ring = 0;
    for (size_t k = 0; k < j->single; k++) {
        if (o->ring_count == 0)
            ring += k > 0 && m[k].energy > m[k - 1].energy + near;
        else
            while (ring < o->ring_count && m[k].energy >= o->rings[ring] - near)
                ring++;
        m[k].ring = ring;
    }
}

/* The probability that a jump leaves each state of a ring; h sums to 1 there. */
static void find_leaving(spn_rings *r, size_t begin, size_t end)
{
    double below = 0; /* sum of h r / r(here) over the places before */
    double above = 0; /* sum of h from here on */
    for (size_t p = begin; p < end; p++)
        above += r->hot[p];
    for (size_t p = begin; p < end; p++) {
        if (p > begin)
            below = (below + r->hot[p - 1]) * exp(r->ratio[p - 1] - r->ratio[p]);
        above -= r->hot[p];
        r->leave[r->states[p]] = below + fmax(above, 0);
    }
}

static void make_ring(spn_joint *j, const member *m, size_t begin, size_t end)
{
    spn_rings *r = &j->rings;
    const spn_rung *hot = &j->rung[j->rungs - 2];
    double top = INFINITY, sum = 0;
    for (size_t p = begin; p < end; p++)
        top = fmin(top, hot->G[m[p].state]);
    for (size_t p = begin; p < end; p++) {
        r->states[p] = m[p].state;
        r->ratio[p] = m[p].ratio;
        r->hot[p] = exp(top - hot->G[m[p].state]);
        sum += r->hot[p];
    }
    for (size_t p = begin; p < end; p++)
        r->hot[p] /= sum;
    r->ends[r->count++] = end;
    find_leaving(r, begin, end);
}

static bool allocate(spn_joint *j)
{
    spn_rings *r = &j->rings;
    r->states = spn_alloc(j->single, sizeof *r->states);
    r->ends = spn_alloc(j->single, sizeof *r->ends);
    r->hot = spn_alloc(j->single, sizeof *r->hot);
    r->ratio = spn_alloc(j->single, sizeof *r->ratio);
    r->leave = spn_alloc(j->single, sizeof *r->leave);
    return r->states && r->ends && r->hot && r->ratio && r->leave;
}

static spn_status prepare(spn_joint *j, const spn_joint_options *options, spn_error *err)
{
    const spn_rung *cold = &j->rung[j->rungs - 1], *hot = cold - 1;
    member *m = spn_alloc(j->single, sizeof *m);
    if (!m || !allocate(j)) {
        free(m);
        return spn_exact_no_memory(err, "rings", 72 * j->single);
    }
    for (size_t x = 0; x < j->single; x++)
        m[x] = (member){(uint32_t)x, j->energy[x], hot->G[x] - cold->G[x], 0};
    qsort(m, j->single, sizeof *m, by_energy);
    number_rings(m, j, options);
    qsort(m, j->single, sizeof *m, by_ring);
    for (size_t begin = 0, p = 1; p <= j->single; p++)
        if (p == j->single || m[p].ring != m[begin].ring) {
            make_ring(j, m, begin, p);
            begin = p;
        }
    free(m);
    for (size_t x = 0; x < j->single; x++)
        j->root[x] = exp(-0.5 * (cold->G[x] + cold->log_z));
    spn_joint_normalise(j);
    return SPN_OK;
}

/* out -= share * (the jumps within a ring applied to in), the stay at a place left out. */
static void jump(const spn_joint *j, const double *in, double *out, size_t begin, size_t end)
{
    const spn_rings *r = &j->rings;
    double sum = 0;
    for (size_t p = begin; p < end; p++) {
        if (p > begin)
            sum = (sum + sqrt(r->hot[p - 1]) * in[r->states[p - 1]]) *
                  exp(0.5 * (r->ratio[p - 1] - r->ratio[p]));
        out[r->states[p]] -= j->share * sqrt(r->hot[p]) * sum;
    }
    sum = 0;
    for (size_t p = end; p-- > begin;) {
        if (p + 1 < end)
            sum = (sum + sqrt(r->hot[p + 1]) * in[r->states[p + 1]]) *
                  exp(0.5 * (r->ratio[p] - r->ratio[p + 1]));
        out[r->states[p]] -= j->share * sqrt(r->hot[p]) * sum;
    }
}

static void multiply(const void *joint, const double *in, double *out)
{
    const spn_joint *j = joint;
    const spn_rung *cold = &j->rung[j->rungs - 1];
#pragma omp parallel for schedule(static) if (spn_threads_pay(j->states > SPN_PARALLEL_FROM))
    for (size_t x = 0; x < j->states; x++)
        out[x] = (1 - j->share) * spn_joint_flips(j, cold, in, x, 0) +
                 j->share * j->rings.leave[x] * in[x];
    for (size_t ring = 0, begin = 0; ring < j->rings.count; begin = j->rings.ends[ring++])
        jump(j, in, out, begin, j->rings.ends[ring]);
}

/* The form of the jumps of a ring: sum over pairs of c h h' min(r, r') (f - f')^2, f = v /
   sqrt(law), c r h the law. min(r, r') is the sum of the steps of r up to both, so the form is a
   sum over places q of (r_q - r_(q-1)) M_q V_q, with M_q the mass of h from q on and V_q the spread
   of f there, both kept from the top down. */
static double ring_form(const spn_joint *j, const double *v, size_t begin, size_t end)
{
    const spn_rings *r = &j->rings;
    double mass = 0, mean = 0, spread = 0, total = 0;
    for (size_t p = end; p-- > begin;) {
        const size_t x = r->states[p];
        const double root = j->root[x], h = r->hot[p];
        const double scale = h > 0 && root > 0 ? root * root / h : 0; /* c r */
        if (scale > 0) {
            const double f = v[x] / root, apart = f - mean;
            mass += h;
            mean += apart * h / mass;
            spread += h * apart * (f - mean);
        }
        const double step = p > begin ? -expm1(r->ratio[p - 1] - r->ratio[p]) : 1;
        total += scale * step * mass * spread;
    }
    return total;
}

static double dirichlet(const void *joint, const double *v, double *scratch, const double *ones)
{
    const spn_joint *j = joint;
    const spn_rung *cold = &j->rung[j->rungs - 1];
    double jumps = 0;
#pragma omp parallel for schedule(static) if (spn_threads_pay(j->states > SPN_PARALLEL_FROM))
    for (size_t x = 0; x < j->states; x++)
        scratch[x] = spn_joint_flips_form(j, cold, v, x, 0);
    for (size_t ring = 0, begin = 0; ring < j->rings.count; begin = j->rings.ends[ring++])
        jumps += ring_form(j, v, begin, j->rings.ends[ring]);
    return (1 - j->share) * spn_dot(scratch, ones, j->states) + j->share * jumps;
}

const spn_joint_functions spn_joint_equi_energy = {prepare, multiply, dirichlet};
