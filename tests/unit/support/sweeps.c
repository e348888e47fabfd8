#include "support/sweeps.h"
#include "record/record.h"
#include "sweep/folder.h"

#include "support/scratch.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const GAMMAS[] = {"0", "0.5"}, *const REPLICAS[] = {"3", "5"};

static char *copy(const char *text)
{
    char *out = strdup(text);
    assert_non_null(out);
    return out;
}

static void *zeros(size_t count, size_t size)
{
    void *out = calloc(count, size);
    assert_non_null(out);
    return out;
}

static char **copy_all(const char *const *texts, size_t count)
{
    char **out = zeros(count, sizeof *out);
    for (size_t k = 0; k < count; k++)
        out[k] = copy(texts[k]);
    return out;
}

static void add_figures(spn_sweep *sweep)
{
    const char *const where[] = {"gamma<=3.2", "data=mnist"};
    sweep->figure_count = 2;
    sweep->figures = zeros(2, sizeof *sweep->figures);
    sweep->figures[0] = (spn_sweep_figure){.name = copy("test-accuracy"),
                                           .title = copy("Test accuracy"),
                                           .x = copy("gamma"),
                                           .by = copy("replicas"),
                                           .value = copy("test_accuracy"),
                                           .also = copy("test_loss"),
                                           .x_label = copy("γ"),
                                           .label = copy("accuracy"),
                                           .by_label = copy("y"),
                                           .as[SPN_FIGURE_LINES] = true,
                                           .as[SPN_FIGURE_TABLE] = true,
                                           .bands = true,
                                           .log_x = true,
                                           .best = SPN_BEST_HIGHEST,
                                           .where_count = 2,
                                           .where = copy_all(where, 2),
                                           .reference = copy("gamma.csv"),
                                           .reference_name = copy("paper")};
    sweep->figures[1] = (spn_sweep_figure){.name = copy("flips"),
                                           .x = copy("flips.p"),
                                           .value = copy("flips.accuracy"),
                                           .as[SPN_FIGURE_HEAT] = true,
                                           .log_y = true};
}

spn_sweep *spn_test_sweep(void)
{
    spn_sweep *sweep = zeros(1, sizeof *sweep);
    *sweep = (spn_sweep){.name = copy("gamma"),
                         .title = copy("Influence of \"γ\""),
                         .about = copy("One\nparagraph."),
                         .task = copy("train"),
                         .version = copy("0.0.1"),
                         .instructions = copy("avx2"),
                         .seed = INT64_MAX,
                         .runs = 2,
                         .fixed_count = 3,
                         .axis_count = 2};
    sweep->fixed = zeros(3, sizeof *sweep->fixed);
    sweep->fixed[0] = (spn_field){copy("data"), copy("mnist")};
    sweep->fixed[1] = (spn_field){copy("beta"), copy("100:100000")};
    sweep->fixed[2] = (spn_field){copy("flip"), copy("0,0.01,0.3")};
    sweep->default_count = 2;
    sweep->defaults = zeros(2, sizeof *sweep->defaults);
    sweep->defaults[0] = (spn_field){copy("kernel"), copy("two-stage")};
    sweep->defaults[1] = (spn_field){copy("steps"), copy("300000")};
    sweep->file_count = 3;
    sweep->files = zeros(3, sizeof *sweep->files);
    sweep->files[0] = (spn_input_sum){copy("data"), copy("mnist"), 0xfedcba9876543210u};
    sweep->files[1] = (spn_input_sum){copy("data"), copy("\"γ\".csv"), 7};
    sweep->files[2] = (spn_input_sum){copy("labels"), copy("mnist"), 8};
    sweep->axes = zeros(2, sizeof *sweep->axes);
    sweep->axes[0] =
        (spn_axis){.setting = copy("gamma"), .count = 2, .values = copy_all(GAMMAS, 2)};
    sweep->axes[1] =
        (spn_axis){.setting = copy("replicas"), .count = 2, .values = copy_all(REPLICAS, 2)};
    sweep->keep = (spn_keep){.models = true, .replicas = true};
    add_figures(sweep);
    return sweep;
}

static void fill(spn_record *record, size_t job)
{
    spn_error err = {0};
    const double p[] = {0, 0.01, 0.1}, accuracy[] = {0.9, 1.0 / 3 + (double)job, NAN};
    const double *const values[] = {p, accuracy};
    const char *const names[] = {"p", "accuracy"};
    assert_ok(spn_record_add_setting(record, "data", "mnist", &err), err);
    assert_ok(
        spn_record_add_setting(record, "odd \"name\"", "a\\b\"c\td\x01 γ €\n,\"check\":\"", &err),
        err);
    assert_ok(spn_record_add_setting(record, "gamma", GAMMAS[job / 4], &err), err);
    assert_ok(spn_record_add_setting(record, "replicas", REPLICAS[job / 2 % 2], &err), err);
    assert_ok(spn_record_add_result(record, "test_accuracy", 0.1 + (double)job, &err), err);
    assert_ok(spn_record_add_result(record, "tiny", -4.9406564584124654e-324, &err), err);
    assert_ok(spn_record_add_result(record, "large", 1.7976931348623157e308, &err), err);
    assert_ok(spn_record_add_result(record, "whole", 9007199254740993.0, &err), err);
    assert_ok(spn_record_add_result(record, "minus", -0.0, &err), err);
    assert_ok(spn_record_add_result(record, "none", NAN, &err), err);
    assert_ok(spn_record_add_curve(record, "flips", 2, names, 3, values, &err), err);
    assert_ok(spn_record_add_curve(record, "empty", 2, names, 0, values, &err), err);
}

spn_record spn_test_record(size_t job)
{
    spn_record record = {.key = 0x0123456789abcdefu * (job + 1),
                         .seed = job == 0 ? INT64_MAX : job,
                         .instance_seed = job == 1 ? INT64_MAX : 0,
                         .run = job % 2 + 1,
                         .version = copy("0.0.1"),
                         .machine = copy("node-7"),
                         .finished = copy("2026-01-31T12:00:00Z"),
                         .seconds = 1.5 + (double)job};
    fill(&record, job);
    if (job % 2 == 1) {
        record.instructions = copy("avx2");
        assert_int_equal(spn_record_add_text(&record, "stop", "a \"target\"", NULL), SPN_OK);
        assert_int_equal(spn_record_add_note(&record, NULL, "note %d", 1), SPN_OK);
        assert_int_equal(spn_record_add_note(&record, NULL, "a\tnote"), SPN_OK);
    }
    return record;
}

/* The same bits, or both NaN. */
static void assert_same_number(double a, double b)
{
    if (isnan(a) || isnan(b))
        assert_true(isnan(a) && isnan(b));
    else
        assert_memory_equal(&a, &b, sizeof a);
}

static void assert_curves_equal(const spn_result_curve *a, const spn_result_curve *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->columns, b->columns);
    assert_int_equal(a->rows, b->rows);
    for (size_t c = 0; c < a->columns; c++) {
        assert_string_equal(a->names[c], b->names[c]);
        for (size_t r = 0; r < a->rows; r++)
            assert_same_number(a->values[c][r], b->values[c][r]);
    }
}

void spn_assert_records_equal(const spn_record *a, const spn_record *b)
{
    assert_true(a->key == b->key && a->seed == b->seed && a->run == b->run);
    assert_true(a->instance_seed == b->instance_seed);
    assert_int_equal(a->setting_count, b->setting_count);
    for (size_t k = 0; k < a->setting_count; k++) {
        assert_string_equal(a->settings[k].name, b->settings[k].name);
        assert_string_equal(a->settings[k].text, b->settings[k].text);
    }
    assert_int_equal(a->result_count, b->result_count);
    for (size_t k = 0; k < a->result_count; k++) {
        assert_string_equal(a->results[k].name, b->results[k].name);
        assert_same_number(a->results[k].value, b->results[k].value);
    }
    assert_int_equal(a->text_count, b->text_count);
    for (size_t k = 0; k < a->text_count; k++) {
        assert_string_equal(a->texts[k].name, b->texts[k].name);
        assert_string_equal(a->texts[k].text, b->texts[k].text);
    }
    assert_int_equal(a->note_count, b->note_count);
    for (size_t k = 0; k < a->note_count; k++)
        assert_string_equal(a->notes[k], b->notes[k]);
    assert_int_equal(a->curve_count, b->curve_count);
    for (size_t k = 0; k < a->curve_count; k++)
        assert_curves_equal(&a->curves[k], &b->curves[k]);
    assert_string_equal(a->version, b->version);
    assert_int_equal(!a->instructions, !b->instructions);
    if (a->instructions)
        assert_string_equal(a->instructions, b->instructions);
    assert_string_equal(a->machine, b->machine);
    assert_string_equal(a->finished, b->finished);
    assert_same_number(a->seconds, b->seconds);
}

/* ---- a folder ---- */

const size_t SPN_ALL_JOBS[SPN_TEST_JOBS] = {0, 1, 2, 3, 4, 5, 6, 7};

/* Everything that may be in the folder at the end of a test: more than this fails the teardown. */
const char *spn_test_folder(void **state)
{
    static const char *const names[] = {
        "sweep/sweep.json",       "sweep/manifest.jsonl",   "sweep/lock",
        "sweep/manifest-a.jsonl", "sweep/manifest-b.jsonl", "sweep/manifest.jsonl.gz"};
    spn_error err = {0};
    const char *folder = spn_scratch_path(state, "sweep");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        spn_scratch_path(state, names[k]);
    spn_sweep *sweep = spn_test_sweep();
    assert_ok(spn_sweep_write(sweep, folder, &err), err);
    spn_sweep_free(sweep);
    return folder;
}

void spn_test_append(const char *folder, const char *part, const size_t *jobs, size_t count)
{
    spn_error err = {0};
    spn_records_writer *writer;
    assert_ok(spn_records_open(&writer, folder, part, &err), err);
    for (size_t k = 0; k < count; k++) {
        spn_record record = spn_test_record(jobs[k]);
        assert_ok(spn_records_append(writer, &record, &err), err);
        spn_record_clear(&record);
    }
    spn_records_close(writer);
}

spn_records *spn_test_read(const char *folder)
{
    spn_error err = {0};
    spn_records *records;
    assert_ok(spn_records_read(&records, folder, &err), err);
    assert_string_equal(records->folder, folder);
    return records;
}

/* The bytes of a file of the folder, ended by 0, to be freed. */
char *spn_test_load(const char *folder, const char *name, size_t *size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 16);
    assert_non_null(file);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (1 << 16) - 1, file);
    fclose(file);
    return bytes;
}

void spn_test_store(const char *folder, const char *name, const char *bytes, size_t size)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

bool spn_test_exists(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

void spn_assert_content(const char *folder, const char *name, const char *bytes, size_t size)
{
    size_t found;
    char *content = spn_test_load(folder, name, &found);
    assert_int_equal(found, size);
    assert_memory_equal(content, bytes, size);
    free(content);
}

/* The keys of jobs 0, 1, ... */
const uint64_t *spn_test_keys(void)
{
    static uint64_t list[SPN_TEST_JOBS];
    for (size_t k = 0; k < SPN_TEST_JOBS; k++) {
        spn_record record = spn_test_record(k);
        list[k] = record.key;
        spn_record_clear(&record);
    }
    return list;
}

void spn_assert_jobs(const char *folder, const size_t *jobs, size_t count, size_t torn)
{
    spn_records *records = spn_test_read(folder);
    assert_int_equal(records->count, count);
    assert_int_equal(records->torn, torn);
    for (size_t k = 0; k < count; k++)
        assert_true(records->records[k].key == spn_test_keys()[jobs[k]]);
    spn_records_free(records);
}
