/* sweep.json: written and read back, changed, broken, and of format 1. */
#include "support/json.h"
#include "support/scratch.h"
#include "support/sweeps.h"
#include "sweep/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_texts(const char *a, const char *b)
{
    assert_true(!a == !b);
    if (a)
        assert_string_equal(a, b);
}

static void assert_figures_equal(const spn_sweep_figure *a, const spn_sweep_figure *b)
{
    assert_texts(a->name, b->name);
    assert_texts(a->title, b->title);
    assert_texts(a->x, b->x);
    assert_texts(a->by, b->by);
    assert_texts(a->value, b->value);
    assert_texts(a->also, b->also);
    assert_texts(a->x_label, b->x_label);
    assert_texts(a->by_label, b->by_label);
    assert_texts(a->label, b->label);
    assert_true(memcmp(a->as, b->as, sizeof a->as) == 0);
    assert_true(a->bands == b->bands && a->log_x == b->log_x && a->log_y == b->log_y);
    assert_int_equal(a->best, b->best);
    assert_int_equal(a->where_count, b->where_count);
    for (size_t k = 0; k < a->where_count; k++)
        assert_texts(a->where[k], b->where[k]);
    assert_texts(a->reference, b->reference);
    assert_texts(a->reference_name, b->reference_name);
}

static void assert_fields_equal(const spn_field *a, size_t a_count, const spn_field *b,
                                size_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (size_t k = 0; k < a_count; k++) {
        assert_texts(a[k].name, b[k].name);
        assert_texts(a[k].text, b[k].text);
    }
}

static void assert_sweeps_equal(const spn_sweep *a, const spn_sweep *b)
{
    assert_texts(a->name, b->name);
    assert_texts(a->title, b->title);
    assert_texts(a->about, b->about);
    assert_texts(a->task, b->task);
    assert_texts(a->version, b->version);
    assert_texts(a->instructions, b->instructions);
    assert_true(a->seed == b->seed && a->runs == b->runs);
    assert_fields_equal(a->fixed, a->fixed_count, b->fixed, b->fixed_count);
    assert_fields_equal(a->defaults, a->default_count, b->defaults, b->default_count);
    assert_int_equal(a->file_count, b->file_count);
    for (size_t k = 0; k < a->file_count; k++) {
        assert_texts(a->files[k].setting, b->files[k].setting);
        assert_texts(a->files[k].name, b->files[k].name);
        assert_true(a->files[k].checksum == b->files[k].checksum);
    }
    assert_int_equal(a->axis_count, b->axis_count);
    for (size_t k = 0; k < a->axis_count; k++) {
        assert_texts(a->axes[k].setting, b->axes[k].setting);
        assert_int_equal(a->axes[k].count, b->axes[k].count);
        for (size_t v = 0; v < a->axes[k].count; v++)
            assert_texts(a->axes[k].values[v], b->axes[k].values[v]);
    }
    assert_true(memcmp(&a->keep, &b->keep, sizeof a->keep) == 0);
    assert_int_equal(a->figure_count, b->figure_count);
    for (size_t k = 0; k < a->figure_count; k++)
        assert_figures_equal(&a->figures[k], &b->figures[k]);
}

static void test_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_sweep *sweep = spn_test_sweep(), *back;
    size_t size;
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    assert_int_equal(spn_sweep_jobs(sweep), SPN_TEST_JOBS);
    assert_ok(spn_sweep_read(&back, folder, &err), err);
    assert_sweeps_equal(back, sweep);
    assert_ok(spn_sweep_write(back, folder, &err), err); /* over the one that is there */
    spn_assert_content(folder, "sweep.json", bytes, size);
    free(bytes);
    spn_sweep_free(back);
    spn_sweep_free(sweep);
    spn_sweep_free(NULL);
}

/* As little as a sweep can hold, in a folder in folders that are not there. */
static void test_small_sweep(void **state)
{
    spn_error err = {0};
    spn_scratch_path(state, "a");
    spn_scratch_path(state, "a/b");
    const char *folder = spn_scratch_path(state, "a/b/c");
    spn_scratch_path(state, "a/b/c/sweep.json");
    char name[] = "n", task[] = "eval", version[] = "1";
    const spn_sweep sweep = {.name = name, .task = task, .version = version, .runs = 1};
    spn_sweep *back;
    assert_ok(spn_sweep_write(&sweep, folder, &err), err);
    assert_ok(spn_sweep_read(&back, folder, &err), err);
    assert_sweeps_equal(back, &sweep);
    assert_int_equal(spn_sweep_jobs(back), 1);
    spn_sweep_free(back);
}

static void test_jobs_overflow(void **state)
{
    (void)state;
    spn_axis axes[] = {{.count = SIZE_MAX / 2}, {.count = 3}};
    spn_sweep sweep = {.runs = 2, .axis_count = 1, .axes = axes};
    assert_true(spn_sweep_jobs(&sweep) == SIZE_MAX - 1);
    sweep.axis_count = 2;
    assert_true(spn_sweep_jobs(&sweep) == SIZE_MAX);
}

static void test_no_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_sweep *sweep;
    char path[256];
    snprintf(path, sizeof path, "%s/sweep.json", folder);
    assert_error(spn_sweep_read(&sweep, "/nowhere", &err), &err, SPN_ERROR_IO, "/nowhere",
                 "there is no such folder");
    assert_error(spn_sweep_read(&sweep, path, &err), &err, SPN_ERROR_IO, "sweep.json",
                 "is a file; give the folder of a sweep");
    remove(path);
    assert_error(spn_sweep_read(&sweep, folder, &err), &err, SPN_ERROR_IO, folder,
                 "is not the folder of a sweep: it has no sweep.json");
    char name[] = "caf\xe9", task[] = "eval", version[] = "1";
    spn_sweep bad = {.name = name, .task = task, .version = version, .runs = 1};
    assert_error(spn_sweep_write(&bad, folder, &err), &err, SPN_ERROR_ARGUMENT, "name",
                 "is not UTF-8");
    bad.seed = UINT64_MAX;
    assert_error(spn_sweep_write(&bad, folder, &err), &err, SPN_ERROR_ARGUMENT,
                 "18446744073709551615", "below 2^63");
    const char *blocked = spn_scratch_text(state, "file", "");
    snprintf(path, sizeof path, "%s/folder", blocked);
    name[3] = 'e';
    bad.seed = 0;
    assert_error(spn_sweep_write(&bad, path, &err), &err, SPN_ERROR_IO, "file/folder",
                 "cannot be made: Not a directory");
}

static spn_status parse(const char *text, size_t size, spn_error *err)
{
    spn_sweep *sweep;
    spn_status status = spn_sweep_from_text(&sweep, text, size, "d/sweep.json", err);
    assert_true((status == SPN_OK) == (sweep != NULL));
    spn_sweep_free(sweep);
    return status;
}

static void test_cut_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    size_t size;
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    for (size_t cut = 0; cut + 2 < size; cut++) { /* the last byte is a newline */
        spn_error err = {0};
        assert_error(parse(bytes, cut, &err), &err, SPN_ERROR_INPUT, "d/sweep.json: line ",
                     "is not JSON");
    }
    free(bytes);
}

static void test_other_format(void **state)
{
    (void)state;
    spn_error err = {0};
    const char *text = "{\"format\": 7, \"version\": \"9.8.7\"}";
    assert_error(parse(text, strlen(text), &err), &err, SPN_ERROR_INPUT,
                 "d/sweep.json: is of format 7, written by spinney 9.8.7; this is spinney ",
                 "use that version, or start a new folder");
    text = "{\"format\": 7}";
    assert_error(parse(text, strlen(text), &err), &err, SPN_ERROR_INPUT, "format 7", "unknown");
    text = "[]";
    assert_error(parse(text, strlen(text), &err), &err, SPN_ERROR_INPUT, "'format'", "missing");
}

/* ---- format 1 ---- */

/* A file of spinney 0.2 with all that it could hold. */
static const char first[] =
    "{\"format\":1,\"version\":\"0.2.0\",\"name\":\"n\",\"task\":\"train\",\"seed\":3,"
    "\"runs\":2,\"settings\":{\"data\":\"mnist\"},\"defaults\":{\"steps\":\"300000\"},"
    "\"grid\":[{\"setting\":\"gamma\",\"values\":[\"0\",\"0.5\"]}],"
    "\"files\":{\"data\":{\"mnist\":\"00000000000000ab\"},\"test\":{\"t\":\"0000000000000007\"}},"
    "\"measure\":{\"models\":false,\"traces\":true,"
    "\"flips\":{\"p\":[0,0.01,0.1],\"trials\":10,\"exact\":true},"
    "\"profile\":{\"walks\":3,\"reach\":0.25,\"points\":5}},"
    "\"figures\":[{\"name\":\"f\",\"x\":\"gamma\",\"by\":\"steps\",\"value\":\"test_accuracy\","
    "\"x_label\":\"a\",\"by_label\":\"b\",\"lines\":true,\"heat\":false,\"table\":true,"
    "\"bands\":true,\"log_x\":false,\"log_y\":true,\"best\":\"lowest\",\"where\":[],"
    "\"reference\":\"r.csv\",\"reference_name\":\"paper\"}]}";

static const char *fixed_text(const spn_sweep *sweep, const char *name)
{
    for (size_t k = 0; k < sweep->fixed_count; k++)
        if (strcmp(sweep->fixed[k].name, name) == 0)
            return sweep->fixed[k].text;
    fail_msg("no setting %s", name);
    return NULL;
}

static void test_first_format(void **state)
{
    (void)state;
    spn_error err = {0};
    spn_sweep *s;
    assert_ok(spn_sweep_from_text(&s, first, strlen(first), "old", &err), err);
    assert_int_equal(s->fixed_count, 7);
    assert_string_equal(fixed_text(s, "flip"), "0,0.01,0.1");
    assert_string_equal(fixed_text(s, "trials"), "10");
    assert_string_equal(fixed_text(s, "flip-mode"), "exact");
    assert_string_equal(fixed_text(s, "profile-walks"), "3");
    assert_string_equal(fixed_text(s, "profile-reach"), "0.25");
    assert_string_equal(fixed_text(s, "profile-points"), "5");
    assert_true(!s->keep.models && s->keep.traces && !s->keep.replicas);
    assert_int_equal(s->file_count, 2);
    assert_string_equal(s->files[1].setting, "test");
    assert_string_equal(s->files[1].name, "t");
    assert_true(s->files[0].checksum == 0xab && s->files[1].checksum == 7);
    const spn_sweep_figure *f = s->figures;
    assert_true(f->as[SPN_FIGURE_LINES] && !f->as[SPN_FIGURE_HEAT] && f->as[SPN_FIGURE_TABLE]);
    assert_true(f->bands && !f->log_x && f->log_y && f->best == SPN_BEST_LOWEST);
    assert_string_equal(f->x_label, "a");
    assert_string_equal(f->by_label, "b");
    assert_string_equal(f->reference_name, "paper");
    assert_true(f->where_count == 0 && !s->instructions);
    spn_sweep_free(s);
}

/* What was not measured stood there, too. */
static void test_first_format_without_measures(void **state)
{
    (void)state;
    static const char filler[] =
        "{\"format\":1,\"version\":\"1\",\"name\":\"n\",\"task\":\"eval\",\"seed\":0,"
        "\"runs\":1,\"settings\":{},\"grid\":[],\"measure\":{\"models\":false,"
        "\"traces\":false,\"flips\":{\"p\":[],\"trials\":0,\"exact\":false},"
        "\"profile\":{\"walks\":0,\"reach\":0,\"points\":0}},\"figures\":[]}";
    spn_error err = {0};
    spn_sweep *sweep;
    assert_ok(spn_sweep_from_text(&sweep, filler, strlen(filler), "old", &err), err);
    assert_true(sweep->fixed_count == 0 && sweep->axis_count == 0 && sweep->figure_count == 0);
    spn_sweep_free(sweep);
}

/* ---- changed files ---- */

static void test_changed_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    size_t size;
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    char *runs = strstr(bytes, "\"runs\": 2");
    assert_non_null(runs);
    runs[8] = '3';
    assert_error(parse(bytes, size, &err), &err, SPN_ERROR_INPUT, "d/sweep.json",
                 "was changed after it was written");
    runs[8] = '2';
    runs[7] = '\t'; /* what it says is the same */
    assert_ok(parse(bytes, size, &err), err);
    free(bytes);
}

static bool is_needed(const char *key)
{
    static const char *const needed[] = {"format",  "name",   "task", "version", "value",
                                         "setting", "values", "x",    "checksum"};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        if (strcmp(needed[k], key) == 0)
            return true;
    return false;
}

/* Whether a text is refused once it has the right checksum. */
static void expect_broken(const char *text, size_t size, bool broken)
{
    spn_error err = {0};
    char *sealed;
    spn_json_tree tree = json_of(text, size);
    assert_ok(spn_sweep_seal(&sealed, tree.root, &err), err);
    spn_json_unload(&tree);
    spn_status status = parse(sealed, strlen(sealed), &err);
    if (broken)
        assert_error(status, &err, SPN_ERROR_INPUT, "d/sweep.json: ", "'");
    else
        assert_ok(status, err);
    free(sealed);
}

/* No flipped bit of any byte passes. */
static void test_flipped_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    size_t size;
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    assert_ok(parse(bytes, size, &err), err);
    for (size_t at = 0; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[at] = (char)((unsigned char)bytes[at] ^ 1u << bit);
            assert_int_equal(parse(bytes, size, &err), SPN_ERROR_INPUT);
            bytes[at] = (char)((unsigned char)bytes[at] ^ 1u << bit);
        }
    free(bytes);
}

/* A value with one of the values in it taken away, or null in its place. */
static void put_changed(spn_json *json, const spn_json_value *value, const spn_json_value *target,
                        bool null)
{
    const bool list = value->kind == SPN_JSON_LIST;
    if (value == target && null) {
        spn_json_null(json, value->name);
    } else if (value != target && (list || value->kind == SPN_JSON_OBJECT)) {
        spn_json_open(json, value->name, list ? '[' : '{');
        for (const spn_json_value *v = spn_json_first(value); v; v = spn_json_next(value, v))
            put_changed(json, v, target, null);
        spn_json_close(json, list ? ']' : '}');
    } else if (value != target) {
        spn_json_value_put(json, value->name, value);
    }
}

static void expect_changed(const spn_json_value *root, const spn_json_value *target, bool null,
                           bool broken)
{
    spn_json json = {0};
    char *text;
    size_t size;
    assert_int_equal(spn_json_begin(&json, NULL), SPN_OK);
    put_changed(&json, root, target, null);
    assert_int_equal(spn_json_finish(&text, &size, &json, NULL), SPN_OK);
    expect_broken(text, size, broken);
    free(text);
}

/* Every member of every object is taken away, and made null. */
static void test_broken_sweep(void **state)
{
    const char *folder = spn_test_folder(state);
    size_t size, members = 0;
    char *bytes = spn_test_load(folder, "sweep.json", &size);
    spn_json_tree tree = json_of(bytes, size);
    expect_changed(tree.root, NULL, false, false);
    for (const spn_json_value *v = tree.root + 1; v < tree.root + tree.root->span; v++) {
        if (!v->name || strcmp(v->name, "check") == 0)
            continue;
        expect_changed(tree.root, v, false, is_needed(v->name));
        expect_changed(tree.root, v, true, true);
        members++;
    }
    assert_true(members > 20);
    spn_json_unload(&tree);
    static const char other[] = "{\"measure\": {}, "; /* of another format */
    char *changed = malloc(size + sizeof other);
    memcpy(changed, other, sizeof other - 1);
    memcpy(changed + sizeof other - 1, bytes + 1, size - 1);
    expect_broken(changed, sizeof other - 1 + size - 1, true);
    free(changed);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_sweep),
                                       scratch_test(test_small_sweep),
                                       cmocka_unit_test(test_jobs_overflow),
                                       scratch_test(test_no_sweep),
                                       scratch_test(test_cut_sweep),
                                       cmocka_unit_test(test_other_format),
                                       cmocka_unit_test(test_first_format),
                                       cmocka_unit_test(test_first_format_without_measures),
                                       scratch_test(test_changed_sweep),
                                       scratch_test(test_flipped_sweep),
                                       scratch_test(test_broken_sweep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
