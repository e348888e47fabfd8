/* Files that are changed between the start of a sweep and the run that reads them. */
#include "job/inputs.h"
#include "support/scratch.h"
#include "sweep/jobs.h"

#include <spinney/lab/sweep.h>
#include <spinney/train.h>
#include <stdlib.h>
#include <string.h>

/* Parse a specification, do its first job, change a file, and do it again: the file is refused. */
static void expect_refused(void **state, const char *text, const char *file, const char *content,
                           const char *setting)
{
    spn_error err = {0};
    spn_sweep *sweep;
    spn_job job;
    const char *path = spn_scratch_text(state, "spec.yaml", text);
    assert_ok(spn_sweep_parse(&sweep, path, NULL, 0, &err), err);
    assert_ok(spn_sweep_job(&job, sweep, 0, &err), err);
    for (int changed = 0; changed < 2; changed++) {
        spn_record record;
        spn_outcome outcome;
        spn_inputs *inputs;
        assert_ok(spn_inputs_create(&inputs, path, &err), err);
        spn_inputs_expect(inputs, sweep->files, sweep->file_count);
        if (changed)
            spn_scratch_text(state, file, content);
        const spn_run run = {.inputs = inputs, .steps = 10};
        const spn_status status = spn_job_run(&record, &outcome, &job, &run, &err);
        if (changed)
            assert_error(status, &err, SPN_ERROR_ARGUMENT, setting,
                         "has another content than when the sweep was started");
        else
            assert_ok(status, err);
        spn_record_clear(&record);
        spn_inputs_free(inputs);
    }
    spn_job_clear(&job);
    spn_sweep_free(sweep);
}

static const char samples[] = "1,2,a\n3,4,b\n1,5,a\n2,2,b\n", fewer[] = "1,2,a\n3,4,b\n1,5,a\n";
static const char patterns[] = "1,-1,1\n1,1,-1\n", other_patterns[] = "1,-1,1\n1,1,1\n";

static void test_train(void **state)
{
    static const char spec[] = "name: a\ntask: train\n"
                               "settings: {data: d.csv, test: t.csv, header: \"no\"}\n";
    spn_scratch_text(state, "d.csv", samples);
    spn_scratch_text(state, "t.csv", samples);
    expect_refused(state, spec, "t.csv", fewer, "test: t.csv ");
    expect_refused(state, spec, "d.csv", fewer, "data: d.csv ");
}

static void test_anneal(void **state)
{
    spn_scratch_text(state, "p.csv", patterns);
    expect_refused(state, "name: a\ntask: anneal\nsettings: {energy: bits, patterns: p.csv}\n",
                   "p.csv", other_patterns, "patterns: p.csv ");
}

static void write_model(void **state, const char *name, uint64_t seed)
{
    spn_error err = {0};
    spn_dataset *train;
    spn_train_result *result;
    spn_chain_options chain = spn_chain_defaults();
    spn_train_data data = spn_train_data_defaults();
    const spn_read_options how = {.size = sizeof how, .header = SPN_HEADER_NO};
    assert_ok(spn_dataset_read(&train, spn_scratch_text(state, "d.csv", samples), NULL, &how, &err),
              err);
    chain.steps = 100;
    chain.seed = seed;
    data.train = train;
    assert_ok(spn_train_run(&result, NULL, &chain, NULL, &data, &err), err);
    assert_ok(spn_model_write(result->model, spn_scratch_path(state, name), &err), err);
    spn_train_result_free(result);
    spn_dataset_free(train);
}

static void test_eval(void **state)
{
    static const char spec[] = "name: a\ntask: eval\n"
                               "settings: {model: m.spn, test: d.csv, header: \"no\"}\n";
    write_model(state, "m.spn", 1);
    expect_refused(state, spec, "d.csv", fewer, "test: d.csv ");
    /* another model, whole and right, under the same name */
    spn_error err = {0};
    spn_sweep *sweep;
    spn_job job;
    spn_record record;
    spn_outcome outcome;
    spn_inputs *inputs;
    const char *path = spn_scratch_text(state, "spec.yaml", spec);
    assert_ok(spn_sweep_parse(&sweep, path, NULL, 0, &err), err);
    assert_ok(spn_sweep_job(&job, sweep, 0, &err), err);
    assert_ok(spn_inputs_create(&inputs, path, &err), err);
    spn_inputs_expect(inputs, sweep->files, sweep->file_count);
    write_model(state, "m.spn", 2);
    const spn_run run = {.inputs = inputs};
    assert_error(spn_job_run(&record, &outcome, &job, &run, &err), &err, SPN_ERROR_ARGUMENT,
                 "model: m.spn ", "has another content");
    spn_record_clear(&record);
    spn_inputs_free(inputs);
    spn_job_clear(&job);
    spn_sweep_free(sweep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_train), scratch_test(test_anneal),
                                       scratch_test(test_eval)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
