/* Manifests: locks, full disks, and many into one. */
#include "record/manifest.h"
#include "record/record.h"
#include "support/scratch.h"
#include "support/sweeps.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- locks and full disks ---- */

static void test_locks(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_records_writer *first, *second, *other;
    assert_ok(spn_records_open(&first, folder, NULL, &err), err);
    assert_error(spn_records_open(&second, folder, NULL, &err), &err, SPN_ERROR_ARGUMENT,
                 "another process is writing to", "sweep/manifest.jsonl; wait for it, or give");
    assert_null(second);
    assert_ok(spn_records_open(&other, folder, "a", &err), err);
    spn_records_close(first);
    assert_ok(spn_records_open(&second, folder, NULL, &err), err);
    spn_records_close(second);
    spn_records_close(other);
    spn_records_close(NULL);
    assert_error(spn_records_open(&first, "/nowhere/at/all", NULL, &err), &err, SPN_ERROR_IO,
                 "/nowhere/at/all/manifest.jsonl", "No such file");
}

static void test_full_disk(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_records_writer *writer;
    struct rlimit limit;
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 2);
    size_t size;
    char *bytes = spn_test_load(folder, "manifest.jsonl", &size);
    assert_ok(spn_records_open(&writer, folder, NULL, &err), err);
    spn_record record = spn_test_record(2);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t room = 0; room < 500; room += 100) {
        limit.rlim_cur = size + room;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        spn_status status = spn_records_append(writer, &record, &err);
        limit.rlim_cur = before;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        assert_error(status, &err, SPN_ERROR_IO, "sweep/manifest.jsonl: File too large; the runs",
                     "that are finished stay, give the same command again");
        spn_assert_content(folder, "manifest.jsonl", bytes, size);
    }
    assert_ok(spn_records_append(writer, &record, &err), err);
    spn_record_clear(&record);
    spn_records_close(writer);
    spn_assert_jobs(folder, SPN_ALL_JOBS, 3, 0);
    free(bytes);
}

static void test_no_space(void **state)
{
    const char *folder = spn_test_folder(state);
    char path[256];
    spn_error err = {0};
    spn_records_writer *writer;
    snprintf(path, sizeof path, "%s/%s", folder, "manifest.jsonl");
    if (access("/dev/full", W_OK) != 0 || symlink("/dev/full", path) != 0)
        skip();
    assert_ok(spn_records_open(&writer, folder, NULL, &err), err);
    spn_record record = spn_test_record(0);
    assert_error(spn_records_append(writer, &record, &err), &err, SPN_ERROR_IO,
                 "manifest.jsonl: No space left on device; the runs that are finished stay, ",
                 "free some space and give the same command again");
    spn_record_clear(&record);
    spn_records_close(writer);
}

/* ---- merging ---- */

static void append_other_machine(const char *folder, const char *part, size_t job, double result)
{
    spn_error err = {0};
    spn_records_writer *writer;
    spn_record record = spn_test_record(job);
    free(record.machine);
    record.machine = strdup("elsewhere");
    record.seconds = 99;
    assert_ok(spn_record_add_result(&record, "tiny", result, &err), err);
    assert_ok(spn_records_open(&writer, folder, part, &err), err);
    assert_ok(spn_records_append(writer, &record, &err), err);
    spn_records_close(writer);
    spn_record_clear(&record);
}

static void test_repeated(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 3);
    append_other_machine(folder, "a", 1, -4.9406564584124654e-324);
    spn_assert_jobs(folder, SPN_ALL_JOBS, 3, 0);
    spn_records *records = spn_test_read(folder);
    assert_string_equal(records->records[1].machine, "node-7"); /* the first that is met */
    spn_records_free(records);
    append_other_machine(folder, "b", 1, 0.25);
    assert_error(spn_records_read(&records, folder, &err), &err, SPN_ERROR_INPUT,
                 "sweep/manifest-b.jsonl: line 1: is another outcome of the run in ",
                 "sweep/manifest.jsonl: line 2; delete both");
    assert_error(spn_records_merge(folder, spn_test_keys(), SPN_TEST_JOBS, &err), &err,
                 SPN_ERROR_INPUT, "manifest-b.jsonl", "manifest.jsonl: line 2");
    assert_true(spn_test_exists(folder, "manifest-a.jsonl") &&
                spn_test_exists(folder, "manifest-b.jsonl"));
}

static void merge(const char *folder)
{
    spn_error err = {0};
    assert_ok(spn_records_merge(folder, spn_test_keys(), SPN_TEST_JOBS, &err), err);
}

static void assert_merged(const char *folder)
{
    assert_false(spn_test_exists(folder, "manifest-a.jsonl") ||
                 spn_test_exists(folder, "manifest-b.jsonl"));
    spn_assert_jobs(folder, SPN_ALL_JOBS, SPN_TEST_JOBS, 0);
}

/* Whoever did what, and however often it was killed: the merged file has the same bytes. */
static void test_merge(void **state)
{
    const char *folder = spn_test_folder(state);
    size_t size, part_size;
    spn_test_append(folder, NULL, SPN_ALL_JOBS, SPN_TEST_JOBS);
    char *whole = spn_test_load(folder, "manifest.jsonl", &size);
    merge(folder); /* nothing to do */
    spn_assert_content(folder, "manifest.jsonl", whole, size);
    const size_t a[] = {7, 1, 5}, b[] = {6, 0, 4}, rest[] = {3, 2};
    unlink(spn_scratch_path(state, "sweep/manifest.jsonl"));
    spn_test_append(folder, "a", a, 3);
    spn_test_append(folder, "b", b, 3);
    spn_test_append(folder, NULL, rest, 2);
    char *part = spn_test_load(folder, "manifest-b.jsonl", &part_size);
    merge(folder);
    assert_merged(folder);
    spn_assert_content(folder, "manifest.jsonl", whole, size);
    /* killed after the rename, before the last part was removed */
    spn_test_store(folder, "manifest-b.jsonl", part, part_size);
    spn_assert_jobs(folder, SPN_ALL_JOBS, SPN_TEST_JOBS, 0);
    merge(folder);
    assert_merged(folder);
    spn_assert_content(folder, "manifest.jsonl", whole, size);
    /* killed while the merged file was written */
    spn_test_store(folder, "manifest.jsonl.4711.part", whole, size / 2);
    spn_assert_jobs(folder, SPN_ALL_JOBS, SPN_TEST_JOBS, 0);
    merge(folder);
    assert_false(spn_test_exists(folder, "manifest.jsonl.4711.part"));
    spn_assert_content(folder, "manifest.jsonl", whole, size);
    free(part);
    free(whole);
}

/* A torn line of a part is no run; runs that were not asked for stay, behind the others. */
static void test_merge_rest(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    size_t size;
    const size_t jobs[] = {5, 4, 1}, torn[] = {0, 2};
    spn_test_append(folder, "a", jobs, 3);
    spn_test_append(folder, "b", torn, 2);
    char *part = spn_test_load(folder, "manifest-b.jsonl", &size);
    spn_test_store(folder, "manifest-b.jsonl", part, size - 1);
    const uint64_t wanted[] = {spn_test_keys()[0], spn_test_keys()[1], spn_test_keys()[1]};
    assert_ok(spn_records_merge(folder, wanted, 3, &err), err);
    assert_false(spn_test_exists(folder, "manifest-a.jsonl") ||
                 spn_test_exists(folder, "manifest-b.jsonl"));
    char *merged = spn_test_load(folder, "manifest.jsonl", &size), *line = merged;
    const size_t expected[] = {0, 1, 5, 4};
    for (size_t k = 0; k < 4; k++, line = strchr(line, '\n') + 1) {
        char key[32];
        snprintf(key, sizeof key, "{\"key\":\"%016llx\"",
                 (unsigned long long)spn_test_keys()[expected[k]]);
        assert_memory_equal(line, key, strlen(key));
    }
    assert_int_equal(line - merged, size);
    free(merged);
    free(part);
}

/* While somebody writes, merging is for them to do. */
static void test_merge_busy(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_records_writer *writer;
    spn_test_append(folder, "a", SPN_ALL_JOBS, 4);
    spn_test_append(folder, NULL, SPN_ALL_JOBS + 4, 4);
    const char *const parts[] = {NULL, "a", "b"};
    for (size_t k = 0; k < 3; k++) {
        assert_ok(spn_records_open(&writer, folder, parts[k], &err), err);
        merge(folder);
        assert_true(spn_test_exists(folder, "manifest-a.jsonl"));
        spn_records_close(writer);
    }
    int lock;
    char path[256];
    snprintf(path, sizeof path, "%s/lock", folder);
    assert_ok(spn_manifest_lock(&lock, path, &err), err);
    assert_true(lock >= 0);
    merge(folder); /* another one is merging */
    assert_true(spn_test_exists(folder, "manifest-a.jsonl"));
    close(lock);
    merge(folder);
    assert_merged(folder);
}

/* A disk that is full leaves everything as it was. */
static void test_merge_full_disk(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    struct rlimit limit;
    spn_test_append(folder, "a", SPN_ALL_JOBS, 4);
    spn_test_append(folder, "b", SPN_ALL_JOBS + 4, 4);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    signal(SIGXFSZ, SIG_IGN);
    limit.rlim_cur = 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    spn_status status = spn_records_merge(folder, spn_test_keys(), SPN_TEST_JOBS, &err);
    limit.rlim_cur = before;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_error(status, &err, SPN_ERROR_IO, "manifest.jsonl: cannot be written", "File too large");
    spn_assert_jobs(folder, SPN_ALL_JOBS, SPN_TEST_JOBS, 0);
    merge(folder);
    assert_merged(folder);
}

/* Processes that append to parts, again and again, while others merge and read: no run is lost,
   not even for a moment. */
enum { WRITERS = 2, EACH = 40 };

static void write_many(const char *folder, const char *part, uint64_t first)
{
    spn_error err = {0};
    for (uint64_t k = 0; k < EACH;) {
        spn_records_writer *writer;
        spn_status status = spn_records_open(&writer, folder, part, &err);
        if (status == SPN_ERROR_ARGUMENT)
            continue; /* it is being merged */
        spn_record record = {.key = first + k, .run = 1};
        if (status || spn_records_append(writer, &record, &err))
            _exit(1);
        spn_records_close(writer);
        k++;
    }
    _exit(0);
}

static void test_at_the_same_time(void **state)
{
    const char *folder = spn_test_folder(state), *const parts[] = {"a", "b"};
    spn_error err = {0};
    pid_t writers[WRITERS];
    for (size_t k = 0; k < WRITERS; k++)
        if ((writers[k] = fork()) == 0)
            write_many(folder, parts[k], 1000 * k);
    size_t seen = 0;
    for (size_t left = WRITERS; left > 0;) {
        int status;
        spn_records *records = spn_test_read(folder);
        assert_true(records->count >= seen);
        seen = records->count;
        spn_records_free(records);
        assert_ok(spn_records_merge(folder, NULL, 0, &err), err);
        const spn_status archived = spn_records_archive(folder, &err);
        assert_true(archived == SPN_OK || archived == SPN_ERROR_ARGUMENT); /* somebody writes */
        if (waitpid(-1, &status, WNOHANG) > 0) {
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            left--;
        }
    }
    assert_ok(spn_records_merge(folder, NULL, 0, &err), err);
    spn_records *records = spn_test_read(folder);
    assert_int_equal(records->count, WRITERS * EACH);
    assert_false(spn_test_exists(folder, "manifest-a.jsonl"));
    spn_records_free(records);
}

/* ---- archives ---- */

static void archive(const char *folder)
{
    spn_error err = {0};
    assert_ok(spn_records_archive(folder, &err), err);
    assert_true(spn_test_exists(folder, "manifest.jsonl.gz"));
    assert_false(spn_test_exists(folder, "manifest.jsonl"));
    assert_false(spn_test_exists(folder, "manifest-a.jsonl"));
}

static void test_archive(void **state)
{
    const char *folder = spn_test_folder(state);
    const size_t late[] = {6, 5}, last[] = {7};
    size_t size, plain_size;
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 3);
    spn_test_append(folder, "a", SPN_ALL_JOBS + 3, 2);
    char *plain = spn_test_load(folder, "manifest.jsonl", &plain_size);
    archive(folder);
    spn_assert_jobs(folder, SPN_ALL_JOBS, 5, 0);
    char *first = spn_test_load(folder, "manifest.jsonl.gz", &size);
    assert_memory_equal(first, "\x1f\x8b", 2);
    archive(folder); /* again: nothing to do */
    merge(folder);   /* nor here: no empty manifest is left */
    assert_false(spn_test_exists(folder, "manifest.jsonl"));
    spn_assert_content(folder, "manifest.jsonl.gz", first, size);
    /* runs that are added stand beside it, in the order of the grid */
    spn_test_append(folder, "a", late, 2);
    spn_test_append(folder, NULL, last, 1);
    merge(folder);
    assert_merged(folder);
    spn_assert_content(folder, "manifest.jsonl.gz", first, size);
    /* killed before the plain manifests were removed */
    free(first);
    archive(folder);
    spn_test_store(folder, "manifest.jsonl", plain, plain_size);
    spn_assert_jobs(folder, SPN_ALL_JOBS, SPN_TEST_JOBS, 0);
    archive(folder);
    spn_assert_jobs(folder, SPN_ALL_JOBS, SPN_TEST_JOBS, 0);
    free(plain);
}

static void test_archive_errors(void **state)
{
    const char *folder = spn_test_folder(state);
    spn_error err = {0};
    spn_records *records;
    spn_records_writer *writer;
    size_t size;
    assert_error(spn_records_archive(folder, &err), &err, SPN_ERROR_ARGUMENT, "sweep: no run",
                 "nothing to archive");
    assert_ok(spn_records_open(&writer, folder, "a", &err), err);
    assert_error(spn_records_archive(folder, &err), &err, SPN_ERROR_ARGUMENT,
                 "another process is writing there", "wait");
    spn_records_close(writer);
    spn_test_append(folder, NULL, SPN_ALL_JOBS, 4);
    archive(folder);
    char *bytes = spn_test_load(folder, "manifest.jsonl.gz", &size);
    spn_test_store(folder, "manifest.jsonl.gz", bytes, size - 9);
    assert_error(spn_records_read(&records, folder, &err), &err, SPN_ERROR_INPUT,
                 "sweep/manifest.jsonl.gz", "");
    spn_test_store(folder, "manifest.jsonl.gz", bytes, size);
    spn_assert_jobs(folder, SPN_ALL_JOBS, 4, 0);
    /* the same run with another outcome is seen across both */
    append_other_machine(folder, NULL, 1, 0.25);
    assert_error(spn_records_read(&records, folder, &err), &err, SPN_ERROR_INPUT,
                 "sweep/manifest.jsonl.gz: line 2: is another outcome", "manifest.jsonl: line 1");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {scratch_test(test_locks),
                                       scratch_test(test_full_disk),
                                       scratch_test(test_no_space),
                                       scratch_test(test_repeated),
                                       scratch_test(test_merge),
                                       scratch_test(test_merge_rest),
                                       scratch_test(test_merge_busy),
                                       scratch_test(test_merge_full_disk),
                                       scratch_test(test_at_the_same_time),
                                       scratch_test(test_archive),
                                       scratch_test(test_archive_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
