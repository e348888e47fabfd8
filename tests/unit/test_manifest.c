/* Manifests: lines that read back, torn and edited files, locks, merging. */
#include "support/scratch.h"
#include "support/sweeps.h"

#include <spinney/records.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a folder ---- */

/* Everything that may be in the folder at the end of a test: more than this fails the teardown. */
static const char *make_folder(void **state)
{
    static const char *const names[] = {"sweep/sweep.json", "sweep/manifest.jsonl", "sweep/lock",
                                        "sweep/manifest-a.jsonl", "sweep/manifest-b.jsonl"};
    spn_error err = {0};
    const char *folder = spn_scratch_path(state, "sweep");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        spn_scratch_path(state, names[k]);
    spn_sweep *sweep = spn_test_sweep();
    assert_ok(spn_sweep_write(sweep, folder, &err), err);
    spn_sweep_free(sweep);
    return folder;
}

static void append_jobs(const char *folder, const char *part, const size_t *jobs, size_t count)
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

static spn_records *read_folder(const char *folder)
{
    spn_error err = {0};
    spn_records *records;
    assert_ok(spn_records_read(&records, folder, &err), err);
    assert_string_equal(records->folder, folder);
    return records;
}

__attribute__((unused)) static char *load(void **state, const char *name, size_t *size)
{
    FILE *file = fopen(spn_scratch_path(state, name), "rb");
    char *bytes = calloc(1, 1 << 16);
    assert_non_null(file);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (1 << 16) - 1, file);
    fclose(file);
    return bytes;
}

__attribute__((unused)) static bool exists(void **state, const char *name)
{
    return access(spn_scratch_path(state, name), F_OK) == 0;
}

__attribute__((unused)) static const char MANIFEST[] = "sweep/manifest.jsonl";

/* ---- reading back ---- */

static void test_round_trip(void **state)
{
    const size_t jobs[] = {7, 2, 0, 5};
    const size_t sorted[] = {0, 2, 5, 7};
    const char *folder = make_folder(state);
    append_jobs(folder, NULL, jobs, 2);
    append_jobs(folder, "a", jobs + 2, 2);
    spn_records *records = read_folder(folder);
    assert_int_equal(records->count, 4);
    assert_int_equal(records->torn, 0);
    for (size_t k = 0; k < 4; k++) {
        spn_record expected = spn_test_record(sorted[k]);
        spn_assert_records_equal(&records->records[k], &expected);
        spn_record_clear(&expected);
    }
    spn_records_free(records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
