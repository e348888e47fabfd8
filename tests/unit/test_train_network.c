/* Training of networks through the library: scores, votes, shifted images, what is proposed, and
   chains that were saved and went on. */
#include "chain/chain.h"
#include "model/training.h"
#include "support/digits.h"
#include "support/models.h"
#include "support/schedules.h"
#include "support/scratch.h"

#include <math.h>
#include <spinney/network.h>
#include <spinney/train.h>
#include <stdlib.h>
#include <string.h>

enum { HIDDEN = 16, REPLICAS = 3 };

static const spn_preprocess as_they_are = {.kind = SPN_PREPROCESS_NONE, .scale = 1};
static const spn_preprocess binary = {.kind = SPN_PREPROCESS_BINARY, .threshold = 7};

static spn_train_options options(void)
{
    spn_train_options o = spn_train_defaults();
    o.hidden = HIDDEN;
    o.hidden_bias = 3;
    o.bias = 1;
    o.preprocess = &as_they_are;
    o.logit_scale = 1.5;
    o.logit_scale_by_root = true;
    return o;
}

static spn_chain_options chain_options(uint64_t steps)
{
    spn_chain_options o = spn_chain_defaults();
    o.replicas = REPLICAS;
    o.kernel = SPN_KERNEL_ONE_STAGE;
    o.start = SPN_START_INDEPENDENT;
    o.beta = spn_test_exponential(600, 12000);
    o.steps = steps;
    return o;
}

static spn_train_result *train(const spn_train_options *o, const spn_chain_options *chain)
{
    spn_error err = {0};
    spn_train_result *result;
    const spn_train_data data = spn_test_digits();
    assert_ok(spn_train_run(&result, o, chain, NULL, &data, &err), err);
    return result;
}

/* The scores of weights, or of all replicas together, of the model on stored samples. */
static spn_softmax_scores scores_of(const spn_model *model, const int8_t *weights, size_t votes,
                                    const spn_dataset *data)
{
    spn_error err = {0};
    spn_dataset *stored;
    spn_softmax_scores scores;
    spn_softmax_model classifier = spn_model_classifier(model, weights);
    classifier.votes = votes;
    assert_ok(spn_dataset_first(&stored, data, spn_dataset_samples(data), &err), err);
    assert_ok(spn_model_prepare(&stored, model, &err), err);
    assert_ok(spn_softmax_evaluate(&scores, &classifier, stored, NULL, &err), err);
    spn_dataset_free(stored);
    return scores;
}

/* Losses are compared where classes are not weighted. */
static void check_scores(const spn_train_result *r, bool weighted)
{
    const spn_model *m = r->model;
    int8_t *centre = malloc(spn_model_sites(m));
    assert_non_null(centre);
    for (size_t a = 0; a < REPLICAS; a++) {
        const spn_softmax_scores s =
            scores_of(m, spn_test_weights(m, a), 1, spn_test_digits().test);
        assert_true(s.accuracy == r->replica[a]->test_accuracy);
        assert_true(weighted || s.loss == r->replica[a]->test_loss);
    }
    spn_model_centre(m, centre);
    assert_true(scores_of(m, centre, 1, spn_test_digits().test).accuracy ==
                r->centre->test_accuracy);
    const spn_softmax_scores vote =
        scores_of(m, spn_test_weights(m, 0), REPLICAS, spn_test_digits().test);
    assert_true(vote.accuracy == r->vote->test_accuracy);
    assert_true(weighted || vote.loss == r->vote->test_loss);
    assert_true(isnan(r->vote->active));
    free(centre);
}

static void a_network_is_trained(void **state)
{
    (void)state;
    const spn_train_options o = options();
    const spn_chain_options chain = chain_options(30000);
    spn_train_result *r = train(&o, &chain);
    const spn_model *m = r->model;
    print_message("  digits, 64-16-10: test %.4f, vote %.4f\n", r->mean->test_accuracy,
                  r->vote->test_accuracy);
    assert_int_equal(spn_model_hidden(m), HIDDEN);
    assert_int_equal(spn_model_hidden_bias(m), 3);
    assert_int_equal(spn_model_sites(m), HIDDEN * 67 + 10 * (HIDDEN + 1));
    assert_near(spn_model_logit_scale(m), 1.5 / 4, 1e-15);
    /* far above the 10% of guessing */
    assert_true(r->mean->test_accuracy > 0.8 && r->vote->test_accuracy > 0.85);
    check_scores(r, false);
    spn_train_result_free(r);
}

/* Every way of making inputs: what the energy says of weights is what scores say. */
static void the_energy_is_the_training_loss(void **state)
{
    (void)state;
    for (int c = 0; c < 6; c++) {
        spn_train_options o = options();
        const spn_chain_options chain = chain_options(2000);
        o.preprocess = c % 3 == 0 ? &as_they_are : c % 3 == 1 ? &binary : NULL;
        o.thermometer = c % 3 == 2 ? 4 : 0;
        o.balance = c < 3;
        o.shifts = c < 3 ? 0 : 4;
        o.subset = 200;
        o.validation = 0.3;
        spn_error err = {0};
        spn_training *training;
        const spn_train_data data = spn_test_digits();
        assert_ok(spn_training_create(&training, &o, &data, &err), err);
        const spn_energy *energy = spn_training_energy(training);
        spn_train_result *r = train(&o, &chain);
        assert_int_equal(spn_dataset_samples(spn_training_set(training, SPN_SET_TRAIN)),
                         200 * (o.shifts + 1));
        assert_int_equal(spn_dataset_samples(spn_training_set(training, SPN_SET_TEST)), 451);
        for (size_t a = 0; a < REPLICAS; a++)
            assert_near(spn_energy_value(energy, spn_test_weights(r->model, a)),
                        r->replica[a]->train_loss, 1e-9);
        check_scores(r, o.balance);
        spn_train_result_free(r);
        spn_training_free(training);
    }
}

/* A threshold below 0 makes what moves in 1: copies are moved before they are made binary. */
static void shifts_come_before_a_threshold_below_zero(void **state)
{
    (void)state;
    const spn_preprocess low = {.kind = SPN_PREPROCESS_BINARY, .threshold = -1};
    spn_train_options o = options();
    spn_training *training;
    spn_error err = {0};
    const spn_train_data data = spn_test_digits();
    o.preprocess = &low;
    o.shifts = 8;
    o.subset = 10;
    assert_ok(spn_training_create(&training, &o, &data, &err), err);
    const spn_dataset *set = spn_training_set(training, SPN_SET_TRAIN);
    assert_int_equal(spn_dataset_samples(set), 90);
    for (size_t j = 0; j < 90 * 64; j++)
        assert_int_equal(spn_dataset_bytes(set)[j], 1);
    spn_training_free(training);
}

/* ---- copies of features ---- */

static int8_t *some_spins(size_t sites, size_t replicas)
{
    spn_random random = spn_random_make(4, 0, 0, SPN_PURPOSE_USER);
    int8_t *spins = malloc(replicas * sites);
    assert_non_null(spins);
    for (size_t k = 0; k < replicas * sites; k++)
        spins[k] = spn_random_below(&random, 2) ? 1 : -1;
    return spins;
}

/* A chain on tied inputs has the energy of the model's network with all its bits and faults. */
static void check_tied(double faults)
{
    spn_error err = {0};
    spn_train_options o = options();
    spn_training *t;
    spn_energy *plain;
    int8_t *weights;
    const spn_train_data data = spn_test_digits();
    o.preprocess = NULL;
    o.copies = 3;
    o.hidden_bias = 37; /* groups of 15, 15 and 7 */
    o.faults = faults;
    assert_ok(spn_training_create(&t, &o, &data, &err), err);
    spn_network_options how = spn_network_options_defaults();
    how.hidden = HIDDEN;
    how.hidden_bias = 37;
    how.bias = 1;
    how.logit_scale = 1.5 / 4;
    how.faults = faults;
    assert_ok(spn_network_create(&plain, spn_training_set(t, SPN_SET_TRAIN), &how, &err), err);
    const spn_energy *tied = spn_training_energy(t);
    const size_t sites = spn_energy_sites(tied), wide = spn_energy_sites(plain);
    assert_int_equal(spn_training_sites(t), wide);
    assert_true(sites < wide / 10);
    int8_t *spins = some_spins(sites, 2);
    assert_ok(spn_training_untie(&weights, t, spins, 2, &err), err);
    for (size_t a = 0; a < 2; a++)
        assert_near(spn_energy_value(tied, spins + a * sites),
                    spn_energy_value(plain, weights + a * wide), 1e-4 * faults + 1e-12);
    free(weights);
    free(spins);
    spn_energy_free(plain);
    spn_training_free(t);
}

static void tied_weights_are_those_of_the_model(void **state)
{
    (void)state;
    check_tied(0);
    check_tied(0.15);
}

static void copies_are_trained(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_train_options o = options();
    const spn_chain_options chain = chain_options(30000);
    const spn_train_data data = spn_test_digits();
    size_t vary, inputs, expected;
    o.preprocess = NULL;
    o.copies = 2;
    o.hidden_bias = 60;
    assert_ok(spn_train_inputs(&expected, &o, &data, &err), err);
    assert_ok(spn_train_varying(&vary, &inputs, &o, &data, &err), err);
    assert_true(inputs == expected && vary == inputs); /* constant features have no thresholds */
    spn_train_result *r = train(&o, &chain);
    print_message("  digits, 2 copies: test %.4f\n", r->mean->test_accuracy);
    assert_true(r->mean->test_accuracy > 0.8);
    assert_int_equal(spn_model_hidden_bias(r->model), 60);
    check_scores(r, false);
    spn_train_result_free(r);
}

/* ---- what is proposed ---- */

static void constant_inputs_are_left_out(void **state)
{
    (void)state;
    spn_train_options o = options();
    spn_training *training;
    spn_error err = {0};
    const spn_train_data data = spn_test_digits();
    size_t vary, inputs, count;
    uint32_t *list;
    o.preprocess = &binary;
    assert_ok(spn_train_varying(&vary, &inputs, &o, &data, &err), err);
    assert_int_equal(inputs, 64);
    assert_ok(spn_training_create(&training, &o, &data, &err), err);
    const spn_dataset *set = spn_training_set(training, SPN_SET_TRAIN);
    bool seen[64] = {0};
    size_t expected = 0;
    for (size_t i = 0; i < 64; i++) {
        for (size_t n = 1; n < spn_dataset_samples(set) && !seen[i]; n++)
            seen[i] = spn_dataset_value(set, n, i) != spn_dataset_value(set, 0, i);
        expected += seen[i];
    }
    assert_true(expected < 64 && vary == expected);
    assert_ok(spn_training_proposed(&list, &count, training, true, 3, &err), err);
    const size_t units = HIDDEN * (vary + 3), outputs = 10 * (HIDDEN + 1);
    assert_int_equal(count, units + 3 * outputs);
    for (size_t k = 0; k < units; k++) {
        assert_true(list[k] % 67 >= 64 || seen[list[k] % 67]);
        assert_true(k == 0 || list[k] > list[k - 1]);
    }
    for (size_t k = 0; k < 3 * outputs; k++)
        assert_int_equal(list[units + k], HIDDEN * 67 + k / 3);
    free(list);
    assert_ok(spn_training_proposed(&list, &count, training, false, 1, &err), err);
    assert_int_equal(count, spn_energy_sites(spn_training_energy(training)));
    for (size_t k = 0; k < count; k++)
        assert_int_equal(list[k], k);
    free(list);
    assert_error(spn_training_proposed(&list, &count, training, false, 0, &err), &err,
                 SPN_ERROR_ARGUMENT, "listed 1 to 1000 times, not 0", "");
    spn_training_free(training);
}

/* ---- chains that stop and go on ---- */

static void saved_chains_go_on_bit_by_bit(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_training *training;
    const spn_train_options o = options();
    const spn_train_data data = spn_test_digits();
    spn_chain_options whole = chain_options(4096);
    spn_sampler *first, *second;
    spn_snapshot a, b;
    spn_stop stop;
    uint32_t *list;
    size_t count;
    void *saved;
    size_t size;
    assert_ok(spn_training_create(&training, &o, &data, &err), err);
    assert_ok(spn_training_proposed(&list, &count, training, true, 2, &err), err);
    whole.proposed = list;
    whole.proposed_count = count;
    whole.gamma = spn_test_constant(0.3);
    const spn_energy *energy = spn_training_energy(training);
    assert_ok(spn_chain_create(&first, energy, &whole, &err), err);
    const spn_until part = {.size = sizeof part, .steps = 2048};
    assert_ok(spn_sampler_run(&stop, first, &part, &err), err);
    assert_ok(spn_sampler_save(&saved, &size, first, &err), err);
    assert_ok(spn_sampler_run(&stop, first, NULL, &err), err);
    whole.threads = 3;
    assert_ok(spn_chain_create(&second, energy, &whole, &err), err);
    spn_chain_of(second)->sharing.always = true;
    assert_ok(spn_sampler_load(second, saved, size, &err), err);
    assert_ok(spn_sampler_run(&stop, second, NULL, &err), err);
    spn_chain_snapshot(&a, first);
    spn_chain_snapshot(&b, second);
    assert_memory_equal(a.spins, b.spins, REPLICAS * a.sites);
    assert_memory_equal(a.best_spins, b.best_spins, REPLICAS * a.sites);
    assert_memory_equal(a.energy, b.energy, REPLICAS * sizeof(double));
    free(saved);
    free(list);
    spn_sampler_free(first);
    spn_sampler_free(second);
    spn_training_free(training);
}

/* ---- what cannot be ---- */

static void refuse(const spn_train_options *o, const char *part)
{
    spn_error err = {0};
    spn_training *training;
    const spn_train_data data = spn_test_digits();
    assert_error(spn_training_create(&training, o, &data, &err), &err, SPN_ERROR_ARGUMENT, part,
                 "");
    assert_null(training);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    const spn_preprocess scaled = {.kind = SPN_PREPROCESS_DATASET, .scale = 1};
    spn_train_options o = options();
    o.preprocess = NULL;
    refuse(&o, "a network needs features that are binary");
    o.preprocess = &scaled;
    refuse(&o, "a network needs features that are binary");
    o = options();
    o.copies = 18;
    refuse(&o, "a network takes up to 17 copies of a feature, not 18");
    o = options();
    o.hidden = 0;
    refuse(&o, "a bias for hidden units needs hidden units");
    o = options();
    o.hidden = SPN_MOST_HIDDEN + 1;
    refuse(&o, "1 to 16384 hidden units");
    o = options();
    o.shifts = 3;
    refuse(&o, "4 or 8 directions, not 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_is_trained),
        cmocka_unit_test(the_energy_is_the_training_loss),
        cmocka_unit_test(shifts_come_before_a_threshold_below_zero),
        cmocka_unit_test(tied_weights_are_those_of_the_model),
        cmocka_unit_test(copies_are_trained),
        cmocka_unit_test(constant_inputs_are_left_out),
        cmocka_unit_test(saved_chains_go_on_bit_by_bit),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests(tests, spn_test_open_digits, spn_test_close_digits);
}
