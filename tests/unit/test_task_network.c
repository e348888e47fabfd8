/* The task `train` for networks: its records, defaults and errors, and the memory that it asks for.
 */
#include "job/run.h"
#include "support/jobs.h"
#include "support/scratch.h"
#include "task/train/plan.h"

#include <math.h>
#include <spinney/lab/job.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL "hidden", "12", "subset", "200", "sweeps", "2"

static void *plan_of(const spn_job *job, spn_inputs **inputs)
{
    spn_error err = {0};
    void *plan;
    assert_ok(spn_inputs_create(inputs, NULL, &err), err);
    assert_ok(spn_job_plan(&plan, job, *inputs, &err), err);
    return plan;
}

/* The model that a run leaves has the scores of its record. */
static void a_record_has_vote_and_size(void **state)
{
    spn_error err = {0};
    const char *const texts[] = {SMALL, "output-weight", "3", "hidden-bias",
                                 "2",   "faults",        "0", NULL};
    spn_job job = spn_test_job("train", 1, texts);
    const spn_run run = {.details = true, .product = spn_scratch_path(state, "model.spn")};
    spn_record record = spn_test_run_job(&job, &run);
    spn_model *model;
    assert_ok(spn_model_read(&model, run.product, &err), err);
    const double sites = 12 * (64 + 2) + 10 * 12;
    assert_int_equal(spn_model_sites(model), (size_t)sites);
    assert_true(spn_record_number(&record, "bits") == sites);
    assert_true(spn_record_number(&record, "bytes") == ceil(sites / 8));
    assert_true(spn_record_number(&record, "vote_bits") == 3 * sites);
    assert_true(spn_record_number(&record, "vote_bytes") == ceil(3 * sites / 8));
    assert_true(spn_record_number(&record, "vote_test_accuracy") > 0.2);
    assert_true(isnan(spn_record_number(&record, "vote_validation_loss")));
    assert_non_null(strstr(spn_record_text(&record, "summary"), "; vote of all "));
    /* 200 samples, 12 units */
    assert_true(spn_record_number(&record, "beta_start") == 200 / (22 / sqrt(12)));
    assert_true(spn_record_number(&record, "beta_end") == 200 / (2.2 / sqrt(12)));
    const char *manifest = spn_model_manifest(model);
    assert_non_null(strstr(manifest, "\"hidden\": \"12\""));
    assert_non_null(strstr(manifest, "\"preset\": \"network\""));
    assert_non_null(strstr(manifest, "\"temperature\": \"22:2.2/sqrtD\""));
    assert_non_null(strstr(manifest, "\"vote\": {"));
    assert_null(strstr(manifest, "\"beta\""));
    spn_model_free(model);
    spn_record_clear(&record);
    spn_job_clear(&job);
}

/* A sweep has a proposal for each weight that is listed. */
static void a_sweep_is_of_what_is_proposed(void **state)
{
    (void)state;
    const struct {
        const char *propose, *weight;
        size_t outputs, left_out;
    } cases[] = {{"all", "1", 1, 0}, {"varying", "1", 1, 1}, {"varying", "4", 4, 1}};
    size_t constant = 0;
    spn_dataset *train;
    spn_error err = {0};
    assert_ok(spn_dataset_open(&train, NULL, "digits", &err), err);
    for (size_t i = 0; i < 64; i++) {
        bool vary = false;
        for (size_t n = 1; n < spn_dataset_samples(train); n++)
            vary = vary ||
                   (spn_dataset_value(train, n, i) > 7) != (spn_dataset_value(train, 0, i) > 7);
        constant += !vary;
    }
    assert_true(constant > 0);
    for (size_t k = 0; k < 3; k++) {
        const char *const texts[] = {"hidden",
                                     "12",
                                     "sweeps",
                                     "5",
                                     "scaling",
                                     "binary:7",
                                     "propose",
                                     cases[k].propose,
                                     "output-weight",
                                     cases[k].weight,
                                     NULL};
        spn_job job = spn_test_job("train", 1, texts);
        spn_inputs *inputs;
        spn_train_plan *plan = plan_of(&job, &inputs);
        const size_t units = 12 * (64 - cases[k].left_out * constant);
        assert_int_equal(plan->annealing.options.steps, 5 * (units + cases[k].outputs * 120));
        spn_job_plan_free(job.task, plan);
        spn_inputs_free(inputs);
        spn_job_clear(&job);
    }
    spn_dataset_free(train);
}

/* What the settings of preprocessing come to, by data. */
static void defaults_suit_the_data(void **state)
{
    spn_error err = {0};
    spn_inputs *inputs;
    const struct {
        const char *name, *text, *faults, *scaling, *encode, *unit_bias, *preset;
    } cases[] = {
        {"digits", NULL, "0", "none", "none", "0", "network"},
        {"digits", NULL, "0.1", NULL, "thermometer:8", "4", "tolerant"},
        {"bits.csv", "1,0,a\n0,1,b\n1,1,a\n0,0,b\n", "0", "none", "none", "0", "network"},
        {"bits.csv", "1,0,a\n0,1,b\n1,1,a\n0,0,b\n", NULL, "none", "none", "0", "tolerant"},
        {"bytes.csv", "100,2,a\n3,4,b\n2,1,a\n4,4,b\n", "0", NULL, "thermometer:8", "0", "network"},
        {"bytes.csv", "100,2,a\n3,4,b\n2,1,a\n4,4,b\n", NULL, NULL, "thermometer:32", "16",
         "tolerant"},
        {"real.csv", "1.5,2,a\n3,4,b\n2,1,a\n4,4,b\n", NULL, NULL, "thermometer:32", "16",
         "tolerant"},
        {"four.csv", "1.5,2,1,2,a\n3,4,2,1,b\n2,1,4,4,a\n4,4,3,3,b\n", NULL, NULL, "copies:16",
         "240", "tolerant"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const bool table = cases[k].text;
        if (table)
            spn_scratch_text(state, cases[k].name, cases[k].text);
        const char *const texts[] = {"data",
                                     cases[k].name,
                                     "hidden",
                                     "3",
                                     cases[k].faults ? "faults" : "seed",
                                     cases[k].faults ? cases[k].faults : "1",
                                     table ? "header" : NULL,
                                     "no",
                                     NULL};
        spn_job job = spn_test_job("train", 1, texts);
        spn_record resolved = {0};
        void *plan;
        assert_ok(spn_inputs_create(&inputs, spn_scratch_path(state, "sweep.yaml"), &err), err);
        assert_ok(spn_job_plan(&plan, &job, inputs, &err), err);
        assert_ok(spn_job_resolve(&resolved, &job, plan, &err), err);
        assert_string_equal(spn_record_setting(&resolved, "encode"), cases[k].encode);
        assert_string_equal(spn_record_setting(&resolved, "hidden-bias"), cases[k].unit_bias);
        assert_string_equal(spn_record_setting(&resolved, "preset"), cases[k].preset);
        if (cases[k].scaling)
            assert_string_equal(spn_record_setting(&resolved, "scaling"), cases[k].scaling);
        else
            assert_null(spn_record_setting(&resolved, "scaling"));
        spn_job_plan_free(job.task, plan);
        spn_record_clear(&resolved);
        spn_inputs_free(inputs);
        spn_job_clear(&job);
    }
}

/* A linear classifier has none of the settings and results of networks. */
static void linear_classifiers_are_as_before(void **state)
{
    (void)state;
    const char *const texts[] = {"steps", "10", NULL};
    static const char *const names[] = {"hidden",        "hidden-bias", "propose",
                                        "output-weight", "temperature", "shifts"};
    spn_error err = {0};
    spn_job job = spn_test_job("train", 1, texts);
    spn_inputs *inputs;
    spn_record resolved = {0};
    void *plan = plan_of(&job, &inputs);
    assert_ok(spn_job_resolve(&resolved, &job, plan, &err), err);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_null(spn_record_setting(&resolved, names[k]));
    assert_non_null(strstr(spn_result_needs(job.task, plan, "vote_test_accuracy"), "hidden units"));
    assert_non_null(spn_result_needs(job.task, plan, "bytes"));
    assert_null(spn_result_needs(job.task, plan, "test_accuracy"));
    spn_job_plan_free(job.task, plan);
    spn_record_clear(&resolved);
    spn_inputs_free(inputs);
    spn_job_clear(&job);
}

/* What is needed grows with units, replicas and shifts; where it is more than there is, that is
   said. */
static void memory_is_held_against_the_machine(void **state)
{
    (void)state;
    double needed[3];
    const char *const changes[3][2] = {{"replicas", "3"}, {"replicas", "30"}, {"shifts", "8"}};
    for (size_t k = 0; k < 3; k++) {
        const char *const texts[] = {"hidden",      "100",         "preset", "network",
                                     changes[k][0], changes[k][1], NULL};
        spn_job job = spn_test_job("train", 1, texts);
        spn_inputs *inputs;
        spn_error err = {0};
        spn_train_plan *plan = plan_of(&job, &inputs);
        needed[k] = spn_train_memory(plan);
        assert_ok(spn_train_check_memory(plan, needed[k], &err), err);
        assert_ok(spn_train_check_memory(plan, 0, &err), err); /* not known */
        assert_error(spn_train_check_memory(plan, needed[k] - 1, &err), &err, SPN_ERROR_ARGUMENT,
                     "hidden: 100 units on ", ": use fewer units, replicas or shifts, or a subset");
        spn_job_plan_free(job.task, plan);
        spn_inputs_free(inputs);
        spn_job_clear(&job);
    }
    /* at least the 16-bit sums of every unit and sample, for each replica */
    const double sums = 2.0 * 1346 * 100;
    assert_true(needed[0] > 3 * sums && needed[0] < 10 * sums);
    assert_true(needed[1] - needed[0] > 27 * sums);
    assert_true(needed[2] - needed[0] > 8 * 3 * sums);
}

static void stopped_runs_go_on(void **state)
{
    const char *const texts[] = {"hidden", "16",  "subset", "300", "steps", "20000",
                                 "gamma",  "0.2", "shifts", "4",   NULL};
    spn_job job = spn_test_job("train", 2, texts);
    spn_test_stops(state, &job);
    spn_job_clear(&job);
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    const struct {
        const char *texts[7], *part;
    } bad[] = {
        {{"hidden", "0"}, "hidden: '0' is not a whole number from 1 to 16384"},
        {{"hidden", "16385"}, "hidden: '16385' is not a whole number from 1 to 16384"},
        {{"preset", "network"}, "hidden: the preset network needs it"},
        {{"hidden-bias", "1"}, "hidden-bias: is for networks only"},
        {{"propose", "varying"}, "propose: is for networks only"},
        {{"output-weight", "2"}, "output-weight: is for networks only"},
        {{"shifts", "5"}, "shifts: '5' is not one of 0, 4, 8"},
        {{"hidden", "4", "encode", "copies:18"}, "encode: a network has up to 17 copies, not 18"},
        {{"hidden", "4", "encode", "copies:2", "scaling", "none"},
         "scaling: cannot be combined with the copies of a network"},
        {{"hidden", "4", "encode", "copies:2", "profile-walks", "3"},
         "profile-walks: weights of copies are tied in training"},
        {{"hidden", "4", "penalty", "1"}, "penalty: is of linear classifiers"},
        {{"hidden", "4", "scaling", "feature"}, "scaling: the units of a network see bits"},
        {{"hidden", "4", "bias", "16384"}, "bias: with hidden it may be up to 16383, not 16384"},
        {{"hidden", "4", "logit-scale", "17"}, "logit-scale: with hidden it may be up to 16"},
        {{"hidden", "4", "temperature", "1:0"}, "temperature: '1:0' is not START or START:END"},
        {{"hidden", "4", "temperature", "1:0.5/sqrtH"},
         "temperature: '1:0.5/sqrtH' is not START or START:END"},
        {{"hidden", "4", "temperature", "/sqrtD"},
         "temperature: '/sqrtD' is not START or START:END"},
        {{"hidden", "4", "temperature", "1:/sqrtD"},
         "temperature: '1:/sqrtD' is not START or START:END"},
        {{"temperature", "1:0.5/sqrtD"}, "temperature: sqrtD needs hidden"},
        {{"hidden", "4", "temperature", "1:0.5", "beta", "1:2"},
         "temperature: give this or `beta`, not both"},
        {{"hidden", "4", "temperature", "1:0.5", "schedule", "pieces:1x10"},
         "temperature: needs a schedule from START to END"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        spn_test_refused("train", bad[k].texts, NULL, SPN_ERROR_ARGUMENT, bad[k].part, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        scratch_test(a_record_has_vote_and_size),
        cmocka_unit_test(a_sweep_is_of_what_is_proposed),
        scratch_test(defaults_suit_the_data),
        cmocka_unit_test(linear_classifiers_are_as_before),
        cmocka_unit_test(memory_is_held_against_the_machine),
        scratch_test(stopped_runs_go_on),
        cmocka_unit_test(wrong_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
