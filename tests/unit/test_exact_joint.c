/* Joint chains against dense matrices that are built here from their definition alone: row sums,
   detailed balance, every entry, eigenvalues by Jacobi rotations; scans against powers; what their
   gaps must be in cases known by hand; bad input. */
#include "analysis/joint/joint.h"
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/joint.h>
#include <spinney/sampler.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

/* ---- the definition ---- */

typedef struct plain {
    const spn_landscape *l;
    spn_joint_options o;
    size_t bits, single, states;
} plain;

static double energy_of(const plain *p, size_t x)
{
    double sum = 0;
    for (size_t a = 0; a < p->o.replicas; a++)
        sum += p->l->energy[x >> (a * p->l->sites) & (p->l->states - 1)];
    return sum;
}

static double coupling_of(const plain *p, size_t x, double gamma)
{
    double sum = 0;
    for (size_t i = 0; i < p->l->sites; i++) {
        int spins = 0;
        for (size_t a = 0; a < p->o.replicas; a++)
            spins += x >> (a * p->l->sites + i) & 1 ? 1 : -1;
        sum += log(cosh(gamma * spins));
    }
    return sum;
}

static double gamma_of(const plain *p, size_t k)
{
    return p->o.gammas ? p->o.gammas[k] : p->o.gamma;
}

/* log weight of x at rung k. */
static double weight_of(const plain *p, size_t x, size_t k)
{
    return coupling_of(p, x, gamma_of(p, k)) - p->o.betas[k] * energy_of(p, x);
}

static double log_z_of(const plain *p, size_t k)
{
    double sum = 0;
    for (size_t x = 0; x < p->single; x++)
        sum += exp(weight_of(p, x, k));
    return log(sum);
}

static double flip_acceptance(const plain *p, size_t x, size_t z, size_t k)
{
    const double u = p->o.betas[k] * (energy_of(p, z) - energy_of(p, x));
    const double h = coupling_of(p, z, gamma_of(p, k)) - coupling_of(p, x, gamma_of(p, k));
    if (p->o.kernel == SPN_KERNEL_TWO_STAGE)
        return fmin(1, exp(h)) * fmin(1, exp(-u));
    return p->o.kernel == SPN_KERNEL_ONE_STAGE ? fmin(1, exp(h - u)) : 1 / (1 + exp(u - h));
}

/* Move from X to Z with so much probability; what is not used stays. */
static void add_move(double *m, const plain *p, size_t X, size_t Z, double probability)
{
    m[X * p->states + Z] += probability;
    m[X * p->states + X] -= probability;
}

static void swapping_row(double *m, const plain *p, size_t X)
{
    const size_t K = p->o.rungs, mask = p->single - 1;
    for (size_t k = 0; k < K; k++)
        for (size_t b = 0; b < p->bits; b++) {
            const size_t shift = k * p->bits, x = X >> shift & mask, z = x ^ (size_t)1 << b;
            add_move(m, p, X, X ^ (size_t)1 << (shift + b),
                     (1 - p->o.share) / (double)(K * p->bits) * flip_acceptance(p, x, z, k));
        }
    for (size_t k = 0; k + 1 < K; k++) {
        const size_t shift = k * p->bits, x = X >> shift & mask, z = X >> (shift + p->bits) & mask;
        const size_t others = X & ~((mask | mask << p->bits) << shift);
        const double ratio = weight_of(p, z, k) + weight_of(p, x, k + 1) - weight_of(p, x, k) -
                             weight_of(p, z, k + 1);
        add_move(m, p, X, others | z << shift | x << (shift + p->bits),
                 p->o.share / (double)(K - 1) * fmin(1, exp(ratio)));
    }
}

static double simulated_weight(const plain *p, size_t x, size_t k)
{
    return weight_of(p, x, k) - log_z_of(p, k) + (p->o.weight_errors ? p->o.weight_errors[k] : 0);
}

static void simulated_row(double *m, const plain *p, size_t X)
{
    const size_t k = X >> p->bits, x = X & (p->single - 1);
    for (size_t b = 0; b < p->bits; b++)
        add_move(m, p, X, X ^ (size_t)1 << b,
                 (1 - p->o.share) / (double)p->bits * flip_acceptance(p, x, x ^ (size_t)1 << b, k));
    for (int way = -1; way <= 1; way += 2) {
        const size_t to = k + (size_t)way;
        if (to < p->o.rungs)
            add_move(m, p, X, to << p->bits | x,
                     p->o.share / 2 *
                         fmin(1, exp(simulated_weight(p, x, to) - simulated_weight(p, x, k))));
    }
}

static size_t ring_of(const plain *p, size_t x)
{
    const double u = energy_of(p, x) - (double)p->o.replicas * p->l->minimum;
    size_t ring = 0;
    if (p->o.ring_count == 0)
        return (size_t)lround(1000 * u);
    while (ring < p->o.ring_count && u >= p->o.rings[ring])
        ring++;
    return ring;
}

static void equi_energy_row(double *m, const plain *p, size_t x)
{
    const size_t cold = p->o.rungs - 1, hot = cold - 1;
    double ring = 0;
    for (size_t b = 0; b < p->bits; b++)
        add_move(m, p, x, x ^ (size_t)1 << b,
                 (1 - p->o.share) / (double)p->bits *
                     flip_acceptance(p, x, x ^ (size_t)1 << b, cold));
    for (size_t z = 0; z < p->single; z++)
        ring += ring_of(p, z) == ring_of(p, x) ? exp(weight_of(p, z, hot)) : 0;
    for (size_t z = 0; z < p->single; z++)
        if (ring_of(p, z) == ring_of(p, x)) {
            const double ratio = weight_of(p, z, cold) - weight_of(p, z, hot) -
                                 weight_of(p, x, cold) + weight_of(p, x, hot);
            add_move(m, p, x, z,
                     p->o.share * exp(weight_of(p, z, hot)) / ring * fmin(1, exp(ratio)));
        }
}

/* The law of the definition. */
static double law_of(const plain *p, size_t X)
{
    if (p->o.kind == SPN_JOINT_SIMULATED)
        return exp(simulated_weight(p, X & (p->single - 1), X >> p->bits));
    if (p->o.kind == SPN_JOINT_EQUI_ENERGY)
        return exp(weight_of(p, X, p->o.rungs - 1));
    double sum = 0;
    for (size_t k = 0; k < p->o.rungs; k++)
        sum += weight_of(p, X >> (k * p->bits) & (p->single - 1), k);
    return exp(sum);
}

static plain plain_of(const spn_landscape *l, const spn_joint_options *o)
{
    plain p = {.l = l, .o = *o, .bits = l->sites * o->replicas};
    p.single = (size_t)1 << p.bits;
    p.states = o->kind == SPN_JOINT_SIMULATED  ? o->rungs * p.single
               : o->kind == SPN_JOINT_SWAPPING ? (size_t)1 << (p.bits * o->rungs)
                                               : p.single;
    return p;
}

static double *matrix_of(const plain *p)
{
    double *m = calloc(p->states * p->states, sizeof *m);
    assert_non_null(m);
    for (size_t X = 0; X < p->states; X++) {
        m[X * p->states + X] = 1;
        if (p->o.kind == SPN_JOINT_SWAPPING)
            swapping_row(m, p, X);
        else if (p->o.kind == SPN_JOINT_SIMULATED)
            simulated_row(m, p, X);
        else
            equi_energy_row(m, p, X);
    }
    return m;
}

/* ---- comparisons ---- */

static void jacobi(double *m, size_t n)
{
    for (int sweep = 0; sweep < 15; sweep++)
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                const double apq = m[p * n + q];
                if (fabs(apq) < 1e-18)
                    continue;
                const double theta = (m[q * n + q] - m[p * n + p]) / (2 * apq);
                const double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c;
                for (size_t k = 0; k < n; k++) {
                    const double a = m[k * n + p], b = m[k * n + q];
                    m[k * n + p] = c * a - s * b;
                    m[k * n + q] = s * a + c * b;
                }
                for (size_t k = 0; k < n; k++) {
                    const double a = m[p * n + k], b = m[q * n + k];
                    m[p * n + k] = c * a - s * b;
                    m[q * n + k] = s * a + c * b;
                }
            }
}

/* The ends of the spectrum of m, symmetrised and used up. */
static void check_gap(double *m, const plain *p, const spn_joint *j)
{
    const size_t n = p->states;
    for (size_t X = 0; X < n; X++)
        for (size_t Z = 0; Z < X; Z++)
            m[X * n + Z] = m[Z * n + X] = sqrt(m[X * n + Z] * m[Z * n + X]);
    jacobi(m, n);
    double top = -2, second = -2, low = 2;
    for (size_t k = 0; k < n; k++) {
        const double value = m[k * n + k];
        second = value > top ? top : fmax(second, value);
        top = fmax(top, value);
        low = fmin(low, value);
    }
    spn_gap gap;
    spn_error err = {0};
    assert_ok(spn_joint_gap(&gap, j, NULL, &err), err);
    assert_near(top, 1, 1e-12);
    assert_true(gap.converged && gap.lambda_min_converged);
    assert_near(gap.gap, 1 - second, 1e-11);
    assert_near(gap.lambda_min, low, 1e-11);
}

/* out = P f, for laws without zeros. */
static void apply(const spn_joint *j, const double *f, double *out)
{
    static const spn_joint_functions *const functions[] = {
        &spn_joint_swapping, &spn_joint_simulated, &spn_joint_equi_energy};
    double scaled[MOST];
    for (size_t X = 0; X < j->states; X++)
        scaled[X] = f[X] * j->root[X];
    functions[j->kind]->multiply(j, scaled, out);
    for (size_t X = 0; X < j->states; X++)
        out[X] = f[X] - out[X] / j->root[X];
}

/* Each column of P by its use on a unit vector. */
static void check_entries(const double *m, const plain *p, const spn_joint *j)
{
    double f[MOST] = {0}, out[MOST];
    for (size_t Z = 0; Z < p->states; Z++) {
        f[Z] = 1;
        apply(j, f, out);
        for (size_t X = 0; X < p->states; X++)
            assert_near(out[X], m[X * p->states + Z], 1e-12);
        f[Z] = 0;
    }
}

static void check_law(const double *m, const plain *p, const spn_joint *j)
{
    double law[MOST], norm = 0;
    for (size_t X = 0; X < p->states; X++) {
        law[X] = j->root[X] * j->root[X];
        norm += law_of(p, X);
    }
    for (size_t X = 0; X < p->states; X++) {
        double row = 0;
        assert_near(law[X], law_of(p, X) / norm, 1e-14);
        for (size_t Z = 0; Z < p->states; Z++) {
            row += m[X * p->states + Z];
            assert_near(law[X] * m[X * p->states + Z], law[Z] * m[Z * p->states + X], 1e-15);
        }
        assert_near(row, 1, 1e-13);
    }
}

static void compare(const spn_landscape *l, const spn_joint_options *o)
{
    const plain p = plain_of(l, o);
    spn_joint *j;
    spn_error err = {0};
    assert_true(p.states <= MOST);
    assert_ok(spn_joint_create(&j, l, o, &err), err);
    assert_int_equal(spn_joint_states(j), p.states);
    double *m = matrix_of(&p);
    check_law(m, &p, j);
    check_entries(m, &p, j);
    check_gap(m, &p, j);
    for (size_t k = 0; k < o->rungs; k++) {
        spn_joint_rung rung;
        spn_joint_rung_of(&rung, j, k);
        assert_near(rung.log_z, log_z_of(&p, k), 1e-12);
    }
    free(m);
    spn_joint_free(j);
}

static const double BETAS[] = {0, 0.7, 1.6, 2.1}, GAMMAS[] = {0.2, 0.5, 0.9, 0.4};

static void test_swapping(void **state)
{
    (void)state;
    spn_landscape *two = landscape_random(2, 6, 3), *one = landscape_random(2, 1, 5),
                  *four = landscape_random(4, 3, 8);
    spn_joint_options o = spn_joint_defaults();
    o.betas = BETAS;
    for (int kernel = 0; kernel < 3; kernel++) {
        o.kernel = (spn_kernel)kernel;
        o.rungs = 4;
        o.replicas = 1;
        o.share = 0.3;
        o.gammas = NULL;
        compare(two, &o); /* 2 sites, 4 rungs */
        o.rungs = 2;
        o.replicas = 2;
        o.gamma = 0.6;
        compare(one, &o); /* 2 sites, 2 replicas, 2 rungs */
        o.gammas = GAMMAS;
        compare(one, &o);
    }
    o = spn_joint_defaults();
    o.betas = BETAS + 1;
    o.rungs = 2;
    compare(four, &o);
    spn_landscape_free(one);
    spn_landscape_free(two);
    spn_landscape_free(four);
}

static void test_simulated(void **state)
{
    (void)state;
    static const double errors[] = {0.5, -1, 2, 0.1};
    spn_landscape *l = landscape_random(3, 6, 4), *two = landscape_random(2, 4, 6);
    spn_joint_options o = spn_joint_defaults();
    o.kind = SPN_JOINT_SIMULATED;
    o.betas = BETAS;
    o.rungs = 4;
    compare(l, &o);
    o.weight_errors = errors;
    o.kernel = SPN_KERNEL_ONE_STAGE;
    compare(l, &o);
    o.replicas = 2;
    o.gammas = GAMMAS;
    o.share = 0.8;
    compare(two, &o);
    spn_landscape_free(l);
    spn_landscape_free(two);
}

static void test_equi_energy(void **state)
{
    (void)state;
    static const double rings[] = {1.5, 3.5};
    spn_landscape *b = landscape_b(), *l = landscape_random(3, 5, 9);
    spn_joint_options o = spn_joint_defaults();
    o.kind = SPN_JOINT_EQUI_ENERGY;
    o.betas = BETAS;
    o.rungs = 4;
    compare(b, &o); /* each energy a ring: every jump is accepted */
    o.rings = rings;
    o.ring_count = 2;
    compare(b, &o);
    o.replicas = 2;
    o.gammas = GAMMAS;
    o.ring_count = 0;
    compare(l, &o); /* the couplings of the rungs differ */
    o.ring_count = 1;
    compare(l, &o);
    spn_landscape_free(b);
    spn_landscape_free(l);
}

/* Small gaps come from the Dirichlet form: with rungs that are all the same cold one, swapping
   only renumbers states, and the gap times the share of a rung is that of the kernel. */
static void test_small_gaps(void **state)
{
    (void)state;
    static const double cold[] = {12, 12, 12};
    spn_landscape *a = landscape_a();
    spn_error err = {0};
    const double alone = gap_of(a, 1, S1, 12, 0).gap;
    for (int kind = SPN_JOINT_SWAPPING; kind <= SPN_JOINT_SIMULATED; kind++) {
        spn_joint_options o = spn_joint_defaults();
        spn_joint *j;
        spn_gap gap;
        o.kind = (spn_joint_kind)kind;
        o.betas = cold;
        o.rungs = 3;
        assert_ok(spn_joint_create(&j, a, &o, &err), err);
        assert_ok(spn_joint_gap(&gap, j, NULL, &err), err);
        assert_true(alone < 1e-4 && gap.converged);
        assert_digits(gap.gap, 0.5 * alone / (kind == SPN_JOINT_SWAPPING ? 3 : 1), 8);
        spn_joint_free(j);
    }
    spn_landscape_free(a);
}

/* The same for jumps: a ring for each energy, of a landscape whose two wells have different depths
   and no energy in common below the pass: jumps do not help. */
static void test_small_gap_of_jumps(void **state)
{
    (void)state;
    static const double values[8] = {0, 3, 3, 2, 3, 2, 2, 0.5}, cold[] = {1, 9};
    spn_energy *energy = table_energy(values, 3, false);
    spn_landscape *l;
    spn_error err = {0};
    assert_ok(spn_landscape_create(&l, energy, 1, &err), err);
    spn_energy_free(energy);
    spn_joint_options o = spn_joint_defaults();
    o.kind = SPN_JOINT_EQUI_ENERGY;
    o.betas = cold;
    o.rungs = 2;
    spn_joint *j;
    spn_gap gap;
    assert_ok(spn_joint_create(&j, l, &o, &err), err);
    assert_ok(spn_joint_gap(&gap, j, NULL, &err), err);
    const double alone = gap_of(l, 1, S1, 9, 0).gap;
    assert_true(gap.converged && gap.gap < 1e-4);
    assert_true(gap.gap >= 0.5 * alone * (1 - 1e-9) && gap.gap < 1.01 * alone);
    spn_joint_free(j);
    spn_landscape_free(l);
}

/* f <- P f for the proposals of one rung, or the swaps of pair k, from the definition. */
static void plain_move(const plain *p, double *f, size_t k, bool swap)
{
    const size_t mask = p->single - 1, shift = k * p->bits;
    double out[MOST];
    for (size_t X = 0; X < p->states; X++) {
        const size_t x = X >> shift & mask;
        out[X] = f[X];
        for (size_t b = 0; b < p->bits && !swap; b++)
            out[X] += flip_acceptance(p, x, x ^ (size_t)1 << b, k) / (double)p->bits *
                      (f[X ^ (size_t)1 << (shift + b)] - f[X]);
        if (swap) {
            const size_t z = X >> (shift + p->bits) & mask;
            const size_t others = X & ~((mask | mask << p->bits) << shift);
            const double ratio = weight_of(p, z, k) + weight_of(p, x, k + 1) - weight_of(p, x, k) -
                                 weight_of(p, z, k + 1);
            out[X] +=
                fmin(1, exp(ratio)) * (f[others | z << shift | x << (shift + p->bits)] - f[X]);
        }
    }
    memcpy(f, out, p->states * sizeof *f);
}

static double take_mean_out(const plain *p, double *f)
{
    double mean = 0, mass = 0, norm = 0;
    for (size_t X = 0; X < p->states; X++) {
        mean += law_of(p, X) * f[X];
        mass += law_of(p, X);
    }
    for (size_t X = 0; X < p->states; X++) {
        f[X] -= mean / mass;
        norm += f[X] * f[X];
    }
    for (size_t X = 0; X < p->states; X++)
        f[X] /= sqrt(norm);
    return 0.5 * log(norm);
}

/* By the growth of a vector over many cycles of three rungs, `proposals` each in a scan. */
static double plain_even_odd(const plain *p, size_t proposals)
{
    enum { CYCLES = 800 };
    double f[MOST], growth = 0;
    for (size_t X = 0; X < p->states; X++)
        f[X] = sin(3.0 * (double)X);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        for (size_t scan = 0; scan < 2; scan++) {
            plain_move(p, f, scan, true);
            for (size_t k = 0; k < 3; k++)
                for (size_t t = 0; t < proposals; t++)
                    plain_move(p, f, k, false);
        }
        const double grown = take_mean_out(p, f);
        growth += 2 * cycle >= CYCLES ? grown : 0;
    }
    return -expm1(growth / (CYCLES / 2) / (double)(6 * proposals));
}

static spn_joint_rates rates_of(const spn_landscape *l, const spn_joint_options *o,
                                size_t proposals)
{
    spn_joint *j;
    spn_joint_rates rates;
    spn_error err = {0};
    assert_ok(spn_joint_create(&j, l, o, &err), err);
    assert_ok(spn_joint_scan(&rates, j, proposals, &err), err);
    assert_int_equal(spn_joint_scan(&rates, j, 0, &err), SPN_ERROR_ARGUMENT);
    spn_joint_free(j);
    return rates;
}

static void test_scans(void **state)
{
    (void)state;
    static const double hot[] = {0, 0, 0}, betas[] = {0.3, 1.2, 2};
    spn_landscape *l = landscape_random(2, 6, 3);
    spn_joint_options o = spn_joint_defaults();
    o.betas = betas;
    o.rungs = 3;
    const plain p = plain_of(l, &o);
    for (size_t proposals = 1; proposals <= 2; proposals++)
        assert_near(rates_of(l, &o, proposals).even_odd, plain_even_odd(&p, proposals), 1e-6);
    /* All at beta = 0: every proposal is accepted, the chain has period 2. */
    o.betas = hot;
    assert_near(rates_of(l, &o, 1).even_odd, 0, 1e-6);
    assert_near(rates_of(l, &o, 1).random, 0, 1e-6);
    /* Heat bath there: a function of one spin of one rung, moved about by swaps that are always
       accepted, decays by 1/2 in a scan of one proposal each. */
    o.kernel = SPN_KERNEL_HEAT_BATH;
    assert_near(rates_of(l, &o, 1).even_odd, 1 - pow(0.5, 1.0 / 3), 1e-6);
    assert_near(rates_of(l, &o, 1).random, 1 - pow(0.5, 1.0 / 3), 1e-6);
    spn_landscape_free(l);
}

static void refused(const spn_landscape *l, const spn_joint_options *o, const char *why)
{
    spn_joint *j;
    spn_error err = {0};
    assert_int_equal(spn_joint_create(&j, l, o, &err), SPN_ERROR_ARGUMENT);
    assert_null(j);
    if (!strstr(err.text, why))
        fail_msg("'%s' does not say '%s'", err.text, why);
}

static void test_bad_input(void **state)
{
    (void)state;
    static const double bad[] = {1, -1, 2, 3}, falls[] = {2, 1};
    spn_landscape *b = landscape_b();
    spn_joint_options o = spn_joint_defaults();
    refused(b, &o, "2 to 64 rungs, not 0");
    o.betas = BETAS;
    o.rungs = 1;
    refused(b, &o, "2 to 64 rungs, not 1");
    o.rungs = 4;
    o.share = 1;
    refused(b, &o, "above 0 and below 1");
    o.share = 0.5;
    o.replicas = 2;
    refused(b, &o, "1.1e+12 states");
    o.replicas = 0;
    refused(b, &o, "replicas");
    o.replicas = 1;
    o.betas = bad;
    refused(b, &o, "beta must be finite and 0 or more");
    o.betas = BETAS;
    o.kind = (spn_joint_kind)7;
    refused(b, &o, "no joint chain number 7");
    o.kind = SPN_JOINT_EQUI_ENERGY;
    o.rings = falls;
    o.ring_count = 2;
    refused(b, &o, "must increase");
    o = (spn_joint_options){0};
    refused(b, &o, "spn_joint_defaults");
    spn_joint_free(NULL);
    spn_landscape_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swapping),           cmocka_unit_test(test_simulated),
        cmocka_unit_test(test_equi_energy),        cmocka_unit_test(test_small_gaps),
        cmocka_unit_test(test_small_gap_of_jumps), cmocka_unit_test(test_scans),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
