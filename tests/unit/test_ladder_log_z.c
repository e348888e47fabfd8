/* log Z of ladders against counting: within its error, along every kind of path and with every
   coupling, and its intervals as often right as they say. */
#include "support/instances.h"
#include "support/test.h"

#include <math.h>
#include <spinney/spinney.h>
#include <stdio.h>

static spn_sampler *start(const spn_energy *energy, const spn_ladder_options *o)
{
    spn_error err = {0};
    spn_sampler *ladder;
    assert_ok(spn_ladder_create(&ladder, energy, o, &err), err);
    return ladder;
}

static spn_stop run(spn_sampler *ladder)
{
    spn_error err = {0};
    spn_stop stop;
    assert_ok(spn_sampler_run(&stop, ladder, NULL, &err), err);
    return stop;
}

static spn_ladder_rung rung_of(const spn_sampler *ladder, size_t k)
{
    spn_ladder_rung rung;
    spn_ladder_look_at_rung(&rung, ladder, k);
    return rung;
}

static spn_ladder_rung last_rung(const spn_sampler *ladder)
{
    return rung_of(ladder, spn_ladder_rungs(ladder) - 1);
}

/* By adding up all states; of the replicas, and the centre where there is one. */
static double counted_log_z(const spn_landscape *landscape, const spn_chain_options *chain,
                            double beta, double gamma)
{
    const size_t sites = landscape->sites;
    const double y = (double)chain->replicas;
    spn_error err = {0};
    if (chain->coupling == SPN_COUPLING_GIVEN) { /* replicas are independent */
        double sum = 0;
        for (size_t k = 0; k < landscape->states; k++) {
            double towards = 0;
            for (size_t i = 0; i < sites; i++)
                towards += (k >> i & 1 ? 1 : -1) * chain->centre[i];
            sum += exp(-beta * landscape->energy[k] + gamma * towards);
        }
        return y * log(sum);
    }
    spn_law *law;
    assert_ok(spn_law_create(&law, landscape, chain->replicas, beta, gamma, SPN_LAW_AUTO, &err),
              err);
    const double log_z = chain->coupling == SPN_COUPLING_CENTRE ? law->log_z : law->log_z_marginal;
    spn_law_free(law);
    return log_z;
}

typedef struct way {
    const char *name;
    double beta[2], gamma[2];
} way;

static const way WAYS[] = {{"beta", {0, 1.2}, {0, 0}},
                           {"beta, coupled", {0, 1.2}, {0.5, 0.5}},
                           {"gamma", {0.7, 0.7}, {0, 0.8}},
                           {"both", {0, 1}, {0.2, 0.7}},
                           {"both, falling gamma", {0.1, 1}, {0.6, 0.1}}};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS, SITES = 10 };

static spn_ladder_options options_of(const way *w, const spn_chain_options *chain)
{
    spn_ladder_options o = spn_ladder_defaults();
    o.chain = chain;
    o.beta_first = w->beta[0];
    o.beta_last = w->beta[1];
    o.gamma_first = w->gamma[0];
    o.gamma_last = w->gamma[1];
    o.rungs = 5;
    o.scan_steps = SITES; /* so few that scans are correlated, as those of large systems are */
    o.scans = 512;
    o.rounds = 4;
    return o;
}

static spn_chain_options chain_of(spn_coupling_kind coupling, size_t replicas)
{
    static const int8_t centre[SITES] = {1, -1, 1, 1, -1, -1, 1, -1, 1, 1};
    spn_chain_options chain = spn_chain_defaults();
    chain.coupling = coupling;
    chain.replicas = replicas;
    chain.centre = coupling == SPN_COUPLING_GIVEN ? centre : NULL;
    return chain;
}

/* Every rung, within five standard errors of Student's t at 8 (a chance of 1e-3 each; the seeds are
   fixed, so what passes once always passes), and rounding: a path in gamma with one replica has no
   error at all. */
static void check_log_z(const spn_landscape *landscape, const spn_energy *energy,
                        const spn_chain_options *chain, const way *w)
{
    spn_ladder_options o = options_of(w, chain);
    o.scans = spn_test_samples(4096);
    /* Of fewer scans, under the sanitizers, eight waves give the error too roughly for a bound. */
    const double most_error = o.scans < 4096 ? INFINITY : 0.05;
    spn_sampler *ladder = start(energy, &o);
    assert_int_equal(run(ladder), SPN_STOP_STEPS);
    const bool absolute = w->beta[0] == 0;
    assert_int_equal(spn_ladder_log_z_is_absolute(ladder), absolute);
    const double first = absolute ? 0 : counted_log_z(landscape, chain, w->beta[0], w->gamma[0]);
    for (size_t k = 0; k < spn_ladder_rungs(ladder); k++) {
        const spn_ladder_rung r = rung_of(ladder, k);
        const double exact = counted_log_z(landscape, chain, r.beta, r.gamma) - first;
        const double h = 1e-5, z = k ? (r.log_z - exact) / r.log_z_error : 0;
        printf("  %-10s y=%zu %-20s rung %zu (%.3f, %.3f): log Z %.4f +- %.4f, exact %.4f, %+.2f\n",
               spn_coupling_kind_name(chain->coupling), chain->replicas, w->name, k, r.beta,
               r.gamma, r.log_z, r.log_z_error, exact, z);
        assert_true(fabs(r.log_z - exact) < 5 * (k ? r.log_z_error : 0) + 1e-10);
        assert_true(k == 0 || r.log_z_error < most_error);
        /* <U> = -d log Z/d beta, by differences */
        const double slope = (counted_log_z(landscape, chain, r.beta, r.gamma) -
                              counted_log_z(landscape, chain, r.beta + h, r.gamma)) /
                             h;
        assert_true(fabs(r.energy - slope) < 5 * r.energy_error + 1e-3);
    }
    spn_sampler_free(ladder);
}

static void log_z_is_that_of_counting(void **state)
{
    (void)state;
    spn_landscape *landscape = landscape_random(SITES, 6, 11);
    spn_energy *energy = table_energy(landscape->energy, SITES, true);
    const spn_chain_options chains[] = {
        chain_of(SPN_COUPLING_REPLICAS, 1), chain_of(SPN_COUPLING_REPLICAS, 3),
        chain_of(SPN_COUPLING_CENTRE, 2), chain_of(SPN_COUPLING_GIVEN, 1),
        chain_of(SPN_COUPLING_GIVEN, 2)};
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++)
        for (size_t w = 0; w < WAY_COUNT; w++)
            check_log_z(landscape, energy, &chains[c], &WAYS[w]);
    spn_energy_free(energy);
    spn_landscape_free(landscape);
}

static void check_calibration(const spn_landscape *landscape, const spn_energy *energy,
                              const spn_chain_options *as, const way *w)
{
    const size_t repeats = spn_test_samples(100), least = spn_test_least_covered(repeats);
    spn_chain_options chain = *as;
    size_t covered = 0, entropy_covered = 0;
    const double beta = w->beta[1], gamma = w->gamma[1];
    const double first =
        w->beta[0] == 0 ? 0 : counted_log_z(landscape, as, w->beta[0], w->gamma[0]);
    const double exact = counted_log_z(landscape, as, beta, gamma) - first;
    spn_law *law = NULL;
    spn_error err = {0};
    if (as->coupling == SPN_COUPLING_REPLICAS)
        assert_ok(spn_law_create(&law, landscape, as->replicas, beta, gamma, SPN_LAW_AUTO, &err),
                  err);
    for (uint64_t seed = 1; seed <= repeats; seed++) {
        chain.seed = seed;
        spn_ladder_options o = options_of(w, &chain);
        spn_sampler *ladder = start(energy, &o);
        run(ladder);
        const spn_ladder_rung r = last_rung(ladder);
        covered += r.log_z_low <= exact && exact <= r.log_z_high;
        if (law)
            entropy_covered +=
                r.entropy_low <= law->entropy - first && law->entropy - first <= r.entropy_high;
        spn_sampler_free(ladder);
    }
    printf("  %s, %s: log Z %zu of %zu, entropy %zu\n", spn_coupling_kind_name(as->coupling),
           w->name, covered, repeats, entropy_covered);
    assert_in_range(covered, least, repeats);
    if (law)
        assert_in_range(entropy_covered, least, repeats);
    spn_law_free(law);
}

static void intervals_are_calibrated(void **state)
{
    (void)state;
    spn_landscape *landscape = landscape_random(SITES, 6, 11);
    spn_energy *energy = table_energy(landscape->energy, SITES, true);
    const spn_chain_options single = chain_of(SPN_COUPLING_REPLICAS, 1),
                            coupled = chain_of(SPN_COUPLING_REPLICAS, 3),
                            centre = chain_of(SPN_COUPLING_CENTRE, 2),
                            given = chain_of(SPN_COUPLING_GIVEN, 1);
    check_calibration(landscape, energy, &single, &WAYS[0]);
    check_calibration(landscape, energy, &coupled, &WAYS[1]);
    check_calibration(landscape, energy, &coupled, &WAYS[2]);
    check_calibration(landscape, energy, &centre, &WAYS[3]);
    check_calibration(landscape, energy, &given, &WAYS[1]);
    spn_energy_free(energy);
    spn_landscape_free(landscape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(log_z_is_that_of_counting),
                                       cmocka_unit_test(intervals_are_calibrated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
